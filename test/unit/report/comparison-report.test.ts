import { HADOOP_WORDS } from "../../../dist/core/platforms/hadoop/index.js";
import { describe, expect, it } from "vitest";
import { CONFIDENCE, estimate, pairedDifference, MEASURES, OWN_MEASURES } from "../../../dist/experiments/index.js";
import { comparisonCsv, comparisonMarkdown, comparisonReport, NO_PAINT } from "../../../dist/report/index.js";
import { sampleRecord, sampleSummary } from "../results/sample-run.mjs";

const RUN = { summary: sampleSummary(), record: sampleRecord(), decisions: null };

function measuresOf(seeds: string[], scale: (seed: number) => number) {
  const of = new Map(OWN_MEASURES.map(({ key, of: value }) => [key, value(RUN as never)]));
  return Object.fromEntries(
    MEASURES.map(({ key }) => {
      const value = of.get(key) ?? null;
      return [key, estimate(seeds.map((_, seed) => (value === null ? null : value * scale(seed))))];
    }),
  );
}

function comparison(seeds: string[], names: string[], scale: (name: string, seed: number) => number) {
  const measures = names.map((name) => measuresOf(seeds, (seed) => scale(name, seed)));
  const systems = names.map((name, at) => ({
    name,
    why: "",
    point: "",
    kind: at === 0 ? "fair" : "hfs",
    baseline: at === 0 ? null : names[0]!,
    waits: at === 0 ? "no wait" : "W1 10s, W2 5s",
    fingerprints: seeds.map(() => "0"),
    measures: measures[at]!,
    differences:
      at === 0
        ? null
        : Object.fromEntries(
            MEASURES.map(({ key }) => [key, pairedDifference(measures[at]![key]!.values, measures[0]![key]!.values)]),
          ),
  }));
  const found = { scenario: "sample", why: "", seeds, confidence: CONFIDENCE, systems, notes: [] };
  return { format: "bide-comparison", version: 3, words: HADOOP_WORDS, ...found } as never;
}

const several = (names: string[]) =>
  comparison(["7", "8", "9"], names, (name, seed) => (name === "fair" ? 1 : 0.9) * (1 + seed * 0.05));

describe("systems side by side", () => {
  it("tell only of those that lost something where most lost nothing", () => {
    const found = comparison(["7"], ["fair", "delay", "kill"], (name) => (name === "kill" ? 1 : 0));
    const lines = comparisonReport(found, NO_PAINT).split("\n");
    const from = lines.indexOf("What was lost");
    expect(from).toBeGreaterThan(0);
    expect(lines.slice(from + 2, from + 5).map((line) => line.split(" ")[0])).toEqual(["kill", "all", ""]);
    expect(lines[from + 3]).toBe("all others: none");
  });

  it("come with the notes that have a code first, however many others there are", () => {
    const notes = [..."abcdefg", { code: "undeclared-pools", text: "misspelt", pools: [] }];
    const text = comparisonReport({ ...(comparison(["7"], ["fair"], () => 1) as object), notes } as never, NO_PAINT);
    expect(text.split("\n").filter((line) => line.startsWith("Note"))[0]).toMatch(/misspelt$/);
    expect(text).toContain("3 more notes");
  });

  it("are this for one seed", () => {
    expect(
      comparisonReport(
        comparison(["7"], ["fair", "hfs"], () => 1),
        NO_PAINT,
      ),
    ).toMatchInlineSnapshot(`
      "Scenario        sample; seed 7
      Waits           fair: no wait; hfs: W1 10s, W2 5s

      Locality of launched maps, %; of jobs of 1-20 maps, of all
            node 1-20  node  rack  elsewhere
      fair       50.0  60.4  33.0        6.6
      hfs        50.0  60.4  33.0        6.6

      Response time, s: quantiles, by maps per job
            p50 1-20  p95 1-20  p50 21-1500  p95 21-1500
      fair      10.5      20.0        300.0        300.0
      hfs       10.5      20.0        300.0        300.0

      Mean response time, s: by maps per job
               1  21-60    all
      fair  15.3  300.0  110.2
      hfs   15.3  300.0  110.2

      Throughput and fairness: times in s, below fair share in %
            maps/s  Jain's index  below share
      fair   0.435         0.913          4.2
      hfs    0.435         0.913          4.2

      Waits
            locality wait, s/map  longest  wait clock, s/map  pending, s/map  first task p50  first task p95
      fair                 0.570     15.5              0.410            12.3             2.0             4.1
      hfs                  0.570     15.5              0.410            12.3             2.0             4.1

      What was lost
            unfinished jobs
      fair                1
      hfs                 1

      Bytes moved, GB
            input between nodes  of that between racks
      fair                 17.2                   8.59
      hfs                  17.2                   8.59

      Cost on this machine
            run, wall s
      fair         2.10
      hfs          2.10

      -: no value. Grid step: what one job a heartbeat later, or one map on another node, changes
      "
    `);
  });

  it("are this for several seeds, with marks where the differences seed by seed are sure", () => {
    expect(comparisonReport(several(["fair", "hfs 5 s"]), NO_PAINT)).toMatchInlineSnapshot(`
      "Scenario        sample; mean over 3 seeds (7, 8, 9) ± 95 % half-width; ? of fewer than 10 runs, too
                      few for 95 %
      Waits           fair: no wait; hfs 5 s: W1 10s, W2 5s
      Baseline        fair; * marks a difference to it, seed by seed, that is more than a grid step and
                      whose 95 % interval excludes 0

      Locality of launched maps, %; of jobs of 1-20 maps, of all
                node 1-20        node        rack  elsewhere
      fair     52.5±6.2?   63.4±7.5?   34.7±4.1?   6.9±0.8?
      hfs 5 s  47.3±5.6?*  57.1±6.7?*  31.2±3.7?*  6.3±0.7?*

      Response time, s: quantiles, by maps per job
                 p50 1-20    p95 1-20   p50 21-1500   p95 21-1500
      fair     11.0±1.3?   21.0±2.5?   315.0±37.3?   315.0±37.3?
      hfs 5 s   9.9±1.2?*  18.9±2.2?*  283.5±33.5?*  283.5±33.5?*

      Mean response time, s: by maps per job
                        1         21-60           all
      fair     16.0±1.9?   315.0±37.3?   115.7±13.7?
      hfs 5 s  14.4±1.7?*  283.5±33.5?*  104.1±12.3?*

      Throughput and fairness: times in s, below fair share in %
                      maps/s   Jain's index  below share
      fair     0.457±0.054?   0.959±0.113?     4.4±0.5?
      hfs 5 s  0.411±0.049?*  0.863±0.102?*    4.0±0.5?*

      Waits
               locality wait, s/map     longest  wait clock, s/map  pending, s/map  first task p50  first task p95
      fair            0.598±0.071?   16.3±1.9?       0.431±0.051?       12.9±1.5?        2.1±0.3?        4.3±0.5?
      hfs 5 s         0.539±0.064?*  14.6±1.7?*      0.387±0.046?*      11.6±1.4?*       1.9±0.2?*       3.9±0.5?*

      What was lost
               unfinished jobs
      fair           1.1±0.1?
      hfs 5 s        0.9±0.1?*

      Bytes moved, GB
               input between nodes  of that between racks
      fair              18.0±2.1?             9.02±1.07?
      hfs 5 s           16.2±1.9?*            8.12±0.96?*

      Cost on this machine
               run, wall s
      fair      2.21±0.26?
      hfs 5 s   1.99±0.24?

      Differences to the baseline, seed by seed
                  node, %  response, s  p95 1-20, s            maps/s    below, %     moved, GB
      fair
      hfs 5 s  -6.3±0.7?*  -11.6±1.4?*   -2.1±0.2?*  -0.0457±0.0054?*  -0.4±0.1?*  -1.80±0.21?*

      -: no value. Grid step: what one job a heartbeat later, or one map on another node, changes
      "
    `);
  });

  it("never make a line wider than 110 characters, however many columns there are and however long the names", () => {
    const text = comparisonReport(several(["fair", "copy-compute splitting with everything else"]), NO_PAINT);
    expect(text).toContain("(continued)");
    expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(110);
  });

  it("go into Markdown with their marks, and names that look like Markdown as they are", () => {
    const text = comparisonMarkdown(several(["fair", "a|b"]));
    expect(text).toContain("| a\\|b | ");
    expect(text).toMatch(/\\\* \|/);
    const rows = text.split("\n").filter((line) => line.startsWith("|"));
    expect(rows.length).toBeGreaterThan(12);
  });

  it("go into CSV whole: a line for every measure of every system", () => {
    const lines = comparisonCsv(several(["fair", 'quo"ted']))
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(1 + 2 * MEASURES.length);
    expect(lines[0]!.split(",")).toHaveLength(13);
    expect(lines.find((line) => line.startsWith("fair,,fair,response-mean,responseMeanBin4,"))).toMatch(
      /,seconds,315,37\.26\d*,3,,,,$/,
    );
    const other = lines.find((line) => line.includes(",responseMeanBin4,") && line.startsWith('"quo""ted"'));
    expect(other).toMatch(/,3,fair,-31\.(5|4999)/);
    expect(other).toMatch(/,true$/);
  });
});
