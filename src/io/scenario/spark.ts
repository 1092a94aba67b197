import { dirname, isAbsolute, join, resolve as absolute } from "node:path";
import * as z from "zod";
import { counted, formatTime, MAX_TIME_US } from "../../core/kernel/index.js";
import {
  DEFAULT_EXCLUSION,
  DEFAULT_POOL_NAME,
  defaultSettings,
  defaultSpeculation,
  type HostSpec,
  type ListedJob,
  type NamedExecutor,
  type PoolSpec,
  poolsInFairMode,
  SPARK_RULES,
  SPARK_WAITS,
  SPARK_WORDS,
  type SparkScenario,
  type SparkScheduler,
  type SparkRun,
  type SparkVersion,
  versionFor,
} from "../../core/platforms/spark/index.js";
import { type Diagnostic, InputError } from "../input-error.js";
import { readSparkConf, type ReadConf } from "../spark/conf.js";
import { type ReadExecutors, readExecutorsCsv } from "../spark/executors-csv.js";
import { SparkHosts } from "../spark/hosts.js";
import { type ReadPools, readSparkPools } from "../spark/pool-file.js";
import { readStagesCsv } from "../spark/stages-csv.js";
import { duplicate, type Problem, totalProblems, unknownName, wrong } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import { BEGINNING, endOf, type FilePlace, listedJobsWords, type Platform, platformOf } from "./platform.js";
import { resolveRun } from "./run.js";
import { recordOf, setting } from "./setting.js";
import {
  choice,
  count,
  countOr,
  duration,
  durationOr,
  either,
  flag,
  label,
  listOf,
  mapping,
  quantity,
  spelled,
  text,
} from "./values.js";
import { allowedNames, printable, quote } from "./show.js";
import type { Plain } from "./yaml-document.js";

// Scenarios of Spark: one application on its executors.

const SECTIONS = ["cluster", "executors", "workload", "scheduler", "runtime", "faults"] as const;

const MOST_CORES = 4096;

const host = mapping({
  name: label().describe("As Spark calls it."),
  rack: setting(label(), { usually: "as cluster.racks deals them", says: "The rack it stands in." }),
  speed: setting(quantity(LIMITS.minSpeed, LIMITS.maxSpeed), {
    default: 1,
    says: "Speed relative to other hosts; times of tasks are divided by it.",
  }),
});

const cluster = mapping({
  racks: setting(count(0, LIMITS.racks), {
    default: 0,
    says: "Racks that hosts are dealt to in turn; 0: the cluster manager knows none, as where Spark runs by itself.",
  }),
  hosts: setting(
    either(
      [count(1, LIMITS.nodes), listOf(host, "hosts {name, rack, speed}")],
      () => `a whole number of hosts from 1 to ${String(LIMITS.nodes)}, or a list of hosts {name, rack, speed}`,
    ),
    { default: 1, says: "Hosts, by number or by name." },
  ),
  speeds: setting(z.record(z.string(), quantity(LIMITS.minSpeed, LIMITS.maxSpeed)), {
    usually: "all are alike",
    says: "Speeds of some hosts, by name; hosts by number are called host-1, host-2 and so on.",
  }),
});

// A timeout of none would ask for executors, or let them go, at each look.
const backlog = duration(1_000, LIMITS.waitUs);

const dynamic = mapping({
  min: setting(count(0, LIMITS.nodes), { usually: "0", says: "The least: `spark.dynamicAllocation.minExecutors`." }),
  max: setting(count(1, LIMITS.nodes), {
    usually: "as many as there are hosts, or as min or initial say",
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

const executors = mapping({
  file: setting(text(1, LIMITS.pathLength), {
    usually: "they are alike",
    says: "A table of executors as they come and go (docs/formats/spark-event-logs.md); relative to this file.",
  }),
  count: setting(count(1, LIMITS.nodes), {
    usually: "one on each host, or all of the table",
    says: "Executor i is on host i mod hosts. With a table: the most at one time; the others come when one goes, if they are there then.",
  }),
  cores: setting(count(1, MOST_CORES), {
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

const stage = mapping({
  name: setting(label(), { usually: "its place in the job, from 1", says: "Name of the stage." }),
  tasks: count(0, LIMITS.tasksPerPhase).describe("How many tasks."),
  time: duration(1, LIMITS.taskUs).describe("What a task takes on its data; the median where times are spread."),
  spread: setting(quantity(0, 5), {
    default: 0,
    says: "Times of tasks are log-normal, with this standard deviation of the logarithm; 0: all are alike.",
  }),
  parents: setting(z.array(label(), { error: () => "a list of names of stages" }), {
    usually: "the stage before it",
    says: "Stages of the job that must have ended first.",
  }),
  input: setting(choice(["none", "hosts", "cached"]), {
    default: "none",
    says: "Where tasks find their input: on hosts (blocks of HDFS), in the memory of an executor (cached), or anywhere as well (shuffles).",
  }),
  replicas: setting(count(1, LIMITS.replication), { default: 3, says: "Hosts that hold the input of a task." }),
  on: setting(countOr("all", 1, LIMITS.nodes), {
    default: "all",
    says: "Only the first so many hosts, or executors, hold input.",
  }),
  barrier: setting(flag(), { as: "isBarrier", default: false, says: "All its tasks start at once, or none does." }),
});

const job = mapping({
  name: label().describe("Name of the job."),
  pool: setting(label(), { usually: "Spark's pool default", says: "The pool it runs in: `spark.scheduler.pool`." }),
  submit: setting(duration(0, MAX_TIME_US), { default: 0, says: "When it comes." }),
  count: setting(count(1, LIMITS.jobs), { default: 1, says: "So many of its kind, called name-1, name-2 and so on." }),
  every: setting(duration(0, MAX_TIME_US), { default: 0, says: "Time between two of its kind." }),
  after: setting(label(), {
    usually: "it waits for none",
    says: "A job listed before it: this one comes when that one, or the last of its kind, has ended.",
  }),
  delay: setting(duration(0, MAX_TIME_US), { default: 0, says: "Time between the end of that job and this one." }),
  stages: listOf(stage, "stages {name, tasks, time, input, ...}"),
});

const workload = z.discriminatedUnion(
  "kind",
  [
    mapping({
      kind: z.literal("jobs"),
      jobs: listOf(job, "jobs {name, stages, ...}").describe("Jobs with their stages."),
    }),
    mapping({
      kind: z.literal("stages"),
      file: text(1, LIMITS.pathLength).describe(
        "A table of jobs, stages and tasks (docs/formats/spark-event-logs.md); relative to this file.",
      ),
    }),
  ],
  { error: () => "a mapping with a kind: jobs, stages" },
);

const VERSIONS = Object.keys(SPARK_RULES) as [SparkVersion, ...SparkVersion[]];

/** Of a release that has no rules of its own: whose rules hold for it. */
function rulesHint(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const release = Number.isInteger(value) ? `${String(value)}.0` : String(value);
  if (!/^\d{1,3}\.\d{1,3}(\.\d+)?$/.test(release)) return "";
  const held = versionFor(release);
  if (held === null) return `; those of releases before ${VERSIONS[0]} are not known`;
  const place = VERSIONS.indexOf(held);
  const end = place + 1 < VERSIONS.length ? ` up to ${VERSIONS[place + 1]}, but not with it` : "";
  return `; the rules of ${VERSIONS[place]} hold for releases from ${VERSIONS[place]} on${end}`;
}

const waitTime = duration(0, LIMITS.waitUs);
const wait = mapping({
  base: setting(waitTime, { usually: "3s", says: "`spark.locality.wait`: holds for levels of which nothing is said." }),
  process: setting(waitTime, { usually: "base", says: "`spark.locality.wait.process`." }),
  node: setting(waitTime, { usually: "base", says: "`spark.locality.wait.node`." }),
  rack: setting(waitTime, { usually: "base", says: "`spark.locality.wait.rack`." }),
});

const pool = mapping({
  name: label().describe("As jobs name it."),
  mode: setting(choice(["FIFO", "FAIR"]), { default: "FIFO", says: "How its jobs are ordered." }),
  minShare: setting(count(0, LIMITS.nodes), { default: 0, says: "Running tasks up to which it goes first." }),
  weight: setting(count(1, LIMITS.nodes), { default: 1, says: "Its part of what is left." }),
});

const speculation = mapping({
  quantile: setting(quantity(0, 1), { usually: "0.75; since 4.0 0.9", says: "Share of tasks that must have ended." }),
  multiplier: setting(quantity(0, 1000), { usually: "1.5; since 4.0 3", says: "Times the median that is slow." }),
  minRuntime: setting(duration(0, LIMITS.taskUs), { as: "leastRunUs", usually: "100ms", says: "No copy before." }),
});

const exclusionLimit = count(1, LIMITS.tasksPerPhase);
const exclusion = mapping({
  attemptsPerExecutor: setting(exclusionLimit, {
    default: 1,
    says: "Failures of a task on one executor after which it is not tried there: `.task.maxTaskAttemptsPerExecutor`.",
  }),
  attemptsPerHost: setting(exclusionLimit, {
    default: 2,
    says: "The same on one host: `.task.maxTaskAttemptsPerNode`.",
  }),
  tasksPerExecutor: setting(exclusionLimit, {
    default: 2,
    says: "Tasks of a stage that fail on one executor before the stage avoids it: `.stage.maxFailedTasksPerExecutor`.",
  }),
  executorsPerHost: setting(exclusionLimit, {
    default: 2,
    says: "Avoided executors of one host before the stage avoids the host: `.stage.maxFailedExecutorsPerNode`.",
  }),
  unschedulable: setting(duration(0, LIMITS.waitUs), {
    as: "unschedulableUs",
    default: "120s",
    says: "A task that no executor may run fails its job after this: `spark.scheduler.excludeOnFailure.unschedulableTaskSetTimeout`.",
  }),
});

const scheduler = mapping({
  kind: choice(["spark"]).prefault("spark").describe("Spark's own."),
  version: setting(
    spelled<SparkVersion>(
      VERSIONS,
      [
        [2.4, "2.4"],
        [3, "3.0"],
        [3.1, "3.1"],
        [3.5, "3.5"],
        [4, "4.0"],
      ],
      rulesHint,
    ),
    { default: "3.5", says: "Rules of that release, which hold up to the next one listed." },
  ),
  conf: setting(text(1, LIMITS.pathLength), {
    usually: "Spark's own defaults",
    says: "A spark-defaults.conf; what stands beside it here wins. Relative to this file.",
  }),
  poolsFile: setting(text(1, LIMITS.pathLength), {
    usually: "no file of pools",
    says: "Spark's fairscheduler.xml, in place of pools. Relative to this file.",
  }),
  mode: setting(choice(["FIFO", "FAIR"]), {
    usually: "FIFO",
    says: "`spark.scheduler.mode`: jobs by their numbers, or pools by weights and min shares.",
  }),
  pools: setting(listOf(pool, "pools {name, mode, minShare, weight}"), {
    usually: "one called default",
    says: "Pools of the FAIR mode, as a file of pools declares them.",
  }),
  wait: setting(
    either([duration(0, LIMITS.waitUs), wait], () => "a time, or a mapping {base, process, node, rack}"),
    { usually: "3s", says: "What task sets wait for a level before they take the next one: `spark.locality.wait`." },
  ),
  resetOnLaunch: setting(flag(), {
    usually: "true before 3.1, false since",
    says: "Every launch restarts the wait: `spark.locality.wait.legacyResetOnTaskLaunch`.",
  }),
  taskCores: setting(count(1, MOST_CORES), { usually: "1", says: "`spark.task.cpus`." }),
  maxFailures: setting(count(1, LIMITS.attempts), { usually: "4", says: "`spark.task.maxFailures`." }),
  speculation: setting(
    either([flag(), speculation], () => "true, false, or a mapping {quantile, multiplier, minRuntime}"),
    { usually: "false", says: "Copies of slow tasks: `spark.speculation`." },
  ),
  exclusion: setting(
    either(
      [flag(), exclusion],
      () =>
        "true, false, or a mapping {attemptsPerExecutor, attemptsPerHost, tasksPerExecutor, executorsPerHost, unschedulable}",
    ),
    {
      usually: "false",
      says: "Executors and hosts on which tasks failed are avoided: `spark.excludeOnFailure`.",
    },
  ),
  reduceLocality: setting(flag(), {
    usually: "false",
    says: "Tasks that find their input anywhere prefer hosts with a fifth of their parents' output: `spark.shuffle.reduceLocality.enabled`.",
  }),
});

const loss = mapping({
  executor: label().describe("Its id in the table, or its number from 1 in the order in which they come."),
  at: duration(0, MAX_TIME_US).describe("When, if it is there then."),
});

const losses = mapping({
  every: setting(duration(LIMITS.minFaultGapUs, MAX_TIME_US), {
    usually: "none is lost by chance",
    says: "Mean time that an executor lives; times are exponential.",
  }),
  until: setting(durationOr("end", 0, MAX_TIME_US), {
    as: "untilUs",
    default: "end",
    says: "None is lost by chance at or after this.",
  }),
  events: setting(listOf(loss, "losses {executor, at}"), { usually: "none", says: "Executors lost at given times." }),
  back: setting(durationOr("never", 0, LIMITS.waitUs), {
    as: "backUs",
    default: "5s",
    says: "From a loss until another is there, on the same host; under dynamic allocation they come as they are needed.",
  }),
  blame: setting(flag(), {
    as: "counts",
    default: true,
    says: "It is the application's fault, as where it crashed: each task that ran there has failed. false: as where the cluster took it.",
  }),
});

const probability = quantity(0, 1);

const faults = mapping({
  taskFailure: setting(probability, {
    default: 0,
    says: "Probability that an attempt fails, at a moment of its run that is drawn, too.",
  }),
  hostFailure: setting(z.record(z.string(), probability), {
    usually: "as on other hosts",
    says: "The same of attempts on some hosts, by name, in place of taskFailure.",
  }),
  executors: setting(losses, { usually: "none is lost", says: "Executors that are lost before their time." }),
});

// Messages: 5 ms both ways is the median of one event log (docs/spark.md says which); how they share it is not logged.
const runtime = mapping({
  stageStart: setting(duration(0, LIMITS.waitUs), {
    as: "stageStartUs",
    default: 0,
    says: "From the submission of a stage until its tasks are offered: the driver's own work.",
  }),
  launch: setting(duration(0, LIMITS.waitUs), {
    as: "launchUs",
    default: "3ms",
    says: "From the driver's decision until a task runs.",
  }),
  report: setting(duration(0, LIMITS.waitUs), {
    as: "reportUs",
    default: "2ms",
    says: "From the end of a task until the driver knows.",
  }),
  revive: setting(duration(1_000, LIMITS.waitUs), {
    as: "reviveUs",
    usually: "1s",
    says: "Time between two rounds of offers of all executors: `spark.scheduler.revive.interval`.",
  }),
  speculationInterval: setting(duration(1_000, LIMITS.waitUs), {
    as: "speculationUs",
    usually: "100ms",
    says: "Time between two looks for slow tasks: `spark.speculation.interval`.",
  }),
  rackFactor: setting(quantity(LIMITS.minFactor, LIMITS.maxFactor), {
    default: 1,
    says: "How many times as long a task takes in the rack of its data.",
  }),
  anyFactor: setting(quantity(LIMITS.minFactor, LIMITS.maxFactor), {
    default: 1,
    says: "The same farther away.",
  }),
});

const schema = mapping({
  $schema: z.string().optional().describe("For editors; ignored."),
  platform: z.literal("spark").describe("What is simulated."),
  ...BEGINNING,
  cluster: cluster.prefault({}).describe("Hosts, and the racks they stand in."),
  executors: executors.prefault({}).describe("Executors of the application."),
  workload,
  scheduler: scheduler.prefault({}).describe("How the driver gives tasks to executors."),
  runtime: runtime.prefault({}).describe("What messages take, and what tasks take away from their data."),
  faults: faults.prefault({}).describe("What goes wrong. Default: nothing does."),
  ...endOf(SECTIONS),
});

type SparkFile = z.output<typeof schema>;

export const SPARK: Platform = platformOf({
  name: "spark",
  recordWords: SPARK_WORDS,
  waits: SPARK_WAITS,
  sections: SECTIONS,
  // `wait: 5s` says what holds for all levels.
  shorthands: [
    [/^scheduler$/, "kind"],
    [/^scheduler\.wait$/, "base"],
    [/^scheduler\.speculation$/, null],
    [/^scheduler\.exclusion$/, null],
    [/^executors\.dynamic$/, null],
  ],
  schemaWith: () => schema,
  filePlaces,
  readImports,
  problems: ({ cluster: own, workload: submitted, ...sections }, { conf }) => [
    ...(submitted?.kind === "jobs" ? [...jobProblems(submitted.jobs), ...sizeProblems(submitted.jobs)] : []),
    ...(own === undefined ? [] : hostProblems(own)),
    ...(sections.executors === undefined ? [] : tableProblems(sections.executors)),
    ...(sections.executors === undefined || sections.scheduler === undefined
      ? []
      : coreProblems(sections.executors, sections.scheduler, conf)),
    ...(sections.scheduler?.pools === undefined ? [] : poolProblems(sections.scheduler.pools)),
  ],
  resolve,
  wholeProblems: (file, scenario) => [
    ...allocationProblems(file, scenario),
    ...inputProblems(file, scenario),
    ...faultProblems(file, scenario),
  ],
  words: {
    scheduler: ({ scheduler: own }) => `spark ${own.version}, ${own.mode} (wait ${waitWords(own)})`,
    waits: ({ scheduler: own }) => waitWords(own),
    cluster: ({ cluster: { hosts }, executors: all, allocation, scheduler: { executorCores } }) => {
      if (allocation !== undefined) {
        const range = `${String(allocation.min)} to ${counted(allocation.max, "executor")}`;
        return `${counted(hosts.length, "host")}, ${range} as needed, of ${counted(executorCores, "core")}`;
      }
      const cores = all.reduce((sum, { cores: own }) => sum + own, 0);
      return `${counted(hosts.length, "host")}, ${counted(all.length, "executor")}, ${counted(cores, "core")}`;
    },
    workload: ({ workload: own }) => (own.kind === "jobs" ? listedJobsWords(own.jobs) : `${own.kind} of ${own.file}`),
  },
  nodes: ({ cluster: { hosts } }) => hosts,
  mayKill: () => false,
  build,
});

function waitWords({ waitProcessUs, waitNodeUs, waitRackUs }: SparkScheduler): string {
  const [process, node, rack] = [waitProcessUs, waitNodeUs, waitRackUs].map(formatTime);
  return process === node && node === rack ? process : `executor ${process}, host ${node}, rack ${rack}`;
}

const FILES = [
  ["workload", "file"],
  ["executors", "file"],
  ["scheduler", "conf"],
  ["scheduler", "poolsFile"],
] as const;

function filePlaces(tree: Plain): FilePlace[] {
  return FILES.flatMap(([section, key]) => {
    const holder = mappingOf(mappingOf(tree)[section]);
    const file = holder[key];
    return typeof file === "string" && file !== "" ? [{ path: [section, key], holder, key, file }] : [];
  });
}

function mappingOf(value: Plain | undefined): { [key: string]: Plain } {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** The files that a scenario names, but for that of its workload, which is read for each run. */
interface Imports {
  readonly executors: ReadExecutors | null;
  /** Of the scenario, and those that the table of executors adds. */
  readonly hosts: SparkHosts;
  readonly conf: ReadConf | null;
  readonly pools: ReadPools | null;
  readonly problems: readonly Diagnostic[];
}

function readImports(tree: Plain, scenarioFile: string): Imports {
  const problems: Diagnostic[] = [];
  const hosts = new SparkHosts();
  const places = new Map(filePlaces(tree).map(({ path, file }) => [path.join("."), file]));
  const read = <T>(place: string, of: (path: string, shown: string) => T): T | null => {
    const file = places.get(place);
    // The schema refuses longer ones.
    if (file === undefined || file.length > LIMITS.pathLength) return null;
    const shown = printable(isAbsolute(file) ? file : join(dirname(scenarioFile), file));
    try {
      return of(absolute(dirname(scenarioFile), file), shown);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.diagnostics);
      return null;
    }
  };
  // Hosts have the numbers of the scenario where it names them.
  const said = cluster.safeParse(mappingOf(tree).cluster ?? {});
  if (said.success) for (const { name, rack } of hostsOf(said.data)) hosts.add(name, rack);
  const { version } = mappingOf(mappingOf(tree).scheduler);
  const rules = SPARK_RULES[VERSIONS.find((known) => known === version || Number(known) === version) ?? "3.5"];
  return {
    executors: read("executors.file", (path, shown) => readExecutorsCsv(path, shown, hosts)),
    hosts,
    conf: read("scheduler.conf", (path, shown) => readSparkConf(path, shown, rules)),
    pools: read("scheduler.poolsFile", readSparkPools),
    problems,
  };
}

function jobProblems(jobs: Extract<SparkFile["workload"], { kind: "jobs" }>["jobs"]): Problem[] {
  const names = jobs.map(({ name }) => name);
  return jobs.flatMap(({ name, after, stages }, i) => {
    const path = ["workload", "jobs", i];
    const known = names.slice(0, i);
    const stageNames = stages.map(({ name: own }, place) => own ?? String(place + 1));
    return [
      ...(known.includes(name) ? [duplicate([...path, "name"], "job", name)] : []),
      ...(after === undefined || known.includes(after)
        ? []
        : [notListedBefore([...path, "after"], "job", after, known)]),
      ...stages.flatMap(({ parents = [] }, place) => [
        ...(stageNames.indexOf(stageNames[place]) < place
          ? [duplicate([...path, "stages", place, "name"], "stage", stageNames[place])]
          : []),
        ...parents.flatMap((parent, at) =>
          stageNames.slice(0, place).includes(parent)
            ? []
            : [notListedBefore([...path, "stages", place, "parents", at], "stage", parent, stageNames.slice(0, place))],
        ),
      ]),
    ];
  });
}

function sizeProblems(listed: Extract<SparkFile["workload"], { kind: "jobs" }>["jobs"]): Problem[] {
  let [jobs, tasks] = [0, 0];
  for (const { count: some = 1, stages } of listed) {
    jobs += some;
    tasks += some * stages.reduce((sum, own) => sum + own.tasks, 0);
  }
  return totalProblems(["workload", "jobs"], jobs, tasks, LIMITS.heldTasks);
}

/** A name that must be one of `before`, which are listed before what names it: so nothing waits for itself. */
function notListedBefore(
  path: readonly PropertyKey[],
  what: string,
  found: string,
  before: readonly string[],
): Problem {
  const which = before.length === 0 ? "none is, as this one is the first" : allowedNames(before, found);
  return wrong(path, quote(found), `a ${what} listed before it: ${which}`);
}

function hostProblems(file: SparkFile["cluster"]): Problem[] {
  const names = namesOf(file);
  const known = new Set(names);
  const strangers = Object.keys(file.speeds ?? {}).flatMap((name) =>
    known.has(name) ? [] : [unknownName(["cluster", "speeds", name], name, names.slice(0, LIMITS.problems))],
  );
  if (typeof file.hosts !== "object") return strangers;
  const firstOf = new Map([...names.entries()].reverse().map(([i, name]) => [name, i]));
  const twice = names.flatMap((name, i) =>
    firstOf.get(name) === i ? [] : [duplicate(["cluster", "hosts", i, "name"], "host", name)],
  );
  return [...twice, ...strangers];
}

/** A table says when executors come and go; so does dynamic allocation, which says how many, too. */
function tableProblems({ file, count: some, from, until, dynamic: said }: SparkFile["executors"]): Problem[] {
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
  ];
}

function coreProblems(
  { file, cores }: SparkFile["executors"],
  { taskCores = 1 }: SparkFile["scheduler"],
  conf: ReadConf | null,
): Problem[] {
  const most = cores ?? (file === undefined ? (conf?.configuration.settings.executorCores ?? 1) : MOST_CORES);
  if (taskCores <= most) return [];
  return [wrong(["scheduler", "taskCores"], String(taskCores), `at most the ${String(most)} of executors.cores`)];
}

function poolProblems(pools: NonNullable<SparkFile["scheduler"]["pools"]>): Problem[] {
  const names = pools.map(({ name }) => name);
  return names.flatMap((name, i) =>
    names.indexOf(name) < i ? [duplicate(["scheduler", "pools", i, "name"], "pool", name)] : [],
  );
}

function namesOf({ hosts = 1 }: SparkFile["cluster"]): string[] {
  return typeof hosts === "number"
    ? Array.from({ length: hosts }, (_, i) => `host-${String(i + 1)}`)
    : hosts.map(({ name }) => name);
}

function resolve(file: SparkFile, defaultName: string, imports: Imports, notes: string[]): SparkScenario {
  const { run, scheduler: given } = file;
  const hosts = imports.executors === null ? hostsOf(file.cluster) : withOthers(hostsOf(file.cluster), imports.hosts);
  const cores = file.executors.cores ?? imports.conf?.configuration.settings.executorCores ?? 1;
  const allocation = allocationOf(file.executors, hosts.length, imports.conf, notes);
  const { executors: own, leftOut } =
    allocation === null ? executorsOf(file.executors, cores, hosts.length, imports) : { executors: [], leftOut: [] };
  const most = allocation === null ? own.reduce((top, one) => Math.max(top, one.cores), 1) : cores;
  const scheduler = schedulerOf(given, most, imports);
  if (scheduler.mode !== "FAIR" && (given.pools !== undefined || given.poolsFile !== undefined)) {
    const key = given.pools === undefined ? "scheduler.poolsFile" : "scheduler.pools";
    notes.push(`${key} has no effect where scheduler.mode is FIFO`);
  }
  if (given.pools !== undefined && imports.pools !== null) {
    notes.push("scheduler.pools has no effect beside scheduler.poolsFile");
  }
  notes.push(...(imports.conf?.notes ?? []), ...(imports.pools?.notes ?? []));
  const usual = imports.conf?.configuration ?? { reviveUs: 1_000_000, speculationUs: 100_000 };
  const { stageStartUs, launchUs, reportUs, rackFactor, anyFactor, ...said } = recordOf(runtime, file.runtime);
  const { reviveUs = usual.reviveUs, speculationUs = usual.speculationUs } = said;
  return {
    platform: "spark",
    name: file.name ?? defaultName,
    why: file.why.trim(),
    cluster: { hosts },
    executors: own,
    leftOut,
    ...(allocation === null ? {} : { allocation }),
    ...faultsOf(file.faults, hosts, own),
    workload:
      file.workload.kind === "jobs"
        ? { kind: "jobs", jobs: file.workload.jobs.map(listedJob) }
        : { kind: "stages", file: file.workload.file },
    scheduler,
    runtime: { stageStartUs, launchUs, reportUs, rackFactor, anyFactor, reviveUs, speculationUs },
    run: resolveRun(run),
  };
}

function hostsOf(file: SparkFile["cluster"]): HostSpec[] {
  const { racks, hosts = 1, speeds = {} } = file;
  const speedOf = new Map(Object.entries(speeds));
  return namesOf(file).map((name, i) => {
    const said = typeof hosts === "number" ? undefined : hosts[i];
    const dealt = racks === undefined || racks === 0 ? "" : `rack-${String((i % racks) + 1)}`;
    return { name, rack: said?.rack ?? dealt, speed: speedOf.get(name) ?? said?.speed ?? 1 };
  });
}

/** With the hosts that the table of executors adds. */
function withOthers(said: readonly HostSpec[], all: SparkHosts): HostSpec[] {
  return all.names.map((name, host) => said.at(host) ?? { name, rack: all.rackOf(host), speed: 1 });
}

/** What is not said is not there. */
function faultsOf(
  file: SparkFile["faults"],
  hosts: readonly HostSpec[],
  own: readonly NamedExecutor[],
): Pick<SparkScenario, "failures" | "losses"> {
  const { taskFailure: chance = 0, hostFailure, executors: said } = file;
  const ofHost = new Map(Object.entries(hostFailure ?? {}));
  const chances = hosts.map(({ name }) => ofHost.get(name));
  const { every: meanUs = Infinity, events = [], untilUs, backUs, counts } = recordOf(losses, said);
  const place = new Map(own.map(({ id }, i) => [id, i]));
  return {
    ...(chance === 0 && ofHost.size === 0 ? {} : { failures: { chance, ...(ofHost.size === 0 ? {} : { chances }) } }),
    ...(meanUs === Infinity && events.length === 0
      ? {}
      : {
          losses: {
            events: events.map(({ executor, at }) => ({
              executor: place.get(executor) ?? Number(executor) - 1,
              atUs: at,
            })),
            ...{ meanUs, untilUs, backUs, counts },
          },
        }),
  };
}

/** Hosts and executors that are none. */
function faultProblems(
  { faults: { hostFailure = {}, executors: said } }: SparkFile,
  { cluster: { hosts }, executors: all, allocation }: SparkScenario,
): Problem[] {
  const names = hosts.map(({ name }) => name);
  const known = new Set(names);
  const ids = new Set(all.map(({ id }) => id));
  return [
    ...Object.keys(hostFailure).flatMap((name) =>
      known.has(name) ? [] : [unknownName(["faults", "hostFailure", name], name, names.slice(0, LIMITS.problems))],
    ),
    ...(said?.events ?? []).flatMap(({ executor }, i) => {
      const path = ["faults", "executors", "events", i, "executor"];
      if (allocation !== undefined) {
        return /^[1-9]\d{0,6}$/.test(executor)
          ? []
          : [
              wrong(
                path,
                quote(executor),
                "a whole number from 1: under dynamic allocation executors are counted as they come",
              ),
            ];
      }
      return ids.has(executor) ? [] : [unknownName(path, executor, [...ids].slice(0, LIMITS.problems))];
    }),
  ];
}

/** Input on more places than there are. */
function inputProblems(file: SparkFile, { cluster: { hosts }, executors: all, allocation }: SparkScenario): Problem[] {
  if (file.workload.kind !== "jobs") return [];
  return file.workload.jobs.flatMap(({ stages }, i) =>
    stages.flatMap(({ input = "none", on = Infinity, replicas = 1 }, place) => {
      if (input === "none") return [];
      const path = ["workload", "jobs", i, "stages", place];
      if (input === "cached" && allocation !== undefined) {
        return [
          wrong(
            [...path, "input"],
            "cached",
            "none, hosts: under dynamic allocation no executor is known before it comes",
          ),
        ];
      }
      const places = input === "hosts" ? counted(hosts.length, "host") : counted(all.length, "executor");
      const most = input === "hosts" ? hosts.length : all.length;
      if (on !== Infinity && on > most) {
        return [
          wrong([...path, "on"], String(on), `all, or at most the ${places} that there ${most === 1 ? "is" : "are"}`),
        ];
      }
      const holders = Math.min(on, most);
      if (input === "cached" || replicas <= holders) return [];
      const who = on === Infinity ? `the ${places} that there ${most === 1 ? "is" : "are"}` : `the ${String(on)} of on`;
      return [wrong([...path, "replicas"], String(replicas), `at most ${who}`)];
    }),
  );
}

/** What the file says, then its spark-defaults.conf, then Spark; null: executors are listed. */
function allocationOf(
  { file, count: some, from, until, dynamic: said }: SparkFile["executors"],
  hosts: number,
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
  return {
    ...{ min, initial, max: own.max ?? usual.max ?? Math.max(hosts, min, initial), backlogUs },
    sustainedUs: own.sustained ?? usual.sustainedUs ?? backlogUs,
    idleUs: own.idle ?? usual.idleUs ?? 60_000_000,
    startUs: recordOf(dynamic, own).startUs,
  };
}

/** Fewer at first than at least, or more than at most. */
function allocationProblems({ executors: { dynamic: said } }: SparkFile, { allocation }: SparkScenario): Problem[] {
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

function executorsOf(
  { count: most, cores: said, from = 0, until = Infinity, file }: SparkFile["executors"],
  cores: number,
  hosts: number,
  { executors: table }: Pick<Imports, "executors">,
): Pick<SparkScenario, "executors" | "leftOut"> {
  if (file !== undefined && table !== null) {
    const all = table.executors.map((own, i) => ({ id: table.ids[i], ...own, cores: said ?? own.cores }));
    return most === undefined ? { executors: all, leftOut: [] } : atMost(most, all);
  }
  const listed = Array.from({ length: most ?? hosts }, (_, i) => ({
    ...{ id: String(i + 1), host: i % hosts, cores, fromUs: from, untilUs: until },
  }));
  return { executors: listed, leftOut: [] };
}

/** Never more than so many at one time: who comes first stays, and who finds no room comes when one goes, if it is there then. */
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

type ListedFile = Extract<SparkFile["workload"], { kind: "jobs" }>["jobs"][number];

function listedJob({ stages, ...file }: ListedFile): ListedJob {
  const { name, pool: of, submit = 0, count: some = 1, every = 0, after, delay = 0 } = file;
  const names = stages.map(({ name: own }, i) => own ?? String(i + 1));
  return {
    ...{ name, submitUs: submit, count: some, everyUs: every, delayUs: delay },
    ...(of === undefined ? {} : { pool: of }),
    ...(after === undefined ? {} : { after }),
    stages: stages.map(({ time, parents, ...own }, i) => {
      const { spread, input, replicas, on, isBarrier } = recordOf(stage, { ...own, time });
      return {
        ...{ name: names[i], tasks: own.tasks, runUs: time, spread, input, replicas, on, isBarrier },
        parents: parents ?? (i === 0 ? [] : [names[i - 1]]),
      };
    }),
  };
}

function schedulerOf(
  file: SparkFile["scheduler"],
  executorCores: number,
  { conf, pools: poolFile }: Pick<Imports, "conf" | "pools">,
): SparkScheduler {
  const { version = "3.5" } = file;
  const rules = SPARK_RULES[version];
  const usual = conf?.configuration.settings ?? defaultSettings(rules);
  const { mode = usual.mode, resetOnLaunch, taskCores, maxFailures } = file;
  const reduceLocality = file.reduceLocality ?? conf?.configuration.reduceLocality ?? false;
  const waits = typeof file.wait === "number" ? { base: file.wait } : (file.wait ?? {});
  const { base } = waits;
  return {
    ...usual,
    kind: "spark",
    version,
    mode,
    pools:
      mode !== "FAIR" ? [] : poolFile === null ? poolsOf(file.pools, rules) : poolsInFairMode(poolFile.texts, rules),
    waitProcessUs: waits.process ?? base ?? usual.waitProcessUs,
    waitNodeUs: waits.node ?? base ?? usual.waitNodeUs,
    waitRackUs: waits.rack ?? base ?? usual.waitRackUs,
    resetsOnLaunch: resetOnLaunch ?? usual.resetsOnLaunch,
    coresPerTask: taskCores ?? usual.coresPerTask,
    executorCores,
    maxFailures: maxFailures ?? usual.maxFailures,
    speculation: file.speculation === undefined ? usual.speculation : speculationOf(file.speculation, rules),
    exclusion: file.exclusion === undefined ? usual.exclusion : exclusionOf(file.exclusion, usual.exclusion),
    ...(reduceLocality ? { reduceLocality } : {}),
  };
}

type Rules = (typeof SPARK_RULES)[SparkVersion];

function speculationOf(file: SparkFile["scheduler"]["speculation"], rules: Rules): SparkScheduler["speculation"] {
  if (file === undefined || file === false) return null;
  const usual = defaultSpeculation(rules);
  if (file === true) return usual;
  const { quantile = usual.quantile, multiplier = usual.multiplier, minRuntime = usual.leastRunUs } = file;
  return { ...usual, quantile, multiplier, leastRunUs: minRuntime };
}

/** What is not said of it is as scheduler.conf says, if that has it on. */
function exclusionOf(
  file: NonNullable<SparkFile["scheduler"]["exclusion"]>,
  usual: SparkScheduler["exclusion"],
): SparkScheduler["exclusion"] {
  if (file === false) return null;
  if (file === true) return usual ?? DEFAULT_EXCLUSION;
  const { unschedulable: unschedulableUs, ...limits } = file;
  const said = Object.entries({ ...limits, unschedulableUs }).filter(([, value]) => value !== undefined);
  return { ...(usual ?? DEFAULT_EXCLUSION), ...Object.fromEntries(said) };
}

function poolsOf(file: SparkFile["scheduler"]["pools"], rules: Rules): readonly PoolSpec[] {
  if (file === undefined) return poolsInFairMode(null, rules);
  const pools = file.map((own) => recordOf(pool, own)).map((own, i) => ({ ...own, name: file[i].name }));
  if (pools.some(({ name }) => name === DEFAULT_POOL_NAME)) return pools;
  return [...pools, { name: DEFAULT_POOL_NAME, mode: "FIFO", minShare: 0, weight: 1 }];
}

async function build(scenario: SparkScenario, directory: string): Promise<SparkRun> {
  // Loaded with the first run: the scenarios of other platforms are read without this engine.
  const { applicationOf, inOrder, listedJobs, SparkRun: Run } = await import("../../core/platforms/spark/index.js");
  const { workload: submitted, executors: all, leftOut, allocation, cluster: own, run } = scenario;
  if (submitted.kind === "jobs") {
    const jobs = listedJobs(submitted.jobs, { hosts: own.hosts.length, executors: all }, run.seed);
    return new Run(scenario, applicationOf(scenario, jobs));
  }
  const hosts = new SparkHosts();
  for (const { name, rack } of own.hosts) hosts.add(name, rack);
  const { file } = submitted;
  const jobs = await readStagesCsv(absolute(directory, file), file, {
    hosts,
    executorIds: all.map(({ id }) => id),
    // Under dynamic allocation no executor has a name: of their places the hosts remain.
    leftOut: allocation === undefined ? leftOut : "all",
  });
  // A table that says what comes after what has the numbers of its source: when such jobs come is not known before.
  const isInTurn = jobs.some(({ after }) => after !== undefined);
  return new Run(scenario, applicationOf(scenario, isInTurn ? jobs : inOrder(jobs)));
}
