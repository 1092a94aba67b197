import { expect } from "vitest";
import { decisionColumns, LAUNCH } from "../../dist/core/record/index.js";
import { YARN_LEVELS, YARN_WAITS, type YarnCluster, YarnSimulation } from "../../dist/core/platforms/yarn/index.js";
import { explainJob, isWhole } from "../../dist/report/index.js";

/** A row of the log; times in microseconds, null: nobody says. */
export interface WaitTold {
  readonly stage: number | null;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly count: number;
  readonly level: string | null;
  readonly by: number | null;
  readonly reached: number | null;
  readonly bound: number | null;
}

/** What the log has of each job, which must be whole; and the fingerprint must be that of a run without it. */
export function waitsOf(
  cluster: YarnCluster,
  untilUs?: number,
): { readonly rows: WaitTold[][]; readonly ends: number[] } {
  const simulation = new YarnSimulation(cluster, "1");
  const log = simulation.logWaits();
  const record = simulation.run(untilUs);
  expect(record.fingerprint).toBe(new YarnSimulation(cluster, "1").run(untilUs).fingerprint);
  const columns = decisionColumns(
    [log],
    record.endedUs,
    (of) => of,
    (of, stage) => cluster.applications[of]!.stages[stage]!.name,
  );
  const known = (value: number): number | null => (value < 0 ? null : value);
  const rows: WaitTold[][] = cluster.applications.map(() => []);
  for (let at = 0; at < columns.rows; at++) {
    rows[columns.job[at]!]!.push({
      stage: known(columns.stages!.stage[at]!),
      from: columns.fromUs[at]!,
      to: columns.toUs[at]!,
      reason: columns.reasons[columns.decision[at]!]!,
      count: columns.count[at]!,
      level: YARN_LEVELS[columns.level[at]!] ?? null,
      by: known(columns.takenBy[at]!),
      reached: known(columns.stages!.reached[at]!),
      bound: known(columns.stages!.bound[at]!),
    });
  }
  record.jobs.forEach(({ submittedUs, endedUs }, job) => {
    if (submittedUs >= 0) expectWhole(rows[job]!, submittedUs, endedUs < 0 ? record.endedUs : endedUs);
  });
  return { rows, ends: record.jobs.map(({ endedUs }) => endedUs) };
}

/** The parts of a job's time are its time, and a stage is in one state at every instant. */
function expectWhole(rows: readonly WaitTold[], submitUs: number, endUs: number): void {
  const job = { job: 0, name: "a", group: "root.a", submitUs, endUs };
  const asRead = rows.map(({ stage, from, to, reason, count, level, by, reached, bound }) => ({
    job: 0,
    stage,
    stageName: stage === null ? null : "s",
    fromUs: from,
    toUs: to,
    reason,
    opportunities: count,
    level,
    takenBy: by,
    freeUs: 0,
    reached,
    bound,
  }));
  const explained = explainJob(job, asRead, YARN_WAITS);
  expect({ isWhole: isWhole(explained.shares, explained.us), us: explained.us }).toEqual({
    isWhole: true,
    us: endUs - submitUs,
  });
  for (const stage of new Set(rows.map((row) => row.stage))) {
    const waits = rows.filter((row) => row.stage === stage && row.reason !== LAUNCH);
    waits.slice(1).forEach(({ from }, at) => {
      expect(from).toBe(waits[at]!.to);
    });
  }
}
