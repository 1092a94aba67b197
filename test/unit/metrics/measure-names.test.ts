import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupKey, groupKeyParts, measureList, measureKey, measureNamed } from "../../../dist/experiments/index.js";
import { measureProblem } from "../../../dist/io/index.js";

const PARTS = ["a", "b", " ", ",", '"', '""', "user ", "of ", "1-20 maps", "kills of ", ".", "\n", "<", "\\", "ü", "‮"];

const group = fc.record({
  kind: fc.constantFrom("pool" as const, "user" as const),
  name: fc.oneof(
    fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 6 }).map((parts) => parts.join("")),
    fc.string({ minLength: 1, maxLength: 20, unit: "binary" }),
  ),
});

describe("names of measures of pools and users", () => {
  it("whatever the name is, the one spelling of its measure says that name, and stays whole in a list", () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 4 }), (groups) => {
        const keys = groups.map((one) => groupKey("kills", one));
        expect(keys.map((key) => groupKeyParts(key))).toEqual(groups.map((one) => ({ measure: "kills", group: one })));
        expect(keys.map((key) => measureKey(key))).toEqual(keys);
        expect(measureList(keys.join(" , "))).toEqual(keys);
        expect(measureList(keys.join(","))).toEqual(keys);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["kills of a", "pool", "a"],
    ['kills of "a"', "pool", "a"],
    ["kills of user ann", "user", "ann"],
    ['kills of user "ann"', "user", "ann"],
    ['kills of "user ann"', "pool", "user ann"],
    ["kills of user", "pool", "user"],
    ['kills of user "user ann"', "user", "user ann"],
    ['kills of "a,b"', "pool", "a,b"],
    ["kills of a,b", "pool", "a,b"],
    ['kills of "say ""hi"", you"', "pool", 'say "hi", you'],
    ['kills of say "hi"', "pool", 'say "hi"'],
    ['kills of "1-20 maps"', "pool", "1-20 maps"],
    ['kills of " a "', "pool", " a "],
    ['kills of """"', "pool", '"'],
  ])("%j is of the %s %j", (key, kind, name) => {
    expect(groupKeyParts(key)).toEqual({ measure: "kills", group: { kind, name } });
    expect(measureProblem(key, [])).toEqual([]);
    expect(groupKeyParts(measureKey(key))?.group.name).toBe(name);
  });

  it.each([
    ['kills of "a"', "kills of a"],
    ["kills of a,b", 'kills of "a,b"'],
    ['kills of user "ann"', "kills of user ann"],
    ['kills of "user ann"', 'kills of "user ann"'],
    ['secondsToHalf of "a,b"', 'secondsToHalf of "a,b"'],
    ['secondsToHalf of "a"', "secondsToHalf of a"],
    ["no measure of a", "no measure of a"],
  ])("%j is spelt %j", (key, spelling) => {
    expect(measureKey(key)).toBe(spelling);
  });

  it.each([
    ['kills of "a', '\\"a'],
    ['kills of "a,b', '\\"a,b'],
    ['kills of "a"b', '\\"a\\"b'],
    ['kills of ""', '\\"\\"'],
    ['kills of "', '\\"'],
    ['kills of """', '\\"\\"\\"'],
    ['kills of user "a', '\\"a'],
    ['kills of "a\n', '\\"a'],
  ])("%j is refused: quotes are to be closed, and enclose the whole name", (key, found) => {
    const [problem, ...others] = measureProblem(key, ["measures", 0]);
    expect(others).toEqual([]);
    expect(problem.message).toContain(`found "${found}`);
    expect(problem.message).toContain("a name in quotes");
    expect(measureNamed(key)).toBeUndefined();
  });

  it("a measure of a quoted name of sizes is that of a pool, one without quotes that of sizes", () => {
    expect(measureNamed("responseP95 of 1-20 maps")?.label).not.toContain("of 1-20 maps of");
    expect(groupKeyParts("responseP95 of 1-20 maps")).toBeNull();
    expect(measureNamed('kills of "1-20 maps"')?.key).toBe('kills of "1-20 maps"');
    expect(measureNamed("kills of 1-20 maps")).toBeUndefined();
  });

  it.each([
    ["a,b", ["a", "b"]],
    [" kills of a , responseP50 ", ["kills of a", "responseP50"]],
    ['kills of "a,b",responseP50', ['kills of "a,b"', "responseP50"]],
    ['kills of user "a,b" , x', ['kills of user "a,b"', "x"]],
    ['kills of "a,b', ['kills of "a', "b"]],
    ['kills of "a,b"c,d', ['kills of "a', 'b"c', "d"]],
    ['kills of a"b,kills of c"d', ['kills of a"b', 'kills of c"d']],
    ["", [""]],
    ["a,,b,", ["a", "", "b", ""]],
  ])("the list %j has %j", (text, keys) => {
    expect(measureList(text)).toEqual(keys);
  });

  it("a list of many quotes and commas takes no time", () => {
    const text = 'kills of "'.repeat(20_000) + ",".repeat(20_000);
    const startMs = performance.now();
    measureList(text);
    measureProblem(text, []);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });
});
