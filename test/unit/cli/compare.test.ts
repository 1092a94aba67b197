import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENOUGH_RUNS } from "../../../dist/experiments/index.js";
import { unknownGroups } from "../../../dist/io/index.js";
import { compareSystems, planComparison, measureHere, runScenario } from "../../../dist/lab/index.js";
import { seedSeries } from "../../../dist/core/scenario/index.js";
import {
  comparisonCsv,
  comparisonMarkdown,
  comparisonReport,
  comparisonTables,
  NO_PAINT,
} from "../../../dist/report/index.js";
import { sampleRecord, sampleSummary } from "../results/sample-run.mjs";
import { ofHadoop } from "../../support/of-hadoop.js";

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "bide-compare-"));
});
afterAll(() => {
  rmSync(place, { recursive: true });
});

function plan(scheduler: string, changes: object = {}) {
  const file = join(place, "s.yaml");
  writeFileSync(file, `workload: {kind: benchmark}\n${scheduler}\nrun: {seed: 41}\n`);
  const kinds = ["fifo", "delay", "hfs"];
  return planComparison({
    file,
    set: [],
    seed: undefined,
    seeds: 2,
    kinds,
    systems: undefined,
    lenient: false,
    ...changes,
  });
}

const waits = (planned: ReturnType<typeof plan>) =>
  planned.systems.map(({ scenario }) => ofHadoop(scenario).scheduler.wait);

describe("the plan of a comparison", () => {
  it("keeps the file's wait for the file's own kind and gives the others their defaults", () => {
    expect(waits(plan("scheduler: {kind: hfs, wait: {node: 1s, rack: 2s}}"))).toEqual([
      { kind: "none" },
      { kind: "skips", node: 270, rack: 30 },
      { kind: "time", nodeUs: 1_000_000, rackUs: 2_000_000 },
    ]);
    expect(waits(plan("scheduler: {kind: fifo, wait: {node: 1s, rack: 2s}}"))[0]).toMatchObject({ nodeUs: 1_000_000 });
  });

  it("takes waits of --set for the file's own kind, whatever kind --set makes that", () => {
    const planned = plan("scheduler: hfs", { set: ["scheduler=delay", "scheduler.wait.nodeSkips=9"] });
    expect(waits(planned)[1]).toEqual({ kind: "skips", node: 9, rack: 30 });
    expect(waits(planned)[2]).toEqual({ kind: "time", nodeUs: 10_000_000, rackUs: 5_000_000 });
  });

  it("differs in nothing but the scheduler", () => {
    const [first, ...others] = plan(
      "scheduler: {kind: hfs, tasksPerHeartbeat: 1, pools: [{name: p, weight: 3}]}",
    ).systems.map(({ scenario }) => ofHadoop(scenario));
    for (const other of others) {
      expect({ ...other, scheduler: null }).toEqual({ ...first, scheduler: null });
      expect(other.scheduler.tasksPerHeartbeat).toBe(1);
      expect(other.scheduler.allocations).toEqual(first.scheduler.allocations);
    }
  });

  it("starts with the seed that bide run would use", () => {
    expect(plan("").seeds).toEqual(["41", "42"]);
    expect(plan("", { seed: "x" }).seeds).toEqual(["x", "x.2"]);
  });

  it("compares what the file says, each point with its own baseline and private cluster", () => {
    const section = `compare:
  seeds: 3
  baseline: b
  private: c
  vary: {cluster.mapSlots: [1, 2]}
  systems: [{name: a}, {name: b, set: {scheduler: fair}}, {name: c, set: {scheduler: fifo}}]`;
    const planned = plan(section, { kinds: undefined, seeds: undefined });
    expect(planned.seeds).toEqual(["41", "42", "43"]);
    expect(planned.systems.map(({ name, baseline, alone }) => [name, baseline, alone])).toEqual([
      ...[
        ["a mapSlots=1", 1, 2],
        ["b mapSlots=1", null, 2],
        ["c mapSlots=1", 1, 2],
      ],
      ...[
        ["a mapSlots=2", 4, 5],
        ["b mapSlots=2", null, 5],
        ["c mapSlots=2", 4, 5],
      ],
    ]);
    const some = plan(section, { kinds: undefined, seeds: 1, systems: ["a", "b mapSlots=2"] });
    expect(some.systems.map(({ name, baseline, alone }) => [name, baseline, alone])).toEqual([
      ["a mapSlots=1", null, null],
      ["a mapSlots=2", 2, null],
      ["b mapSlots=2", null, null],
    ]);
    const unknown = () => plan(section, { kinds: undefined, systems: ["b mapSlots=3"] });
    expect(unknown).toThrow('--systems: found "b mapSlots=3", allowed a, a mapSlots=1, b,');
    expect(plan(section).systems.map(({ name }) => name)).toEqual(["fifo", "delay", "hfs"]);
  });

  it("takes a private cluster where it sees one", () => {
    const section = "compare: {systems: [{name: a}, {name: alone, set: {scheduler: partition}}]}";
    expect(plan(section, { kinds: undefined }).systems.map(({ alone }) => alone)).toEqual([1, 1]);
  });

  it("has the file's own kind beside the paper's", () => {
    const planned = plan("scheduler: quincy", { kinds: undefined, seeds: undefined });
    expect(planned.systems.map(({ name }) => name)).toEqual(["fifo", "fair", "delay", "hfs", "quincy"]);
  });

  it("is the paper's schedulers where nobody says anything", () => {
    const planned = plan("", { kinds: undefined, seeds: undefined });
    expect(planned.systems.map(({ name, baseline }) => [name, baseline])).toEqual([
      ...[
        ["fifo", 1],
        ["fair", null],
        ["delay", 1],
        ["hfs", 1],
      ],
    ]);
    // As many as an interval needs.
    expect(planned.seeds).toEqual(Array.from({ length: ENOUGH_RUNS }, (_, i) => String(41 + i)));
  });

  it("knows bad input before anything runs", () => {
    expect(() => plan("scheduler: {kind: hsf}")).toThrow(/hfs/);
  });
});

describe("pools in a comparison", () => {
  const pools = (options: { measures?: string[]; set?: string[] } = {}) =>
    planComparison({
      file: "scenarios/production-pool.yaml",
      seed: undefined,
      seeds: 2,
      kinds: ["fair", "hfs"],
      systems: undefined,
      lenient: false,
      measures: options.measures ?? [],
      set: ["run.until=40m", ...(options.set ?? [])],
    });

  it("have measures with intervals and paired differences, and a table each", async () => {
    const found = await compareSystems(pools(), measureHere(runScenario, 0), {});
    expect([...(found.pools ?? [])].sort()).toEqual(["production", "research.logs", "research.models"]);
    const [fair, hfs] = found.systems;
    const key = "responseP95 of production";
    const { values, mean } = hfs!.measures[key]!;
    expect(values).toHaveLength(2);
    for (const value of values) expect(value).toBeGreaterThan(0);
    expect(hfs!.differences![key]!.mean).toBeCloseTo(mean! - fair!.measures[key]!.mean!, 6);
    expect(hfs!.measures["kills of research.models"]!.mean).toBeGreaterThan(0);
    const text = comparisonReport(found, NO_PAINT);
    for (const pool of found.pools ?? []) expect(text).toContain(`\nPool ${pool}\n`);
    expect(comparisonCsv(found)).toContain("\nhfs,,hfs,response-p95,responseP95 of production,seconds,");
  });

  it("that are asked for are shown alone, also outer ones and those of one pool", async () => {
    const measures = ["kills of research", "heldOfFairShare of production", "responseMean"];
    const found = await compareSystems(pools({ measures }), measureHere(runScenario, 0), {});
    expect(found.chosen).toEqual(measures);
    const hfs = found.systems[1]!.measures;
    expect(hfs["kills of research"]!.values).toEqual(
      [0, 1].map((i) => hfs["kills of research.logs"]!.values[i]! + hfs["kills of research.models"]!.values[i]!),
    );
    expect(comparisonTables(found).map(({ title, columns }) => [title, columns.length])).toEqual([
      ["Measures", 3],
      ["Differences to the baseline, seed by seed", 3],
    ]);
  });

  it("are refused where nobody was in them, with the one that was meant", async () => {
    const unknown = pools({ measures: ["responseP95 of prodution", "kills of production"] });
    await expect(compareSystems(unknown, measureHere(runScenario, 0), {})).rejects.toThrow(
      '--measures: no job was in the pool "prodution"; the pools are production, research, research.logs, ' +
        'research.models; did you mean "production"?',
    );
    expect(unknownGroups(["kills of root.adhoc"], { pool: ["adhoc", "etl"], user: [] })).toEqual([
      'no job was in the pool "root.adhoc"; the pools are adhoc, etl; did you mean "adhoc"?',
    ]);
    expect(() => pools({ measures: ["responsP95 of production"] })).toThrow(/found "responsP95".*mean "responseP95"/);
    expect(() => pools({ measures: ["jain of production"] })).toThrow(/found "jain", allowed/);
    expect(() => pools({ measures: ["responseP95 of "] })).toThrow(/found "responseP95 of "/);
    expect(() => pools({ measures: [""] })).toThrow('found ""');
    const hostile = pools({ measures: [`kills of ${"<script>\u001b[31m".repeat(900)}`] });
    const error = await compareSystems(hostile, measureHere(runScenario, 0), {}).catch((found: unknown) => found);
    expect((error as Error).message.length).toBeLessThan(300);
    expect((error as Error).message).not.toContain("\u001b");
  });

  it("have no kills, rather than 0 of them, where nobody can kill", async () => {
    const off = pools({ set: ["scheduler.preemption=off", "run.until=15m"] });
    const { systems } = await compareSystems(off, measureHere(runScenario, 0), {});
    for (const { measures } of systems) expect(measures["kills of research.logs"]!.values).toEqual([null, null]);
  });

  it("with names of any kind are harmless in Markdown, and are asked for by those names", async () => {
    const jobs = ["<b>|*x*", "a of b"].map((pool, i) => `{name: j${String(i)}, maps: 2, mapTime: 9s, pool: "${pool}"}`);
    const found = await compareSystems(
      pools({
        set: [`workload={kind: jobs, jobs: [${jobs.join(", ")}]}`, "scheduler.pools={}"],
        measures: ["responseP50 of a of b", "responseP50 of <b>|*x*"],
      }),
      measureHere(runScenario, 0),
      {},
    );
    const [{ measures }] = found.systems;
    for (const key of found.chosen ?? []) expect(measures[key]!.mean).toBeGreaterThan(0);
    const { chosen: _, ...usual } = found;
    const text = comparisonMarkdown(usual);
    expect(text).toContain("### Pool a of b");
    expect(text).toContain("### Pool \\<b>\\|\\*x\\*");
    expect(text).not.toMatch(/[^\\]<b>/);
    expect(comparisonReport(usual, NO_PAINT)).toContain("Pool <b>|*x*");
  });

  it("have users with tables of their own, where those are not simply the pools", async () => {
    const plan = (...set: string[]) =>
      planComparison({
        file: "scenarios/capacity.yaml",
        seed: undefined,
        seeds: 1,
        kinds: ["capacity", "fifo"],
        set,
        systems: undefined,
        lenient: false,
        measures: [],
      });
    const found = await compareSystems(plan(), measureHere(runScenario, 0), {});
    expect(found.users).toEqual(["rita", "wilma", "adam", "anne", "wim"]);
    for (const { measures } of found.systems) expect(measures["responseP50 of user wim"]!.mean).toBeGreaterThan(0);
    expect(found.systems[0]!.measures["belowPromise of user wim"]).toBeUndefined();
    expect(comparisonReport(found, NO_PAINT)).toMatch(/\nUser wim\n +response p50, s .*\ncapacity /);
    expect(comparisonCsv(found)).toContain("capacity,,capacity,response-p95,responseP95 of user wim,seconds,");
    const { users, pools: queues } = await compareSystems(
      plan(
        "workload={kind: jobs, jobs: [{maps: 9, mapTime: 9s, user: a, pool: web}, {maps: 9, mapTime: 9s, user: b, pool: ads}]}",
      ),
      measureHere(runScenario, 0),
      {},
    );
    expect(queues).toHaveLength(2);
    expect(users).toBeUndefined();
  });

  it("are left out where a name is another job with each seed, and compared within one seed", async () => {
    const kinds = ["fifo", "fair"];
    const found = await compareSystems(plan("", { kinds }), measureHere(runScenario, 0), {});
    expect(found.pools).toBeUndefined();
    expect(found.users).toBeUndefined();
    expect(Object.keys(found.systems[0]!.measures).filter((key) => key.includes(" of "))).toEqual([]);
    expect(found.notes.join("\n")).toContain("the pool of a name is another job with each seed");
    for (const text of [comparisonReport(found, NO_PAINT), comparisonMarkdown(found), comparisonCsv(found)]) {
      expect(text).not.toMatch(/job0\d\d/);
    }
    const measures = ["responseP95 of job050", "responseP95 of user job050"];
    expect(() => plan("", { kinds, measures })).toThrow(/"job050" is another job with each seed.*--seeds 1/s);
    const one = await compareSystems(plan("", { kinds, seeds: 1, measures }), measureHere(runScenario, 0), {});
    expect(one.pools).toHaveLength(20);
    expect(one.systems[0]!.measures["responseP95 of job050"]!.mean).toBeGreaterThan(0);
    // What the scenario says itself is the same with each seed.
    const named = await compareSystems(
      plan("", {
        kinds,
        set: [
          "workload={kind: jobs, jobs: [{maps: 1, mapTime: 9s, pool: job001}, {maps: 2, mapTime: 9s, pool: job002}]}",
        ],
      }),
      measureHere(runScenario, 0),
      {},
    );
    expect(named.pools).toEqual(["job002", "job001"]);
  });

  it("are in no table of a comparison with one pool", async () => {
    const found = await compareSystems(
      pools({ set: ["workload={kind: jobs, jobs: [{maps: 9, mapTime: 9s, pool: one}]}"] }),
      measureHere(runScenario, 0),
      {},
    );
    expect(found.pools).toBeUndefined();
    expect(found.chosen).toBeUndefined();
    expect(Object.keys(found.systems[0]!.measures).filter((key) => key.includes(" of "))).toEqual([]);
  });
});

describe("seeds", () => {
  it("count on from a whole number, and are numbered otherwise", () => {
    expect(seedSeries("9", 3)).toEqual(["9", "10", "11"]);
    expect(seedSeries("day", 3)).toEqual(["day", "day.2", "day.3"]);
    expect(seedSeries("007", 2)).toEqual(["007", "007.2"]);
    expect(seedSeries("99999999999999999999", 2)).toEqual(["99999999999999999999", "99999999999999999999.2"]);
  });
});

describe("a comparison", () => {
  const fingerprintOf = (kind: string, seed: string) => `${kind}/${seed}`;
  const run = async (scenario: { scheduler: { kind: string }; run: { seed: string } }) => {
    const response = scenario.scheduler.kind === "fifo" ? 2 : 1;
    const record = sampleRecord();
    record.jobs.endAtUs[1] = record.jobs.submitAtUs[1] + (response + Number(scenario.run.seed)) * 1e6;
    return {
      summary: sampleSummary({ fingerprint: fingerprintOf(scenario.scheduler.kind, scenario.run.seed) }),
      record,
    };
  };

  it("gives every scheduler the same seeds and keeps what each of them gave", async () => {
    const planned = plan("scheduler: hfs");
    const comparison = await compareSystems(planned, measureHere(run as never, 0), {});
    expect(comparison.systems.map(({ fingerprints }) => fingerprints)).toEqual(
      ["fifo", "delay", "hfs"].map((kind) => ["41", "42"].map((seed) => fingerprintOf(kind, seed))),
    );
    expect(comparison.systems[0].measures.responseP95Small).toMatchObject({ mean: 43.5, values: [43, 44] });
    expect(comparison.systems[2].measures.responseP95Small).toMatchObject({ mean: 42.5, values: [42, 43] });
  });

  it("takes differences to the baseline and slowdowns seed by seed", async () => {
    const systems = "[{name: base, set: {scheduler: delay}}, {name: alone, set: {scheduler: fifo}}]";
    const planned = plan(`compare: {private: alone, systems: ${systems}}`, { kinds: undefined });
    const [base, alone] = (await compareSystems(planned, measureHere(run as never, 0), {})).systems;
    expect([base!.differences, alone!.baseline]).toEqual([null, "base"]);
    expect(alone!.differences!.responseP95Small).toMatchObject({ mean: 1, step: 3, values: [1, 1] });
    // Two seeds agree; the grid of heartbeats every 3 s leaves them a standard deviation of 1.5 s all the same.
    expect(alone!.differences!.responseP95Small!.halfWidth).toBeCloseTo((12.7062047 * 1.5) / Math.SQRT2, 5);
    const [first, second] = base!.measures.slowdownMean!.values as number[];
    expect(first).toBeCloseTo((1 + 42 / 43 + 1) / 3, 12);
    expect(second).toBeCloseTo((1 + 43 / 44 + 1) / 3, 12);
    expect(alone!.measures.slowdownMean!.values).toEqual([1, 1]);
    const [gained] = alone!.measures.gainMean!.values as number[];
    expect(gained).toBeCloseTo((1 + 42 / 43 + 1) / 3, 12);
    expect(base!.measures.gainMean!.values).toEqual([1, 1]);
    expect(alone!.differences!.gainMean!.values[0]).toBeCloseTo(gained - 1, 12);
  });

  it("has no value where a system has no notion of what is counted, in place of a 0", async () => {
    const systems =
      "[{name: none, set: {scheduler: fair}}, {name: kills, set: {scheduler: {kind: hfs, preemption: kill}}}]";
    const planned = plan(`compare: {systems: ${systems}}`, { kinds: undefined });
    const found = await compareSystems(planned, measureHere(run as never, 0), {});
    const valuesOf = (key: string) => found.systems.map(({ measures }) => measures[key]!.values);
    expect(valuesOf("kills")).toEqual([
      [null, null],
      [0, 0],
    ]);
    expect(valuesOf("replicasAdded")).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(valuesOf("failedAttempts")).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it("stops between runs with the signal's reason", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    let runs = 0;
    const once = async (scenario: never) => {
      runs++;
      controller.abort(reason);
      return run(scenario);
    };
    const options = { signal: controller.signal };
    await expect(compareSystems(plan(""), measureHere(once as never, 0), options)).rejects.toBe(reason);
    expect(runs).toBe(1);
  });
});
