import { beforeAll, describe, expect, it } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

const SECOND = 1_000_000;
const SEEDS = ["1", "2", "3", "4", "5", "6", "7", "8"];

/** Means over the jobs of a run: seconds, and shares. */
interface Shown {
  readonly response: number;
  /** What a map waited for locality. */
  readonly wait: number;
  /** The same, of jobs with at most 20 maps. */
  readonly waitSmall: number;
  /** Maps that ran node-local, over all maps, and in the jobs with at most 20. */
  readonly local: number;
  readonly localSmall: number;
  readonly extraMean: number;
  readonly extraMax: number;
  readonly added: number;
  readonly removed: number;
}

async function run(seed: string, replication: string): Promise<Shown> {
  const set = [`storage.dynamicReplication=${replication}`];
  const { scenario, directory } = loadScenario("scenarios/dsbra.yaml", { seed, set });
  const { record, summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  expect(summary.jobs.unfinished).toBe(0);
  const { submitAtUs, endAtUs, waitClockUs } = record.jobs;
  const [maps] = record.jobs.tasks;
  const [nodeLocalMaps] = record.jobs.launchedAt;
  const rows = Array.from(maps.keys());
  const small = rows.filter((row) => maps[row] <= 20);
  const mean = (of: readonly number[], value: (row: number) => number): number =>
    of.reduce((sum, row) => sum + value(row), 0) / of.length;
  const share = (of: readonly number[]): number =>
    of.reduce((sum, row) => sum + nodeLocalMaps[row], 0) / of.reduce((sum, row) => sum + maps[row], 0);
  const waited = (row: number): number => waitClockUs[row] / maps[row] / SECOND;
  const { storage } = summary;
  return {
    response: mean(rows, (row) => (endAtUs[row] - submitAtUs[row]) / SECOND),
    wait: mean(rows, waited),
    waitSmall: mean(small, waited),
    local: share(rows),
    localSmall: share(small),
    extraMean: storage?.meanExtra ?? 0,
    extraMax: storage?.maxExtra ?? 0,
    added: storage?.replicasAdded ?? 0,
    removed: storage?.replicasRemoved ?? 0,
  };
}

/** Means over the seeds. */
async function shown(replication: string): Promise<Shown> {
  const runs: Shown[] = [];
  for (const seed of SEEDS) runs.push(await run(seed, replication));
  const keys = Object.keys(runs[0]) as (keyof Shown)[];
  const means = keys.map((key) => [key, runs.reduce((sum, one) => sum + one[key], 0) / runs.length]);
  return Object.fromEntries(means) as Shown;
}

describe("DSBRA beside delay scheduling with two fixed replicas", () => {
  let fixed: Shown;
  let dsbra: Shown;
  const change = (key: keyof Shown): number => dsbra[key] / fixed[key] - 1;
  /** The published change, halved and doubled. */
  const expectNear = (found: number, published: number): void => {
    expect(found / published).toBeGreaterThan(0.5);
    expect(found / published).toBeLessThan(2);
  };

  beforeAll(async () => {
    fixed = await shown("off");
    dsbra = await shown("dsbra");
  }, 180_000);

  it("jobs respond sooner (published: 13 %)", () => {
    expectNear(change("response"), -0.13);
  });

  it("more maps run where their block is (published: 7 % in all, 8 % in the smallest class)", () => {
    expectNear(change("local"), 0.07);
    expectNear(change("localSmall"), 0.08);
  });

  it("maps wait less for locality (published: 17 % in all, 25 % in the class of 1 to 20 maps)", () => {
    expectNear(change("wait"), -0.17);
    expectNear(change("waitSmall"), -0.25);
  });

  it("disks hold more at most (published: 27 %); on average less than half of the published 22 %", () => {
    expectNear(dsbra.extraMax, 0.27);
    expect(dsbra.extraMean).toBeGreaterThan(0.22 / 3);
    expect(dsbra.extraMean).toBeLessThan(0.22);
  });

  it("about as many replicas go as come (published: as many, so that storage stays constant)", () => {
    expect(dsbra.removed / dsbra.added).toBeGreaterThan(0.7);
  });

  it("hot-spot replication makes jobs more local too, and its replicas are gone in the end", async () => {
    const hot = await shown("hotSpots");
    expect(hot.localSmall - fixed.localSmall).toBeGreaterThan(0.05);
    expect(hot.local - fixed.local).toBeGreaterThan(0.03);
    expect(hot.response / fixed.response).toBeLessThan(0.92);
    expect(hot.removed / hot.added).toBeGreaterThan(0.9);
  });
});
