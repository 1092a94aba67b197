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
});
