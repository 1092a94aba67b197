import { USUAL_MAX_ATTEMPTS } from "../../core/platforms/yarn/index.js";
import type { RecordedFailure } from "../../core/workload/index.js";
import {
  counted,
  MAX_TIME_US,
  US_PER_MS,
  US_PER_SECOND,
  sumOver,
  maxOver,
  minOver,
  definedFields,
  namesOf,
  alphabetical,
} from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { type AwayFactor, awayFactors, type CopiedTime, READS } from "../../experiments/index.js";
import { type ImportCounts, runTimeUs, waitUs } from "../written-import.js";
import { fileProblem, InputError, problemOf } from "../input-error.js";
import type { RecordedRun, RecordedStage } from "../recorded.js";
import { awaySentence } from "../spark/away.js";
import { firstAfter } from "../spark/recorded-times.js";
import {
  type HadoopJob,
  type HadoopNode,
  type HadoopReading,
  type HadoopSize,
  type HadoopTask,
  type LoggedLevel,
  plainName,
} from "./records.js";
import { SLS_NODE } from "./sls.js";

// From what records tell to what YARN can be made to run. Each rule is stated in docs/formats/hadoop-histories.md, and
// counted in the report.

export interface HadoopImport {
  readonly nodes: readonly {
    readonly name: string;
    readonly rack: string;
    readonly memory: number;
    readonly vcores: number;
  }[];
  /** Full names without `root.`, parents before their queues. */
  readonly queues: readonly string[];
  /** Null: as YARN has it. */
  readonly master: { readonly memory: number; readonly vcores: number } | null;
  /**
   * The jobs are a synthetic load: their times contain everything that SLS counts. Times of histories begin when a
   * container has been launched.
   */
  readonly isLoad: boolean;
  readonly jobs: readonly ImportedJob[];
  /** A node is given several containers at one report. */
  readonly isSeveralAtOnce: boolean;
  /** Factors of maps away from their data; empty: no map has places. */
  readonly away: readonly AwayFactor[];
  /** Attempt limits that the records show, if not the usual ones. */
  readonly maxAttempts: { readonly map?: number; readonly reduce?: number };
  /** The run of a task as recorded; null: only its length is known. */
  readonly recorded: RecordedRun | null;
  readonly report: HadoopReport;
}

export interface ImportedJob {
  readonly name: string;
  readonly user: string;
  readonly queue: string;
  readonly submitUs: number;
  /** The job failed or was killed. */
  readonly hasFailed: boolean;
  readonly mapSize: HadoopSize;
  readonly reduceSize: HadoopSize;
  readonly maps: readonly ImportedTask[];
  readonly reduces: readonly ImportedTask[];
  /** Times of its master; undefined: its record has none. */
  readonly master?: MasterTimes;
}

/** Undefined, each: not recorded. */
export interface MasterTimes {
  readonly startUs?: number;
  readonly startMostUs?: number;
  readonly endUs?: number;
  readonly slowStart?: number;
}

export interface ImportedTask {
  readonly count: number;
  readonly runUs: number;
  /** Copy time of a reduce. */
  readonly copyUs: number;
  readonly hosts: readonly string[];
  /** Locality level of a map with hosts, if its own host is recorded. */
  readonly level?: LoggedLevel;
  readonly failures?: readonly RecordedFailure[];
}

/** Counts of an import: read, folded, guessed and left out. */
export interface HadoopReport extends ImportCounts {
  readonly read: Readonly<Record<"files" | "jobs" | "tasks" | "attempts", number>>;
  readonly written: Readonly<Record<"jobs" | "tasks" | "nodes" | "queues", number>>;
  /** Factors of maps away from their data, in words. */
  readonly learnt: readonly string[];
  /** Doubts about the scenario as a whole, with remedies. */
  readonly warnings: readonly string[];
}

/** Levels as the estimator numbers them, which is Spark's way. */
const LEVEL_OF: Readonly<Record<LoggedLevel, number>> = { NODE_LOCAL: 1, RACK_LOCAL: 3, OFF_SWITCH: 4 };

/** Histories of one period hardly have a week without a job. */
const LONGEST_GAP_MS = 7 * 86_400_000;

/** Gaps that are listed one by one. */
const MOST_GAPS = 5;

const DEFAULT_RACK = "default-rack";

/** Nodes of YARN where nothing is set. */
const NODE_MB = 8192;
const NODE_VCORES = 8;
const TASK_MB = 1024;
const MASTER_MB = 1536;
/** The smallest master, for jobs without one. */
const NO_MASTER = { memory: 1, vcores: 1 };

/** Names of the local machine. */
const SELF = /^(?:localhost(?:\..*)?|127(?:\.\d+){3})$/;

/** @param shown what messages name. @throws InputError where nothing can be run. */
export function importJobs(reading: HadoopReading, shown: readonly string[]): HadoopImport {
  return new Importer(reading, shown).imported();
}

interface KeptJob {
  readonly logged: HadoopReading["jobs"][number];
  readonly name: string;
  readonly submittedMs: number;
}

class Importer {
  private readonly kept: readonly KeptJob[];
  private readonly originMs: number;
  private readonly isLoad: boolean;
  private readonly nodes: HadoopImport["nodes"];
  /** By node: its rack. */
  private readonly places: ReadonlyMap<string, string>;
  /** Nodes are as large as what the fullest ran at one time. */
  private isSizedByUse = false;
  /** By host. */
  private readonly use: ReadonlyMap<string, HostUse>;
  /** The shortest time of any master from the submission to its start: a lower bound of every launch. */
  private readonly shortestLaunchMs: number;

  constructor(
    private readonly reading: HadoopReading,
    private readonly shown: readonly string[],
  ) {
    this.isLoad = reading.jobs.every(({ masterSize }) => masterSize.memory !== null);
    this.kept = this.keptJobs();
    this.originMs = this.kept[0].submittedMs;
    this.use = useByHost(this.kept);
    this.shortestLaunchMs = shortestLaunchOf(this.kept);
    this.nodes = this.nodesOf();
    this.places = new Map(this.nodes.map(({ name, rack }) => [name, rack]));
  }

  imported(): HadoopImport {
    const { reading, kept, nodes, isLoad } = this;
    const { queues, queueOf } = queuesOf(kept.map(({ logged }) => logged.queue));
    for (const [recordedName, queueName] of queueOf) {
      if (recordedName !== queueName && recordedName !== `root.${queueName}`) {
        reading.guessed.push(`queue ${JSON.stringify(recordedName)}, which cannot be one here: ${queueName}`);
      }
    }
    const jobs = kept.map((job) => this.jobOf(job, queueOf.get(job.logged.queue) ?? "default"));
    const tasks = sumOver(jobs, ({ maps, reduces }) => countOf(maps) + countOf(reduces));
    const isSeveralAtOnce = !this.isLoad && this.isSeveralAtOnce();
    this.say(queues, isSeveralAtOnce);
    const away = this.isLoad ? [] : this.learntFactors(jobs);
    const recorded = this.recorded(jobs);
    const { folded, guessed, leftOut } = reading.sections();
    const { files, jobs: read, tasks: ofJobs, attempts } = reading.read;
    return {
      nodes,
      queues,
      isLoad,
      jobs,
      recorded,
      master: this.master(),
      away,
      isSeveralAtOnce,
      maxAttempts: this.maxAttempts(),
      report: {
        read: { files, jobs: read, tasks: ofJobs, attempts },
        written: { jobs: jobs.length, tasks, nodes: nodes.length, queues: queues.length },
        folded,
        guessed,
        leftOut,
        learnt: [...(this.isLoad ? [] : copiedOf(jobs, kept).map(copiedSentence)), ...away.map(awayOf)],
        warnings: this.isLoad ? [] : gapWarnings(kept),
      },
    };
  }

  /** Jobs with tasks, by submission. */
  private keptJobs(): KeptJob[] {
    const { reading, shown } = this;
    const names = new Set<string>();
    const keptJobs = reading.jobs.flatMap((logged): KeptJob[] => {
      const { id, maps, reduces } = logged;
      if (maps.length + reduces.length === 0) {
        reading.count("leftOut", "job", "of which no task ended");
        return [];
      }
      if (Math.max(countOf(maps), countOf(reduces)) > LIMITS.tasksPerPhase) {
        reading.count("leftOut", "job", `with more than ${LIMITS.tasksPerPhase} maps or reduces`);
        return [];
      }
      let submittedMs = logged.submittedMs ?? Infinity;
      if (logged.submittedMs === null) {
        for (const { launchMs } of [...maps, ...reduces]) submittedMs = Math.min(submittedMs, launchMs ?? Infinity);
        if (submittedMs === Infinity) submittedMs = 0;
        reading.count("guessed", "job", "of which no submission is told: with its first task");
      }
      const plain =
        id
          .replace(/[\p{Cc}]/gu, "-")
          .trim()
          .slice(0, LIMITS.nameLength - 10) || "job";
      let name = plain;
      for (let i = 2; names.has(name); i++) name = `${plain}-${i}`;
      names.add(name);
      return [{ logged: this.withinNodes(logged), name, submittedMs }];
    });
    keptJobs.sort((a, b) => a.submittedMs - b.submittedMs || (a.name < b.name ? -1 : 1));
    const inTime = keptJobs.filter(
      ({ submittedMs }) => (submittedMs - keptJobs[0].submittedMs) * US_PER_MS <= MAX_TIME_US,
    );
    reading.count("leftOut", "job", "submitted more than 100 years after the first", keptJobs.length - inTime.length);
    if (inTime.length === 0) {
      const message = "has no job of which a task ended, so there is nothing to simulate";
      throw new InputError(shown.map((file) => problemOf(file, message)));
    }
    const tasks = sumOver(inTime, ({ logged }) => countOf(logged.maps) + countOf(logged.reduces));
    if (tasks > LIMITS.heldTasks) {
      throw fileProblem(shown[0], `has ${tasks} tasks with all files beside it, expected at most ${LIMITS.heldTasks}`);
    }
    return inTime;
  }

  /** No container is larger than a node may be. */
  private withinNodes(logged: KeptJob["logged"]): KeptJob["logged"] {
    const lesser = (size: HadoopSize): HadoopSize => ({
      memory: size.memory === null ? null : Math.min(size.memory, LIMITS.memoryMb),
      vcores: size.vcores === null ? null : Math.min(size.vcores, LIMITS.vcores),
    });
    const { mapSize, reduceSize, masterSize } = logged;
    const sizes = { mapSize: lesser(mapSize), reduceSize: lesser(reduceSize), masterSize: lesser(masterSize) };
    const isLess = (was: HadoopSize, is: HadoopSize) => was.memory !== is.memory || was.vcores !== is.vcores;
    const cut = (["mapSize", "reduceSize", "masterSize"] as const).filter((size) => isLess(logged[size], sizes[size]));
    if (cut.length === 0) return logged;
    const limitWords = `${LIMITS.memoryMb} MB and ${LIMITS.vcores} vcores`;
    this.reading.count(
      "guessed",
      "size",
      `of containers beyond what a node may have: at most ${limitWords}`,
      cut.length,
    );
    return { ...logged, ...sizes };
  }

  /**
   * The nodes of a list; or else hosts that ran something or hold input, all as large as the largest had to be.
   */
  private nodesOf(): HadoopImport["nodes"] {
    const { reading, kept, shown } = this;
    const ran = new Set<string>();
    const holds = new Set<string>();
    for (const { logged } of kept) {
      for (const { host } of logged.masters) ran.add(host);
      for (const task of [...logged.maps, ...logged.reduces]) {
        ran.add(task.host);
        for (const place of task.places) holds.add(place);
      }
    }
    ran.delete("");
    if (reading.nodes.length > 0) {
      const known = new Set(namesOf(reading.nodes));
      const strays = [...new Set([...ran, ...holds])].filter((host) => !known.has(host)).length;
      reading.count("leftOut", "host", "that no list of nodes has: tasks have no place there", strays);
      return reading.nodes;
    }
    const selves = [...holds].filter((host) => SELF.test(host) && !ran.has(host));
    for (const host of selves) holds.delete(host);
    reading.count(
      "leftOut",
      "name",
      "of hosts with input that are no machines of a cluster, such as localhost",
      selves.length,
    );
    const hosts = [...new Set([...ran, ...holds, ...reading.hosts])].sort(alphabetical);
    if (hosts.length === 0) {
      throw fileProblem(shown[0], "names no host; a file of nodes beside it, such as SLS's nodes.json, lists them");
    }
    if (hosts.length > LIMITS.nodes) {
      throw fileProblem(shown[0], `names ${hosts.length} hosts, expected at most ${LIMITS.nodes}`);
    }
    const idle = hosts.filter((host) => !ran.has(host)).length;
    reading.count("guessed", "host", "that ran nothing that is told of: a node like the others", idle);
    const bare = hosts.filter((host) => !reading.racks.has(host)).length;
    reading.count("guessed", "host", `of which no rack is told: ${DEFAULT_RACK}`, bare);
    const [size, why] = this.isLoad
      ? [SLS_NODE, "as SLS takes where no list of nodes says more"]
      : this.sizeOfNodes(hosts);
    reading.guessed.push(`size of nodes: ${size.memory} MB and ${counted(size.vcores, "vcore")} each, ${why}`);
    return hosts.map((name) => ({ name, rack: reading.racks.get(name) ?? DEFAULT_RACK, ...size }));
  }

  /**
   * The peak use of the fullest node, if tasks waited although YARN's default would have had room; else the larger of
   * both.
   */
  private sizeOfNodes(
    hosts: readonly string[],
  ): [size: { readonly memory: number; readonly vcores: number }, why: string] {
    const usual = this.mostAtOnce(NODE_MB, NODE_VCORES);
    const nodes = hosts.map((name) => ({ name, ...usual }));
    let [late, withRoom] = [0, 0];
    for (const { logged } of this.kept) {
      const askedMs = askedOf(logged);
      if (askedMs === null) continue;
      // All reduces are requested when the last map has ended.
      const mapsEndedMs = maxOver(logged.maps, ({ finishMs }) => finishMs ?? -Infinity, askedMs);
      for (const [tasks, size, requestedMs] of [
        [logged.maps, logged.mapSize, askedMs] as const,
        [logged.reduces, logged.reduceSize, mapsEndedMs] as const,
      ]) {
        for (const { launchMs, failures } of tasks) {
          if (launchMs === null || failures !== undefined || launchMs - requestedMs < LATE_MS) continue;
          late++;
          if (this.hadRoom(nodes, sizeOr(size, TASK_MB), launchMs - LATE_MS, launchMs, true)) withRoom++;
        }
      }
    }
    if (withRoom <= late / 2) return [usual, "YARN's default, or what the fullest ran at one time if that is more"];
    this.isSizedByUse = true;
    const why = `what the fullest ran at one time, as ${counted(withRoom, "task")} of ${late} that waited did so although YARN's default of ${NODE_MB} MB would have had room`;
    return [this.mostAtOnce(1, 1), why];
  }

  /**
   * Whether most launches on a node came together with another of the same job: a node reports once a second, and is
   * given one container each time otherwise.
   */
  private isSeveralAtOnce(): boolean {
    let [launches, together] = [0, 0];
    for (const { logged } of this.kept) {
      for (const tasks of [logged.maps, logged.reduces]) {
        const last = new Map<string, number>();
        const inOrder = tasks.filter(({ host }) => host !== "").sort((a, b) => (a.launchMs ?? 0) - (b.launchMs ?? 0));
        for (const { host, launchMs } of inOrder) {
          if (launchMs === null) continue;
          const before = last.get(host);
          last.set(host, launchMs);
          if (before === undefined) continue;
          launches++;
          if (launchMs - before < MASTER_HEARTBEAT_MS / 5) together++;
        }
      }
    }
    return together > launches / 2;
  }

  /** The recorded peak of memory and vcores on the fullest host; at least those given. */
  private mostAtOnce(leastMb: number, leastVcores: number): { readonly memory: number; readonly vcores: number } {
    let [memory, vcores] = [leastMb, leastVcores];
    for (const use of this.use.values()) {
      memory = maxOver(use.memory, Number, memory);
      vcores = maxOver(use.vcores, Number, vcores);
    }
    return { memory: Math.min(memory, LIMITS.memoryMb), vcores: Math.min(vcores, LIMITS.vcores) };
  }

  /**
   * The size of masters where nodes are as large as their tasks' use and no master is recorded: each took the place of
   * a task. Null: YARN's default.
   */
  private likeTasks(): HadoopImport["master"] {
    if (!this.isSizedByUse || this.kept.some(({ logged }) => logged.masters.length > 0)) return null;
    const memory = maxOver(this.kept, ({ logged }) => logged.mapSize.memory ?? TASK_MB, 1);
    this.reading.guessed.push(`size of masters, of which nothing is told: ${memory} MB, as of a map`);
    return { memory, vcores: 1 };
  }

  private get isOfHadoop1(): boolean {
    return this.kept.every(({ logged }) => logged.isOfHadoop1 === true);
  }

  private master(): HadoopImport["master"] {
    if (!this.isLoad && this.isOfHadoop1) return NO_MASTER;
    if (!this.isLoad) return this.likeTasks();
    const sizes = this.kept.map(({ logged }) => logged.masterSize);
    const largest = (resource: "memory" | "vcores") => maxOver(sizes, (size) => size[resource] ?? 1, 1);
    const largestMaster = { memory: largest("memory"), vcores: largest("vcores") };
    const smaller = sizes.filter(
      ({ memory, vcores }) => memory !== largestMaster.memory || vcores !== largestMaster.vcores,
    ).length;
    this.reading.count("folded", "job", "whose master is smaller than others: all take the largest", smaller);
    return largestMaster;
  }

  private jobOf({ logged, name, submittedMs }: KeptJob, queue: string): ImportedJob {
    const mapsEndedMs = maxOver(logged.maps, ({ finishMs }) => finishMs ?? -Infinity);
    const master = this.masterTimes(logged);
    return {
      name,
      queue,
      user: textOf(logged.user) || "user",
      submitUs: this.us(submittedMs),
      hasFailed: logged.result === "failed",
      mapSize: logged.mapSize,
      reduceSize: logged.reduceSize,
      maps: logged.maps.map((task) => {
        const hosts = this.hostsOf(task);
        const isPlaced = hosts.length > 0 && (task.level !== null || task.host !== "");
        return {
          count: task.count,
          runUs: this.lengthUs(task.runMs),
          copyUs: 0,
          hosts,
          ...(isPlaced && !this.isLoad ? { level: this.levelOf(task, hosts) } : {}),
          ...this.failuresOf(task),
        };
      }),
      reduces: logged.reduces.map((task) => {
        return { count: task.count, hosts: [], ...this.phasesOf(task, mapsEndedMs), ...this.failuresOf(task) };
      }),
      ...(Object.keys(master).length === 0 ? {} : { master }),
    };
  }

  private failuresOf({ failures }: HadoopTask): Pick<ImportedTask, "failures"> {
    if (failures === undefined) return {};
    return { failures: failures.map(({ heldMs, reason }) => ({ heldUs: this.lengthUs(heldMs, 0), reason })) };
  }

  /** The times of a job's master beside its tasks, and its slow start. */
  private masterTimes(logged: HadoopJob): MasterTimes {
    const { endedMs, settings } = logged;
    const lastMs = lastEndOf(logged);
    const slowStart = settings?.slowStart ?? slowStartOf(logged);
    return {
      ...this.masterStart(logged),
      ...(endedMs === null || lastMs === null ? {} : { endUs: waitUs(endedMs - lastMs) }),
      ...(slowStart === null ? {} : { slowStart }),
    };
  }

  /**
   * Time from the submission until the master asked for its first containers. If the known nodes had room for a master
   * until it ran, all of this time is the master's own. Otherwise the log does not tell how long the master waited for
   * room, and the result is a range.
   */
  private masterStart(logged: HadoopJob): Pick<MasterTimes, "startUs" | "startMostUs"> {
    const { submittedMs, masters, scheduledMs } = logged;
    const askedMs = askedOf(logged);
    if (submittedMs === null || askedMs === null || askedMs < submittedMs) return {};
    const mostUs = waitUs(askedMs - submittedMs);
    const startedMs = masters.length > 0 ? masters[0].fromMs : (scheduledMs ?? askedMs);
    const size = sizeOr(logged.masterSize, this.isOfHadoop1 ? NO_MASTER.memory : MASTER_MB);
    if (this.hadRoom(this.nodes, size, submittedMs, startedMs)) return { startUs: mostUs };
    const leastUs = Math.min(mostUs, waitUs(askedMs - startedMs) + waitUs(this.shortestLaunchMs));
    return leastUs === mostUs ? { startUs: mostUs } : { startUs: leastUs, startMostUs: mostUs };
  }

  /**
   * Whether some node had room for a container during the whole interval, by the recorded jobs.
   * @param isStill also requires that the node's memory in use did not grow, as it does where a node is given one
   * container at each report.
   */
  private hadRoom(
    nodes: readonly Pick<HadoopNode, "name" | "memory" | "vcores">[],
    { memory: mb, vcores: cores }: { readonly memory: number; readonly vcores: number },
    fromMs: number,
    untilMs: number,
    isStill = false,
  ): boolean {
    return nodes.some(({ name, memory, vcores }) => {
      const use = this.use.get(name);
      if (use === undefined) return mb <= memory && cores <= vcores;
      const first = firstAfter(use.atMs, fromMs) - 1;
      const atFirstMb = use.memory[first] ?? 0;
      let atLastMb = atFirstMb;
      for (let change = first; change < use.atMs.length && (use.atMs[change] ?? 0) < untilMs; change++) {
        const [heldMb, heldCores] = change < 0 ? [0, 0] : [use.memory[change], use.vcores[change]];
        if (heldMb + mb > memory || heldCores + cores > vcores) return false;
        atLastMb = heldMb;
      }
      return !isStill || atLastMb <= atFirstMb;
    });
  }

  /** Factors learnt from maps that have places and a recorded host. */
  private learntFactors(jobs: readonly ImportedJob[]): AwayFactor[] {
    const rows = this.kept.flatMap(({ logged }, job) =>
      logged.maps.flatMap((task, i) => {
        const { level } = jobs[job].maps[i];
        const isUsed = level !== undefined && task.hasSucceeded === true && task.launchMs !== null;
        return isUsed ? [{ job, task, level: LEVEL_OF[level] }] : [];
      }),
    );
    const hosts = new Map([...new Set(rows.map(({ task }) => task.host))].map((host, number) => [host, number]));
    const column = (valueOf: (row: (typeof rows)[number], index: number) => number): Float64Array => {
      return Float64Array.from(rows, valueOf);
    };
    return awayFactors({
      stage: column(({ job }) => job),
      reads: column(() => READS.indexOf("input")),
      level: column(({ level }) => level),
      host: column(({ task }) => hosts.get(task.host) ?? 0),
      // Each container is a process of its own: none is warmer than another.
      executor: column((_, index) => index),
      startUs: column(({ task }) => (task.launchMs ?? 0) * US_PER_MS),
      runUs: column(({ task }) => Math.max(0.5, task.runMs) * US_PER_MS),
      cpuUs: column(({ task: { cpuMs } }) => (cpuMs === undefined ? NaN : Math.max(1, cpuMs * US_PER_MS))),
      bytes: column(({ task: { bytes } }) => bytes ?? NaN),
    });
  }

  /** A limit that no record contradicts: that at which a task failed its job, above what any task survived. */
  private maxAttempts(): HadoopImport["maxAttempts"] {
    const limitOf = (type: "map" | "reduce") => {
      let [survived, fatal, configured] = [0, Infinity, 0];
      for (const { logged } of this.kept) {
        configured = Math.max(configured, logged.settings?.[`${type}MaxAttempts`] ?? 0);
        for (const { failures = [], hasFailed } of type === "map" ? logged.maps : logged.reduces) {
          const failed = failures.filter(({ reason }) => reason === "FAILED").length;
          if (hasFailed === true && failed > 0) fatal = Math.min(fatal, failed);
          else survived = Math.max(survived, failed);
        }
      }
      const least = Math.max(USUAL_MAX_ATTEMPTS, survived + 1);
      const limit = configured > 0 ? configured : fatal > survived && fatal < Infinity ? fatal : least;
      return limit === USUAL_MAX_ATTEMPTS ? undefined : limit;
    };
    const [map, reduce] = [limitOf("map"), limitOf("reduce")];
    return definedFields({ map, reduce });
  }

  /** A reduce works from when all maps have ended: until then its container waits. */
  private phasesOf(
    { launchMs, finishMs, runMs, shuffledMs }: HadoopTask,
    mapsEndedMs: number,
  ): { readonly runUs: number; readonly copyUs: number } {
    if (launchMs === null || finishMs === null || shuffledMs === null)
      return { runUs: this.lengthUs(runMs), copyUs: 0 };
    const fromMs = Math.min(Math.max(launchMs, mapsEndedMs), finishMs);
    const copiedMs = Math.min(Math.max(shuffledMs, fromMs), finishMs);
    return { copyUs: this.lengthUs(copiedMs - fromMs, 0), runUs: this.lengthUs(finishMs - copiedMs) };
  }

  private lengthUs(ms: number, leastUs = 1_000): number {
    const us = Math.round(ms * US_PER_MS);
    if (us > LIMITS.taskUs)
      this.reading.count("leftOut", "task", `of what it took beyond ${LIMITS.taskUs / 86_400e6} days`);
    if (us < leastUs) this.reading.count("guessed", "task", "that took no time: a millisecond");
    return Math.min(LIMITS.taskUs, Math.max(leastUs, us));
  }

  private hostsOf({ places, host, level, count }: HadoopTask): string[] {
    const { reading } = this;
    const knownHosts = places.filter((place) => this.places.has(place));
    if (knownHosts.length > LIMITS.replication)
      reading.count("leftOut", "host", `of tasks with more than ${LIMITS.replication}`);
    if (knownHosts.length > 0) return knownHosts.slice(0, LIMITS.replication);
    if (level === "NODE_LOCAL" && this.places.has(host)) {
      reading.count(
        "guessed",
        "map",
        "whose input is on the host that ran it, as nothing but NODE_LOCAL is told",
        count,
      );
      return [host];
    }
    reading.count("guessed", "map", "without a place: any node is as good, as no host of its input is told", count);
    return [];
  }

  private us(ms: number): number {
    return runTimeUs(ms - this.originMs);
  }

  private say(queues: readonly string[], isSeveralAtOnce: boolean): void {
    const { reading, kept, isLoad } = this;
    const failed = kept.filter(({ logged }) => logged.result === "failed").length;
    reading.count(
      "guessed",
      "job",
      "that failed or was killed: its tasks that ended are run, and it counts as failed then",
      failed,
    );
    const summed = kept.filter(({ logged }) => logged.isSummed).length;
    reading.count(
      "guessed",
      "application",
      "of which all that is told is what it held: as many maps at once as held so many vcores, from 4 s after its launch to its end",
      summed,
    );
    const unreplayed = kept.flatMap(({ logged: { maps, reduces } }) =>
      [...maps, ...reduces].map((task) => task.unreplayed),
    );
    const beside = sumOver(unreplayed, (lost) => lost?.attempts ?? 0);
    reading.count(
      "leftOut",
      "attempt",
      "that ran beside the one that counts, as speculative copies do, or had succeeded before it: a run cannot have them again",
      beside,
    );
    const restarted = kept.filter(({ logged }) => logged.masters.length > 1).length;
    reading.count("leftOut", "restart", "of masters: what they did again is in the times of their tasks", restarted);
    const open = kept.filter(({ logged }) => logged.endedMs === null && logged.isDrawn !== true).length;
    reading.count("guessed", "job", "of which no end is told: its tasks that ended are run", open);
    reading.guessed.push(
      `the scheduler is not told: yarn-fair, with ${counted(queues.length, "queue")} of equal weights${isSeveralAtOnce ? ", and assignMultiple: most containers were launched on a node together with others" : ""}`,
      isLoad
        ? "a launch takes no time, as in SLS"
        : "where nothing is told of a master it asks 4 s after its launch; what a launch takes is in the times of tasks",
    );
    if (this.isOfHadoop1) {
      reading.guessed.push(
        "jobs ran under Hadoop 1, as tasks set them up: their masters take 1 MB, and slots of maps and reduces are one memory",
      );
    }
    if (
      !isLoad &&
      summed < kept.length &&
      kept.every(({ logged }) => logged.mapSize.memory === null && logged.reduceSize.memory === null)
    ) {
      reading.guessed.push(`size of containers is not told: ${TASK_MB} MB and a vcore, a master ${MASTER_MB} MB`);
    }
  }

  private recorded(jobs: readonly ImportedJob[]): RecordedRun | null {
    const { kept, reading } = this;
    const allTasks = kept.flatMap(({ logged }) => [...logged.maps, ...logged.reduces]);
    const untold = allTasks.filter(({ launchMs, finishMs }) => launchMs === null || finishMs === null).length;
    const summed = kept.filter(({ logged }) => logged.isSummed).length;
    const why =
      (kept.some(({ logged }) => logged.isDrawn) ? "drawn jobs never ran" : "") ||
      (summed > 0 ? `of ${counted(summed, "application")} no task is told` : "") ||
      (untold > 0 ? `of ${counted(untold, "task")} only the length is recorded` : "");
    if (why !== "") {
      reading.leftOut.push(`what was recorded, as ${why}: bide replay has nothing to compare`);
      return null;
    }
    const stages: RecordedStage[] = [];
    const rows: { stage: number; task: number; logged: HadoopTask; level: LoggedLevel | null }[] = [];
    kept.forEach(({ logged }, index) => {
      for (const stage of ["map", "reduce"] as const) {
        const tasks = stage === "map" ? logged.maps : logged.reduces;
        if (tasks.length === 0) continue;
        const levels: Partial<Record<LoggedLevel, number>> = {};
        let [task, firstMs, lastMs, unreplayed, unreplayedMs] = [0, Infinity, -Infinity, 0, 0];
        tasks.forEach((loggedTask, row) => {
          const level = stage === "map" ? this.levelOf(loggedTask, jobs[index].maps[row].hosts) : null;
          for (let k = 0; k < loggedTask.count; k++) {
            if (level !== null) levels[level] = (levels[level] ?? 0) + 1;
            rows.push({ stage: stages.length, task: task++, logged: loggedTask, level });
          }
          firstMs = Math.min(firstMs, loggedTask.firstMs ?? loggedTask.launchMs ?? Infinity);
          lastMs = Math.max(lastMs, loggedTask.finishMs ?? -Infinity);
          unreplayed += loggedTask.unreplayed?.attempts ?? 0;
          unreplayedMs += loggedTask.unreplayed?.ms ?? 0;
        });
        const { name: job } = jobs[index];
        stages.push({
          job,
          stage,
          submittedUs: this.us(firstMs),
          endedUs: this.us(lastMs),
          hasFailed: logged.result === "failed",
          tasks: task,
          levels,
          ...(unreplayed === 0 ? {} : { leftOut: { attempts: unreplayed, us: unreplayedMs * US_PER_MS } }),
        });
      }
    });
    rows.sort((a, b) => firstLaunchOf(a.logged) - firstLaunchOf(b.logged) || a.stage - b.stage || a.task - b.task);
    const ends = kept.map(({ logged }) => logged.endedMs);
    const attempts: RecordedRun["attempts"] & { readonly node: readonly string[] } = {
      stage: rows.map(({ stage }) => stage),
      task: rows.map(({ task }) => task),
      node: rows.map(({ logged: loggedTask }) => loggedTask.host),
      level: rows.map(({ level }) => level),
      launchUs: rows.map(({ logged: loggedTask }) => this.us(firstLaunchOf(loggedTask))),
      finishUs: rows.map(({ logged: loggedTask }) => this.us(loggedTask.finishMs ?? 0)),
    };
    return {
      ...({ format: "bide-yarn-recorded", version: 1, id: "", name: "" } as const),
      startedMs: this.originMs,
      endedUs: ends.includes(null) ? null : this.us(maxOver(ends, (ms) => ms ?? 0, 0)),
      jobs: kept.map(({ logged, submittedMs }, index) => ({
        job: jobs[index].name,
        submittedUs: this.us(submittedMs),
        result: logged.result,
        endedUs: logged.endedMs === null || logged.endedMs < submittedMs ? null : this.us(logged.endedMs),
      })),
      stages,
      attempts,
      copied: copiedOf(jobs, kept),
    };
  }

  /** The recorded level, or the one that follows from the task's host. */
  private levelOf({ level, host }: HadoopTask, hosts: readonly string[]): LoggedLevel {
    if (level !== null) return level;
    if (hosts.includes(host)) return "NODE_LOCAL";
    const rackOf = (name: string) => this.rackOf(name);
    return hosts.some((name) => rackOf(name) === rackOf(host)) ? "RACK_LOCAL" : "OFF_SWITCH";
  }

  private rackOf(host: string): string {
    return this.places.get(host) ?? this.reading.racks.get(host) ?? DEFAULT_RACK;
  }
}

/** Recorded use of a host, from each change to the next. */
interface HostUse {
  readonly atMs: readonly number[];
  readonly memory: readonly number[];
  readonly vcores: readonly number[];
}

function useByHost(kept: readonly KeptJob[]): Map<string, HostUse> {
  const changes = new Map<string, (readonly [ms: number, memory: number, vcores: number])[]>();
  const add = (host: string, fromMs: number | null, untilMs: number | null, { memory, vcores }: HadoopSize): void => {
    if (host === "" || fromMs === null || untilMs === null) return;
    const hostChanges = changes.get(host) ?? [];
    if (hostChanges.length === 0) changes.set(host, hostChanges);
    const [mb, cores] = [memory ?? TASK_MB, vcores ?? 1];
    hostChanges.push([fromMs, mb, cores], [untilMs, -mb, -cores]);
  };
  for (const { logged } of kept) {
    for (const { host, fromMs } of logged.masters.slice(-1)) {
      add(host, fromMs, logged.endedMs, { memory: logged.masterSize.memory ?? MASTER_MB, vcores: null });
    }
    for (const { host, launchMs, finishMs } of logged.maps) add(host, launchMs, finishMs, logged.mapSize);
    for (const { host, launchMs, finishMs } of logged.reduces) add(host, launchMs, finishMs, logged.reduceSize);
  }
  return new Map(
    [...changes].map(([host, hostChanges]) => {
      // At one instant, tasks that end come before tasks that start.
      hostChanges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      let [mb, cores] = [0, 0];
      const memory = hostChanges.map((change) => (mb += change[1]));
      const vcores = hostChanges.map((change) => (cores += change[2]));
      return [host, { atMs: hostChanges.map(([ms]) => ms), memory, vcores }];
    }),
  );
}

function shortestLaunchOf(kept: readonly KeptJob[]): number {
  const launches = kept.flatMap(({ logged: { masters, submittedMs } }) =>
    masters.length === 0 || submittedMs === null ? [] : [Math.max(0, masters[0].fromMs - submittedMs)],
  );
  return minOver(launches, Number, launches[0] ?? 0);
}

/** The size of a container; what is not recorded is the usual. */
function sizeOr({ memory, vcores }: HadoopSize, usualMb: number): { readonly memory: number; readonly vcores: number } {
  return { memory: memory ?? usualMb, vcores: vcores ?? 1 };
}

/** The delay between request and launch from which a map counts as having waited. */
const LATE_MS = 5_000;

/** YARN's report interval: a master receives containers at the report after its request. */
const MASTER_HEARTBEAT_MS = 1_000;

/**
 * The time of the master's first request for containers: one report before their launch, and at most one after it has
 * tasks.
 * Null: not recorded.
 */
function askedOf({ scheduledMs = null, firstLaunchMs = null }: HadoopJob): number | null {
  if (firstLaunchMs === null) return null;
  const askedMs = firstLaunchMs - MASTER_HEARTBEAT_MS;
  return scheduledMs === null ? askedMs : Math.min(Math.max(askedMs, scheduledMs), scheduledMs + MASTER_HEARTBEAT_MS);
}

/** The end of the last task, or of the one that failed the job. */
function lastEndOf({ maps, reduces }: HadoopJob): number | null {
  const allTasks = [...maps, ...reduces];
  const fatal = allTasks.filter(({ hasFailed }) => hasFailed === true);
  const last = maxOver(fatal.length > 0 ? fatal : allTasks, ({ finishMs }) => finishMs ?? -Infinity);
  return last === -Infinity ? null : last;
}

/** Share of the maps that had ended a report before the first reduce was launched. Null: not recorded. */
function slowStartOf({ maps, reduces }: HadoopJob): number | null {
  const launchMs = minOver(reduces, (task) => task.firstMs ?? task.launchMs ?? Infinity);
  if (launchMs === Infinity || maps.length === 0) return null;
  const askedMs = launchMs - MASTER_HEARTBEAT_MS;
  return maps.filter(({ finishMs }) => finishMs !== null && finishMs <= askedMs).length / maps.length;
}

/**
 * Time of more than a week in which no job of any history runs: histories of different years, or a clock that was
 * wrong.
 */
function gapWarnings(kept: readonly KeptJob[]): string[] {
  const warnings: string[] = [];
  let last = kept[0];
  const endOf = ({ logged, submittedMs }: KeptJob) => Math.max(submittedMs, logged.endedMs ?? submittedMs);
  for (const job of kept) {
    const gapMs = job.submittedMs - endOf(last);
    if (gapMs > LONGEST_GAP_MS) {
      const days = Math.floor(gapMs / 86_400_000);
      warnings.push(
        `${counted(days, "day")} without a job, from ${dayOf(endOf(last))} (${last.name} of ${last.logged.file}) to ${dayOf(job.submittedMs)} ` +
          `(${job.name} of ${job.logged.file}): the scenario has that time too; to leave it out, import the files of each period into a folder of its own`,
      );
    }
    if (endOf(job) >= endOf(last)) last = job;
  }
  const more = warnings.length - MOST_GAPS;
  return more <= 0 ? warnings : [...warnings.slice(0, MOST_GAPS), `${counted(more, "more gap")} of more than 7 days`];
}

/** The date of a time; a wrong clock may give any number. */
function dayOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString().slice(0, 10);
}

/** Times beside those that tasks take, all jobs together. */
function copiedOf(jobs: readonly ImportedJob[], kept: readonly KeptJob[]): CopiedTime[] {
  let [startUs, startMostUs, endUs, lostUs, lost, taskUs] = [0, 0, 0, 0, 0, 0];
  for (const { master = {}, maps, reduces } of jobs) {
    startUs += master.startUs ?? 0;
    startMostUs += master.startMostUs ?? master.startUs ?? 0;
    endUs += master.endUs ?? 0;
    for (const { failures = [], runUs, copyUs, count } of [...maps, ...reduces]) {
      lost += failures.length;
      lostUs += sumOver(failures, ({ heldUs }) => heldUs);
      taskUs += count * (runUs + copyUs);
    }
  }
  const jobUs = sumOver(
    kept,
    ({ logged: { endedMs }, submittedMs }) => Math.max(0, (endedMs ?? submittedMs) - submittedMs) * US_PER_MS,
  );
  const ofJobs = { partOf: "the time of all jobs", wholeUs: jobUs };
  const mostUs = startMostUs > startUs ? startMostUs : null;
  const times = [
    { what: "masters' time from submission until they ask for containers", us: startUs, mostUs, ...ofJobs },
    { what: "masters' time from the last task to the end of jobs", us: endUs, mostUs: null, ...ofJobs },
    {
      what: `${counted(lost, "attempt")} that failed or ${lost === 1 ? "was" : "were"} killed`,
      us: lostUs,
      mostUs: null,
      partOf: "the time of all tasks",
      wholeUs: taskUs + lostUs,
    },
  ];
  return times.filter(({ us }) => us > 0);
}

function copiedSentence({ what, us, mostUs, partOf, wholeUs }: CopiedTime): string {
  const seconds = (timeUs: number) => (timeUs / US_PER_SECOND).toFixed(1);
  const range = mostUs === null ? "" : ` to ${seconds(mostUs)}`;
  return `${what}: ${seconds(us)}${range} s of ${seconds(wholeUs)} s, ${partOf}; copied`;
}

function awayOf(factor: AwayFactor): string {
  return awaySentence(factor, factor.level === "ANY" ? "OFF_SWITCH" : factor.level);
}

/** The launch of the first replayed attempt. */
function firstLaunchOf({ firstMs, launchMs }: HadoopTask): number {
  return firstMs ?? launchMs ?? 0;
}

function countOf(tasks: readonly { readonly count: number }[]): number {
  return sumOver(tasks, ({ count }) => count);
}

function textOf(text: string): string {
  return text
    .replace(/\p{Cc}/gu, "-")
    .trim()
    .slice(0, LIMITS.nameLength);
}

/** Names of queues as scenarios have them. A queue with jobs that has others below it gets one more for its own. */
function queuesOf(recordedNames: readonly string[]): {
  readonly queues: readonly string[];
  readonly queueOf: ReadonlyMap<string, string>;
} {
  const plain = new Map<string, string>();
  for (const queue of recordedNames) {
    const parts = queue
      .replace(/^root(?:\.|$)/, "")
      .split(".")
      .map(plainName)
      .filter((part) => part !== "");
    const name = parts
      .slice(0, LIMITS.poolLevels - 2)
      .join(".")
      .slice(0, LIMITS.nameLength - 10)
      .replace(/[.]$/, "");
    plain.set(queue, name === "" || name === "root" ? "default" : name);
  }
  const leaves = new Set(plain.values());
  const queueOf = new Map(
    [...plain].map(([queue, name]) => {
      const isParent = [...leaves].some((leaf) => leaf.startsWith(`${name}.`));
      return [queue, isParent ? `${name}.jobs` : name];
    }),
  );
  const queues = new Set<string>();
  for (const name of [...queueOf.values()].sort(alphabetical)) {
    const parts = name.split(".");
    for (let i = 1; i <= parts.length; i++) queues.add(parts.slice(0, i).join("."));
  }
  return { queues: [...queues], queueOf };
}
