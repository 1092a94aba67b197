import { ascending } from "../../core/kernel/index.js";
import { type JobColumns, jobsWhere, localType, type RunRecord } from "../../core/record/index.js";
import { SIZE_CLASSES, sizeBinOf } from "../../core/workload/index.js";
import type { WarmUp } from "../sweep/sweep-plan.js";

/**
 * With 100, one steady series in four seems to change in its second half, or loses more than a fifth of it; with these,
 * one in eleven.
 */
const LEAST_JOBS = 200;

/** From when on jobs of a run count. */
interface WarmUpCut {
  /** Submission at or after this instant; 0: all. Null: all, too, as none was found. */
  readonly cutUs: number | null;
  /** Notes on the cut for the user. */
  readonly notes: readonly string[];
}

/** @param endUs when the run stopped. */
export function warmUpCut(record: Pick<RunRecord, "words" | "jobs">, endUs: number, warmUp: WarmUp): WarmUpCut {
  const { jobs } = record;
  switch (warmUp.kind) {
    case "none":
      return { cutUs: 0, notes: [] };
    case "cut": {
      const isBeforeSome = jobs.submitAtUs.subarray(0, jobs.rows).some((atUs) => atUs >= warmUp.untilUs);
      return {
        cutUs: warmUp.untilUs,
        notes: isBeforeSome ? [] : ["warm-up: no job was submitted after it; measures of jobs have no value"],
      };
    }
    case "detect":
      return detectedCut(record, endUs);
  }
}

function detectedCut({ words, jobs }: Pick<RunRecord, "words" | "jobs">, endUs: number): WarmUpCut {
  const { rows, slowness } = slownessOfJobs(jobs, jobs.tasks[localType(words)], endUs);
  if (rows.length < LEAST_JOBS) return notFound(`${rows.length} jobs, and ${LEAST_JOBS} are needed`);
  const cut = mser5(slowness);
  if (cut === null) return notFound("response times still change in the second half of the run");
  const counted = rows.slice(cut);
  const ended = counted.filter((job) => jobs.endAtUs[job] >= 0).length;
  if (ended * 2 < counted.length) return notFound("most jobs after it would not have ended");
  return { cutUs: cut === 0 ? 0 : jobs.submitAtUs[rows[cut]], notes: [] };
}

function notFound(why: string): WarmUpCut {
  return { cutUs: null, notes: [`warm-up not found: ${why}; all jobs count`] };
}

/**
 * The slowness of each job that did not fail, in order of submission: the share of the jobs of its size bin that ended
 * in this run and did so faster, equal ones by half. One that has not ended is slower than it has been waiting, and is
 * given the middle of the shares that are left to it: on average, jobs are as slow by this at the end of a run as
 * before.
 *
 * Response times themselves differ by factors of hundreds, between small and large jobs and within a bin: a cut found
 * in them would show where long jobs were submitted, and the end of a run, whose long jobs have not ended, would seem
 * to be its steady part.
 */
function slownessOfJobs(
  jobs: JobColumns,
  sizes: Int32Array,
  endUs: number,
): { readonly rows: readonly number[]; readonly slowness: readonly number[] } {
  const responses = responsesBySize(jobs, sizes);
  const rows: number[] = [];
  const slowness: number[] = [];
  for (let job = 0; job < jobs.rows; job++) {
    if (jobs.hasFailed[job] !== 0) continue;
    const responsesOfBin = responses.get(sizeBinOf(sizes[job])) ?? NONE;
    const endAtUs = jobs.endAtUs[job];
    const faster = shareAtMost(responsesOfBin, (endAtUs < 0 ? endUs : endAtUs) - jobs.submitAtUs[job]);
    rows.push(job);
    slowness.push(endAtUs < 0 ? (faster.atMost + 1) / 2 : (faster.below + faster.atMost) / 2);
  }
  return { rows, slowness };
}

/** Per size bin, of jobs that ended and did not fail, in rising order. */
function responsesBySize(
  { rows, submitAtUs, endAtUs, hasFailed }: JobColumns,
  sizes: Int32Array,
): Map<number, Float64Array> {
  const timesByBin = new Map<number, number[]>(SIZE_CLASSES.map(({ bin }) => [bin, []]));
  for (let job = 0; job < rows; job++) {
    if (endAtUs[job] < 0 || hasFailed[job] !== 0) continue;
    timesByBin.get(sizeBinOf(sizes[job]))?.push(endAtUs[job] - submitAtUs[job]);
  }
  return new Map([...timesByBin].map(([bin, times]) => [bin, Float64Array.from(times).sort(ascending)]));
}

const NONE = new Float64Array();

/** Shares of sorted values below a value, and at or below it; 0 of none. */
function shareAtMost(sorted: Float64Array, value: number): { readonly below: number; readonly atMost: number } {
  const n = Math.max(1, sorted.length);
  return {
    below: countWhile(sorted, (entry) => entry < value) / n,
    atMost: countWhile(sorted, (entry) => entry <= value) / n,
  };
}

/** Counts the values at the beginning of a sorted list that meet a condition; no later value meets it. */
function countWhile(sorted: Float64Array, holds: (value: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The jobs submitted at or after an instant. */
export function jobsFrom(jobs: JobColumns, cutUs: number): JobColumns {
  let first = 0;
  // In submission order.
  while (first < jobs.rows && jobs.submitAtUs[first] < cutUs) first++;
  return first === 0 ? jobs : jobsWhere(jobs, (row) => row >= first);
}

const BATCH = 5;

/** Fewer batches than these at the end have a small variance by chance too often. */
const LEAST_LEFT = 5;

/** With fewer batches there is no telling a beginning from the rest. */
const LEAST_BATCHES = 10;

/**
 * MSER-5 (White, Cobb & Spratt 2000): the index of the first value that counts, a multiple of 5, such that the mean of
 * those left is known best: over means of 5 values in a row, the sum of squares about the mean of those left, over the
 * square of their number, is smallest; the earliest such index, should there be several. Values beyond the last full 5
 * say nothing.
 *
 * Null: not found, for the series is shorter than 50 values, or that index is not in its first half: then the series is
 * still changing, and what is left is no better than what would be cut.
 */
export function mser5(series: readonly number[]): number | null {
  const batches = Math.floor(series.length / BATCH);
  if (batches < LEAST_BATCHES) return null;
  let best = batches;
  let bestError = Infinity;
  // From the end, so that mean and squares (Welford) of what is left grow by one batch at a time.
  let mean = 0;
  let squares = 0;
  for (let first = batches - 1; first >= 0; first--) {
    const remaining = batches - first;
    const batch = batchMean(series, first);
    const deviation = batch - mean;
    mean += deviation / remaining;
    squares += deviation * (batch - mean);
    const error = squares / (remaining * remaining);
    if (remaining < LEAST_LEFT || error > bestError) continue;
    best = first;
    bestError = error;
  }
  return best * 2 < batches ? best * BATCH : null;
}

function batchMean(series: readonly number[], batch: number): number {
  let sum = 0;
  for (let i = batch * BATCH; i < (batch + 1) * BATCH; i++) sum += series[i];
  return sum / BATCH;
}
