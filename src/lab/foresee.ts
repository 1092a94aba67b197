import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { needsStages } from "../core/platforms/hadoop/index.js";
import { heartbeatIntervalUs, type Topology } from "../core/cluster/index.js";
import { formatTime, US_PER_HOUR, grouped } from "../core/kernel/index.js";
import type { InlineJobSpec, LongTasksSpec, Scenario } from "../core/scenario/index.js";
import { benchmarkJobs, generateWorkload, type TaskLengths, type Workload } from "../core/workload/index.js";
import { InputError } from "../io/index.js";

/**
 * Bytes that a run holds at least of each thing, as `npm run bench:memory` measures them; docs/cluster-model.md has a
 * table. They are rounded down, so that nothing is refused that would have fitted.
 */
export const BYTES = {
  /** Node, Bide's code, and what a run has in any case. */
  process: 50e6,
  /** Of these, most are on the heap: the job and the distributions of its tasks. */
  jobHeap: { facebook: 650, benchmark: 400, swim: 350, tasks: 250 },
  /** The same of a listed job, without tasks and for each kind of task that it has. */
  listedHeap: { job: 240, maps: 155, reduces: 60 },
  /** What is recorded of a job. */
  job: 120,
  /** A map that waits for a slot is known by every node and rack that holds its block. */
  pendingMap: 80,
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

/**
 * From here on V8 may end a process whose time goes into collecting garbage: its kHighHeapPercentage. No run uses more.
 */
const FULL = 0.8;

/** The most that a thread keeps of workloads and topologies for its next runs. */
const MOST_KEPT_BYTES = 128 * 2 ** 20;

/** Of what could be free beside a run: a run is foreseen with what it holds at least. */
const KEPT_SHARE = 0.5;

/**
 * What a thread may keep for its next runs beside this one, in bytes: a run that fits is never refused for it.
 * @param runs that many at once in this process.
 */
export function roomToKeep(foreseen: Foreseen, room: Room, runs: number): number {
  const free = Math.min(room.bytes / runs - foreseen.bytes, room.heapBytes - foreseen.heapBytes);
  return Math.max(0, Math.min(MOST_KEPT_BYTES, KEPT_SHARE * free));
}

/** Like `BYTES`, but rounded up; of a job with the distributions of its tasks. */
const KEPT_BYTES = { job: 750, file: 150, node: 200, rack: 200 } as const;

/** Bytes of a workload that is kept, at most. */
export function bytesOfWorkload({ jobs, files }: Workload): number {
  let lists = 0;
  for (const { mapLengths, copyLengths, reduceLengths } of jobs) {
    for (const { listBytes = 0 } of [mapLengths, copyLengths, reduceLengths]) lists += listBytes;
  }
  return jobs.length * KEPT_BYTES.job + lists + files.length * KEPT_BYTES.file;
}

export function bytesOfTopology({ nodes, racks }: Topology): number {
  return nodes * KEPT_BYTES.node + racks * KEPT_BYTES.rack;
}

/** Something that a run has much of, and the setting that says how much. */
interface Amount {
  readonly what: string;
  readonly setting: string;
  readonly count: number;
}

interface Holding extends Amount {
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

/**
 * @param workload what will be submitted; null: not known yet, and what it brings is counted as far as the scenario
 *   says so.
 */
export function foresee(scenario: Scenario, workload: Workload | null, options: ForeseenOptions): Foreseen {
  const { workload: spec, cluster } = scenario;
  const jobs = workload?.jobs.length ?? jobsOf(scenario);
  const nodes = cluster.racks.reduce((sum, rack) => sum + rack.nodes.reduce((of, { count }) => of + count, 0), 0);
  const { threads } = options;
  const heapBytes =
    spec.kind === "jobs" ? heapOfList(spec.jobs, scenario.run.untilUs) : jobs * BYTES.jobHeap[spec.kind];
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
function jobsOf({ workload: spec, run }: Scenario): number {
  switch (spec.kind) {
    case "facebook":
      return spec.jobs;
    case "benchmark":
      return benchmarkJobs(spec) * spec.repeat;
    case "jobs":
      return spec.jobs.reduce((sum, entry) => sum + jobsOfEntry(entry, run.untilUs), 0);
    case "swim":
    case "tasks":
      return 0;
  }
}

/** Jobs that are made of an entry: of those whose user thinks, only such as may come before the end. */
function jobsOfEntry({ count, atUs, thinkUs }: InlineJobSpec, untilUs: number): number {
  if (thinkUs === undefined || untilUs === Infinity) return count;
  return Math.min(count, 1 + Math.max(0, Math.floor((untilUs - atUs) / Math.max(1, thinkUs))));
}

function heapOfList(entries: readonly InlineJobSpec[], untilUs: number): number {
  const { job, maps, reduces } = BYTES.listedHeap;
  const each = (entry: InlineJobSpec): number => job + (entry.maps > 0 ? maps : 0) + (entry.reduces > 0 ? reduces : 0);
  return entries.reduce((sum, entry) => sum + jobsOfEntry(entry, untilUs) * each(entry), 0);
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
 * Maps that wait for a slot at some instant at the least: what has been submitted by then, less what all slots could
 * have taken if each took one on every heartbeat of its node.
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
    if (submitAtUs >= run.untilUs) continue;
    if (input !== null) submitted += maps;
    // Some heartbeats pass until a job that was submitted is ready.
    most = Math.max(most, submitted - slots * (Math.floor(submitAtUs / beatUs) + SET_UP_BEATS));
  }
  return most;
}

const SET_UP_BEATS = 20;

/**
 * Seconds of one core for each thing that a run goes through, as `npm run bench:time` measures them on racks without
 * threads; docs/cli.md has a table. They are of the plain case: what a scheduler does on a heartbeat on which it finds
 * nothing to launch, and the plans of Quincy, come on top. No clock is read, so an estimate is the same everywhere.
 */
export const SECONDS = {
  /** Load, submit and sum up. */
  job: 5e-6,
  task: 2.5e-6,
  /** Where racks simulate the stages of an attempt. */
  stagedTask: 12e-6,
  /** All nodes have sent one heartbeat, without news. */
  round: 1e-6,
  beat: 0.7e-9,
  /** A heartbeat whose time is drawn. */
  drawnBeat: 120e-9,
  sample: 1.7e-6,
} as const;

/** A run that takes longer was hardly meant. */
const MOST_SECONDS = 24 * 3600;

interface Spending extends Amount {
  readonly seconds: number;
}

/** What a run takes of one core, roughly. */
export interface ForeseenTime {
  readonly seconds: number;
  /** The largest. */
  readonly cause: Spending;
}

/**
 * @param workload what will be submitted; null: not known yet, and it is taken to be as the scenario says.
 * @returns null when the scenario does not say it: the workload is in a file.
 */
export function foreseeTime(scenario: Scenario, workload: Workload | null): ForeseenTime | null {
  const load = workload === null ? describedLoad(scenario) : loadOf(workload, scenario.run.untilUs);
  if (load === null) return null;
  const { cluster, run, workload: spec } = scenario;
  const groups = cluster.racks.flatMap(({ nodes }) => nodes);
  const total = (of: (group: (typeof groups)[number]) => number): number =>
    groups.reduce((sum, group) => sum + group.count * of(group), 0);
  const nodes = total(() => 1);
  const beatUs = heartbeatIntervalUs(cluster.heartbeat, nodes);
  // A slot stays empty until the next heartbeat of its node.
  const emptyUs = cluster.outOfBandDelayUs > 0 ? cluster.outOfBandDelayUs : beatUs / 2;
  const tasks = load.maps + load.reduces;
  const busyUs = Math.max(
    (load.mapUs + load.maps * emptyUs) /
      Math.max(
        1,
        total(({ mapSlots, speed }) => mapSlots * speed),
      ),
    (load.reduceUs + load.reduces * emptyUs) /
      Math.max(
        1,
        total(({ reduceSlots, speed }) => reduceSlots * speed),
      ),
  );
  const spanUs = Math.min(run.untilUs, Math.max(busyUs, load.lastEndUs));
  const rounds = spanUs / beatUs;
  const { job, task, stagedTask, round, beat, drawnBeat, sample } = SECONDS;
  const done = tasks * Math.min(1, spanUs / Math.max(1, busyUs));
  const setting = spec.kind === "jobs" ? "workload.jobs.*.maps" : jobSetting(spec.kind);
  const interval = cluster.heartbeat.rule === "fixed" ? formatTime(beatUs) : cluster.heartbeat.rule;
  const samples = spanUs / run.sampleUs;
  const spendings: Spending[] = [
    { what: "jobs", setting: jobSetting(spec.kind), count: load.jobs, seconds: load.jobs * job },
    { what: "tasks", setting, count: done, seconds: done * (needsStages(scenario) ? stagedTask : task) },
    {
      what: `heartbeats in ${formatTime(spanUs)}`,
      setting: `cluster.heartbeat ${interval}`,
      count: rounds * nodes,
      seconds: rounds * (round + nodes * (cluster.heartbeatJitter > 0 ? drawnBeat : beat)),
    },
    {
      what: `samples in ${formatTime(spanUs)}`,
      setting: `run.sample ${formatTime(run.sampleUs)}`,
      count: samples,
      seconds: samples * sample,
    },
  ];
  const cause = spendings.reduce((most, spending) => (spending.seconds > most.seconds ? spending : most));
  return { seconds: spendings.reduce((sum, { seconds }) => sum + seconds, 0), cause };
}

/** What is submitted before the end of a run. Times of all tasks together on a nominal node. */
interface Load {
  /** Jobs that come after its end count too: they are loaded like the others. */
  readonly jobs: number;
  readonly maps: number;
  readonly mapUs: number;
  readonly reduces: number;
  readonly reduceUs: number;
  /** No run ends sooner: when the last job ends that has all slots for itself. */
  readonly lastEndUs: number;
}

/** Jobs whose times are looked at; the others are taken to be like them. */
const MOST_TIMED = 100_000;

function loadOf({ jobs: all }: Workload, untilUs: number): Load {
  let [seen, maps, timedMaps, mapUs, reduces, timedReduces, reduceUs, lastEndUs] = [0, 0, 0, 0, 0, 0, 0, 0];
  const stride = Math.ceil(all.length / MOST_TIMED);
  for (const job of all) {
    if (job.submitAtUs >= untilUs) continue;
    maps += job.maps;
    reduces += job.reduces;
    if (seen++ % stride !== 0) continue;
    const mapMeanUs = meanUs(job.mapLengths, job.maps);
    const reduceMeanUs = meanUs(job.copyLengths, job.reduces) + meanUs(job.reduceLengths, job.reduces);
    timedMaps += job.maps;
    mapUs += job.maps * mapMeanUs;
    timedReduces += job.reduces;
    reduceUs += job.reduces * reduceMeanUs;
    lastEndUs = Math.max(lastEndUs, job.submitAtUs + mapMeanUs + reduceMeanUs);
  }
  return {
    jobs: all.length,
    maps,
    reduces,
    lastEndUs,
    mapUs: timedMaps > 0 ? mapUs * (maps / timedMaps) : 0,
    reduceUs: timedReduces > 0 ? reduceUs * (reduces / timedReduces) : 0,
  };
}

/** Of the first tasks, which are drawn like the others. */
function meanUs(lengths: TaskLengths, tasks: number): number {
  const timed = Math.min(tasks, 4);
  let sumUs = 0;
  for (let task = 0; task < timed; task++) sumUs += lengths.lengthUs(task);
  return timed > 0 ? sumUs / timed : 0;
}

function describedLoad({ workload: spec, storage, run }: Scenario): Load | null {
  switch (spec.kind) {
    case "facebook": {
      const times = spec.timeScale * longer(spec.longTasks);
      return untilEnd(scaledLoad(facebookLoad(), spec.jobs, spec.spanUs, times), spec.spanUs, run.untilUs);
    }
    case "benchmark": {
      const jobs = benchmarkJobs(spec) * spec.repeat;
      const once = loadOf(generateWorkload({ ...spec, repeat: 1 }, storage, run.seed), Infinity);
      const lastUs = jobs * spec.meanGapUs;
      return untilEnd(scaledLoad(once, jobs, lastUs, 1), lastUs, run.untilUs);
    }
    case "jobs": {
      const none = { jobs: 0, maps: 0, mapUs: 0, reduces: 0, reduceUs: 0, lastEndUs: 0 };
      return spec.jobs.reduce<Load>((sum, entry) => {
        const { count, maps, reduces, copyUs, sigma, atUs, thinkUs } = entry;
        // The mean of log-normal times whose median is given; of exponential times it is given itself.
        const times = longer(entry.longTasks) * (sigma === null ? 1 : Math.exp((sigma * sigma) / 2));
        const mapUs = entry.mapUs * times;
        const reduceUs = copyUs + entry.reduceUs * times;
        const everyUs = thinkUs === undefined ? entry.everyUs : thinkUs + mapUs;
        const lastUs = atUs + (count - 1) * everyUs;
        const lastEndUs = lastUs + (maps > 0 ? mapUs : 0) + (reduces > 0 ? reduceUs : 0);
        const one = { jobs: 1, maps, mapUs: maps * mapUs, reduces, reduceUs: reduces * reduceUs, lastEndUs };
        const part = untilEnd(scaledLoad(one, count, lastEndUs, 1), lastUs - atUs, run.untilUs - atUs);
        return added(sum, part);
      }, none);
    }
    case "swim":
    case "tasks":
      return null;
  }
}

/** So much longer tasks are on average. */
function longer(longTasks: LongTasksSpec | undefined): number {
  return longTasks === undefined ? 1 : 1 + longTasks.share * (longTasks.factor - 1);
}

let facebook: Load | undefined;

/**
 * Of jobs enough for a mean. Their sizes and times depend on nothing that a scenario says, but for the factors on
 * times.
 */
function facebookLoad(): Load {
  const spec = { kind: "facebook", jobs: 2000, spanUs: 24 * US_PER_HOUR, users: 1, timeScale: 1 } as const;
  const storage = {
    blockBytes: 1,
    replication: 1,
    placement: "uniform",
    nodesPerFile: 1,
    rereadProbability: 0,
  } as const;
  facebook ??= loadOf(generateWorkload(spec, storage, "foreseen"), Infinity);
  return facebook;
}

/** As many jobs of the same kind. */
function scaledLoad(load: Load, jobs: number, lastEndUs: number, times: number): Load {
  const factor = jobs / load.jobs;
  const [maps, reduces] = [load.maps * factor, load.reduces * factor];
  return {
    jobs,
    maps,
    reduces,
    lastEndUs,
    mapUs: load.mapUs * factor * times,
    reduceUs: load.reduceUs * factor * times,
  };
}

/** Of jobs that come evenly until `lastUs`, those before the run ends. */
function untilEnd(load: Load, lastUs: number, untilUs: number): Load {
  const part = untilUs <= 0 ? 0 : lastUs > untilUs ? untilUs / lastUs : 1;
  return { ...scaledLoad(load, load.jobs * part, load.lastEndUs, 1), jobs: load.jobs };
}

function added(one: Load, other: Load): Load {
  return {
    jobs: one.jobs + other.jobs,
    maps: one.maps + other.maps,
    mapUs: one.mapUs + other.mapUs,
    reduces: one.reduces + other.reduces,
    reduceUs: one.reduceUs + other.reduceUs,
    lastEndUs: Math.max(one.lastEndUs, other.lastEndUs),
  };
}

/** A run for which somebody would rather not wait in the dark. */
const LONG_SECONDS = 60;

/** What is told of a long run before it begins; null: it is short, or nobody knows. */
export function longRunWords(foreseen: ForeseenTime | null): string | null {
  if (foreseen === null || foreseen.seconds < LONG_SECONDS) return null;
  return `a rough estimate of the time: ${spentWords(foreseen)}`;
}

/**
 * @throws InputError when a run takes more than a day of one core: with the figure, and the setting that asks for it.
 */
export function refuseTooLong(name: string, foreseen: ForeseenTime | null, advice = ""): void {
  if (foreseen === null || foreseen.seconds <= MOST_SECONDS) return;
  const message = `the run needs ${spentWords(foreseen)}; allowed: about a day${advice}`;
  throw new InputError([{ file: name, line: 0, column: 0, message }]);
}

function spentWords({ seconds, cause }: ForeseenTime): string {
  const { count, what, setting } = cause;
  const asked = `${grouped(Math.ceil(count))} ${what} (${setting})`;
  return `about ${roughTime(seconds)} on one core, most of it for ${asked}`;
}

/** With two digits at most: `12 minutes`, `3.5 days`, `a second`. */
export function roughTime(seconds: number): string {
  if (seconds <= 1) return "a second";
  const [unit, name] = (
    [
      [86_400 * 365, "years"],
      [86_400, "days"],
      [3600, "hours"],
      [60, "minutes"],
      [0, "seconds"],
    ] as const
  ).find(([least]) => seconds >= 2 * least) ?? [1, "seconds"];
  const count = Number((seconds / Math.max(1, unit)).toPrecision(2));
  return `${count.toLocaleString("en-US")} ${name}`;
}

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
  const asked = `${grouped(count)} ${what} (${setting})`;
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
  if (heapBytes > FULL * room.heapBytes) {
    const usable = `a run may fill ${gigabytes(FULL * room.heapBytes)} of the ${gigabytes(room.heapBytes)} that Node allows`;
    const limit = `${usable}, and more with ${heapOption(heapBytes / FULL)}`;
    const message = `the run needs at least ${gigabytes(heapBytes)} of heap for ${asked}; ${limit}`;
    throw new InputError([{ file: name, line: 0, column: 0, message: message + advice }]);
  }
}

let collect: (() => void) | undefined;

/**
 * Called many times a second while a run is loaded and simulated. V8 would end the process without a word to the user.
 * @param kept what is kept for other runs, and is let go of first.
 * @throws InputError when nearly all of the heap is in use.
 */
export function refuseFullHeap(name: string, kept?: { limit(bytes: number): void }): void {
  if (getHeapStatistics().used_heap_size < FULL * heapLimit()) return;
  kept?.limit(0);
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
