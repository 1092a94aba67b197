import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "../cli/command.js";

const sweepOf = (values: string): string => `scenario: good.yaml
replications: 2
axes:
  - {name: W1, path: scheduler.wait.node, values: [${values}]}
`;

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write("s.yaml", sweepOf("0s, 2s"));
});
afterAll(() => {
  place.remove();
});

describe("a sweep that is in the folder already", () => {
  it("is refused by --resume where it is another, and removed by --force", async () => {
    const sweep = async (...more: string[]) =>
      place.bide("sweep", "s.yaml", "--out", "s", "--threads", "1", "--quiet", "--json", ...more);
    expect(await sweep()).toMatchObject({ code: 0 });
    place.write("s.yaml", sweepOf("0s, 2s, 4s"));

    for (const words of [["--resume"], ["--resume", "--force"]])
      expect(await sweep(...words)).toMatchObject({ code: 2 });
    const anew = await sweep("--force");
    expect(JSON.parse(anew.stdout)).toMatchObject({ ended: 6, endedHere: 6 });
  });

  it("needs a folder that is named, where the command keeps none of its own", async () => {
    expect(await place.bide("tune", "s.yaml", "--resume")).toMatchObject({ code: 2 });
  });
});
