import { LEVELS, NO_INPUT, NODE_LOCAL, OFF_RACK, ROW_LOCAL } from "../core/jobs/nearness.js";
import { US_PER_SECOND } from "../core/kernel/time.js";
import type { Master } from "../core/master/master.js";
import type { MovedSummary, WaitSummary } from "../core/metrics/summary.js";
import type { Scenario } from "../core/scenario/scenario.js";

/** What maps waited before they were launched. */
export function waitsOf({ recorder, built }: Master): WaitSummary {
  const launched = recorder.mapsAtTotal.reduce((sum, maps) => sum + maps, 0);
  const perMap = (sums: Float64Array, unit: number): number | null =>
    launched === 0 ? null : sums.reduce((sum, value) => sum + value, 0) / unit / launched;
  const { locality, pendingUs } = recorder.waits;
  const inTime = built.waitsIn === "microseconds";
  return {
    localitySecondsPerMap: inTime ? perMap(locality, US_PER_SECOND) : null,
    skipsPerMap: inTime ? null : perMap(locality, 1),
    pendingSecondsPerMap: perMap(pendingUs, US_PER_SECOND),
  };
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
