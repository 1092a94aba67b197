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
  it("is kept by --resume-changed and removed by --force, and never both by one word", async () => {
    const sweep = async (...more: string[]) =>
      place.bide("sweep", "s.yaml", "--out", "s", "--threads", "1", "--quiet", "--json", ...more);
    expect(await sweep()).toMatchObject({ code: 0 });
    place.write("s.yaml", sweepOf("0s, 2s, 4s"));

    const unlike = await sweep("--resume");
    expect(unlike.code).toBe(2);
    expect(unlike.stderr).toContain("--resume-changed makes it this sweep, and keeps the runs that both have");

    for (const word of ["--resume", "--resume-changed"]) {
      const both = await sweep(word, "--force");
      expect(both.code).toBe(2);
      expect(both.stderr).toContain(`error: found ${word} and --force, allowed one of them`);
    }

    const widened = await sweep("--resume-changed");
    expect(JSON.parse(widened.stdout)).toMatchObject({ ended: 6, endedHere: 2 });
    const anew = await sweep("--force");
    expect(JSON.parse(anew.stdout)).toMatchObject({ ended: 6, endedHere: 6 });
  });

  it("needs a folder that is named, where the command keeps none of its own", async () => {
    const { code, stderr } = await place.bide("tune", "s.yaml", "--resume-changed");
    expect([code, stderr.split("\n")[0]]).toEqual([2, "error: --resume-changed needs --out"]);
  });
});
