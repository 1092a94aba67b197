import { describe, expect, it } from "vitest";
import {
  CRASH,
  FaultState,
  FaultTimeline,
  mayLoseHeartbeats,
  mayFault,
  SLOW_DISK,
  SLOW_NODE,
  SWITCH_LOSS,
  buildTopology,
} from "../../../dist/core/cluster/index.js";
import type { FaultEventSpec } from "../../../dist/core/scenario/index.js";
import { faultAt, faultsOf, rateOf } from "../../support/fault-specs.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

/** Two racks of two nodes; in heartbeat order rack00/node00, rack01/node00, rack00/node01, rack01/node01. */
const TOPOLOGY = buildTopology(clusterOf({ racks: 2, nodesPerRack: 2 }));
const SECOND = 1_000_000;

function walk(events: readonly FaultEventSpec[]): unknown[] {
  const timeline = new FaultTimeline(faultsOf(events), "seed", TOPOLOGY);
  const met: unknown[] = [];
  while (timeline.nextUs() < Infinity) {
    const atUs = timeline.nextUs();
    const transition = timeline.take();
    expect(transition.atUs).toBe(atUs);
    met.push([atUs / SECOND, transition.kind, transition.target, transition.starts]);
  }
  return met;
}

describe("the fault timeline", () => {
  it("is empty without faults", () => {
    expect(new FaultTimeline(faultsOf([]), "seed", TOPOLOGY).nextUs()).toBe(Infinity);
    expect(mayFault(faultsOf([]))).toBe(false);
  });

  it("names nodes by their number in heartbeat order, and racks by theirs", () => {
    expect(walk([faultAt("crash", 0, 1, 5, 10), faultAt("switch", 1, 0, 6, 1)])).toEqual([
      [5, CRASH, 2, true],
      [6, SWITCH_LOSS, 1, true],
      [7, SWITCH_LOSS, 1, false],
      [15, CRASH, 2, false],
    ]);
  });

  it("goes by kind, rack and node at one instant, starts before ends", () => {
    const events = [
      faultAt("slow-node", 0, 0, 9, 1, 2),
      faultAt("slow-disk", 0, 0, 9, 1, 2),
      faultAt("switch", 1, 0, 9, 1),
      faultAt("crash", 1, 0, 9, 1),
      faultAt("crash", 0, 1, 9, 1),
      faultAt("crash", 0, 0, 9, 1),
      faultAt("crash", 0, 1, 4, 5),
    ];
    expect(walk(events).filter((met) => (met as number[])[0] === 9)).toEqual([
      [9, CRASH, 0, true],
      [9, CRASH, 2, true],
      [9, CRASH, 2, false],
      [9, CRASH, 1, true],
      [9, SWITCH_LOSS, 1, true],
      [9, SLOW_DISK, 0, true],
      [9, SLOW_NODE, 0, true],
    ]);
  });

  it("lets a fault without end last for ever", () => {
    expect(walk([faultAt("crash", 0, 0, 1, Infinity)])).toEqual([[1, CRASH, 0, true]]);
  });

  it("starts no drawn fault at or after the end of its rate", () => {
    const timeline = new FaultTimeline(faultsOf([], { crash: rateOf(100, 10, 1000) }), "seed", TOPOLOGY);
    let starts = 0;
    while (timeline.nextUs() < Infinity) {
      const transition = timeline.take();
      if (!transition.starts) continue;
      starts++;
      expect(transition.atUs).toBeLessThan(1000 * SECOND);
    }
    expect(starts).toBeGreaterThan(20);
  });

  it("tells scenarios in which nodes may become unresponsive from those with slow ones only", () => {
    expect(mayLoseHeartbeats(faultsOf([], { slowDisk: rateOf(100, 10) }))).toBe(false);
    expect(mayFault(faultsOf([], { slowDisk: rateOf(100, 10) }))).toBe(true);
    expect(mayLoseHeartbeats(faultsOf([], { switch: rateOf(100, 10) }))).toBe(true);
    expect(mayLoseHeartbeats(faultsOf([faultAt("slow-node", 0, 0, 1, 1, 2)]))).toBe(false);
    expect(mayLoseHeartbeats(faultsOf([faultAt("crash", 0, 0, 1, 1)]))).toBe(true);
  });
});

describe("the state of faults", () => {
  it("has a node down while any crash of it lasts", () => {
    const state = new FaultState(TOPOLOGY);
    const of = (starts: boolean) => ({ atUs: 0, kind: CRASH, target: 2, starts, factor: 1 }) as const;
    expect(state.apply(of(true))).toBe(true);
    expect(state.apply(of(true))).toBe(false);
    expect(state.apply(of(false))).toBe(false);
    expect([state.isDown(2), state.isUnresponsive(2), state.isDown(0)]).toEqual([true, true, false]);
    expect(state.apply(of(false))).toBe(true);
    expect(state.isUnresponsive(2)).toBe(false);
  });

  it("has all nodes of a dark rack unresponsive, but not down", () => {
    const state = new FaultState(TOPOLOGY);
    state.apply({ atUs: 0, kind: SWITCH_LOSS, target: 1, starts: true, factor: 1 });
    expect([0, 1, 2, 3].map((node) => state.isUnresponsive(node))).toEqual([false, true, false, true]);
    expect([state.isDark(1), state.isDown(1)]).toEqual([true, false]);
  });

  it("multiplies the factors that hold, of disks and of nodes apart", () => {
    const state = new FaultState(TOPOLOGY);
    const slow = (kind: typeof SLOW_DISK | typeof SLOW_NODE, starts: boolean, factor: number) =>
      state.apply({ atUs: 0, kind, target: 1, starts, factor });
    slow(SLOW_DISK, true, 2);
    slow(SLOW_DISK, true, 3);
    slow(SLOW_NODE, true, 5);
    expect([state.diskFactor(1), state.speedFactor(1), state.diskFactor(0)]).toEqual([6, 5, 1]);
    slow(SLOW_DISK, false, 2);
    expect(state.diskFactor(1)).toBe(3);
    slow(SLOW_DISK, false, 3);
    expect([state.diskFactor(1), state.speedFactor(1)]).toEqual([1, 5]);
  });

  it("refuses the end of what has not begun", () => {
    const end = { atUs: 0, target: 0, starts: false, factor: 2 } as const;
    expect(() => new FaultState(TOPOLOGY).apply({ ...end, kind: CRASH })).toThrow("had not begun");
    expect(() => new FaultState(TOPOLOGY).apply({ ...end, kind: SLOW_DISK })).toThrow("had not begun");
  });
});
