import {
  counted,
  formatTime,
  grouped,
  seedWord,
  counterHash,
  scaled,
  US_PER_MS,
  sumOver,
  maxOver,
  minOver,
  Lists,
  namesOf,
  ascending,
  tally,
} from "../../core/kernel/index.js";
import {
  countsAsFailure,
  hadMuchOutput,
  SPARK_LEVELS,
  SPARK_RULES,
  type SparkLevel,
  type SparkVersion,
  type StageInput,
  versionFor,
} from "../../core/platforms/spark/index.js";
import type { RecordedFailure } from "../../core/workload/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import type { CopiedTime } from "../../experiments/index.js";
import { type ImportCounts, runTimeUs, waitUs } from "../written-import.js";
import { type LearntTimes, learntTimes, readsOf, writtenWithin } from "./away.js";
import {
  type LoggedApplication,
  type LoggedJob,
  type LoggedStage,
  SUCCESS,
  type TaskColumn,
  tasksAtOnce,
} from "./event-log.js";
import type { ExecutorRow } from "./executors-csv.js";
import type { RecordedRun, RecordedAttempts, RecordedStage } from "../recorded.js";
import { configurationOf, type SettingMeaning, type SparkConfiguration } from "./settings.js";
import { coreEndsMs, firstAfter, FreeCores, turnaroundsMs } from "./recorded-times.js";
import type { JobRows, StageRows, TaskRow } from "./stages-csv.js";

// From what a log tells to what can be simulated. Each rule is stated in docs/formats/spark-event-logs.md, and counted
// in the report.

interface ImportOptions {
  /** Jobs that come no longer than this after another ended are taken to come because it ended. */
  readonly afterWithinUs: number;
}

interface ImportedHost {
  readonly name: string;
  /** Empty: the log knows none. */
  readonly rack: string;
  /** False: it holds data, and no executor was ever there. */
  readonly executors?: false;
  /** Relative to the others, as far as its tasks tell. */
  readonly speed?: Readonly<Record<"low" | "high", number>>;
}

export interface SparkImport {
  readonly application: LoggedApplication;
  readonly version: SparkVersion;
  readonly configuration: SparkConfiguration;
  /** Settings of the log that bear on scheduling tasks. */
  readonly settings: readonly SettingMeaning[];
  readonly hosts: readonly ImportedHost[];
  /**
   * Under other settings reduce tasks may prefer hosts with much of their input, as Spark has it where nothing is set.
   */
  readonly hasReduceLocality: boolean;
  readonly executors: readonly ExecutorRow[];
  readonly jobs: readonly JobRows[];
  readonly recorded: RecordedRun;
  readonly report: ImportReport;
}

/** The report of an import: what was read, folded, guessed and left out. */
export interface ImportReport extends LearntTimes, ImportCounts {
  readonly application: string;
  readonly name: string;
  readonly log: string;
  readonly sparkVersion: string | null;
  readonly read: Readonly<Record<"lines" | "jobs" | "stages" | "tasks" | "executors", number>>;
  readonly written: Readonly<Record<"jobs" | "stages" | "tasks" | "executors" | "hosts", number>>;
}

/**
 * Outcomes of attempts that follow from something else that is simulated, or that no attempt after them in their task
 * set repeats.
 */
const FOLLOWS = new Set([SUCCESS, "TaskKilled", "ExecutorLostFailure", "Resubmitted", "FetchFailed"]);

/** Hosts for data on hosts without executors: one in the rack of the executors, and one in another rack. */
const DATA_HOST = "without-executors";
const FAR_DATA_HOST = "in-another-rack";
const RACK = "default-rack";
const FAR_RACK = "another-rack";

const PROCESS_LOCAL = SPARK_LEVELS.indexOf("PROCESS_LOCAL");
const NO_PREF = SPARK_LEVELS.indexOf("NO_PREF");

/** Returns the jobs, stages and tasks of an application, as they can be simulated. */
export function importApplication(application: LoggedApplication, options: ImportOptions): SparkImport {
  return new Importer(application, options).imported();
}

/** A stage attempt with the attempts of its tasks, as rows of the log's table of tasks. */
interface KeptStage {
  readonly logged: LoggedStage;
  readonly name: string;
  readonly submittedMs: number;
  /** By task of stages.csv: the attempt that did it. */
  readonly rows: readonly number[];
  /** By task: attempts before it that failed by themselves. */
  readonly failures: readonly (readonly number[])[];
  /** Attempts that are not run again. */
  readonly leftOut: { readonly attempts: number; readonly us: number };
}

interface KeptJob {
  readonly logged: LoggedJob;
  readonly name: string;
  readonly submittedMs: number;
  readonly endedMs: number | null;
  readonly stages: KeptStage[];
}

/** Waves of an executor's tasks that may take longer than later ones. */
const WAVES = 2;

/**
 * The order of launches of a stage: by task its place in it, and by host the launch from which on no task that waited
 * had its data there.
 */
interface Launches {
  readonly launches: readonly (number | undefined)[];
  readonly dry: readonly { readonly host: string; readonly launch: number }[];
}

const NOT_TOLD: Launches = { launches: [], dry: [] };

/** An executor on which a task of a stage found its data. */
interface Finder {
  readonly executor: number;
  /** From then on no task of the stage waited that had its data there. */
  readonly emptyMs: number;
}

class Importer {
  private readonly folded: string[] = [];
  private readonly guessed: string[] = [];
  private readonly leftOut: string[] = [];
  private readonly originMs: number;
  private readonly columns: Readonly<Record<TaskColumn, Float64Array>>;
  private readonly version: SparkVersion;
  private readonly configuration: SparkConfiguration;
  private readonly settings: readonly SettingMeaning[];
  private readonly executors: ExecutorRow[];
  private readonly hasRacks: boolean;
  private usesDataHost = false;
  private usesFarDataHost = false;
  private readonly drawn = seedWord("1", "spark/places");
  private readonly without = { runTimes: 0, tooLong: 0, parents: 0 };
  private readonly places = { cached: 0, node: 0, other: 0, nowhere: 0 };
  /** By attempt: when its core was free. */
  private readonly coreEndsMs: Float64Array;
  private readonly turnaroundsMs: Float64Array;
  private readonly freeCores: FreeCores;
  /** By stage of the log: its attempts, and the first that was launched. */
  private readonly attemptsOf: readonly (readonly number[])[];
  private readonly firstRow: readonly number[];
  /** By attempt: the wave of its executor's tasks, each as many as it has cores. */
  private readonly waves: Uint32Array;

  constructor(
    private readonly log: LoggedApplication,
    private readonly options: ImportOptions,
  ) {
    const { tasks } = log;
    this.columns = tasks.columns();
    this.originMs = log.startedMs ?? this.firstMs();
    if (log.startedMs === null)
      this.guessed.push("the start of the application is not told: times count from the first instant");
    this.version = this.rulesOf(log.sparkVersion);
    const { configuration, meanings } = configurationOf(log.properties, SPARK_RULES[this.version]);
    this.configuration = configuration;
    this.settings = meanings.filter(({ use }) => use !== "unknown");
    for (const { key, value, use } of meanings) {
      if (use === "bad")
        this.guessed.push(
          `${key} is ${JSON.stringify(value.slice(0, 60))}, which is no value of it: its default holds`,
        );
    }
    if (!log.hasSettings) {
      this.guessed.push(
        "the log tells no settings (SparkListenerEnvironmentUpdate): mode, waits and spark.task.cpus are Spark's defaults, and whether allocation was dynamic is unknown",
      );
    }
    this.hasRacks = this.master().startsWith("yarn") || this.columns.level.includes(SPARK_LEVELS.indexOf("RACK_LOCAL"));
    const { columns } = this;
    const attemptsOf: number[][] = log.stages.map(() => []);
    columns.stage.forEach((stage, row) => attemptsOf[stage].push(row));
    this.attemptsOf = attemptsOf;
    this.executors = this.executorRows();
    const holders = this.executors.map(({ cores, profile }, executor) => ({
      cores,
      profile,
      fromMs: this.originMs + this.executors[executor].fromUs / US_PER_MS,
      untilMs: log.executors[executor].untilMs ?? Infinity,
    }));
    const coresOf = (row: number) => this.taskCores(log.stages[columns.stage[row]]);
    this.coreEndsMs = coreEndsMs(columns, holders, coresOf);
    const mayWait = this.thoseThatMayWait();
    this.turnaroundsMs = turnaroundsMs(columns, this.coreEndsMs, holders, (row) => mayWait[row] === 1);
    this.freeCores = new FreeCores(columns, this.coreEndsMs, holders, coresOf);
    this.firstRow = this.firstRows();
    this.waves = this.wavesOf();
  }

  imported(): SparkImport {
    const kept = this.jobsWithStages();
    const after = this.predecessors(kept);
    const jobs = kept.map((job, index) => this.rowsOf(job, after[index]));
    this.reportJobs(jobs);
    this.reportPlaces();
    this.reportReading();
    const { log, columns, version, configuration, settings, executors } = this;
    const recorded = this.recorded(kept, jobs);
    const learnt = learntTimes(
      log,
      columns,
      kept.flatMap((job) => job.stages.flatMap((stage) => stage.rows)),
    );
    const hosts = this.hosts(learnt.speeds);
    const stages = sumOver(kept, (job) => job.stages.length);
    const report: ImportReport = {
      application: log.id,
      name: log.name,
      log: log.log.shown,
      sparkVersion: log.sparkVersion,
      read: {
        lines: log.reading.lines,
        jobs: log.jobs.length,
        stages: log.stages.length,
        tasks: log.tasks.rows,
        executors: log.executors.length,
      },
      written: {
        jobs: jobs.length,
        stages,
        tasks: recorded.attempts.task.length,
        executors: executors.length,
        hosts: hosts.length,
      },
      folded: this.folded,
      guessed: this.guessed,
      leftOut: this.leftOut,
      ...learnt,
    };
    const hasReduceLocality = this.hasReduceLocality(kept);
    return {
      application: log,
      version,
      configuration,
      settings,
      hosts,
      hasReduceLocality,
      executors,
      jobs,
      recorded,
      report,
    };
  }

  /**
   * Unless it was switched off, or more stages contradict it than show it: though a host had much of their parent's
   * output, none of their tasks preferred a host.
   */
  private hasReduceLocality(jobs: readonly KeptJob[]): boolean {
    const { level, executor } = this.columns;
    if (this.configuration.reduceLocality === false) return false;
    let [shown, contradicted] = [0, 0];
    for (const { stages } of jobs) {
      for (const { logged, rows } of stages) {
        const parent = stages.find((stage) => logged.parents?.[0] === stage.logged.id);
        if (parent === undefined || readsOf(logged) !== "shuffle") continue;
        if (rows.some((row) => SPARK_LEVELS[level[row]] === "NODE_LOCAL" || level[row] > NO_PREF)) {
          shown++;
          continue;
        }
        if (hadMuchOutput(parent.rows.map((row) => this.executors[executor[row]].host))) contradicted++;
      }
    }
    return shown >= contradicted;
  }

  private us(ms: number): number {
    return runTimeUs(ms - this.originMs);
  }

  private firstMs(): number {
    const { log, columns } = this;
    let first = log.lastMs;
    for (const ms of columns.launch) first = Math.min(first, ms);
    for (const { submittedMs } of [...log.jobs, ...log.stages]) first = Math.min(first, submittedMs ?? first);
    for (const { fromMs } of log.executors) first = Math.min(first, fromMs ?? first);
    return first;
  }

  private master(): string {
    return this.property("spark.master") ?? "";
  }

  private property(key: string): string | undefined {
    return this.log.properties.find(([name]) => name === key)?.[1];
  }

  /** The rule set of the release, or of the one before it that has one. */
  private rulesOf(sparkVersion: string | null): SparkVersion {
    const chosen = versionFor(sparkVersion ?? "") ?? "2.4";
    if (/^\d+\.\d+/.exec(sparkVersion ?? "")?.[0] !== chosen) {
      const was =
        sparkVersion === null
          ? "the log does not say which release of Spark ran"
          : `Spark ${sparkVersion.slice(0, 40)} ran`;
      this.guessed.push(`${was}: the rules of ${chosen} are taken`);
    }
    return chosen;
  }

  private executorRows(): ExecutorRow[] {
    const { log, columns, configuration } = this;
    const { coresPerTask } = configuration.settings;
    const first = log.executors.map(() => Infinity);
    columns.executor.forEach((executor, row) => (first[executor] = Math.min(first[executor], columns.launch[row])));
    const late = this.lateExecutors(first);
    const localCores = Number(/^local\[(\d{1,5})/.exec(this.master())?.[1] ?? NaN);
    const times = new Map<string, number>();
    let unknownCores = 0;
    let unknownTimes = 0;
    let beyond = 0;
    const lastFinishMs = log.executors.map(() => -Infinity);
    columns.executor.forEach(
      (executor, row) => (lastFinishMs[executor] = Math.max(lastFinishMs[executor], columns.finish[row])),
    );
    const { isOn, idleUs = 60_000_000 } = configuration.dynamic;
    let letGo = 0;
    let limited = 0;
    const rows = log.executors.map(({ id, host, cores, fromMs, untilMs, profile }, executor): ExecutorRow => {
      const time = (times.get(id) ?? 0) + 1;
      times.set(id, time);
      if (cores === null) unknownCores++;
      if (fromMs === null) unknownTimes++;
      const from = Math.min((fromMs ?? Infinity) + (late.get(executor) ?? 0), first[executor]);
      const fromUs = this.us(from === Infinity ? this.originMs : from);
      const known = cores ?? (localCores > 0 ? localCores : this.mostAtOnce(executor) * coresPerTask);
      if (known > LIMITS.cores) beyond++;
      const whole = Math.max(known, coresPerTask, 1);
      const forTasks = this.coresForTasks(whole, profile);
      if (forTasks < whole) limited++;
      const idleMs = Math.max(fromUs / US_PER_MS + this.originMs, lastFinishMs[executor]) + idleUs / US_PER_MS;
      const isLetGo = isOn && untilMs !== null && idleMs < untilMs;
      if (isLetGo) letGo++;
      const goesMs = isLetGo ? idleMs : untilMs;
      return {
        id: time === 1 ? clean(id) : `${clean(id)} (${time})`,
        host: clean(host),
        rack: this.hasRacks ? RACK : "",
        cores: Math.min(LIMITS.cores, forTasks),
        fromUs,
        untilUs: goesMs === null ? Infinity : Math.max(fromUs + US_PER_MS, this.us(goesMs)),
        isLetGo,
        profile,
      };
    });
    if (unknownCores > 0) {
      const rule = localCores > 0 ? "those of spark.master" : "as many as tasks ran on it at once";
      this.guessed.push(`${counted(unknownCores, "executor")} without a number of cores: ${rule}`);
    }
    note(this.guessed, beyond, "executor", `with more than ${grouped(LIMITS.cores)} cores: so many`);
    note(this.guessed, unknownTimes, "executor", "of which no start is told: from the first task on");
    note(
      this.folded,
      limited,
      "executor",
      "whose other resources, such as GPUs, let fewer tasks run at once than their cores do: cores that tasks can take",
    );
    if (late.size > 0) {
      note(
        this.guessed,
        late.size,
        "executor",
        `later than they registered, by ${formatTime(median([...late.values()]) * US_PER_MS)} in the median: tasks that could have run there waited until then, so that they had not started`,
      );
    }
    note(
      this.guessed,
      letGo,
      "executor",
      "that went under dynamic allocation: from spark.dynamicAllocation.executorIdleTimeout after the last task on Spark offers it no more tasks; the log has only the time of its removal",
    );
    if (this.hasRacks) this.guessed.push(`the log names no racks: all hosts with executors are in one rack, ${RACK}`);
    return rows;
  }

  /**
   * Executors that registered while tasks waited, and took none at first: Spark offers an executor once it has started,
   * which a log does not tell. Until the last such task was launched elsewhere, or the first one there, it had not.
   * Only tasks without a preference, or on their data, prove that no wait for locality kept them.
   * @param first launch on each, in ms. @returns by executor: ms from registration until then.
   */
  private lateExecutors(first: readonly number[]): Map<number, number> {
    const { log, columns } = this;
    const { launch, level, executor } = columns;
    const late = new Map<number, number>();
    const isLate = (number: number, untilMs: number) => {
      const ms = untilMs - (log.executors[number].fromMs ?? untilMs);
      if (ms > (late.get(number) ?? 0)) late.set(number, ms);
    };
    for (const [number, rows] of this.attemptsOf.entries()) {
      const { submittedMs, readsCached, profile } = log.stages[number];
      if (submittedMs === null) continue;
      const launches: number[] = [];
      for (const row of rows) {
        const isLocal = level[row] === PROCESS_LOCAL && readsCached;
        if (level[row] === NO_PREF || (level[row] === PROCESS_LOCAL && !isLocal)) launches.push(launch[row]);
        const { fromMs } = log.executors[executor[row]];
        const isFirst = launch[row] === first[executor[row]] && level[row] <= NO_PREF;
        if (isFirst && fromMs !== null && submittedMs <= fromMs) isLate(executor[row], launch[row]);
      }
      const sorted = Float64Array.from(launches).sort();
      log.executors.forEach((logged, index) => {
        if (logged.fromMs === null || logged.fromMs < submittedMs || logged.profile !== profile) return;
        const before = sorted[firstAfter(sorted, first[index]) - 1] ?? -Infinity;
        if (before > logged.fromMs) isLate(index, before);
      });
    }
    return late;
  }

  /** Cores that a task of a stage takes. */
  private taskCores({ profile }: LoggedStage): number {
    const usual = this.configuration.settings.coresPerTask;
    return profile === 0 ? usual : (this.log.profiles.get(profile)?.taskCores ?? usual);
  }

  /** Cores of an executor that tasks can take: other resources, such as GPUs, may let fewer run at once. */
  private coresForTasks(cores: number, profile: number): number {
    const declared = this.log.profiles.get(profile);
    const { coresPerTask } = this.configuration.settings;
    const coresOfTask = profile === 0 ? coresPerTask : (declared?.taskCores ?? coresPerTask);
    const tasksAllowed = declared?.mostAtOnce ?? (profile === 0 ? this.mostByProperties() : Infinity);
    return Math.min(cores, Math.max(1, tasksAllowed) * coresOfTask);
  }

  /** Tasks that `spark.task.resource` and `spark.executor.resource` let an executor run at once. */
  private mostByProperties(): number {
    let limit = Infinity;
    for (const [key, value] of this.log.properties) {
      const [, name] = /^spark\.task\.resource\.(.+)\.amount$/.exec(key) ?? [];
      if (name === undefined) continue;
      limit = Math.min(
        limit,
        tasksAtOnce(Number(this.property(`spark.executor.resource.${name}.amount`)), Number(value)),
      );
    }
    return limit;
  }

  /** By stage of the log: the attempt that was launched first, of several the most local; -1: none was. */
  private firstRows(): number[] {
    const { launch, level, stage } = this.columns;
    const first = this.log.stages.map(() => -1);
    for (let row = 0; row < launch.length; row++) {
      const known = first[stage[row]];
      const isFirst =
        known < 0 || launch[row] < launch[known] || (launch[row] === launch[known] && level[row] < level[known]);
      if (isFirst) first[stage[row]] = row;
    }
    return first;
  }

  private wavesOf(): Uint32Array {
    const { launch, id, executor } = this.columns;
    const order = Uint32Array.from(launch, (_, row) => row).sort(
      (a, b) => launch[a] - launch[b] || id[a] - id[b] || a - b,
    );
    const before = this.executors.map(() => 0);
    const waves = new Uint32Array(order.length);
    for (const row of order) waves[row] = Math.floor(before[executor[row]]++ / this.executors[executor[row]].cores);
    return waves;
  }

  private mostAtOnce(executor: number): number {
    const { columns } = this;
    const ends: (readonly [ms: number, change: number])[] = [];
    columns.executor.forEach((runner, row) => {
      if (runner === executor) ends.push([columns.launch[row], 1], [columns.finish[row], -1]);
    });
    ends.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    let [now, largest] = [0, 1];
    for (const [, change] of ends) largest = Math.max(largest, (now += change));
    return largest;
  }

  /** Jobs that ran something, by submission, each with its stages, by submission. */
  private jobsWithStages(): KeptJob[] {
    const { log } = this;
    const stagesOf = this.stagesByJob(this.keptStages());
    let [withoutStart, withoutEnd] = [0, 0];
    const kept = log.jobs.flatMap((logged): KeptJob[] => {
      const stages = [...stagesOf.of(logged.id)];
      if (stages.length === 0) return [];
      if (logged.submittedMs === null) withoutStart++;
      // Spark numbers stages when the job comes, and orders those of a job by that. One that is tried again comes after
      // what had ended by then.
      const isAgain = stages.some(({ logged: { attempt } }) => attempt > 0);
      stages.sort((a, b) => (isAgain ? a.submittedMs - b.submittedMs : 0) || a.logged.id - b.logged.id);
      const submittedMs = logged.submittedMs ?? minOver(stages, (stage) => stage.submittedMs);
      let { endedMs } = logged;
      if (endedMs === null && logged.result !== "unknown") {
        withoutEnd++;
        for (const stage of stages) endedMs = Math.max(endedMs ?? submittedMs, stage.logged.endedMs ?? submittedMs);
      }
      return [{ logged, name: String(logged.id), submittedMs, endedMs, stages }];
    });
    const idle = log.jobs.length - kept.length;
    note(this.leftOut, idle, "job", "that ran no task");
    note(this.guessed, withoutStart, "job", "of which no start is told: submitted with the first stage");
    note(this.guessed, withoutEnd, "job", "that ended, the log does not say when: with the last stage");
    return kept.sort((a, b) => a.submittedMs - b.submittedMs || a.logged.id - b.logged.id);
  }

  /**
   * One attempt for each task, the first that succeeded, else the longest; and those before it that failed by
   * themselves.
   */
  private keptStages(): KeptStage[] {
    const { log, columns } = this;
    const { outcome, isSpeculative, launch, finish } = columns;
    const success = log.outcomes.indexOf(SUCCESS);
    const again = new Map<string, number>();
    const dropped = { attempts: new Map<string, number>(), again: 0, copies: 0, never: 0, empty: 0 };
    const kept = log.stages.flatMap((logged, stage): KeptStage[] => {
      const chosen = new Map<number, number>();
      const losers = new Lists<number>();
      for (const row of this.attemptsOf[stage]) {
        const before = chosen.get(columns.index[row]);
        const isBetter = before === undefined || this.isBetter(row, before, success);
        if (isBetter) chosen.set(columns.index[row], row);
        const loser = isBetter ? before : row;
        if (loser === undefined) continue;
        losers.add(columns.index[row], loser);
      }
      if (chosen.size === 0) {
        dropped.empty++;
        return [];
      }
      const tasks = [...chosen].sort(([a], [b]) => a - b);
      const notRepeated = { attempts: 0, us: 0 };
      const failures = tasks.map(([task, row]): readonly number[] => {
        const hasSucceeded = outcome[row] === success;
        if (!hasSucceeded) dropped.never++;
        const mayRepeat = (attempt: number) => !logged.isBarrier && this.failsAgain(attempt);
        const attempts = [...losers.of(task)].sort((a, b) => launch[a] - launch[b] || a - b);
        const failed = attempts.filter(
          (attempt) => mayRepeat(attempt) && (!hasSucceeded || finish[attempt] <= finish[row]),
        );
        // The last failure of a task that never succeeded, as often as Spark allows, is one of its failures.
        const last = !hasSucceeded && mayRepeat(row) && this.isLastFailure([...failed, row]) ? [row] : [];
        const repeated = [...failed, ...last].sort((a, b) => launch[a] - launch[b] || a - b);
        for (const attempt of repeated) tally(again, log.outcomes[outcome[attempt]]);
        for (const attempt of attempts) {
          if (repeated.includes(attempt)) continue;
          notRepeated.attempts++;
          notRepeated.us += waitUs(finish[attempt] - launch[attempt]);
          if (outcome[attempt] === success) dropped.again++;
          else if (isSpeculative[attempt] === 1) dropped.copies++;
          else tally(dropped.attempts, log.outcomes[outcome[attempt]]);
        }
        return repeated;
      });
      const rows = tasks.map(([, row]) => row);
      const name = logged.attempt === 0 ? String(logged.id) : `${logged.id}.${logged.attempt}`;
      const submittedMs = logged.submittedMs ?? minOver(rows, (row) => launch[row]);
      return [{ logged, name, submittedMs, rows, failures, leftOut: notRepeated }];
    });
    note(this.leftOut, dropped.empty, "stage attempt", "of which no task ended");
    const named = (outcomes: ReadonlyMap<string, number>) =>
      [...outcomes].map(([reason, times]) => `${grouped(times)} ${reason}`).join(", ");
    if (again.size > 0)
      this.folded.push(`attempts of tasks that failed (${named(again)}): each fails again after as long as it took`);
    if (dropped.attempts.size > 0) {
      const rule = "the simulation loses and kills attempts by its own events, such as the end of an executor";
      this.leftOut.push(`attempts of tasks that were lost or killed (${named(dropped.attempts)}): ${rule}`);
    }
    if (dropped.copies > 0)
      this.leftOut.push(
        `${grouped(dropped.copies)} speculative copies that lost; with spark.speculation the simulation makes its own`,
      );
    note(this.folded, dropped.again, "task", "that succeeded more than once in a stage attempt: the first counts");
    note(
      this.guessed,
      dropped.never,
      "task",
      "that never succeeded: unless it fails again as often as Spark allows, each runs as long as its longest attempt",
    );
    const retried = log.stages.filter(({ attempt }) => attempt > 0).length;
    note(
      this.folded,
      retried,
      "further attempt",
      "of stages: each is a stage of its own, after what had ended when it came",
    );
    const profiles = log.stages.filter(({ profile }) => profile > 0).length;
    note(
      this.folded,
      profiles,
      "stage",
      "with a resource profile of their own: they run on executors of that profile alone",
    );
    return kept;
  }

  /**
   * An attempt that failed by itself, and not because its executor went, another attempt was faster, or its input was
   * gone.
   */
  private failsAgain(row: number): boolean {
    const { outcome, isSpeculative } = this.columns;
    return isSpeculative[row] === 0 && !FOLLOWS.has(this.log.outcomes[outcome[row]]);
  }

  private isLastFailure(rows: readonly number[]): boolean {
    const counting = rows.filter((row) => countsAsFailure(this.log.outcomes[this.columns.outcome[row]]));
    return counting.length >= this.configuration.settings.maxFailures;
  }

  private isBetter(row: number, before: number, success: number): boolean {
    const { outcome, finish, launch } = this.columns;
    if (outcome[before] === success) return false;
    if (outcome[row] === success) return true;
    return finish[row] - launch[row] > finish[before] - launch[before];
  }

  /** A stage belongs to the first of the jobs that were running and name it. */
  private stagesByJob(stages: readonly KeptStage[]): Lists<KeptStage> {
    const namedBy = new Lists<LoggedJob>();
    for (const job of this.log.jobs) {
      for (const id of new Set(job.stageIds ?? [])) namedBy.add(id, job);
    }
    const startless = this.log.jobs
      .filter(({ stageIds, endedMs }) => stageIds === null && endedMs !== null)
      .sort((a, b) => (a.endedMs ?? 0) - (b.endedMs ?? 0));
    const stagesOf = new Lists<KeptStage>();
    let strays = 0;
    for (const stage of stages) {
      const job = jobOf(stage, namedBy.of(stage.logged.id), startless);
      if (job === undefined) {
        strays++;
        continue;
      }
      stagesOf.add(job.id, stage);
    }
    note(this.leftOut, strays, "stage attempt", "of jobs of which nothing is told");
    return stagesOf;
  }

  private rowsOf({ logged, name, submittedMs, endedMs, stages }: KeptJob, after: JobRows["after"]): JobRows {
    const lastMs = maxOver(stages, (stage) => this.lastFinishMs(stage), submittedMs);
    const description = clean(logged.description).slice(0, LIMITS.nameLength);
    return {
      job: name,
      name: description || name,
      pool: clean(logged.pool),
      submitUs: after === null ? this.us(submittedMs) : 0,
      after,
      endUs: logged.endedMs === null || endedMs === null ? null : waitUs(endedMs - lastMs),
      stages: stages.map((stage) => this.stageRows(stage, stages, submittedMs)),
    };
  }

  /**
   * For each job what ended last before it came, of those that the same loop may have run: jobs of its group and pool
   * if any of them had ended, else any, if none was running. Null: it comes at its time.
   */
  private predecessors(jobs: readonly KeptJob[]): JobRows["after"][] {
    const ends = jobs
      .map(({ logged, submittedMs, endedMs, name }, index) => ({
        at: index,
        name,
        loop: loopOf(logged),
        ms: Math.max(endedMs ?? Infinity, submittedMs),
      }))
      .sort((a, b) => a.ms - b.ms || a.at - b.at);
    const lastOfLoop = new Map<string, (typeof ends)[number]>();
    let ended = 0;
    return jobs.map(({ logged, submittedMs }, index) => {
      for (; ends[ended].ms <= submittedMs && ends[ended].at < index; ended++)
        lastOfLoop.set(ends[ended].loop, ends[ended]);
      const last = lastOfLoop.get(loopOf(logged)) ?? (ended === index && ended > 0 ? ends[ended - 1] : undefined);
      if (last === undefined) return null;
      const delayUs = Math.round((submittedMs - last.ms) * US_PER_MS);
      return delayUs > this.options.afterWithinUs ? null : { job: last.name, delayUs };
    });
  }

  private stageRows(stage: KeptStage, ofJob: readonly KeptStage[], jobMs: number): StageRows {
    const earlier = ofJob.slice(0, ofJob.indexOf(stage));
    const { logged, submittedMs } = stage;
    const { parents } = logged;
    let readyMs = jobMs;
    // Parents of a further attempt, and in logs that name none, are stages that had ended when it came.
    const isParent = ({ logged: candidate }: KeptStage) =>
      logged.attempt > 0 || parents === null
        ? candidate.endedMs !== null && candidate.endedMs <= submittedMs
        : parents.includes(candidate.id);
    if (logged.attempt === 0 && parents === null) this.without.parents++;
    const ancestors = earlier.filter(isParent);
    for (const parent of ancestors) readyMs = Math.max(readyMs, this.lastFinishMs(parent));
    const finders = this.findersOf(stage);
    const reads = readsOf(logged);
    const { launches, dry } = reads === "input" && finders.length > 0 ? this.launchesOf(stage) : NOT_TOLD;
    const tasks = stage.rows.map((row, task) => ({
      ...this.taskRow(row, {
        reads,
        failures: stage.failures[task],
        places: this.placesOf(row, task, logged, finders),
      }),
      ...(launches[task] === undefined ? {} : { launch: launches[task] }),
    }));
    const { profile } = logged;
    return {
      stage: stage.name,
      parents: namesOf(ancestors),
      ...(logged.submittedMs === null ? {} : { beforeUs: waitUs(submittedMs - readyMs) }),
      isBarrier: logged.isBarrier,
      reads,
      ...this.driverTime(stage),
      ...(profile === 0 ? {} : { profile, taskCores: this.taskCores(logged) }),
      ...(dry.length === 0 ? {} : { dry }),
      tasks,
    };
  }

  /**
   * In which order tasks were launched, and from which launch on a host had no data of those that waited. Spark gives a
   * free core the first task of its list that has its data there, but one that failed before comes first, and a copy
   * last: these say nothing.
   */
  private launchesOf({ rows, failures, logged }: KeptStage): Launches {
    const { launch, id, isSpeculative, level, executor } = this.columns;
    const isTold = (task: number) => failures[task].length === 0 && isSpeculative[rows[task]] === 0;
    const order = [...rows.keys()].filter((task) => isTold(task));
    order.sort((a, b) => launch[rows[a]] - launch[rows[b]] || id[rows[a]] - id[rows[b]] || a - b);
    const launches: (number | undefined)[] = rows.map(() => undefined);
    for (const [place, task] of order.entries()) launches[task] = place;
    const ms = Float64Array.from(order, (task) => launch[rows[task]]);
    const dryFrom = new Map<string, number>();
    const isDry = (host: string, from: number) => {
      if (from < order.length) dryFrom.set(host, Math.min(from, dryFrom.get(host) ?? Infinity));
    };
    for (const [place, task] of order.entries()) {
      const row = rows[task];
      if (level[row] > NO_PREF) isDry(this.executors[executor[row]].host, place);
    }
    const number = this.log.stages.indexOf(logged);
    const [firstMs, lastMs] = [launch[this.firstRow[number]], ms.at(-1) ?? 0];
    this.executors.forEach(({ host }, number) => {
      const idleMs = this.freeCores.firstIdleMs(number, this.taskCores(logged), firstMs, lastMs);
      if (idleMs < Infinity) isDry(host, firstAfter(ms, idleMs));
    });
    return { launches, dry: [...dryFrom].map(([host, from]) => ({ host, launch: from })) };
  }

  /** When the last of a stage's tasks was finished: the simulation ends the stage with it. */
  private lastFinishMs({ rows }: KeptStage): number {
    return maxOver(rows, (row) => this.columns.finish[row]);
  }

  /** A task with what its log says: its run, what held its core beyond that, and what went wrong before. */
  private taskRow(
    row: number,
    { reads, failures, places }: { reads: StageInput; failures: readonly number[]; places: readonly string[] },
  ): TaskRow {
    const { launch, finish, run, outcome, level, executor } = this.columns;
    const runUs = this.runUs(row);
    const coreEndMs = Math.max(this.coreEndsMs[row], Math.min(finish[row], launch[row] + runUs / US_PER_MS));
    const isTold = run[row] >= 0;
    const turnMs = this.turnaroundsMs[row];
    const resultUs = isTold ? (finish[row] - coreEndMs) * US_PER_MS : 0;
    const recordedLevel = level[row] as SparkLevel;
    const isAway = reads === "cached" ? recordedLevel > PROCESS_LOCAL : recordedLevel > NO_PREF;
    return {
      runUs,
      places,
      host: this.executors[executor[row]].host,
      ...(isAway ? { level: recordedLevel } : {}),
      ...(this.waves[row] < WAVES ? { wave: this.waves[row] } : {}),
      ...(isTold ? { delayUs: Math.max(0, (coreEndMs + turnMs - launch[row]) * US_PER_MS - runUs) } : {}),
      ...(resultUs > 0 ? { resultUs } : {}),
      ...(failures.length === 0
        ? {}
        : {
            failures: failures.map((attempt): RecordedFailure => {
              const heldMs = finish[attempt] + this.turnaroundsMs[attempt] - launch[attempt];
              const heldUs = Math.min(LIMITS.taskUs, heldMs * US_PER_MS);
              return { heldUs, reason: this.log.outcomes[outcome[attempt]].replace(/\W/g, "") };
            }),
          }),
    };
  }

  /**
   * From the submission of a stage to its first launch, counted while a core was free that its profile and its wait for
   * locality allowed; and the most that it can have been, where the log cannot tell. A stage without a submission or a
   * launch says nothing.
   */
  private driverTime({ logged, submittedMs }: KeptStage): Pick<StageRows, "driverUs" | "driverMostUs"> {
    const { level, executor, launch } = this.columns;
    const number = this.log.stages.indexOf(logged);
    const row = this.firstRow[number];
    if (row < 0 || logged.submittedMs === null || launch[row] < submittedMs) return {};
    const first = SPARK_LEVELS[level[row]];
    const hasPlace = first === "NODE_LOCAL" || (first === "PROCESS_LOCAL" && logged.readsCached);
    const isAway = first === "RACK_LOCAL" || first === "ANY";
    const local = this.localExecutors(number, first === "PROCESS_LOCAL");
    const { localMs, anyMs } = this.freeCores.before({
      submittedMs,
      firstMs: launch[row],
      profile: logged.profile,
      cores: this.taskCores(logged),
      isLocal: (holder) => !hasPlace || holder === executor[row] || local.has(holder),
    });
    // A first task away from its data may have waited for it; a log does not tell whether there was anything to wait
    // for.
    const waitMs = isAway && local.size > 0 ? this.waitsMs(first, logged.readsCached) : 0;
    const [leastUs, mostUs] = [Math.max(0, localMs - waitMs), anyMs].map((ms) =>
      Math.min(LIMITS.waitUs, ms * US_PER_MS),
    );
    return mostUs > leastUs ? { driverUs: leastUs, driverMostUs: mostUs } : { driverUs: leastUs };
  }

  /** Executors that were at the level of a stage's first tasks, or on their hosts, when tasks of it ran there. */
  private localExecutors(stage: number, isCached: boolean): Set<number> {
    const { level, executor } = this.columns;
    const node = SPARK_LEVELS.indexOf("NODE_LOCAL");
    const hosts = new Set<string>();
    const executors = new Set<number>();
    for (const row of this.attemptsOf[stage]) {
      if (level[row] > node) continue;
      executors.add(executor[row]);
      hosts.add(this.executors[executor[row]].host);
    }
    if (isCached) return executors;
    this.executors.forEach(({ host }, number) => {
      if (hosts.has(host)) executors.add(number);
    });
    return executors;
  }

  /**
   * Attempts that nothing but the driver kept from a free core: not away from their data, and the first of their task,
   * or the one after a failure on the same executor. @returns by row: 1, or 0.
   */
  private thoseThatMayWait(): Uint8Array {
    const { level, isSpeculative, index, launch, finish, executor } = this.columns;
    const may = new Uint8Array(launch.length);
    for (const rows of this.attemptsOf) {
      const before = new Map<number, number>();
      for (const row of [...rows].sort((a, b) => launch[a] - launch[b] || a - b)) {
        const earlier = before.get(index[row]);
        before.set(index[row], row);
        if (level[row] > NO_PREF || isSpeculative[row] === 1) continue;
        const isNext = earlier === undefined || (executor[earlier] === executor[row] && finish[earlier] <= launch[row]);
        may[row] = isNext ? 1 : 0;
      }
    }
    return may;
  }

  /** Returns the wait of a task set before its tasks may start at a level beyond that of hosts. */
  private waitsMs(level: "RACK_LOCAL" | "ANY", readsCached: boolean): number {
    const { waitProcessUs, waitNodeUs, waitRackUs } = this.configuration.settings;
    const rackUs = level === "ANY" && this.hasRacks ? waitRackUs : 0;
    return ((readsCached ? waitProcessUs : 0) + waitNodeUs + rackUs) / US_PER_MS;
  }

  /**
   * Executors on which tasks of a stage found their data, as often as they did: where the data of others may be, and as
   * likely. Of cached partitions that none found, any executor that was there: some executor keeps them.
   */
  private findersOf({ rows, submittedMs, logged }: KeptStage): Finder[] {
    const { level, executor } = this.columns;
    const { readsCached } = logged;
    const nearest = readsCached ? "PROCESS_LOCAL" : "NODE_LOCAL";
    let executors = rows.filter((row) => SPARK_LEVELS[level[row]] === nearest).map((row) => executor[row]);
    if (executors.length === 0 && readsCached) {
      const [fromUs, untilUs] = [this.us(submittedMs), logged.endedMs === null ? Infinity : this.us(logged.endedMs)];
      const isThere = (known: ExecutorRow) => known.fromUs <= untilUs && known.untilUs >= fromUs;
      executors = [...this.executors.keys()].filter((number) => isThere(this.executors[number]));
    }
    const emptyMs = executors.length === 0 ? [] : this.emptyFrom(logged);
    return executors.map((number) => ({ executor: number, emptyMs: emptyMs[number] }));
  }

  /**
   * By executor: from when on no task of a stage waited that had its data there. Spark gives a free core such a task
   * first: one that took a task away from its data, or stood idle, had none.
   */
  private emptyFrom(logged: LoggedStage): number[] {
    const { level, executor, launch } = this.columns;
    const number = this.log.stages.indexOf(logged);
    const first = launch[this.firstRow[number]];
    let lastMs = first;
    const empty = this.executors.map(() => Infinity);
    for (const row of this.attemptsOf[number]) {
      lastMs = Math.max(lastMs, launch[row]);
      const isAway = logged.readsCached ? level[row] > PROCESS_LOCAL : level[row] > NO_PREF;
      if (isAway) empty[executor[row]] = Math.min(empty[executor[row]], launch[row]);
    }
    const cores = this.taskCores(logged);
    const emptyMs = empty.map((ms, number) =>
      Math.min(ms, this.freeCores.firstIdleMs(number, cores, first, Math.min(lastMs, ms))),
    );
    if (logged.readsCached) return emptyMs;
    // Data on a host are beside all of its executors.
    const ofHost = new Map<string, number>();
    emptyMs.forEach((ms, number) => {
      const { host } = this.executors[number];
      ofHost.set(host, Math.min(ms, ofHost.get(host) ?? Infinity));
    });
    return this.executors.map(({ host }) => ofHost.get(host) ?? Infinity);
  }

  private runUs(row: number): number {
    const { run, launch, finish, result } = this.columns;
    if (run[row] < 0) this.without.runTimes++;
    const ms = run[row] >= 0 ? run[row] : (result[row] > launch[row] ? result[row] : finish[row]) - launch[row];
    if (ms * US_PER_MS <= LIMITS.taskUs) return ms * US_PER_MS;
    this.without.tooLong++;
    return LIMITS.taskUs;
  }

  /** Returns the places that a task may have preferred: a log has only the one that it got. */
  private placesOf(row: number, task: number, stage: LoggedStage, finders: readonly Finder[]): string[] {
    const { level, executor } = this.columns;
    const { host, id } = this.executors[executor[row]];
    switch (SPARK_LEVELS[level[row]]) {
      case "PROCESS_LOCAL":
        // Spark says so of tasks without preferences, too.
        if (!stage.readsCached) {
          this.places.nowhere++;
          return [];
        }
        this.places.cached++;
        return [`${host}/${id}`];
      case "NODE_LOCAL": {
        this.places.node++;
        const beside = this.executors.find(
          (neighbour) => stage.readsCached && neighbour.host === host && neighbour.id !== id,
        );
        return [beside === undefined ? host : `${host}/${beside.id}`];
      }
      case "NO_PREF":
        this.places.nowhere++;
        return [];
      case "RACK_LOCAL":
        this.places.other++;
        return [this.otherPlace(row, task, stage, finders) ?? this.placeWithout(false)];
      case "ANY":
        this.places.other++;
        return [this.otherPlace(row, task, stage, finders) ?? this.placeWithout(this.hasRacks)];
    }
  }

  /** Returns a place of the data of a task that ran elsewhere; null: no executor had it, as far as the log tells. */
  private otherPlace(row: number, task: number, stage: LoggedStage, finders: readonly Finder[]): string | null {
    const { executor, launch } = this.columns;
    const { host } = this.executors[executor[row]];
    const candidates = finders.filter(
      (finder) => this.executors[finder.executor].host !== host && finder.emptyMs > launch[row],
    );
    if (candidates.length === 0) return null;
    const drawn =
      this.executors[candidates[scaled(counterHash(this.drawn, stage.id, task), candidates.length)].executor];
    return stage.readsCached ? `${drawn.host}/${drawn.id}` : drawn.host;
  }

  private placeWithout(isFar: boolean): string {
    if (isFar) this.usesFarDataHost = true;
    else this.usesDataHost = true;
    return isFar ? FAR_DATA_HOST : DATA_HOST;
  }

  /**
   * Spark finds a rack's tasks host by host, in the order of a hash map, which no log tells. Here hosts that only hold
   * data come first: tasks that ran away from their data did so while others waited for theirs.
   */
  private hosts(speeds: LearntTimes["speeds"]): SparkImport["hosts"] {
    const learnt = new Map(speeds.map((learntSpeed) => [clean(learntSpeed.host), learntSpeed]));
    const speedOf = (name: string): Pick<ImportedHost, "speed"> => {
      const range = learnt.get(name);
      if (range === undefined) return {};
      return { speed: { low: writtenSpeed(range.low), high: writtenSpeed(range.high) } };
    };
    const names = [...new Set(this.executors.map(({ host }) => host))];
    const rack = this.hasRacks ? RACK : "";
    const hosts: ImportedHost[] = [];
    if (this.usesDataHost) hosts.push({ name: DATA_HOST, rack, executors: false });
    if (this.usesFarDataHost) hosts.push({ name: FAR_DATA_HOST, rack: FAR_RACK, executors: false });
    return [...hosts, ...names.map((name) => ({ name, rack, ...speedOf(name) }))];
  }

  private recorded(jobs: readonly KeptJob[], rows: readonly JobRows[]): RecordedRun {
    const { log, columns } = this;
    const stages: RecordedStage[] = [];
    const launches: { readonly stage: number; readonly task: number; readonly row: number }[] = [];
    for (const job of jobs) {
      for (const { logged, name, submittedMs, rows: attempts, leftOut } of job.stages) {
        const levels: Record<string, number> = {};
        attempts.forEach((row, task) => {
          const level = SPARK_LEVELS[columns.level[row]];
          levels[level] = (levels[level] ?? 0) + 1;
          launches.push({ stage: stages.length, task, row });
        });
        stages.push({
          job: job.name,
          stage: name,
          submittedUs: this.us(submittedMs),
          endedUs: logged.endedMs === null ? null : this.us(logged.endedMs),
          ...(leftOut.attempts === 0 ? {} : { leftOut }),
          hasFailed: logged.failure !== null,
          tasks: attempts.length,
          levels,
        });
      }
    }
    launches.sort(
      (a, b) => columns.launch[a.row] - columns.launch[b.row] || columns.id[a.row] - columns.id[b.row] || a.row - b.row,
    );
    const attempts: RecordedAttempts & { readonly executor: readonly string[] } = {
      stage: launches.map(({ stage }) => stage),
      task: launches.map(({ task }) => task),
      executor: launches.map(({ row }) => this.executors[columns.executor[row]].id),
      level: launches.map(({ row }) => SPARK_LEVELS[columns.level[row]]),
      launchUs: launches.map(({ row }) => this.us(columns.launch[row])),
      finishUs: launches.map(({ row }) => this.us(columns.finish[row])),
    };
    return {
      ...({ format: "bide-spark-recorded", version: 1 } as const),
      id: log.id,
      name: log.name,
      sparkVersion: log.sparkVersion,
      startedMs: this.originMs,
      endedUs: log.endedMs === null ? null : this.us(log.endedMs),
      jobs: jobs.map(({ logged: { result }, endedMs, name, submittedMs }) => ({
        job: name,
        submittedUs: this.us(submittedMs),
        endedUs: endedMs === null ? null : this.us(endedMs),
        result,
      })),
      stages,
      attempts,
      copied: this.copied(rows, stages),
    };
  }

  /** Sums of what the tables copy beside the times of tasks. */
  private copied(jobs: readonly JobRows[], recorded: readonly RecordedStage[]): CopiedTime[] {
    const stages = jobs.flatMap((job) => job.stages);
    const tasks = stages.flatMap((stage) => stage.tasks);
    const failures = tasks.flatMap((task) => task.failures ?? []);
    const stageUs = sumOver(recorded, ({ submittedUs, endedUs }) =>
      Math.max(0, (endedUs ?? submittedUs) - submittedUs),
    );
    const delayUs = sumOver(tasks, (task) => (task.delayUs ?? 0) + (task.resultUs ?? 0));
    const failedUs = sumOver(failures, ({ heldUs }) => heldUs);
    const taskUs = sumOver(tasks, ({ runUs }) => runUs) + delayUs + failedUs;
    const driverUs = sumOver(stages, (stage) => stage.driverUs ?? 0);
    const mostUs = sumOver(stages, (stage) => stage.driverMostUs ?? stage.driverUs ?? 0);
    const aroundUs = sumOver(stages, (stage) => stage.beforeUs ?? 0) + sumOver(jobs, (job) => job.endUs ?? 0);
    const jobUs = sumOver(jobs, ({ job }) => this.jobTimeUs(job));
    const [ofStages, ofTasks] = [
      { partOf: "the time of all stages", wholeUs: stageUs },
      { partOf: "the time of all tasks", wholeUs: taskUs },
    ];
    return [
      { what: "driver's time from a stage's submission to its first task", us: driverUs, mostUs, ...ofStages },
      {
        what: "driver's time before stages and at the end of jobs",
        us: aroundUs,
        mostUs: null,
        partOf: "the time of all jobs",
        wholeUs: jobUs,
      },
      { what: "scheduler delay of tasks", us: delayUs, mostUs: null, ...ofTasks },
      ...(failures.length === 0
        ? []
        : [{ what: `${counted(failures.length, "attempt")} that failed`, us: failedUs, mostUs: null, ...ofTasks }]),
    ];
  }

  private jobTimeUs(job: string): number {
    const logged = this.log.jobs.find(({ id }) => String(id) === job);
    const { submittedMs = null, endedMs = null } = logged ?? {};
    return submittedMs === null || endedMs === null ? 0 : waitUs(endedMs - submittedMs);
  }

  private reportJobs(jobs: readonly JobRows[]): void {
    const { log, guessed, folded, leftOut, without } = this;
    const loops = jobs.filter(({ after }) => after !== null).length;
    const times = jobs.length - loops;
    if (loops > 0) {
      const rule = "the one that ended last before it, of its job group and pool if one did";
      guessed.push(`submission of ${counted(loops, "job")}: after another has ended, with the recorded delay: ${rule}`);
    }
    if (times > 0) folded.push(`submission of ${counted(times, "job")}: at the recorded time`);
    const ran = new Set(log.stages.map(({ id }) => id));
    const unrunOf = (...results: readonly LoggedJob["result"][]) => {
      const named = log.jobs.filter(({ result }) => results.includes(result)).flatMap(({ stageIds }) => stageIds ?? []);
      return new Set(named.filter((id) => !ran.has(id)));
    };
    // A job succeeds only when the output of all its stages is there.
    const skipped = unrunOf("succeeded");
    note(folded, skipped.size, "stage", "that Spark skipped, as their output was there: no stage waits for them");
    const unreached = [...unrunOf("failed", "unknown")].filter((id) => !skipped.has(id)).length;
    note(
      leftOut,
      unreached,
      "stage",
      "of jobs that failed or have no end in the log, of which the log tells no attempt: not reached, or skipped as their output was there",
    );
    const failed = jobs.length === 0 ? 0 : log.jobs.filter(({ result }) => result === "failed").length;
    note(guessed, failed, "job", "that failed: their tasks that ended are run, and none fails");
    const open = log.jobs.filter(({ result }) => result === "unknown").length;
    note(guessed, open, "job", "of which no end is told: their tasks that ended are run");
    note(guessed, without.runTimes, "task", "without a run time: from launch to finish");
    if (without.parents > 0) {
      const rule = "those of its job that had ended when it came";
      guessed.push(`parents of ${counted(without.parents, "stage")}, of which the log names none: ${rule}`);
    }
    if (without.tooLong > 0)
      leftOut.push(`of ${counted(without.tooLong, "task")} what is beyond ${LIMITS.taskUs / 86_400e6} days`);
    if (this.property("spark.dynamicAllocation.enabled")?.toLowerCase() === "true") {
      folded.push("dynamic allocation: executors come and go when they did, whatever the load is");
    }
    if (this.configuration.settings.mode === "FAIR") {
      const file = this.configuration.poolsFile;
      const name = file === null ? "" : `, ${file.slice(0, 200)}`;
      guessed.push(
        `the file of pools${name} is not in the log: all pools have weight 1 and min share 0; scheduler.poolsFile names yours`,
      );
    }
  }

  private reportPlaces(): void {
    const { cached, node, other: elsewhere, nowhere } = this.places;
    const guess = (tasks: number, where: string, why: string) => {
      if (tasks > 0) this.guessed.push(`places of ${counted(tasks, "task")}: ${where}, as ${why}`);
    };
    guess(nowhere, "none", "the log says PROCESS_LOCAL in a stage that reads nothing cached, or NO_PREF");
    guess(cached, "the executor that ran it", "the log says PROCESS_LOCAL in a stage that reads what was cached");
    guess(node, "the host that ran it and no other", "the log says NODE_LOCAL");
    guess(
      elsewhere,
      "a host that did not run it, drawn among those where others of the stage found their data and that had no core for it by then, as often as they did, else one without executors",
      "the log says RACK_LOCAL or ANY",
    );
  }

  private reportReading(): void {
    const { reading, log } = this.log;
    const { leftOut } = this;
    note(leftOut, reading.malformed, "line", `that ${reading.malformed === 1 ? "is" : "are"} no event`);
    note(leftOut, reading.unusable, "event", "in which something is missing or impossible");
    leftOut.push(...reading.examples.map((example) => `such as ${example}`));
    note(leftOut, reading.repeated, "event", `that ${reading.repeated === 1 ? "says" : "say"} again what was said`);
    note(leftOut, reading.unended, "attempt", "of tasks that started, and of whose end nothing is told");
    leftOut.push(...reading.cuts);
    if (log.isInProgress || (this.log.endedMs === null && reading.cuts.length === 0)) {
      leftOut.push("the end of the application: the log was written while it ran, or was cut");
    }
    if (log.isCompacted) leftOut.push("jobs that Spark threw away when it compacted the log: what is left is its tail");
  }
}

function jobOf(stage: KeptStage, named: readonly LoggedJob[], startless: readonly LoggedJob[]): LoggedJob | undefined {
  const { submittedMs, logged } = stage;
  const hasBegun = (job: LoggedJob) => (job.submittedMs ?? submittedMs) <= submittedMs;
  const running = named.find((job) => hasBegun(job) && (job.endedMs ?? Infinity) >= submittedMs);
  if (running !== undefined) return running;
  if (named.length > 0) return named.filter(hasBegun).at(-1) ?? named[0];
  return startless.find((job) => (job.endedMs ?? 0) >= (logged.endedMs ?? submittedMs));
}

/** Jobs that may follow one another in a thread of the driver. */
function loopOf({ group, pool }: LoggedJob): string {
  return `${group}\n${pool}`;
}

function median(values: readonly number[]): number {
  return [...values].sort(ascending)[values.length >> 1];
}

/** Adds a sentence about a count; none where it is 0. */
function note(sentences: string[], times: number, noun: string, words: string): void {
  if (times > 0) sentences.push(`${counted(times, noun)} ${words}`);
}

function writtenSpeed(speed: number): number {
  return writtenWithin(speed, LIMITS.minRecordedSpeed, LIMITS.maxRecordedSpeed);
}

/** A name without what the tables give a meaning. */
function clean(text: string): string {
  return text.replace(/[|/\p{Cc}]/gu, "-").trim();
}
