import type { RuntimeSpec } from "../../dist/core/scenario/index.js";
import { NO_INPUT, TYPES, type NaiveJob, type TaskType } from "./naive-job.js";
import type { RunRecord } from "./run-records.js";

export const SETUP_TASKS = ["set-up", "clean-up"] as const;
export type SetupTaskType = (typeof SETUP_TASKS)[number];

/** A set-up or clean-up of a job as a task that holds a slot. */
interface RunningSetupTask {
  readonly kind: SetupTaskType;
  readonly job: NaiveJob;
  /** Of the slot that it holds. */
  readonly type: TaskType;
  readonly node: number;
  readonly slot: number;
  readonly finishUs: number;
}

/** The cluster as set-up tasks see it. */
export interface SetupTaskCluster {
  readonly runtime: RuntimeSpec;
  readonly records: RunRecord[];
  speedOf(node: number): number;
  /** The slot that would be taken, null if none of the type is free. */
  freeSlot(node: number, type: TaskType): number | null;
  /** When what was launched in that slot now could start. */
  startUs(node: number, slot: number): number;
  /** Its last set-up task is done. */
  ended(job: NaiveJob, nowUs: number): void;
}

/** Set-up and clean-up tasks that wait for a slot and those that have one. */
export class NaiveSetupTasks {
  running: RunningSetupTask[] = [];
  private waiting: { readonly kind: SetupTaskType; readonly job: NaiveJob }[] = [];

  constructor(private readonly cluster: SetupTaskCluster) {}

  want(kind: SetupTaskType, job: NaiveJob): void {
    this.waiting.push({ kind, job });
  }

  /** Clean-ups go before set-ups, then the oldest job; to a map slot if one is free. False: nothing was given. */
  giveTo(node: number, nowUs: number): boolean {
    const { cluster, waiting } = this;
    const { runtime } = cluster;
    if (waiting.length === 0) return false;
    const type = TYPES.find((each) => cluster.freeSlot(node, each) !== null);
    if (type === undefined) return false;
    waiting.sort((a, b) => SETUP_TASKS.indexOf(b.kind) - SETUP_TASKS.indexOf(a.kind) || a.job.rank - b.job.rank);
    const next = waiting.shift()!;
    const nominalUs = next.kind === "set-up" ? runtime.jobSetupUs : runtime.jobCleanupUs;
    const runUs = Math.max(1, Math.round((nominalUs * runtime.localityFactor.node) / cluster.speedOf(node)));
    const slot = cluster.freeSlot(node, type)!;
    const given = { ...next, type, node, slot, finishUs: cluster.startUs(node, slot) + runUs };
    this.running.push(given);
    this.record("launch", given, nowUs);
    return true;
  }

  done(setupTask: RunningSetupTask, nowUs: number): void {
    this.running = this.running.filter((other) => other !== setupTask);
    this.record("finish", setupTask, nowUs);
    if (setupTask.kind === "set-up") setupTask.job.state = "running";
    else this.cluster.ended(setupTask.job, nowUs);
  }

  private record(what: RunRecord["what"], { kind, job, node }: RunningSetupTask, atUs: number): void {
    const of = { task: 0, attempt: 0, level: NO_INPUT };
    this.cluster.records.push({ atUs, what, type: kind, job: job.rank, node, ...of });
  }
}
