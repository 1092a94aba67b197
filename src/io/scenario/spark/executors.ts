import type * as z from "zod";
import { counted, formatTime, MAX_TIME_US, mismatch, sumOver, maxOver } from "../../../core/kernel/index.js";
import {
  ALLOCATION_ROWS,
  hostsForExecutors,
  type HostSpec,
  type NamedExecutor,
  type SparkScenario,
} from "../../../core/platforms/spark/index.js";
import { defaultsOf, LIMITS } from "../../../core/scenario/index.js";
import type { ReadConf } from "../../spark/conf.js";
import type { ReadExecutors } from "../../spark/executors-csv.js";
import { dynamic, switched } from "../../spark/setting-forms.js";
import { type Problem, wrong } from "../diagnose.js";
import { optional, recordOf, setting } from "../setting.js";
import { quote } from "../show.js";
import { count, duration, durationOr, filePath, mapping } from "../values.js";
import type { OnCluster } from "./hosts.js";

// Executors of an application: by number, by a table, or as they are needed.

export const executors = mapping({
  file: optional(
    filePath,
    "A table of executors as they come and go (docs/formats/spark-event-logs.md); relative to this file.",
    "they are alike",
  ),
  count: optional(
    count(1, LIMITS.nodes),
    "Executor i is on host i mod hosts. With a table: the most at one time; the others come when one goes, if they are there then.",
    "one on each host, or all of the table",
  ),
  cores: optional(
    count(1, LIMITS.cores),
    "Cores of each: `spark.executor.cores`.",
    "as the table or scheduler.conf says, or 1",
  ),
  dynamic: optional(
    switched(dynamic),
    "Executors come while tasks wait and go when they are idle, on the host that has the fewest: `spark.dynamicAllocation`.",
    "as scheduler.conf says, or false",
  ),
  from: setting(duration(0, MAX_TIME_US), "When they come.", 0),
  until: setting(durationOr("end", 0, MAX_TIME_US), "When they go.", "end"),
});

export type ExecutorsFile = z.output<typeof executors>;

/** A table says when executors come and go; so does dynamic allocation, which says how many, too. */
export function tableProblems({ file, count: executorCount, from, until, dynamic: said }: ExecutorsFile): Problem[] {
  const beside = (winner: string, besideSettings: object, why: string) =>
    Object.entries(besideSettings).flatMap(([key, value]): Problem[] => {
      if (value === undefined) return [];
      const message = `executors.${key} and executors.${winner} exclude each other: ${why}`;
      return [{ path: ["executors", key], atKey: true, message }];
    });
  const isDynamic = said !== undefined && said !== false;
  return [
    ...(file === undefined ? [] : beside("file", { from, until }, "the table says when executors come and go")),
    ...(isDynamic
      ? beside("dynamic", { file, count: executorCount, from, until }, "executors come as they are needed")
      : []),
    ...(until !== undefined && until <= (from ?? 0)
      ? [wrong(["executors", "until"], formatTime(until), `later than executors.from, ${formatTime(from ?? 0)}`)]
      : []),
  ];
}

/** Executors that no host of theirs ever has room for. */
export function roomProblems({
  cluster: { hosts },
  executors: allExecutors,
  allocation,
  scheduler: driver,
}: OnCluster): Problem[] {
  const path = ["executors", "cores"];
  const roomOf = (host: number) => hosts[host].cores ?? Infinity;
  if (allocation !== undefined) {
    const maxRoom = maxOver(hosts, (_, host) => roomOf(host), 0);
    const { executorCores } = driver;
    if (executorCores <= maxRoom) return [];
    return [wrong(path, String(executorCores), `at most the ${maxRoom} of the largest host`)];
  }
  const tooLarge = allExecutors.find(({ host, cores }) => cores > roomOf(host));
  if (tooLarge === undefined) return [];
  const { host, cores } = tooLarge;
  return [wrong(path, String(cores), `at most the ${roomOf(host)} of host ${quote(hosts[host].name)}`)];
}

/** Allocation by the file, then its spark-defaults.conf, then Spark's defaults; null: executors are listed. */
export function allocationOf(
  { file, count: executorCount, from, until, dynamic: said }: ExecutorsFile,
  cores: number,
  hosts: readonly HostSpec[],
  conf: ReadConf | null,
  notes: string[],
): NonNullable<SparkScenario["allocation"]> | null {
  const { isOn, instances = 0, ...usual } = conf?.configuration.dynamic ?? { isOn: false };
  const winner = Object.entries({ file, count: executorCount, from, until }).find(
    ([, value]) => value !== undefined,
  )?.[0];
  if (said === undefined && isOn && winner !== undefined) {
    notes.push(`spark.dynamicAllocation of scheduler.conf has no effect beside executors.${winner}`);
    return null;
  }
  if (said === false || (said === undefined && !isOn)) return null;
  const { initial: saidInitial, ...fileSettings } = recordOf(dynamic, typeof said === "object" ? said : {});
  const {
    min,
    backlogUs,
    sustainedUs = backlogUs,
    idleUs,
    startUs,
    ...most
  } = {
    ...defaultsOf(ALLOCATION_ROWS),
    ...usual,
    ...fileSettings,
  };
  const initial = saidInitial ?? Math.max(min, usual.initial ?? 0, instances);
  // As many as the cluster has room for; where hosts take any number of them, one for each.
  const room = sumOver(
    hostsForExecutors(hosts).map((host) => hosts[host].cores),
    (hostCores) => (hostCores === undefined ? 1 : Math.floor(hostCores / cores)),
  );
  const { max = Math.max(room, min, initial) } = most;
  if (max > room && hosts.some(({ cores: ofHost }) => ofHost === undefined)) {
    notes.push(
      `up to ${counted(max, "executor")} may come, and a host without a number of cores takes any number of them: cluster.cores says how many there is room for`,
    );
  }
  return { min, initial, max, backlogUs, sustainedUs, idleUs, startUs };
}

/** Fewer at first than at least, or more than at most. */
export function allocationProblems({ dynamic: said }: ExecutorsFile, { allocation }: OnCluster): Problem[] {
  if (allocation === undefined) return [];
  const { min, initial, max } = allocation;
  const isSaid = (key: "min" | "initial" | "max") => typeof said === "object" && said[key] !== undefined;
  const problem = (key: "min" | "initial" | "max", allowed: string): Problem => {
    const actual = `${allocation[key]} executors ${isSaid(key) ? "" : "of scheduler.conf "}`;
    const name = `executors.dynamic.${key}`;
    const path = isSaid(key) ? ["executors", "dynamic", key] : ["executors"];
    return { path, atKey: false, message: mismatch(`${actual}for ${name}`, allowed) };
  };
  if (min > max) return [problem("min", `at most the ${max} of max`)];
  if (initial < min) return [problem("initial", `at least the ${min} of min`)];
  return initial > max ? [problem("initial", `at most the ${max} of max`)] : [];
}

export function executorsOf(
  { count: maxCount, cores: said, from = 0, until = Infinity, file }: ExecutorsFile,
  cores: number,
  hosts: readonly HostSpec[],
  table: ReadExecutors | null,
  notes: string[],
): Pick<SparkScenario, "executors" | "leftOut"> {
  if (file !== undefined && table !== null) {
    const tableExecutors = table.executors.map((executor, i) => ({
      id: table.ids[i],
      ...executor,
      cores: said ?? executor.cores,
    }));
    if (maxCount === undefined) return { executors: tableExecutors, leftOut: [] };
    const ever = mostAtOnce(tableExecutors, () => 1);
    if (maxCount >= ever) notes.push(`executors.count has no effect: of the table at most ${ever} are there at once`);
    return atMost(maxCount, tableExecutors);
  }
  const places = hostsForExecutors(hosts);
  const listed = Array.from({ length: maxCount ?? places.length }, (_, i) => ({
    id: String(i + 1),
    host: places[i % places.length],
    cores,
    fromUs: from,
    untilUs: until,
  }));
  return { executors: listed, leftOut: [] };
}

/** The peak of an amount over executors that start and end. */
export function mostAtOnce(executors: readonly NamedExecutor[], amountOf: (executor: NamedExecutor) => number): number {
  const changes = executors.flatMap((executor) => [
    { atUs: executor.fromUs, by: amountOf(executor) },
    { atUs: executor.untilUs, by: -amountOf(executor) },
  ]);
  // At one instant, executors that end come before those that start.
  changes.sort((a, b) => (a.atUs === b.atUs ? a.by - b.by : a.atUs - b.atUs));
  let [now, peak] = [0, 0];
  for (const { by } of changes) {
    now += by;
    peak = Math.max(peak, now);
  }
  return peak;
}

/**
 * Limits the executors at one time, first come first served. One without room starts when another ends, unless its own
 * time is over by then.
 */
function atMost(maxCount: number, wanted: readonly NamedExecutor[]): Pick<SparkScenario, "executors" | "leftOut"> {
  const ends: number[] = [];
  const executors: NamedExecutor[] = [];
  const leftOut: string[] = [];
  for (const executor of [...wanted].sort((a, b) => a.fromUs - b.fromUs)) {
    // The earliest that goes makes room.
    const roomUs = ends.length < maxCount ? 0 : ends[0];
    const fromUs = Math.max(executor.fromUs, roomUs);
    if (fromUs >= executor.untilUs) {
      leftOut.push(executor.id);
      continue;
    }
    if (ends.length === maxCount) ends.shift();
    const after = ends.findIndex((end) => end > executor.untilUs);
    ends.splice(after < 0 ? ends.length : after, 0, executor.untilUs);
    executors.push({ ...executor, fromUs });
  }
  return { executors, leftOut };
}
