import type * as z from "zod";
import { counted, formatTime, MAX_TIME_US } from "../../../core/kernel/index.js";
import {
  hostsForExecutors,
  type HostSpec,
  type NamedExecutor,
  type SparkScenario,
} from "../../../core/platforms/spark/index.js";
import type { ReadConf } from "../../spark/conf.js";
import type { ReadExecutors } from "../../spark/executors-csv.js";
import { type Problem, wrong } from "../diagnose.js";
import { LIMITS } from "../limits.js";
import { recordOf, setting } from "../setting.js";
import { quote } from "../show.js";
import { count, duration, durationOr, either, flag, mapping, text } from "../values.js";
import type { OnCluster } from "./hosts.js";

// Executors of an application: by number, by a table, or as they are needed.

// A timeout of none would ask for executors, or let them go, at each look.
const backlog = duration(1_000, LIMITS.waitUs);

const dynamic = mapping({
  min: setting(count(0, LIMITS.nodes), { usually: "0", says: "The least: `spark.dynamicAllocation.minExecutors`." }),
  max: setting(count(1, LIMITS.nodes), {
    usually: "as many as hosts have room for, or one for each; min and initial if they say more",
    says: "The most: `.maxExecutors`. Where Spark has no limit, its cluster has.",
  }),
  initial: setting(count(0, LIMITS.nodes), {
    usually: "min",
    says: "At first, until there is something to do: `.initialExecutors`.",
  }),
  backlog: setting(backlog, {
    usually: "1s",
    says: "How long tasks wait before an executor is asked for: `.schedulerBacklogTimeout`.",
  }),
  sustained: setting(backlog, {
    usually: "backlog",
    says: "How long they wait before twice as many are, and so on: `.sustainedSchedulerBacklogTimeout`.",
  }),
  idle: setting(durationOr("never", 0, LIMITS.waitUs), {
    usually: "60s",
    says: "How long an executor runs nothing before it goes: `.executorIdleTimeout`.",
  }),
  start: setting(duration(0, LIMITS.waitUs), {
    as: "startUs",
    default: "5s",
    says: "From the request for an executor until it is there: the cluster manager's work, of which Spark says nothing.",
  }),
});

export const executors = mapping({
  file: setting(text(1, LIMITS.pathLength), {
    usually: "they are alike",
    says: "A table of executors as they come and go (docs/formats/spark-event-logs.md); relative to this file.",
  }),
  count: setting(count(1, LIMITS.nodes), {
    usually: "one on each host, or all of the table",
    says: "Executor i is on host i mod hosts. With a table: the most at one time; the others come when one goes, if they are there then.",
  }),
  cores: setting(count(1, LIMITS.cores), {
    usually: "as the table or scheduler.conf says, or 1",
    says: "Cores of each: `spark.executor.cores`.",
  }),
  dynamic: setting(
    either([flag(), dynamic], () => "true, false, or a mapping {min, max, initial, backlog, sustained, idle, start}"),
    {
      usually: "as scheduler.conf says, or false",
      says: "Executors come while tasks wait and go when they are idle, on the host that has the fewest: `spark.dynamicAllocation`.",
    },
  ),
  from: setting(duration(0, MAX_TIME_US), { default: 0, says: "When they come." }),
  until: setting(durationOr("end", 0, MAX_TIME_US), { default: "end", says: "When they go." }),
});

export type ExecutorsFile = z.output<typeof executors>;

/** A table says when executors come and go; so does dynamic allocation, which says how many, too. */
export function tableProblems({ file, count: some, from, until, dynamic: said }: ExecutorsFile): Problem[] {
  const beside = (winner: string, others: object, why: string): Problem[] =>
    Object.entries(others).flatMap(([key, value]): Problem[] => {
      if (value === undefined) return [];
      const message = `found executors.${key} beside executors.${winner}, allowed one of them: ${why}`;
      return [{ path: ["executors", key], atKey: true, message }];
    });
  const isDynamic = said !== undefined && said !== false;
  return [
    ...(file === undefined ? [] : beside("file", { from, until }, "the table says when executors come and go")),
    ...(isDynamic ? beside("dynamic", { file, count: some, from, until }, "executors come as they are needed") : []),
    ...(until !== undefined && until <= (from ?? 0)
      ? [wrong(["executors", "until"], formatTime(until), `later than executors.from, ${formatTime(from ?? 0)}`)]
      : []),
  ];
}

/** Executors that no host of theirs ever has room for. */
export function roomProblems({
  cluster: { hosts },
  executors: all,
  allocation,
  scheduler: driver,
}: OnCluster): Problem[] {
  const roomOf = (host: number): number => hosts[host].cores ?? Infinity;
  if (allocation !== undefined) {
    const most = hosts.reduce((top, _, host) => Math.max(top, roomOf(host)), 0);
    const { executorCores } = driver;
    return executorCores <= most
      ? []
      : [wrong(["executors", "cores"], String(executorCores), `at most the ${String(most)} of the largest host`)];
  }
  const tooLarge = all.find(({ host, cores }) => cores > roomOf(host));
  if (tooLarge === undefined) return [];
  const { host, cores } = tooLarge;
  const room = `at most the ${String(roomOf(host))} of host ${quote(hosts[host].name)}`;
  return [wrong(["executors", "cores"], String(cores), room)];
}

/** What the file says, then its spark-defaults.conf, then Spark; null: executors are listed. */
export function allocationOf(
  { file, count: some, from, until, dynamic: said }: ExecutorsFile,
  cores: number,
  hosts: readonly HostSpec[],
  conf: ReadConf | null,
  notes: string[],
): NonNullable<SparkScenario["allocation"]> | null {
  const usual = conf?.configuration.dynamic ?? { isOn: false };
  const winner = Object.entries({ file, count: some, from, until }).find(([, value]) => value !== undefined)?.[0];
  if (said === undefined && usual.isOn && winner !== undefined) {
    notes.push(`spark.dynamicAllocation of scheduler.conf has no effect beside executors.${winner}`);
    return null;
  }
  if (said === false || (said === undefined && !usual.isOn)) return null;
  const own = typeof said === "object" ? said : {};
  const min = own.min ?? usual.min ?? 0;
  const initial = own.initial ?? Math.max(min, usual.initial ?? 0, usual.instances ?? 0);
  const backlogUs = own.backlog ?? usual.backlogUs ?? 1_000_000;
  // As many as the cluster has room for; where hosts take any number of them, one for each.
  const room = hostsForExecutors(hosts)
    .map((host) => hosts[host].cores)
    .reduce<number>((sum, own) => sum + (own === undefined ? 1 : Math.floor(own / cores)), 0);
  const max = own.max ?? usual.max ?? Math.max(room, min, initial);
  if (max > room && hosts.some(({ cores: ofHost }) => ofHost === undefined)) {
    notes.push(
      `up to ${counted(max, "executor")} may come, and hosts whose cores are not told take any number of them: cluster.cores says how many there is room for`,
    );
  }
  return {
    min,
    initial,
    max,
    backlogUs,
    sustainedUs: own.sustained ?? usual.sustainedUs ?? backlogUs,
    idleUs: own.idle ?? usual.idleUs ?? 60_000_000,
    startUs: recordOf(dynamic, own).startUs,
  };
}

/** Fewer at first than at least, or more than at most. */
export function allocationProblems({ dynamic: said }: ExecutorsFile, { allocation }: OnCluster): Problem[] {
  if (allocation === undefined) return [];
  const { min, initial, max } = allocation;
  const isSaid = (key: "min" | "initial" | "max"): boolean => typeof said === "object" && said[key] !== undefined;
  const problem = (key: "min" | "initial" | "max", allowed: string): Problem => {
    const found = `${String(allocation[key])} executors ${isSaid(key) ? "" : "of scheduler.conf "}`;
    const name = `executors.dynamic.${key}`;
    const path = isSaid(key) ? ["executors", "dynamic", key] : ["executors"];
    return { path, atKey: false, message: `found ${found}for ${name}, allowed ${allowed}` };
  };
  if (min > max) return [problem("min", `at most the ${String(max)} of max`)];
  if (initial < min) return [problem("initial", `at least the ${String(min)} of min`)];
  return initial > max ? [problem("initial", `at most the ${String(max)} of max`)] : [];
}

export function executorsOf(
  { count: most, cores: said, from = 0, until = Infinity, file }: ExecutorsFile,
  cores: number,
  hosts: readonly HostSpec[],
  table: ReadExecutors | null,
  notes: string[],
): Pick<SparkScenario, "executors" | "leftOut"> {
  if (file !== undefined && table !== null) {
    const all = table.executors.map((own, i) => ({ id: table.ids[i], ...own, cores: said ?? own.cores }));
    if (most === undefined) return { executors: all, leftOut: [] };
    const ever = mostAtOnce(all, () => 1);
    if (most >= ever)
      notes.push(`executors.count has no effect: of the table at most ${String(ever)} are there at once`);
    return atMost(most, all);
  }
  const places = hostsForExecutors(hosts);
  const listed = Array.from({ length: most ?? places.length }, (_, i) => ({
    id: String(i + 1),
    host: places[i % places.length],
    cores,
    fromUs: from,
    untilUs: until,
  }));
  return { executors: listed, leftOut: [] };
}

/** Of executors that come and go, the most of something at one time. */
export function mostAtOnce(all: readonly NamedExecutor[], of: (executor: NamedExecutor) => number): number {
  const changes = all.flatMap((one) => [
    { atUs: one.fromUs, by: of(one) },
    { atUs: one.untilUs, by: -of(one) },
  ]);
  // Of one instant, those that go make room for those that come.
  changes.sort((a, b) => (a.atUs === b.atUs ? a.by - b.by : a.atUs - b.atUs));
  let [now, most] = [0, 0];
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

/**
 * Never more than so many at one time: who comes first stays, and who finds no room comes when one goes, if it is there
 * then.
 */
function atMost(most: number, all: readonly NamedExecutor[]): Pick<SparkScenario, "executors" | "leftOut"> {
  const ends: number[] = [];
  const executors: NamedExecutor[] = [];
  const leftOut: string[] = [];
  for (const own of [...all].sort((a, b) => a.fromUs - b.fromUs)) {
    // The earliest that goes makes room.
    const roomUs = ends.length < most ? 0 : ends[0];
    const fromUs = Math.max(own.fromUs, roomUs);
    if (fromUs >= own.untilUs) {
      leftOut.push(own.id);
      continue;
    }
    if (ends.length === most) ends.shift();
    const after = ends.findIndex((end) => end > own.untilUs);
    ends.splice(after < 0 ? ends.length : after, 0, own.untilUs);
    executors.push({ ...own, fromUs });
  }
  return { executors, leftOut };
}
