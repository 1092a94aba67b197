import { buildScheduler, Launches, NODE_LOCAL, PoolScheduler } from "../../core/platforms/hadoop/index.js";
import { sumOver, assert } from "../../core/kernel/index.js";
import { loadWorkload } from "../../io/index.js";
import { simulate } from "../simulate.js";
import { Stopwatch } from "../stopwatch.js";
import { type DecisionCase, isHadoopKind, scenarioOf } from "./decision-case.js";
import { runSpark } from "./decision-spark.js";
import { type DecisionRun, DecisionTimes } from "./decision-times.js";
import { runYarn } from "./decision-yarn.js";
import { type MillisecondClock, type RunDelay, WALL_CLOCK } from "./machine.js";

/**
 * Runs a case once: the engine of any run, inline, with a stopwatch around the scheduler.
 * @param delay the time that other programs had the processor; null: not measured.
 */
export async function runDecisions(
  decisionCase: DecisionCase,
  seed: string,
  signal?: AbortSignal,
  clock: MillisecondClock = WALL_CLOCK,
  delay: Pick<RunDelay, "takeMs"> | null = null,
): Promise<DecisionRun> {
  const times = new DecisionTimes(delay);
  if (isHadoopKind(decisionCase.kind)) return runHadoop(decisionCase, seed, times, clock, signal);
  const run = decisionCase.kind.startsWith("spark") ? runSpark : runYarn;
  return run(decisionCase, seed, times, clock, signal);
}

/** Master and racks of any run. */
async function runHadoop(
  decisionCase: DecisionCase,
  seed: string,
  times: DecisionTimes,
  clock: MillisecondClock,
  signal?: AbortSignal,
): Promise<DecisionRun> {
  const scenario = scenarioOf(decisionCase, seed);
  const workload = await loadWorkload(scenario, ".");
  const stopwatch = new Stopwatch(
    () => clock() / 1_000,
    (call, seconds) => {
      if (call === "heartbeat" || call === "update") times.note(call, seconds * 1_000);
    },
  );
  let started = process.cpuUsage();
  let scheduler: unknown = null;
  const run = await simulate(scenario, workload, {
    threads: 0,
    recordTasks: false,
    slices: 1,
    signal,
    build: stopwatch.timing((kind, around) => {
      const built = buildScheduler(kind, around);
      scheduler = built.scheduler;
      const { launcher } = around;
      assert(launcher instanceof Launches, "the master does not launch by itself");
      times.countLaunched = () => launcher.launched;
      started = process.cpuUsage();
      return built;
    }),
  });
  const cpu = process.cpuUsage(started);
  const { recorder, launches } = run.master.master;
  assert(scheduler instanceof PoolScheduler, "the kinds that are measured have pools");
  return {
    times,
    allSeconds: stopwatch.costOf(launches.launched).seconds,
    tasks: launches.launched,
    maps: sumOver(recorder.mapsAtTotal),
    nodeLocal: recorder.mapsAtTotal[NODE_LOCAL],
    fingerprint: recorder.fingerprint.hex(),
    counts: { ...scheduler.counts, jobsVisited: scheduler.jobsVisited },
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  };
}
