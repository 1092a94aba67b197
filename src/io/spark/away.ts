import { counted, exp, ln, US_PER_MS, sumOver, ascending } from "../../core/kernel/index.js";
import type { AwayFactorName, StageInput } from "../../core/platforms/spark/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import {
  type AwayFactor,
  awayFactors,
  type HostSpeed,
  READS,
  type TaskTimes,
  taskTimes,
} from "../../experiments/index.js";
import { type LoggedApplication, type LoggedStage, SUCCESS, type TaskColumn } from "./event-log.js";

// The cost of tasks away from their data: learnt from a log, said in its report, written with its scenario.

/**
 * Returns the kind of input of a stage; of stages that read both input and shuffles, the one that they read more of.
 */
export function readsOf({ readsCached, parents, inputBytes, shuffleBytes }: LoggedStage): StageInput {
  if (readsCached) return "cached";
  return parents === null || parents.length === 0 || inputBytes > shuffleBytes ? "input" : "shuffle";
}

/** Factors and speeds that an import learns from the times of tasks. */
export interface LearntTimes extends Omit<TaskTimes, "speeds"> {
  readonly away: readonly AwayFactor[];
  readonly speeds: readonly (Omit<HostSpeed, "host"> & { readonly host: string })[];
}

/** @param rows of `columns`: for each task the attempt that counts. */
export function learntTimes(
  { executors, outcomes, stages }: LoggedApplication,
  columns: Readonly<Record<TaskColumn, Float64Array>>,
  rows: readonly number[],
): LearntTimes {
  const success = outcomes.indexOf(SUCCESS);
  // Copies that won were started for being fast.
  const used = rows.filter(
    (row) => columns.run[row] >= 0 && columns.outcome[row] === success && columns.isSpeculative[row] === 0,
  );
  const hosts = [...new Set(executors.map(({ host }) => host))];
  const hostOf = executors.map(({ host }) => hosts.indexOf(host));
  const reads = stages.map((stage) => READS.indexOf(readsOf(stage)));
  const column = (valueOf: (row: number) => number): Float64Array => Float64Array.from(used, valueOf);
  const tasks = {
    stage: column((row) => columns.stage[row]),
    reads: column((row) => reads[columns.stage[row]]),
    level: column((row) => columns.level[row]),
    host: column((row) => hostOf[columns.executor[row]]),
    executor: column((row) => columns.executor[row]),
    startUs: column((row) => columns.launch[row] * US_PER_MS),
    // The log counts whole milliseconds.
    runUs: column((row) => Math.max(0.5, columns.run[row]) * US_PER_MS),
    cpuUs: column((row) => Math.max(1, columns.cpu[row] / 1000)),
    bytes: column((row) => columns.bytes[row]),
  };
  const { speeds, ...times } = taskTimes(tasks);
  return {
    away: awayFactors(tasks),
    ...times,
    speeds: speeds.map(({ host, ...speed }) => ({ host: hosts[host], ...speed })),
  };
}

const READERS: Readonly<Record<StageInput, string>> = {
  input: "an input task",
  cached: "a task that reads cached partitions",
  shuffle: "a task that reads shuffles",
};

/** A line of the report. @param levelName as the platform calls it. */
export function awaySentence(factor: AwayFactor, levelName: string = factor.level): string {
  const { reads, level, unidentified, awayTasks, besideTasks, stages, hostStages, cpuFactor } = factor;
  const times = (value: number) => (value >= 9.95 ? String(Math.round(value)) : value.toFixed(1));
  const where =
    level === "NODE_LOCAL" ? `in another executor of its host (${levelName})` : `away from its data (${levelName})`;
  const range = `${times(factor.low)} to ${times(factor.high)}`;
  if (unidentified !== null) {
    return `what ${READERS[reads]} costs ${where} is not identified: ${unidentified}; runs carry ${range} times`;
  }
  const hosts = hostStages === 0 ? "" : `, hosts told apart by ${hostStages} more`;
  const cpu = cpuFactor === null ? "" : `; CPU time ${cpuFactor.toFixed(2)} times`;
  const behind = `${counted(awayTasks + besideTasks, "task")} of ${counted(stages, "stage")}${hosts}${cpu}`;
  const bound = factor.high > LIMITS.maxFactor ? `; runs take at most ${LIMITS.maxFactor}` : "";
  return `${where} ${READERS[reads]} takes ${times(factor.factor)} times as long (95 %: ${range}; ${behind})${bound}`;
}

interface WrittenFactor {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * First tasks that take more than this many times as long are short ones that load classes: a constant, which a factor
 * would carry to long tasks. A choice, made when replays of public logs with factors of 4 to 18 were off by up to 65 %.
 */
const MOST_FIRST = 3;

/**
 * Returns settings of `runtime`. For several applications on one cluster, a factor is the middle of their factors, and
 * its range spans their ranges. The spread is the largest of theirs, and factors of first tasks are medians.
 */
export function learntSettings(
  applications: readonly LearntTimes[],
): Partial<Record<AwayFactorName, WrittenFactor>> &
  Readonly<Record<"firstFactor" | "secondFactor" | "spread", number>> {
  const spread = Number(Math.max(0, ...applications.map((learnt) => learnt.spread)).toPrecision(4));
  const [first, second] = [0, 1].map((wave) => {
    const times = applications.map(({ warmUp }) => warmUp[wave]).sort(ascending);
    return written(times[times.length >> 1]);
  });
  const isCarried = first >= 1 && first <= MOST_FIRST;
  const [firstFactor, secondFactor] = isCarried ? [first, second] : [1, 1];
  return { ...awaySettings(applications.flatMap(({ away }) => away)), firstFactor, secondFactor, spread };
}

export function awaySettings(factors: readonly AwayFactor[]): Partial<Record<AwayFactorName, WrittenFactor>> {
  const settings: Partial<Record<AwayFactorName, WrittenFactor>> = {};
  for (const { reads, level } of factors) {
    const alike = factors.filter((factor) => factor.reads === reads && factor.level === level);
    const identified = alike.filter(({ unidentified }) => unidentified === null);
    const used = identified.length > 0 ? identified : alike;
    const middle = exp(sumOver(used, ({ factor }) => ln(factor)) / used.length);
    settings[settingOf(reads, level)] = {
      estimate: written(middle),
      low: written(Math.min(...used.map(({ low }) => low))),
      high: written(Math.max(...used.map(({ high }) => high))),
    };
  }
  return settings;
}

function settingOf(reads: StageInput, level: AwayFactor["level"]): AwayFactorName {
  if (reads === "shuffle") return "shuffleAnyFactor";
  if (reads === "cached") return level === "NODE_LOCAL" ? "cachedNodeFactor" : "cachedAnyFactor";
  return level === "RACK_LOCAL" ? "rackFactor" : "anyFactor";
}

function written(factor: number): number {
  return writtenWithin(factor, LIMITS.minFactor, LIMITS.maxFactor);
}

/** Returns a number in four digits, within what a scenario may say. */
export function writtenWithin(value: number, least: number, greatest: number): number {
  return Number(Math.min(greatest, Math.max(least, value)).toPrecision(4));
}
