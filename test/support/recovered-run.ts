import { expect } from "vitest";
import type { Recovery, FaultInjection } from "../../dist/actors/index.js";
import type { Scenario } from "../../dist/core/scenario/index.js";
import type { Workload } from "../../dist/core/workload/index.js";
import { type Progress, collectRecord, simulate, summarise } from "../../dist/lab/index.js";

export interface Example {
  readonly scenario: Scenario;
  readonly workload: Workload;
}

export interface RecoveredRun {
  /** Everything that a run gives, but what it cost. */
  readonly found: object;
  readonly stoppedUs: number;
  readonly recoveries: readonly Recovery[];
}

const NO_COST = {
  placement: "",
  threads: 0,
  placementReason: "",
  wallSeconds: 0,
  cpuSeconds: 0,
  tasksPerCpuSecond: 0,
  peakMemoryMiB: 0,
  heartbeatsProcessed: 0,
  frames: 0,
  frameBytes: 0,
};

/** Runs it to its end on threads that are replaced when they die; or, with 0 threads, without any. */
export async function recoveredRun(
  { scenario, workload }: Example,
  threads: number,
  slices: number,
  faultInjections: readonly FaultInjection[] = [],
  { onProgress, ownRacks }: { onProgress?: (progress: Progress) => void; ownRacks?: number | undefined } = {},
): Promise<RecoveredRun> {
  const recoveries: Recovery[] = [];
  const onRecovery = (recovery: Recovery): unknown => recoveries.push(recovery);
  const options = { threads, slices, recordTasks: true, faultInjections, onRecovery, onProgress, ownRacks };
  const run = await simulate(scenario, workload, options);
  expect(run.recoveries).toBe(recoveries.length);
  const record = collectRecord(run.master.master, run.stoppedUs);
  const summary = summarise(scenario, run, record, NO_COST);
  return {
    found: { summary, record },
    stoppedUs: run.stoppedUs,
    recoveries,
  };
}
