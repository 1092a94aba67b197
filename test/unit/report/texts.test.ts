import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { HADOOP_WORDS } from "../../../dist/core/platforms/hadoop/index.js";
import {
  CONFIDENCE,
  estimate,
  MEASURES,
  OWN_MEASURES,
  pairedDifference,
  pointDifferences,
  type SweepRecord,
  sweepResults,
} from "../../../dist/experiments/index.js";
import { loadAnyScenario, parseScenario, readExplained } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";
import {
  allocationsReport,
  capacitiesReport,
  columnTitle,
  comparisonText,
  NO_PAINT,
  runReport,
  scenarioDigest,
  sweepPicture,
  sweepText,
  type SweepView,
  usualMeasures,
} from "../../../dist/report/index.js";
import { doneRun, failedRun, secondsAxis, sweepPlan, sweepRecord, wordAxis } from "../../support/hand-made-sweeps.js";
import { sampleRecord, sampleSummary } from "../results/sample-run.mjs";

// What is printed, as it is printed: wording and format stand in the snapshots and nowhere else.

const { cost, jobs, waits, ...sample } = sampleSummary();
const { scenario } = parseScenario("workload: {kind: benchmark}", "sample.yaml");
const extras = { scenario, timeline: null, resultsPath: "results/sample", paint: NO_PAINT };
const lost = { lostSeconds: 98_765.4 };
const resources = [
  { key: "memory", one: "MB", many: "MB" },
  { key: "vcores", one: "vcore", many: "vcores" },
];

describe("the report of a run", () => {
  it.each<[what: string, changes: object]>([
    ["of a Fair Scheduler", {}],
    [
      "with times below a second",
      { timeToFirstTaskSeconds: { ...sample.timeToFirstTaskSeconds, p50: 0.0421, p95: 0.999, p99: 0 } },
    ],
    [
      "of other resources",
      {
        words: { ...sample.words, resources },
        cluster: { ...sample.cluster, resources: { memory: 8192, vcores: 8 } },
        utilisation: { memory: sample.utilisation["mapSlots"], vcores: sample.utilisation["mapSlots"] },
      },
    ],
    ["with failed jobs, where tasks do not fail", { jobs: { ...jobs, failed: 2 }, failures: undefined }],
    ["without locality waits", { waits: { ...waits, localitySecondsPerTask: null, longestLocalitySeconds: null } }],
    ["on threads", { cost: { ...cost, placement: "2 threads", threads: 2, frames: 12_345, frameBytes: 80_123_456 } }],
    ["with a replaced thread", { cost: { ...cost, threads: 2, recoveries: 1, commandLogBytes: 42_567_861 } }],
    [
      "with kills, deadlines and refused jobs",
      {
        preemption: { kills: 1200, checks: 3, slotsWanted: 1204, ...lost },
        deadlines: { met: 7, missed: 2, open: 1 },
        refusedJobs: 1,
      },
    ],
    ["of which all jobs were refused", { refusedJobs: jobs.submitted }],
    [
      "with failures and second attempts",
      {
        failures: { attempts: 1200, sourcesLost: 3, kills: 7, ...lost },
        speculation: { launched: 41, won: 12, wastedSeconds: 1234.5 },
        jobs: { ...jobs, failed: 2 },
      },
    ],
    [
      "that ended with lost nodes",
      {
        faults: { nodesGivenUp: 2, attemptsLost: 1, outputsLost: 30, blocksCopied: 1200, bytesCopied: 3 * 2 ** 30 },
        stopped: "no-nodes-left",
      },
    ],
    ["with notes twice", { notes: ["b", "a", "b"] }],
  ])("%s", (_, changes) => {
    expect(runReport(sampleSummary(changes), extras)).toMatchSnapshot();
  });

  it("has the codes of its paint and no others, and no path where nothing was written", () => {
    const paint = { bold: (text: string) => `<b>${text}</b>`, dim: (text: string) => `<i>${text}</i>` };
    expect(runReport(sampleSummary(), { ...extras, paint, resultsPath: null })).toMatchSnapshot();
  });

  it.each([...["tiny", "capacity", "spark/failures", "spark/two-applications", "yarn/drf", "yarn/job-graph"]])(
    "of the shipped scenario %s",
    async (name) => {
      const { scenario: shipped, directory } = loadAnyScenario(`scenarios/${name}.yaml`);
      const { summary, record } = await runScenario(shipped, directory);
      const timeline = {
        words: record.words,
        samples: record.samples,
        groupSamples: record.groupSamples,
        capacity: 40,
      };
      const timeless = { ...summary, cost: { ...summary.cost, ...cost } };
      expect(scenarioDigest(shipped)).toMatchSnapshot("digest");
      expect(
        runReport(timeless, { scenario: shipped, timeline, resultsPath: null, paint: NO_PAINT }),
      ).toMatchSnapshot();
    },
  );
});

it.each([
  ...[
    "{kind: quincy, quincy: {policy: GF}}",
    "{kind: dsfs, dsfs: {t1: 2s, t2: 9s}}",
    "{kind: fair, longTasks: balance}",
  ],
  ...["offers", "delay", "fifo", "{rules: 1.2, preemption: log}"],
  "fair\nruntime: {copyCompute: {computing: 1}}\nstorage: {dynamicReplication: hotSpots}\nrun: {until: 1h, seed: x}",
])("A scenario with the scheduler %s in one line", (scheduler) => {
  const text = `workload: {kind: benchmark, repeat: 2}\nscheduler: ${scheduler}`;
  expect(scenarioDigest(parseScenario(text, "x.yaml").scenario)).toMatchSnapshot();
});

const run = { summary: sampleSummary(), record: sampleRecord(), decisions: null };

function comparison(
  seeds: string[],
  names: string[],
  scale: (name: string, seed: number) => number,
  notes: unknown[] = [],
) {
  const values = new Map(OWN_MEASURES.map(({ key, evaluate: value }) => [key, value(run as never)]));
  const measured = names.map((name) =>
    Object.fromEntries(
      MEASURES.map(({ key }) => {
        const value = values.get(key) ?? null;
        return [key, estimate(seeds.map((_, seed) => (value === null ? null : value * scale(name, seed))))];
      }),
    ),
  );
  const systems = names.map((name, index) => ({
    name,
    why: "",
    point: "",
    kind: index === 0 ? "fair" : "hfs",
    baseline: index === 0 ? null : names[0]!,
    waits: index === 0 ? "no wait" : "W1 10s, W2 5s",
    fingerprints: seeds.map(() => "0"),
    measures: measured[index]!,
    differences:
      index === 0
        ? null
        : Object.fromEntries(
            MEASURES.map(({ key }) => [
              key,
              pairedDifference(measured[index]![key]!.values, measured[0]![key]!.values),
            ]),
          ),
  }));
  const head = { format: "bide-comparison", version: 3, words: HADOOP_WORDS, scenario: "sample", why: "", seeds };
  return { ...head, confidence: CONFIDENCE, systems, notes } as never;
}

describe("the report of a comparison", () => {
  const several = (...names: string[]) =>
    comparison(["7", "8", "9"], names, (name, seed) => (name === "fair" ? 1 : 0.9) * (1 + seed * 0.05));

  it.each([
    ["of one seed", comparison(["7"], ["fair", "hfs"], () => 1)],
    ["of several seeds, with marks where differences are sure", several("fair", "hfs 5 s")],
    ["that is wide", several("fair", "copy-compute splitting with everything else")],
    [
      "in which one system lost something",
      comparison(["7"], ["fair", "delay", "kill"], (name) => Number(name === "kill")),
    ],
    [
      "with many notes, of which those with a code come first",
      comparison(["7"], ["fair"], () => 1, [..."abcdefg", { code: "undeclared-pools", text: "misspelt", pools: [] }]),
    ],
  ])("%s", (_, given) => {
    const text = comparisonText(given, "text", NO_PAINT);
    expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(110);
    expect(text).toMatchSnapshot();
  });

  it.each(["md", "latex", "csv"] as const)("as %s", (format) => {
    expect(comparisonText(several("fair", 'a|b "c"'), format, NO_PAINT)).toMatchSnapshot();
  });
});

/**
 * Two replications of each, so half-widths are 12.706 * |a - b| / 2. W1=0s: 0.50 and 0.54, W1=5s: 0.90 and 0.96;
 * response 10 and 12, 20 and 22: seed by seed the second is exactly 10 more.
 */
const small = sweepRecord(sweepPlan([secondsAxis("W1", 0, 5)]), ({ index }, replication) =>
  doneRun({
    nodeLocalSmall: index === 0 ? 0.5 + 0.04 * replication : 0.9 + 0.06 * replication,
    responseP95: 10 + 10 * index + 2 * replication,
  }),
);

function viewOf(record: SweepRecord, changes: Partial<SweepView> = {}): SweepView {
  return { results: sweepResults(record), measures: record.plan.measures, baseline: null, ...changes };
}

const withBaseline = viewOf(small, {
  baseline: { name: "W1=0s", differences: pointDifferences(small, { kind: "point", index: 0 }) },
});

/** Some jobs of the warm-up count after all. */
const warm = sweepPlan([secondsAxis("W1", 0, 5)], {
  warmUp: { kind: "detect" },
  measures: ["nodeLocalAll", "mapsPerSecond", "kills"],
});

const broken = sweepRecord(sweepPlan([secondsAxis("W1", 0, 5, 9)]), ({ index }, replication) => {
  if (index === 0) return failedRun("a.yaml:1:1: expected more, found 0\n    at thing (file.js:1:1)\nsecond problem");
  return index === 1 && replication === 0 ? doneRun({ nodeLocalSmall: 1, responseP95: null }) : null;
});

const quantiles = MEASURES.filter(({ group }) => group === "response-p95").map(({ key }) => key);
const wide = sweepRecord(sweepPlan([wordAxis("system", "fair", "hfs")], { measures: quantiles }), () =>
  doneRun(Object.fromEntries(quantiles.map((key) => [key, 12_345]))),
);

const hostile = sweepRecord(
  sweepPlan([wordAxis("a\u001b[2J|`b`\n", '<b>&"', "\u202eevil", "c,d\ne")], { why: "x\u0007\ny" }),
  () => failedRun("\u001b]0;title\u0007"),
);

describe("the tables of a sweep", () => {
  it.each<[string, SweepView]>([
    ["of two points", viewOf(small)],
    ["with differences seed by seed", withBaseline],
    [
      "of which the warm-up does not count",
      viewOf(sweepRecord(warm, ({ index }) => doneRun({}, { warmUpSeconds: index === 0 ? 40 : null }))),
    ],
    ["with missing and failed runs", viewOf(broken)],
    ["that are wide", viewOf(wide)],
    ["with hostile names", viewOf(hostile)],
  ])("%s", (_, view) => {
    const text = sweepText(view, "text", NO_PAINT);
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(110);
    expect(text).toMatchSnapshot();
    const [md, csv, latex] = (["md", "csv", "latex"] as const).map((format) => sweepText(view, format, NO_PAINT));
    expect([md, csv, latex].join("\n")).toMatchSnapshot("other forms");
    expect(JSON.parse(sweepText(view, "json", NO_PAINT))).toMatchSnapshot("JSON");
  });

  it("mark intervals of few runs on their page, too, and say what the mark means", () => {
    const ten = sweepRecord(sweepPlan(small.plan.axes, { replications: 10 }), (_, replication) =>
      doneRun({ nodeLocalSmall: replication === 3 ? null : replication / 10, responseP95: replication }),
    );
    for (const record of [small, ten]) expect(sweepPicture(sweepResults(record), "small")).toMatchSnapshot();
  });

  it("have a title and a head of its own for each measure that a sweep can keep", () => {
    // The large jobs are those of the last bin.
    const titled = MEASURES.filter(({ group, key }) => !["cost", "slowdown"].includes(group) && !key.endsWith("Large"));
    expect(new Set(titled.map(({ title }) => title)).size).toBe(titled.length);
    expect(titled.filter(({ title, label }) => title === label)).toEqual([]);
    expect(new Set(titled.map(columnTitle)).size).toBe(titled.length);
  });

  it("are of all measures that are kept, if few; else of the usual ones, or the first", () => {
    const all = MEASURES.map(({ key }) => key);
    const unusual = all.filter((key) => /Bin/.test(key));
    expect([usualMeasures(["kills", "jain"]), usualMeasures(all), usualMeasures(unusual)]).toMatchSnapshot();
  });
});

const timeout = "<minSharePreemptionTimeout>9</minSharePreemptionTimeout>";
const pool = (name: string, inside: string): string => `<pool name="${name}">${inside}</pool>`;

it.each([
  ["shipped allocations", readFileSync("scenarios/hadoop/fair-scheduler.xml", "utf8")],
  ["shipped capacities", readFileSync("scenarios/hadoop/capacity-scheduler.xml", "utf8")],
  ["allocations of nothing", "<allocations><userMaxJobsDefault>2</userMaxJobsDefault></allocations>"],
  ["idle timeouts", `<allocations>${pool("a", timeout)}${pool("b", "<minMaps>1</minMaps>")}</allocations>`],
  ["timeouts that count", `<allocations>${pool("a", `${timeout}<minReduces>1</minReduces>`)}</allocations>`],
])("A file of Hadoop explained: %s", (_, text) => {
  const file = join(mkdtempSync(join(tmpdir(), "bide-explained-")), "a.xml");
  writeFileSync(file, text);
  const read = readExplained(file);
  rmSync(dirname(file), { recursive: true });
  const report =
    read.form === "hadoop-pools"
      ? allocationsReport({ ...read, file: "a.xml" }, NO_PAINT)
      : read.form === "hadoop-queues"
        ? capacitiesReport({ ...read, file: "a.xml" }, NO_PAINT)
        : read.form;
  expect(report).toMatchSnapshot();
});
