import { definedFields } from "../../core/kernel/index.js";
import { counterHash, fractionOf, seedWord, cumulativeShares, indexByShare, quantileOfWord } from "../kernel/index.js";
import type { JobNeeds, JobOwnersSpec, NameShareSpec } from "../scenario/index.js";

/**
 * Lengths of the tasks of one phase of one job, in microseconds on a nominal node with node-local input.
 * A pure function of the index, so that a day of tasks needs no memory.
 */
export interface TaskLengths {
  /** Length of task `index`, an integer >= 1 (>= 0 for copy phases). */
  lengthUs(index: number): number;
  /** Memory of the lists that it holds; undefined: it holds none. */
  readonly listBytes?: number;
}

/** The blocks a job's maps read: map i reads block `firstBlock + i` of the file. */
interface JobInput {
  /** Index into `Workload.files`. */
  readonly file: number;
  readonly firstBlock: number;
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
  /** Vcores of each task, where a platform counts them; undefined: the scenario's. */
  readonly mapVcores?: number | undefined;
  readonly reduceVcores?: number | undefined;
  /**
   * It ends as one that failed, when its tasks have ended; only of a platform whose tasks do not fail by themselves.
   */
  readonly fails?: true;
  /** Its record in a log beside run times; undefined: it is of no log. */
  readonly recorded?: RecordedJob;
  /** Time after its submission by which it should have ended; undefined: whenever. */
  readonly deadlineUs?: number | undefined;
  /** The job that its user submits once it has ended; undefined: none. */
  readonly next?: NextJob | undefined;
}

/** A log's record of a MapReduce job; each undefined field is not in the log. */
export interface RecordedJob {
  /**
   * Time from the submission to the master's first request for containers; where a log gives a range, its upper end.
   */
  readonly masterStartUs?: number | undefined;
  readonly masterStartMostUs?: number | undefined;
  /** From the end of the last task until that of the job. */
  readonly masterEndUs?: number | undefined;
  /** Part of the maps that had ended when reduces were requested. */
  readonly slowStart?: number | undefined;
  /** By task, for those with a record. */
  readonly maps: ReadonlyMap<number, RecordedTask>;
  readonly reduces: ReadonlyMap<number, RecordedTask>;
}

export interface RecordedTask {
  /** Distance from its data at which it ran, as a position among the platform's levels. */
  readonly level?: number | undefined;
  /** Attempts before the one that its length is of, in order. */
  readonly failures?: readonly RecordedFailure[] | undefined;
}

/** An attempt that did not end well. */
export interface RecordedFailure {
  /** From its launch to its end. */
  readonly heldUs: number;
  /** The reason of its end, in the platform's word. */
  readonly reason: string;
}

/** The next job of a user who waits for results, and then thinks. */
export interface NextJob {
  /** Index in the list of the workload as it was made. */
  readonly job: number;
  /** From the end of the one before to the submission, at least 1. */
  readonly thinkUs: number;
}

/** A file of blocks that many jobs may read. */
export interface FileSpec {
  readonly name: string;
  readonly blocks: number;
  /** Undefined: all blocks lie where the scenario's placement puts them. */
  readonly hosts?: BlockHosts | undefined;
}

/** A node, by its rack and its position there. */
export interface HostPlace {
  readonly rack: number;
  readonly node: number;
}

/** Places of the blocks of a file, by block; a missing block lies as the scenario's placement says. */
type BlockHosts = ReadonlyMap<number, readonly HostPlace[]>;

/** Everything that will be submitted, ordered by submission time, then by position. */
export interface Workload {
  readonly jobs: readonly JobSpec[];
  /**
   * The jobs from here on are the `next` of others: when they are submitted is known only when those have ended, and
   * `submitAtUs` is the earliest instant. Undefined: there are none.
   */
  readonly followersFrom?: number | undefined;
  readonly files: readonly FileSpec[];
  /** Notes of the reader or generator for the user: `skippedLines`, rules applied. */
  readonly notes: readonly string[];
}

/** Items that work in steps has gone through when it yields. */
export const PER_STEP = 4096;

/** `items.map(each)`, in steps. */
export function* mapped<T, R>(items: readonly T[], map: (item: T, index: number) => R): Generator<undefined, R[]> {
  const results: R[] = [];
  for (let i = 0; i < items.length; i++) {
    if (i % PER_STEP === 0) yield;
    results.push(map(items[i], i));
  }
  return results;
}

/** Runs work in steps without a pause, and returns its result. */
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
  private readonly hosts: (Map<number, readonly HostPlace[]> | undefined)[] = [];
  private readonly byName = new Map<string, number>();

  /** Returns the index of the shared file `name`; when that is empty, of a new file of its own, called `own/<job>`. */
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

  /** The block of the file lies there. */
  place(file: number, block: number, hosts: readonly HostPlace[]): void {
    (this.hosts[file] ??= new Map()).set(block, hosts);
  }

  /** Returns the places of a block of the shared file of that name; undefined: as the scenario says. */
  hostsOf(name: string, block: number): readonly HostPlace[] | undefined {
    const file = this.byName.get(name);
    return file === undefined ? undefined : this.hosts[file]?.get(block);
  }

  list(): FileSpec[] {
    return this.names.map((name, index) => {
      const hosts = this.hosts.at(index);
      return { name, blocks: this.blocks[index], ...definedFields({ hosts }) };
    });
  }
}

/** The share of the k-th of a list, from 0: Zipf's law with exponent 1. */
export function shareByRank(k: number): number {
  return 1 / (k + 1);
}

/** Users and pools of jobs. Those of a job depend on the root seed and the job's position alone. */
export class JobOwners {
  private readonly users: DealtNames;
  private readonly pools: DealtNames | null;

  constructor({ users, pools }: JobOwnersSpec, rootSeed: string) {
    const named = typeof users === "number" ? numberedUsers(users) : users;
    this.users = new DealtNames(named, seedWord(rootSeed, "workload/user"));
    this.pools = pools === undefined ? null : new DealtNames(pools, seedWord(rootSeed, "workload/pool"));
  }

  ofJob(job: number): { readonly user: string; readonly pool: string } {
    const user = this.users.nameOf(job);
    return { user, pool: this.pools?.nameOf(job) ?? user };
  }
}

/** `user001` is the most active of 200. */
function numberedUsers(count: number): NameShareSpec[] {
  const digits = String(count).length;
  return Array.from({ length: count }, (_, k) => ({
    name: `user${String(k + 1).padStart(digits, "0")}`,
    share: shareByRank(k),
  }));
}

class DealtNames {
  private readonly shares: Float64Array;

  constructor(
    private readonly names: readonly NameShareSpec[],
    private readonly seed: number,
  ) {
    this.shares = cumulativeShares(names.map(({ share }) => share));
  }

  nameOf(job: number): string {
    return this.names[indexByShare(fractionOf(counterHash(this.seed, job, 0)), this.shares)].name;
  }
}

/** Every task takes `lengthUs`. */
export class FixedLengths implements TaskLengths {
  constructor(private readonly everyUs: number) {}

  lengthUs(): number {
    return this.everyUs;
  }
}

/** Overhead of a typed array and its buffer, beside its elements. */
const LIST_BYTES = 250;

/** The lengths as listed, one entry per task. */
export class ListedLengths implements TaskLengths {
  readonly listBytes: number;

  constructor(private readonly listUs: Float64Array | Int32Array) {
    this.listBytes = LIST_BYTES + listUs.byteLength;
  }

  lengthUs(index: number): number {
    return this.listUs[index];
  }
}

/** All tasks take `fullUs` but the last of `count`, which takes `lastUs`: a file whose last block is not full. */
export class FullButLastLengths implements TaskLengths {
  constructor(
    private readonly count: number,
    private readonly fullUs: number,
    private readonly lastUs: number,
  ) {}

  lengthUs(index: number): number {
    return index === this.count - 1 ? this.lastUs : this.fullUs;
  }
}

/** The distribution of a phase's lengths: `medianUs` x a quantile of `table`, kept within [minUs, maxUs]. */
interface LengthDistribution {
  /** Quantiles, as `logNormalTable` or `exponentialTable` makes them; shared by all jobs of one spread. */
  readonly table: Float32Array;
  /** The length that the table has as 1: the median, or of exponential lengths the mean. */
  readonly medianUs: number;
  readonly minUs: number;
  readonly maxUs: number;
}

/**
 * Drawn lengths: a pure function of (seed word, job, task), whatever other jobs there are and in whatever order one
 * asks.
 */
export class DrawnLengths implements TaskLengths {
  /** @param seed the word of the phase (`seedWord`), so that a job's phases draw independently. */
  constructor(
    private readonly distribution: LengthDistribution,
    private readonly seed: number,
    private readonly job: number,
  ) {}

  lengthUs(index: number): number {
    const { table, medianUs, minUs, maxUs } = this.distribution;
    const us = Math.round(medianUs * quantileOfWord(counterHash(this.seed, this.job, index), table));
    return us < minUs ? minUs : us > maxUs ? maxUs : us;
  }
}

/** The lengths of a phase that has no tasks. */
export const NO_TASKS: TaskLengths = new FixedLengths(1);

/** Groups of equal tasks, one after the other: long phases in the memory of their groups. */
export class GroupedLengths implements TaskLengths {
  readonly listBytes: number;
  private readonly ends: Float64Array;
  private readonly eachUs: Float64Array;

  constructor(groups: readonly { readonly count: number; readonly lengthUs: number }[]) {
    this.ends = new Float64Array(groups.length);
    this.eachUs = Float64Array.from(groups, (group) => group.lengthUs);
    this.listBytes = 2 * LIST_BYTES + this.ends.byteLength + this.eachUs.byteLength;
    let end = 0;
    groups.forEach((group, index) => {
      end += group.count;
      this.ends[index] = end;
    });
  }

  lengthUs(index: number): number {
    let low = 0;
    let high = this.ends.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ends[middle] > index) high = middle;
      else low = middle + 1;
    }
    return this.eachUs[low];
  }
}
