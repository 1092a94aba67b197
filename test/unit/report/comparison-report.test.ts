import { describe, expect, it } from "vitest";
import { CONFIDENCE, estimate, measureRun } from "../../../dist/core/metrics/comparison.js";
import { MEASURES } from "../../../dist/core/metrics/measures.js";
import { comparisonReport } from "../../../dist/report/comparison-report.js";
import { NO_PAINT } from "../../../dist/report/layout.js";
import { sampleRecord, sampleSummary } from "../results/sample-run.mjs";

function comparison(seeds: string[], scale: (kind: string, seed: number) => number) {
  const schedulers = ["fair", "hfs"].map((kind) => {
    const runs = seeds.map(() => measureRun({ summary: sampleSummary(), record: sampleRecord() }));
    const measures = Object.fromEntries(
      MEASURES.map(({ key }) => {
        const values = runs.map((run, seed) => {
          const value = run.get(key) ?? null;
          return value === null ? null : value * scale(kind, seed);
        });
        return [key, estimate(values)];
      }),
    );
    const wait = kind === "fair" ? { kind: "none" } : { kind: "time", nodeUs: 1e7, rackUs: 5e6 };
    return { kind, wait, fingerprints: seeds.map(() => "0"), measures };
  });
  return {
    format: "bide-comparison",
    version: 1,
    scenario: "sample",
    seeds,
    confidence: CONFIDENCE,
    schedulers,
    notes: [],
  };
}

describe("schedulers side by side", () => {
  it("is this for one seed", () => {
    expect(comparisonReport(comparison(["7"], () => 1) as never, NO_PAINT)).toMatchInlineSnapshot(`
      "Scenario        sample; seed 7
      Waits           fair: no wait; hfs: W1 10s, W2 5s

                                      fair    hfs
      node-local, 1-20 maps, %        50.0   50.0
      node-local, all jobs, %         60.4   60.4
      response p50, 1-20 maps, s      10.5   10.5
      response p95, 1-20 maps, s      20.0   20.0
      response p50, 21-1500 maps, s  300.0  300.0
      response p95, 21-1500 maps, s  300.0  300.0
      time to first task p50, s        2.0    2.0
      time to first task p95, s        4.1    4.1
      maps finished per second       0.435  0.435
      Jain's index over pools        0.913  0.913
      below fair share, %              4.2    4.2
      unfinished jobs                    1      1
      CPU time, s                     2.30   2.30
      "
    `);
  });

  it("is this for several seeds", () => {
    const found = comparison(["7", "8", "9"], (kind, seed) => (kind === "fair" ? 1 : 0.9 + seed * 0.05));
    expect(comparisonReport(found as never, NO_PAINT)).toMatchInlineSnapshot(`
      "Scenario        sample; mean over 3 seeds (7, 8, 9) ± 95 % half-width
      Waits           fair: no wait; hfs: W1 10s, W2 5s

                                              fair            hfs
      node-local, 1-20 maps, %        50.0 ±   0.0   47.5 ±   6.2
      node-local, all jobs, %         60.4 ±   0.0   57.4 ±   7.5
      response p50, 1-20 maps, s      10.5 ±   0.0   10.0 ±   1.3
      response p95, 1-20 maps, s      20.0 ±   0.0   19.0 ±   2.5
      response p50, 21-1500 maps, s  300.0 ±   0.0  285.0 ±  37.3
      response p95, 21-1500 maps, s  300.0 ±   0.0  285.0 ±  37.3
      time to first task p50, s        2.0 ±   0.0    1.9 ±   0.3
      time to first task p95, s        4.1 ±   0.0    3.9 ±   0.5
      maps finished per second       0.435 ± 0.000  0.413 ± 0.054
      Jain's index over pools        0.913 ± 0.000  0.868 ± 0.113
      below fair share, %              4.2 ±   0.0    4.0 ±   0.5
      unfinished jobs                    1 ±     0    1.0 ±   0.1
      CPU time, s                     2.30 ±  0.00   2.19 ±  0.29
      "
    `);
  });
});
