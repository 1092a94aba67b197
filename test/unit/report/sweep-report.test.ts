import { describe, expect, it } from "vitest";
import { MEASURES, pointDifferences, sweepResults, type SweepRecord } from "../../../dist/experiments/index.js";
import {
  sweepPicture,
  NO_PAINT,
  columnTitle,
  sweepCsv,
  sweepJson,
  sweepMarkdown,
  sweepReport,
  type SweepView,
  usualMeasures,
} from "../../../dist/report/index.js";
import { doneRun, failedRun, secondsAxis, sweepPlan, sweepRecord, wordAxis } from "../../support/hand-made-sweeps.js";

/**
 * Two replications of each, so half-widths are 12.706 * |a - b| / 2. W1=0s: 0.50 and 0.54, W1=5s: 0.90 and 0.96;
 * response 10 and 12, 20 and 22: seed by seed the second is exactly 10 more.
 */
const plan = sweepPlan([secondsAxis("W1", 0, 5)]);
const record = sweepRecord(plan, ({ index }, replication) =>
  doneRun({
    nodeLocalSmall: index === 0 ? 0.5 + 0.04 * replication : 0.9 + 0.06 * replication,
    responseP95: 10 + 10 * index + 2 * replication,
  }),
);

function viewOf(of: SweepRecord, changes: Partial<SweepView> = {}): SweepView {
  return { results: sweepResults(of), measures: of.plan.measures, baseline: null, ...changes };
}

const withBaseline = viewOf(record, {
  baseline: { name: "W1=0s", differences: pointDifferences(record, { kind: "point", index: 0 }) },
});

describe("the page of a sweep", () => {
  it("marks intervals of few runs as the tables do, and says what the mark means", () => {
    const few = sweepPicture(sweepResults(record), "small");
    expect(few.fewRuns).toBe("? of fewer than 10 runs, too few for 95 %");
    expect(few.points.map(({ found }) => found.map((one) => one?.isOfFew))).toEqual([
      [true, true],
      [true, true],
    ]);
    const ten = sweepRecord(sweepPlan(plan.axes, { replications: 10 }), (_, replication) =>
      doneRun({ nodeLocalSmall: replication === 3 ? null : replication / 10, responseP95: replication }),
    );
    const enough = sweepPicture(sweepResults(ten), "small");
    // One run had no value of the first: nine are too few.
    expect(enough.points[0]!.found.map((one) => one?.isOfFew)).toEqual([true, undefined]);
    expect(enough.measures.map(({ bounds }) => bounds)).toEqual([
      [0, 100],
      [null, null],
    ]);
  });
});

describe("the tables of a sweep", () => {
  it("say what was run, and the mean of each point with its half-width", () => {
    expect(sweepReport(viewOf(record), NO_PAINT)).toBe(
      [
        "Sweep           small: what comes of it",
        "Runs            2 points x 2 replications: 4 done",
        "Seeds           1, 2; the same for all points",
        "Figures         mean over replications ± half-width of its 95 % interval, ? of fewer than 10 runs,",
        "                too few for 95 %; all jobs count",
        "",
        "Points (node: maps beside their data; p95: response times; 1-20: of jobs of so many maps)",
        "W1  node 1-20, %  p95 all, s",
        "0s    52.0±25.4?  11.0±12.7?",
        "5s    93.0±38.1?  21.0±12.7?",
        "",
      ].join("\n"),
    );
  });

  it("say what short heads of columns stand for, and units", () => {
    const measures = ["responseP50Small", "responseP95Small", "inputMoved"];
    const kept = sweepRecord(sweepPlan([secondsAxis("W1", 0)], { measures }), () => doneRun({}));
    const lines = sweepReport(viewOf(kept), NO_PAINT).split("\n");
    expect(lines).toContain("Points (p50, p95: response times; 1-20: of jobs of so many maps)");
    expect(lines).toContain("W1  p50 1-20, s  p95 1-20, s  input between nodes, GB");
  });

  it("say where jobs of the warm-up count after all", () => {
    const warm = sweepPlan([secondsAxis("W1", 0, 5)], {
      warmUp: { kind: "detect" },
      measures: ["nodeLocalAll", "mapsPerSecond", "kills"],
    });
    const found = sweepRecord(warm, ({ index }) => doneRun({}, { warmUpSeconds: index === 0 ? 40 : null }));
    const lines = sweepReport(viewOf(found), NO_PAINT).split("\n");
    const at = lines.findIndex((line) => line.startsWith("Warm-up"));
    expect(lines[at - 1]).toContain("before the end of each run's warm-up (MSER-5) do not count");
    expect(lines.slice(at, at + 3)).toEqual([
      "Warm-up         does count in figures of the whole run: maps/s; killed attempts",
      "                not found in 2 runs, of which all jobs count",
      "",
    ]);
    const always = sweepRecord(warm, () => doneRun({}, { warmUpSeconds: 40 }));
    expect(sweepReport(viewOf(always, { measures: ["nodeLocalAll"] }), NO_PAINT)).not.toContain("Warm-up");
  });

  it("show differences seed by seed, with the p-value and its stars", () => {
    const lines = sweepReport(withBaseline, NO_PAINT).split("\n");
    // 0.40 and 0.42: t = 0.41 / 0.01 with one degree of freedom, p = 1 - 2/pi atan(41) = 0.0155.
    expect(lines.slice(-4)).toEqual([
      "Differences to the baseline, seed by seed",
      "W1  node 1-20, %         p  p95 all, s  p",
      "5s   +41.0±12.7?  0.016*         +10.0  -",
      "",
    ]);
  });

  it("say which runs are missing or failed, and why, each reason once", () => {
    const broken = sweepRecord(sweepPlan([secondsAxis("W1", 0, 5, 9)]), ({ index }, replication) => {
      if (index === 0)
        return failedRun("a.yaml:1:1: found 0, allowed more\n    at thing (file.js:1:1)\nsecond problem");
      return index === 1 && replication === 0 ? doneRun({ nodeLocalSmall: 1, responseP95: null }) : null;
    });
    const text = sweepReport(viewOf(broken), NO_PAINT);
    expect(text).toContain("Runs            3 points x 2 replications: 1 done, 2 failed\n");
    expect(text).toContain("Unfinished      3 runs are not there yet; npx bide sweep FILE --resume goes on\n");
    expect(text).toMatch(
      /Failed {10}2 runs of 1 point \(point 0, seed 1\): a.yaml:1:1: found 0, allowed more; second\n {16}problem\n/,
    );
    expect(text).toContain(
      "W1    runs  node 1-20, %  p95 all, s\n0s  0 of 2             -           -\n5s       1         100.0           -\n",
    );
  });

  it("are cut where they are too wide, each with its axes", () => {
    const measures = MEASURES.filter(({ group }) => group === "response-p95").map(({ key }) => key);
    const wide = sweepRecord(sweepPlan([wordAxis("system", "fair", "hfs")], { measures }), () =>
      doneRun(Object.fromEntries(measures.map((key) => [key, 12_345]))),
    );
    const lines = sweepReport(viewOf(wide), NO_PAINT).split("\n");
    expect(lines.filter((line) => line.startsWith("system"))).toHaveLength(2);
    expect(lines).toContain("Points (continued)");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(110);
  });

  it("let nothing of the names of others reach the terminal or the document as more than text", () => {
    const evil = wordAxis("a\u001b[2J|`b`\n", '<b>&"', "\u202eevil");
    const hostile = sweepRecord(sweepPlan([evil], { why: "x\u0007\ny" }), () => failedRun("\u001b]0;title\u0007"));
    const text = sweepReport(viewOf(hostile), NO_PAINT);
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(text).toContain("a\\u001b[2J|`b`\\u000a");
    expect(sweepMarkdown(viewOf(hostile))).toContain(
      "| a\\\\u001b[2J\\|\\`b\\`\\\\u000a | runs | node 1-20, % | p95 all, s |",
    );
    expect(sweepMarkdown(viewOf(hostile))).toContain('| \\<b>&" | 0 of 2 | - | - |');
  });
});

describe("the same for machines", () => {
  it("is a line of CSV for each point and measure", () => {
    const lines = sweepCsv(withBaseline).split("\n");
    expect(lines[0]).toBe(
      "point,W1,measure,unit,runs,mean,half_width,baseline,difference,difference_half_width,p,p_adjusted",
    );
    expect(lines[1]).toMatch(/^0,0s,nodeLocalSmall,share,2,0\.52,0\.25412\d+,,,,,$/);
    expect(lines[4]).toMatch(/^1,5s,responseP95,seconds,2,21,12\.706\d+,W1=0s,10,0,,$/);
    expect(lines).toHaveLength(6);
  });

  it("quotes what CSV would take for its own", () => {
    const evil = sweepRecord(sweepPlan([wordAxis('a,"b"', "c,d\ne")]), () => null);
    expect(sweepCsv(viewOf(evil))).toContain('point,"a,""b""",measure');
    expect(sweepCsv(viewOf(evil))).toContain('0,"c,d\ne",nodeLocalSmall,share,0,,\n');
  });

  it("is a JSON document of all", () => {
    const json = JSON.parse(JSON.stringify(sweepJson(withBaseline))) as Record<string, unknown>;
    expect(json).toMatchObject({
      format: "bide-sweep-results",
      version: 1,
      name: "small",
      seeds: ["1", "2"],
      confidence: 0.95,
      axes: [
        {
          name: "W1",
          unit: "seconds",
          steps: [
            { label: "0s", quantity: 0 },
            { label: "5s", quantity: 5 },
          ],
        },
      ],
      runs: { done: 4, failed: 0, missing: 0 },
      points: [
        { point: 0, steps: ["0s"], measures: { responseP95: { mean: 11, values: [10, 12] } }, baseline: null },
        {
          point: 1,
          steps: ["5s"],
          baseline: 0,
          differences: { responseP95: { difference: { mean: 10 }, pValue: null } },
        },
      ],
      failures: [],
      refusals: [],
    });
  });
});

describe("what measures are called", () => {
  it("is a title of its own for each that a sweep can keep", () => {
    // The large jobs are those of the last bin.
    const own = MEASURES.filter(({ group, key }) => !["cost", "slowdown"].includes(group) && !key.endsWith("Large"));
    const titles = own.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(own.filter(({ title, label }) => title === label)).toEqual([]);
    expect(titles).toContain("Response time, p95, jobs of 1-20 maps");
    expect(titles).toContain("Response time, mean, jobs of 1 map");
    expect(titles).toContain("Response time, p50, all jobs");
    expect(new Set(own.map(columnTitle)).size).toBe(own.length);
  });

  it("are all that are kept, if few; else the usual ones, or the first", () => {
    expect(usualMeasures(["kills", "jain"])).toEqual(["kills", "jain"]);
    const all = MEASURES.map(({ key }) => key);
    expect(usualMeasures(all)).toEqual([
      "nodeLocalSmall",
      "nodeLocalAll",
      "responseP50Small",
      "responseP95Small",
      "responseP50",
      "responseP95",
    ]);
    const unusual = all.filter((key) => /Bin/.test(key));
    expect(usualMeasures(unusual)).toEqual(unusual.slice(0, 6));
  });
});
