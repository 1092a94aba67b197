import type { CostSummary } from "../core/metrics/summary.js";
import { loadWorkload } from "../io/workloads/load.js";
import { collectRecord } from "./collect-record.js";
import { choosePlacement, slicesFor, type ChosenPlacement } from "./placement.js";
import type { RunScenario } from "./run.js";
import { simulate, type Simulation } from "./simulate.js";
import { summarise } from "./summarise.js";

export const runScenario: RunScenario = async (scenario, directory, options = {}) => {
  const workload = await loadWorkload(scenario, directory);
  const placement = await choosePlacement(options.placement ?? "auto", scenario, workload, options.signal);
  const startMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const run = await simulate(scenario, workload, {
    threads: placement.threads,
    recordTasks: options.recordTasks ?? false,
    slices: options.slices ?? slicesFor(placement.threads),
    onProgress: options.onProgress,
    signal: options.signal,
    sabotage: options.sabotage,
  });
  const cpu = process.cpuUsage(cpuBefore);
  const cost = costOf(run, placement, (performance.now() - startMs) / 1000, (cpu.user + cpu.system) / 1e6);
  return { summary: summarise(scenario, workload, run, cost), record: collectRecord(workload, run.master.master) };
};

function costOf(run: Simulation, placement: ChosenPlacement, wallSeconds: number, cpuSeconds: number): CostSummary {
  const { recorder } = run.master.master;
  const tasks = recorder.tasksEnded[0] + recorder.tasksEnded[1];
  return {
    placement: describePlacement(placement.threads, run.topology.racks),
    threads: placement.threads,
    placementReason: placement.reason,
    wallSeconds,
    cpuSeconds,
    tasksPerCpuSecond: cpuSeconds > 0 ? tasks / cpuSeconds : 0,
    peakMemoryMiB: process.resourceUsage().maxRSS / 1024,
    frames: run.master.frames,
    frameBytes: run.master.frameBytes,
  };
}

function describePlacement(threads: number, racks: number): string {
  if (threads === 0) return "inline";
  const count = threads === 1 ? "1 thread" : `${threads} threads`;
  return threads === racks ? `${count} (one per rack)` : count;
}
