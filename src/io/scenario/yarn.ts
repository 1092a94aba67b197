import * as z from "zod";
import { counted, formatTime, MAX_TIME_US } from "../../core/kernel/index.js";
import {
  CAPACITY_DEFAULTS,
  CAPACITY_PREEMPTION_DEFAULTS,
  type CapacityQueueSpec,
  type CapacitySettings,
  FAIR_DEFAULTS,
  type FairQueueSpec,
  type FairSettings,
  type ListedMapReduce,
  type ListedTasks,
  type NamedQueue,
  type Resources,
  YARN_WORDS,
  YarnRun,
  type YarnScenario,
} from "../../core/platforms/yarn/index.js";
import { duplicate, type Problem, totalProblems, unknownName, wrong } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import { BEGINNING, endOf, listedJobsWords, type Platform, platformOf } from "./platform.js";
import { resolveRun } from "./run.js";
import { recordOf, setting } from "./setting.js";
import {
  byKind,
  choice,
  count,
  countOr,
  duration,
  either,
  flag,
  label,
  listOf,
  mapping,
  quantity,
  quantityOr,
} from "./values.js";

// Scenarios of YARN: MapReduce jobs in the queues of one of its schedulers.

const SECTIONS = ["cluster", "workload", "scheduler", "runtime"] as const;

/** Of one node or task. */
const MOST_MB = 2 ** 30;
const MOST_VCORES = 4096;

const heartbeat = duration(LIMITS.minHeartbeatUs, LIMITS.maxHeartbeatUs);

const nodes = mapping({
  count: setting(count(1, LIMITS.nodes), { default: 1, says: "So many that are alike." }),
  memory: setting(count(1, MOST_MB), { usually: "cluster.memory", says: "What each has, in MB." }),
  vcores: setting(count(1, MOST_VCORES), { usually: "cluster.vcores", says: "And vcores." }),
  heartbeat: setting(heartbeat, { usually: "cluster.heartbeat", says: "Time between two reports of a node." }),
});

const cluster = mapping({
  racks: setting(count(1, LIMITS.racks), { default: 1, says: "Racks that nodes are dealt to in turn." }),
  nodes: setting(
    either(
      [count(1, LIMITS.nodes), listOf(nodes, "nodes {count, memory, vcores, heartbeat}")],
      () =>
        `a whole number of nodes from 1 to ${String(LIMITS.nodes)}, or a list of nodes {count, memory, vcores, heartbeat}`,
    ),
    { default: 1, says: "Nodes, by number or by kind." },
  ),
  memory: setting(count(1, MOST_MB), {
    default: 8192,
    says: "Of a node, in MB: `yarn.nodemanager.resource.memory-mb`.",
  }),
  vcores: setting(count(1, MOST_VCORES), { default: 8, says: "`yarn.nodemanager.resource.cpu-vcores`." }),
  heartbeat: setting(heartbeat, {
    default: "1s",
    says: "Time between two reports of a node: `yarn.resourcemanager.nodemanagers.heartbeat-interval-ms`.",
  }),
});

const memory = setting(count(1, MOST_MB), {
  default: 1024,
  says: "Of each task, in MB; as it stands, not rounded up.",
});
const vcores = setting(count(1, MOST_VCORES), { default: 1, says: "Of each task." });
const spread = setting(quantity(0, 5), {
  default: 0,
  says: "Times are log-normal, with this standard deviation of the logarithm; 0: all are alike.",
});

const maps = mapping({
  tasks: count(0, LIMITS.tasksPerPhase).describe("How many tasks."),
  time: duration(1, LIMITS.taskUs).describe("What a task takes on its data; the median where times are spread."),
  ...{ spread, memory, vcores },
  replicas: setting(count(0, LIMITS.replication), {
    default: 3,
    says: "Nodes that hold the input of a task; 0: it is found anywhere as well.",
  }),
  on: setting(countOr("all", 1, LIMITS.nodes), { default: "all", says: "Only the first so many nodes hold input." }),
});

const reduces = mapping({
  tasks: count(0, LIMITS.tasksPerPhase).describe("How many tasks."),
  time: duration(1, LIMITS.taskUs).describe("What a task takes once all maps have ended."),
  ...{ spread, memory, vcores },
});

const master = mapping({
  memory: setting(count(1, MOST_MB), { default: 1536, says: "`yarn.app.mapreduce.am.resource.mb`." }),
  vcores: setting(count(1, MOST_VCORES), { default: 1, says: "`yarn.app.mapreduce.am.resource.cpu-vcores`." }),
});

const job = mapping({
  name: label().describe("Name of the job."),
  queue: setting(label(), { default: "default", says: "A queue that has none below it; `root.` may be left out." }),
  user: setting(label(), { default: "user", says: "Who submits it." }),
  submit: setting(duration(0, MAX_TIME_US), { as: "submitUs", default: 0, says: "When it comes." }),
  count: setting(count(1, LIMITS.jobs), { default: 1, says: "So many of its kind, called name-1, name-2 and so on." }),
  every: setting(duration(0, MAX_TIME_US), { as: "everyUs", default: 0, says: "Time between two of its kind." }),
  master: setting(master, { usually: "1536 MB and a vcore", says: "What its application master takes." }),
  slowStart: setting(quantity(0, 1), {
    default: 0.05,
    says: "Part of the maps that has ended when reduces are asked for: `mapreduce.job.reduce.slowstart.completedmaps`.",
  }),
  maps,
  reduces: setting(reduces, { usually: "there are none", says: "Its reduces." }),
});

const workload = byKind([
  mapping({
    kind: z.literal("jobs"),
    jobs: listOf(job, "jobs {name, queue, maps, ...}").describe("MapReduce jobs."),
  }),
]);

/** What to do about keys that Hadoop's scenarios have, or that may be looked for. */
const NO_FILES = "YARN's XML files are not read: scheduler.queues says what they say (docs/schedulers/yarn.md)";
const NO_POOLS = "under YARN they are scheduler.queues (docs/schedulers/yarn.md)";
const INSTEAD = { allocations: NO_FILES, reloads: NO_FILES, file: NO_FILES, capacity: NO_FILES, pools: NO_POOLS };

const policy = choice(["fair", "drf", "fifo"]);

const resources = mapping({
  memory: setting(count(0, MOST_MB * LIMITS.nodes), { usually: "nothing is said of it", says: "In MB." }),
  vcores: setting(count(0, MOST_VCORES * LIMITS.nodes), { usually: "nothing is said of it", says: "Vcores." }),
});

const fairQueue = mapping({
  name: label().describe(
    "In full, but for `root.`: queues below one that is listed before are research.ml, research.web.",
  ),
  weight: setting(quantity(0, 1e6), { default: 1, says: "Its part of what its parent has." }),
  min: setting(resources, { usually: "nothing", says: "`minResources`: below it a queue goes first." }),
  max: setting(resources, { usually: "no limit", says: "`maxResources`." }),
  maxApps: setting(countOr("all", 0, LIMITS.jobs), { usually: "all", says: "`maxRunningApps`." }),
  maxAmShare: setting(quantityOr("off", 0, 1), { usually: "0.5", says: "`maxAMShare`: of its share, for masters." }),
  policy: setting(policy, { usually: "scheduler.policy", says: "`schedulingPolicy`." }),
  minShareTimeout: setting(duration(0, MAX_TIME_US), {
    usually: "never",
    says: "`minSharePreemptionTimeout`: below its min share for so long, it takes from others.",
  }),
  fairShareTimeout: setting(duration(0, MAX_TIME_US), { usually: "never", says: "`fairSharePreemptionTimeout`." }),
  fairShareThreshold: setting(quantity(0, 1), { usually: "0.5", says: "`fairSharePreemptionThreshold`." }),
  preemptable: setting(flag(), { usually: "true", says: "`allowPreemptionFrom`." }),
});

const capacityQueue = mapping({
  name: label().describe(
    "In full, but for `root.`: queues below one that is listed before are research.ml, research.web.",
  ),
  capacity: quantity(0, 100).describe("Its part of its parent's, in per cent; those of one parent add up to 100."),
  maximum: setting(quantity(0, 100), { usually: "100", says: "`maximum-capacity`, in per cent." }),
  order: setting(choice(["fifo", "fair"]), { usually: "fifo", says: "`ordering-policy` of its applications." }),
  minimumUserLimit: setting(quantity(0, 100), { usually: "100", says: "`minimum-user-limit-percent`." }),
  userLimitFactor: setting(quantityOr("off", 0, 1e6), { usually: "1", says: "`user-limit-factor`." }),
  maxAmShare: setting(quantity(0, 1), { usually: "0.1", says: "`maximum-am-resource-percent`: for masters." }),
  preemptable: setting(flag(), { usually: "true", says: "The opposite of `disable_preemption`." }),
});

const threshold = quantityOr("off", 0, 1);
const delay = duration(0, LIMITS.waitUs);

const fairShape = {
  kind: z.literal("yarn-fair"),
  queues: setting(listOf(fairQueue, "queues {name, weight, min, max, policy, ...} (no XML file)"), {
    usually: "one called default",
    says: "As the allocation file has them.",
  }),
  policy: setting(policy, { usually: "fair", says: "`defaultQueueSchedulingPolicy`, which is the root's." }),
  thresholdNode: setting(threshold, {
    usually: "off",
    says: "`locality.threshold.node`: as many offers as this part of the nodes are passed over before the rack will do.",
  }),
  thresholdRack: setting(threshold, { usually: "off", says: "`locality.threshold.rack`: the same before any will." }),
  continuous: setting(flag(), {
    usually: "false",
    says: "`continuous-scheduling-enabled`: delays in time hold in place of thresholds.",
  }),
  delayNode: setting(delay, { usually: "nobody waits", says: "`locality-delay-node-ms`." }),
  delayRack: setting(delay, { usually: "nobody waits", says: "`locality-delay-rack-ms`." }),
  assignMultiple: setting(flag(), { usually: "false", says: "`assignmultiple`." }),
  dynamicMaxAssign: setting(flag(), { usually: "true", says: "`dynamic.max.assign`: half of what a node has free." }),
  maxAssign: setting(countOr("all", 1, 1e6), { usually: "all", says: "`max.assign`: containers a report." }),
  preemption: setting(flag(), { usually: "false", says: "`preemption`." }),
};
const fair = mapping(fairShape, INSTEAD);

const capacityShape = {
  kind: z.literal("yarn-capacity"),
  queues: setting(listOf(capacityQueue, "queues {name, capacity, maximum, ...} (no XML file)"), {
    usually: "one called default",
    says: "As capacity-scheduler.xml has them.",
  }),
  nodeLocalityDelay: setting(count(0, LIMITS.skips), {
    usually: "40",
    says: "`node-locality-delay`: offers passed over before the rack will do.",
  }),
  rackLocalityDelay: setting(countOr("off", 0, LIMITS.skips), {
    usually: "off",
    says: "`rack-locality-additional-delay`: as many more before any will; off: as what is asked for has it.",
  }),
  calculator: setting(choice(["default", "dominant"]), {
    usually: "default",
    says: "`resource-calculator`: the default one looks at memory alone.",
  }),
  assignMultiple: setting(flag(), { usually: "true", says: "`per-node-heartbeat.multiple-assignments-enabled`." }),
  maxAssign: setting(countOr("all", 1, 1e6), { usually: "100", says: "`maximum-container-assignments`." }),
  maxOffSwitch: setting(count(1, 1e6), { usually: "1", says: "`maximum-offswitch-assignments`." }),
  preemption: setting(flag(), { usually: "false", says: "`scheduler.monitor.enable`." }),
};
const capacity = mapping(capacityShape, INSTEAD);

const latency = duration(0, LIMITS.waitUs);
const factor = quantity(LIMITS.minFactor, LIMITS.maxFactor);

const runtime = mapping({
  masterHeartbeat: setting(heartbeat, {
    as: "masterHeartbeatUs",
    default: "1s",
    says: "Time between two reports of a master: `yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms`.",
  }),
  launch: setting(latency, { as: "launchUs", default: "1s", says: "From a master's order until a task runs." }),
  masterStart: setting(latency, {
    as: "masterStartUs",
    default: "3s",
    says: "From its launch until a master first reports.",
  }),
  rackFactor: setting(factor, { default: 1, says: "How many times as long a map takes in the rack of its data." }),
  offSwitchFactor: setting(factor, { default: 1, says: "The same farther away." }),
  reducePreemption: setting(duration(1_000, LIMITS.waitUs), {
    as: "reducePreemptionUs",
    default: "5m",
    says: "Maps get nothing for so long: a master gives back what a reduce holds that waits for them.",
  }),
});

const fileShape = {
  $schema: z.string().optional().describe("For editors; ignored."),
  platform: z.literal("yarn").describe("What is simulated."),
  ...BEGINNING,
  cluster: cluster.prefault({}).describe("Nodes, and the racks they stand in."),
  workload,
  scheduler: byKind([fair, capacity]).describe("The scheduler of the resource manager."),
  runtime: runtime.prefault({}).describe("What messages take, and what maps take away from their data."),
  ...endOf(SECTIONS),
};
const schema = mapping(fileShape, { allocations: NO_FILES, pools: NO_POOLS });

type YarnFile = z.output<typeof schema>;
type FairFile = Extract<YarnFile["scheduler"], { kind: "yarn-fair" }>;
type CapacityFile = Extract<YarnFile["scheduler"], { kind: "yarn-capacity" }>;

export const YARN: Platform = platformOf({
  name: "yarn",
  recordWords: YARN_WORDS,
  sections: SECTIONS,
  shorthands: [[/^scheduler$/, "kind"]],
  schemaWith: () => schema,
  filePlaces: () => [],
  readImports: () => ({ problems: [] }),
  problems: ({ cluster: own, workload: submitted, scheduler }) => [
    ...(scheduler === undefined ? [] : queueProblems(scheduler)),
    ...(submitted === undefined || scheduler === undefined ? [] : jobProblems(submitted.jobs, scheduler)),
    ...(submitted === undefined ? [] : totalsOf(submitted.jobs)),
    ...(submitted === undefined || own === undefined ? [] : sizeProblems(submitted.jobs, own)),
  ],
  resolve,
  words: {
    scheduler: ({ scheduler }) => `${scheduler.kind}, ${counted(scheduler.queues.length - 1, "queue")}`,
    waits: ({ scheduler }) => waitWords(scheduler),
    cluster: ({ cluster: { racks, nodes: all } }) => {
      const mb = all.reduce((sum, node) => sum + node.memory, 0);
      return `${counted(racks, "rack")}, ${counted(all.length, "node")}, ${String(mb)} MB`;
    },
    workload: ({ workload: { jobs } }) => listedJobsWords(jobs),
  },
  mayKill: ({ scheduler }) =>
    scheduler.kind === "yarn-fair" ? scheduler.settings.preempts : scheduler.settings.preemption !== null,
  build: (scenario) => Promise.resolve(new YarnRun(scenario)),
});

function waitWords(scheduler: YarnScenario["scheduler"]): string {
  if (scheduler.kind === "yarn-capacity") return `node locality delay ${String(scheduler.settings.nodeLocalityDelay)}`;
  const { isContinuous, localityDelayNodeUs, localityThresholdNode } = scheduler.settings;
  const wait = isContinuous ? localityDelayNodeUs : localityThresholdNode;
  if (wait < 0) return "no wait";
  return isContinuous ? `waits ${formatTime(wait)}` : `threshold ${String(wait)}`;
}

const ROOT = "root";

function fullName(name: string): string {
  return name === ROOT || name.startsWith(`${ROOT}.`) ? name : `${ROOT}.${name}`;
}

function parentOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(".")));
}

function namesOf({ queues }: YarnFile["scheduler"]): string[] {
  return queues === undefined ? [`${ROOT}.default`] : queues.map(({ name }) => fullName(name));
}

function leavesOf(scheduler: YarnFile["scheduler"]): string[] {
  const names = namesOf(scheduler);
  const parents = new Set(names.map(parentOf));
  return names.filter((name) => !parents.has(name));
}

function queueProblems(scheduler: YarnFile["scheduler"]): Problem[] {
  const names = namesOf(scheduler);
  const known = new Set([ROOT]);
  const problems = names.flatMap((name, i) => {
    const path = ["scheduler", "queues", i, "name"];
    if (name === ROOT || name.split(".").some((part) => part.trim() === "")) {
      return [wrong(path, `"${name}"`, "names between dots, and not the root itself")];
    }
    if (name.split(".").length > LIMITS.poolLevels) {
      return [wrong(path, "a queue too far down", `at most ${String(LIMITS.poolLevels)} levels`)];
    }
    if (known.has(name)) return [duplicate(path, "queue", name)];
    const parent = parentOf(name);
    const found = known.has(parent) ? [] : [unknownName(path, parent, [...known].slice(0, LIMITS.problems))];
    known.add(name);
    return found;
  });
  if (problems.length > 0) return problems;
  return scheduler.kind === "yarn-capacity" ? capacityProblems(scheduler) : policyProblems(scheduler);
}

function capacityProblems({ queues = [] }: CapacityFile): Problem[] {
  const sums = new Map<string, { sum: number; last: number }>();
  queues.forEach(({ name, capacity: own }, i) => {
    const parent = parentOf(fullName(name));
    sums.set(parent, { sum: (sums.get(parent)?.sum ?? 0) + own, last: i });
  });
  const uneven = [...sums].flatMap(([parent, { sum, last }]) =>
    Math.abs(sum - 100) < 0.001
      ? []
      : [
          wrong(
            ["scheduler", "queues", last, "capacity"],
            `${String(sum)} per cent in all below ${parent}`,
            "100 per cent for the queues of one parent",
          ),
        ],
  );
  const low = queues.flatMap(({ capacity: own, maximum = 100 }, i) =>
    maximum >= own
      ? []
      : [wrong(["scheduler", "queues", i, "maximum"], String(maximum), `at least its capacity ${String(own)}`)],
  );
  return [...uneven, ...low];
}

/** As YARN allows them: fifo in leaves alone, drf below drf alone. */
function policyProblems(scheduler: FairFile): Problem[] {
  const { queues = [], policy: usual = "fair" } = scheduler;
  const policyOf = new Map(queues.map(({ name, policy: own = usual }) => [fullName(name), own]));
  policyOf.set(ROOT, usual);
  const leaves = new Set(leavesOf(scheduler));
  const rootProblems =
    usual === "fifo"
      ? [wrong(["scheduler", "policy"], "fifo", "fair or drf: the root has queues, not applications")]
      : [];
  const others = queues.flatMap(({ name, policy: own = usual }, i) => {
    const path = ["scheduler", "queues", i, "policy"];
    const full = fullName(name);
    if (own === "fifo" && !leaves.has(full))
      return [wrong(path, "fifo", "fair or drf for a queue that has others below it")];
    return own === "drf" && policyOf.get(parentOf(full)) !== "drf"
      ? [wrong(path, "drf", "fair or fifo below a queue that is not drf")]
      : [];
  });
  return [...rootProblems, ...others];
}

type JobsFile = YarnFile["workload"]["jobs"];

function jobProblems(jobs: JobsFile, scheduler: YarnFile["scheduler"]): Problem[] {
  const leaves = leavesOf(scheduler);
  const known = new Set(leaves);
  const shown = leaves.slice(0, LIMITS.problems).map((name) => name.slice(ROOT.length + 1));
  const names = new Set<string>();
  return jobs.flatMap(({ name, queue = "default" }, i) => {
    const path = ["workload", "jobs", i];
    const taken = names.has(name) ? [duplicate([...path, "name"], "job", name)] : [];
    names.add(name);
    return known.has(fullName(queue)) ? taken : [...taken, unknownName([...path, "queue"], queue, shown)];
  });
}

function totalsOf(listed: JobsFile): Problem[] {
  let [jobs, tasks] = [0, 0];
  for (const { count: some = 1, maps: first, reduces: second } of listed) {
    jobs += some;
    tasks += some * (first.tasks + (second?.tasks ?? 0));
  }
  return totalProblems(["workload", "jobs"], jobs, tasks, LIMITS.heldTasks);
}

/** What fits on no node would wait for ever. */
function sizeProblems(jobs: JobsFile, file: YarnFile["cluster"]): Problem[] {
  const all = kindsOf(file);
  const mb = all.reduce((most, node) => Math.max(most, node.memory), 0);
  const cores = all.reduce((most, node) => Math.max(most, node.vcores), 0);
  return jobs.flatMap((own, i) =>
    (["master", "maps", "reduces"] as const).flatMap((part) => {
      const size = own[part];
      if (size === undefined && part !== "master") return [];
      const usual = part === "master" ? recordOf(master) : { memory: 1024, vcores: 1 };
      const { memory: wanted = usual.memory, vcores: wantedCores = usual.vcores } = size ?? {};
      const path = ["workload", "jobs", i, part];
      return [
        ...(wanted > mb
          ? [wrong([...path, "memory"], `${String(wanted)} MB`, `at most the ${String(mb)} of a node`)]
          : []),
        ...(wantedCores > cores
          ? [wrong([...path, "vcores"], String(wantedCores), `at most the ${String(cores)} of a node`)]
          : []),
      ];
    }),
  );
}

function kindsOf(file: YarnFile["cluster"]): { some: number; memory: number; vcores: number; heartbeat: number }[] {
  const { memory: mb, vcores: cores, heartbeat: every } = recordOf(cluster, file);
  const { nodes: said = 1 } = file;
  const kinds: readonly z.output<typeof nodes>[] = typeof said === "number" ? [{ count: said }] : said;
  return kinds.map((own) => ({
    some: own.count ?? 1,
    memory: own.memory ?? mb,
    vcores: own.vcores ?? cores,
    heartbeat: own.heartbeat ?? every,
  }));
}

function resolve(file: YarnFile, defaultName: string): YarnScenario {
  const { racks, heartbeat: nodeHeartbeatUs } = recordOf(cluster, file.cluster);
  const all = kindsOf(file.cluster).flatMap(({ some, heartbeat: heartbeatUs, ...size }) =>
    Array.from({ length: some }, () => ({ ...size, heartbeatUs, fromUs: 0, untilUs: Infinity })),
  );
  return {
    platform: "yarn",
    name: file.name ?? defaultName,
    why: file.why.trim(),
    cluster: { racks, nodes: all.map((node, i) => ({ rack: i % racks, ...node })) },
    workload: { kind: "jobs", jobs: file.workload.jobs.map(listedJob) },
    scheduler: file.scheduler.kind === "yarn-fair" ? fairOf(file.scheduler) : capacityOf(file.scheduler),
    runtime: { nodeHeartbeatUs, ...recordOf(runtime, file.runtime) },
    run: resolveRun(file.run),
  };
}

function listedJob(file: JobsFile[number]): ListedMapReduce {
  const { queue, user, submitUs, count: some, everyUs, slowStart } = recordOf(job, file);
  const { tasks, time: runUs, ...own } = recordOf(maps, file.maps);
  return {
    ...{ name: file.name, queue: fullName(queue), user, submitUs, count: some, everyUs, slowStart },
    master: recordOf(master, file.master),
    maps: { tasks, runUs, spread: own.spread, size: sizeOf(own), replicas: own.replicas, on: own.on },
    reduces: reducesOf(file.reduces),
  };
}

function reducesOf(file: JobsFile[number]["reduces"]): ListedTasks {
  const { tasks, time: runUs, ...own } = recordOf(reduces, file ?? { tasks: 0, time: 1 });
  return { tasks, runUs, spread: own.spread, size: sizeOf(own), replicas: 0, on: Infinity };
}

function sizeOf({ memory: mb, vcores: cores }: Readonly<Resources>): Readonly<Resources> {
  return { memory: mb, vcores: cores };
}

/** What is said, in place of what holds otherwise. */
function said<T extends object>(values: { readonly [K in keyof T]?: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

const orNone = (value: number | null | undefined): number | undefined => (value === null ? -1 : value);
const orAll = (value: number | undefined): number | undefined => (value === Infinity ? -1 : value);

function limitOf(file: z.output<typeof resources> | undefined, usual: number): Readonly<Resources> | undefined {
  return file === undefined ? undefined : { memory: file.memory ?? usual, vcores: file.vcores ?? usual };
}

function fairOf(file: FairFile): YarnScenario["scheduler"] {
  const settings: FairSettings = {
    ...FAIR_DEFAULTS,
    ...said<FairSettings>({
      policy: file.policy,
      localityThresholdNode: orNone(file.thresholdNode),
      localityThresholdRack: orNone(file.thresholdRack),
      isContinuous: file.continuous,
      localityDelayNodeUs: file.delayNode,
      localityDelayRackUs: file.delayRack,
      assignsMultiple: file.assignMultiple,
      dynamicMaxAssign: file.dynamicMaxAssign,
      maxAssign: orAll(file.maxAssign),
      preempts: file.preemption,
    }),
  };
  const queues = (file.queues ?? [{ name: "default" }]).map((own): NamedQueue<FairQueueSpec> => ({
    name: fullName(own.name),
    spec: said<FairQueueSpec>({
      weight: own.weight,
      minResources: limitOf(own.min, 0),
      maxResources: limitOf(own.max, Infinity),
      maxRunningApps: own.maxApps,
      maxAmShare: orNone(own.maxAmShare),
      policy: own.policy,
      minSharePreemptionTimeoutUs: own.minShareTimeout,
      fairSharePreemptionTimeoutUs: own.fairShareTimeout,
      fairSharePreemptionThreshold: own.fairShareThreshold,
      allowPreemptionFrom: own.preemptable,
    }),
  }));
  return { kind: file.kind, settings, queues: [{ name: ROOT, spec: {} }, ...queues] };
}

function capacityOf(file: CapacityFile): YarnScenario["scheduler"] {
  const settings: CapacitySettings = {
    ...CAPACITY_DEFAULTS,
    ...said<CapacitySettings>({
      nodeLocalityDelay: file.nodeLocalityDelay,
      rackLocalityAdditionalDelay: orAll(file.rackLocalityDelay),
      countsVcores: file.calculator === undefined ? undefined : file.calculator === "dominant",
      assignsMultiple: file.assignMultiple,
      maxAssign: orAll(file.maxAssign),
      maxOffSwitch: file.maxOffSwitch,
      preemption: file.preemption === true ? CAPACITY_PREEMPTION_DEFAULTS : undefined,
    }),
  };
  const queues = (file.queues ?? [{ name: "default", capacity: 100 }]).map((own): NamedQueue<CapacityQueueSpec> => ({
    name: fullName(own.name),
    spec: {
      capacity: own.capacity / 100,
      ...said<CapacityQueueSpec>({
        maximumCapacity: own.maximum === undefined ? undefined : own.maximum / 100,
        appOrder: own.order,
        minimumUserLimitPercent: own.minimumUserLimit,
        userLimitFactor: orNone(own.userLimitFactor),
        maxAmShare: own.maxAmShare,
        isPreemptable: own.preemptable,
      }),
    },
  }));
  return { kind: file.kind, settings, queues: [{ name: ROOT, spec: { capacity: 1 } }, ...queues] };
}
