import { readdirSync } from "node:fs";
import { deepStrictEqual } from "node:assert";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadScenario } from "../../../dist/io/index.js";
import { decodeExactly, encodeExactly } from "../../../dist/lab/index.js";

const SCENARIOS = readdirSync("scenarios").filter((name) => name.endsWith(".yaml"));

/** `deepStrictEqual` tells -0 from 0, and a missing property from an undefined one. */
function comesBack(value: unknown): void {
  deepStrictEqual(decodeExactly(encodeExactly(value)), value);
}

describe("values that travel as JSON", () => {
  it("are every shipped scenario", () => {
    expect(SCENARIOS.length).toBeGreaterThan(20);
    for (const name of SCENARIOS) comesBack(loadScenario(`scenarios/${name}`).scenario);
  });

  it.each([
    ["infinities", [Infinity, -Infinity]],
    ["no number", NaN],
    ["zeros", [0, -0]],
    ["large and small numbers", [Number.MAX_SAFE_INTEGER, Number.MAX_VALUE, Number.MIN_VALUE, 0.1, 1 / 3]],
    ["undefined, as property and in a list", { a: undefined, b: [undefined, null] }],
    ["an object that looks like a mark", { $: "Infinity" }],
    ["an object that looks like a marked object", { $: "object", entries: [["a", 1]] }],
    ["a mark in a mark", { $: { $: -0 } }],
    ["hostile names", JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}')],
    ["text that is no text", "\ud800 \u0000 \u2028"],
  ])("are %s", (_, value) => {
    comesBack(value);
  });

  it("leave prototypes alone", () => {
    const back = decodeExactly(encodeExactly(JSON.parse('{"__proto__": {"polluted": 1}}'))) as object;
    expect(Object.keys(back)).toEqual(["__proto__"]);
    expect((back as { polluted?: number }).polluted).toBeUndefined();
  });

  it("are any plain data", () => {
    const key = fc.oneof(fc.constantFrom("$", "entries", "__proto__", "a"), fc.string());
    const leaf = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("tree")),
        fc.dictionary(key, tie("tree"), { noNullPrototype: true }),
      ),
    }));
    fc.assert(fc.property(tree, comesBack), { seed: 7, numRuns: 500 });
  });

  it("are nothing but plain data", () => {
    for (const value of [new Map(), new Date(0), new Float64Array(2), () => 1, 1n]) {
      expect(() => encodeExactly({ value })).toThrow("only plain data travels");
    }
  });

  it("are refused when they were written by something else", () => {
    for (const text of ["", "{", '{"$": "Map"}', '{"$": 3}']) expect(() => decodeExactly(text)).toThrow();
  });
});
