import type { RunOutcome } from "../../experiments/sweep/sweep-record.js";
import { RunPool } from "../sweep/run-executor.js";
import type { RunTask } from "../sweep/run-task.js";
import { answerTask, costOfProcess, type ProcessCost } from "./own-process.js";

/** The process of one sweep. */

export interface Sweep {
  readonly threads: number;
  readonly tasks: readonly RunTask[];
}

export interface SweepFigures {
  readonly results: readonly SweepResult[];
  readonly process: ProcessCost;
}

export interface SweepResult {
  readonly fingerprint: string;
  readonly tasks: number;
}

async function swept({ threads, tasks }: Sweep): Promise<SweepFigures> {
  const pool = new RunPool(threads);
  try {
    const results = (await Promise.all(tasks.map(async (task) => pool.run(task)))).map(resultOf);
    return { results, process: costOfProcess() };
  } finally {
    await pool.close();
  }
}

function resultOf(run: RunOutcome): SweepResult {
  if (run.outcome === "failed") throw new Error(run.error);
  const { fingerprint, counts } = run;
  return { fingerprint, tasks: counts.mapsEnded + counts.reducesEnded };
}

answerTask(swept);
