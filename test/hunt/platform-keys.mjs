import { any, from, list, mapping, named, of, whole } from "./generators.mjs";

/** Draws scenario files of Spark and of YARN, in which any key may stand. As those of Hadoop they may not be valid. */

const brief = of("0s", "200ms", "500ms", "1s", "2s", "3s", "7s");
const length = of("1us", "300ms", "1s", "1s", "3s", "5s", "20s");
const spread = of(0, 0, 0.3, 1);
const factor = of(1, 1.3, 4);
/** What tasks take away from their data: a number, or an estimate with its range. */
const away = any(factor, mapping({ estimate: [of(1, 1.5), 1], low: [of(1), 1], high: [of(1.5, 4), 1] }));
const run = mapping({
  seed: [whole(1, 1_000_000), 1],
  until: of("end", "end", "end", "10s", "77s"),
  sample: of("1s", "10s"),
  stuckAfter: of("10m", "3h"),
});
const jobNames = of("scan", "ask", "join", "sum", "last", "more");
const file = (name) => of(name);

/** Names of the user's own that nothing else may have. */
const distinct = (names, most, item) => ({
  draw: (stream) => {
    const left = [...names];
    return Array.from({ length: 1 + stream.below(Math.min(most, names.length)) }, () => ({
      ...item.draw(stream),
      name: left.splice(stream.below(left.length), 1)[0],
    }));
  },
  paths: (prefix) => [`${prefix}[].name`, ...item.paths(`${prefix}[]`)],
});

const without = (schema, ...keys) => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties).filter(([key]) => !keys.includes(key))),
  required: (schema.required ?? []).filter((key) => !keys.includes(key)),
});

const itemsOf = (schema) => schema.items ?? schema.anyOf.find(({ items }) => items !== undefined).items;
const formOf = (schema, kind) =>
  (schema.oneOf ?? schema.anyOf).find(({ properties }) => properties.kind.const === kind);

export function sparkFile({ properties }) {
  const { applications, cluster, executors, workload, scheduler, runtime, faults } = properties;
  const stage = from(itemsOf(itemsOf(formOf(workload, "jobs").properties.jobs).properties.stages), {
    name: [of("a", "b", "c"), 0.2],
    tasks: any(whole(0, 3), whole(0, 20)),
    time: length,
    spread,
    parents: list(of("a", "b", "1", "2"), 1, 2),
    input: 0.7,
    replicas: whole(1, 3),
    on: any(of("all"), whole(1, 3)),
    barrier: 0.1,
  });
  const job = from(without(itemsOf(formOf(workload, "jobs").properties.jobs), "name"), {
    pool: of("fast", "slow", "else", "default"),
    submit: brief,
    count: whole(1, 3),
    every: brief,
    after: of("scan", "ask", "join", "sum"),
    delay: brief,
    stages: list(stage, 1, 4),
  });
  const jobs = mapping({ kind: [of("jobs"), 1], jobs: [distinct(["scan", "ask", "join", "sum", "last"], 5, job), 1] });
  const table = mapping({
    kind: [of("stages"), 1],
    file: [file("files/stages.csv"), 1],
    copied: of("recorded", "none", "heldOut"),
  });
  const hosts = distinct(
    ["a", "b", "c", "d"],
    4,
    from(without(itemsOf(cluster.properties.hosts), "name"), {
      speed: any(of(0.3, 1, 2), mapping({ low: [of(0.8, 1), 1], high: [of(1, 1.3), 1] })),
    }),
  );
  const dynamic = mapping({
    min: whole(0, 2),
    max: whole(1, 6),
    initial: whole(0, 3),
    backlog: of("1ms", "1s", "3s"),
    sustained: of("1ms", "1s"),
    idle: of("0s", "1s", "30s", "never"),
    start: brief,
  });
  const its = {
    executors: from(executors, {
      file: [file("files/executors.csv"), 0.1],
      count: [whole(1, 6), 0.6],
      cores: [whole(1, 4), 0.8],
      from: [brief, 0.1],
      until: [of("end", "7s", "30s"), 0.1],
      dynamic: [any(of(true, false), dynamic), 0.15],
    }),
    workload: any(jobs, jobs, jobs, jobs, table),
    scheduler: from(scheduler, {
      conf: [file("files/spark-defaults.conf"), 0.1],
      poolsFile: [file("files/fairscheduler.xml"), 0.1],
      version: 0.8,
      pools: distinct(
        ["fast", "slow", "default"],
        3,
        from(without(itemsOf(scheduler.properties.pools), "name"), { minShare: whole(0, 4) }),
      ),
      wait: [any(brief, mapping({ base: brief, process: brief, node: brief, rack: brief })), 0.6],
      taskCores: [of(1, 1, 2, 3), 0.2],
      maxFailures: whole(1, 3),
      speculation: any(
        of(true, false),
        mapping({ quantile: of(0, 0.5, 0.75), multiplier: of(0, 1.2, 3), minRuntime: brief }),
      ),
    }),
    faults: from(faults, {
      taskFailure: of(0, 0.05, 0.5),
      hostFailure: [named(["host-1", "a"], of(0, 0.7)), 0.3],
      executors: mapping({
        every: of("3s", "1m"),
        until: of("10s", "1m"),
        events: list(mapping({ executor: [of("1", "2", "7"), 1], at: [brief, 1] }), 1, 3),
        back: of("0s", "3s", "never"),
        blame: of(true, false),
      }),
    }),
  };
  const application = from(without(itemsOf(applications), "name"), {
    starts: brief,
    executors: [its.executors, 0.5],
    workload: [its.workload, 0.3],
    scheduler: [its.scheduler, 0.2],
    faults: [its.faults, 0.1],
  });
  return mapping({
    platform: [of("spark"), 1],
    applications: [distinct(["one", "two", "three"], 3, application), 0.2],
    faults: [its.faults, 0.3],
    cluster: [
      from(cluster, {
        cores: [whole(2, 8), 0.2],
        racks: of(0, 1, 2, 3),
        hosts: [any(whole(1, 6), hosts), 1],
        speeds: named(["host-1", "host-2", "a"], of(0.2, 2)),
      }),
      0.9,
    ],
    executors: [its.executors, 0.9],
    workload: [its.workload, 1],
    scheduler: [its.scheduler, 0.9],
    runtime: [
      from(runtime, {
        revive: of("1ms", "300ms", "1s", "7s"),
        speculationInterval: of("10ms", "100ms", "1s"),
        rackFactor: away,
        anyFactor: away,
        cachedNodeFactor: away,
        cachedAnyFactor: away,
        shuffleAnyFactor: away,
      }),
      0.7,
    ],
    run: [run, 1],
  });
}

/** Queues below queues, each once: parents before those below them. */
const TREES = [
  ["default"],
  ["default", "a"],
  ["default", "a", "a.x", "a.y"],
  ["a", "b", "default", "b.x", "b.y", "b.y.z"],
];

/** @param settingsOf what is drawn of a queue besides its name: of the tree, and its place there. */
const queueTree = (item, settingsOf) => ({
  draw: (stream) => {
    const tree = TREES[stream.below(TREES.length)];
    return tree.map((name, place) => ({
      name: stream.next() < 0.2 ? `root.${name}` : name,
      ...item.draw(stream),
      ...settingsOf(stream, tree, place),
    }));
  },
  paths: (prefix) => [`${prefix}[].name`, ...item.paths(`${prefix}[]`)],
});

const parentOf = (name) => name.slice(0, Math.max(0, name.lastIndexOf(".")));

/** Capacities of queues of one parent are 100 in all: the last has what the others leave. */
function capacityOf(_stream, tree, place) {
  const siblings = tree.filter((name) => parentOf(name) === parentOf(tree[place]));
  const each = Math.floor(100 / siblings.length / 10) * 10;
  const capacity = siblings.indexOf(tree[place]) === siblings.length - 1 ? 100 - each * (siblings.length - 1) : each;
  return { capacity };
}

export function yarnFile({ properties }) {
  const { cluster, workload, scheduler, runtime } = properties;
  const memory = of(512, 1024, 1536, 2048, 3072);
  const vcores = of(1, 1, 1, 2, 3);
  const tasks = any(whole(0, 3), whole(0, 16));
  const size = { memory, vcores };
  const listed = itemsOf(formOf(workload, "jobs").properties.jobs);
  const ofAny = {
    queue: [of("default", "default", "a", "a.x", "a.y", "b.x", "b.y.z", "root.a"), 0.6],
    user: [of("ann", "bob"), 0.5],
    submit: brief,
    count: whole(1, 3),
    every: brief,
    master: size,
    priority: whole(0, 2),
  };
  const mapReduce = from(without(listed, "name", "stages"), {
    ...ofAny,
    slowStart: of(0, 0.05, 0.5, 1),
    maps: [{ ...size, tasks, time: length, spread, replicas: whole(0, 3), on: any(of("all"), whole(1, 3)) }, 1],
    reduces: [{ ...size, tasks, time: length, spread }, 0.4],
  });
  const stage = from(without(itemsOf(listed.properties.stages), "name"), {
    ...size,
    tasks,
    time: length,
    spread,
    replicas: whole(0, 3),
    on: any(of("all"), whole(1, 3)),
    parents: list(of("a", "b", "c"), 0, 2),
    slowStart: of(0, 0.5, 1),
  });
  const graph = from(without(listed, "name", "maps", "reduces", "slowStart"), {
    ...ofAny,
    stages: [distinct(["a", "b", "c", "d"], 4, stage), 1],
  });
  const job = any(mapReduce, mapReduce, graph);
  const heartbeat = of("100ms", "300ms", "1s", "1s", "3s");
  const room = { memory: [of(2048, 4096, 8192), 0.7], vcores: [of(2, 4, 8), 0.7] };
  const limit = { memory: of(1024, 4096, 8192, 16384), vcores: of(2, 4, 16) };
  const fair = formOf(scheduler, "yarn-fair");
  const fairQueue = from(without(itemsOf(fair.properties.queues), "name"), {
    weight: of(0.5, 1, 3),
    min: [limit, 0.3],
    max: [limit, 0.2],
    maxApps: any(of("all"), whole(1, 3)),
    maxAmShare: of("off", 0.3, 0.5, 1),
    policy: of("fair", "fifo", "drf"),
    minShareTimeout: of("1s", "5s"),
    fairShareTimeout: of("1s", "5s"),
    fairShareThreshold: of(0.5, 1),
  });
  const fairOwn = {
    site: [file("files/yarn-site.xml"), 0.1],
    policy: of("fair", "drf"),
    thresholdNode: of("off", 0, 0.5, 1),
    thresholdRack: of("off", 0, 0.5, 1),
    delayNode: of("500ms", "3s"),
    delayRack: of("500ms", "3s"),
    maxAssign: any(of("all"), whole(1, 3)),
  };
  const capacity = formOf(scheduler, "yarn-capacity");
  const capacityQueue = from(without(itemsOf(capacity.properties.queues), "name", "capacity"), {
    maximum: of(50, 80, 100),
    minimumUserLimit: of(25, 50, 100),
    userLimitFactor: of("off", 0.5, 1, 4),
    maxAmShare: [of(0.3, 0.5, 1), 0.8],
  });
  const changedQueue = mapping({
    maximum: of(50, 80, 100),
    order: of("fifo", "fair"),
    minimumUserLimit: of(25, 50, 100),
    userLimitFactor: of("off", 1, 4),
    maxAmShare: of(0.3, 1),
    preemptable: of(true, false),
    preemptableWithin: of(true, false),
    capacity: [of(50, 100), 0.05],
  });
  const capacityOwn = {
    site: [file("files/yarn-site.xml"), 0.1],
    nodeLocalityDelay: of(0, 1, 5, 40),
    rackLocalityDelay: any(of("off"), whole(0, 5)),
    maxAssign: any(of("all"), whole(1, 3)),
    maxOffSwitch: whole(1, 3),
  };
  const withCapacity = queueTree(capacityQueue, capacityOf);
  return mapping({
    platform: [of("yarn"), 1],
    cluster: [
      from(cluster, {
        racks: whole(1, 3),
        nodes: [
          any(
            whole(1, 6),
            list(from(itemsOf(cluster.properties.nodes), { count: whole(1, 3), ...room, heartbeat }), 1, 3),
          ),
          1,
        ],
        ...room,
        heartbeat,
      }),
      1,
    ],
    workload: [
      mapping({
        kind: [of("jobs"), 1],
        jobs: [distinct(["scan", "ask", "join", "sum", "last"], 5, job), 1],
      }),
      1,
    ],
    scheduler: [
      any(
        from(without(fair, "allocations"), { ...fairOwn, queues: [queueTree(fairQueue, () => ({})), 0.8] }),
        from(fair, {
          ...fairOwn,
          allocations: [file("files/yarn-fair-scheduler.xml"), 1],
          queues: [named(["default", "a", "root.a.x", "b.x"], fairQueue), 0.6],
        }),
        from(without(capacity, "file"), {
          ...capacityOwn,
          queues: [
            { draw: withCapacity.draw, paths: (prefix) => [...withCapacity.paths(prefix), `${prefix}[].capacity`] },
            0.8,
          ],
        }),
        from(capacity, {
          ...capacityOwn,
          file: [file("files/yarn-capacity-scheduler.xml"), 1],
          queues: [named(["default", "a", "root.a.x"], changedQueue), 0.6],
        }),
      ),
      1,
    ],
    runtime: [
      from(runtime, {
        masterHeartbeat: heartbeat,
        rackFactor: away,
        offSwitchFactor: away,
        reducePreemption: of("1s", "5s", "5m"),
      }),
      0.7,
    ],
    run: [run, 1],
  });
}
