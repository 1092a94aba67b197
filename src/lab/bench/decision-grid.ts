import { SCHEDULER_KINDS } from "../../core/scheduler/kinds.js";
import type { WaitSpec } from "../../core/scenario/scenario.js";
import { PAPER_CASE, type DecisionCase } from "./decision-case.js";
import type { DecisionKind } from "./decision-kinds.js";

const NODES = [100, 1_000, 10_000, 100_000];
const JOBS = [10, 1_000, 10_000];
const NO_WAIT: WaitSpec = { kind: "none" };
/** As the paper's case, so that sizes are compared and not lengths. */
const TASKS = 200_000;
/** A large cluster must begin to fill a second time. */
const ROUNDS = 1.5;

/** The wait that a kind has where nothing is said: that of the paper's case for `hfs`, else its own. */
export function usualWait(kind: DecisionKind): WaitSpec {
  if (kind === PAPER_CASE.kind) return PAPER_CASE.wait;
  return SCHEDULER_KINDS.find(({ name }) => name === kind)?.defaultWait ?? NO_WAIT;
}

/** The same tasks in so many jobs, as many of them as it takes to keep so many nodes busy. */
function sized(changes: Partial<DecisionCase>): DecisionCase {
  const { nodes = PAPER_CASE.nodes, jobs = PAPER_CASE.jobs } = changes;
  const slots = nodes * (PAPER_CASE.mapSlots + PAPER_CASE.reduceSlots);
  const perJob = Math.max(1, Math.round(Math.max(TASKS, ROUNDS * slots) / jobs / 2));
  return { ...PAPER_CASE, maps: perJob, reduces: perJob, ...changes };
}

/** Every axis by itself around the paper's case, which comes first; then corners. */
export const DECISION_GRID: readonly DecisionCase[] = [
  PAPER_CASE,
  ...NODES.map((nodes) => sized({ nodes })),
  ...JOBS.map((jobs) => sized({ jobs, pools: Math.min(jobs, PAPER_CASE.pools) })),
  sized({ pools: 1 }),
  sized({ jobs: 1_000, pools: 1 }),
  sized({ jobs: 1_000, pools: 1_000 }),
  sized({ wait: NO_WAIT }),
  sized({ wait: { kind: "time", nodeUs: 15_000_000, rackUs: 15_000_000 } }),
  ...(["fair", "delay", "fifo"] as const).map((kind) => sized({ kind, wait: usualWait(kind) })),
  sized({ kind: "fair", wait: PAPER_CASE.wait }),
  sized({ kind: "fifo", wait: PAPER_CASE.wait }),
  sized({ tasksPerHeartbeat: 1 }),
  sized({ updateIntervalUs: 0 }),
  sized({ nodes: 620, mapSlots: 5, reduceSlots: 5 }),
  sized({ nodes: 100, jobs: 10, pools: 1 }),
  sized({ nodes: 100, jobs: 10_000, pools: 1_000 }),
  sized({ nodes: 100_000, jobs: 10, pools: 1 }),
  // Each task costs a thousand looks at jobs with nothing on the node.
  sized({ nodes: 100_000, jobs: 10_000, pools: 1_000, assignments: 30_000 }),
  sized({ jobs: 10_000, pools: 1_000, wait: NO_WAIT }),
];
