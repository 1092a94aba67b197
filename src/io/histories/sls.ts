import { namesOf } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { type Json, objects, text, Unusable } from "../logged-json.js";
import { quote } from "../scenario/show.js";
import { type HadoopJob, type HadoopReading, type HadoopSize, type HadoopTask, plainName } from "./records.js";

// Loads and nodes of YARN's load simulator (SLS). Numbers may be texts; what is missing has the default of SLS.

/** SLS's default size of a node. */
export const SLS_NODE = { memory: 10_240, vcores: 10 } as const;
export const SLS_TASK = { memory: 1024, vcores: 1 } as const;

/** Copies of a job that SLS makes. */
const MOST_COPIES = 100_000;

/** @throws Unusable where the object is no job. */
export function slsJob(value: Json, reading: HadoopReading): HadoopJob[] {
  if (value["job.tasks"] === undefined && (value["num.nodes"] !== undefined || value["num.racks"] !== undefined)) {
    reading.count("leftOut", "object", "with numbers of nodes and racks for SLS to make: a file of nodes says more");
    return [];
  }
  const tasks = objects(value, "job.tasks");
  if (tasks.length === 0) throw new Unusable("job.tasks is missing or empty");
  const submittedMs = numberOf(value, "job.start.ms") ?? 0;
  const [maps, reduces]: [HadoopTask[], HadoopTask[]] = [[], []];
  const sizes = { map: new Sizes(), reduce: new Sizes() };
  for (const task of tasks) {
    const type = text(task, "container.type") || "map";
    if (type !== "map" && type !== "reduce")
      throw new Unusable(`container.type is ${quote(type)}, expected map or reduce`);
    const made = taskOf(task, reading);
    if (type === "reduce") reduces.push({ ...made, places: [] });
    else maps.push(made);
    sizes[type].add(task, "container.");
    reading.read.tasks += made.count;
  }
  if (sizes.map.differ || sizes.reduce.differ) {
    reading.count("folded", "job", "whose tasks of one type differ in size: all take the largest");
  }
  if (text(value, "job.label.expression") !== "")
    reading.count("leftOut", "job", "with a label of nodes: any node does");
  const master = new Sizes();
  master.add(value, "am.");
  const id = named(value, "job.id") || `job_${reading.read.jobs + 1}`;
  const job: HadoopJob = {
    id,
    name: "",
    user: named(value, "job.user") || "default",
    queue: named(value, "job.queue.name"),
    submittedMs,
    endedMs: numberOf(value, "job.end.ms"),
    result: "unknown",
    maps,
    reduces,
    masters: [],
    mapSize: sizes.map.size,
    reduceSize: sizes.reduce.size,
    masterSize: master.size,
  };
  const copies = numberOf(value, "job.count") ?? 1;
  if (!Number.isInteger(copies) || copies < 1 || copies > MOST_COPIES) {
    throw new Unusable(`job.count is ${copies}, expected 1 to ${MOST_COPIES}`);
  }
  if (copies === 1) return [job];
  return Array.from({ length: copies }, (_, i) => ({ ...job, id: `${id}-${i + 1}` }));
}

/** The largest of a kind. */
class Sizes {
  differ = false;
  private memory: number | null = null;
  private vcores: number | null = null;

  add(holder: Json, prefix: string): void {
    const memory = sized(holder, `${prefix}memory-mb`, SLS_TASK.memory, 2 ** 30);
    const vcores = sized(holder, `${prefix}vcores`, SLS_TASK.vcores, LIMITS.vcores);
    if (this.memory !== null && (memory !== this.memory || vcores !== this.vcores)) this.differ = true;
    this.memory = Math.max(this.memory ?? 0, memory);
    this.vcores = Math.max(this.vcores ?? 0, vcores);
  }

  get size(): HadoopSize {
    return { memory: this.memory, vcores: this.vcores };
  }
}

function sized(holder: Json, key: string, usual: number, max: number): number {
  const value = numberOf(holder, key) ?? usual;
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Unusable(`${key} is ${value}, expected 1 to ${max}`);
}

function taskOf(task: Json, reading: HadoopReading): HadoopTask {
  const [launch, finish] = [numberOf(task, "container.start.ms"), numberOf(task, "container.end.ms")];
  const said = numberOf(task, "container.duration.ms") ?? numberOf(task, "duration.ms");
  const runMs = said ?? (launch === null || finish === null ? 0 : finish - launch);
  if (runMs <= 0) throw new Unusable(`a task takes ${runMs} ms, expected more than 0, as SLS wants it`);
  const count = numberOf(task, "count") ?? 1;
  if (!Number.isInteger(count) || count < 1 || count > LIMITS.tasksPerPhase) {
    throw new Unusable(`count is ${count}, expected 1 to ${LIMITS.tasksPerPhase}`);
  }
  const place = text(task, "container.host");
  const parts = place.split("/");
  const host = plainName(parts.at(-1) ?? "");
  reading.rackOf(host, plainName(parts.slice(0, -1).join("/")));
  const launchMs = said === null ? launch : null;
  return {
    count,
    launchMs,
    finishMs: launchMs === null ? null : finish,
    runMs,
    shuffledMs: null,
    host,
    level: null,
    places: host === "" ? [] : [host],
  };
}

/** @throws Unusable where the object is no rack of nodes. */
export function slsNodes(value: Json, reading: HadoopReading): void {
  const rack = plainName(named(value, "rack"));
  if (rack === "") throw new Unusable("rack is missing");
  const known = new Set(namesOf(reading.nodes));
  for (const node of objects(value, "nodes")) {
    const name = plainName(named(node, "node"));
    if (name === "") {
      reading.count("leftOut", "unnamed node", "of lists");
      continue;
    }
    if (known.has(name)) {
      reading.count("leftOut", "repeated node", "of lists: the first counts");
      continue;
    }
    known.add(name);
    const memory = sized(node, "memory-mb", SLS_NODE.memory, 2 ** 30);
    const vcores = sized(node, "vcores", SLS_NODE.vcores, LIMITS.vcores);
    if (text(node, "labels") !== "") reading.count("leftOut", "label", "of nodes");
    reading.nodes.push({ name, rack, memory, vcores });
  }
}

/** A number, or a text that is one; null: there is none. @throws Unusable for anything else. */
export function numberOf(holder: Json, key: string): number | null {
  const field = holder[key];
  if (field === undefined || field === null || field === "") return null;
  const value = typeof field === "string" ? Number(field) : field;
  if (typeof value !== "number" || !Number.isFinite(value) || Math.abs(value) > 1e15) {
    throw new Unusable(`${key} is ${quote(JSON.stringify(field).slice(0, 40))}, expected a number`);
  }
  return value;
}

function named(holder: Json, key: string): string {
  const field = holder[key];
  return typeof field === "number" ? String(field) : text(holder, key);
}
