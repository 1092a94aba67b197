import { definedFields } from "../core/kernel/index.js";
import { DecisionLog, builderWith, loggedBuilder, type SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import type { CostSummary } from "../core/record/index.js";
import { isHadoop, type Scenario, SCHEDULER_KINDS } from "../core/scenario/index.js";
import { poolNotesOf, refuseStrayPools, quote, loadWorkload, fileProblem } from "../io/index.js";
import { type ChosenPlacement, choosePlacement, describePlacement, slicesFor } from "./placement.js";
import type { OwnRunOptions, RunResult, RunScenario } from "./run.js";
import { runAlone } from "./run-alone.js";
import { collectRecord } from "./run-tables.js";
import { pause, simulate, type ActorsRun } from "./simulate.js";
import { Stopwatch } from "./stopwatch.js";
import { summarise } from "./summarise.js";

/**
 * One run from scenario to summary: the workload is loaded, the placement chosen (by a probe where the scenario says
 * `auto`), the actors run (`simulate.ts`), and what they recorded becomes tables and the summary (`summarise.ts`). A
 * stopwatch around the scheduler measures what its decisions cost.
 */
export const runScenario: RunScenario = (scenario, directory, options = {}) =>
  isHadoop(scenario) ? runOnActors(scenario, directory, options) : runAlone(scenario, directory, options);

/** The platform whose racks are actors. */
async function runOnActors(scenario: Scenario, directory: string, options: OwnRunOptions): Promise<RunResult> {
  const plugins = options.plugins ?? [];
  refuseUnknownKind(scenario, plugins);
  const { signal, recordTasks = false, inputs, workloadDigest } = options;
  const workload = await loadWorkload(scenario, directory, {
    onPause: () => signal?.throwIfAborted(),
    kept: inputs,
    digest: workloadDigest,
  });
  if (scenario.scheduler.strict === true) refuseStrayPools(scenario.name, poolNotesOf(scenario, workload));
  await pause(signal);
  const plain = builderWith(plugins, scenario.run.seed);
  const log = options.logDecisions === true ? new DecisionLog() : null;
  const build = log === null ? plain : loggedBuilder(log, plugins, scenario.run.seed);
  const topology = inputs?.topologyOf(scenario.cluster);
  const placement = await choosePlacement(options.placement ?? "auto", scenario, workload, plain, signal);
  const stopwatch = options.timeDecisions === true ? new Stopwatch() : null;
  options.onStage?.("simulation");
  const startMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const run = await simulate(scenario, workload, {
    topology,
    threads: placement.rackThreads,
    ownRacks: placement.ownRacks,
    recordTasks,
    slices: options.slices ?? slicesFor(placement, scenario),
    onProgress: options.onProgress,
    signal,
    faultInjections: options.faultInjections,
    onRecovery: options.recover === true ? (options.onRecovery ?? (() => undefined)) : undefined,
    build: stopwatch === null ? build : stopwatch.timing(build),
  });
  const cpu = process.cpuUsage(cpuBefore);
  options.onStage?.("summary");
  await pause(signal);
  const spent = costOf(run, placement, (performance.now() - startMs) / 1000, (cpu.user + cpu.system) / 1e6);
  const { recoveries, commandLogBytes } = run;
  const cost = options.recover === true ? { ...spent, recoveries, commandLogBytes } : spent;
  const collected = collectRecord(run.master.master, run.stoppedUs);
  const preemption = log?.preemption?.columns(run.stoppedUs);
  const record = {
    ...collected,
    ...(log === null ? {} : { decisions: log.columns(run.stoppedUs) }),
    ...definedFields({ preemption }),
  };
  await pause(signal);
  const result = { summary: summarise(scenario, run, record, cost), record };
  await pause(signal);
  return stopwatch === null ? result : { ...result, decisions: stopwatch.costOf(run.master.master.launches.launched) };
}

/**
 * Makes or reads the workload of a scenario, for the names in it alone.
 * @throws InputError for pools that do not match. @param name is what the message is about.
 */
export async function refuseStrayNames(
  name: string,
  scenario: Scenario,
  directory: string,
  signal?: AbortSignal,
): Promise<void> {
  const workload = await loadWorkload(scenario, directory, { onPause: () => signal?.throwIfAborted() });
  refuseStrayPools(name, poolNotesOf(scenario, workload));
}

/** A scenario that was read with plugins may be run without them. */
function refuseUnknownKind({ name, scheduler: { kind } }: Scenario, plugins: readonly SchedulerPlugin[]): void {
  if ([...SCHEDULER_KINDS, ...plugins].some((known) => known.name === kind)) return;
  throw fileProblem(
    name,
    `expected a built-in kind or one of options.plugins, found ${quote(kind)} for scheduler.kind`,
  );
}

function costOf(run: ActorsRun, placement: ChosenPlacement, wallSeconds: number, cpuSeconds: number): CostSummary {
  const { recorder } = run.master.master;
  const tasks = recorder.tasksEnded[0] + recorder.tasksEnded[1];
  return {
    placement: describePlacement(placement, run.topology.racks),
    threads: placement.rackThreads + 1,
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
