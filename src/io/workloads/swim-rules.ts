import { MAX_TIME_US, US_PER_SECOND } from "../../core/kernel/time.js";
import type { SwimWorkloadSpec } from "../../core/scenario/scenario.js";
import type { JobNeeds, TaskLengths } from "../../core/workload/job.js";
import { FixedLengths, FullButLastLengths, NO_TASKS } from "../../core/workload/task-lengths.js";
import { LIMITS } from "../scenario/limits.js";
import type { PlacedProblem } from "./line-problems.js";
import type { SwimLine } from "./swim-line.js";

/** What the rules make of one line: a SWIM trace has bytes, no tasks and no times. */
export interface SwimTasks extends JobNeeds {
  readonly submitAtUs: number;
  readonly maps: number;
  readonly reduces: number;
  readonly mapLengths: TaskLengths;
  readonly copyLengths: TaskLengths;
  readonly reduceLengths: TaskLengths;
}

/**
 * From bytes to tasks, as docs/formats/swim.md states it. Maps: one per `bytesPerMap` begun, at least 1, at most `maxMaps`.
 * Reduces: none without shuffle bytes, else one per `bytesPerReduce` begun, at most `maxReduces`. Times: bytes over rate, and
 * `taskOverheadUs` for every map and reduce. Bytes of a task: the job's, in equal parts. Or what is wrong: a time or a number of tasks beyond what a run can hold.
 */
export function tasksOf(line: SwimLine, spec: SwimWorkloadSpec): SwimTasks | readonly PlacedProblem[] {
  const { inputBytes, shuffleBytes, outputBytes, columns } = line;
  const submitAtUs = Math.round((line.submitSeconds * US_PER_SECOND) / spec.timeScale);
  const maps = Math.min(spec.maxMaps, Math.max(1, Math.ceil(inputBytes / spec.bytesPerMap)));
  const reduces = shuffleBytes === 0 ? 0 : Math.min(spec.maxReduces, Math.ceil(shuffleBytes / spec.bytesPerReduce));
  const isCapped = maps * spec.bytesPerMap < inputBytes;
  const fullBytes = maps === 1 || isCapped ? inputBytes / maps : spec.bytesPerMap;
  const lastBytes = isCapped ? fullBytes : inputBytes - (maps - 1) * fullBytes;
  const fullUs = timeUs(fullBytes, spec.mapBytesPerSecond, spec.taskOverheadUs);
  const lastUs = timeUs(lastBytes, spec.mapBytesPerSecond, spec.taskOverheadUs);
  const copyUs = Math.round((shuffleBytes / reduces / spec.shuffleBytesPerSecond) * US_PER_SECOND);
  const reduceUs = timeUs((shuffleBytes + outputBytes) / reduces, spec.reduceBytesPerSecond, spec.taskOverheadUs);

  const problems: PlacedProblem[] = [];
  const limit = (value: number, high: number, column: number, what: string): void => {
    if (value > high)
      problems.push({ column, message: `${what}, found ${String(value)}; allowed: at most ${String(high)}` });
  };
  limit(submitAtUs, MAX_TIME_US, columns.submit, "submit time in microseconds, after timeScale");
  limit(maps, LIMITS.tasksPerPhase, columns.input, "maps from the input bytes (see bytesPerMap, maxMaps)");
  limit(
    fullUs,
    LIMITS.taskUs,
    columns.input,
    "microseconds of one map from the input bytes (see bytesPerMap, mapRate)",
  );
  if (reduces > 0) {
    limit(
      reduces,
      LIMITS.tasksPerPhase,
      columns.shuffle,
      "reduces from the shuffle bytes (see bytesPerReduce, maxReduces)",
    );
    limit(copyUs, LIMITS.taskUs, columns.shuffle, "microseconds of one copy from the shuffle bytes (see shuffleRate)");
    limit(
      reduceUs,
      LIMITS.taskUs,
      columns.shuffle,
      "microseconds of one reduce from shuffle and output bytes (see reduceRate)",
    );
  }
  if (problems.length > 0) return problems;
  return {
    submitAtUs,
    maps,
    reduces,
    mapLengths: fullUs === lastUs ? new FixedLengths(fullUs) : new FullButLastLengths(maps, fullUs, lastUs),
    copyLengths: reduces === 0 ? NO_TASKS : new FixedLengths(copyUs),
    reduceLengths: reduces === 0 ? NO_TASKS : new FixedLengths(reduceUs),
    ...bytesOf(line, maps, reduces),
  };
}

/** Without reduces it is the maps that write the job's output, and nothing is shuffled even if `maxReduces` made it so. */
function bytesOf({ inputBytes, shuffleBytes, outputBytes }: SwimLine, maps: number, reduces: number): JobNeeds {
  return {
    inputBytesPerMap: Math.round(inputBytes / maps),
    mapOutputBytes: Math.round((reduces === 0 ? outputBytes : shuffleBytes) / maps),
    outputBytesPerReduce: reduces === 0 ? undefined : Math.round(outputBytes / reduces),
  };
}

function timeUs(bytes: number, bytesPerSecond: number, overheadUs: number): number {
  return Math.max(1, overheadUs + Math.round((bytes / bytesPerSecond) * US_PER_SECOND));
}
