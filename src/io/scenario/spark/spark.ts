import { resolve as absolute } from "node:path";
import * as z from "zod";
import { counted, MAX_TIME_US, maxOver, definedFields, namesOf } from "../../../core/kernel/index.js";
import {
  type ApplicationSpec,
  type HostSpec,
  INTERVAL_ROWS,
  SPARK_RULES,
  SPARK_WAITS,
  SPARK_WORDS,
  type SparkApplication,
  type SparkJob,
  type SparkRun,
  type SparkScenario,
  TIMING_ROWS,
} from "../../../core/platforms/spark/index.js";
import { defaultsOf } from "../../../core/scenario/index.js";
import type { Diagnostic } from "../../input-error.js";
import { type ReadConf, readSparkConf } from "../../spark/conf.js";
import { type ReadExecutors, readExecutorsCsv } from "../../spark/executors-csv.js";
import { SparkHosts } from "../../spark/hosts.js";
import { type ReadPools, readSparkPools } from "../../spark/pool-file.js";
import { SPARK_FORMS } from "../../spark/setting-forms.js";
import { readStagesCsv } from "../../spark/stages-csv.js";
import { duplicates, type Problem, wrong } from "../diagnose.js";
import { filePlace, mappingOf, readNamed } from "../named-files.js";
import { BEGINNING, endOf, type FilePlace, listedJobsWords, type Platform, platformOf } from "../platform.js";
import { resolveRun } from "../run.js";
import { optional, recordOf, setting, shapeOf } from "../setting.js";
import { printable, showPath } from "../show.js";
import { factor, factorProblems, factorsOf, factorValue } from "../factors.js";
import { duration, flag, label, listOf, mapping, quantity } from "../values.js";
import type { Plain } from "../yaml-document.js";
import {
  allocationOf,
  allocationProblems,
  executors,
  executorsOf,
  mostAtOnce,
  roomProblems,
  tableProblems,
} from "./executors.js";
import { faultProblems, faults, faultsOf } from "./faults.js";
import { cluster, hostNotes, hostProblems, hostsOf, withOthers } from "./hosts.js";
import { inputProblems, jobProblems, listedJob, sizeProblems, workload, WORKLOAD_WORDS } from "./jobs.js";
import { coreProblems, poolNotes, scheduler, schedulerOf, VERSIONS, waitWords } from "./scheduler.js";

// Scenarios of Spark: an application on its executors, or several on one cluster.

const SECTIONS = ["cluster", "executors", "workload", "scheduler", "runtime", "faults", "applications"] as const;

/** Sections that each of several applications may have in place of the scenario's. */
const OWN_SECTIONS = ["executors", "workload", "scheduler", "faults"] as const;

const MOST_APPLICATIONS = 1000;

const FACTORS = ["rackFactor", "anyFactor", "cachedNodeFactor", "cachedAnyFactor", "shuffleAnyFactor"] as const;

const runtime = mapping({
  ...shapeOf(TIMING_ROWS, SPARK_FORMS),
  ...shapeOf(INTERVAL_ROWS, SPARK_FORMS),
  rackFactor: factor(1, "Input: how many times as long a task takes in the rack of its data."),
  anyFactor: factor(1, "Input: the same farther away."),
  cachedNodeFactor: factor(undefined, "Cached partitions: the same in another executor of the host."),
  cachedAnyFactor: factor(undefined, "Cached partitions: the same on another host."),
  shuffleAnyFactor: factor(undefined, "Shuffles: the same away from the hosts that have much of the output."),
  draw: optional(
    flag(),
    "The seed draws what an import does not know exactly: factors with a range, the driver's times, further replicas of input, and hosts that reduce tasks prefer. false: estimates hold.",
    "false",
  ),
  firstFactor: optional(
    factorValue,
    "How many times as long the first tasks of an executor take as later ones; as many as it has cores.",
    "1",
  ),
  secondFactor: optional(factorValue, "The same of as many tasks after those.", "1"),
  spread: optional(
    quantity(0, 10),
    "Of logarithms of times of tasks in a stage, the standard deviation that nothing in the log explains: what runtime.rerun draws anew.",
    "0",
  ),
  rerun: optional(
    flag(),
    "With runtime.draw, for an import: another run of its work, in which what was chance in the times of tasks is drawn anew.",
    "false",
  ),
});

const application = mapping({
  name: label().describe("Name of the application: groups and notes of the run have it."),
  starts: setting(
    duration(0, MAX_TIME_US),
    "When it starts. Times of its executors, jobs and faults count from then.",
    0,
  ),
  executors: optional(executors, "What it says of its executors.", "none of its own"),
  workload: optional(workload, "Its jobs.", "that of the scenario"),
  scheduler: optional(scheduler, "What it says of its driver.", "none of its own"),
  faults: optional(faults, "What it says of what goes wrong.", "none of its own"),
});

const schema = mapping({
  $schema: optional(z.string(), "For editors; ignored."),
  platform: z.literal("spark").describe("What is simulated."),
  ...BEGINNING,
  cluster: cluster.prefault({}).describe("Hosts, and the racks they stand in."),
  executors: executors.prefault({}).describe("Executors of the application."),
  workload: optional(workload, "Jobs with their stages. Needed, but where each application has its own."),
  scheduler: scheduler.prefault({}).describe("How the driver gives tasks to executors."),
  runtime: runtime.prefault({}).describe("What messages take, and what tasks take away from their data."),
  faults: faults.prefault({}).describe("What goes wrong. Default: nothing does."),
  applications: optional(
    listOf(application, "applications {name, starts, executors, workload, scheduler, faults}"),
    "Several applications on the cluster, each with executors of its own. What one does not say of a section, the section above says.",
    "one, of the sections above",
  ),
  ...endOf(SECTIONS),
});

type ScenarioFile = z.output<typeof schema>;

/** The settings of one application in a scenario. */
type SparkFile = ScenarioFile & { readonly workload: NonNullable<ScenarioFile["workload"]> };

/** An application of a scenario file; of one that lists none, the only one. */
interface PartFile<File> {
  readonly name: string;
  readonly startUs: number;
  readonly file: File;
  /** The path in the file of a section that applies to it. */
  readonly pathOf: (path: readonly PropertyKey[]) => PropertyKey[];
}

/** The settings of each application: its own sections, key by key, before those of the scenario. */
function partsOf<File extends Partial<ScenarioFile>>(file: File): PartFile<File>[] {
  const { applications } = file;
  if (applications === undefined) return [{ name: "", startUs: 0, file, pathOf: (path) => [...path] }];
  return applications.map((entry, i) => ({
    name: entry.name,
    startUs: entry.starts ?? 0,
    file: {
      ...file,
      ...(file.executors === undefined ? {} : { executors: { ...file.executors, ...entry.executors } }),
      ...(file.scheduler === undefined ? {} : { scheduler: { ...file.scheduler, ...entry.scheduler } }),
      ...(file.faults === undefined ? {} : { faults: { ...file.faults, ...entry.faults } }),
      workload: entry.workload ?? file.workload,
    },
    pathOf: (path) => {
      const [section, key] = path;
      const said = OWN_SECTIONS.find((ownSection) => ownSection === section);
      const value = said === undefined ? undefined : entry[said];
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
  const partProblems = partsOf(file).flatMap((part, number) =>
    problemsOf(part.file, number).map((problem) => {
      const path = part.pathOf(problem.path);
      const message = problem.message.replace(` for ${showPath(problem.path)},`, () => ` for ${showPath(path)},`);
      return { ...problem, path, message };
    }),
  );
  return withoutRepeats(partProblems);
}

/** Things that are alike, once. */
function withoutRepeats<T>(things: readonly T[]): T[] {
  return [...new Map(things.map((thing) => [JSON.stringify(thing), thing])).values()];
}

/** Names that are taken, and an application that has nothing to do. */
function applicationProblems(file: Partial<ScenarioFile>): Problem[] {
  const names = namesOf(file.applications ?? []);
  return [
    ...duplicates(names, "application", ["applications"]),
    ...(names.length > MOST_APPLICATIONS
      ? [wrong(["applications"], counted(names.length, "application"), `at most ${MOST_APPLICATIONS}`)]
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
    [/^runtime\.(rack|any|cachedNode|cachedAny|shuffleAny)Factor$/, "estimate"],
  ],
  schemaWith: () => schema,
  filePlaces,
  readImports,
  problems: (file, { parts }) => [
    ...applicationProblems(file),
    ...(file.cluster === undefined ? [] : hostProblems(file.cluster)),
    ...factorProblems(FACTORS, file.runtime),
    ...eachPart(file, ({ executors: executorsFile, workload: submitted, scheduler: driver }, number) => [
      ...(!parts[number]?.hasWorkload ? [wrong(["workload"], "nothing", WORKLOAD_WORDS)] : []),
      ...(submitted?.kind === "jobs" ? [...jobProblems(submitted.jobs), ...sizeProblems(submitted.jobs)] : []),
      ...(executorsFile === undefined ? [] : tableProblems(executorsFile)),
      ...(executorsFile === undefined || driver === undefined
        ? []
        : coreProblems(executorsFile, driver, parts[number]?.conf ?? null)),
      ...duplicates(driver?.pools?.map(({ name }) => name) ?? [], "pool", ["scheduler", "pools"]),
    ]),
  ],
  resolve,
  wholeProblems: (file, scenario) =>
    eachPart(file as SparkFile, (part, number) => {
      const onCluster = { cluster: scenario.cluster, ...(scenario.applications?.[number] ?? scenario) };
      return [
        ...allocationProblems(part.executors, onCluster),
        ...inputProblems(part.workload, onCluster),
        ...faultProblems(part.faults, onCluster),
        ...roomProblems(onCluster),
      ];
    }),
  words: {
    scheduler: (scenario) =>
      ofApplications(
        scenario,
        ({ scheduler: driver }) => `spark ${driver.version}, ${driver.mode} (wait ${waitWords(driver)})`,
      ),
    waits: (scenario) => ofApplications(scenario, ({ scheduler: driver }) => waitWords(driver)),
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
        ({ workload }) =>
          workload.kind === "jobs" ? listedJobsWords(workload.jobs) : `${workload.kind} of ${workload.file}`,
        "each ",
      ),
  },
  nodes: ({ cluster: { hosts } }) => hosts,
  mayKill: () => false,
  knowsLogs: true,
  build,
});

/**
 * Describes all applications at once, or each where they differ. @param prefix before a text that is the same for all.
 */
function ofApplications(
  { applications, ...scenario }: SparkScenario,
  words: (application: ApplicationSpec) => string,
  prefix = "",
): string {
  if (applications === undefined) return words(scenario);
  const texts = applications.map((application) => ({ name: application.name, text: words(application) }));
  if (texts.every(({ text }) => text === texts[0].text)) return prefix + texts[0].text;
  const shown = texts.slice(0, MOST_REPORTED).map(({ name, text }) => `${printable(name)}: ${text}`);
  return [...shown, ...(texts.length > MOST_REPORTED ? [`and ${texts.length - MOST_REPORTED} more`] : [])].join("; ");
}

/** Applications of which a line tells one by one. */
const MOST_REPORTED = 4;

function executorWords({ executors: allExecutors, allocation, scheduler: { executorCores } }: ApplicationSpec): string {
  if (allocation !== undefined) {
    const range = `${allocation.min} to ${counted(allocation.max, "executor")}`;
    return `${range} as needed, of ${counted(executorCores, "core")}`;
  }
  const cores = mostAtOnce(allExecutors, ({ cores: coreCount }) => coreCount);
  const together = mostAtOnce(allExecutors, () => 1);
  const atOnce = `${counted(together, "executor")}, ${counted(cores, "core")}`;
  return together === allExecutors.length
    ? atOnce
    : `${atOnce} at most at once, of ${counted(allExecutors.length, "executor")} that come and go`;
}

const FILES = [
  ["workload", "file"],
  ["executors", "file"],
  ["scheduler", "conf"],
  ["scheduler", "poolsFile"],
] as const;

function filePlaces(tree: Plain): FilePlace[] {
  const places = (subtree: Plain, before: readonly string[]) =>
    FILES.flatMap(([section, key]) => filePlace(mappingOf(subtree)[section], [...before, section, key]));
  return [
    ...places(tree, []),
    ...applicationsOf(tree).flatMap((application, i) => places(application, ["applications", String(i)])),
  ];
}

/** The applications of an unchecked tree. */
function applicationsOf(tree: Plain): readonly Plain[] {
  const { applications } = mappingOf(tree);
  return Array.isArray(applications) ? applications.slice(0, MOST_APPLICATIONS) : [];
}

/** The same of one application: its own sections before those of the scenario. */
function partTree(tree: Plain, application: Plain): { [key: string]: Plain } {
  const [shared, said] = [mappingOf(tree), mappingOf(application)];
  const section = (name: string): Plain => ({ ...mappingOf(shared[name]), ...mappingOf(said[name]) });
  return {
    ...shared,
    executors: section("executors"),
    scheduler: section("scheduler"),
    workload: said.workload ?? shared.workload,
  };
}

/** Contents of the files that a scenario names. Files of workloads are not among them: each run reads those itself. */
interface Imports {
  /** By application. */
  readonly parts: readonly PartImports[];
  /** Hosts of the scenario, and those that tables of executors add. */
  readonly hosts: SparkHosts;
  readonly problems: readonly Diagnostic[];
}

interface PartImports {
  readonly executors: ReadExecutors | null;
  readonly conf: ReadConf | null;
  readonly pools: ReadPools | null;
  /** The application has a `workload`, valid or not. */
  readonly hasWorkload: boolean;
}

function readImports(tree: Plain, scenarioFile: string): Imports {
  const problems: Diagnostic[] = [];
  const hosts = new SparkHosts();
  // Hosts have the numbers of the scenario where it names them.
  const said = cluster.safeParse(mappingOf(tree).cluster ?? {});
  if (said.success) for (const { name, rack } of hostsOf(said.data)) hosts.add(name, rack);
  const readOf = (part: Plain): PartImports => {
    const read = <T>([section, key]: (typeof FILES)[number], parse: (path: string, shown: string) => T): T | null =>
      readNamed(mappingOf(mappingOf(part)[section])[key], scenarioFile, problems, parse);
    const { version } = mappingOf(mappingOf(part).scheduler);
    const rules = SPARK_RULES[VERSIONS.find((known) => known === version || Number(known) === version) ?? "3.5"];
    return {
      executors: read(["executors", "file"], (path, shown) => readExecutorsCsv(path, shown, hosts)),
      conf: read(["scheduler", "conf"], (path, shown) => readSparkConf(path, shown, rules)),
      pools: read(["scheduler", "poolsFile"], readSparkPools),
      hasWorkload: mappingOf(part).workload !== undefined,
    };
  };
  const applications = applicationsOf(tree);
  const parts = (
    applications.length === 0 ? [tree] : applications.map((application) => partTree(tree, application))
  ).map(readOf);
  // A file that several applications name is read for each of them.
  return { parts, hosts, problems: withoutRepeats(problems) };
}

function resolve(file: ScenarioFile, defaultName: string, imports: Imports, notes: string[]): SparkScenario {
  const hosts = imports.parts.some(({ executors: table }) => table !== null)
    ? withOthers(file.cluster, imports.hosts)
    : hostsOf(file.cluster);
  notes.push(...hostNotes(file.cluster, hosts));
  const parts = (partsOf(file) as PartFile<SparkFile>[]).map(({ name, startUs, file: partFile }, i) => {
    const ofPart: string[] = [];
    const spec = specOf(partFile, hosts, imports.parts[i], ofPart);
    notes.push(...ofPart.map((note) => (name === "" ? note : `application ${printable(name)}: ${note}`)));
    return { name, startUs, ...spec };
  });
  const { name: _, startUs: __, ...first } = parts[0];
  const said = recordOf(runtime, file.runtime);
  const { estimates, ranges } = factorsOf(FACTORS, said);
  const { rackFactor = 1, anyFactor = 1, ...otherFactors } = estimates;
  const { reviveUs, speculationUs } = {
    ...defaultsOf(INTERVAL_ROWS),
    ...imports.parts[0].conf?.configuration,
    ...said,
  };
  const { stageStartUs, launchUs, reportUs, draw, rerun, spread, firstFactor, secondFactor } = said;
  if (file.applications?.every(({ workload }) => workload !== undefined) === true && file.workload !== undefined) {
    notes.push("workload has no effect where each application has its own");
  }
  return {
    platform: "spark",
    name: file.name ?? defaultName,
    why: file.why.trim(),
    cluster: { hosts },
    ...first,
    runtime: {
      stageStartUs,
      launchUs,
      reportUs,
      rackFactor,
      anyFactor,
      ...otherFactors,
      ...(Object.keys(ranges).length === 0 ? {} : { ranges }),
      reviveUs,
      speculationUs,
      ...(draw === true ? { draw } : {}),
      ...(rerun === true ? { rerun } : {}),
      ...(spread === undefined || spread === 0 ? {} : { spread }),
      ...definedFields({ firstFactor, secondFactor }),
    },
    ...(file.applications === undefined ? {} : { applications: parts }),
    run: resolveRun(file.run),
  };
}

/** Resolves one application from the file and the files that it names. */
function specOf(file: SparkFile, hosts: readonly HostSpec[], imports: PartImports, notes: string[]): ApplicationSpec {
  const { scheduler: schedulerFile } = file;
  const cores = file.executors.cores ?? imports.conf?.configuration.settings.executorCores ?? 1;
  const allocation = allocationOf(file.executors, cores, hosts, imports.conf, notes);
  const { executors: namedExecutors, leftOut } =
    allocation === null
      ? executorsOf(file.executors, cores, hosts, imports.executors, notes)
      : { executors: [], leftOut: [] };
  const mostCores = allocation === null ? maxOver(namedExecutors, (executor) => executor.cores, 1) : cores;
  const driver = schedulerOf(schedulerFile, mostCores, imports.conf, imports.pools);
  if (driver.mode !== "FAIR" && (schedulerFile.pools !== undefined || schedulerFile.poolsFile !== undefined)) {
    const key = schedulerFile.pools === undefined ? "scheduler.poolsFile" : "scheduler.pools";
    notes.push(`${key} has no effect where scheduler.mode is FIFO`);
  }
  if (driver.mode === "FAIR" && file.workload.kind === "jobs")
    notes.push(...poolNotes(driver.pools, file.workload.jobs));
  if (schedulerFile.pools !== undefined && imports.pools !== null) {
    notes.push("scheduler.pools has no effect beside scheduler.poolsFile");
  }
  notes.push(...(imports.conf?.notes ?? []), ...(imports.pools?.notes ?? []));
  const { file: table, count, cores: said } = file.executors;
  const areOthers =
    file.workload.kind === "stages" && (table === undefined || count !== undefined || said !== undefined);
  return {
    executors: namedExecutors,
    leftOut,
    ...(areOthers ? { areOthers } : {}),
    ...(allocation === null ? {} : { allocation }),
    ...faultsOf(file.faults, hosts, namedExecutors),
    workload:
      file.workload.kind === "jobs"
        ? { kind: "jobs", jobs: file.workload.jobs.map(listedJob) }
        : stagesFileOf(file.workload),
    scheduler: driver,
  };
}

function stagesFileOf({
  file,
  copied = "recorded",
}: Extract<SparkFile["workload"], { kind: "stages" }>): ApplicationSpec["workload"] {
  return copied === "recorded" ? { kind: "stages", file } : { kind: "stages", file, copied };
}

async function build(scenario: SparkScenario, directory: string): Promise<SparkRun> {
  // Loaded with the first run: the scenarios of other platforms are read without this engine.
  const { applicationOf, SparkRun: Run } = await import("../../../core/platforms/spark/index.js");
  const { applications = [{ ...scenario, name: "", startUs: 0 }], run } = scenario;
  const parts: { readonly name: string; readonly application: SparkApplication }[] = [];
  for (const { name, startUs, ...spec } of applications) {
    // Equal lists of two applications are not equal draws.
    const seed = name === "" ? run.seed : `${run.seed}/${name}`;
    const jobs = await jobsOf(scenario, spec, directory, seed);
    parts.push({ name, application: applicationOf(scenario, spec, jobs, seed, startUs) });
  }
  return new Run(scenario, parts);
}

async function jobsOf(
  { cluster: { hosts: hostSpecs } }: SparkScenario,
  { workload: submitted, executors, leftOut, allocation }: ApplicationSpec,
  directory: string,
  seed: string,
): Promise<readonly SparkJob[]> {
  const { inOrder, listedJobs } = await import("../../../core/platforms/spark/index.js");
  if (submitted.kind === "jobs") return listedJobs(submitted.jobs, { hosts: hostSpecs.length, executors }, seed);
  const hosts = new SparkHosts();
  for (const { name, rack } of hostSpecs) hosts.add(name, rack);
  const { file } = submitted;
  const jobs = await readStagesCsv(absolute(directory, file), file, {
    hosts,
    executorIds: executors.map(({ id }) => id),
    executorHosts: executors.map(({ host }) => host),
    // Under dynamic allocation no executor has a name: of their places the hosts remain.
    leftOut: allocation === undefined ? leftOut : "all",
  });
  // A table that says what comes after what has the numbers of its source: when such jobs come is not known before.
  return jobs.some(({ after }) => after !== undefined) ? jobs : inOrder(jobs);
}
