import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plugin, SuitePlace } from "./suite.js";

const SUITE = `name: speed
speed: {tolerance: 2.5, repeats: 1}
runs:
  - {name: lab, scenario: small.yaml, set: {scheduler: lab}}
`;

let place: SuitePlace;
beforeAll(async () => {
  place = new SuitePlace();
  place.write("speed.yaml", SUITE);
  // Some five hundred searches: 50 million rounds beside the run, and 800 million.
  place.write("fast.mjs", plugin(100_000));
  place.write("slow.mjs", plugin(1_500_000));
  expect(await place.bide("regress", "speed.yaml", "--plugin", "fast.mjs", "--update", "--quiet")).toMatchObject({
    code: 0,
    stderr: "",
  });
});
afterAll(() => {
  place.remove();
});

describe("bide regress: speed", () => {
  it("the same decisions at several times the cost: only the speed fails", async () => {
    const { code, found } = await place.compare("speed.yaml", "--plugin", "slow.mjs");
    expect(code).toBe(5);
    for (const what of ["fingerprint", "counts", "virtualSeconds"]) {
      expect(found.get(`lab ${what}`)?.verdict, what).toBe("same");
    }
    const { verdict, baseline, now, detail } = found.get("lab speed") ?? {};
    expect(verdict).toBe("worse");
    expect(Number(now)).toBeGreaterThan(2.5 * Number(baseline));
    expect(detail).toMatch(/^\d+\.\d\d times the cost, allowed 2.5$/);
  });

  it("a stored cost far above the present one: everything passes, and the baseline is stale", async () => {
    const stored = JSON.parse(place.read("speed.baseline.json")) as { runs: { speed: { ratio: number } }[] };
    stored.runs[0].speed.ratio *= 5;
    place.write("stale.baseline.json", JSON.stringify(stored));
    place.write("stale.yaml", SUITE.replace("name: speed", "name: stale"));
    const args = [
      "regress",
      "stale.yaml",
      "--plugin",
      "fast.mjs",
      "--quiet",
      "--junit",
      "stale.xml",
      "--out",
      "x.json",
    ];
    const { code, stdout, stderr } = await place.bide(...args);
    expect(code).toBe(9);
    expect(stderr).toBe("bide: stale.baseline.json: figures are far better than it says; --update writes it anew\n");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(
      "All 4 comparisons pass, but the baseline is stale and hides regressions: lab speed.",
    );
    expect(place.read("stale.xml")).toMatch(/<testcase[^>]* name="baseline"[^>]*>\s*<failure type="stale"/);
    expect(JSON.parse(place.read("x.json"))).toMatchObject({ passed: true, baselineIsStale: true });
  });
});
