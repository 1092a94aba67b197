import { sumOver, assert } from "../core/kernel/index.js";
import { type Simulation, summaryOf, type Summary } from "../core/record/index.js";
import type { AnyScenario } from "../core/scenario/index.js";
import { encodeHistogram, platformNamed, fileProblem } from "../io/index.js";
import type { OwnRunOptions, RunResult } from "./run.js";
import { pause } from "./simulate.js";

/** Wall time between two pauses, in which signals are served and progress is reported. It decides nothing else. */
const PAUSE_EVERY_MS = 50;

const FIRST_SPAN_US = 1_000_000;

/** One run of a platform that is one sequential simulation. */
export async function runAlone(scenario: AnyScenario, directory: string, options: OwnRunOptions): Promise<RunResult> {
  const { signal, recordTasks = false } = options;
  const build = platformNamed(scenario.platform)?.build;
  assert(build !== undefined, "a platform that runs by itself says how it is built");
  const simulation = await build(scenario, directory);
  if (options.logDecisions === true) logDecisions(simulation, scenario);
  await pause(signal);
  options.onStage?.("simulation");
  const startMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const stuck = await advance(simulation, scenario, options);
  const cpu = process.cpuUsage(cpuBefore);
  const wallSeconds = (performance.now() - startMs) / 1000;
  options.onStage?.("summary");
  await pause(signal);
  const { untilUs, sampleUs } = scenario.run;
  const { record, facts } = simulation.finish({ untilUs, sampleUs, recordTasks });
  const cpuSeconds = (cpu.user + cpu.system) / 1e6;
  const tasks = sumOver(facts.tasksEnded);
  const summary = summaryOf(record, {
    ...facts,
    ...(stuck === null ? {} : { stopped: "stuck", sections: { ...facts.sections, stuck } }),
    scenario: scenario.name,
    seed: scenario.run.seed,
    scheduler: scenario.scheduler.kind,
    encode: (counts) => encodeHistogram(counts.entries().map(({ value, count }) => ({ valueMs: value, count }))),
    cost: {
      placement: "inline",
      threads: 1,
      placementReason: `a run of ${scenario.platform} is one sequential simulation`,
      wallSeconds,
      cpuSeconds,
      tasksPerCpuSecond: cpuSeconds > 0 ? tasks / cpuSeconds : 0,
      peakMemoryMiB: process.resourceUsage().maxRSS / 1024,
    },
  });
  return { summary, record };
}

/** @throws InputError where the platform keeps no log. */
function logDecisions(simulation: Simulation, { name, platform }: AnyScenario): void {
  if (simulation.logDecisions !== undefined) return simulation.logDecisions();
  throw fileProblem(name, `the platform ${platform} keeps no log of decisions`);
}

/**
 * Runs on until all jobs have ended, time is up, or nothing ends any more. @returns why it is stuck; null: it is not.
 */
export async function advance(
  simulation: Simulation,
  { run }: AnyScenario,
  { signal, onProgress }: OwnRunOptions,
): Promise<NonNullable<Summary["stuck"]> | null> {
  const { untilUs, stuckAfterUs = simulation.patienceUs } = run;
  let spanUs = FIRST_SPAN_US;
  for (let nextUs = simulation.nextUs(); nextUs <= untilUs && nextUs < Infinity; nextUs = simulation.nextUs()) {
    const { lastEndUs, ...counts } = simulation.progress();
    // Before jobs have come nothing can end.
    const sinceUs = Math.max(lastEndUs, counts.lastSubmitUs);
    const stillUs = Math.max(0, nextUs - sinceUs);
    onProgress?.({ ...counts, virtualUs: nextUs, untilUs, stillUs, stuckAfterUs });
    const patientUntilUs = sinceUs + stuckAfterUs;
    if (nextUs > patientUntilUs) {
      simulation.advance(patientUntilUs);
      const waiting = counts.jobsTotal - counts.jobsEnded;
      const jobs = [...(simulation.waitingJobs?.() ?? [])];
      return { sinceSeconds: sinceUs / 1e6, afterSeconds: stuckAfterUs / 1e6, waiting, jobs, slots: [] };
    }
    const startMs = performance.now();
    // The length of a step depends on wall time; the limit without any end does not.
    simulation.advance(Math.min(nextUs + spanUs, untilUs, patientUntilUs));
    const tookMs = performance.now() - startMs;
    if (tookMs < PAUSE_EVERY_MS / 2) spanUs = Math.min(2 * spanUs, Number.MAX_SAFE_INTEGER / 4);
    else if (tookMs > PAUSE_EVERY_MS) spanUs = Math.max(1, Math.floor(spanUs / 2));
    await pause(signal);
  }
  // It stops when its time is up, and not at its last event.
  if (untilUs < Infinity && simulation.nextUs() < Infinity) simulation.advance(untilUs);
  return null;
}
