import type { CommandsOf } from "../cluster/commands.js";
import { REDUCE, type JobTable, type SlotType } from "../jobs/job-table.js";
import type { Recorder } from "../metrics/recorder.js";
import { CONDEMNED, type Attempts } from "./attempts.js";
import type { FreeSlots } from "./free-slots.js";
import type { NodeNotes } from "./node-notes.js";

/** More than a job has tasks. */
const TASK_ROOM = 2 ** 26;

export interface CommitsParts {
  /** Attempts with output ask for leave at all. */
  readonly isOn: boolean;
  readonly commandsOf: CommandsOf;
  readonly jobs: JobTable;
  readonly slots: FreeSlots;
  readonly attempts: Attempts;
  readonly recorder: Recorder;
  readonly killOrders: NodeNotes;
}

/** Attempts of such a task have output to commit: all reduces, and maps that feed none (semantics section 13). */
export function hasOutputToCommit(jobs: JobTable, job: number, type: SlotType): boolean {
  return type === REDUCE || jobs.total[REDUCE][job] === 0;
}

/**
 * COMMIT_PENDING (semantics section 13): the node of an attempt that asks leave to commit shows its slot as free, which
 * may be given away on the same heartbeat; its job counts it as running until the commit is reported. This lag is what
 * kept slots from sticking to jobs in Hadoop.
 */
export class Commits {
  /** Tasks of which some attempt has leave, and by which place that is known. */
  private readonly leaveOf = new Map<number, number>();

  constructor(private readonly parts: CommitsParts) {}

  /**
   * The attempt in the slot leaves it and asks leave to commit. It is answered in the reply to the same heartbeat: the
   * first of its task gets leave, any other is killed, and so is one that was to be killed anyway.
   */
  asked(node: number, slot: number, nowUs: number): void {
    const { slots, attempts, recorder, killOrders, commandsOf } = this.parts;
    const type = slots.release(node, slot);
    recorder.slotLeft(type, nowUs);
    const place = attempts.stepAside(slot);
    if (attempts.fate[place] === CONDEMNED) {
      killOrders.cancel(node, slot);
      killOrders.add(node, place);
    } else if (this.leaveOf.has(this.taskAt(place, type))) {
      attempts.fate[place] = CONDEMNED;
      killOrders.add(node, place);
    } else {
      this.leaveOf.set(this.taskAt(place, type), place);
      commandsOf(node).commit(node, nowUs, place);
    }
  }

  /** The attempt that committed, or wanted to, at that place has ended; returns the type of the slot that it had held. */
  ended(node: number, place: number): SlotType {
    const type = this.withdraw(node, place);
    this.parts.attempts.endAside(place);
    return type;
  }

  /** The attempt at that place has no leave any more, though it is still there. */
  withdraw(node: number, place: number): SlotType {
    const { attempts, slots } = this.parts;
    const type = slots.typeOf(node, attempts.slotOf(place));
    const task = this.taskAt(place, type);
    if (this.leaveOf.get(task) === place) this.leaveOf.delete(task);
    return type;
  }

  /** Whether the attempt in the slot may ask for leave at all. */
  mayAsk(node: number, slot: number): boolean {
    const { isOn, attempts, jobs, slots } = this.parts;
    if (!isOn || attempts.isChore(slot)) return false;
    // Of a job that has ended nobody knows any more what its attempts have written.
    if (attempts.job[slot] < 0) return true;
    return hasOutputToCommit(jobs, attempts.job[slot], slots.typeOf(node, slot));
  }

  /** A number that no other task of the run has. */
  private taskAt(place: number, type: SlotType): number {
    const { attempts } = this.parts;
    return (attempts.rank[place] * 2 + type) * TASK_ROOM + attempts.task[place];
  }
}
