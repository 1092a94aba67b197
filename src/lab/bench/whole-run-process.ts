import { sumOver } from "../../core/kernel/index.js";
import { answerTask, costOfProcess, type CpuSeconds, cpuSeconds } from "./own-process.js";
import type { RunParts, WholeRunFigures, WholeRunTask } from "./simulated.js";

/**
 * The process of one simulation. The simulator is loaded when there is a task, so that the start of Node is measured
 * apart.
 */

const started = cpuSeconds();

async function measured(task: WholeRunTask, signal: AbortSignal): Promise<WholeRunFigures> {
  const { file, text, set, placement } = task;
  const { loadScenario, parseScenario } = await import("../../io/scenario/load.js");
  const { runScenario } = await import("../run-scenario.js");
  const loaded = cpuSeconds();
  const { scenario, directory } = text === null ? loadScenario(file, { set }) : parseScenario(text, file, { set });
  const read = cpuSeconds();
  const run = async () => {
    const marks: CpuSeconds[] = [];
    const onStage = () => {
      marks.push(cpuSeconds());
    };
    const result = await runScenario(scenario, directory, { placement, recordTasks: false, signal, onStage });
    onStage();
    const [made, simulated, ended] = marks;
    return { result, made, simulated, ended };
  };
  const first = await run();
  const { summary, record } = first.result;
  const { fingerprint, tasks, heartbeats = 0, cost } = summary;
  const { heartbeatsProcessed: processed = 0 } = cost;
  const figures = {
    fingerprint,
    tasks: sumOver(Object.values(tasks), ({ ended }) => ended),
    heartbeats: { processed, implied: Math.max(0, heartbeats - processed) },
    activeJobs: mean(record.samples.activeJobs),
    pendingMaps: mean(record.samples.pending[0]),
    threads: cost.threads,
    process: costOfProcess(),
    simulation: { wallSeconds: cost.wallSeconds, cpuSeconds: cost.cpuSeconds },
  };
  if (!task.inParts) return { ...figures, parts: null };
  const again = [await run(), await run()];
  for (const { result } of again) {
    if (result.summary.fingerprint !== fingerprint) throw new Error(`a later run gave ${result.summary.fingerprint}`);
  }
  const warmSeconds = Math.min(...again.map(({ made, simulated }) => between(made, simulated)));
  const { process: processEnded, thread: threadEnded } = first.ended;
  const parts: RunParts = {
    nodeSeconds: started.thread ?? started.process,
    modulesSeconds: between(started, loaded),
    scenarioSeconds: between(loaded, read),
    workloadSeconds: between(read, first.made),
    warmSeconds,
    firstExtraSeconds: between(first.made, first.simulated) - warmSeconds,
    summarySeconds: between(first.simulated, first.ended),
    otherThreadsSeconds: threadEnded === null ? null : processEnded - threadEnded,
  };
  return { ...figures, parts };
}

/** CPU time of this thread, if it is known. */
function between(from: CpuSeconds, to: CpuSeconds): number {
  return from.thread === null || to.thread === null ? to.process - from.process : to.thread - from.thread;
}

function mean(values: Int32Array): number {
  return values.length === 0 ? 0 : sumOver(values) / values.length;
}

answerTask(measured);
