import { beforeEach, describe, expect, it } from "vitest";
import { Heartbeats, NodeLiveness } from "../../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
/** Two racks of two nodes: node 0 (rack 0) beats at 0 s, 4 s, ...; node 1 (rack 1) at 1 s, 5 s, ...; and so on. */
const CLUSTER = { ...clusterOf({ racks: 2, nodesPerRack: 2, heartbeatUs: 4 * SECOND }), heartbeatJitter: 0 };
const TOPOLOGY = buildTopology(CLUSTER);

describe("nodes that the master does not hear", () => {
  let liveness: NodeLiveness;
  beforeEach(() => {
    liveness = new NodeLiveness(TOPOLOGY, new Heartbeats(TOPOLOGY, CLUSTER, "s"), 60 * SECOND);
  });
  const nextSeconds = (): number => liveness.nextUs() / SECOND;

  it("are given up when the expiry time has passed since their last heartbeat", () => {
    liveness.becameUnresponsive(1, 20 * SECOND);
    expect(nextSeconds()).toBe(17 + 60);
    expect([liveness.living, liveness.unresponsive, liveness.isLiving(1)]).toEqual([4, 1, true]);
    expect(liveness.giveUp()).toBe(1);
    expect([liveness.living, liveness.isLiving(1), nextSeconds()]).toEqual([3, false, Infinity]);
    expect(liveness.givenUpBits[0]).toBe(0b10);
  });

  it("do not send the heartbeat of the instant at which they become unresponsive", () => {
    liveness.becameUnresponsive(1, 17 * SECOND);
    expect(nextSeconds()).toBe(13 + 60);
  });

  it("count as heard at 0 before their first heartbeat", () => {
    liveness.becameUnresponsive(3, 2 * SECOND);
    expect(nextSeconds()).toBe(60);
  });

  it("are not given up when a heartbeat comes in time, seen or not", () => {
    liveness.becameUnresponsive(1, 20 * SECOND);
    liveness.becameResponsive(1, 72 * SECOND);
    expect([nextSeconds(), liveness.unresponsive]).toEqual([Infinity, 0]);
  });

  it("are given up when they are back, but their heartbeat would come too late, or just then", () => {
    liveness.becameUnresponsive(1, 20 * SECOND);
    liveness.becameResponsive(1, 74 * SECOND);
    expect(nextSeconds()).toBe(77);
    expect(liveness.giveUp()).toBe(1);
  });

  it("are saved by a heartbeat of their own that comes before the regular one", () => {
    liveness.becameUnresponsive(1, 20 * SECOND);
    liveness.becameResponsive(1, 75 * SECOND);
    liveness.heard(1, 76 * SECOND);
    expect(nextSeconds()).toBe(Infinity);
    liveness.becameUnresponsive(1, 76.5 * SECOND);
    expect(nextSeconds()).toBe(76 + 60);
  });

  it("are missed since the heartbeat that really came, not since one in an earlier outage", () => {
    liveness.becameUnresponsive(1, 20 * SECOND);
    liveness.becameResponsive(1, 30 * SECOND);
    // It would have beaten at 33 s.
    liveness.becameUnresponsive(1, 32 * SECOND);
    expect(nextSeconds()).toBe(17 + 60);
    liveness.becameResponsive(1, 40 * SECOND);
    liveness.becameUnresponsive(1, 50 * SECOND);
    expect(nextSeconds()).toBe(49 + 60);
  });

  it("are known by rack: whether any lives outside", () => {
    liveness.becameUnresponsive(1, 5 * SECOND);
    liveness.becameUnresponsive(3, 5 * SECOND);
    liveness.giveUp();
    expect([liveness.livesOutside(0), liveness.livesOutside(1)]).toEqual([true, true]);
    liveness.giveUp();
    expect([liveness.livesOutside(0), liveness.livesOutside(1)]).toEqual([false, true]);
    liveness.readmit(3);
    expect([liveness.livesOutside(0), liveness.living, liveness.isLiving(3)]).toEqual([true, 3, true]);
    expect(() => {
      liveness.readmit(3);
    }).toThrow("had not been given up");
  });

  it("are not watched again before they are readmitted", () => {
    liveness.becameUnresponsive(1, 20 * SECOND);
    liveness.giveUp();
    liveness.becameResponsive(1, 100 * SECOND);
    liveness.becameUnresponsive(1, 100.5 * SECOND);
    expect(nextSeconds()).toBe(Infinity);
  });
});
