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
    ["two.baseline.json: ", ["two.yaml", "--plugin", "lab.mjs"]],
    ["two.yaml:3:56: ", ["two.yaml"]],
    ["--only: ", ["two.yaml", "--plugin", "lab.mjs", "--only", "god"]],
    ["--junit: ", ["two.yaml", "--plugin", "lab.mjs", "--update", "--junit", "x.xml"]],
    ["none/x.xml: ", ["two.yaml", "--plugin", "lab.mjs", "--junit", "none/x.xml"]],
    ["none.yaml: ", ["none.yaml"]],
  ])("%s is refused before anything is run", async (where, args) => {
    const { code, stdout, stderr } = await place.bide("regress", ...args);
    expect({ code, stdout, begins: stderr.slice(0, where.length) }).toEqual({ code: 2, stdout: "", begins: where });
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
});
