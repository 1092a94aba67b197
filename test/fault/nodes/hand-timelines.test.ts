import { describe, expect, it } from "vitest";
import type { FaultEventSpec } from "../../../dist/core/scenario/index.js";
import { DEFAULT_RUNTIME } from "../../../dist/io/index.js";
import { faultAt, faultsOf } from "../../support/fault-specs.js";
import { runWithFaults, type FaultRun } from "../../support/fault-run.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;

interface Changes {
  readonly maps?: number;
  readonly mapS?: number;
  readonly reduces?: number;
  readonly expiryS?: number;
  /** Reduce slots of node 0. */
  readonly reduceSlots?: number;
  /** Of node 1. */
  readonly speed?: number;
  readonly slowStart?: number;
  readonly setupS?: number;
  readonly untilS?: number;
  readonly replication?: number;
}

/**
 * One job at 0 s on two racks of one node with one slot of each type. Node 0 (rack 0) beats at 0, 2, 4 s ..., node 1
 * (rack 1) at 1, 3, 5 s ...; both hold all blocks. A reduce copies for 5 s and reduces for 5 s. No set-up, no clean-up.
 */
async function run(events: readonly FaultEventSpec[], changes: Changes = {}): Promise<FaultRun> {
  const { maps = 2, mapS = 10, reduces = 0, expiryS = 600, reduceSlots = 1, speed = 1, slowStart = 1 } = changes;
  const { setupS = 0, untilS = Infinity, replication = 2 } = changes;
  const group = { count: 1, mapSlots: 1, reduceSlots: 1, speed: 1 };
  return runWithFaults(
    smallRun({
      cluster: clusterOf({ groups: [[{ ...group, reduceSlots }], [{ ...group, speed }]], heartbeatUs: 2 * SECOND }),
      scheduler: schedulerOf("fifo"),
      jobs: [jobOf({ maps, reduces, mapUs: mapS * SECOND })],
      runtime: {
        jobSetupUs: setupS * SECOND,
        jobCleanupUs: 0,
        slowStart,
        setupTasks: setupS > 0,
        attempts: { ...DEFAULT_RUNTIME.attempts, trackerExpiryUs: expiryS * SECOND },
      },
      storage: { replication },
      run: { untilUs: untilS * SECOND },
      faults: faultsOf(events),
    }),
  );
}

const KINDS = ["map", "reduce", "set-up", "clean-up"];

/** `map 0.1 on 1, 8 to 18: succeeded`: task, attempt, node and seconds. */
function told({ attempts }: FaultRun): string[] {
  return attempts.map(({ type, task, attempt, node, launchUs, endUs, outcome }) => {
    const seconds = `${launchUs / SECOND} to ${endUs / SECOND}`;
    return `${KINDS[type]} ${task}.${attempt} on ${node}, ${seconds}: ${outcome}`;
  });
}

function endS({ endUs }: FaultRun): number {
  return endUs[0] / SECOND;
}

describe("a crashed node", () => {
  it("that is soon back has lost its attempts, as its first heartbeat tells, and gets new ones at once", async () => {
    const found = await run([faultAt("crash", 0, 0, 5, 3)]);
    expect(told(found)).toEqual([
      "map 0.0 on 0, 0 to 8: lost",
      "map 1.0 on 1, 1 to 11: succeeded",
      "map 0.1 on 0, 8 to 18: succeeded",
    ]);
    expect([endS(found), found.attemptsLost, found.nodesGivenUp]).toEqual([18, 1, 0]);
  });

  it("that is back before its next heartbeat has lost them all the same", async () => {
    const found = await run([faultAt("crash", 0, 0, 4.5, 1)]);
    expect(told(found)[0]).toBe("map 0.0 on 0, 0 to 6: lost");
    expect(endS(found)).toBe(16);
  });

  it("is given up when the expiry time has passed, and its tasks go elsewhere", async () => {
    const found = await run([faultAt("crash", 0, 0, 5, 100)], { expiryS: 10 });
    expect(told(found)).toEqual([
      "map 1.0 on 1, 1 to 11: succeeded",
      "map 0.0 on 0, 0 to 14: lost",
      "map 0.1 on 1, 15 to 25: succeeded",
    ]);
    expect([endS(found), found.nodesGivenUp]).toEqual([25, 1]);
  });

  it("gets tasks again when it is back after it was given up", async () => {
    const found = await run([faultAt("crash", 0, 0, 5, 20)], { expiryS: 10, maps: 3 });
    // Given up at 14, back at 25: its first heartbeat comes at 26.
    expect(told(found)).toEqual([
      "map 1.0 on 1, 1 to 11: succeeded",
      "map 0.0 on 0, 0 to 14: lost",
      "map 2.0 on 1, 11 to 21: succeeded",
      "map 0.1 on 1, 21 to 31: succeeded",
    ]);
    expect(found.slotsAddUp).toBe(true);
    const more = await run([faultAt("crash", 0, 0, 5, 20)], { expiryS: 10, maps: 4 });
    expect(told(more)).toContain("map 3.0 on 0, 26 to 36: succeeded");
  });

  it("loses the set-up of a job, which is done again", async () => {
    const found = await run([faultAt("crash", 0, 0, 5, 3)], { setupS: 10, maps: 1 });
    expect(told(found)).toEqual([
      "set-up 0.0 on 0, 0 to 8: lost",
      "set-up 0.0 on 0, 8 to 18: succeeded",
      "map 0.0 on 0, 18 to 28: succeeded",
    ]);
  });
});

describe("a node behind a lost switch", () => {
  it("runs on, and reports late what it has done", async () => {
    const found = await run([faultAt("switch", 0, 0, 5, 8)], { expiryS: 20 });
    expect(told(found)).toEqual(["map 1.0 on 1, 1 to 11: succeeded", "map 0.0 on 0, 0 to 10: succeeded"]);
    expect([endS(found), found.attemptsLost]).toEqual([14, 0]);
  });

  it("that was given up must end what it runs before it gets anything new", async () => {
    const found = await run([faultAt("switch", 0, 0, 5, 30)], { expiryS: 6, mapS: 50 });
    // Given up at 10; heard at 36 and told to kill; the end is reported at 38.
    expect(told(found)).toEqual([
      "map 0.0 on 0, 0 to 10: lost",
      "map 1.0 on 1, 1 to 51: succeeded",
      "map 0.1 on 0, 38 to 88: succeeded",
    ]);
    expect([endS(found), found.slotsAddUp]).toEqual([88, true]);
  });

  it("that was given up says in vain that a task of its has succeeded", async () => {
    const found = await run([faultAt("switch", 0, 0, 5, 30)], { expiryS: 6, mapS: 20 });
    expect(told(found)).toEqual([
      "map 0.0 on 0, 0 to 10: lost",
      "map 1.0 on 1, 1 to 21: succeeded",
      "map 0.1 on 1, 21 to 41: succeeded",
    ]);
    expect([endS(found), found.slotsAddUp]).toEqual([41, true]);
  });
});

describe("lost map output", () => {
  const soon = (at: number) => [faultAt("crash", 0, 0, at, 2.5)];

  it("is made again, though a reduce that knows of the last map goes on; the job waits for both", async () => {
    const found = await run(soon(11.5), { reduces: 1, reduceSlots: 0 });
    expect(told(found)).toEqual([
      "map 0.0 on 0, 0 to 10: succeeded",
      "map 1.0 on 1, 1 to 11: succeeded",
      "reduce 0.0 on 1, 11 to 21: succeeded",
      "map 0.1 on 0, 14 to 24: succeeded",
    ]);
    expect([endS(found), found.outputsLost, found.attemptsLost]).toEqual([24, 1, 0]);
  });

  it("keeps a reduce waiting that does not know of the last map", async () => {
    // Map 1 takes 20 s on node 1. Without the crash, the reduce would know at 21; now map 0 is done again at 22.
    const found = await run([faultAt("crash", 0, 0, 10.5, 1)], {
      reduces: 1,
      reduceSlots: 0,
      speed: 0.5,
      slowStart: 0,
    });
    expect(told(found)).toEqual([
      "map 0.0 on 0, 0 to 10: succeeded",
      "map 1.0 on 1, 1 to 21: succeeded",
      "map 0.1 on 0, 12 to 22: succeeded",
      // Told at 23; 2.5 s for the share of the last map, then 5 s at half speed.
      "reduce 0.0 on 1, 1 to 35.5: succeeded",
    ]);
    expect(endS(found)).toBe(37);
  });

  it("does not matter to a job without reduces", async () => {
    const found = await run([faultAt("crash", 0, 0, 10.5, 1)], { maps: 3 });
    expect([found.outputsLost, found.attemptsLost, endS(found)]).toEqual([0, 1, 22]);
  });
});

describe("a run that no node is left for", () => {
  const both = [faultAt("crash", 0, 0, 5, Infinity), faultAt("crash", 1, 0, 5, Infinity)];

  it("stops when the last one is given up, whatever its end would have been", async () => {
    // The last heartbeats came at 4 and, as none comes at 5, at 3.
    for (const untilS of [Infinity, 1000]) {
      const found = await run(both, { expiryS: 10, untilS });
      expect([found.noNodesLeft, found.allEnded, found.stoppedUs / SECOND]).toEqual([true, false, 14]);
    }
  });

  it("stops at its end if that comes first", async () => {
    const found = await run(both, { expiryS: 10, untilS: 12 });
    expect([found.noNodesLeft, found.stoppedUs / SECOND]).toEqual([false, 12]);
  });

  it("goes on while one may come back", async () => {
    const found = await run([both[0], faultAt("crash", 1, 0, 5, 95)], { expiryS: 10 });
    expect([found.allEnded, endS(found)]).toEqual([true, 121]);
  });

  it("stops where only nodes without a reduce slot are left, when all else is done", async () => {
    const gone = [faultAt("crash", 1, 0, 5, Infinity)];
    const found = await run(gone, { expiryS: 10, reduceSlots: 0, reduces: 1 });
    expect(told(found)).toEqual([
      "map 0.0 on 0, 0 to 10: succeeded",
      "map 1.0 on 1, 1 to 13: lost",
      "map 1.1 on 0, 14 to 24: succeeded",
    ]);
    // Noticed at the next sample.
    expect([found.noNodesLeft, found.stoppedUs / SECOND]).toEqual([true, 30]);
  });
});
