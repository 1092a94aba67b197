import type { Topology } from "../cluster/topology.js";
import type { JobTable } from "../jobs/job-table.js";
import { namedPools, Sampler } from "../metrics/sampler.js";
import type { SchedulerSpec } from "../scenario/scenario.js";
import type { BuiltScheduler } from "../scheduler/built-scheduler.js";
import { RULES } from "../scheduler/rules.js";
import type { Workload } from "../workload/job.js";

/** What samples jobs and pools: the scheduler's own pools, or, where it has none, those that jobs name. */
export function buildSampler(
  spec: SchedulerSpec,
  workload: Workload,
  jobs: JobTable,
  topology: Topology,
  { pools, hasPools, isHeldBack }: BuiltScheduler,
): Sampler {
  const slots: [number, number] = [topology.totalMapSlots, topology.totalReduceSlots];
  if (!hasPools) return new Sampler(jobs, topology, namedPools(spec, workload, jobs, slots));
  const { scalesMinShares } = RULES[spec.rules];
  return new Sampler(jobs, topology, { pools, poolOf: (job) => jobs.pool[job], isHeldBack, scalesMinShares });
}
