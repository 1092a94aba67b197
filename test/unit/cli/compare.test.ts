import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planComparison } from "../../../dist/lab/compare-plan.js";
import { compareSystems } from "../../../dist/lab/compare.js";
import { measureHere } from "../../../dist/lab/measure-run.js";
import { seedSeries } from "../../../dist/lab/seeds.js";
import { sampleRecord, sampleSummary } from "../results/sample-run.mjs";

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

const waits = (planned: ReturnType<typeof plan>) => planned.systems.map(({ scenario }) => scenario.scheduler.wait);

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
    ).systems.map(({ scenario }) => scenario);
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

  it("knows bad input before anything runs", () => {
    expect(() => plan("scheduler: {kind: hsf}")).toThrow(/hfs/);
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
    const comparison = await compareSystems(planned, measureHere(run as never, 0), { atOnce: 1 });
    expect(comparison.systems.map(({ fingerprints }) => fingerprints)).toEqual(
      ["fifo", "delay", "hfs"].map((kind) => ["41", "42"].map((seed) => fingerprintOf(kind, seed))),
    );
    expect(comparison.systems[0].measures.responseP95Small).toMatchObject({ mean: 43.5, values: [43, 44] });
    expect(comparison.systems[2].measures.responseP95Small).toMatchObject({ mean: 42.5, values: [42, 43] });
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
    const options = { atOnce: 1, signal: controller.signal };
    await expect(compareSystems(plan(""), measureHere(once as never, 0), options)).rejects.toBe(reason);
    expect(runs).toBe(1);
  });
});
