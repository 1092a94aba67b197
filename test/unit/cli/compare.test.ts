import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../../../dist/io/index.js";
import { compareSystems, planComparison, measureHere, runScenario } from "../../../dist/lab/index.js";
import { seedSeries } from "../../../dist/core/scenario/index.js";
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
    expect(() => plan(section, { kinds: undefined, systems: ["b mapSlots=3"] })).toThrow(InputError);
    expect(plan(section).systems.map(({ name }) => name)).toEqual(["fifo", "delay", "hfs"]);
  });

  it("takes a private cluster where it sees one", () => {
    const section = "compare: {systems: [{name: a}, {name: alone, set: {scheduler: partition}}]}";
    expect(plan(section, { kinds: undefined }).systems.map(({ alone }) => alone)).toEqual([1, 1]);
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
  });

  it("are left out where a name is another job with each seed, and compared within one seed", async () => {
    const kinds = ["fifo", "fair"];
    const found = await compareSystems(plan("", { kinds }), measureHere(runScenario, 0), {});
    expect(found.pools).toBeUndefined();
    expect(found.users).toBeUndefined();
    expect(Object.keys(found.systems[0]!.measures).filter((key) => key.includes(" of "))).toEqual([]);
    const measures = ["responseP95 of job050", "responseP95 of user job050"];
    expect(() => plan("", { kinds, measures })).toThrow(InputError);
    const one = await compareSystems(plan("", { kinds, seeds: 1, measures }), measureHere(runScenario, 0), {});
    expect(one.pools).toHaveLength(20);
    expect(one.systems[0]!.measures["responseP95 of job050"]!.mean).toBeGreaterThan(0);
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
    expect(valuesOf("failedAttempts")).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});
