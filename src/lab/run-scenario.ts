import { setImmediate as nextTurn } from "node:timers/promises";
import type { CostSummary } from "../core/metrics/summary.js";
import type { Scenario } from "../core/scenario/scenario.js";
import { SCHEDULER_KINDS } from "../core/scheduler/kinds.js";
import type { SchedulerPlugin } from "../core/scheduler/plugin/plugin-face.js";
import { InputError } from "../io/input-error.js";
import { quote } from "../io/scenario/show.js";
import { loadWorkload } from "../io/workloads/load.js";
import { builderWith } from "../core/scheduler/build-scheduler.js";
import { BuiltIns, changedWords } from "../io/plugins/built-ins.js";
import type { Workload } from "../core/workload/job.js";
import { collectRecord } from "./collect-record.js";
import { foresee, foreseeTime, refuseFullHeap, refuseTooLarge, refuseTooLong, roomHere } from "./foresee.js";
import { choosePlacement, slicesFor, threadsAsked, type ChosenPlacement } from "./placement.js";
import type { RunOptions, RunResult, RunScenario } from "./run.js";
import { Stopwatch } from "./stopwatch.js";
import { simulate, type Simulation } from "./simulate.js";
import { summarise } from "./summarise.js";

export const runScenario: RunScenario = async (scenario, directory, options = {}) => {
  if ((options.plugins ?? []).length === 0) return simulateAndSummarise(scenario, directory, options);
  const builtIns = new BuiltIns();
  // Whatever else is wrong then follows from it.
  const blame = (): void => {
    const changed = builtIns.putBack();
    if (changed === null) return;
    const file = `scheduler ${scenario.scheduler.kind}`;
    throw new InputError([{ file, line: 0, column: 0, message: changedWords(changed) }]);
  };
  try {
    const result = await simulateAndSummarise(scenario, directory, options);
    blame();
    return result;
  } catch (error) {
    blame();
    throw error;
  }
};

const simulateAndSummarise = async (scenario: Scenario, directory: string, options: RunOptions): Promise<RunResult> => {
  const plugins = options.plugins ?? [];
  refuseUnknownKind(scenario, plugins);
  const { signal, anyway, recordTasks = false } = options;
  // Only where the caller has such an option.
  const advice = anyway === false ? "; --anyway starts it nevertheless" : "";
  const asked = { threads: threadsAsked(options.placement, scenario), recordTasks };
  const refuse = (known: Workload | null): void => {
    const time = foreseeTime(scenario, known);
    if (anyway !== true) {
      refuseTooLarge(scenario.name, foresee(scenario, known, asked), roomHere(), 1, advice);
      refuseTooLong(scenario.name, time, advice);
    }
    if (known !== null && time !== null) options.onForeseen?.(time);
  };
  refuse(null);
  const workload = await loadWorkload(scenario, directory, () => {
    signal?.throwIfAborted();
    refuseFullHeap(scenario.name);
  });
  refuse(workload);
  await pause(signal);
  const build = builderWith(plugins, scenario.run.seed);
  const placement = await choosePlacement(options.placement ?? "auto", scenario, workload, build, signal);
  const stopwatch = options.timeDecisions === true ? new Stopwatch() : null;
  const startMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const run = await simulate(scenario, workload, {
    threads: placement.threads,
    recordTasks,
    slices: options.slices ?? slicesFor(placement.threads),
    onProgress: (progress) => {
      refuseFullHeap(scenario.name);
      options.onProgress?.(progress);
    },
    signal,
    faultInjections: options.faultInjections,
    onRecovery: options.recover === true ? (options.onRecovery ?? (() => undefined)) : undefined,
    build: stopwatch === null ? build : stopwatch.timing(build),
  });
  const cpu = process.cpuUsage(cpuBefore);
  await pause(signal);
  const spent = costOf(run, placement, (performance.now() - startMs) / 1000, (cpu.user + cpu.system) / 1e6);
  const { recoveries, commandLogBytes } = run;
  const cost = options.recover === true ? { ...spent, recoveries, commandLogBytes } : spent;
  const found = {
    summary: summarise(scenario, workload, run, cost),
    record: collectRecord(workload, run.master.master),
  };
  return stopwatch === null ? found : { ...found, decisions: stopwatch.costOf(run.master.master.launches.launched) };
};

/** Serves signals that have come meanwhile: with millions of jobs each stage takes a while in which nobody listens. */
async function pause(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

/** A scenario that was read with plugins may be run without them. */
function refuseUnknownKind({ name, scheduler: { kind } }: Scenario, plugins: readonly SchedulerPlugin[]): void {
  if ([...SCHEDULER_KINDS, ...plugins].some((known) => known.name === kind)) return;
  const message = `found ${quote(kind)} for scheduler.kind, allowed a built-in kind or one of options.plugins`;
  throw new InputError([{ file: name, line: 0, column: 0, message }]);
}

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
    heartbeatsProcessed: run.master.visited,
    frames: run.master.frames,
    frameBytes: run.master.frameBytes,
  };
}

function describePlacement(threads: number, racks: number): string {
  if (threads === 0) return "inline";
  const count = threads === 1 ? "1 thread" : `${threads} threads`;
  return threads === racks ? `${count} (one per rack)` : count;
}
