import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { plugin, SuitePlace } from "./suite.js";

const TWO = `name: two
runs:
  - {name: lab, scenario: small.yaml, set: {scheduler: lab, run.until: 1m}}
  - {name: good, scenario: good.yaml}
`;
const GIVEN = ["two.yaml", "--plugin", "lab.mjs", "--no-speed"];

const OLD_XML = '<testsuites name="bide regress two"/>';

let place: SuitePlace;
beforeEach(() => {
  place = new SuitePlace();
  place.write("two.yaml", TWO);
  place.write("lab.mjs", plugin(0));
});
afterEach(() => {
  place.remove();
});

describe("bide regress", () => {
  it.each([
    [
      ["two.yaml", "--plugin", "lab.mjs"],
      /^two\.baseline\.json: found no readable file \(no such file or directory\), allowed a baseline; npx bide regress --update writes it\n$/,
    ],
    [["two.yaml"], /^two\.yaml:3:56: found "lab" for scheduler\.kind, allowed /],
    [
      ["two.yaml", "--plugin", "lab.mjs", "--only", "god"],
      /^--only: found "god", allowed lab, good; did you mean "good"\?\n$/,
    ],
    [
      ["two.yaml", "--plugin", "lab.mjs", "--update", "--junit", "x.xml"],
      /^--junit: found --update too, allowed without it/,
    ],
    [
      ["two.yaml", "--plugin", "lab.mjs", "--junit", "none/x.xml"],
      /^none\/x\.xml: cannot write: no such file or directory\n$/,
    ],
    [["none.yaml"], /^none\.yaml: found no readable file/],
  ])("%j: exit 2 before anything is run", async (args, message) => {
    const { code, stdout, stderr } = await place.bide("regress", ...args);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(place.left()).toEqual(["lab.mjs", "small.yaml", "suite.yaml", "two.yaml"]);
  });

  it("a report of an earlier run is gone when this one ends before it has one of its own", async () => {
    const left = async (...args: string[]): Promise<readonly [number | null, string[]]> => {
      place.write("old.xml", OLD_XML);
      place.write("old.json", '{"format": "bide-regress"}');
      const { code } = await place.bide("regress", ...args, "--quiet", "--junit", "old.xml", "--out", "old.json");
      return [code, place.left().filter((name) => name.startsWith("old"))];
    };
    expect(await left("none.yaml")).toEqual([2, []]);
    expect(await left(...GIVEN)).toEqual([2, []]);
    expect(await left(...GIVEN, "--only", "god")).toEqual([2, []]);
    expect(await left("two.yaml", "--plugin", "none.mjs")).toEqual([2, []]);
    expect(await left(...GIVEN, "--update")).toEqual([2, []]);
  });

  it("a report of an earlier run is gone also where the other cannot be written; what is no report stays", async () => {
    place.write("two.baseline.json", "{}");
    for (const wrong of [
      ["--out", "old.html"],
      ["--out", "two.baseline.json"],
      ["--out", "."],
    ]) {
      place.write("old.xml", OLD_XML);
      const { code } = await place.bide("regress", ...GIVEN, "--junit", "old.xml", ...wrong);
      expect([code, place.left().includes("old.xml")]).toEqual([2, false]);
    }
    expect(place.read("two.baseline.json")).toBe("{}");
    place.write("old.json", '{"format": "bide-regress"}');
    expect((await place.bide("regress", ...GIVEN, "--out", "old.json", "--junit", ".")).code).toBe(2);
    expect(place.left()).not.toContain("old.json");
  });
});
