import { describe, expect, it } from "vitest";
import { buildScheduler } from "../../../dist/core/scheduler/build-scheduler.js";
import {
  type DecisionColumns,
  DecisionLog,
  DECISIONS,
  LOGGED_KINDS,
} from "../../../dist/core/scheduler/decision-log.js";
import { explainWait, isWhole } from "../../../dist/report/explain-report.js";
import { simulateActually } from "../../support/actual-simulation.js";
import { capacityCases } from "../../support/random-capacity.js";
import { crowdedCases, dsfsCases, type RandomCase } from "../../support/random-scenarios.js";
import { firstDifference, type RunRecords } from "../../support/run-records.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../../support/search.js";

const FILE = "test/property/scheduler/decision-log.test.ts";

const LEVELS = ["node", "rack", "off-rack", null, "row"];

type Rows = Parameters<typeof explainWait>[2];

/** The rows of each job, as explain reads them back. */
function rowsByJob(log: DecisionColumns, jobs: number): Rows[] {
  const rows: Rows[number][][] = Array.from({ length: jobs }, () => []);
  const value = (number: number): number | null => (number < 0 ? null : number);
  for (let i = 0; i < log.rows; i++) {
    rows[log.job[i]].push({
      job: log.job[i],
      fromUs: log.fromUs[i],
      toUs: log.toUs[i],
      reason: DECISIONS[log.decision[i]],
      opportunities: log.count[i],
      level: log.level[i] < 0 ? null : LEVELS[log.level[i]],
      node: value(log.node[i]),
      takenBy: value(log.takenBy[i]),
    });
  }
  for (const own of rows) own.sort((a, b) => a.fromUs - b.fromUs || a.toUs - b.toUs);
  return rows;
}

/** What explain says against what the records of the run and the bare rows say, counted instant by instant of change. */
function problemOf({ workload }: RandomCase, run: RunRecords, log: DecisionColumns): string | null {
  const rows = rowsByJob(log, workload.jobs.length);
  for (const [job, spec] of workload.jobs.entries()) {
    const launches = run.records.filter((one) => one.what === "launch" && one.type === "map" && one.job === job);
    const logged = rows[job].filter(({ reason }) => reason === "launch").map((row) => [row.fromUs, row.node]);
    const told = launches.slice(0, 1).map(({ atUs, node }) => [atUs, node]);
    if (JSON.stringify(logged) !== JSON.stringify(told)) return `first launch of job ${String(job)}`;
    if (launches.length === 0) continue;
    const ready = rows[job].find(({ reason }) => reason === "ready")?.fromUs ?? NaN;
    const asked: [number | null, number, number][] = [[null, spec.submitAtUs, launches[0].atUs]];
    for (const { task, atUs, attempt } of launches) if (attempt === 0) asked.push([task, ready, atUs]);
    for (const [task, fromUs, toUs] of asked) {
      const who = { job, name: spec.name, pool: spec.pool, submitUs: spec.submitAtUs };
      const wait = explainWait(
        who,
        task === null ? null : { task, launchUs: toUs },
        rows[job],
        (rank) => workload.jobs[rank].pool,
      );
      const what = `job ${String(job)} map ${String(task)}`;
      if (wait?.fromUs !== fromUs || wait.toUs !== toUs) return `${what}: ${JSON.stringify(wait)}`;
      if (!isWhole(wait)) return `${what}: shares do not sum to ${String(wait.waitUs)}: ${JSON.stringify(wait)}`;
      const problem = recounted(rows[job], fromUs, toUs, wait.shares);
      if (problem !== null) return `${what}: ${problem}`;
    }
  }
  return null;
}

/** Cuts the wait at every instant that some row names, and asks of each piece which rows cover it: one must. */
function recounted(
  rows: Rows,
  fromUs: number,
  toUs: number,
  shares: readonly { reason: string; us: number }[],
): string | null {
  const edges = [...new Set(rows.flatMap((row) => [row.fromUs, row.toUs]).concat(fromUs, toUs))];
  const cuts = edges.filter((atUs) => atUs >= fromUs && atUs <= toUs).sort((a, b) => a - b);
  const sums: Record<string, number> = {};
  for (let i = 1; i < cuts.length; i++) {
    const covering = rows.filter((row) => row.fromUs <= cuts[i - 1] && row.toUs >= cuts[i]);
    if (covering.length !== 1) return `${String(covering.length)} rows from ${String(cuts[i - 1])}`;
    const { reason } = covering[0];
    sums[reason] = (sums[reason] ?? 0) + cuts[i] - cuts[i - 1];
  }
  const told: Record<string, number> = {};
  for (const { reason, us } of shares) if (us > 0) told[reason] = (told[reason] ?? 0) + us;
  const text = (of: Record<string, number>): string => JSON.stringify(Object.entries(of).sort());
  return text(told) === text(sums) ? null : `explained ${text(told)}, counted ${text(sums)}`;
}

/** Jobs on few nodes that kill instead of waiting for slots. */
const killCases = crowdedCases.map((example) => {
  const { scenario } = example;
  const preemption = { mode: "off" as const, intervalUs: 1 };
  const scheduler = { ...scenario.scheduler, kind: "kill", preemption, reloads: [] };
  return { ...example, scenario: { ...scenario, scheduler } };
});

const ALWAYS = ["setup", "offer", "slot", "busy", "ready", "launch"];

describe("the decision log", () => {
  it.each([
    ["pools, waits, limits, kills and faults", crowdedCases, ["locality", "limit", "max"]],
    ["DSFS", dsfsCases, ["locality"]],
    ["queues, their users and their limits", capacityCases, ["locality", "limit", "max", "user"]],
    ["kills in place of waits", killCases, ["locality"]],
  ])(
    "changes no run, and its shares sum to the waits: %s",
    async (_, cases, reasons) => {
      const seen = new Map<string, number>();
      await searchForProblem(FILE, cases, 300, async (example) => {
        if (!LOGGED_KINDS.includes(example.scenario.scheduler.kind)) return null;
        const log = new DecisionLog();
        const run = await simulateActually(example, log.build);
        const other = firstDifference(await simulateActually(example, buildScheduler), run);
        if (other !== null) return other;
        const columns = log.columns(Math.max(0, ...run.records.map(({ atUs }) => atUs)));
        for (const code of columns.decision) seen.set(DECISIONS[code], (seen.get(DECISIONS[code]) ?? 0) + 1);
        return problemOf(example, run, columns);
      });
      for (const reason of [...ALWAYS, ...reasons]) expect(seen.get(reason) ?? 0, reason).toBeGreaterThan(0);
    },
    SEARCH_TIMEOUT_MS,
  );
});
