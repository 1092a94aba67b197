import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { heartbeatIntervalUs } from "../core/cluster/topology.js";
import { formatTime } from "../core/kernel/time.js";
import type { Scenario } from "../core/scenario/scenario.js";
import type { Workload } from "../core/workload/job.js";
import { InputError } from "../io/input-error.js";

/**
 * Bytes that a run holds at least of each thing, as `npm run bench:memory` measures them; docs/cluster-model.md has a table. They are
 * rounded down, so that nothing is refused that would have fitted.
 */
export const BYTES = {
  /** Node, Bide's code, and what a run has in any case. */
  process: 50e6,
  /** Of these, most are on the heap: the job and the distributions of its tasks. */
  jobHeap: { facebook: 600, benchmark: 400, jobs: 350, swim: 350, tasks: 350 },
  /** What is recorded of a job. */
  job: 120,
  /** A map that waits for a slot is known by every node and rack that holds its block. */
  pendingMap: 100,
  /** A place for each replica of a block, and one more. */
  replica: 4,
  node: 300,
  sample: 80,
  /** Of `--tasks`: a row for each attempt. */
  taskRow: 72,
  thread: 9e6,
} as const;

/** Addresses that Node 20 reserves for itself and for each thread, used or not. Without them V8 ends the process. */
const ADDRESSES = { process: 1.1e9, thread: 0.6e9 };

/** Of the heap that V8 allows, for objects that are young; nothing stays there. */
const YOUNG_BYTES = 48 * 2 ** 20;

/** Something that a run holds much of, and the setting that says how much. */
interface Holding {
  readonly what: string;
  readonly setting: string;
  readonly count: number;
  readonly bytes: number;
  /** Of the bytes, those on the heap of the master's thread. */
  readonly heapBytes?: number;
}

/** What a run holds in memory at its largest, at least. */
export interface Foreseen {
  readonly bytes: number;
  readonly heapBytes: number;
  /** The largest. */
  readonly cause: Holding;
  readonly threads: number;
}

export interface ForeseenOptions {
  readonly threads: number;
  readonly recordTasks: boolean;
}

/** @param workload what will be submitted; null: not known yet, and what it brings is counted as far as the scenario says so. */
export function foresee(scenario: Scenario, workload: Workload | null, options: ForeseenOptions): Foreseen {
  const { workload: spec, cluster } = scenario;
  const jobs = workload?.jobs.length ?? jobsOf(scenario);
  const nodes = cluster.racks.reduce((sum, rack) => sum + rack.nodes.reduce((of, { count }) => of + count, 0), 0);
  const { threads } = options;
  const heapBytes = jobs * BYTES.jobHeap[spec.kind];
  const holdings: Holding[] = [
    { what: "jobs", setting: jobSetting(spec.kind), count: jobs, bytes: heapBytes + jobs * BYTES.job, heapBytes },
    { what: "nodes", setting: "cluster.racks", count: nodes, bytes: nodes * BYTES.node },
    { what: "threads", setting: "--threads", count: threads, bytes: threads * BYTES.thread },
    ...(workload === null ? [samplesOf(scenario, 0)] : heldOf(scenario, workload, nodes, options)),
  ];
  const cause = holdings.reduce((most, holding) => (holding.bytes > most.bytes ? holding : most));
  const bytes = holdings.reduce((sum, holding) => sum + holding.bytes, BYTES.process as number);
  return { bytes, heapBytes, cause, threads };
}

/** As the scenario says; of a trace it does not. */
function jobsOf({ workload: spec }: Scenario): number {
  switch (spec.kind) {
    case "facebook":
      return spec.jobs;
    case "benchmark":
      return 100 * spec.repeat;
    case "jobs":
      return spec.jobs.reduce((sum, { count }) => sum + count, 0);
    case "swim":
    case "tasks":
      return 0;
  }
}

function jobSetting(kind: Scenario["workload"]["kind"]): string {
  if (kind === "facebook") return "workload.jobs";
  if (kind === "benchmark") return "workload.repeat";
  return kind === "jobs" ? "workload.jobs.*.count" : "workload.file";
}

function heldOf(scenario: Scenario, workload: Workload, nodes: number, { recordTasks }: ForeseenOptions): Holding[] {
  const { storage, run, workload: spec } = scenario;
  const setting = spec.kind === "jobs" ? "workload.jobs.*.maps" : jobSetting(spec.kind);
  let blocks = 0;
  for (const file of workload.files) blocks += file.blocks;
  let tasks = 0;
  for (const job of workload.jobs) if (job.submitAtUs < run.untilUs) tasks += job.maps + job.reduces;
  const pending = mostPending(scenario, workload, nodes);
  const { replica, pendingMap, taskRow } = BYTES;
  const rows = recordTasks && run.untilUs === Infinity ? tasks : 0;
  return [
    samplesOf(scenario, workload.jobs.at(-1)?.submitAtUs ?? 0),
    // Untouched memory costs nothing: a block that nobody reads before the end is not counted.
    ...(run.untilUs === Infinity
      ? [{ what: "blocks of input", setting, count: blocks, bytes: blocks * replica * (storage.replication + 1) }]
      : []),
    { what: "maps that wait at once", setting, count: pending, bytes: pending * pendingMap },
    { what: "rows of tasks", setting: "--tasks", count: rows, bytes: rows * taskRow },
  ];
}

/** Until the end of the run, or at least until its last job comes. */
function samplesOf({ run }: Scenario, lastSubmitUs: number): Holding {
  const untilUs = Math.min(run.untilUs, Math.max(lastSubmitUs, run.untilUs < Infinity ? run.untilUs : 0));
  const count = Math.floor(untilUs / run.sampleUs);
  const what = `samples in ${formatTime(untilUs)}`;
  return { what, setting: `run.sample ${formatTime(run.sampleUs)}`, count, bytes: count * BYTES.sample };
}

/**
 * Maps that wait for a slot at some instant at the least: what has been submitted by then, less what all slots could have taken if each
 * took one on every heartbeat of its node.
 */
function mostPending(scenario: Scenario, { jobs }: Workload, nodes: number): number {
  const { cluster, run } = scenario;
  if (cluster.outOfBandDelayUs > 0) return 0;
  const beatUs = heartbeatIntervalUs(cluster.heartbeat, nodes);
  let slots = 0;
  for (const rack of cluster.racks) for (const { count, mapSlots } of rack.nodes) slots += count * mapSlots;
  let submitted = 0;
  let most = 0;
  for (const { submitAtUs, maps, input } of jobs) {
    if (submitAtUs >= run.untilUs) break;
    if (input !== null) submitted += maps;
    // Some heartbeats pass until a job that was submitted is ready.
    most = Math.max(most, submitted - slots * (Math.floor(submitAtUs / beatUs) + SET_UP_BEATS));
  }
  return most;
}

const SET_UP_BEATS = 20;

/** What this process may use. */
export interface Room {
  readonly bytes: number;
  readonly heapBytes: number;
  /** Infinity: unlimited. */
  readonly addressBytes: number;
}

/** `ulimit -v`. */
function addressLimit(): number {
  try {
    const found = /^Max address space +(\d+) /m.exec(readFileSync("/proc/self/limits", "utf8"));
    return found === null ? Infinity : Number(found[1]);
  } catch {
    // Other systems have no such file.
    return Infinity;
  }
}

/** Whether there are addresses for so many more threads. */
export function threadsFit(threads: number, { addressBytes }: Room = roomHere()): boolean {
  return threads === 0 || ADDRESSES.process + threads * ADDRESSES.thread <= addressBytes;
}

function heapLimit(): number {
  return getHeapStatistics().heap_size_limit - YOUNG_BYTES;
}

/** The memory of the machine, or of the container; and the heap that V8 allows. */
export function roomHere(): Room {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return { bytes, heapBytes: heapLimit(), addressBytes: addressLimit() };
}

/**
 * @param runs that many at once in this process. @param advice what else may be done about it, in words.
 * @throws InputError when a run cannot fit: with the figure, the setting that asks for it, and what there is.
 */
export function refuseTooLarge(
  name: string,
  { bytes, heapBytes, cause, threads }: Foreseen,
  room: Room,
  runs = 1,
  advice = "",
): void {
  const { count, what, setting } = cause;
  const asked = `${count.toLocaleString("en-US")} ${what} (${setting})`;
  const each = runs > 1 ? `${String(runs)} runs at once need` : "the run needs";
  if (bytes * runs > room.bytes) {
    const has = `this machine has ${gigabytes(room.bytes)}`;
    const message = `${each} at least ${gigabytes(bytes * runs)} of memory, most of it for ${asked}; ${has}`;
    throw new InputError([{ file: name, line: 0, column: 0, message: message + advice }]);
  }
  const allThreads = runs > 1 ? runs : threads;
  if (!threadsFit(allThreads, room)) {
    const needed = gigabytes(ADDRESSES.process + allThreads * ADDRESSES.thread);
    const limit = `the limit of this process is ${gigabytes(room.addressBytes)} (ulimit -v)`;
    const message = `${String(allThreads)} threads (--threads) need ${needed} of address space; ${limit}`;
    throw new InputError([{ file: name, line: 0, column: 0, message: message + advice }]);
  }
  if (heapBytes > room.heapBytes) {
    const limit = `Node allows ${gigabytes(room.heapBytes)}, and more with ${heapOption(heapBytes)}`;
    const message = `the run needs at least ${gigabytes(heapBytes)} of heap for ${asked}; ${limit}`;
    throw new InputError([{ file: name, line: 0, column: 0, message: message + advice }]);
  }
}

/** From here on V8 may end a process whose time goes into collecting garbage: its kHighHeapPercentage. */
const FULL = 0.8;
let collect: (() => void) | undefined;

/**
 * Called many times a second while a run is loaded and simulated. V8 would end the process without a word to the user.
 * @throws InputError when nearly all of the heap is in use.
 */
export function refuseFullHeap(name: string): void {
  if (getHeapStatistics().used_heap_size < FULL * heapLimit()) return;
  // Part of that may be garbage that V8 was in no hurry to collect.
  setFlagsFromString("--expose-gc");
  collect ??= runInNewContext("gc") as () => void;
  collect();
  const { used_heap_size: used } = getHeapStatistics();
  const limit = heapLimit();
  if (used < FULL * limit) return;
  const found = `the heap is full: ${gigabytes(used)} of the ${gigabytes(limit)} that Node allows are in use`;
  const message = `${found}; allowed: a smaller workload, or more heap with ${heapOption(2 * limit)}`;
  throw new InputError([{ file: name, line: 0, column: 0, message }]);
}

function heapOption(bytes: number): string {
  return `NODE_OPTIONS=--max-old-space-size=${String(Math.ceil((1.2 * bytes) / 2 ** 20 / 1000) * 1000)}`;
}

function gigabytes(bytes: number): string {
  return bytes < 1e9
    ? `${String(Math.ceil(bytes / 1e6))} MB`
    : `${(bytes / 1e9).toLocaleString("en-US", { maximumFractionDigits: 1 })} GB`;
}
