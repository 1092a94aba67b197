import { bytes, Columns, floats, ints, JOBS_AT_FIRST } from "../../../kernel/index.js";

/** The two kinds of slot, of task and of demand. Everything a scheduler counts, it counts for each separately. */
export const MAP = 0;
export const REDUCE = 1;
export type SlotType = typeof MAP | typeof REDUCE;
export const SLOT_TYPES = [MAP, REDUCE] as const;
/**
 * Set-up tasks: what a job runs beside its maps and reduces. One sets it up, one cleans it up, in a slot of either
 * type.
 */
export const SETUP = 2;
export const CLEANUP = 3;
export type SetupTask = typeof SETUP | typeof CLEANUP;

/** Run states of a job that is in the table. OVER: it has ended, and the next update will forget it. */
export const PREP = 1;
export const RUNNING = 2;
export const OVER = 3;

/** A job as it is entered in the table. */
interface JobEntry {
  /** Rank in submission order: job 0 was submitted first. */
  readonly id: number;
  readonly pool: number;
  /** Handle of its user. */
  readonly user: number;
  readonly priority: number;
  readonly startUs: number;
  readonly maps: number;
  readonly reduces: number;
  /** Maps that must have finished before a reduce may start. */
  readonly slowStartMaps: number;
  /** Global number of the block that map 0 reads; -1: the maps have no input. */
  readonly firstBlock: number;
}

/**
 * The jobs that have been submitted and have not ended, by handle. Handles are small and recycled, so that arrays
 * indexed by them stay as large as the most jobs that were ever there at once.
 */
export class JobTable extends Columns {
  /** Number of jobs in the table. */
  size = 0;
  id = ints();
  state = bytes();
  pool = ints();
  user = ints();
  priority = bytes();
  startUs = floats();
  firstBlock = floats();
  slowStartMaps = ints();
  /** Per slot type: tasks in all, not launched, running, succeeded. */
  readonly total = [ints(), ints()] as const;
  readonly pending = [ints(), ints()] as const;
  readonly running = [ints(), ints()] as const;
  readonly done = [ints(), ints()] as const;
  private readonly freeHandles: number[] = [];
  private used = 0;

  constructor() {
    super();
    this.makeRoom(2 * JOBS_AT_FIRST);
  }

  /** Handles are below this, for now. */
  get capacity(): number {
    return this.id.length;
  }

  enter(entry: JobEntry): number {
    const job = this.freeHandles.pop() ?? this.used++;
    this.makeRoom(job + 1);
    this.size++;
    this.id[job] = entry.id;
    this.state[job] = PREP;
    this.pool[job] = entry.pool;
    this.user[job] = entry.user;
    this.priority[job] = entry.priority;
    this.startUs[job] = entry.startUs;
    this.firstBlock[job] = entry.firstBlock;
    this.slowStartMaps[job] = entry.slowStartMaps;
    for (const type of SLOT_TYPES) {
      const tasks = type === MAP ? entry.maps : entry.reduces;
      this.total[type][job] = tasks;
      this.pending[type][job] = tasks;
      this.running[type][job] = 0;
      this.done[type][job] = 0;
    }
    return job;
  }

  leave(job: number): void {
    this.state[job] = 0;
    this.size--;
    this.freeHandles.push(job);
  }

  /** One more than the largest handle ever given out. */
  get handles(): number {
    return this.used;
  }

  /** Some running job has a task that waits for a slot, or reduces that wait for maps. */
  get awaitSlotsOrMaps(): boolean {
    const { state, pending, total, done } = this;
    for (let job = 0; job < this.used; job++) {
      if (state[job] !== RUNNING) continue;
      if (pending[MAP][job] > 0 || pending[REDUCE][job] > 0) return true;
      if (total[REDUCE][job] > 0 && done[MAP][job] < total[MAP][job]) return true;
    }
    return false;
  }

  /** Reduces may be launched: enough maps have finished (semantics section 11). */
  reducesMayStart(job: number): boolean {
    return this.done[MAP][job] >= this.slowStartMaps[job];
  }
}
