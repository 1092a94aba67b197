import type { RuntimeSpec } from "../../../dist/core/scenario/index.js";
import { DEFAULT_RUNTIME } from "../../../dist/io/index.js";
import { beforeEach, describe, expect, it } from "vitest";
import {
  LightRacks,
  type ReportSink,
  SUCCEEDED,
  WAS_KILLED,
  NO_INPUT,
  NODE_LOCAL,
  OFF_RACK,
  RACK_LOCAL,
} from "../../../dist/core/platforms/hadoop/index.js";
import { buildTopology, type Topology } from "../../../dist/core/cluster/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const RUNTIME: RuntimeSpec = {
  ...DEFAULT_RUNTIME,
  jobSetupUs: 0,
  jobCleanupUs: 0,
  slowStart: 0,
  localityFactor: { node: 1, rack: 1.5, row: 2, any: 2 },
};
const SECOND = 1_000_000;

/**
 * Two racks of two nodes, heartbeats every 4 s: node 0 (rack 0) at 0 s, node 1 (rack 1) at 1 s, node 2 (rack 0) at 2 s,
 * node 3 (rack 1) at 3 s. Two map slots and one reduce slot each; node 2 runs at double speed. Slots 0 1 2 are node
 * 0's, 3 4 5 node 2's.
 */
function cluster(): Topology {
  const group = (speed: number) => ({ count: 1, mapSlots: 2, reduceSlots: 1, speed });
  return buildTopology(
    clusterOf({
      groups: [
        [group(1), group(2)],
        [group(1), group(1)],
      ],
      heartbeatUs: 4 * SECOND,
    }),
  );
}

type Report = [node: number, atSeconds: number, slot: number, endSeconds: number, outcome?: "killed"];

describe("a light rack", () => {
  let rack: LightRacks;
  beforeEach(() => {
    rack = new LightRacks(cluster(), [0], RUNTIME);
  });

  function reportsUntil(seconds: number): Report[] {
    const reports: Report[] = [];
    rack.reportUntil(seconds * SECOND, {
      report: (kind, node, atUs, slot, sinceUs) => {
        const end = [node, atUs / SECOND, slot, (atUs - sinceUs) / SECOND] as const;
        reports.push(kind === WAS_KILLED ? [...end, "killed"] : [...end]);
      },
    });
    return reports;
  }

  it("predicts an end with the command that makes it certain, a kill in its place too, and does not repeat it", () => {
    const told: unknown[] = [];
    const report = (...of: unknown[]): unknown => told.push(of);
    rack.predict({ report } as ReportSink, 100 * SECOND);
    rack.launchMap(0, 0, 0, NODE_LOCAL, 10 * SECOND);
    rack.launchReduce(2, 2 * SECOND, 5, SECOND, 2 * SECOND, SECOND, false);
    expect(told).toEqual([[SUCCEEDED, 0, 12 * SECOND, 0, 2 * SECOND]]);
    rack.mapsFinished(2, 6 * SECOND, 5);
    rack.kill(0, 8 * SECOND, 0);
    expect(told.slice(1)).toEqual([
      [SUCCEEDED, 2, 10 * SECOND, 5, 2 * SECOND],
      [WAS_KILLED, 0, 12 * SECOND, 0, 4 * SECOND],
    ]);
    expect([rack.nextReportUs(), reportsUntil(1000)]).toEqual([Infinity, []]);
    // Too far ahead to be told of now.
    rack.launchMap(0, 12 * SECOND, 1, NODE_LOCAL, 100 * SECOND);
    expect(told).toHaveLength(3);
    expect(reportsUntil(1000)).toEqual([[0, 112, 1, 112]]);
  });

  it("has nothing to report before a command", () => {
    expect(rack.nextReportUs()).toBe(Infinity);
    expect(reportsUntil(1e9)).toEqual([]);
  });

  it.each([
    ["node-local", NODE_LOCAL, 10],
    ["rack-local", RACK_LOCAL, 15],
    ["off-rack", OFF_RACK, 20],
    ["without input", NO_INPUT, 10],
  ])("runs a map %s at its factor", (_, level, seconds) => {
    rack.launchMap(0, 4 * SECOND, 0, level, 10 * SECOND);
    const finish = 4 + seconds;
    const heartbeat = Math.ceil(finish / 4) * 4;
    expect(rack.nextReportUs()).toBe(heartbeat * SECOND);
    expect(reportsUntil(heartbeat)).toEqual([]);
    expect(reportsUntil(heartbeat + 1)).toEqual([[0, heartbeat, 0, finish]]);
    expect(rack.nextReportUs()).toBe(Infinity);
  });

  it("divides by the speed of the node, rounding to whole microseconds, at least one", () => {
    rack.launchMap(2, 2 * SECOND, 3, OFF_RACK, 10 * SECOND + 3);
    expect(reportsUntil(100)).toEqual([[2, 14, 3, 12.000003]]);
    rack.launchMap(2, 2 * SECOND, 4, NODE_LOCAL, 1);
    rack.launchReduce(2, 2 * SECOND, 5, 0, 1, 0, true);
    expect(reportsUntil(100)).toEqual([
      [2, 6, 4, 2.000001],
      [2, 6, 5, 2.000001],
    ]);
  });

  it("reports on the heartbeat at the very instant of the finish, and on the next one a microsecond later", () => {
    rack.launchMap(0, 4 * SECOND, 0, NODE_LOCAL, 8 * SECOND);
    rack.launchMap(0, 4 * SECOND, 1, NODE_LOCAL, 8 * SECOND + 1);
    expect(reportsUntil(17)).toEqual([
      [0, 12, 0, 12],
      [0, 16, 1, 12.000001],
    ]);
  });

  it("never reports on the heartbeat of the command itself", () => {
    rack.launchMap(0, 4 * SECOND, 0, NODE_LOCAL, 1);
    expect(rack.nextReportUs()).toBe(8 * SECOND);
  });

  it("copies, then reduces, when all maps have finished already; copying has no speed", () => {
    rack.launchReduce(2, 2 * SECOND, 5, 6 * SECOND, 10 * SECOND, SECOND, true);
    expect(reportsUntil(100)).toEqual([[2, 14, 5, 13]]);
  });

  it("holds a reduce until it hears of the last map", () => {
    rack.launchReduce(0, 0, 2, 6 * SECOND, 5 * SECOND, SECOND, false);
    expect(rack.nextReportUs()).toBe(Infinity);
    expect(reportsUntil(1000)).toEqual([]);
    // Told at 1000 s: copying is long over, the last map's share takes 1 s, the reduce 5 s.
    rack.mapsFinished(0, 1000 * SECOND, 2);
    expect(reportsUntil(2000)).toEqual([[0, 1008, 2, 1006]]);
  });

  it("holds a reduce until its own copying is done as well", () => {
    rack.launchReduce(0, 0, 2, 60 * SECOND, 5 * SECOND, SECOND, false);
    rack.mapsFinished(0, 4 * SECOND, 2);
    expect(reportsUntil(2000)).toEqual([[0, 68, 2, 65]]);
  });

  it("reports by heartbeat, then finish, then slot", () => {
    rack.launchMap(2, 2 * SECOND, 3, NODE_LOCAL, 6 * SECOND);
    rack.launchMap(2, 2 * SECOND, 4, NODE_LOCAL, 4 * SECOND);
    rack.launchMap(0, 0, 1, NODE_LOCAL, 7 * SECOND);
    rack.launchMap(0, 0, 0, NODE_LOCAL, 7 * SECOND);
    rack.launchReduce(0, 0, 2, 0, 5 * SECOND, 0, true);
    expect(reportsUntil(100)).toEqual([
      [2, 6, 4, 4],
      [2, 6, 3, 5],
      [0, 8, 2, 5],
      [0, 8, 0, 7],
      [0, 8, 1, 7],
    ]);
  });

  it("gives a slot a second life", () => {
    rack.launchMap(0, 0, 0, NODE_LOCAL, SECOND);
    expect(reportsUntil(5)).toEqual([[0, 4, 0, 1]]);
    rack.launchMap(0, 4 * SECOND, 0, NODE_LOCAL, SECOND);
    expect(reportsUntil(9)).toEqual([[0, 8, 0, 5]]);
    rack.launchReduce(0, 8 * SECOND, 2, 0, SECOND, 0, false);
    rack.mapsFinished(0, 12 * SECOND, 2);
    rack.launchMap(0, 12 * SECOND, 0, NODE_LOCAL, SECOND);
    expect(reportsUntil(17)).toEqual([
      [0, 16, 0, 13],
      [0, 16, 2, 13],
    ]);
  });

  it("reports what it kills one heartbeat after the order, as ended at the order", () => {
    rack.launchMap(0, 0, 0, NODE_LOCAL, 100 * SECOND);
    rack.launchReduce(0, 0, 2, SECOND, 100 * SECOND, 0, true);
    rack.kill(0, 8 * SECOND, 0);
    rack.kill(0, 12 * SECOND, 2);
    expect(rack.nextReportUs()).toBe(12 * SECOND);
    expect(reportsUntil(12)).toEqual([]);
    expect(reportsUntil(1000)).toEqual([
      [0, 12, 0, 8, "killed"],
      [0, 16, 2, 12, "killed"],
    ]);
    expect(rack.nextReportUs()).toBe(Infinity);
  });

  it("kills on the heartbeat after the launch's", () => {
    rack.launchMap(2, 2 * SECOND, 3, NODE_LOCAL, 100 * SECOND);
    rack.kill(2, 6 * SECOND, 3);
    expect(reportsUntil(1000)).toEqual([[2, 10, 3, 6, "killed"]]);
  });

  it("kills a reduce that waits for maps, and hears of it no more", () => {
    rack.launchReduce(0, 0, 2, SECOND, SECOND, SECOND, false);
    rack.kill(0, 8 * SECOND, 2);
    expect(rack.nextReportUs()).toBe(12 * SECOND);
    expect(() => rack.mapsFinished(0, 12 * SECOND, 2)).toThrow("internal fault");
    expect(reportsUntil(1000)).toEqual([[0, 12, 2, 8, "killed"]]);
  });

  it("kills a reduce that was told of its last map by the same reply", () => {
    rack.launchReduce(0, 0, 2, SECOND, SECOND, SECOND, false);
    rack.mapsFinished(0, 8 * SECOND, 2);
    rack.kill(0, 8 * SECOND, 2);
    expect(reportsUntil(1000)).toEqual([[0, 12, 2, 8, "killed"]]);
  });

  it("kills what was about to finish: it is never reported as finished", () => {
    rack.launchMap(0, 0, 0, NODE_LOCAL, 8 * SECOND + 1);
    rack.launchMap(0, 0, 1, NODE_LOCAL, 12 * SECOND);
    rack.kill(0, 8 * SECOND, 0);
    rack.kill(0, 8 * SECOND, 1);
    expect(reportsUntil(1000)).toEqual([
      [0, 12, 0, 8, "killed"],
      [0, 12, 1, 8, "killed"],
    ]);
  });

  it("reports a kill before what finished on the node since", () => {
    rack.launchMap(0, 0, 0, NODE_LOCAL, 9 * SECOND);
    rack.launchMap(0, 0, 1, NODE_LOCAL, 100 * SECOND);
    rack.launchMap(2, 2 * SECOND, 3, NODE_LOCAL, 12 * SECOND);
    rack.kill(0, 8 * SECOND, 1);
    expect(reportsUntil(1000)).toEqual([
      [2, 10, 3, 8],
      [0, 12, 1, 8, "killed"],
      [0, 12, 0, 9],
    ]);
  });

  it("gives the slot of what was killed a second life", () => {
    rack.launchReduce(0, 0, 2, SECOND, SECOND, SECOND, false);
    rack.kill(0, 4 * SECOND, 2);
    expect(reportsUntil(9)).toEqual([[0, 8, 2, 4, "killed"]]);
    rack.launchReduce(0, 8 * SECOND, 2, SECOND, SECOND, SECOND, false);
    rack.mapsFinished(0, 16 * SECOND, 2);
    expect(reportsUntil(1000)).toEqual([[0, 20, 2, 18]]);
    rack.launchMap(0, 20 * SECOND, 0, NODE_LOCAL, 100 * SECOND);
    rack.kill(0, 24 * SECOND, 0);
    expect(reportsUntil(1000)).toEqual([[0, 28, 0, 24, "killed"]]);
    rack.launchMap(0, 28 * SECOND, 0, NODE_LOCAL, SECOND);
    expect(reportsUntil(1000)).toEqual([[0, 32, 0, 29]]);
  });

  it("traps kills of what does not run", () => {
    const kill = (node: number, seconds: number, slot: number) => () => rack.kill(node, seconds * SECOND, slot);
    expect(kill(0, 4, 0), "a free slot").toThrow("internal fault");
    rack.launchMap(0, 0, 0, NODE_LOCAL, 8 * SECOND);
    expect(kill(2, 2, 0), "a slot of another node").toThrow("internal fault");
    expect(kill(1, 1, 6), "a node of another rack").toThrow("internal fault");
    expect(kill(0, 0, 99), "a slot that there is not").toThrow("internal fault");
    expect(kill(0, 8, 0), "finished at this very heartbeat").toThrow("internal fault");
    expect(kill(0, 12, 0), "finished before").toThrow("internal fault");
    expect(reportsUntil(9), "no refused kill left a trace").toEqual([[0, 8, 0, 8]]);
    expect(kill(0, 12, 0), "finished and reported").toThrow("internal fault");
    rack.launchMap(0, 12 * SECOND, 0, NODE_LOCAL, 100 * SECOND);
    rack.kill(0, 16 * SECOND, 0);
    expect(kill(0, 16, 0), "killed by the same reply").toThrow("internal fault");
    expect(kill(0, 20, 0), "killed and not yet reported").toThrow("internal fault");
    expect(() => rack.launchMap(0, 16 * SECOND, 0, NODE_LOCAL, 1)).toThrow("internal fault");
    expect(reportsUntil(1000)).toEqual([[0, 20, 0, 16, "killed"]]);
    expect(kill(0, 24, 0), "killed and reported").toThrow("internal fault");
  });

  it("traps commands that no correct master gives", () => {
    expect(() => rack.launchMap(0, 0, 3, NODE_LOCAL, 1)).toThrow("internal fault");
    expect(() => rack.launchMap(1, 1, 6, NODE_LOCAL, 1)).toThrow("internal fault");
    expect(() => rack.launchMap(0, 0, 99, NODE_LOCAL, 1)).toThrow("internal fault");
    expect(() => rack.mapsFinished(0, 0, 2)).toThrow("internal fault");
    rack.launchMap(0, 0, 0, NODE_LOCAL, SECOND);
    expect(() => rack.launchMap(0, 0, 0, NODE_LOCAL, SECOND)).toThrow("internal fault");
    rack.launchReduce(0, 0, 2, 0, SECOND, 0, false);
    expect(() => rack.launchReduce(0, 0, 2, 0, SECOND, 0, false)).toThrow("internal fault");
    rack.mapsFinished(0, 4 * SECOND, 2);
    expect(() => rack.mapsFinished(0, 8 * SECOND, 2)).toThrow("internal fault");
  });

  it("finds the heartbeat exactly, decades into a run", () => {
    const late = 4 * SECOND * 700_000_000;
    rack.launchMap(2, late + 2 * SECOND, 3, NODE_LOCAL, 8 * SECOND);
    rack.launchMap(2, late + 2 * SECOND, 4, NODE_LOCAL, 8 * SECOND + 2);
    const heartbeats: number[] = [];
    rack.reportUntil(late + 100 * SECOND, {
      report: (kind, _, atUs) => {
        expect(kind).toBe(SUCCEEDED);
        heartbeats.push(atUs - late);
      },
    });
    expect(heartbeats).toEqual([6 * SECOND, 10 * SECOND]);
  });
});
