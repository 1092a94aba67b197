import {
  buildScheduler,
  Launches,
  type Launcher,
  NODE_LOCAL,
  type OperationCounts,
  PoolScheduler,
} from "../../core/platforms/hadoop/index.js";
import { assert, DOUBLE_ZERO } from "../../core/kernel/index.js";
import { loadWorkload } from "../../io/index.js";
import { Stopwatch } from "../run-scenario.js";
import { simulate } from "../simulate.js";
import { type DecisionCase, scenarioOf } from "./decision-case.js";
import { CallTimes, type MillisecondClock, type RunDelay, WALL_CLOCK } from "./machine.js";

/** What the scheduler did. */
interface DecisionCounts extends Readonly<OperationCounts> {
  /** Jobs with pending maps that searches looked at. */
  readonly jobsVisited: number;
}

/** What one run of a case did and took. */
export interface DecisionRun {
  readonly times: DecisionTimes;
  /** All calls of the scheduler, those of interrupted heartbeats too, without the clock. */
  readonly allSeconds: number;
  readonly tasks: number;
  readonly maps: number;
  /** Of the maps, how many ran on a node with their block. */
  readonly nodeLocal: number;
  readonly fingerprint: string;
  readonly counts: DecisionCounts;
  /** Of the process, from the making of the scheduler to the end of the run: master and racks too, and what the engine does beside. */
  readonly cpuSeconds: number;
}

/**
 * Runs a case once: the master and racks of any run, inline, with the stopwatch of any run around the scheduler.
 * @param delay tells how long others had the processor; null: nothing does.
 */
export async function runDecisions(
  which: DecisionCase,
  seed: string,
  signal?: AbortSignal,
  clock: MillisecondClock = WALL_CLOCK,
  delay: Pick<RunDelay, "takeMs"> | null = null,
): Promise<DecisionRun> {
  const scenario = scenarioOf(which, seed);
  const workload = await loadWorkload(scenario, ".");
  const times = new DecisionTimes(delay);
  const stopwatch = new Stopwatch(
    () => clock() / 1_000,
    (call, seconds) => {
      times.note(call, seconds * 1_000);
    },
  );
  let started = process.cpuUsage();
  let scheduler: unknown = null;
  const run = await simulate(scenario, workload, {
    ...{ threads: 0, recordTasks: false, slices: 1, signal },
    build: stopwatch.timing((kind, around) => {
      const built = buildScheduler(kind, around);
      scheduler = built.scheduler;
      times.launcher = around.launcher;
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
    maps: recorder.mapsAtTotal.reduce((sum, maps) => sum + maps, 0),
    nodeLocal: recorder.mapsAtTotal[NODE_LOCAL],
    fingerprint: recorder.fingerprint.hex(),
    counts: { ...scheduler.counts, jobsVisited: scheduler.jobsVisited },
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  };
}

/** What is shorter has not lost its processor: a time slice of others lasts longer. */
const SHORT_MS = 0.02;

/** So often the delay is asked for in any case, so that what it tells is of just before. */
const CALLS_PER_LOOK = 8;

/** What heartbeats and updates took, the cost of the clock included; without those during which others had the processor. */
export class DecisionTimes {
  /** Of those that offered free slots, one by one. */
  readonly offers = new CallTimes();
  /** All of these together, and the tasks that they gave. */
  offersMs = DOUBLE_ZERO;
  tasks = 0;
  updatesMs = DOUBLE_ZERO;
  updates = 0;
  /** Heartbeats and updates that are not in the above. */
  interrupted = 0;
  /** Counts what is launched; null: there is none yet. */
  launcher: Launcher | null = null;
  private launched = 0;
  private calls = 0;

  constructor(private readonly delay: Pick<RunDelay, "takeMs"> | null) {}

  note(call: "heartbeat" | "update", tookMs: number): void {
    const { launcher } = this;
    assert(launcher instanceof Launches, "the master does not launch by itself");
    const tasks = launcher.launched - this.launched;
    this.launched = launcher.launched;
    const othersMs = tookMs >= SHORT_MS || this.calls++ % CALLS_PER_LOOK === 0 ? (this.delay?.takeMs() ?? 0) : 0;
    if (tookMs >= SHORT_MS && othersMs > 0) {
      this.interrupted++;
    } else if (call === "update") {
      this.updatesMs += tookMs;
      this.updates++;
    } else {
      this.offersMs += tookMs;
      this.tasks += tasks;
      this.offers.add(tookMs, tasks);
    }
  }
}
