import type { BenchReport } from "../../experiments/bench-report.js";
import type { BenchOptions } from "./bench-options.js";
import { benchMachine } from "./machine.js";
import {
  type CaseFigures,
  measureCases,
  onlyCases,
  ratiosOf,
  rowOf,
  RUN_COLUMNS,
  runSetup,
  type SimulatedCase,
} from "./simulated-cases.js";

const RUNS = 3;

const ACTIVE = "1,000 jobs always active, inline";

const USERS = 20;

const SIZES = 20;

const SIZE_STEP = 20;

/** Fewer than 1,000: until the first of them end, more come. */
const AT_START = 800;

const MAP_SECONDS = 19;

/** Slots of the cluster of facebook-day.yaml. */
const MAP_SLOTS = 3100;

/** From launch to launch in a slot: up to the heartbeat after the end, and longer where the block is elsewhere. As measured. */
const SLOT_SECONDS = 22.1;

const CASES: readonly SimulatedCase[] = [
  { name: "Facebook day, inline", scenario: "facebook-day", placement: 0 },
  { name: "Facebook day, 2 threads", scenario: "facebook-day", placement: 2 },
  { name: "Facebook day, thread per rack", scenario: "facebook-day", placement: "rack" },
  { name: "Facebook day, fifo, inline", scenario: "facebook-day", set: ["scheduler=fifo"], placement: 0 },
  { name: ACTIVE, scenario: "always-active", text: alwaysActiveScenario(), placement: 0 },
];

/** `bide bench day`. */
export async function benchDay(options: BenchOptions): Promise<BenchReport> {
  const { runs = RUNS, only } = options;
  const figures = await measureCases(onlyCases(CASES, only), { ...options, runs });
  return {
    bench: "day",
    question: "what does a whole run cost, by where the racks are?",
    setup: {
      "Facebook day":
        "scenarios/facebook-day.yaml: 620 nodes, 3,100 map and 3,100 reduce slots, hfs with both waits, light model",
      "1,000 jobs":
        "the same cluster full for two hours: 20 users, jobs of 20 to 400 maps of 19 s, as many as it can do",
      ...runSetup({ ...options, runs }),
    },
    machine: benchMachine(),
    columns: RUN_COLUMNS,
    rows: figures.map(rowOf),
    ratios: ratiosOf(figures, [
      ["wall time, 2 threads to inline", CASES[1].name, CASES[0].name, (run) => run.process.wallSeconds],
      ["wall time, a thread per rack to inline", CASES[2].name, CASES[0].name, (run) => run.process.wallSeconds],
    ]),
    notes: figures.filter((one) => one.case.name === ACTIVE).map(activity),
  };
}

function activity({ activeJobs, pendingMaps }: CaseFigures): string {
  const jobs = activeJobs.toFixed(0);
  return `always active: ${jobs} jobs with work, and ${(pendingMaps / activeJobs).toFixed(0)} maps of each that wait, mean over time`;
}

/**
 * A scenario in which about 1,000 jobs have maps to launch all the time, for two hours: the cluster of facebook-day.yaml, 20
 * users, jobs of 20 to 400 maps of 19 s. As many come as the cluster can do, evenly spaced; those at the start
 * are as far done as they would be after long.
 */
export function alwaysActiveScenario(): string {
  const meanMaps = (SIZE_STEP * (SIZES + 1)) / 2;
  const jobsPerSecond = MAP_SLOTS / SLOT_SECONDS / meanMaps;
  const jobs = users().flatMap((user) =>
    sizes().flatMap((size) => [atStart(user, size), later(user, size, jobsPerSecond)]),
  );
  return `name: always-active
cluster: {racks: 31, nodesPerRack: 20, mapSlots: 5, reduceSlots: 5, heartbeat: 3s}
workload:
  kind: jobs
  jobs:
${jobs.join("\n")}
scheduler: {kind: hfs, wait: {node: 10s, rack: 5s}}
run: {until: 2h, sample: 10s}
`;
}

function users(): number[] {
  return [...Array(USERS).keys()];
}

function sizes(): number[] {
  return [...Array(SIZES).keys()];
}

/** Where jobs of all sizes share alike, what is left of them falls linearly from none to the largest size. */
function atStart(user: number, size: number): string {
  const all = (SIZES * (SIZES + 1)) / 2;
  const count = Math.max(1, Math.round(((AT_START / USERS) * (SIZES - size)) / all));
  return entryOf(user, size, `s${String(size)}`, 0, count, 1);
}

/** Users in turn, each with all sizes in turn; 13 is prime to 20, so that large and small ones alternate. */
function later(user: number, size: number, jobsPerSecond: number): string {
  const turn = ((size * 13) % SIZES) * USERS + user;
  const gapMs = Math.round((1000 * USERS * SIZES) / jobsPerSecond);
  const atMs = Math.round((1000 * (turn + 1)) / jobsPerSecond);
  return entryOf(user, size, `l${String(size)}`, atMs, Math.ceil(7_200_000 / gapMs), gapMs);
}

function entryOf(user: number, size: number, name: string, atMs: number, count: number, everyMs: number): string {
  const words = [
    `name: u${String(user)}${name}, user: u${String(user)}, maps: ${String(SIZE_STEP * (size + 1))}`,
    `mapTime: ${String(MAP_SECONDS)}s, at: ${String(atMs)}ms, count: ${String(count)}, every: ${String(everyMs)}ms`,
  ];
  return `    - {${words.join(", ")}}`;
}
