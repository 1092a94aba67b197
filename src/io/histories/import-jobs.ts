import { counted, MAX_TIME_US, US_PER_MS } from "../../core/kernel/index.js";
import { InputError } from "../input-error.js";
import type { RecordedRun, RecordedStage } from "../recorded.js";
import { LIMITS } from "../scenario/limits.js";
import { fileProblem } from "../workloads/lines.js";
import { type HadoopReading, type HadoopSize, type HadoopTask, type LoggedLevel, plainName } from "./records.js";
import { SLS_NODE } from "./sls.js";

// From what records tell to what YARN can be made to run. Each rule is stated in docs/formats/hadoop-histories.md, and counted in the report.

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
  /** Times of a load contain everything that SLS counts; those of histories begin when a container has been launched. */
  readonly isLoad: boolean;
  readonly jobs: readonly ImportedJob[];
  /** Null: of some task only its length is told. */
  readonly recorded: RecordedRun | null;
  readonly report: HadoopReport;
}

export interface ImportedJob {
  readonly name: string;
  readonly user: string;
  readonly queue: string;
  readonly submitUs: number;
  /** Or was killed. */
  readonly hasFailed: boolean;
  readonly mapSize: HadoopSize;
  readonly reduceSize: HadoopSize;
  readonly maps: readonly ImportedTask[];
  readonly reduces: readonly ImportedTask[];
}

export interface ImportedTask {
  readonly count: number;
  readonly runUs: number;
  /** Of a reduce. */
  readonly copyUs: number;
  readonly hosts: readonly string[];
}

/** What was read, folded, guessed and left out. */
export interface HadoopReport {
  readonly read: Readonly<Record<"files" | "jobs" | "tasks" | "attempts", number>>;
  readonly written: Readonly<Record<"jobs" | "tasks" | "nodes" | "queues", number>>;
  readonly folded: readonly string[];
  readonly guessed: readonly string[];
  readonly leftOut: readonly string[];
  /** What makes the scenario as a whole doubtful, and what to do. */
  readonly warnings: readonly string[];
}

/** Histories of one period hardly have a week without a job. */
const LONGEST_GAP_MS = 7 * 86_400_000;

/** Gaps that are told one by one. */
const MOST_GAPS = 5;

const DEFAULT_RACK = "default-rack";

/** Nodes of YARN where nothing is set. */
const NODE_MB = 8192;
const NODE_VCORES = 8;
const TASK_MB = 1024;
const MASTER_MB = 1536;

/** What stands for the machine that asks. */
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

  constructor(
    private readonly reading: HadoopReading,
    private readonly shown: readonly string[],
  ) {
    this.isLoad = reading.jobs.every(({ masterSize }) => masterSize.memory !== null);
    this.kept = this.keptJobs();
    this.originMs = this.kept[0].submittedMs;
    this.nodes = this.nodesOf();
    this.places = new Map(this.nodes.map(({ name, rack }) => [name, rack]));
  }

  imported(): HadoopImport {
    const { reading, kept, nodes, isLoad } = this;
    const { queues, queueOf } = queuesOf(kept.map(({ logged }) => logged.queue));
    for (const [found, made] of queueOf) {
      if (found !== made && found !== `root.${made}`) {
        reading.guessed.push(`queue ${JSON.stringify(found)}, which cannot be one here: ${made}`);
      }
    }
    const jobs = kept.map((job) => this.jobOf(job, queueOf.get(job.logged.queue) ?? "default"));
    const tasks = jobs.reduce((sum, { maps, reduces }) => sum + countOf(maps) + countOf(reduces), 0);
    this.say(queues);
    const recorded = this.recorded(jobs);
    const { folded, guessed, leftOut } = reading.sections();
    const { files, jobs: read, tasks: ofJobs, attempts } = reading.read;
    return {
      ...{ nodes, queues, isLoad, jobs, recorded, master: this.master() },
      report: {
        read: { files, jobs: read, tasks: ofJobs, attempts },
        written: { jobs: jobs.length, tasks, nodes: nodes.length, queues: queues.length },
        ...{ folded, guessed, leftOut, warnings: this.isLoad ? [] : gapWarnings(kept) },
      },
    };
  }

  /** Jobs with tasks, by submission. */
  private keptJobs(): KeptJob[] {
    const { reading, shown } = this;
    const names = new Set<string>();
    const found = reading.jobs.flatMap((logged): KeptJob[] => {
      const { id, maps, reduces } = logged;
      if (maps.length + reduces.length === 0) {
        reading.count("leftOut", "job", "of which no task ended");
        return [];
      }
      if (Math.max(countOf(maps), countOf(reduces)) > LIMITS.tasksPerPhase) {
        reading.count("leftOut", "job", `with more than ${String(LIMITS.tasksPerPhase)} maps or reduces`);
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
      for (let i = 2; names.has(name); i++) name = `${plain}-${String(i)}`;
      names.add(name);
      return [{ logged: this.withinNodes(logged), name, submittedMs }];
    });
    found.sort((a, b) => a.submittedMs - b.submittedMs || (a.name < b.name ? -1 : 1));
    const inTime = found.filter(({ submittedMs }) => (submittedMs - found[0].submittedMs) * US_PER_MS <= MAX_TIME_US);
    reading.count("leftOut", "job", "submitted more than 100 years after the first", found.length - inTime.length);
    if (inTime.length === 0) {
      const message = "has no job of which a task ended, allowed: one at least; there is nothing to simulate";
      throw new InputError(shown.map((file) => ({ file, line: 0, column: 0, message })));
    }
    const tasks = inTime.reduce((sum, { logged }) => sum + countOf(logged.maps) + countOf(logged.reduces), 0);
    if (tasks > LIMITS.heldTasks) {
      throw fileProblem(
        shown[0],
        `has ${String(tasks)} tasks with all files beside it; allowed: at most ${String(LIMITS.heldTasks)}`,
      );
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
    const isLess = (was: HadoopSize, is: HadoopSize): boolean => was.memory !== is.memory || was.vcores !== is.vcores;
    const cut = (["mapSize", "reduceSize", "masterSize"] as const).filter((size) => isLess(logged[size], sizes[size]));
    if (cut.length === 0) return logged;
    const most = `${String(LIMITS.memoryMb)} MB and ${String(LIMITS.vcores)} vcores`;
    this.reading.count("guessed", "size", `of containers beyond what a node may have: at most ${most}`, cut.length);
    return { ...logged, ...sizes };
  }

  /** Those of a list of nodes; or else hosts that ran something or hold input, all as large as the largest had to be. */
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
      const known = new Set(reading.nodes.map(({ name }) => name));
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
    const hosts = [...new Set([...ran, ...holds, ...reading.hosts])].sort((a, b) => (a < b ? -1 : 1));
    if (hosts.length === 0) {
      throw fileProblem(
        shown[0],
        "names no host, and no list of nodes is beside it; allowed: with a file of nodes, such as SLS's nodes.json",
      );
    }
    if (hosts.length > LIMITS.nodes) {
      throw fileProblem(shown[0], `names ${String(hosts.length)} hosts; allowed: at most ${String(LIMITS.nodes)}`);
    }
    const idle = hosts.filter((host) => !ran.has(host)).length;
    reading.count("guessed", "host", "that ran nothing that is told of: a node like the others", idle);
    const bare = hosts.filter((host) => !reading.racks.has(host)).length;
    reading.count("guessed", "host", `of which no rack is told: ${DEFAULT_RACK}`, bare);
    const size = this.isLoad ? SLS_NODE : this.mostAtOnce();
    const why = this.isLoad
      ? "as SLS takes where no list of nodes says more"
      : "YARN's default, or what the fullest ran at one time if that is more";
    reading.guessed.push(`size of nodes: ${String(size.memory)} MB and ${counted(size.vcores, "vcore")} each, ${why}`);
    return hosts.map((name) => ({ name, rack: reading.racks.get(name) ?? DEFAULT_RACK, ...size }));
  }

  /** Memory and vcores that the fullest host had to have, for what is told of. */
  private mostAtOnce(): { readonly memory: number; readonly vcores: number } {
    const changes = new Map<string, (readonly [ms: number, memory: number, vcores: number])[]>();
    const add = (host: string, fromMs: number | null, untilMs: number | null, { memory, vcores }: HadoopSize): void => {
      if (host === "" || fromMs === null || untilMs === null) return;
      const of = changes.get(host) ?? [];
      if (of.length === 0) changes.set(host, of);
      const [mb, cores] = [memory ?? TASK_MB, vcores ?? 1];
      of.push([fromMs, mb, cores], [untilMs, -mb, -cores]);
    };
    for (const { logged } of this.kept) {
      for (const { host, fromMs } of logged.masters.slice(-1)) {
        add(host, fromMs, logged.endedMs, { memory: logged.masterSize.memory ?? MASTER_MB, vcores: null });
      }
      for (const { host, launchMs, finishMs } of logged.maps) add(host, launchMs, finishMs, logged.mapSize);
      for (const { host, launchMs, finishMs } of logged.reduces) add(host, launchMs, finishMs, logged.reduceSize);
    }
    let [memory, vcores] = [NODE_MB, NODE_VCORES];
    for (const of of changes.values()) {
      // What ends makes room for what begins then.
      of.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      let [mb, cores] = [0, 0];
      for (const [, byMemory, byVcores] of of) {
        memory = Math.max(memory, (mb += byMemory));
        vcores = Math.max(vcores, (cores += byVcores));
      }
    }
    return { memory: Math.min(memory, LIMITS.memoryMb), vcores: Math.min(vcores, LIMITS.vcores) };
  }

  private master(): HadoopImport["master"] {
    if (!this.isLoad) return null;
    const sizes = this.kept.map(({ logged }) => logged.masterSize);
    const largest = (of: "memory" | "vcores"): number => sizes.reduce((most, size) => Math.max(most, size[of] ?? 1), 1);
    const most = { memory: largest("memory"), vcores: largest("vcores") };
    const smaller = sizes.filter(({ memory, vcores }) => memory !== most.memory || vcores !== most.vcores).length;
    this.reading.count("folded", "job", "whose master is smaller than others: all take the largest", smaller);
    return most;
  }

  private jobOf({ logged, name, submittedMs }: KeptJob, queue: string): ImportedJob {
    const mapsEndedMs = logged.maps.reduce((last, { finishMs }) => Math.max(last, finishMs ?? -Infinity), -Infinity);
    return {
      ...{ name, queue, user: textOf(logged.user) || "user", submitUs: this.us(submittedMs) },
      hasFailed: logged.result === "failed",
      ...{ mapSize: logged.mapSize, reduceSize: logged.reduceSize },
      maps: logged.maps.map((task) => ({
        count: task.count,
        runUs: this.lengthUs(task.runMs),
        copyUs: 0,
        hosts: this.hostsOf(task),
      })),
      reduces: logged.reduces.map((task) => ({ count: task.count, hosts: [], ...this.phasesOf(task, mapsEndedMs) })),
    };
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
      this.reading.count("leftOut", "task", `of what it took beyond ${String(LIMITS.taskUs / 86_400e6)} days`);
    if (us < leastUs) this.reading.count("guessed", "task", "that took no time: a millisecond");
    return Math.min(LIMITS.taskUs, Math.max(leastUs, us));
  }

  private hostsOf({ places, host, level, count }: HadoopTask): string[] {
    const { reading } = this;
    const found = places.filter((place) => this.places.has(place));
    if (found.length > LIMITS.replication)
      reading.count("leftOut", "host", `of tasks with more than ${String(LIMITS.replication)}`);
    if (found.length > 0) return found.slice(0, LIMITS.replication);
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
    return Math.min(MAX_TIME_US, Math.max(0, Math.round((ms - this.originMs) * US_PER_MS)));
  }

  private say(queues: readonly string[]): void {
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
    const open = kept.filter(({ logged }) => logged.endedMs === null && logged.isDrawn !== true).length;
    reading.count("guessed", "job", "of which no end is told: its tasks that ended are run", open);
    reading.guessed.push(
      `the scheduler is not told: yarn-fair, with ${counted(queues.length, "queue")} of equal weights`,
      isLoad
        ? "a launch takes no time, as in SLS"
        : "a master asks 4 s after its launch; what a launch takes is in the times of tasks",
    );
    if (
      !isLoad &&
      summed < kept.length &&
      kept.every(({ logged }) => logged.mapSize.memory === null && logged.reduceSize.memory === null)
    ) {
      reading.guessed.push(
        `size of containers is not told: ${String(TASK_MB)} MB and a vcore, a master ${String(MASTER_MB)} MB`,
      );
    }
  }

  private recorded(jobs: readonly ImportedJob[]): RecordedRun | null {
    const { kept, reading } = this;
    const all = kept.flatMap(({ logged }) => [...logged.maps, ...logged.reduces]);
    const untold = all.filter(({ launchMs, finishMs }) => launchMs === null || finishMs === null).length;
    if (kept.some(({ logged }) => logged.isDrawn)) {
      reading.leftOut.push("what was recorded, as drawn jobs never ran: bide replay has nothing to compare");
      return null;
    }
    const summed = kept.filter(({ logged }) => logged.isSummed).length;
    if (summed > 0) {
      const of = counted(summed, "application");
      reading.leftOut.push(`what was recorded, as of ${of} no task is told: bide replay has nothing to compare`);
      return null;
    }
    if (untold > 0) {
      reading.leftOut.push(
        `what was recorded, as of ${counted(untold, "task")} only the length is told: bide replay has nothing to compare`,
      );
      return null;
    }
    const stages: RecordedStage[] = [];
    const rows: { stage: number; task: number; of: HadoopTask; level: LoggedLevel | null }[] = [];
    kept.forEach(({ logged }, at) => {
      for (const stage of ["map", "reduce"] as const) {
        const tasks = stage === "map" ? logged.maps : logged.reduces;
        if (tasks.length === 0) continue;
        const levels: Partial<Record<LoggedLevel, number>> = {};
        let [task, firstMs, lastMs] = [0, Infinity, -Infinity];
        tasks.forEach((of, row) => {
          const level = stage === "map" ? this.levelOf(of, jobs[at].maps[row].hosts) : null;
          for (let k = 0; k < of.count; k++) {
            if (level !== null) levels[level] = (levels[level] ?? 0) + 1;
            rows.push({ stage: stages.length, task: task++, of, level });
          }
          firstMs = Math.min(firstMs, of.launchMs ?? Infinity);
          lastMs = Math.max(lastMs, of.finishMs ?? -Infinity);
        });
        const { name: job } = jobs[at];
        stages.push({
          ...{ job, stage, submittedUs: this.us(firstMs), endedUs: this.us(lastMs) },
          ...{ hasFailed: logged.result === "failed", tasks: task, levels },
        });
      }
    });
    rows.sort((a, b) => (a.of.launchMs ?? 0) - (b.of.launchMs ?? 0) || a.stage - b.stage || a.task - b.task);
    const ends = kept.map(({ logged }) => logged.endedMs);
    const attempts: RecordedRun["attempts"] & { readonly node: readonly string[] } = {
      stage: rows.map(({ stage }) => stage),
      task: rows.map(({ task }) => task),
      node: rows.map(({ of }) => of.host),
      level: rows.map(({ level }) => level),
      launchUs: rows.map(({ of }) => this.us(of.launchMs ?? 0)),
      finishUs: rows.map(({ of }) => this.us(of.finishMs ?? 0)),
    };
    return {
      ...({ format: "bide-yarn-recorded", version: 1, id: "", name: "" } as const),
      startedMs: this.originMs,
      endedUs: ends.includes(null) ? null : this.us(ends.reduce((last: number, ms) => Math.max(last, ms ?? 0), 0)),
      jobs: kept.map(({ logged, submittedMs }, at) => ({
        ...{ job: jobs[at].name, submittedUs: this.us(submittedMs), result: logged.result },
        endedUs: logged.endedMs === null || logged.endedMs < submittedMs ? null : this.us(logged.endedMs),
      })),
      stages,
      attempts,
    };
  }

  /** What is told, or what follows from where the task ran. */
  private levelOf({ level, host }: HadoopTask, hosts: readonly string[]): LoggedLevel {
    if (level !== null) return level;
    if (hosts.includes(host)) return "NODE_LOCAL";
    const rackOf = (name: string): string => this.rackOf(name);
    return hosts.some((name) => rackOf(name) === rackOf(host)) ? "RACK_LOCAL" : "OFF_SWITCH";
  }

  private rackOf(host: string): string {
    return this.places.get(host) ?? this.reading.racks.get(host) ?? DEFAULT_RACK;
  }
}

/** Time of more than a week in which no job of any history runs: histories of different years, or a clock that was wrong. */
function gapWarnings(kept: readonly KeptJob[]): string[] {
  const found: string[] = [];
  let last = kept[0];
  const endOf = ({ logged, submittedMs }: KeptJob): number => Math.max(submittedMs, logged.endedMs ?? submittedMs);
  for (const job of kept) {
    const gapMs = job.submittedMs - endOf(last);
    if (gapMs > LONGEST_GAP_MS) {
      const days = Math.floor(gapMs / 86_400_000);
      found.push(
        `${counted(days, "day")} without a job, from ${dayOf(endOf(last))} (${last.name} of ${last.logged.file}) to ${dayOf(job.submittedMs)} ` +
          `(${job.name} of ${job.logged.file}): the scenario has that time too; to leave it out, import the files of each period into a folder of its own`,
      );
    }
    if (endOf(job) >= endOf(last)) last = job;
  }
  const more = found.length - MOST_GAPS;
  return more <= 0 ? found : [...found.slice(0, MOST_GAPS), `${counted(more, "more gap")} of more than 7 days`];
}

/** Where a clock was wrong, it may be any time. */
function dayOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${String(ms)} ms` : date.toISOString().slice(0, 10);
}

function countOf(tasks: readonly { readonly count: number }[]): number {
  return tasks.reduce((sum, { count }) => sum + count, 0);
}

function textOf(text: string): string {
  return text
    .replace(/\p{Cc}/gu, "-")
    .trim()
    .slice(0, LIMITS.nameLength);
}

/** Names of queues as scenarios have them. A queue with jobs that has others below it gets one more for its own. */
function queuesOf(found: readonly string[]): {
  readonly queues: readonly string[];
  readonly queueOf: ReadonlyMap<string, string>;
} {
  const plain = new Map<string, string>();
  for (const queue of found) {
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
      const isParent = [...leaves].some((other) => other.startsWith(`${name}.`));
      return [queue, isParent ? `${name}.jobs` : name];
    }),
  );
  const queues = new Set<string>();
  for (const name of [...queueOf.values()].sort((a, b) => (a < b ? -1 : 1))) {
    const parts = name.split(".");
    for (let i = 1; i <= parts.length; i++) queues.add(parts.slice(0, i).join("."));
  }
  return { queues: [...queues], queueOf };
}
