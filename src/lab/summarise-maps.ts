import { LEVELS, NO_INPUT, NODE_LOCAL, OFF_RACK, ROW_LOCAL } from "../core/jobs/nearness.js";
import { US_PER_SECOND } from "../core/kernel/time.js";
import type { Master } from "../core/master/master.js";
import type { MovedSummary, WaitSummary } from "../core/metrics/summary.js";
import type { WaitUnit } from "../core/scheduler/locality-wait.js";
import type { Scenario } from "../core/scenario/scenario.js";

/** What maps waited before they were launched. */
export function waitsOf({ recorder }: Master): WaitSummary {
  const { clockOf, localityUs, longestLocalityUs, clock, pendingUs } = recorder.waits;
  const launched = (job: number): number => recorder.mapsAt.reduce((sum, maps) => sum + maps[job], 0);
  const jobs = clockOf.map((_, job) => job).filter((job) => launched(job) > 0);
  /** Per launched map of those jobs. */
  const perMap = (of: readonly number[], sums: Float64Array, unit: number): number | null =>
    of.length === 0 ? null : sumOver(of, (job) => sums[job]) / unit / sumOver(of, launched);
  const waiting = jobs.filter((job) => clockOf[job] !== null);
  const counting = (what: WaitUnit): number[] => jobs.filter((job) => clockOf[job] === what);
  const longestUs = waiting.reduce((most, job) => Math.max(most, longestLocalityUs[job]), 0);
  return {
    localitySecondsPerMap: perMap(waiting, localityUs, US_PER_SECOND),
    longestLocalitySeconds: waiting.length === 0 ? null : longestUs / US_PER_SECOND,
    clockSecondsPerMap: perMap(counting("microseconds"), clock, US_PER_SECOND),
    clockSkipsPerMap: perMap(counting("opportunities"), clock, 1),
    pendingSecondsPerMap: perMap(jobs, pendingUs, US_PER_SECOND),
  };
}

function sumOver(jobs: readonly number[], of: (job: number) => number): number {
  return jobs.reduce((sum, job) => sum + of(job), 0);
}

/** What maps read from other nodes: what they really have to where that is simulated, else a block each. */
export function movedOf({ runtime, storage }: Scenario, { recorder, reads }: Master): MovedSummary {
  if (runtime.model === "detailed" && reads !== null) {
    return { inputBytes: reads.movedBytes, acrossRacksBytes: reads.acrossRacksBytes };
  }
  const maps = recorder.mapsAtTotal;
  const all = Array.from({ length: LEVELS }, (_, level) => level).filter(
    (level) => level !== NODE_LOCAL && level !== NO_INPUT,
  );
  const bytesAt = (levels: readonly number[]): number =>
    levels.reduce((sum, level) => sum + maps[level] * storage.blockBytes, 0);
  return { inputBytes: bytesAt(all), acrossRacksBytes: bytesAt([ROW_LOCAL, OFF_RACK]) };
}
