import { namesOf } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { child, instant, type Json, needed, objects, text, Unusable, whole } from "../logged-json.js";
import { type HadoopJob, type HadoopReading, plainName, UNKNOWN_SIZE } from "./records.js";

/*
 * Answers of YARN's resource manager to /ws/v1/cluster/apps and /ws/v1/cluster/nodes as JSON
 * (docs/formats/resource-manager.md). An application has its start, its end and the total of its containers, in MB and
 * vcores times seconds: so its tasks are a guess.
 */

/** From the launch of a master until it asks, as imports of histories have it. */
const MASTER_START_MS = 4_000;
const MASTER_MB = 1536;
const MASTER_VCORES = 1;
/** An answer with a list of applications, or with a single one. @throws Unusable where it has none that can be run. */
export function listedApplications(value: Json, reading: HadoopReading): HadoopJob[] {
  const listed = value["app"] === undefined ? objects(child(value, "apps"), "app") : [child(value, "app")];
  const jobs: HadoopJob[] = [];
  let firstProblem = "";
  for (const app of listed) {
    try {
      jobs.push(...applicationOf(app, reading));
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      firstProblem ||= error.message;
      reading.count("leftOut", "application", "in which something is missing or impossible");
    }
  }
  if (jobs.length > 0) return jobs;
  const why = listed.length === 0 ? "it lists none" : firstProblem || "none of them has ended and held anything";
  throw new Unusable(`no application can be run: ${why}`);
}

function applicationOf(app: Json, reading: HadoopReading): HadoopJob[] {
  const id = text(app, "id");
  if (!/^application_\d+_\d+$/.test(id))
    throw new Unusable(`id is ${JSON.stringify(id)}, expected one such as application_1700000000000_0001`);
  const submittedMs = needed(instant(app, "startedTime"), `startedTime of ${id}`);
  const endedMs = instant(app, "finishedTime");
  if (endedMs === null) {
    reading.count("leftOut", "application", "that had not ended when the list was made");
    return [];
  }
  if (endedMs < submittedMs) throw new Unusable(`${id} ended before it came`);
  const memory = needed(whole(app, "memorySeconds"), `memorySeconds of ${id}`);
  const vcores = needed(whole(app, "vcoreSeconds"), `vcoreSeconds of ${id}`);
  if (memory === 0 || endedMs === submittedMs) {
    reading.count("leftOut", "application", "that held nothing");
    return [];
  }
  // Lists have the launch of the master since Hadoop 3.2. In older ones the wait for it counts as run time.
  const launchedMs = Math.min(endedMs - 1, Math.max(submittedMs, instant(app, "launchTime") ?? submittedMs));
  const host = plainName(text(app, "amHostHttpAddress"));
  const type = text(app, "applicationType");
  if (type !== "" && type !== "MAPREDUCE")
    reading.count("guessed", "application", `of type ${type.slice(0, 40)}: run as a job of maps`);
  const status = text(app, "finalStatus");
  return [
    {
      // As a job history of the same calls it.
      id: id.replace("application", "job"),
      name: text(app, "name"),
      user: text(app, "user"),
      queue: text(app, "queue"),
      submittedMs,
      endedMs,
      result: status === "SUCCEEDED" ? "succeeded" : status === "FAILED" || status === "KILLED" ? "failed" : "unknown",
      ...heldOf(memory, vcores, endedMs - launchedMs),
      reduces: [],
      reduceSize: UNKNOWN_SIZE,
      masterSize: UNKNOWN_SIZE,
      isSummed: true,
      masters: host === "" ? [] : [{ host, fromMs: launchedMs }],
    },
  ];
}

/**
 * Returns maps that together hold what all containers except the master held. They all run at once, from the first
 * request that the master can make to the end, and there are as many as vcores were held.
 */
function heldOf(memorySeconds: number, vcoreSeconds: number, lengthMs: number): Pick<HadoopJob, "maps" | "mapSize"> {
  const seconds = lengthMs / 1000;
  const runMs = Math.max(1, lengthMs - Math.min(MASTER_START_MS, Math.floor(lengthMs / 2)));
  const restMb = Math.max(0, memorySeconds - MASTER_MB * seconds);
  const restVcores = Math.max(0, vcoreSeconds - MASTER_VCORES * seconds);
  const count = Math.min(LIMITS.tasksPerPhase, Math.max(1, Math.round((restVcores * 1000) / runMs)));
  const shareOfOne = (heldSeconds: number, limit: number) =>
    Math.min(limit, Math.max(1, Math.round((heldSeconds * 1000) / runMs / count)));
  return {
    maps: [{ count, launchMs: null, finishMs: null, runMs, shuffledMs: null, host: "", level: null, places: [] }],
    mapSize: { memory: shareOfOne(restMb, LIMITS.memoryMb), vcores: shareOfOne(restVcores, LIMITS.vcores) },
  };
}

/** Adds the running nodes of a list, with their total resources. @throws Unusable if there is none. */
export function listedNodes(value: Json, reading: HadoopReading): void {
  const known = new Set(namesOf(reading.nodes));
  let usable = 0;
  for (const node of objects(child(value, "nodes"), "node")) {
    const name = plainName(text(node, "nodeHostName") || text(node, "id"));
    const state = text(node, "state");
    if (state !== "" && state !== "RUNNING") {
      reading.count("leftOut", "node", `of lists in state ${state.slice(0, 40)}`);
      continue;
    }
    const memory = sumOf(node, "usedMemoryMB", "availMemoryMB");
    const vcores = sumOf(node, "usedVirtualCores", "availableVirtualCores");
    if (name === "" || memory < 1 || vcores < 1 || memory > LIMITS.memoryMb || vcores > LIMITS.vcores) {
      reading.count("leftOut", "node", "of lists in which something is missing or impossible");
      continue;
    }
    usable++;
    if (known.has(name)) {
      reading.count("leftOut", "repeated node", "of lists: the first counts");
      continue;
    }
    known.add(name);
    reading.nodes.push({ name, rack: plainName(text(node, "rack")) || "default-rack", memory, vcores });
  }
  if (usable === 0) throw new Unusable("no node runs and tells its memory and vcores");
}

function sumOf(node: Json, used: string, free: string): number {
  return (whole(node, used) ?? 0) + (whole(node, free) ?? 0);
}
