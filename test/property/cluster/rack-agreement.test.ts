import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CommandSink,
  type ReportSink,
  DetailedRack,
  LightRacks,
  nominalNode,
  type Rack,
} from "../../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { DEFAULT_NODE, DEFAULT_RUNTIME, NO_FAULTS } from "../../../dist/io/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const HEARTBEAT_US = 3 * SECOND;
const AS_USUAL = { commits: false, failsAt: -1, slowdown: 1000, prepareUs: 0 };

const NODES = { ...DEFAULT_NODE, count: 3, mapSlots: 2, reduceSlots: 2, speed: 1.3 };
const cluster = clusterOf({ groups: [[NODES], [NODES]], heartbeatUs: HEARTBEAT_US });
const topology = buildTopology(cluster);
const runtime = {
  ...DEFAULT_RUNTIME,
  jobSetupUs: 0,
  jobCleanupUs: 0,
  slowStart: 0,
  localityFactor: { node: 1, rack: 1.2, row: 1.5, any: 2 },
};

type SlotState = "runs" | "waits" | "dies";

/** A master without a plan: on every heartbeat it does to every slot of the node what the next number says. */
function play(rack: Rack, plan: readonly number[]): string[] {
  const log: string[] = [];
  const state = new Map<number, SlotState>();
  let step = 0;
  const sink: ReportSink = {
    report: (kind, node, atUs, slot, value) => {
      log.push([kind, node, atUs, slot, value].join(" "));
      state.delete(slot);
    },
  };
  for (let round = 0; step < plan.length; round++) {
    for (let i = topology.rackStart[0]!; i < topology.rackStart[1]!; i++) {
      const node = topology.rackNodes[i]!;
      const atUs = topology.phaseUs[node]! + round * HEARTBEAT_US;
      rack.reportUntil(atUs + 1, sink);
      for (let k = 0; k < 4; k++) {
        const slot = topology.slotStart[node]! + k;
        const number = plan[step++] ?? 0;
        order(rack.commands, state, node, atUs, slot, k < 2, number);
      }
    }
  }
  rack.reportUntil(1e12, sink);
  return log;
}

function order(
  rack: CommandSink,
  state: Map<number, SlotState>,
  node: number,
  atUs: number,
  slot: number,
  isMap: boolean,
  number: number,
): void {
  const now = state.get(slot);
  if (now === undefined && number % 3 !== 0) {
    const us = 1 + (number % 9_999_991);
    if (isMap) {
      rack.launchMap(node, atUs, slot, number % 4, us, { ...AS_USUAL, sourceNode: -1, inputBytes: 0, outputBytes: 0 });
      state.set(slot, "runs");
    } else {
      const mapsDone = number % 2 === 0;
      const detail = { ...AS_USUAL, fetchBytes: 0, outputBytes: 0, available: 0, rank: 0 };
      rack.launchReduce(node, atUs, slot, number % 3_000_017, us, number % 1_009, mapsDone, detail);
      state.set(slot, mapsDone ? "runs" : "waits");
    }
  } else if ((now === "runs" || now === "waits") && number % 7 === 0) {
    rack.kill(node, atUs, slot);
    state.set(slot, "dies");
  } else if (now === "waits" && number % 5 === 0) {
    rack.mapsFinished(node, atUs, slot);
    state.set(slot, "runs");
  }
}

describe("with nothing of it switched on, the detailed rack", () => {
  it.each([
    ["and no gate", null],
    ["and a gate as wide as the slots", { computing: 2, perJob: 2, order: "fair" as const }],
  ])("%s, never differs from the light one", (_, copyCompute) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 30 }), { minLength: 20, maxLength: 400 }), (plan) => {
        const light = play(new LightRacks(topology, [0], runtime), plan);
        const detailed = play(
          new DetailedRack({
            topology,
            rack: 0,
            cluster,
            nominal: nominalNode(cluster),
            faults: NO_FAULTS,
            seed: "1",
            makesReplicas: false,
            fetchesFiles: false,
            runtime: { ...runtime, copyCompute },
          }),
          plan,
        );
        expect(detailed).toEqual(light);
      }),
      { numRuns: 200 },
    );
  });
});
