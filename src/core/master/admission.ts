import type { Topology } from "../cluster/topology.js";
import { MAP, REDUCE, type JobTable, type SlotType } from "../jobs/job-table.js";
import type { PendingReduces } from "../jobs/returned-tasks.js";
import type { TaskFailures } from "../jobs/task-failures.js";
import type { AttemptRulesSpec } from "../scenario/runtime-spec.js";
import type { Workload } from "../workload/job.js";
import { GONE, type Attempts } from "./attempts.js";
import type { CopyingReduces } from "./copying-reduces.js";
import type { DiskUse } from "./disk-use.js";
import type { FreeSlots } from "./free-slots.js";
import type { LongTaskBalance } from "./long-task-balance.js";
import type { SecondAttempts } from "./second-attempts.js";

export interface AdmissionParts {
  readonly workload: Workload;
  readonly rules: AttemptRulesSpec;
  readonly topology: Topology;
  readonly jobs: JobTable;
  readonly slots: FreeSlots;
  readonly attempts: Attempts;
  readonly failures: TaskFailures;
  readonly reduces: PendingReduces;
  /** null: no disk has an end. */
  readonly disk: DiskUse | null;
  /** null: reduce slots are for copying and computing alike. */
  readonly copying: CopyingReduces | null;
  /** null: there are no second attempts. */
  readonly seconds: SecondAttempts | null;
  /** null: long maps may crowd. */
  readonly balance: LongTaskBalance | null;
  /** Attempts may fail. */
  readonly mayFail: boolean;
}

export type Refusal =
  | "avoided after failures"
  | "failed there before"
  | "reduces still copy"
  | "memory full"
  | "disk full"
  | "enough long maps";

/**
 * Whether a node may be given a task of a job (semantics section 10, step 0): the job does not avoid it, its memory
 * suffices for all it runs, its disk for what a map will leave, it has not too many reduces of the job that still copy, and it runs
 * no more than its part of the long maps. What an attempt needs it needs while it holds its slot.
 */
export class Admission {
  /** Some node may be refused some job. */
  readonly isSelective: boolean;
  private readonly checksMemory: boolean;

  constructor(private readonly parts: AdmissionParts) {
    const { workload, rules, topology, disk, copying, seconds, balance, mayFail } = parts;
    const declares =
      rules.mapMemoryBytes + rules.reduceMemoryBytes > 0 ||
      workload.jobs.some(({ mapMemoryBytes = 0, reduceMemoryBytes = 0 }) => mapMemoryBytes + reduceMemoryBytes > 0);
    this.checksMemory = declares && topology.memoryBytes.some((bytes) => bytes < Infinity);
    const isSplit = copying !== null && copying.isSelective;
    const isUneven = seconds !== null || balance !== null;
    this.isSelective = mayFail || disk !== null || isUneven || isSplit || this.checksMemory;
  }

  accepts(job: number, type: SlotType, node: number): boolean {
    return this.refusal(job, type, node) === null;
  }

  /** Why the node may be given no task of the job; null: it may. */
  refusal(job: number, type: SlotType, node: number): Refusal | null {
    const { jobs, failures, disk, copying, topology, balance } = this.parts;
    if (failures.avoids(job, node)) return "avoided after failures";
    if (type === REDUCE && !this.hasReduceFor(job, node)) return "failed there before";
    if (type === REDUCE && copying !== null && !copying.hasRoom(job, node)) return "reduces still copy";
    if (this.checksMemory) {
      const needed = this.memoryOf(jobs.id[job], type);
      if (needed > 0 && this.memoryOn(node) + needed > topology.memoryBytes[node]) return "memory full";
    }
    if (type === REDUCE) return null;
    if (disk !== null && !disk.hasRoom(job, node)) return "disk full";
    return balance === null || balance.accepts(job, node) ? null : "enough long maps";
  }

  private hasReduceFor(job: number, node: number): boolean {
    const { reduces, seconds } = this.parts;
    return reduces.hasFor(job, node) || (seconds !== null && seconds.firstFor(job, REDUCE, node) >= 0);
  }

  /** Bytes that the attempts on the node declare to need together. */
  private memoryOn(node: number): number {
    const { topology, slots, attempts } = this.parts;
    const { slotStart, mapSlots, reduceSlots } = topology;
    const end = slotStart[node] + mapSlots[node] + reduceSlots[node];
    let bytes = 0;
    for (let slot = slotStart[node]; slot < end; slot++) {
      if (!slots.isHeldOn(node, slot) || attempts.job[slot] < GONE) continue;
      bytes += this.memoryOf(attempts.rank[slot], slots.typeOf(node, slot));
    }
    return bytes;
  }

  private memoryOf(rank: number, type: SlotType): number {
    const { workload, rules } = this.parts;
    const { mapMemoryBytes, reduceMemoryBytes } = workload.jobs[rank];
    return type === MAP ? (mapMemoryBytes ?? rules.mapMemoryBytes) : (reduceMemoryBytes ?? rules.reduceMemoryBytes);
  }
}
