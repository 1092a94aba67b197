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
export interface JobInput {
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
