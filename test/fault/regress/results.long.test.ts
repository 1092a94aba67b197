import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SuitePlace, type JsonComparison } from "./suite.js";

let place: SuitePlace;
let scenario: string;
beforeAll(async () => {
  place = new SuitePlace();
  scenario = place.read("small.yaml");
  const { code, stderr } = await place.bide("regress", "suite.yaml", "--update");
  expect(stderr).toMatch(/^1 of 4: exact\n2 of 4: statistic, seed 1, ETA .+\n/);
  expect(stderr).toMatch(/\nBaseline written to suite\.baseline\.json\n$/);
  expect(code).toBe(0);
});
afterAll(() => {
  place.remove();
});

function verdicts(found: ReadonlyMap<string, JsonComparison>): Record<string, string> {
  return Object.fromEntries([...found].map(([name, { verdict }]) => [name, verdict]));
}

describe("bide regress: results", () => {
  it("the same again passes", async () => {
    const { code, found, notes, stderr } = await place.compare("suite.yaml", "--no-speed");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(notes.get("exact")).toEqual([]);
    const { runs } = JSON.parse(place.read("suite.baseline.json")) as { runs: { settings: object }[] };
    expect(runs[0].settings).toMatchObject({ "scheduler.wait.node": "10s", "cluster.racks.0-3.row": "" });
    expect(verdicts(found)).toEqual({
      "exact fingerprint": "same",
      "exact counts": "same",
      "exact virtualSeconds": "same",
      "statistic nodeLocalAll": "same",
      "statistic responseMean": "same",
    });
  });

  it("other decisions: the exact figures say so with both values, the exit code is 5", async () => {
    place.write(
      "small.yaml",
      scenario.replace("sample: 10s", "sample: 10s, seed: 1").replace("mapSlots: 2", "mapSlots: 2, heartbeat: 4s"),
    );
    const { code, found, notes, stderr } = await place.compare("suite.yaml", "--no-speed", "--only", "exact");
    place.write("small.yaml", scenario);
    expect(code).toBe(5);
    expect(notes.get("exact")).toEqual(["cluster.heartbeat.interval: 3s -> 4s"]);
    expect(stderr).toBe("bide: suite.yaml: not everything is as suite.baseline.json says\n");
    const stored = JSON.parse(place.read("suite.baseline.json")) as {
      runs: { replications: { fingerprint: string }[] }[];
    };
    const { verdict, baseline, now } = found.get("exact fingerprint") ?? {};
    expect({ verdict, baseline }).toEqual({ verdict: "changed", baseline: stored.runs[0].replications[0].fingerprint });
    expect(now).toMatch(/^[0-9a-f]{32}$/);
    expect(now).not.toBe(baseline);
    // A heartbeat every 4 s in place of 3 s: 20 nodes in 900 s.
    const beats = (side: "baseline" | "now"): number => Number(found.get("exact counts.heartbeats")?.[side]);
    expect([beats("baseline"), beats("now")]).toEqual([6000, 4500]);
    expect(found.get("exact virtualSeconds")?.verdict).toBe("same");
  });

  it("a wait that is gone: locality falls for sure and by more than is allowed", async () => {
    place.write("small.yaml", scenario.replace("node: 10s", "node: 0s"));
    const { code, found, notes } = await place.compare("suite.yaml", "--no-speed", "--only", "statistic");
    place.write("small.yaml", scenario);
    expect(notes.get("statistic")).toEqual(["scheduler.wait.node: 10s -> 0s"]);
    const { verdict, baseline, now, detail } = found.get("statistic nodeLocalAll") ?? {};
    expect({ code, verdict }).toEqual({ code: 5, verdict: "changed" });
    expect(Number(now)).toBeLessThan(Number(baseline));
    expect(detail).toMatch(
      /^difference -0\.\d+ ± 0\.\d+ \(95 %, seed by seed\), \d+(\.\d+)? % of the baseline, allowed 2 %$/,
    );
  });
});
