import { setImmediate as turn } from "node:timers/promises";
import { NODE_LOCAL } from "../../core/jobs/nearness.js";
import { buildScheduler } from "../../core/scheduler/build-scheduler.js";
import type { OperationCounts } from "../../core/scheduler/operation-counts.js";
import { PoolScheduler } from "../../core/scheduler/pool-scheduler.js";
import type { Scheduler } from "../../core/scheduler/scheduler.js";
import { BareAssignment } from "./bare-assignment.js";
import { WALL_CLOCK } from "./call-times.js";
import type { DecisionCase } from "./decision-case.js";
import { buildWorld, type BuildDecisions } from "./decision-world.js";
import { HeartbeatRounds, type Tally } from "./heartbeat-rounds.js";
import { RunDelay } from "./run-delay.js";

/** What the scheduler did. */
export interface DecisionCounts extends Readonly<OperationCounts> {
  /** Jobs with pending maps that searches looked at. */
  readonly jobsVisited: number;
}

/** What one run of a case did and took. */
export interface DecisionRun {
  readonly busy: Tally;
  /** null: tasks were left, so that there was none. */
  readonly drain: Tally | null;
  readonly tasks: number;
  readonly maps: number;
  /** Of the maps, how many ran on a node with their block. */
  readonly nodeLocal: number;
  /** Over all launches in order: equal runs decided alike. */
  readonly fingerprint: number;
  /** From the first heartbeat to the last assignment. */
  readonly counts: DecisionCounts;
  /** Of the process in that time: all that the experiment does, and what the engine does beside it. */
  readonly cpuSeconds: number;
}

const TURN_EVERY_MS = 100;
const NOTHING: DecisionCounts = { heartbeats: 0, passedOver: 0, searches: 0, updates: 0, jobsVisited: 0 };

/** Runs a case once; between rounds of heartbeats it lets others have a turn, such as whoever aborts. */
export async function runDecisions(
  which: DecisionCase,
  seed: string,
  signal?: AbortSignal,
  build: BuildDecisions = buildScheduler,
): Promise<DecisionRun> {
  const world = buildWorld(which, seed, build);
  const { scheduler } = world.built;
  const before = countsOf(scheduler);
  let counts = NOTHING;
  const started = process.cpuUsage();
  let cpu = started;
  const delay = RunDelay.open();
  const rounds = new HeartbeatRounds(world, which, WALL_CLOCK, delay, () => {
    cpu = process.cpuUsage(started);
    counts = countsOf(scheduler);
  });
  let turned = performance.now();
  while (!rounds.isDone) {
    rounds.next();
    if (performance.now() - turned < TURN_EVERY_MS) continue;
    await turn();
    signal?.throwIfAborted();
    turned = performance.now();
  }
  const { launcher } = world;
  const isWhole = launcher.waiting === 0;
  if (isWhole) rounds.drainAll();
  delay?.close();
  return {
    busy: rounds.busy,
    drain: isWhole ? rounds.drain : null,
    tasks: launcher.launched,
    maps: launcher.mapsAt.reduce((sum, maps) => sum + maps, 0),
    nodeLocal: launcher.mapsAt[NODE_LOCAL],
    fingerprint: launcher.fingerprint >>> 0,
    counts: difference(counts, before),
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  };
}

/** CPU seconds that the experiment takes by itself: the same heartbeats, with nobody who decides. */
export async function bareSeconds(which: DecisionCase, seed: string, signal?: AbortSignal): Promise<number> {
  const run = await runDecisions(which, seed, signal, (spec, around, launcher) => {
    return { ...buildScheduler(spec, around), scheduler: new BareAssignment(around.jobs, launcher) };
  });
  return run.cpuSeconds;
}

function countsOf(scheduler: Scheduler): DecisionCounts {
  if (!(scheduler instanceof PoolScheduler)) return NOTHING;
  return { ...scheduler.counts, jobsVisited: scheduler.jobsVisited };
}

function difference(after: DecisionCounts, before: DecisionCounts): DecisionCounts {
  return {
    heartbeats: after.heartbeats - before.heartbeats,
    passedOver: after.passedOver - before.passedOver,
    searches: after.searches - before.searches,
    updates: after.updates - before.updates,
    jobsVisited: after.jobsVisited - before.jobsVisited,
  };
}
