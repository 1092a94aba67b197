import { sumOver, US_PER_SECOND } from "../../kernel/index.js";
import { type StageState, StageWaits, type WaitReason, type WaitWords } from "../../record/index.js";
import type { TaskSet } from "./task-set.js";

/** Why tasks of a stage wait, in the order of the codes. */
const REASONS = [
  {
    key: "room",
    says: () => "before its stages came: the executors had no room for one of its barrier stages",
    isUnoffered: true,
  },
  { key: "start", says: () => "while the driver packed up the tasks", isUnoffered: true },
  {
    key: "again",
    says: () => "until the barrier stage, which had lost a task, was tried again",
    isUnoffered: true,
  },
  { key: "executors", says: () => "because no executor was there" },
  {
    key: "busy",
    says: ({ by }) => {
      if (by === undefined) return "because all cores ran tasks";
      return `because all cores ran tasks, most of them of ${by === null ? "the same job" : by}`;
    },
  },
  {
    key: "locality",
    says: ({ level, free, reached, bound }) => {
      const none = `${free} free, none where a waiting task would be at ${level ?? "its"} level`;
      if (reached === null || bound === null) return none;
      return `${none}; spark.locality.wait.${level ?? "node"} had ${(bound - reached) / US_PER_SECOND} s to run at the last round`;
    },
  },
  { key: "excluded", says: ({ free }) => `${free} free, where failures exclude what waits` },
  {
    key: "barrier",
    says: ({ free, reached, bound }) => {
      const shownRoom = reached === null || bound === null ? "" : `: room for ${reached} of ${bound} tasks`;
      return `${free} free, too few for all tasks of a barrier stage at once${shownRoom}`;
    },
  },
  { key: "round", says: ({ free }) => `${free} free, until the next round of offers` },
  { key: "running", says: () => "no task waited: all that had not ended were running", isWork: true },
  {
    key: "driver",
    says: () => "while the driver worked: before a stage was submitted, or after the last one had ended",
    isUnoffered: true,
  },
] as const satisfies readonly WaitReason[];

type ReasonKey = (typeof REASONS)[number]["key"];

/** Spark's words for waits. Times are in microseconds. */
export const SPARK_WAITS: WaitWords = {
  reasons: REASONS,
  offer: { one: "round of offers", many: "rounds of offers" },
};

/** An executor with room for a task. */
export interface FreeExecutor {
  readonly executor: number;
  readonly host: number;
  readonly cores: number;
  readonly profile: number;
}

/** Executors of an application, as far as waits depend on them. */
export interface Capacity {
  /** Executors that are there. */
  readonly executors: number;
  /** Free cores of those with room for a task; 0: none has room. */
  readonly freeCores: number;
  /** Some of those with room may not be offered to a stage, for its resource profile or the cores of its tasks. */
  readonly hasProfiles: boolean;
  /** Those with room for a task. */
  readonly free: () => readonly FreeExecutor[];
  /** The job of which most tasks run. */
  readonly holder: () => number;
}

/** A task set that is there, and the stage whose tasks it has. */
interface StageSet {
  readonly job: number;
  readonly stage: number;
  readonly set: TaskSet;
}

/** The log of what the stages of an application wait for. A driver that has none notes nothing. */
export class SparkWaits {
  readonly log: StageWaits<ReasonKey>;
  /** Rounds of offers in which there was room, since the last look. */
  private rounds = 0;
  /** Sets that came, or of which a task was launched or ended, since then. */
  private readonly touched = new Set<StageSet>();
  /** At the last check there were executors, and all their cores ran tasks: each waiting set waits for cores. */
  private wasFull = false;

  /** @param firstJob number of the first job of its application among those of the run. */
  constructor(firstJob: number) {
    this.log = new StageWaits(REASONS, "round", firstJob);
  }

  /** A round of offers was held, of executors with room. */
  roundHeld(): void {
    this.rounds++;
  }

  /** A task of the set was launched just now. */
  launched(stage: StageSet | undefined, level: number, nowUs: number): void {
    if (stage === undefined) return;
    this.log.launched(stage.job, stage.stage, level, nowUs);
    this.touched.add(stage);
  }

  /** The set has come, or one of its tasks was launched or has ended. */
  touch(set: StageSet | undefined): void {
    if (set !== undefined) this.touched.add(set);
  }

  /** Tasks of any set may have ended. */
  touchAll(): void {
    this.wasFull = false;
  }

  /** An event has happened. @param sets all that are there. */
  look(sets: ReadonlyMap<TaskSet, StageSet>, capacity: Capacity, nowUs: number): void {
    const { log, rounds, touched, wasFull } = this;
    this.rounds = 0;
    const isFull = capacity.freeCores === 0 && capacity.executors > 0;
    this.wasFull = isFull;
    log.freeIs(capacity.freeCores, nowUs);
    for (const stage of isFull && wasFull ? touched : sets.values()) {
      if (sets.has(stage.set)) log.is(stage.job, stage.stage, stateOf(stage.set, capacity, nowUs), rounds, nowUs);
    }
    touched.clear();
    log.offered(rounds);
  }
}

const RUNNING: StageState<ReasonKey> = { reason: "running" };
const ROUND: StageState<ReasonKey> = { reason: "round" };

function stateOf(
  set: TaskSet,
  { executors, freeCores, hasProfiles, free: freeExecutors, holder }: Capacity,
  nowUs: number,
): StageState<ReasonKey> {
  const { coresPerTask } = set;
  if (set.waiting === 0) return RUNNING;
  if (executors === 0) return { reason: "executors" };
  const free = () =>
    hasProfiles
      ? freeExecutors().filter(({ cores, profile }) => cores >= coresPerTask && profile === set.profile)
      : freeExecutors();
  if (freeCores === 0 || (hasProfiles && free().length === 0)) return { reason: "busy", takenBy: holder };
  if (set.spec.isBarrier) {
    const slots = sumOver(free(), ({ cores }) => Math.floor(cores / coresPerTask));
    if (slots < set.tasks) return { reason: "barrier", reached: slots, bound: set.tasks };
    if (!set.isHeldBack) return ROUND;
  }
  if (!set.hasNoExclusions && free().every(({ executor, host }) => set.excludesAllWaiting(executor, host))) {
    return { reason: "excluded" };
  }
  const { wait } = set;
  // Tasks that may go anywhere have been offered all of it, or are about to be.
  if (wait === null) return ROUND;
  const { sinceUs, waitUs } = wait;
  const dueUs = sinceUs + waitUs;
  return { reason: "locality", level: set.level, reached: nowUs - sinceUs, bound: waitUs, dueUs };
}
