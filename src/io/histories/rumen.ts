import { LIMITS } from "../../core/scenario/index.js";
import { child, instant, type Json, objects, text, Unusable, whole } from "../logged-json.js";
import { quote } from "../scenario/show.js";
import { firstOf, type LoggedAttempt, taskOfAttempts } from "./attempts.js";
import {
  type HadoopJob,
  type HadoopReading,
  type HadoopSize,
  type HadoopTask,
  type JobSettings,
  plainName,
  UNKNOWN_SIZE,
} from "./records.js";

// Traces of Rumen: an object for each job. Unknown numbers are -1, unknown objects null or absent.

/** @throws Unusable where the object is no job. */
export function rumenJob(value: Json, reading: HadoopReading): HadoopJob {
  const id = text(value, "jobID");
  if (id === "") throw new Unusable("jobID is missing");
  const outcome = text(value, "outcome");
  const hasFailed = outcome === "FAILED" || outcome === "KILLED";
  const [maps, reduces] = (["mapTasks", "reduceTasks"] as const).map((key) =>
    objects(value, key).map((task) => taskOf(task, key === "mapTasks", hasFailed, reading)),
  );
  const allTasks = [...maps, ...reduces];
  const otherTasks = objects(value, "otherTasks").length;
  reading.count("leftOut", "task", "that set a job up or cleaned up", otherTasks);
  return {
    id,
    name: text(value, "jobName"),
    user: text(value, "user"),
    queue: text(value, "queue"),
    submittedMs: instant(value, "submitTime"),
    endedMs: instant(value, "finishTime"),
    result: outcome === "SUCCESS" ? "succeeded" : hasFailed ? "failed" : "unknown",
    maps: maps.flatMap(({ task }) => task ?? []),
    reduces: reduces.flatMap(({ task }) => task ?? []),
    scheduledMs: firstOf(allTasks.map(({ scheduledMs }) => scheduledMs)),
    firstLaunchMs: firstOf(allTasks.map(({ firstMs }) => firstMs)),
    // Set-up and clean-up tasks: under YARN the application master does this work itself.
    ...(otherTasks > 0 ? { isOfHadoop1: true } : {}),
    settings: settingsOf(child(value, "jobProperties")),
    masterSize: UNKNOWN_SIZE,
    masters: [],
    mapSize: sizeOf(value, "jobMapMB"),
    reduceSize: sizeOf(value, "jobReduceMB"),
  };
}

/** Reads settings of a configuration, whose values are texts. */
function settingsOf(properties: Json): JobSettings {
  const number = (key: string, least: number, max: number) => {
    const digits = text(properties, key).trim();
    const value = Number(digits);
    return digits !== "" && value >= least && value <= max ? value : null;
  };
  return {
    slowStart: number("mapreduce.job.reduce.slowstart.completedmaps", 0, 1),
    mapMaxAttempts: number("mapreduce.map.maxattempts", 1, LIMITS.attempts),
    reduceMaxAttempts: number("mapreduce.reduce.maxattempts", 1, LIMITS.attempts),
  };
}

function sizeOf(value: Json, key: string): HadoopSize {
  const memory = whole(value, key);
  return { memory: memory === 0 ? null : memory, vcores: null };
}

function taskOf(task: Json, isMap: boolean, hasJobFailed: boolean, reading: HadoopReading): RumenTask {
  reading.read.tasks++;
  const attempts = objects(task, "attempts").map((attempt): LoggedAttempt => {
    reading.read.attempts++;
    const { rack, host } = hostOf(attempt);
    reading.rackOf(host, rack);
    return {
      id: text(attempt, "attemptID"),
      startMs: instant(attempt, "startTime"),
      finishMs: instant(attempt, "finishTime"),
      shuffledMs: instant(attempt, "shuffleFinished"),
      outcome: OUTCOMES[text(attempt, "result")] ?? null,
      host,
      level: null,
      bytes: whole(attempt, "hdfsBytesRead"),
      cpuMs: whole(child(attempt, "resourceUsageMetrics"), "cumulativeCpuUsage"),
    };
  });
  const places = objects(task, "preferredLocations").flatMap((place) => {
    const layers = layersOf(place);
    reading.rackOf(layers.host, layers.rack);
    return layers.host === "" ? [] : [layers.host];
  });
  const ranTask = taskOfAttempts(
    attempts,
    "",
    hasJobFailed,
    text(task, "taskStatus") === "FAILED",
    isMap,
    [...new Set(places)],
    reading,
  );
  if (ranTask === null) reading.count("leftOut", "task", "of which no attempt ended");
  return {
    task: ranTask,
    scheduledMs: instant(task, "startTime"),
    firstMs: firstOf(attempts.map(({ startMs }) => startMs)),
  };
}

interface RumenTask {
  readonly task: HadoopTask | null;
  readonly scheduledMs: number | null;
  readonly firstMs: number | null;
}

const OUTCOMES: Readonly<Partial<Record<string, NonNullable<LoggedAttempt["outcome"]>>>> = {
  SUCCESS: "succeeded",
  FAILED: "failed",
  KILLED: "killed",
};

function hostOf(attempt: Json): { readonly rack: string; readonly host: string } {
  const layers = layersOf(child(attempt, "location"));
  if (layers.host !== "") return layers;
  const parts = text(attempt, "hostName").split("/");
  return { rack: plainName(parts.slice(0, -1).join("/")), host: plainName(parts.at(-1) ?? "") };
}

/** `{"layers": [rack, host]}` */
function layersOf(place: Json): { readonly rack: string; readonly host: string } {
  const { layers } = place;
  const names = Array.isArray(layers) ? layers.filter((name): name is string => typeof name === "string") : [];
  return { rack: plainName(names.slice(0, -1).join("/")), host: plainName(names.at(-1) ?? "") };
}

/** The racks of hosts: a tree whose leaves are hosts. @throws Unusable */
export function rumenTopology(value: Json, reading: HadoopReading): void {
  let hosts = 0;
  const stack: (readonly [node: Json, parent: string, level: number])[] = [[value, "", 0]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [node, parent, level] = next;
    const name = plainName(text(node, "name"));
    const children = objects(node, "children");
    if (level > 50) throw new Unusable("its tree has more than 50 levels");
    for (const childNode of children) stack.push([childNode, name, level + 1]);
    if (children.length > 0 || name === "" || level === 0) continue;
    hosts++;
    reading.rackOf(name, parent);
    reading.hosts.add(name);
  }
  if (hosts === 0) throw new Unusable(`the tree ${quote(text(value, "name"))} has no host`);
}
