import * as z from "zod";
import { assert, counted, sumOver, definedFields } from "../../../core/kernel/index.js";
import {
  type ListedJob,
  type ListedStage,
  type ListedTasks,
  mayPreempt,
  namedNodes,
  nodeName,
  rackName,
  type Resources,
  USUAL_MAX_ATTEMPTS,
  YARN_WAITS,
  YARN_WORDS,
  type YarnRun,
  type YarnScenario,
} from "../../../core/platforms/yarn/index.js";
import { COPIED } from "../../../core/workload/index.js";
import { LIMITS } from "../../../core/scenario/index.js";
import { duplicate, notListedBefore, type Problem, totalProblems, wrong } from "../diagnose.js";
import { factor, factorProblems, factorsOf } from "../factors.js";
import { ARRIVALS, BEGINNING, endOf, listedJobsWords, type Platform, platformOf } from "../platform.js";
import { resolveRun } from "../run.js";
import { filled, optional, recordOf, setting } from "../setting.js";
import { quote } from "../show.js";
import {
  asAllocated,
  AT_TOP,
  JobQueues,
  largestOf,
  largestProblems,
  closedProblems,
  nodeOfSite,
  queueProblems,
  readSchedulerFiles,
  resolveScheduler,
  type SchedulerImports,
  schedulerNotes,
  schedulerPlaces,
  partsOf,
  prioritiesIn,
  priorityNotes,
  schedulerSchema,
  sumOf,
  waitWords,
} from "./scheduler.js";
import {
  byKind,
  choice,
  count,
  countOr,
  duration,
  either,
  filePath,
  flag,
  label,
  listOf,
  mapping,
  megabytes,
  quantity,
} from "../values.js";

// Scenarios of YARN: MapReduce jobs in the queues of one of its schedulers.

const SECTIONS = ["cluster", "workload", "scheduler", "runtime"] as const;

const heartbeat = duration(LIMITS.minHeartbeatUs, LIMITS.maxHeartbeatUs);

const nodes = mapping({
  count: setting(count(1, LIMITS.nodes), "So many that are alike.", 1),
  memory: optional(megabytes(1, LIMITS.memoryMb), "What each has, in MB.", "cluster.memory"),
  vcores: optional(count(1, LIMITS.vcores), "And vcores.", "cluster.vcores"),
  heartbeat: optional(heartbeat, "Time between two reports of a node.", "cluster.heartbeat"),
  name: optional(
    label(),
    "What a single one is called, in the column hosts of a table of tasks too.",
    "node-1, node-2 and so on, by number",
  ),
  rack: optional(label(), "Name of the rack that they stand in.", "as cluster.racks deals them"),
});

const cluster = mapping({
  racks: setting(count(1, LIMITS.racks), "Racks that nodes are dealt to in turn.", 1),
  nodes: setting(
    either(
      [count(1, LIMITS.nodes), listOf(nodes, "nodes {count, memory, vcores, heartbeat, name, rack}")],
      () =>
        `a whole number of nodes from 1 to ${LIMITS.nodes}, or a list of nodes {count, memory, vcores, heartbeat, name, rack}`,
    ),
    "Nodes, by number or by kind.",
    1,
  ),
  memory: setting(megabytes(1, LIMITS.memoryMb), "Of a node, in MB: `yarn.nodemanager.resource.memory-mb`.", 8192),
  vcores: setting(count(1, LIMITS.vcores), "`yarn.nodemanager.resource.cpu-vcores`.", 8),
  heartbeat: setting(
    heartbeat,
    "Time between two reports of a node: `yarn.resourcemanager.nodemanagers.heartbeat-interval-ms`.",
    "1s",
  ),
});

const memory = setting(megabytes(1, LIMITS.memoryMb), "Of each task, in MB; as it stands, not rounded up.", 1024);
const vcores = setting(count(1, LIMITS.vcores), "Of each task.", 1);
const spread = setting(
  quantity(0, 5),
  "Times are log-normal, with this standard deviation of the logarithm; 0: all are alike.",
  0,
);

const tasks = count(0, LIMITS.tasksPerPhase).describe("How many tasks.");
const inputNodes = setting(countOr("all", 1, LIMITS.nodes), "Only the first so many nodes hold input.", "all");

const USUAL_REPLICAS = 3;

const maps = mapping({
  tasks,
  time: duration(1, LIMITS.taskUs).describe("What a task takes on its data; the median where times are spread."),
  spread,
  memory,
  vcores,
  replicas: setting(
    count(0, LIMITS.replication),
    "Nodes that hold the input of a task; 0: it is found anywhere as well.",
    USUAL_REPLICAS,
  ),
  on: inputNodes,
});

const reduces = mapping({
  tasks,
  time: duration(1, LIMITS.taskUs).describe("What a task takes once all maps have ended."),
  spread,
  memory,
  vcores,
});

const stage = mapping({
  name: label().describe("Name of the stage."),
  parents: optional(
    z.array(label(), { error: () => "a list of names of stages" }),
    "Stages of the job, listed before it, that must have ended before a task of this one does its work.",
    "the stage before it",
  ),
  tasks,
  time: duration(1, LIMITS.taskUs).describe(
    "What a task takes, on its data if it has any; the median where times are spread.",
  ),
  spread,
  memory,
  vcores,
  replicas: optional(
    count(0, LIMITS.replication),
    "Nodes that hold the input of a task; with parents none does.",
    `${USUAL_REPLICAS} of a stage without parents`,
  ),
  on: inputNodes,
  slowStart: setting(
    quantity(0, 1),
    "Part of the parents' tasks that has ended when this stage asks for containers; 1: all. Until all have, those wait.",
    1,
  ),
});

const master = mapping({
  memory: setting(megabytes(1, LIMITS.memoryMb), "`yarn.app.mapreduce.am.resource.mb`.", 1536),
  vcores: setting(count(1, LIMITS.vcores), "`yarn.app.mapreduce.am.resource.cpu-vcores`.", 1),
});

const ofMaster = optional(master, "What an application master takes.", "1536 MB and a vcore");

const slowStart = setting(
  quantity(0, 1),
  "Part of the maps that has ended when reduces are asked for: `mapreduce.job.reduce.slowstart.completedmaps`.",
  0.05,
);

const job = mapping({
  name: label().describe("Name of the job."),
  queue: setting(label(), "A queue that has none below it; `root.` may be left out.", "default"),
  user: setting(label(), "Who submits it.", "user"),
  priority: optional(
    count(0, 2 ** 31 - 1),
    "Of the application: higher goes first under `fifo`, and is taken from last within a queue.",
    "0",
  ),
  ...ARRIVALS,
  master: ofMaster,
  slowStart,
  maps: optional(maps, "Its maps.", "the job has stages"),
  reduces: optional(reduces, "Its reduces.", "there are none"),
  stages: optional(
    listOf(stage, "stages {name, tasks, time, parents, ...}"),
    "In place of maps and reduces: a graph of stages.",
    "maps and reduces are all",
  ),
});

const taskSize = mapping({ memory, vcores });

const missingHosts = setting(
  choice(["refuse", "ignore"]),
  "Hosts of the table that the cluster does not have; ignore: as if they held no data, for what if there were fewer nodes.",
  "refuse",
);

const workload = byKind([
  mapping({
    kind: z.literal("jobs"),
    jobs: listOf(job, "jobs {name, queue, maps, ...}").describe("MapReduce jobs, and graphs of stages."),
  }),
  mapping({
    kind: z.literal("tasks"),
    file: filePath.describe(
      "A table of tasks (docs/formats/tasks-csv.md), whose pools are queues; relative to this file.",
    ),
    lenient: setting(flag(), "Malformed rows and inconsistent jobs are skipped and counted.", false),
    missingHosts,
    copied: optional(
      choice(COPIED),
      "What the table has of a log beside run times, which are the times of masters, when reduces were asked for, and failed attempts: as recorded, not at all (none), or each job and stage with those of others (heldOut).",
      "recorded",
    ),
    master: ofMaster,
    slowStart,
    maps: optional(taskSize, "What a map takes where the table does not say.", "1024 MB and a vcore"),
    reduces: optional(taskSize, "The same of a reduce.", "1024 MB and a vcore"),
  }),
]);

const latency = duration(0, LIMITS.waitUs);

const FACTORS = ["rackFactor", "offSwitchFactor"] as const;

const runtime = mapping({
  masterHeartbeat: setting(
    heartbeat,
    "Time between two reports of a master: `yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms`.",
    "1s",
    "masterHeartbeatUs",
  ),
  launch: setting(latency, "From a master's order until a task runs.", "1s", "launchUs"),
  masterStart: setting(latency, "From its launch until a master first reports.", "3s", "masterStartUs"),
  rackFactor: factor(1, "How many times as long a map takes in the rack of its data."),
  offSwitchFactor: factor(1, "The same farther away."),
  draw: optional(
    flag(),
    "The seed draws what an import does not know exactly: factors with a range, and the times of masters. false: estimates hold.",
    "false",
  ),
  reducePreemption: setting(
    duration(1_000, LIMITS.waitUs),
    "Maps get nothing for so long: a master gives back what a reduce holds that waits for them.",
    "5m",
    "reducePreemptionUs",
  ),
  reduceRampUp: optional(
    quantity(0, 1),
    "While maps wait, reduces take no more than this part of what their job has and could have: `yarn.app.mapreduce.am.job.reduce.rampup.limit`, 0.5 in MapReduce.",
    "reduces are asked for by the part of the maps that has ended, whatever they take",
  ),
  mapMaxAttempts: optional(
    count(1, LIMITS.attempts),
    "A job fails when a map of it has failed so often: `mapreduce.map.maxattempts`.",
    String(USUAL_MAX_ATTEMPTS),
  ),
  reduceMaxAttempts: optional(
    count(1, LIMITS.attempts),
    "The same of a reduce: `mapreduce.reduce.maxattempts`.",
    String(USUAL_MAX_ATTEMPTS),
  ),
});

const fileShape = {
  $schema: optional(z.string(), "For editors; ignored."),
  platform: z.literal("yarn").describe("What is simulated."),
  ...BEGINNING,
  cluster: cluster.prefault({}).describe("Nodes, and the racks they stand in."),
  workload,
  scheduler: schedulerSchema.describe("The scheduler of the resource manager."),
  runtime: runtime.prefault({}).describe("What messages take, and what maps take away from their data."),
  ...endOf(SECTIONS),
};
const schema = mapping(fileShape, AT_TOP);

type YarnFile = z.output<typeof schema>;

export const YARN: Platform = platformOf({
  name: "yarn",
  recordWords: YARN_WORDS,
  waits: YARN_WAITS,
  sections: SECTIONS,
  shorthands: [
    [/^scheduler$/, "kind"],
    [/^runtime\.(rack|offSwitch)Factor$/, "estimate"],
  ],
  schemaWith: () => schema,
  filePlaces: schedulerPlaces,
  readImports: readSchedulerFiles,
  problems: ({ cluster, workload: submitted, scheduler, runtime: timing }, imports) => [
    ...(scheduler === undefined ? [] : queueProblems(scheduler, imports)),
    ...(cluster === undefined ? [] : nodeProblems(cluster)),
    ...factorProblems(FACTORS, timing),
    ...(submitted?.kind !== "jobs" ? [] : nameProblems(submitted.jobs)),
    // A file that cannot be read has problems of its own.
    ...(submitted?.kind !== "jobs" || scheduler === undefined || imports.problems.length > 0
      ? []
      : new JobQueues(scheduler, imports).problems(submitted.jobs)),
    ...(submitted?.kind !== "jobs" ? [] : submitted.jobs.flatMap(stageProblems)),
    ...(submitted?.kind !== "jobs" ? [] : totalsOf(submitted.jobs)),
    ...(submitted === undefined || cluster === undefined ? [] : sizeProblems(submitted, cluster, imports)),
  ],
  resolve,
  wholeProblems: (_, scenario, imports) => [...largestProblems(scenario, imports), ...closedProblems(scenario)],
  words: {
    scheduler: ({ scheduler }) => `${scheduler.kind}, ${counted(scheduler.queues.length - 1, "queue")}`,
    waits: ({ scheduler }) => waitWords(scheduler),
    cluster: ({ cluster: { racks, nodes } }) => {
      const mb = sumOver(nodes, (node) => node.memory);
      return `${counted(racks, "rack")}, ${counted(nodes.length, "node")}, ${mb} MB`;
    },
    workload: ({ workload }) =>
      workload.kind === "jobs" ? listedJobsWords(workload.jobs) : `${workload.kind} of ${workload.file}`,
  },
  nodes: namedNodes,
  mayKill: ({ scheduler }) => mayPreempt(scheduler),
  knowsLogs: true,
  build,
});

type JobsFile = Extract<YarnFile["workload"], { kind: "jobs" }>["jobs"];

function nameProblems(jobs: JobsFile): Problem[] {
  const names = new Set<string>();
  const several = new Map(
    jobs.flatMap(({ name, count: jobCount = 1 }) => (jobCount > 1 ? [[name, jobCount] as const] : [])),
  );
  return jobs.flatMap(({ name }, i) => {
    const path = ["workload", "jobs", i, "name"];
    const [, kind = "", number = ""] = /^(.*)-([1-9]\d{0,6})$/s.exec(name) ?? [];
    if (Number(number) > 0 && Number(number) <= (several.get(kind) ?? 0)) {
      return [wrong(path, quote(name), `another name; one of the jobs of ${quote(kind)} is called so`)];
    }
    const duplicates = names.has(name) ? [duplicate(path, "job", name)] : [];
    names.add(name);
    return duplicates;
  });
}

/** A job is maps and reduces, or a graph whose stages wait for stages listed before. */
function stageProblems({ maps: first, stages, ...job }: JobsFile[number], i: number): Problem[] {
  const path = ["workload", "jobs", i];
  if (stages === undefined) {
    return first === undefined ? [wrong(path, "a job without maps and without stages", "maps or stages")] : [];
  }
  const beside = Object.entries({ maps: first, reduces: job.reduces, slowStart: job.slowStart });
  const before: string[] = [];
  return [
    ...beside.flatMap(([key, value]): Problem[] => {
      if (value === undefined) return [];
      return [{ path: [...path, key], atKey: true, message: `${key} and stages exclude each other` }];
    }),
    ...(stages.length > LIMITS.stagesPerJob
      ? [wrong([...path, "stages"], counted(stages.length, "stage"), `at most ${LIMITS.stagesPerJob}`)]
      : []),
    ...stages.slice(0, LIMITS.stagesPerJob).flatMap(({ name, parents, replicas = 0, ...size }, stageIndex) => {
      const place = [...path, "stages", stageIndex];
      const problems = (parents ?? []).flatMap((parent, parentIndex, allParents) => {
        const where = [...place, "parents", parentIndex];
        if (!before.includes(parent)) return [notListedBefore(where, "stage", parent, [...new Set(before)])];
        return allParents.indexOf(parent) < parentIndex ? [duplicate(where, "parent", parent)] : [];
      });
      const hasParents = parents === undefined ? stageIndex > 0 : parents.length > 0;
      if (hasParents && size.on !== undefined) {
        problems.push(wrong([...place, "on"], "a number of nodes", "nothing; only stages without parents read input"));
      }
      if (!hasParents && size.slowStart !== undefined) {
        problems.push(wrong([...place, "slowStart"], String(size.slowStart), "nothing; the stage has no parents"));
      }
      if (hasParents && replicas > 0) {
        problems.push(wrong([...place, "replicas"], String(replicas), "0; only stages without parents read input"));
      }
      if (before.includes(name)) problems.push(duplicate([...place, "name"], "stage", name));
      before.push(name);
      return problems;
    }),
  ];
}

function totalsOf(listed: JobsFile): Problem[] {
  let [jobs, tasks] = [0, 0];
  for (const { count: jobCount = 1, maps: first, reduces: second, stages = [] } of listed) {
    jobs += jobCount;
    for (const part of [first, second, ...stages]) tasks += jobCount * (part?.tasks ?? 0);
  }
  return totalProblems(["workload", "jobs"], jobs, tasks, LIMITS.heldTasks);
}

/** Problems of containers that fit on no node: they would wait for ever. */
function sizeProblems(
  submitted: YarnFile["workload"],
  file: YarnFile["cluster"],
  imports: SchedulerImports,
): Problem[] {
  const largest = largestOf(kindsOf(clusterOf(file, imports)));
  const sized = submitted.kind === "jobs" ? submitted.jobs : [{ ...submitted, stages: undefined }];
  return sized.flatMap((job, i) => {
    const jobPath = submitted.kind === "jobs" ? ["workload", "jobs", i] : ["workload"];
    const parts = [
      { path: ["master"], size: recordOf(master, job.master) },
      ...(["maps", "reduces"] as const).map((part) => ({
        path: [part],
        size: job[part] && recordOf(taskSize, job[part]),
      })),
      ...(job.stages ?? []).map((size, number) => ({ path: ["stages", number], size: recordOf(taskSize, size) })),
    ];
    return parts.flatMap(({ path, size }) =>
      (["memory", "vcores"] as const).flatMap((type) => {
        if (size === undefined || size[type] <= largest[type]) return [];
        const actual = `${size[type]}${type === "memory" ? " MB" : ""}`;
        return [wrong([...jobPath, ...path, type], actual, `at most the ${largest[type]} of a node`)];
      }),
    );
  });
}

function kindsOf(file: YarnFile["cluster"]) {
  const { racks: _, nodes: __, ...usual } = recordOf(cluster, file);
  const { nodes: said = 1 } = file;
  const kinds: readonly z.output<typeof nodes>[] = typeof said === "number" ? [{ count: said }] : said;
  return kinds.map((kind) => ({ ...usual, ...recordOf(nodes, kind) }));
}

/** A name is of one node, and where all nodes name their racks, none is dealt. */
function nodeProblems({ nodes: said, racks }: YarnFile["cluster"]): Problem[] {
  if (said === undefined || typeof said === "number") return [];
  const [named, takenNames] = [new Set<string>(), new Set<string>()];
  for (const { name } of said) if (name !== undefined) named.add(name);
  let number = 0;
  const problems = said.flatMap(({ name, count: nodeCount = 1 }, i): Problem[] => {
    const path = ["cluster", "nodes", i, "name"];
    const first = number;
    number += nodeCount;
    if (name === undefined) {
      for (let node = first; node < number && named.size > 0; node++) {
        const ownName = nodeName(node);
        if (named.has(ownName))
          return [wrong(path, "no name", `one; another node is called ${ownName}, as this one would be`)];
      }
      return [];
    }
    if (nodeCount > 1) return [wrong(path, `"${name}" for ${nodeCount} nodes`, "a name for a single one")];
    if (/[\s,]/.test(name)) return [wrong(path, `"${name}"`, "a name without blanks and commas")];
    if (takenNames.has(name)) return [duplicate(path, "node", name)];
    takenNames.add(name);
    return [];
  });
  if (racks !== undefined && said.every(({ rack }) => rack !== undefined)) {
    problems.push(wrong(["cluster", "racks"], String(racks), "nothing where every node names its rack"));
  }
  return problems;
}

/** Nodes that name no rack are dealt to numbered ones in turn; others stand in theirs. */
function placedNodes(file: YarnFile["cluster"]): YarnScenario["cluster"] {
  const kinds = kindsOf(file);
  const isNamed = kinds.some(({ rack }) => rack !== undefined);
  const dealt = kinds.every(({ rack }) => rack !== undefined) ? 0 : recordOf(cluster, file).racks;
  const rackNames = Array.from({ length: isNamed ? dealt : 0 }, (_, i) => rackName(i));
  const numbers = new Map(rackNames.map((name, number) => [name, number]));
  const numberOf = (name: string) => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, rackNames.push(name) - 1);
    return rackNames.length - 1;
  };
  let number = 0;
  const nodes = kinds.flatMap(({ count: nodeCount, memory: mb, vcores: cores, heartbeat: heartbeatUs, name, rack }) =>
    Array.from({ length: nodeCount }, () => {
      const place = number++;
      return {
        rack: rack === undefined ? place % dealt : numberOf(rack),
        memory: mb,
        vcores: cores,
        heartbeatUs,
        fromUs: 0,
        untilUs: Infinity,
        ...definedFields({ name }),
      };
    }),
  );
  return isNamed ? { racks: rackNames.length, nodes, rackNames } : { racks: dealt, nodes };
}

/** With what its yarn-site.xml says of nodes, where the scenario does not. */
function clusterOf(file: YarnFile["cluster"], imports: SchedulerImports): YarnFile["cluster"] {
  return { ...nodeOfSite(imports), ...file };
}

function resolve(file: YarnFile, defaultName: string, imports: SchedulerImports, notes: string[]): YarnScenario {
  const said = clusterOf(file.cluster, imports);
  const { heartbeat: nodeHeartbeatUs } = recordOf(cluster, said);
  const placed = placedNodes(said);
  const queues = new JobQueues(file.scheduler, imports);
  const submitted = workloadOf(file, queues, imports, placed.nodes);
  const whole = sumOf(placed.nodes);
  const scheduler = resolveScheduler(file.scheduler, imports, whole, queues.made);
  notes.push(...schedulerNotes(file.scheduler, imports, scheduler, whole));
  if (file.workload.kind === "jobs") notes.push(...priorityNotes(file.scheduler, imports, file.workload.jobs));
  notes.push(...coreNotes(scheduler, submitted, placed));
  if (file.cluster.memory !== undefined && imports.site?.settings.node.memory !== undefined) {
    const { memory: ofSite } = imports.site.settings.node;
    if (ofSite !== file.cluster.memory) {
      notes.push(`yarn-site.xml: a node has ${ofSite} MB there; cluster.memory, ${file.cluster.memory} MB, holds`);
    }
  }
  if (
    submitted.kind === "tasks" &&
    imports.fair?.queues.some(({ text: queueText }) => queueText.largest !== undefined) === true
  ) {
    notes.push("maxContainerAllocation: jobs of a table of tasks are not held against it");
  }
  if (submitted.kind === "tasks" && imports.site !== null) {
    notes.push(
      "yarn-site.xml: sizes of a table of tasks stay as they are, and are not held against maximum-allocation",
    );
  }
  return {
    platform: "yarn",
    name: file.name ?? defaultName,
    why: file.why.trim(),
    cluster: placed,
    workload: submitted,
    scheduler,
    runtime: runtimeOf(nodeHeartbeatUs, file.runtime),
    run: resolveRun(file.run),
  };
}

function runtimeOf(nodeHeartbeatUs: number, file: YarnFile["runtime"]): YarnScenario["runtime"] {
  const { draw, ...timing } = recordOf(runtime, file);
  const { estimates, ranges } = factorsOf(FACTORS, file);
  const { rackFactor = 1, offSwitchFactor = 1 } = estimates;
  return {
    nodeHeartbeatUs,
    ...timing,
    rackFactor,
    offSwitchFactor,
    ...(Object.keys(ranges).length === 0 ? {} : { ranges }),
    ...(draw === true ? { draw } : {}),
  };
}

/** Notes on vcores that are not counted: more of them may be allocated than a node has. */
function coreNotes(
  scheduler: YarnScenario["scheduler"],
  submitted: YarnScenario["workload"],
  { nodes }: YarnScenario["cluster"],
): string[] {
  if (scheduler.kind === "yarn-fair" || scheduler.settings.countsVcores) return [];
  const sizes = submitted.kind === "jobs" ? submitted.jobs.flatMap(partsOf) : [];
  const mayExceed = sizes.some(
    ({ tasks, size: { memory: mb, vcores: cores } }) =>
      tasks > 0 && nodes.some((node) => Math.floor(node.memory / mb) * cores > node.vcores),
  );
  if (!mayExceed) return [];
  return [
    "the default resource calculator looks at memory alone, as in YARN: nodes give out more vcores than they have (scheduler.calculator: dominant counts them)",
  ];
}

function workloadOf(
  { workload: file, scheduler }: YarnFile,
  queues: JobQueues,
  imports: SchedulerImports,
  nodes: readonly Readonly<Resources>[],
): YarnScenario["workload"] {
  if (file.kind === "jobs") {
    const priorityOf = prioritiesIn(scheduler, imports);
    const jobs = file.jobs.map((jobFile) => listedJob(jobFile, queues, priorityOf));
    return { kind: "jobs", jobs: asAllocated(jobs, scheduler, imports, nodes) };
  }
  const { kind, file: path, lenient = false, copied = "recorded" } = file;
  return {
    kind,
    file: path,
    lenient,
    slowStart: filled(slowStart, file.slowStart),
    missingHosts: filled(missingHosts, file.missingHosts),
    master: recordOf(master, file.master),
    maps: recordOf(taskSize, file.maps),
    reduces: recordOf(taskSize, file.reduces),
    ...(copied === "recorded" ? {} : { copied }),
  };
}

async function build(scenario: YarnScenario, directory: string): Promise<YarnRun> {
  // Loaded with the first run: the scenarios of other platforms are read without this engine.
  const { applicationsOfRun, listedApplications, YarnRun: Run } = await import("../../../core/platforms/yarn/index.js");
  const { workload: submitted, cluster, run } = scenario;
  if (submitted.kind === "jobs") {
    return new Run(scenario, listedApplications(submitted.jobs, cluster.nodes.length, run.seed));
  }
  const { readYarnTable } = await import("../../workloads/yarn-table.js");
  const { applications, notes } = await readYarnTable(scenario, submitted, directory);
  return new Run(scenario, applicationsOfRun(scenario, applications), notes);
}

function listedJob(
  file: JobsFile[number],
  queues: JobQueues,
  priorityOf: (said: number | undefined, queue: string) => number,
): ListedJob {
  const { user, submitUs, count: jobCount, everyUs, slowStart: part } = recordOf(job, file);
  const queue = queues.place(file);
  const priority = priorityOf(file.priority, queue);
  const listed = {
    name: file.name,
    queue,
    user,
    submitUs,
    count: jobCount,
    everyUs,
    ...(priority === 0 ? {} : { priority }),
    master: recordOf(master, file.master),
  };
  if (file.stages !== undefined) return { ...listed, stages: graphOf(file.stages) };
  assert(file.maps !== undefined, "a job has maps or stages");
  return {
    ...listed,
    slowStart: part,
    maps: tasksOf(recordOf(maps, file.maps)),
    reduces: tasksOf(recordOf(reduces, file.reduces ?? { tasks: 0, time: 1 })),
  };
}

function graphOf(stages: NonNullable<JobsFile[number]["stages"]>): ListedStage[] {
  return stages.map((file, stageIndex) => {
    const { slowStart: part, ...settings } = recordOf(stage, file);
    const parents = file.parents?.map((parent) => stages.findIndex((candidate) => candidate.name === parent)) ?? [
      stageIndex - 1,
    ];
    const known = parents.filter((parent) => parent >= 0);
    const replicas = file.replicas ?? (known.length === 0 ? USUAL_REPLICAS : 0);
    return { name: file.name, ...tasksOf({ ...settings, replicas }), parents: known, slowStart: part };
  });
}

interface TasksFile extends Readonly<Resources> {
  readonly tasks: number;
  readonly time: number;
  readonly spread: number;
  readonly replicas?: number;
  readonly on?: number;
}

function tasksOf({ tasks, time: runUs, spread: sigma, replicas = 0, on = Infinity, ...size }: TasksFile): ListedTasks {
  return { tasks, runUs, spread: sigma, size: { memory: size.memory, vcores: size.vcores }, replicas, on };
}
