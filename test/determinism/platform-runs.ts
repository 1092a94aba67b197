import { createHash } from "node:crypto";
import { parseAnyScenario, platformNamed } from "../../dist/io/index.js";
import { type Placement, runScenario } from "../../dist/lab/index.js";

/** A little of everything that a platform's scenarios say, and what its compositions change. */
export interface PlatformCase {
  readonly scenario: object;
  /** Settings, each of which decides something else. */
  readonly compositions: Readonly<Record<string, readonly string[]>>;
}

/** A new rule or setting of a scheduler is entered here. */
export const PLATFORM_CASES: Readonly<Record<string, PlatformCase>> = {
  spark: {
    scenario: {
      platform: "spark",
      name: "matrix",
      cluster: { racks: 3, hosts: 6, speeds: { "host-6": 0.3 } },
      executors: { count: 7, cores: 2 },
      workload: {
        kind: "jobs",
        jobs: [
          {
            name: "report",
            stages: [
              { name: "read", tasks: 60, time: "4s", spread: 0.5, input: "hosts", replicas: 2, on: 3 },
              { name: "side", tasks: 9, time: "3s", spread: 0.3, parents: [] },
              { name: "join", tasks: 20, time: "2s", spread: 0.4, parents: ["read", "side"] },
            ],
          },
          {
            name: "query",
            pool: "fast",
            submit: "3s",
            count: 5,
            every: "4s",
            stages: [
              { name: "scan", tasks: 14, time: "700ms", spread: 0.2, input: "cached", on: 2 },
              { name: "all", tasks: 3, time: "1s", barrier: true },
            ],
          },
          { name: "last", after: "query", delay: "2s", stages: [{ tasks: 11, time: "1s", input: "hosts" }] },
        ],
      },
      runtime: { rackFactor: 1.3, anyFactor: 1.7 },
      run: { until: "2h" },
    },
    compositions: {
      "3.5": [],
      "2.4": ["scheduler.version=2.4"],
      "4.0 with copies": ["scheduler.version=4.0", "scheduler.speculation=true"],
      "the old rule, with a short wait": ["scheduler.resetOnLaunch=true", "scheduler.wait=1s"],
      "waits by level": ["scheduler.wait={process: 200ms, node: 1s, rack: 2s}"],
      "no wait": ["scheduler.wait=0s"],
      pools: ["scheduler.mode=FAIR", "scheduler.pools=[{name: fast, weight: 2, minShare: 3, mode: FAIR}]"],
      "two cores a task": ["scheduler.taskCores=2"],
      "executors that come late": ["executors.from=5s"],
      "executors that go": ["executors.until=20s", "run.until=40s"],
      "slow messages": ["runtime={launch: 50ms, report: 80ms, revive: 300ms, rackFactor: 1.3, anyFactor: 1.7}"],
      copies: ["scheduler.speculation={quantile: 0.5, multiplier: 1.2}"],
      "executors as they are needed": [
        "executors={cores: 2, dynamic: {max: 7, backlog: 500ms, idle: 2s, start: 300ms}}",
        "workload.jobs.query.stages.scan.input=hosts",
      ],
      failures: ["faults={taskFailure: 0.1, hostFailure: {host-2: 0.6}}", "scheduler.maxFailures=20"],
      "failures, with exclusion": ["faults={taskFailure: 0.1, hostFailure: {host-2: 0.6}}", "scheduler.exclusion=true"],
      "executors that are lost": ["faults={executors: {every: 20s, back: 1s}}"],
      "reduce locality": ["scheduler.reduceLocality=true"],
    },
  },
  yarn: {
    scenario: {
      platform: "yarn",
      name: "matrix",
      cluster: {
        racks: 2,
        nodes: [
          { count: 4, memory: 8192, vcores: 6 },
          { count: 2, memory: 16384, vcores: 4, heartbeat: "300ms" },
        ],
      },
      workload: {
        kind: "jobs",
        jobs: [
          {
            name: "load",
            queue: "batch",
            user: "eve",
            maps: { tasks: 60, time: "8s", spread: 0.4, memory: 2048, replicas: 2 },
            reduces: { tasks: 6, time: "9s", memory: 3072, vcores: 2 },
          },
          {
            name: "ask",
            queue: "prod.web",
            submit: "6s",
            count: 4,
            every: "7s",
            maps: { tasks: 9, time: "3s", spread: 0.2, on: 3 },
            reduces: { tasks: 2, time: "2s" },
          },
          {
            name: "learn",
            queue: "prod.ml",
            user: "bob",
            submit: "15s",
            count: 2,
            every: "0s",
            slowStart: 0.5,
            maps: { tasks: 20, time: "5s", vcores: 3, replicas: 1 },
            reduces: { tasks: 4, time: "4s", memory: 4096 },
          },
        ],
      },
      scheduler: {
        kind: "yarn-fair",
        queues: [{ name: "batch" }, { name: "prod" }, { name: "prod.web" }, { name: "prod.ml" }],
      },
      runtime: { rackFactor: 1.2, offSwitchFactor: 1.5 },
      run: { until: "2h" },
    },
    compositions: {
      fair: [],
      drf: ["scheduler.policy=drf"],
      "fifo leaves": ["scheduler.queues.batch.policy=fifo", "scheduler.queues.3.policy=fifo"],
      "weights and limits": [
        "scheduler.queues.prod={name: prod, weight: 3, min: {memory: 8192, vcores: 4}, maxApps: 3}",
        "scheduler.queues.batch.max={memory: 20480, vcores: 20}",
      ],
      thresholds: ["scheduler.thresholdNode=0.8", "scheduler.thresholdRack=0.5"],
      "many containers a heartbeat": ["scheduler.assignMultiple=true"],
      "three containers a heartbeat": [
        "scheduler.assignMultiple=true",
        "scheduler.dynamicMaxAssign=false",
        "scheduler.maxAssign=3",
      ],
      continuous: ["scheduler.continuous=true", "scheduler.delayNode=2s", "scheduler.delayRack=1s"],
      "fair with preemption": [
        "scheduler.preemption=true",
        "scheduler.queues.prod={name: prod, fairShareTimeout: 2s, fairShareThreshold: 0.9}",
      ],
      capacity: [CAPACITY()],
      "capacity by both resources": [CAPACITY("calculator: dominant")],
      "capacity without delay": [CAPACITY("nodeLocalityDelay: 0")],
      "capacity with both delays": [CAPACITY("nodeLocalityDelay: 3, rackLocalityDelay: 4")],
      "capacity, fair in leaves": [CAPACITY("", "order: fair, userLimitFactor: 3, ")],
      "capacity, one container a heartbeat": [CAPACITY("assignMultiple: false")],
      "capacity with preemption": [CAPACITY("preemption: true", "userLimitFactor: off, ")],
    },
  },
};

function CAPACITY(settings = "", leaf = ""): string {
  const more = settings === "" ? "" : `${settings}, `;
  const own = `maxAmShare: 0.5, ${leaf}`;
  const queues = [
    `{name: batch, ${own}capacity: 30}`,
    "{name: prod, capacity: 70}",
    `{name: prod.web, ${own}capacity: 50}`,
    `{name: prod.ml, ${own}capacity: 50, maximum: 80}`,
  ];
  return `scheduler={kind: yarn-capacity, ${more}queues: [${queues.join(", ")}]}`;
}

export const PLATFORM_MATRIX = Object.entries(PLATFORM_CASES).flatMap(([platform, { compositions }]) =>
  Object.keys(compositions).map((composition) => [platform, composition] as const),
);

type Parsed = ReturnType<typeof parseAnyScenario>["scenario"];

export function scenarioOf(
  platform: string,
  composition: string,
  { set = [], seed = "1" }: { readonly set?: readonly string[]; readonly seed?: string } = {},
): Parsed {
  const { scenario, compositions } = PLATFORM_CASES[platform]!;
  const settings = [...compositions[composition]!, ...set];
  return parseAnyScenario(JSON.stringify(scenario), "matrix.json", { set: settings, seed }).scenario;
}

/** Fingerprint, and a digest of all that a run leaves but what it cost. */
export async function resultOf(scenario: Parsed, placement: Placement = 0, recordTasks = true): Promise<Result> {
  const { summary, record } = await runScenario(scenario, ".", { placement, recordTasks });
  const { cost: _, ...figures } = summary;
  const text = JSON.stringify([figures, record], (_key, part: unknown) =>
    ArrayBuffer.isView(part) ? Array.from(part as Float64Array) : part,
  );
  return { fingerprint: summary.fingerprint, digest: createHash("sha256").update(text).digest("hex") };
}

export interface Result {
  readonly fingerprint: string;
  readonly digest: string;
}

/** The fingerprint of a run that is moved on in steps of so many microseconds. */
export async function inSteps(scenario: Parsed, stepUs: number): Promise<string> {
  const simulation = await platformNamed(scenario.platform)!.build!(scenario, ".");
  const { untilUs, sampleUs } = scenario.run;
  for (let us = simulation.nextUs(); us <= untilUs && us < Infinity; us = simulation.nextUs()) {
    simulation.advance(Math.min(us + stepUs, untilUs));
  }
  return simulation.finish({ untilUs, sampleUs, recordTasks: false }).facts.fingerprint;
}
