import { sumOver } from "../../core/kernel/index.js";
import type { TaskColumn } from "./event-log.js";

// Times of the driver that a log proves: until when tasks held their cores, and how long the driver took before it
// offered a stage's tasks. Times are milliseconds of the driver's wall clock.

type Columns = Readonly<Record<TaskColumn, Float64Array>>;

/** An executor, as far as times depend on it. */
export interface CoreHolder {
  readonly cores: number;
  readonly profile: number;
  readonly fromMs: number;
  /** Infinity: it stays. */
  readonly untilMs: number;
}

/** Attempts of each executor, in the order of launch. */
function rowsByExecutor({ executor, launch }: Columns, executors: readonly CoreHolder[]): number[][] {
  const rowsOf: number[][] = executors.map(() => []);
  executor.forEach((number, row) => rowsOf[number].push(row));
  for (const rows of rowsOf) rows.sort((a, b) => launch[a] - launch[b] || a - b);
  return rowsOf;
}

/**
 * When each attempt gave its core back. A log tells when an attempt was launched and when the driver counted it as
 * finished; between its run and that the core may have been free. A launch on an executor that otherwise had no core
 * left proves that one was: that of the attempt whose run had ended first. Without such a proof the core counts as held
 * until the driver began to fetch the result, or counted the attempt as finished.
 * @param coresOf cores that an attempt takes. @returns by row.
 */
export function coreEndsMs(
  columns: Columns,
  executors: readonly CoreHolder[],
  coresOf: (row: number) => number,
): Float64Array {
  const { launch, finish, run, result } = columns;
  const ends = Float64Array.from(launch, (ms, row) =>
    result[row] > ms && result[row] <= finish[row] ? result[row] : finish[row],
  );
  for (const [number, rows] of rowsByExecutor(columns, executors).entries()) {
    const { cores } = executors[number];
    let holding: number[] = [];
    let heldCores = 0;
    for (const row of rows) {
      const atMs = launch[row];
      if (holding.some((attempt) => ends[attempt] <= atMs)) {
        holding = holding.filter((attempt) => ends[attempt] > atMs);
        heldCores = sumOver(holding, coresOf);
      }
      while (heldCores + coresOf(row) > cores) {
        let first = -1;
        for (const attempt of holding) {
          if (run[attempt] < 0 || launch[attempt] + run[attempt] > atMs) continue;
          if (first < 0 || launch[attempt] + run[attempt] < launch[first] + run[first]) first = attempt;
        }
        // More tasks run than there are cores for: the number of cores cannot be right, and proves nothing.
        if (first < 0) break;
        ends[first] = atMs;
        holding.splice(holding.indexOf(first), 1);
        heldCores -= coresOf(first);
      }
      holding.push(row);
      heldCores += coresOf(row);
    }
  }
  return ends;
}

/**
 * Returns the time for which the driver let the core of each attempt lie idle before it launched the next of the same
 * stage there, which had waited for it: that one was allowed at once, being on its data or without a preference.
 * Nothing is said of the last attempt of a stage on a core.
 * @param ends by row, as `coreEndsMs` gives them. @param mayWait whether a row is an attempt that could have been
 *   launched since its stage began.
 * @returns by row, in ms.
 */
export function turnaroundsMs(
  columns: Columns,
  ends: Float64Array,
  executors: readonly CoreHolder[],
  mayWait: (row: number) => boolean,
): Float64Array {
  const { launch, stage } = columns;
  const turns = new Float64Array(launch.length);
  for (const rows of rowsByExecutor(columns, executors)) {
    let holding: number[] = [];
    // Those whose core nothing took since, by the time at which it was free.
    const freed: number[] = [];
    for (const row of rows) {
      const ended = holding.filter((attempt) => ends[attempt] <= launch[row]);
      if (ended.length > 0) {
        holding = holding.filter((attempt) => ends[attempt] > launch[row]);
        freed.push(...ended);
        freed.sort((a, b) => ends[a] - ends[b]);
      }
      const freedRank = freed.map((attempt) => stage[attempt]).lastIndexOf(stage[row]);
      const [before] = freed.splice(freedRank >= 0 ? freedRank : freed.length - 1, 1);
      if (freedRank >= 0 && mayWait(row)) turns[before] = launch[row] - ends[before];
      holding.push(row);
    }
  }
  return turns;
}

/** A stage's way from its submission to its first launch. */
interface StageStart {
  readonly submittedMs: number;
  readonly firstMs: number;
  /** Cores that a task of it takes, and the profile of executors that it may take them from. */
  readonly cores: number;
  readonly profile: number;
  /**
   * Whether its first task was allowed on an executor at once, whatever its wait for locality; of all where it had no
   * preference.
   */
  readonly isLocal: (executor: number) => boolean;
}

/**
 * Time in which some executor had a core free that a stage might take before its first launch: the least and the most
 * that the driver's own time can have been. `localMs` counts executors that its wait for locality allowed from the
 * beginning, `anyMs` all of its profile.
 */
export class FreeCores {
  /** By executor: changes of cores that are held, by time. */
  private readonly changes: { readonly atMs: Float64Array; readonly heldCores: Float64Array }[];

  constructor(
    columns: Columns,
    ends: Float64Array,
    private readonly executors: readonly CoreHolder[],
    coresOf: (row: number) => number,
  ) {
    const byExecutor: { atMs: number; by: number }[][] = executors.map(() => []);
    const { executor, launch } = columns;
    for (let row = 0; row < launch.length; row++) {
      byExecutor[executor[row]].push({ atMs: launch[row], by: coresOf(row) }, { atMs: ends[row], by: -coresOf(row) });
    }
    this.changes = byExecutor.map((coreChanges) => {
      coreChanges.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
      let heldCores = 0;
      return {
        atMs: Float64Array.from(coreChanges, ({ atMs }) => atMs),
        heldCores: Float64Array.from(coreChanges, ({ by }) => (heldCores += by)),
      };
    });
  }

  before({ submittedMs, firstMs, cores, profile, isLocal }: StageStart): {
    readonly localMs: number;
    readonly anyMs: number;
  } {
    const local: [number, number][] = [];
    const any: [number, number][] = [];
    this.executors.forEach((holder, executor) => {
      if (holder.profile !== profile) return;
      const spans = this.freeSpans(
        executor,
        cores,
        Math.max(submittedMs, holder.fromMs),
        Math.min(firstMs, holder.untilMs),
      );
      any.push(...spans);
      if (isLocal(executor)) local.push(...spans);
    });
    return { localMs: lengthOf(local), anyMs: lengthOf(any) };
  }

  /** When an executor first left a core free for longer than a launch takes, within a time; Infinity: it did not. */
  firstIdleMs(executor: number, cores: number, fromMs: number, untilMs: number): number {
    const { fromMs: cameMs, untilMs: wentMs } = this.executors[executor];
    const spans = this.freeSpans(executor, cores, Math.max(fromMs, cameMs), Math.min(untilMs, wentMs));
    return spans.find(([from, until]) => until - from > LONGEST_LAUNCH_MS)?.[0] ?? Infinity;
  }

  private freeSpans(executor: number, cores: number, fromMs: number, untilMs: number): [number, number][] {
    const { atMs, heldCores } = this.changes[executor];
    const limit = this.executors[executor].cores - cores;
    const spans: [number, number][] = [];
    let next = firstAfter(atMs, fromMs);
    let nowMs = fromMs;
    while (nowMs < untilMs) {
      const endMs = Math.min(untilMs, atMs[next] ?? Infinity);
      if ((next === 0 ? 0 : heldCores[next - 1]) <= limit && endMs > nowMs) spans.push([nowMs, endMs]);
      nowMs = endMs;
      next++;
    }
    return spans;
  }
}

/** A choice: a core that stays free for longer was offered, and found nothing. */
const LONGEST_LAUNCH_MS = 100;

/** The first place beyond a value in an ascending list. */
export function firstAfter(sorted: ArrayLike<number>, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the time that at least one of the spans covers. */
function lengthOf(spans: [number, number][]): number {
  spans.sort((a, b) => a[0] - b[0]);
  let [sum, untilMs] = [0, -Infinity];
  for (const [from, until] of spans) {
    if (until <= untilMs) continue;
    sum += until - Math.max(from, untilMs);
    untilMs = until;
  }
  return sum;
}
