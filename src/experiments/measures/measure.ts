import { HADOOP_WORDS } from "../../core/platforms/hadoop/index.js";
import { localTask, type RecordWords, type RunRecord, type Section, type Summary } from "../../core/record/index.js";
import { SIZE_BINS, sizeBinOf } from "../../core/workload/index.js";

/** The platform of a measure without a run. */
export const USUAL_WORDS: RecordWords = HADOOP_WORDS;

export interface MeasuredRun {
  readonly summary: Summary;
  readonly record: RunRecord;
  /** null: not measured. */
  readonly decisions: DecisionCost | null;
}

export type MeasureUnit =
  | "share"
  | "seconds"
  | "seconds-per-task"
  | "skips-per-task"
  | "ratio"
  | "per-second"
  | "index"
  | "count"
  | "gigabytes"
  | "machine-seconds"
  | "machine-microseconds";

/** Groups of measures; those of one group are shown together. */
export type MeasureGroup =
  | "response"
  | "response-mean"
  | "response-p50"
  | "response-p95"
  | "slowdown"
  | "gain"
  | "locality"
  | "fairness"
  | "waits"
  | "waste"
  | "moved"
  | "storage"
  | "cost";

/**
 * The basis of a measure: the jobs that count, or everything from the first instant on. Only the former leaves out a
 * warm-up.
 */
type MeasureScope = "jobs" | "run";

/** Which values of a measure are better. */
export type Better = "lower" | "higher";

/** Features that only some scenarios have. In the others a 0 would read like a finding. */
export type Notion = "kills" | "replication" | "cachedFiles" | "deadlines";

/** One number by which systems are compared, but for how it is computed: all that anybody says of it. */
export interface MeasureWords {
  /** Unique. */
  readonly key: string;
  readonly group: MeasureGroup;
  /** Beside the others of its group. */
  readonly label: string;
  /** The title where the measure stands alone, without its unit. */
  readonly title: string;
  readonly unit: MeasureUnit;
  /** The noun of a task, in units per task. */
  readonly per?: string;
  readonly scope: MeasureScope;
  /** null: neither is better by itself. */
  readonly better: Better | null;
  /** A share of what is due, of which one can have more than the whole. */
  readonly mayExceedWhole?: true;
  /** Platforms without this have no such measure. */
  readonly needs?: Section;
  /** Its 0 says something only of runs that have this. Default: of every run. */
  readonly notion?: Notion;
  /** Also taken of single pools and users, or of single pools. Default: of whole runs only. */
  readonly takenOf?: "groups" | "pools";
}

export interface Measure extends MeasureWords {
  /** Null when the run has no such value. */
  readonly evaluate: (run: MeasuredRun) => number | null;
  /**
   * The grid step of its values: what one job a heartbeat later, or one task elsewhere, changes. Not there: the values
   * lie on no grid.
   */
  readonly step?: (run: MeasuredRun) => number;
}

/** Between what its values are: shares begin at 0, and those of a whole end at 1. */
export function boundsOf({
  unit,
  mayExceedWhole,
}: Pick<MeasureWords, "unit" | "mayExceedWhole">): readonly [low: number, high: number] {
  if (unit !== "share") return [-Infinity, Infinity];
  return [0, mayExceedWhole === true ? Infinity : 1];
}

/** The kept figures of a run: by key its values, and the grids on which they lie, of those that lie on one. */
export interface MeasuredFigures {
  readonly values: Readonly<Record<string, number | null>>;
  readonly steps: Readonly<Record<string, number>>;
}

/** @param notions what the scenario has: zeros of the others are no values. `every`: all zeros are values. */
export function figuresOfMeasures(
  measures: readonly Measure[],
  notions: ReadonlySet<Notion> | "every",
  runFor: (measure: Measure) => MeasuredRun,
): MeasuredFigures {
  const values = measures.map((measure) => {
    const { key, notion } = measure;
    const value = measure.evaluate(runFor(measure));
    return [
      key,
      value === 0 && notion !== undefined && notions !== "every" && !notions.has(notion) ? null : value,
    ] as const;
  });
  const steps = measures.flatMap((measure, i) => {
    const step = values[i][1] === null ? 0 : (measure.step?.(runFor(measure)) ?? 0);
    return step > 0 && Number.isFinite(step) ? [[measure.key, step] as const] : [];
  });
  return { values: Object.fromEntries(values), steps: Object.fromEntries(steps) };
}

/** The grid of times where events of jobs and tasks are reported in heartbeats; 0: there is none. */
export function heartbeatStep({ summary }: MeasuredRun): number {
  return summary.cluster.heartbeatSeconds ?? 0;
}

/** The cost of a run's decisions on this machine. */
export interface DecisionCost {
  /** Inside the scheduler, the launches that it causes included. */
  readonly seconds: number;
  /** Heartbeats that offered slots. */
  readonly heartbeats: number;
  /** Tasks launched. */
  readonly launches: number;
}

/** Groups of size bins, by index into SIZE_BINS: bins 1-3, 4-8 and 9 of the paper (section 5.1). */
export const SIZE_GROUPS = {
  Small: { first: 0, last: 2 },
  Medium: { first: 3, last: 7 },
  Large: { first: 8, last: 8 },
} as const;

export type SizeGroup = keyof typeof SIZE_GROUPS;

/** Tasks per job: `21-1500`. */
export function sizesOf(group: SizeGroup): string {
  const { first, last } = SIZE_GROUPS[group];
  const { minMaps } = SIZE_BINS[first];
  const { maxMaps } = SIZE_BINS[last];
  return maxMaps === Infinity ? `>${minMaps - 1}` : `${minMaps}-${maxMaps}`;
}

/** `jobs of 21-1500 maps`; null: `all jobs`. */
export function jobsOf(words: RecordWords, size: string | null): string {
  const { one: singular, many: plural } = localTask(words);
  return size === null ? "all jobs" : `jobs of ${size} ${size === "1" ? singular : plural}`;
}

/** A job of so many tasks is of the group; null: every job is. */
export function isIn(group: SizeGroup | null, tasks: number): boolean {
  if (group === null) return true;
  const bin = sizeBinOf(tasks);
  return bin >= SIZE_GROUPS[group].first && bin <= SIZE_GROUPS[group].last;
}
