import { loadScenario, parseScenario } from "../../io/scenario/load.js";
import { runScenario } from "../run-scenario.js";
import type { WholeRunFigures, WholeRunTask } from "./whole-run-task.js";

/** The process of one measured run: is sent a task, answers with figures, and ends; also when nobody listens any more. */

const abandoned = new AbortController();

async function measured({ file, text, set, placement }: WholeRunTask): Promise<WholeRunFigures> {
  const { scenario, directory } = text === null ? loadScenario(file, { set }) : parseScenario(text, file, { set });
  const { summary, record } = await runScenario(scenario, directory, {
    placement,
    recordTasks: false,
    signal: abandoned.signal,
  });
  const { fingerprint, tasks, heartbeats, cluster, cost } = summary;
  const cpu = process.cpuUsage();
  return {
    fingerprint,
    tasks: tasks.maps.ended + tasks.reduces.ended,
    heartbeats,
    activeJobs: mean(record.samples.activeJobs),
    pendingMaps: mean(record.samples.pendingMaps),
    nodes: cluster.nodes,
    mapSlots: cluster.mapSlots,
    placed: cost.placement,
    process: {
      wallSeconds: performance.now() / 1000,
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
      peakMemoryMiB: process.resourceUsage().maxRSS / 1024,
    },
    simulation: { wallSeconds: cost.wallSeconds, cpuSeconds: cost.cpuSeconds },
  };
}

function mean(values: Int32Array): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

process.once("disconnect", () => {
  abandoned.abort(new Error("nobody listens any more"));
});
process.once("message", (task) => {
  // What is rejected ends the process, with its trace on stderr.
  void measured(task as WholeRunTask).then((figures) => {
    process.send?.(figures);
    process.disconnect();
  });
});
