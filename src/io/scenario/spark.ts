import { dirname, isAbsolute, join, resolve as absolute } from "node:path";
import * as z from "zod";
import { counted, formatTime, MAX_TIME_US } from "../../core/kernel/index.js";
import {
  type ApplicationSpec,
  DEFAULT_EXCLUSION,
  DEFAULT_POOL_NAME,
  hostsForExecutors,
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
  type SparkApplication,
  type SparkJob,
  type SparkRun,
  type SparkScenario,
  type SparkScheduler,
  type SparkVersion,
  versionFor,
} from "../../core/platforms/spark/index.js";
import { type Diagnostic, InputError } from "../input-error.js";
import { readSparkConf, type ReadConf } from "../spark/conf.js";
import { type ReadExecutors, readExecutorsCsv } from "../spark/executors-csv.js";
import { SparkHosts } from "../spark/hosts.js";
import { type ReadPools, readSparkPools } from "../spark/pool-file.js";
import { readStagesCsv } from "../spark/stages-csv.js";
import { duplicate, notListedBefore, type Problem, totalProblems, unknownName, wrong } from "./diagnose.js";
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
import { printable, quote, showPath } from "./show.js";
import type { Plain } from "./yaml-document.js";

// Scenarios of Spark: an application on its executors, or several on one cluster.

const SECTIONS = ["cluster", "executors", "workload", "scheduler", "runtime", "faults", "applications"] as const;

/** What each of several applications may say for itself, in place of the scenario. */
const OWN_SECTIONS = ["executors", "workload", "scheduler", "faults"] as const;

const MOST_APPLICATIONS = 1000;

const host = mapping({
  name: label().describe("As Spark calls it."),
  rack: setting(label(), { usually: "as cluster.racks deals them", says: "The rack it stands in." }),
  speed: setting(quantity(LIMITS.minSpeed, LIMITS.maxSpeed), {
    default: 1,
    says: "Speed relative to other hosts; times of tasks are divided by it.",
  }),
  cores: setting(count(1, LIMITS.cores), { usually: "as cluster.cores says", says: "Cores that executors may take." }),
  executors: setting(flag(), {
    default: true,
    says: "Whether executors come there; false: it only holds data, if no table of executors names it.",
  }),
});

const cluster = mapping({
  racks: setting(count(0, LIMITS.racks), {
    default: 0,
    says: "Racks that hosts are dealt to in turn; 0: the cluster manager knows none, as where Spark runs by itself.",
  }),
  hosts: setting(
    either(
      [count(1, LIMITS.nodes), listOf(host, "hosts {name, rack, speed, cores, executors}")],
      () =>
        `a whole number of hosts from 1 to ${String(LIMITS.nodes)}, or a list of hosts {name, rack, speed, cores, executors}`,
    ),
    { default: 1, says: "Hosts, by number or by name." },
  ),
  cores: setting(count(1, LIMITS.cores), {
    usually: "as many as executors want",
    says: "Cores of each host that executors may take. Who finds none free waits until others give theirs back, in the order of their requests.",
  }),
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
    usually: "as many as hosts have room for, or one for each; min and initial if they say more",
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
  cores: setting(count(1, LIMITS.cores), {
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
  { error: () => WORKLOAD_WORDS },
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
  taskCores: setting(count(1, LIMITS.cores), { usually: "1", says: "`spark.task.cpus`." }),
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

const application = mapping({
  name: label().describe("Name of the application: groups and notes of the run have it."),
  starts: setting(duration(0, MAX_TIME_US), {
    as: "startUs",
    default: 0,
    says: "When it starts. Times of its executors, jobs and faults count from then.",
  }),
  executors: setting(executors, { usually: "none of its own", says: "What it says of its executors." }),
  workload: setting(workload, { usually: "that of the scenario", says: "Its jobs." }),
  scheduler: setting(scheduler, { usually: "none of its own", says: "What it says of its driver." }),
  faults: setting(faults, { usually: "none of its own", says: "What it says of what goes wrong." }),
});

const WORKLOAD_WORDS = "a mapping with a kind: jobs, stages";

const schema = mapping({
  $schema: z.string().optional().describe("For editors; ignored."),
  platform: z.literal("spark").describe("What is simulated."),
  ...BEGINNING,
  cluster: cluster.prefault({}).describe("Hosts, and the racks they stand in."),
  executors: executors.prefault({}).describe("Executors of the application."),
  workload: workload.optional().describe("Jobs with their stages. Needed, but where each application has its own."),
  scheduler: scheduler.prefault({}).describe("How the driver gives tasks to executors."),
  runtime: runtime.prefault({}).describe("What messages take, and what tasks take away from their data."),
  faults: faults.prefault({}).describe("What goes wrong. Default: nothing does."),
  applications: setting(listOf(application, "applications {name, starts, executors, workload, scheduler, faults}"), {
    usually: "one, of the sections above",
    says: "Several applications on the cluster, each with executors of its own. What one does not say of a section, the section above says.",
  }),
  ...endOf(SECTIONS),
});

type ScenarioFile = z.output<typeof schema>;

/** What a scenario says of one application. */
type SparkFile = ScenarioFile & { readonly workload: NonNullable<ScenarioFile["workload"]> };

/** An application of a scenario file; of one that lists none, the only one. */
interface PartFile<File> {
  readonly name: string;
  readonly startUs: number;
  readonly file: File;
  /** Where in the file a section is that holds for it. */
  readonly pathOf: (path: readonly PropertyKey[]) => PropertyKey[];
}

/** What holds for each application: its own sections, key by key, before those of the scenario. */
function partsOf<File extends Partial<ScenarioFile>>(file: File): PartFile<File>[] {
  const { applications } = file;
  if (applications === undefined) return [{ name: "", startUs: 0, file, pathOf: (path) => [...path] }];
  return applications.map((own, i) => ({
    ...{ name: own.name, startUs: recordOf(application, own).startUs },
    file: {
      ...file,
      ...(file.executors === undefined ? {} : { executors: { ...file.executors, ...own.executors } }),
      ...(file.scheduler === undefined ? {} : { scheduler: { ...file.scheduler, ...own.scheduler } }),
      ...(file.faults === undefined ? {} : { faults: { ...file.faults, ...own.faults } }),
      workload: own.workload ?? file.workload,
    },
    pathOf: (path) => {
      const [section, key] = path;
      const said = OWN_SECTIONS.find((of) => of === section);
      const value = said === undefined ? undefined : own[said];
      const isOwn = value !== undefined && (section === "workload" || key === undefined || Object.hasOwn(value, key));
      return isOwn ? ["applications", i, ...path] : [...path];
    },
  }));
}

/** Problems of each application, each once where it is of what they share. */
function eachPart<File extends Partial<ScenarioFile>>(
  file: File,
  problemsOf: (part: File, number: number) => readonly Problem[],
): Problem[] {
  const found = partsOf(file).flatMap((part, number) =>
    problemsOf(part.file, number).map((one) => {
      const path = part.pathOf(one.path);
      const message = one.message.replace(` for ${showPath(one.path)},`, () => ` for ${showPath(path)},`);
      return { ...one, path, message };
    }),
  );
  const seen = new Set<string>();
  return found.filter(({ path, message }) => {
    const key = JSON.stringify([path, message]);
    return !seen.has(key) && seen.add(key);
  });
}

/** Names that are taken, and an application that has nothing to do. */
function applicationProblems(file: Partial<ScenarioFile>): Problem[] {
  const names = (file.applications ?? []).map(({ name }) => name);
  return [
    ...names.flatMap((name, i) =>
      names.indexOf(name) < i ? [duplicate(["applications", i, "name"], "application", name)] : [],
    ),
    ...(names.length > MOST_APPLICATIONS
      ? [wrong(["applications"], counted(names.length, "application"), `at most ${String(MOST_APPLICATIONS)}`)]
      : []),
  ];
}

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
  problems: (file, { parts }) => [
    ...applicationProblems(file),
    ...(file.cluster === undefined ? [] : hostProblems(file.cluster)),
    ...eachPart(file, ({ executors: own, workload: submitted, scheduler: driver }, number) => [
      ...(!parts[number]?.hasWorkload ? [wrong(["workload"], "nothing", WORKLOAD_WORDS)] : []),
      ...(submitted?.kind === "jobs" ? [...jobProblems(submitted.jobs), ...sizeProblems(submitted.jobs)] : []),
      ...(own === undefined ? [] : tableProblems(own)),
      ...(own === undefined || driver === undefined ? [] : coreProblems(own, driver, parts[number]?.conf ?? null)),
      ...(driver?.pools === undefined ? [] : poolProblems(driver.pools)),
    ]),
  ],
  resolve,
  wholeProblems: (file, scenario) =>
    eachPart(file as SparkFile, (part, number) => {
      const own = { cluster: scenario.cluster, ...(scenario.applications?.[number] ?? scenario) };
      return [
        ...allocationProblems(part, own),
        ...inputProblems(part, own),
        ...faultProblems(part, own),
        ...roomProblems(own),
      ];
    }),
  words: {
    scheduler: (scenario) =>
      ofApplications(scenario, ({ scheduler: own }) => `spark ${own.version}, ${own.mode} (wait ${waitWords(own)})`),
    waits: (scenario) => ofApplications(scenario, ({ scheduler: own }) => waitWords(own)),
    cluster: (scenario) => {
      const { hosts } = scenario.cluster;
      const rooms = new Set(hosts.map(({ cores }) => cores));
      const [room] = rooms;
      const ofHosts = rooms.size > 1 || room === undefined ? "" : ` of ${counted(room, "core")}`;
      const { applications } = scenario;
      const several = applications === undefined ? "" : `${counted(applications.length, "application")}, `;
      return `${counted(hosts.length, "host")}${ofHosts}, ${several}${ofApplications(scenario, executorWords, "each ")}`;
    },
    workload: (scenario) =>
      ofApplications(
        scenario,
        ({ workload: own }) => (own.kind === "jobs" ? listedJobsWords(own.jobs) : `${own.kind} of ${own.file}`),
        "each ",
      ),
  },
  nodes: ({ cluster: { hosts } }) => hosts,
  mayKill: () => false,
  build,
});

/** What holds for all applications, or of each what holds for it. @param each said before what is the same for all. */
function ofApplications(
  { applications, ...scenario }: SparkScenario,
  words: (of: ApplicationSpec) => string,
  each = "",
): string {
  if (applications === undefined) return words(scenario);
  const all = applications.map((own) => ({ name: own.name, text: words(own) }));
  if (all.every(({ text: own }) => own === all[0].text)) return each + all[0].text;
  const shown = all.slice(0, MOST_TOLD).map(({ name, text: own }) => `${printable(name)}: ${own}`);
  return [...shown, ...(all.length > MOST_TOLD ? [`and ${String(all.length - MOST_TOLD)} more`] : [])].join("; ");
}

/** Applications of which a line tells one by one. */
const MOST_TOLD = 4;

function executorWords({ executors: all, allocation, scheduler: { executorCores } }: ApplicationSpec): string {
  if (allocation !== undefined) {
    const range = `${String(allocation.min)} to ${counted(allocation.max, "executor")}`;
    return `${range} as needed, of ${counted(executorCores, "core")}`;
  }
  const cores = mostAtOnce(all, ({ cores: own }) => own);
  const together = mostAtOnce(all, () => 1);
  const some = `${counted(together, "executor")}, ${counted(cores, "core")}`;
  return together === all.length
    ? some
    : `${some} at most at once, of ${counted(all.length, "executor")} that come and go`;
}

function waitWords({ waitProcessUs, waitNodeUs, waitRackUs }: SparkScheduler): string {
  const [process, node, rack] = [waitProcessUs, waitNodeUs, waitRackUs].map(formatTime);
  return process === node && node === rack ? process : `process ${process}, node ${node}, rack ${rack}`;
}

const FILES = [
  ["workload", "file"],
  ["executors", "file"],
  ["scheduler", "conf"],
  ["scheduler", "poolsFile"],
] as const;

function filePlaces(tree: Plain): FilePlace[] {
  const places = (of: Plain, before: readonly string[]): FilePlace[] =>
    FILES.flatMap(([section, key]) => {
      const holder = mappingOf(mappingOf(of)[section]);
      const file = holder[key];
      return typeof file === "string" && file !== "" ? [{ path: [...before, section, key], holder, key, file }] : [];
    });
  return [...places(tree, []), ...applicationsOf(tree).flatMap((own, i) => places(own, ["applications", String(i)]))];
}

/** What a tree that is not checked yet says of applications. */
function applicationsOf(tree: Plain): readonly Plain[] {
  const { applications } = mappingOf(tree);
  return Array.isArray(applications) ? applications.slice(0, MOST_APPLICATIONS) : [];
}

/** The same of one application: its own sections before those of the scenario. */
function partTree(tree: Plain, own: Plain): { [key: string]: Plain } {
  const [shared, said] = [mappingOf(tree), mappingOf(own)];
  const section = (name: string): Plain => ({ ...mappingOf(shared[name]), ...mappingOf(said[name]) });
  return {
    ...shared,
    executors: section("executors"),
    scheduler: section("scheduler"),
    workload: said.workload ?? shared.workload,
  };
}

function mappingOf(value: Plain | undefined): { [key: string]: Plain } {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** The files that a scenario names, but for those of its workloads, which are read for each run. */
interface Imports {
  /** By application. */
  readonly parts: readonly PartImports[];
  /** Of the scenario, and those that tables of executors add. */
  readonly hosts: SparkHosts;
  readonly problems: readonly Diagnostic[];
}

interface PartImports {
  readonly executors: ReadExecutors | null;
  readonly conf: ReadConf | null;
  readonly pools: ReadPools | null;
  /** Something is said of its jobs, well or not. */
  readonly hasWorkload: boolean;
}

function readImports(tree: Plain, scenarioFile: string): Imports {
  const problems: Diagnostic[] = [];
  const hosts = new SparkHosts();
  // Hosts have the numbers of the scenario where it names them.
  const said = cluster.safeParse(mappingOf(tree).cluster ?? {});
  if (said.success) for (const { name, rack } of hostsOf(said.data)) hosts.add(name, rack);
  const readOf = (part: Plain): PartImports => {
    const read = <T>([section, key]: (typeof FILES)[number], of: (path: string, shown: string) => T): T | null => {
      const file = mappingOf(mappingOf(part)[section])[key];
      // The schema refuses others.
      if (typeof file !== "string" || file === "" || file.length > LIMITS.pathLength) return null;
      const shown = printable(isAbsolute(file) ? file : join(dirname(scenarioFile), file));
      try {
        return of(absolute(dirname(scenarioFile), file), shown);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        problems.push(...error.diagnostics);
        return null;
      }
    };
    const { version } = mappingOf(mappingOf(part).scheduler);
    const rules = SPARK_RULES[VERSIONS.find((known) => known === version || Number(known) === version) ?? "3.5"];
    return {
      executors: read(["executors", "file"], (path, shown) => readExecutorsCsv(path, shown, hosts)),
      conf: read(["scheduler", "conf"], (path, shown) => readSparkConf(path, shown, rules)),
      pools: read(["scheduler", "poolsFile"], readSparkPools),
      hasWorkload: mappingOf(part).workload !== undefined,
    };
  };
  const all = applicationsOf(tree);
  const parts = (all.length === 0 ? [tree] : all.map((own) => partTree(tree, own))).map(readOf);
  // A file that several applications name is read for each of them.
  const found = new Set<string>();
  const isNew = (one: Diagnostic): boolean => {
    const key = JSON.stringify(one);
    return !found.has(key) && found.add(key) !== undefined;
  };
  return { parts, hosts, problems: problems.filter(isNew) };
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

function hostProblems(file: SparkFile["cluster"]): Problem[] {
  const names = namesOf(file);
  const known = new Set(names);
  if (hostsForExecutors(hostsOf(file)).length === 0) {
    return [wrong(["cluster", "hosts"], "no host for executors", "one or more without executors: false")];
  }
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
    ...(until !== undefined && until <= (from ?? 0)
      ? [wrong(["executors", "until"], formatTime(until), `later than executors.from, ${formatTime(from ?? 0)}`)]
      : []),
  ];
}

function coreProblems(
  { file, cores }: SparkFile["executors"],
  { taskCores = 1 }: SparkFile["scheduler"],
  conf: ReadConf | null,
): Problem[] {
  const most = cores ?? (file === undefined ? (conf?.configuration.settings.executorCores ?? 1) : LIMITS.cores);
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

function hostNotes({ hosts: said, racks }: SparkFile["cluster"], all: readonly HostSpec[]): string[] {
  const listed = typeof said === "object" ? said : [];
  const named = typeof said === "number" ? said : listed.length;
  const notes: string[] = [];
  if (racks !== undefined && racks > 0 && listed.length > 0 && listed.every(({ rack }) => rack !== undefined)) {
    notes.push("cluster.racks has no effect where every host names its rack");
  }
  if (said !== undefined && all.length > named) {
    const others = counted(all.length - named, "host");
    notes.push(
      `tables of executors name ${others} beside cluster.hosts: ${all.length - named === 1 ? "it is" : "they are"} there too`,
    );
  }
  return notes;
}

function resolve(file: ScenarioFile, defaultName: string, imports: Imports, notes: string[]): SparkScenario {
  const hosts = imports.parts.some(({ executors: table }) => table !== null)
    ? withOthers(file.cluster, imports.hosts)
    : hostsOf(file.cluster);
  notes.push(...hostNotes(file.cluster, hosts));
  const parts = (partsOf(file) as PartFile<SparkFile>[]).map(({ name, startUs, file: own }, i) => {
    const ofPart: string[] = [];
    const spec = specOf(own, hosts, imports.parts[i], ofPart);
    notes.push(...ofPart.map((note) => (name === "" ? note : `application ${printable(name)}: ${note}`)));
    return { name, startUs, ...spec };
  });
  const { name: _, startUs: __, ...first } = parts[0];
  const usual = imports.parts[0].conf?.configuration ?? { reviveUs: 1_000_000, speculationUs: 100_000 };
  const { stageStartUs, launchUs, reportUs, rackFactor, anyFactor, ...said } = recordOf(runtime, file.runtime);
  const { reviveUs = usual.reviveUs, speculationUs = usual.speculationUs } = said;
  if (file.applications?.every(({ workload: own }) => own !== undefined) === true && file.workload !== undefined) {
    notes.push("workload has no effect where each application has its own");
  }
  return {
    platform: "spark",
    name: file.name ?? defaultName,
    why: file.why.trim(),
    cluster: { hosts },
    ...first,
    runtime: { stageStartUs, launchUs, reportUs, rackFactor, anyFactor, reviveUs, speculationUs },
    ...(file.applications === undefined ? {} : { applications: parts }),
    run: resolveRun(file.run),
  };
}

/** Where pools are declared: those that no job names, and those of jobs that are not among them. */
function poolNotes(
  declared: SparkScheduler["pools"],
  jobs: readonly { readonly pool?: string | undefined }[],
): string[] {
  const names = declared.map(({ name }) => name).filter((name) => name !== DEFAULT_POOL_NAME);
  if (names.length === 0) return [];
  const asked = new Set(jobs.map(({ pool: of = DEFAULT_POOL_NAME }) => of));
  const idle = names
    .filter((name) => !asked.has(name))
    .map((name) => `no job is in pool ${quote(name)}, which is declared`);
  const strays = [...asked].filter((name) => name !== DEFAULT_POOL_NAME && !names.includes(name));
  return [
    ...idle,
    ...strays.map(
      (name) => `pool ${quote(name)} of jobs is not declared: it has weight 1 and no min share, as in Spark`,
    ),
  ];
}

/** What the file and what it names say of one application. */
function specOf(file: SparkFile, hosts: readonly HostSpec[], imports: PartImports, notes: string[]): ApplicationSpec {
  const { scheduler: given } = file;
  const cores = file.executors.cores ?? imports.conf?.configuration.settings.executorCores ?? 1;
  const allocation = allocationOf(file.executors, cores, hosts, imports.conf, notes);
  const { executors: own, leftOut } =
    allocation === null ? executorsOf(file.executors, cores, hosts, imports, notes) : { executors: [], leftOut: [] };
  const most = allocation === null ? own.reduce((top, one) => Math.max(top, one.cores), 1) : cores;
  const driver = schedulerOf(given, most, imports);
  if (driver.mode !== "FAIR" && (given.pools !== undefined || given.poolsFile !== undefined)) {
    const key = given.pools === undefined ? "scheduler.poolsFile" : "scheduler.pools";
    notes.push(`${key} has no effect where scheduler.mode is FIFO`);
  }
  if (driver.mode === "FAIR" && file.workload.kind === "jobs")
    notes.push(...poolNotes(driver.pools, file.workload.jobs));
  if (given.pools !== undefined && imports.pools !== null) {
    notes.push("scheduler.pools has no effect beside scheduler.poolsFile");
  }
  notes.push(...(imports.conf?.notes ?? []), ...(imports.pools?.notes ?? []));
  return {
    executors: own,
    leftOut,
    ...(allocation === null ? {} : { allocation }),
    ...faultsOf(file.faults, hosts, own),
    workload:
      file.workload.kind === "jobs"
        ? { kind: "jobs", jobs: file.workload.jobs.map(listedJob) }
        : { kind: "stages", file: file.workload.file },
    scheduler: driver,
  };
}

function hostsOf(file: SparkFile["cluster"]): HostSpec[] {
  const { racks, hosts = 1, speeds = {} } = file;
  const speedOf = new Map(Object.entries(speeds));
  return namesOf(file).map((name, i) => {
    const said = typeof hosts === "number" ? undefined : hosts[i];
    const dealt = racks === undefined || racks === 0 ? "" : `rack-${String((i % racks) + 1)}`;
    const room = said?.cores ?? file.cores;
    return {
      ...{ name, rack: said?.rack ?? dealt, speed: speedOf.get(name) ?? said?.speed ?? 1 },
      ...(room === undefined ? {} : { cores: room }),
      ...(said?.executors === false ? { executors: false } : {}),
    };
  });
}

/** With the hosts that tables of executors add. */
function withOthers(file: SparkFile["cluster"], all: SparkHosts): HostSpec[] {
  const said = hostsOf(file);
  const room = file.cores === undefined ? {} : { cores: file.cores };
  return all.names.map((name, host) => said.at(host) ?? { name, rack: all.rackOf(host), speed: 1, ...room });
}

/** What is not said is not there. */
function faultsOf(
  file: SparkFile["faults"],
  hosts: readonly HostSpec[],
  own: readonly NamedExecutor[],
): Pick<ApplicationSpec, "failures" | "losses"> {
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

/** An application on the hosts of its scenario. */
type OnCluster = ApplicationSpec & Pick<SparkScenario, "cluster">;

/** Executors that no host of theirs ever has room for. */
function roomProblems({ cluster: { hosts }, executors: all, allocation, scheduler: driver }: OnCluster): Problem[] {
  const roomOf = (host: number): number => hosts[host].cores ?? Infinity;
  if (allocation !== undefined) {
    const most = hosts.reduce((top, _, host) => Math.max(top, roomOf(host)), 0);
    const { executorCores } = driver;
    return executorCores <= most
      ? []
      : [wrong(["executors", "cores"], String(executorCores), `at most the ${String(most)} of the largest host`)];
  }
  const tooLarge = all.find(({ host, cores }) => cores > roomOf(host));
  if (tooLarge === undefined) return [];
  const { host, cores } = tooLarge;
  const room = `at most the ${String(roomOf(host))} of host ${quote(hosts[host].name)}`;
  return [wrong(["executors", "cores"], String(cores), room)];
}

/** Hosts and executors that are none. */
function faultProblems(
  { faults: { hostFailure = {}, executors: said } }: SparkFile,
  { cluster: { hosts }, executors: all, allocation }: OnCluster,
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
function inputProblems(file: SparkFile, { cluster: { hosts }, executors: all, allocation }: OnCluster): Problem[] {
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
  cores: number,
  hosts: readonly HostSpec[],
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
  // As many as the cluster has room for; where hosts take any number of them, one for each.
  const room = hostsForExecutors(hosts)
    .map((host) => hosts[host].cores)
    .reduce<number>((sum, own) => sum + (own === undefined ? 1 : Math.floor(own / cores)), 0);
  const max = own.max ?? usual.max ?? Math.max(room, min, initial);
  if (max > room && hosts.some(({ cores: ofHost }) => ofHost === undefined)) {
    notes.push(
      `up to ${counted(max, "executor")} may come, and hosts whose cores are not told take any number of them: cluster.cores says how many there is room for`,
    );
  }
  return {
    ...{ min, initial, max, backlogUs },
    sustainedUs: own.sustained ?? usual.sustainedUs ?? backlogUs,
    idleUs: own.idle ?? usual.idleUs ?? 60_000_000,
    startUs: recordOf(dynamic, own).startUs,
  };
}

/** Fewer at first than at least, or more than at most. */
function allocationProblems({ executors: { dynamic: said } }: SparkFile, { allocation }: OnCluster): Problem[] {
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
  hosts: readonly HostSpec[],
  { executors: table }: Pick<PartImports, "executors">,
  notes: string[],
): Pick<SparkScenario, "executors" | "leftOut"> {
  if (file !== undefined && table !== null) {
    const all = table.executors.map((own, i) => ({ id: table.ids[i], ...own, cores: said ?? own.cores }));
    if (most === undefined) return { executors: all, leftOut: [] };
    const ever = mostAtOnce(all, () => 1);
    if (most >= ever)
      notes.push(`executors.count has no effect: of the table at most ${String(ever)} are there at once`);
    return atMost(most, all);
  }
  const places = hostsForExecutors(hosts);
  const listed = Array.from({ length: most ?? places.length }, (_, i) => ({
    ...{ id: String(i + 1), host: places[i % places.length], cores, fromUs: from, untilUs: until },
  }));
  return { executors: listed, leftOut: [] };
}

/** Of executors that come and go, the most of something at one time. */
function mostAtOnce(all: readonly NamedExecutor[], of: (executor: NamedExecutor) => number): number {
  const changes = all.flatMap((one) => [
    { atUs: one.fromUs, by: of(one) },
    { atUs: one.untilUs, by: -of(one) },
  ]);
  // Of one instant, those that go make room for those that come.
  changes.sort((a, b) => (a.atUs === b.atUs ? a.by - b.by : a.atUs - b.atUs));
  let [now, most] = [0, 0];
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
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
  { conf, pools: poolFile }: Pick<PartImports, "conf" | "pools">,
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
  const { applicationOf, SparkRun: Run } = await import("../../core/platforms/spark/index.js");
  const { applications = [{ ...scenario, name: "", startUs: 0 }], run } = scenario;
  const parts: { readonly name: string; readonly application: SparkApplication }[] = [];
  for (const { name, startUs, ...spec } of applications) {
    // Equal lists of two applications are not equal draws.
    const seed = name === "" ? run.seed : `${run.seed}/${name}`;
    const jobs = await jobsOf(scenario, spec, directory, seed);
    parts.push({ name, application: applicationOf(scenario, spec, jobs, startUs) });
  }
  return new Run(scenario, parts);
}

async function jobsOf(
  { cluster: { hosts: all } }: SparkScenario,
  { workload: submitted, executors: own, leftOut, allocation }: ApplicationSpec,
  directory: string,
  seed: string,
): Promise<readonly SparkJob[]> {
  const { inOrder, listedJobs } = await import("../../core/platforms/spark/index.js");
  if (submitted.kind === "jobs") return listedJobs(submitted.jobs, { hosts: all.length, executors: own }, seed);
  const hosts = new SparkHosts();
  for (const { name, rack } of all) hosts.add(name, rack);
  const { file } = submitted;
  const jobs = await readStagesCsv(absolute(directory, file), file, {
    hosts,
    executorIds: own.map(({ id }) => id),
    // Under dynamic allocation no executor has a name: of their places the hosts remain.
    leftOut: allocation === undefined ? leftOut : "all",
  });
  // A table that says what comes after what has the numbers of its source: when such jobs come is not known before.
  return jobs.some(({ after }) => after !== undefined) ? jobs : inOrder(jobs);
}
