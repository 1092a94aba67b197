import { loadScenario, parseScenario } from "../../io/scenario/load.js";
import { runScenario } from "../run-scenario.js";
import { answerTask, costOfProcess } from "./own-process.js";
import type { WholeRunFigures, WholeRunTask } from "./simulated.js";

/** The process of one simulation. */

async function measured(task: WholeRunTask, signal: AbortSignal): Promise<WholeRunFigures> {
  const { file, text, set, placement } = task;
  const { scenario, directory } = text === null ? loadScenario(file, { set }) : parseScenario(text, file, { set });
  const { summary, record } = await runScenario(scenario, directory, { placement, recordTasks: false, signal });
  const { fingerprint, tasks, heartbeats, cost } = summary;
  return {
    fingerprint,
    tasks: tasks.maps.ended + tasks.reduces.ended,
    heartbeats: { processed: cost.heartbeatsProcessed, implied: Math.max(0, heartbeats - cost.heartbeatsProcessed) },
    activeJobs: mean(record.samples.activeJobs),
    pendingMaps: mean(record.samples.pendingMaps),
    threads: cost.threads,
    process: costOfProcess(),
    simulation: { wallSeconds: cost.wallSeconds, cpuSeconds: cost.cpuSeconds },
  };
}

function mean(values: Int32Array): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

answerTask(measured);
