import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import { cumulativeShares, indexByShare } from "../kernel/sampling.js";

/** Hadoop's five priorities, most urgent first. */
export const PRIORITIES = ["very-high", "high", "normal", "low", "very-low"] as const;

export type PriorityName = (typeof PRIORITIES)[number];

/**
 * Lengths of the tasks of one phase of one job, in microseconds on a nominal node with node-local input.
 * A pure function of the index, so that a day of tasks needs no memory.
 */
export interface TaskLengths {
  /** Length of task `index`, an integer >= 1 (>= 0 for copy phases). */
  lengthUs(index: number): number;
}

/** The blocks a job's maps read: map i reads block `firstBlock + i` of the file. */
interface JobInput {
  /** Index into `Workload.files`. */
  readonly file: number;
  readonly firstBlock: number;
}

/**
 * What the tasks of a job read, write and need, in bytes; only the detailed model looks at it. What is undefined that model works
 * out from the times of the tasks, or takes from the settings of the run.
 */
export interface JobNeeds {
  /** Input of one map, where the job has input. Comes before any `ioShare`. */
  readonly inputBytesPerMap?: number | undefined;
  /** What one map writes to its node's disk, where reduces fetch it in equal parts; their copy times then count for nothing. */
  readonly mapOutputBytes?: number | undefined;
  /** What one reduce writes to the file system, each replica counted once. */
  readonly outputBytesPerReduce?: number | undefined;
  /** What a map declares to need; undefined: as `runtime.attempts` says. */
  readonly mapMemoryBytes?: number | undefined;
  readonly reduceMemoryBytes?: number | undefined;
  /** Share of a map's time after its start-up that goes into reading, as in `runtime.io`, which it overrides. */
  readonly ioShare?: number | undefined;
  /** A file that its tasks need on their nodes beside their input, in both models, and its size; undefined: none. */
  readonly cacheFile?: string | undefined;
  readonly cacheBytes?: number | undefined;
}

/** One job as submitted. */
export interface JobSpec extends JobNeeds {
  readonly name: string;
  readonly submitAtUs: number;
  readonly user: string;
  readonly pool: string;
  /** Index into PRIORITIES: 0 is the most urgent. */
  readonly priority: number;
  readonly maps: number;
  readonly reduces: number;
  readonly mapLengths: TaskLengths;
  /** Time to fetch all map output if it were there at once. */
  readonly copyLengths: TaskLengths;
  /** Sort and reduce, after the last map output has come. */
  readonly reduceLengths: TaskLengths;
  /** null: the maps have no input blocks and run equally well anywhere. */
  readonly input: JobInput | null;
  /** Time after its submission by which it should have ended; undefined: whenever. */
  readonly deadlineUs?: number | undefined;
}

/** A file of blocks that many jobs may read. */
export interface FileSpec {
  readonly name: string;
  readonly blocks: number;
}

/** Everything that will be submitted, ordered by submission time, then by position. */
export interface Workload {
  readonly jobs: readonly JobSpec[];
  readonly files: readonly FileSpec[];
  /** What the reader or generator wants the user to know: `skippedLines`, rules applied. */
  readonly notes: readonly string[];
}

/** Items that work in steps has gone through when it yields. */
export const PER_STEP = 4096;

/** `items.map(each)`, in steps. */
export function* mapped<T, R>(items: readonly T[], each: (item: T, index: number) => R): Generator<undefined, R[]> {
  const found: R[] = [];
  for (let i = 0; i < items.length; i++) {
    if (i % PER_STEP === 0) yield;
    found.push(each(items[i], i));
  }
  return found;
}

/** What work in steps comes to, without a pause. */
export function drained<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Jobs by submission time; jobs submitted at one instant stay in the order given. */
export function inSubmissionOrder(jobs: readonly JobSpec[]): JobSpec[] {
  return [...jobs].sort((a, b) => a.submitAtUs - b.submitAtUs);
}

/** Files by name, as long as their largest reader needs. */
export class SharedFiles {
  private readonly names: string[] = [];
  private readonly blocks: number[] = [];
  private readonly byName = new Map<string, number>();

  /** Index of the shared file `name`; of a new file that nobody else can name, called `own/<job>`, when it is empty. */
  indexOf(name: string, job: string, blocks: number): number {
    const known = name === "" ? undefined : this.byName.get(name);
    if (known !== undefined) {
      this.blocks[known] = Math.max(this.blocks[known], blocks);
      return known;
    }
    const index = this.names.length;
    if (name !== "") this.byName.set(name, index);
    this.names.push(name === "" ? `own/${job}` : name);
    this.blocks.push(blocks);
    return index;
  }

  list(): FileSpec[] {
    return this.names.map((name, index) => ({ name, blocks: this.blocks[index] }));
  }
}

/**
 * Users of unequal activity: the k-th most active submits a share proportional to 1/k (Zipf with exponent 1).
 * The user of a job depends on the root seed and the job's position alone.
 */
export class ZipfUsers {
  private readonly shares: Float64Array;
  private readonly names: readonly string[];
  private readonly seed: number;

  /** @param count how many users there are, >= 1. */
  constructor(count: number, rootSeed: string) {
    this.shares = cumulativeShares(Array.from({ length: count }, (_, k) => 1 / (k + 1)));
    const digits = String(count).length;
    this.names = Array.from({ length: count }, (_, k) => `user${String(k + 1).padStart(digits, "0")}`);
    this.seed = seedWord(rootSeed, "workload/user");
  }

  /** `user001` is the most active of 200. */
  userOf(job: number): string {
    return this.names[indexByShare(fractionOf(counterHash(this.seed, job, 0)), this.shares)];
  }
}
