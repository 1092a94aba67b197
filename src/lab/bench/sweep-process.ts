import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunOutcome } from "../../experiments/index.js";
import { parseSweep, SweepFolder } from "../../io/index.js";
import { planSweep } from "../sweep/planned-sweep.js";
import { RunPool } from "../sweep/run-executor.js";
import { sweepInto } from "../sweep/run-sweep.js";
import type { RunTask } from "../sweep/run-task.js";
import { answerTask, costOfProcess, type ProcessCost } from "./own-process.js";

/** The process of one sweep. */

export interface Sweep {
  readonly threads: number;
  /** Runs for threads; or a sweep file, of which everything is done that `bide sweep` does. */
  readonly work: { readonly tasks: readonly RunTask[] } | { readonly text: string; readonly file: string };
}

export interface SweepFigures {
  readonly results: readonly SweepResult[];
  readonly process: ProcessCost;
}

interface SweepResult {
  readonly fingerprint: string;
  readonly tasks: number;
  /** On its thread. */
  readonly wallSeconds: number;
}

async function swept({ threads, work }: Sweep): Promise<SweepFigures> {
  const pool = new RunPool(threads);
  try {
    const runs = "tasks" in work ? await allOf(work.tasks, pool) : await fileSwept(work.text, work.file, pool);
    return { results: runs.map(resultOf), process: costOfProcess() };
  } finally {
    await pool.close();
  }
}

async function allOf(tasks: readonly RunTask[], pool: RunPool): Promise<RunOutcome[]> {
  return Promise.all(tasks.map(async (task) => pool.run(task)));
}

/** A sweep with its folder: checks, plan, journal and tables. The folder is removed. */
async function fileSwept(text: string, file: string, pool: RunPool): Promise<RunOutcome[]> {
  const loaded = parseSweep(text, file);
  const planned = planSweep(loaded, []);
  const parent = mkdtempSync(join(tmpdir(), "bide-bench-"));
  try {
    const path = join(parent, "sweep");
    const request = { path, chosen: true, resume: false, force: false, text, stored: planned.stored };
    const folder = SweepFolder.open(request);
    try {
      const { record } = await sweepInto(folder, planned, pool, {});
      return record.rows.map(({ run }) => run);
    } finally {
      folder.close();
    }
  } finally {
    rmSync(parent, { recursive: true });
  }
}

function resultOf(run: RunOutcome): SweepResult {
  if (run.outcome === "failed") throw new Error(run.error);
  const { fingerprint, counts, cost } = run;
  return { fingerprint, tasks: counts["mapsEnded"] + counts["reducesEnded"], wallSeconds: cost.wallSeconds };
}

answerTask(swept);
