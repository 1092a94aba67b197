import { SCHEDULER_KINDS } from "../../dist/core/scenario/index.js";
import { platformJsonSchema } from "../../dist/io/index.js";
import { any, from, list, mapping, named, of, whole } from "./generators.mjs";
import { sparkFile, yarnFile } from "./platform-keys.mjs";

/**
 * Draws scenario files in which any key may stand. What does not go together is not known here: whoever draws takes out
 * what the reader refuses. A generator has `draw(stream)` and `paths(prefix)`, the keys that it knows.
 */

const SCHEMA = platformJsonSchema("hadoop");
const flag = of(true, false);
const share = of(0, 0.1, 0.3, 0.5, 0.8, 1);
const users = ["ann", "bob", "eve"];
const pools = ["ads", "web", "etl", "ann"];
const brief = of("0s", "200ms", "500ms", "1s", "2s", "3s", "7s");
const positive = of("1ms", "200ms", "500ms", "1s", "2s", "3s", "7s", "20s");
const file = (name) => of(name);

/** What cases have of a node, at most. */
const node = {
  mapSlots: 0.6,
  reduceSlots: 0.6,
  diskSpace: of("1GB", "10GB", "100GB", "unlimited"),
};
const CLUSTER = SCHEMA.properties.cluster;
const racks = (row) =>
  from(CLUSTER.properties.racks, {
    ...node,
    name: 0.1,
    count: whole(1, 2),
    nodes: [{ ...node, count: whole(1, 2) }, 0.7],
    row,
  });

const cluster = from(CLUSTER, {
  ...node,
  // A row for all racks, or for none.
  racks: [any(racks(0), racks([of("x", "y"), 1])), 1],
  nodesPerRack: [whole(1, 3), 1],
  heartbeat: 0.9,
});

const every = of("1s", "5s", "20s");

const storage = from(SCHEMA.properties.storage, {
  blockSize: of("1MB", "64MB", "128MB"),
  hotSpots: { redraw: of("1s", "20s", "never") },
  dataSet: { size: of("100MB", "3GB"), redraw: of("5s", "never") },
  nodeCache: of("50MB", "150MB", "1GB"),
  dynamicReplication: { every, step: of(0.01, 0.2), maxReplicas: of(1, 2, 4, "nodes") },
});

const longTasks = mapping({ share: [share, 1], factor: [of(2, 10), 1], of: of("jobs", "tasks") });
const bytes = of("0B", "1MB", "30MB", "200MB");

const jobShape = {
  name: [of("scan", "ask", "join"), 0.1],
  at: of("0s", "1s", "5s", "10s", "30s"),
  spread: of(0, 0.3, 1, "exponential"),
  deadline: of("5s", "1m"),
  user: [of(...users), 0.7],
  pool: [of(...pools), 0.4],
  priority: of("very-low", "low", "normal", "high", "very-high"),
  maps: [whole(0, 14), 1],
  mapTime: [of("1us", "300ms", "1s", "3s", "5s", "20s"), 0.8],
  reduces: [whole(0, 5), 0.6],
  copyTime: [brief, 0.5],
  reduceTime: [positive, 0.5],
  file: of("clicks", "views"),
  count: whole(1, 4),
  gaps: of("even", "exponential"),
  longTasks: [longTasks, 0.15],
  mapInput: bytes,
  mapOutput: bytes,
  reduceOutput: bytes,
  cacheFile: of("model", "table"),
  cacheSize: [of("10MB", "100MB"), 0.1],
  mapMemory: of("0B", "1GB", "2GB"),
  reduceMemory: of("0B", "1GB", "2GB"),
  ioShare: share,
};

/** Jobs that come by the clock, and those of users who wait. */
const job = any(
  mapping({ ...jobShape, every: of("0s", "500ms", "3s") }),
  mapping({ ...jobShape, think: [of("0s", "1us", "2s"), 1] }),
);

const jobs = mapping({ kind: [of("jobs"), 1], jobs: [list(job, 1, 6), 1] });
const workload = any(
  jobs,
  jobs,
  jobs,
  mapping({
    kind: [of("facebook"), 1],
    jobs: [whole(1, 9), 1],
    span: [of("1s", "20s", "2m"), 1],
    users: [any(whole(1, 4), named(users, of(1, 5))), 1],
    pools: [named(pools, of(1, 3)), 0.3],
    timeScale: [of(0.02, 0.1, 0.3), 1],
    longTasks,
  }),
  mapping({
    kind: [of("swim"), 1],
    file: [file("../data/swim-small.tsv"), 1],
    timeScale: of(1, 20),
    bytesPerMap: [of("64MB", "1GB"), 0.5],
    bytesPerReduce: of("100MB", "1GB"),
    mapRate: of("16MB", "64MB"),
    shuffleRate: of("16MB", "64MB"),
    reduceRate: of("8MB", "64MB"),
    taskOverhead: brief,
    maxMaps: [of(1, 5, 20), 1],
    maxReduces: [of(0, 2, 6), 1],
    users: any(whole(1, 4), named(users, of(1, 5))),
    pools: [named(pools, of(1, 3)), 0.3],
    lenient: flag,
  }),
  mapping({
    kind: [of("benchmark"), 1],
    meanGap: [of("100ms", "1s"), 1],
    mapTime: [of("500ms", "2s"), 1],
    mapSigma: of(0, 0.2, 1),
    repeat: [of(1, 2), 0.1],
    maxMaps: [of(1, 2, 3), 1],
    bins: [
      list(
        mapping({
          count: [whole(1, 3), 1],
          maps: [whole(1, 4), 1],
          mapTime: of("500ms", "2s"),
          reduces: of(0, 1, 3),
          copyTime: brief,
          reduceTime: of("500ms", "3s"),
          mapOutput: bytes,
          ioShare: share,
        }),
        1,
        3,
      ),
      0.3,
    ],
    ioShare: share,
    longTasks,
  }),
  mapping({ kind: [of("tasks"), 1], file: [file("../data/tasks-small.csv"), 1], lenient: flag }),
);

const skips = of(0, 1, 5, 30);
const wait = any(
  of("none", "auto"),
  mapping({ node: brief, rack: brief, row: brief }),
  mapping({ nodeSkips: skips, rackSkips: skips, rowSkips: skips }),
  mapping({ nodeFraction: share, rackFraction: share, rowFraction: share }),
);

const mode = of("fair", "fifo");
const most = of(1, 2, 4, "unlimited");
const timeout = of("0s", "1s", "5s", "20s", "never");
const poolShape = {
  weight: of(0.5, 2, 10),
  minMaps: whole(0, 4),
  minReduces: whole(0, 3),
  maxMaps: most,
  maxReduces: most,
  maxJobs: most,
  minShareTimeout: timeout,
  fairShareTimeout: timeout,
  mode,
};
/** Pools in pools have the keys of pools. */
const innerPool = { draw: named(["x", "y"], mapping(poolShape)).draw, paths: () => [] };
const poolsForm = any(
  named(pools, mapping({ ...poolShape, pools: [innerPool, 0.1] })),
  list(mapping({ name: [of(...pools), 1], ...poolShape, pools: [innerPool, 0.1] }), 1, 3),
);
const rule = of("specified", "user", "primaryGroup", "secondaryGroupExistingPool", "default", "reject");
const allocationsShape = {
  pools: [poolsForm, 0.5],
  users: named(users, mapping({ maxJobs: [most, 1] })),
  poolMaxJobs: most,
  userMaxJobs: most,
  minShareTimeout: timeout,
  fairShareTimeout: timeout,
  defaultMode: mode,
  placement: list(any(rule, mapping({ rule: [rule, 1], create: flag })), 1, 3),
};
const allocations = any(file("files/fair-scheduler.xml"), mapping(allocationsShape));
const innerKind = of("fifo", "fair", "delay", "hfs");
const inner = any(innerKind, mapping({ kind: [innerKind, 0.8], wait }));
const perBeat = of(1, 2, "all");
const minFree = whole(0, 2);
const answers = { refuseFor: of("0s", "1s", "5s"), answerAfter: of("0s", "500ms", "2s") };
const queue = {
  maximumCapacity: of(50, 100, "unlimited"),
  supportsPriority: flag,
  minimumUserLimitPercent: of(25, 50, 100),
  userLimitFactor: of(0.5, 1, 2),
  maximumInitializedJobsPerUser: of(1, 2, "unlimited"),
};

const SCHEDULER = SCHEMA.properties.scheduler.anyOf.find(({ properties }) => properties !== undefined).properties;

/** The keys of the kind that is drawn are nearly always there; those of others are refused, and taken out. */
const scheduler = mapping({
  kind: [of(...SCHEDULER_KINDS.map(({ name }) => name), "hfs", "hfs"), 1],
  rules: of("paper", "0.21", "1.2", "branch-1"),
  wait: [wait, 0.5],
  tasksPerHeartbeat: perBeat,
  mapsPerHeartbeat: perBeat,
  reducesPerHeartbeat: perBeat,
  updateInterval: of("0s", "250ms", "500ms", "3s"),
  preference: of("input", "cache"),
  longTasks: from(SCHEDULER.longTasks, { over: of("1s", "5s"), overMean: of(0.5, 2), slack: of(0, 1) }),
  countsThisHeartbeat: flag,
  loadCap: any(of("off"), mapping({ maxDiff: share })),
  preemption: [any(of("off", "log", "kill"), mapping({ mode: [of("kill", "log"), 1], interval: brief })), 0.5],
  sizeBasedWeight: flag,
  weightBooster: from(SCHEDULER.weightBooster, { factor: of(0.5, 3), duration: of("5s", "1m") }),
  poolBy: of("pool", "user", "default"),
  undeclaredPools: flag,
  strict: of(false),
  groups: named(users, list(of(...pools), 1, 3)),
  quincy: [from(SCHEDULER.quincy, { rackCost: of(0, 1), coreCost: of(0, 2), solveEvery: of("0s", "1s") }), 0.8],
  ...allocationsShape,
  allocations: [allocations, 0.15],
  dsfs: [from(SCHEDULER.dsfs, { t1: brief, t2: brief }), 0.8],
  reloads: list(mapping({ at: [of("2s", "10s", "30s"), 1], allocations: [allocations, 1] }), 1, 2),
  capacity: [
    mapping({
      rule: of("hadoop", "asPrinted"),
      runningJobs: of("ready", "launched"),
      userLimits: of("hard", "soft"),
      countedUsers: of("active", "submitted"),
      initializedJobs: of("unlaunched", "unfinished"),
      undeclaredQueues: of("default", "refuse"),
      file: [file("files/capacity-scheduler.xml"), 0.1],
      queues: [
        any(list(mapping({ name: [of("default"), 1], capacity: [of(100), 1], ...queue }), 1, 1), {
          // Parts of the cluster that make a whole.
          draw: (stream) =>
            ["default", "ads", "ann"].map((name, at) => ({
              ...mapping(queue).draw(stream),
              name,
              capacity: [50, 30, 20][at],
            })),
          paths: () => [],
        }),
        0.7,
      ],
    }),
    0.8,
  ],
  partition: [
    mapping({
      by: of("pool", "user"),
      deal: of("striped", "contiguous"),
      weights: named([...users, ...pools], of(0.5, 2)),
      inner,
    }),
    0.8,
  ],
  offers: [
    mapping({
      by: of("pool", "user"),
      inner,
      ...answers,
      rescindAfter: of("1s", "5s", "never"),
      frameworks: named(
        users,
        mapping({
          weight: of(0.5, 2),
          priority: whole(0, 1),
          inner,
          ...answers,
          nodes: list(mapping({ rack: [of("0", "1"), 1], node: whole(0, 1) }), 1, 2),
          minFreeMaps: minFree,
          minFreeReduces: minFree,
        }),
      ),
    }),
    0.8,
  ],
});

const rate = { every: of("20s", "2m"), for: of("2s", "20s"), until: [of("1m", "10m", "end"), 0.9] };
const rare = of(0, 0.1, 0.4);

const faults = from(SCHEMA.properties.faults, {
  events: {
    rack: of("0", "1"),
    node: whole(0, 1),
    at: of("1s", "5s", "20s", "1m"),
    for: [of("1s", "10s", "1m", "ever"), 0.8],
  },
  rates: { crash: rate, switch: rate, slowDisk: rate, slowNode: rate },
  mapFailure: rare,
  reduceFailure: rare,
});

const runtime = from(SCHEMA.properties.runtime, {
  model: 0.7,
  jobSetup: 0.8,
  jobCleanup: 0.6,
  attempts: { trackerExpiry: [of("5s", "20s", "1m"), 0.8] },
});

const run = mapping({
  seed: [whole(1, 1_000_000), 1],
  until: of("end", "end", "10s", "77s", "10m"),
  sample: of("1s", "10s"),
  stuckAfter: of("20s", "2m", "10m", "never"),
});

const SECTIONS = {
  cluster: [cluster, 1],
  storage: [storage, 0.6],
  workload: [workload, 1],
  scheduler: [scheduler, 0.9],
  runtime: [runtime, 0.7],
  faults: [faults, 0.4],
  run: [run, 1],
  // Last, so that what is drawn before it stays as it was.
  platform: [of("hadoop"), 0.5],
};

/** Keys that a run does not heed, and the options of plugins, which the plugin knows. */
const LEFT_OUT = [
  ...[/^\.\$schema$/, /^\.name$/, /^\.why$/, /^\.compare(?![a-zA-Z])/, /^\.scheduler\.options/],
  // Changes to a file, and no file is drawn.
  /^\.scheduler\.reloads\[\]\.(?!at$|allocations)/,
];

/** By platform: its JSON Schema, and what draws its scenario files. */
const PLATFORMS = {
  hadoop: { schema: SCHEMA, file: mapping(SECTIONS) },
  spark: drawnBy(sparkFile, platformJsonSchema("spark")),
  yarn: drawnBy(yarnFile, platformJsonSchema("yarn")),
};

export const PLATFORM_NAMES = Object.keys(PLATFORMS);

function drawnBy(fileOf, schema) {
  return { schema, file: fileOf(schema) };
}

/** A scenario file of the platform, which may not be valid. */
export const drawFile = (stream, platform = "hadoop") => PLATFORMS[platform].file.draw(stream);

/** The keys that are drawn. */
export function drawnKeys(platform = "hadoop") {
  return new Set(PLATFORMS[platform].file.paths(""));
}

/** The keys of the schema that have to be drawn: mappings by `.key`, lists by `[]`, names of the user's own by `.*`. */
export function schemaKeys(platform = "hadoop") {
  const { schema } = PLATFORMS[platform];
  const keys = new Set();
  const visit = (part, path, seen) => {
    if (part.$ref !== undefined) {
      if (seen.includes(part.$ref)) return;
      const name = part.$ref.split("/").at(-1);
      return visit(schema.definitions[name], path, [...seen, part.$ref]);
    }
    for (const form of [...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? [])]) visit(form, path, seen);
    if (part.items !== undefined) visit(part.items, `${path}[]`, seen);
    if (typeof part.additionalProperties === "object") visit(part.additionalProperties, `${path}.*`, seen);
    for (const [key, value] of Object.entries(part.properties ?? {})) {
      keys.add(`${path}.${key}`);
      visit(value, `${path}.${key}`, seen);
    }
  };
  visit(schema, "", []);
  return new Set([...keys].filter((key) => !LEFT_OUT.some((pattern) => pattern.test(key))));
}

/** The keys that stand in a file. */
export function keysOf(tree, known, path = "") {
  if (Array.isArray(tree)) return tree.flatMap((item) => keysOf(item, known, `${path}[]`));
  if (typeof tree !== "object" || tree === null) return [];
  return Object.entries(tree).flatMap(([key, value]) => {
    const at = known.has(`${path}.${key}`) ? `${path}.${key}` : `${path}.*`;
    return [at, ...keysOf(value, known, at)];
  });
}
