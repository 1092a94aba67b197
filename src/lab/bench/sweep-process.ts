import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { answerTask, costOfProcess, type ProcessCost } from "./answer-task.js";
import type { SweepResult, SweepTask } from "./sweep-task.js";

/** The process of one sweep. */

export interface Sweep {
  readonly threads: number;
  readonly tasks: readonly SweepTask[];
}

export interface SweepFigures {
  readonly results: readonly SweepResult[];
  readonly process: ProcessCost;
}

async function swept({ threads, tasks }: Sweep): Promise<SweepFigures> {
  const filename = fileURLToPath(new URL("./sweep-task.js", import.meta.url));
  const pool = new Piscina({ filename, minThreads: threads, maxThreads: threads, concurrentTasksPerWorker: 1 });
  try {
    const results = (await Promise.all(
      tasks.map((task) => pool.run(task) as Promise<SweepResult>),
    )) satisfies SweepResult[];
    return { results, process: costOfProcess() };
  } finally {
    await pool.destroy();
  }
}

answerTask(swept);
