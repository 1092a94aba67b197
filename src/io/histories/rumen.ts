import { child, instant, type Json, needed, objects, text, Unusable, whole } from "../logged-json.js";
import { quote } from "../scenario/show.js";
import {
  type HadoopJob,
  type HadoopReading,
  type HadoopSize,
  type HadoopTask,
  plainName,
  UNKNOWN_SIZE,
} from "./records.js";

// Traces of Rumen: an object for each job. Unknown numbers are -1, unknown objects null or absent.

/** @throws Unusable where the object is no job. */
export function rumenJob(value: Json, reading: HadoopReading): HadoopJob {
  const id = text(value, "jobID");
  if (id === "") throw new Unusable("jobID is missing");
  const [maps, reduces] = (["mapTasks", "reduceTasks"] as const).map((key) =>
    objects(value, key).flatMap((task) => taskOf(task, key === "mapTasks", reading)),
  );
  const others = objects(value, "otherTasks").length;
  reading.count("leftOut", "task", "that set a job up or cleaned up", others);
  const outcome = text(value, "outcome");
  return {
    ...{ id, name: text(value, "jobName"), user: text(value, "user"), queue: text(value, "queue") },
    submittedMs: instant(value, "submitTime"),
    endedMs: instant(value, "finishTime"),
    result: outcome === "SUCCESS" ? "succeeded" : outcome === "FAILED" || outcome === "KILLED" ? "failed" : "unknown",
    ...{ maps, reduces, masterSize: UNKNOWN_SIZE, masters: [] },
    ...{ mapSize: sizeOf(value, "jobMapMB"), reduceSize: sizeOf(value, "jobReduceMB") },
  };
}

function sizeOf(value: Json, key: string): HadoopSize {
  const memory = whole(value, key);
  return { memory: memory === 0 ? null : memory, vcores: null };
}

function taskOf(task: Json, isMap: boolean, reading: HadoopReading): HadoopTask[] {
  reading.read.tasks++;
  let best: Json | null = null;
  for (const attempt of objects(task, "attempts")) {
    reading.read.attempts++;
    const [fromMs, untilMs] = [instant(attempt, "startTime"), instant(attempt, "finishTime")];
    if (fromMs === null || untilMs === null || untilMs < fromMs) {
      reading.count("leftOut", "attempt", "without a start and an end after it");
      continue;
    }
    const isBetter = best === null || isFirst(attempt, best);
    const loser = isBetter ? best : attempt;
    if (isBetter) best = attempt;
    if (loser === null) continue;
    const words =
      text(loser, "result") === "SUCCESS"
        ? "of tasks that succeeded more than once: the first counts"
        : "that failed or were killed: a simulated task does not fail";
    reading.count("leftOut", "attempt", words);
  }
  if (best === null) {
    reading.count("leftOut", "task", "of which no attempt ended");
    return [];
  }
  if (text(best, "result") !== "SUCCESS") {
    reading.count("guessed", "task", "that never succeeded: each runs as long as its longest attempt");
  }
  const launchMs = needed(instant(best, "startTime"), "startTime");
  const finishMs = needed(instant(best, "finishTime"), "finishTime");
  const { rack, host } = hostOf(best);
  reading.rackOf(host, rack);
  const places = objects(task, "preferredLocations").flatMap((place) => {
    const found = layersOf(place);
    reading.rackOf(found.host, found.rack);
    return found.host === "" ? [] : [found.host];
  });
  return [
    {
      ...{ count: 1, launchMs, finishMs, runMs: finishMs - launchMs, host, level: null },
      shuffledMs: isMap ? null : instant(best, "shuffleFinished"),
      places: isMap ? [...new Set(places)] : [],
    },
  ];
}

/** The success that ended first; else what ran longest. */
function isFirst(attempt: Json, before: Json): boolean {
  const [own, other] = [text(attempt, "result") === "SUCCESS", text(before, "result") === "SUCCESS"];
  if (own !== other) return own;
  const end = (of: Json): number => instant(of, "finishTime") ?? 0;
  if (own) return end(attempt) < end(before);
  const length = (of: Json): number => end(of) - (instant(of, "startTime") ?? 0);
  return length(attempt) > length(before);
}

function hostOf(attempt: Json): { readonly rack: string; readonly host: string } {
  const found = layersOf(child(attempt, "location"));
  if (found.host !== "") return found;
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
    for (const one of children) stack.push([one, name, level + 1]);
    if (children.length > 0 || name === "" || level === 0) continue;
    hosts++;
    reading.rackOf(name, parent);
    reading.hosts.add(name);
  }
  if (hosts === 0) throw new Unusable(`the tree ${quote(text(value, "name"))} has no host`);
}
