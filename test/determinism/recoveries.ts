import { expect } from "vitest";
import type { FaultInjection } from "../../dist/actors/index.js";
import { preemptingRun } from "../support/preempting-run.mjs";
import { recoveredRun, type Example } from "../support/recovered-run.js";
import { clusterOf, mixedJobs, schedulerOf, smallRun } from "../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const RACKS = 4;

const MIXED = { scheduler: schedulerOf("hfs"), jobs: mixedJobs() };
const TIMELY = clusterOf({ racks: RACKS, nodesPerRack: 3 });
const UNTIMELY = { ...TIMELY, heartbeatJitter: 0.4, outOfBandDelayUs: SECOND / 4 };
const NARROW = { ...TIMELY, racks: TIMELY.racks.map((rack) => ({ ...rack, uplinkBytesPerSecond: 20e6 })) };
/** With it, racks report how far attempts are on every heartbeat. */
const LATE = {
  rule: "late" as const,
  minAgeUs: 10 * SECOND,
  progressGap: 0.2,
  slowerBy: 1,
  maxShareOfSlots: 0.2,
  checkEveryUs: 5 * SECOND,
};
const CRASHES = [0, 1].map((rack) => ({
  ...({ kind: "crash", rack, node: 1, atUs: (40 + 30 * rack) * SECOND, forUs: 60 * SECOND, factor: 1 } as const),
}));
const ATTEMPTS = {
  maxPerTask: 4,
  maxFailuresPerNode: 3,
  trackerExpiryUs: 30 * SECOND,
  mapMemoryBytes: 0,
  reduceMemoryBytes: 0,
};

export const EXAMPLES: Readonly<Record<string, () => Example>> = {
  "the light model": () => smallRun({ ...MIXED, cluster: TIMELY }),
  "the light model, with heartbeats at any time": () => smallRun({ ...MIXED, cluster: UNTIMELY }),
  preemption: () => preemptingRun(),
  "the detailed model, with reads between racks": () =>
    smallRun({
      ...MIXED,
      cluster: NARROW,
      storage: { replication: 1 },
      runtime: { model: "detailed", speculation: LATE },
    }),
  "the detailed model, with failures, crashes and heartbeats at any time": () =>
    smallRun({
      ...MIXED,
      cluster: UNTIMELY,
      run: { untilUs: 20_000 * SECOND },
      runtime: { model: "detailed", attempts: ATTEMPTS },
      faults: { mapFailure: 0.1, reduceFailure: 0.1, events: CRASHES },
    }),
};

function injection(rack: number, atS: number, how: "throw" | "exit"): FaultInjection {
  return { rack, how: { atUs: atS * SECOND, how } };
}

/**
 * Each with the threads and slices of the run. Every rack has work to begin after its deaths, so that somebody misses
 * it.
 */
export const DEATHS: [string, number, number, FaultInjection[], number?][] = [
  ["the only thread dies before anything has happened", 1, 3, [injection(0, 0, "exit")]],
  // The master has taken what the first has to say of the slice for which it waits, because of the second.
  ["two die, one of them a little ahead", 2, 2, [injection(0, 25.75, "throw"), injection(1, 25.25, "exit")]],
  // Where threads are more than cores, as they may be here, commands are held back.
  ["all of many die at once", RACKS, 2, [0, 1, 2, 3].map((rack) => injection(rack, 35, rack === 1 ? "exit" : "throw"))],
  ["two die beside racks on the master's thread", 2, 2, [injection(0, 25, "exit"), injection(1, 60, "throw")], 1],
  ["one dies again, much later", 2, 8, [injection(1, 30, "throw"), injection(1, 150, "exit")]],
  ["one dies again while it replays", 2, 1, [injection(0, 90, "exit"), injection(0, 20, "throw")]],
];

/** The run of the example in which threads die at these times ends as the one in which none does. */
export async function endsAsUndisturbed(
  exampleOf: () => Example,
  [, threads, slices, injections, ownRacks]: (typeof DEATHS)[number],
): Promise<void> {
  const run = await recoveredRun(exampleOf(), threads, slices, injections, { ownRacks });
  expect(run.recoveries).toHaveLength(injections.length);
  expect(run.found).toEqual((await recoveredRun(exampleOf(), 0, 1)).found);
}
