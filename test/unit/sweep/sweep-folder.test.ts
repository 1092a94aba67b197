import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBConnection } from "@duckdb/node-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SweepPlan } from "../../../dist/experiments/index.js";
import { readSweepFolder, SweepFolder, type SweepFolderRequest } from "../../../dist/io/index.js";
import { doneRun, failedRun, smallPlan, storedPlan } from "../../support/small-sweeps.js";

/** The table has the message alone: the stack says where Bide lies. */
const ERROR = "no such thing\n    at f (file:///somewhere/f.js:1:2)\n    at g (file:///somewhere/g.js:3:4)";

let parent: string;
let path: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "bide-sweep-"));
  path = join(parent, "s");
});
afterEach(() => {
  rmSync(parent, { recursive: true });
});

function open(plan: SweepPlan, rest: Partial<SweepFolderRequest> = {}): SweepFolder {
  const usual = { path, resume: false, force: false, text: "axes: {}\n", stored: storedPlan(plan) };
  return SweepFolder.open({ ...usual, ...rest });
}

async function fill(folder: SweepFolder, plan: SweepPlan, order: readonly number[], wallSeconds = 1): Promise<void> {
  const { keys } = storedPlan(plan);
  for (const at of order) {
    const point = Math.floor(at / plan.replications);
    const replication = at % plan.replications;
    const key = keys[point][replication];
    // A measure may be -0, which JSON cannot say.
    const run = at === 1 ? failedRun(ERROR) : doneRun(key, wallSeconds, at === 2 ? -0 : null);
    await folder.record({ key, point, replication, seed: plan.seeds[replication], run });
  }
}

describe("a folder of a sweep", () => {
  const plan = smallPlan(2, 2);

  it("holds what was recorded, unfinished or finished, by point and replication", async () => {
    const folder = open(plan);
    await fill(folder, plan, [3, 0]);
    expect(readSweepFolder(path).rows.map(({ point, replication }) => [point, replication])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    await fill(folder, plan, [1, 2]);
    expect(await folder.finish()).toBeNull();
    folder.close();
    const { plan: held, rows } = readSweepFolder(path);
    expect(held).toEqual(plan);
    expect(rows).toHaveLength(4);
    expect(rows[1].run).toEqual(failedRun(ERROR));
    expect(readdirSync(path).sort()).toEqual(
      [
        ".bide-folder",
        "README.txt",
        "costs.parquet",
        "journal.jsonl",
        "plan.json",
        "runs.parquet",
        "sweep.yaml",
      ].sort(),
    );
    expect(readFileSync(join(path, "sweep.yaml"), "utf8")).toBe("axes: {}\n");
  });

  it("has equal tables and plans however it came about; what differs is in costs", async () => {
    const once = open(plan);
    await fill(once, plan, [0, 1, 2, 3]);
    await once.finish();
    once.close();
    const other = join(parent, "other");
    await fill(open(plan, { path: other }), plan, [3, 2], 7);
    rmSync(join(other, "lock.json"));
    const resumed = open(plan, { path: other, resume: true });
    await fill(resumed, plan, [1, 0], 9);
    await resumed.finish();
    resumed.close();
    for (const name of ["runs.parquet", "plan.json", "README.txt"]) {
      expect(readFileSync(join(path, name)).equals(readFileSync(join(other, name))), name).toBe(true);
    }
    expect(readFileSync(join(path, "costs.parquet")).equals(readFileSync(join(other, "costs.parquet")))).toBe(false);
  });

  it("tells axes, outcomes, counts and measures in runs.parquet", async () => {
    const folder = open(plan);
    await fill(folder, plan, [0, 1, 2, 3]);
    await folder.finish();
    folder.close();
    const connection = await DuckDBConnection.create();
    const reader = await connection.runAndReadAll(`FROM '${join(path, "runs.parquet")}'`);
    const rows = reader.getRowObjects();
    connection.closeSync();
    const { keys } = storedPlan(plan);
    const number = parseInt(keys[1][0].slice(0, 6), 16);
    expect(rows[2]).toEqual({
      point: 1,
      replication: 0,
      seed: "1",
      key: keys[1][0],
      W: "1s",
      W_seconds: 1,
      outcome: "done",
      error: null,
      fingerprint: keys[1][0].slice(0, 16),
      stopped: "all-jobs-ended",
      virtual_seconds: number / 7,
      warm_up_seconds: 0,
      jobs_submitted: 2n,
      jobs_ended: 2n,
      maps_ended: BigInt(number),
      reduces_ended: 0n,
      kills: 0n,
      heartbeats: 12n,
      notes: "é \n line",
      responseMean: number / 3,
      jain: 0,
    });
    expect(rows[1]).toMatchObject({ outcome: "failed", error: "no such thing", fingerprint: null, responseMean: null });
  });

  it("is refused where there is one, unless it is to be resumed or begun anew", async () => {
    const folder = open(plan);
    await fill(folder, plan, [0]);
    expect(() => open(plan)).toThrow(/there already; --resume goes on/);
    expect(() => open(plan, { resume: true })).toThrow(/process \d+ is writing/);
    folder.close();
    const resumed = open(plan, { resume: true });
    expect(resumed.contents().rows).toHaveLength(1);
    resumed.close();
    const anew = open(plan, { force: true });
    expect(anew.contents().rows).toHaveLength(0);
    anew.close();
  });

  it("is resumed only with its own plan, or told what differs; with force it keeps what both have", async () => {
    const folder = open(plan);
    await fill(folder, plan, [0, 1, 2, 3]);
    await folder.finish();
    folder.close();
    const wider = smallPlan(3, 2);
    expect(() => open(wider, { resume: true })).toThrow(/holds another sweep: axes .*other points \(2, now 3\)/s);
    const otherCode = { ...storedPlan(plan), code: "d" };
    expect(() => open(plan, { resume: true, stored: otherCode })).toThrow(/the code of Bide has changed/);
    const [keys, ...more] = storedPlan(plan).keys;
    const otherScenario = { ...storedPlan(plan), keys: [keys, ...more.map((own) => own.map(() => "f".repeat(32)))] };
    expect(() => open(plan, { resume: true, stored: otherScenario })).toThrow(/at 1 of 2 points, first W=1s/);
    const widened = open(wider, { resume: true, force: true });
    expect(widened.contents().rows).toHaveLength(4);
    await fill(widened, wider, [4]);
    expect(existsSync(join(path, "runs.parquet"))).toBe(false);
    widened.close();
    expect(readSweepFolder(path).plan).toEqual(wider);
  });

  it("takes over the lock of a process that is gone, and of none that may live", () => {
    open(plan).close();
    const lock = join(path, "lock.json");
    const write = (holder: object): void => {
      writeFileSync(lock, JSON.stringify(holder));
    };
    // Process 1 lives, but was not started at this time; nobody has the last number.
    for (const holder of [
      { host: hostname(), pid: 1, started: "never" },
      { host: hostname(), pid: 2 ** 22 + 1, started: "5" },
    ]) {
      write(holder);
      open(plan, { resume: true }).close();
      expect(existsSync(lock)).toBe(false);
    }
    write({ host: "another", pid: 1, started: "5" });
    expect(() => open(plan, { resume: true })).toThrow(
      /process 1 on another is writing into the folder; if that process has ended, remove/,
    );
    expect(existsSync(lock)).toBe(true);
  });
});
