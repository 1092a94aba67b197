import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LightRacks, SoonestEnds } from "../../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { CommandWriter } from "../../../dist/messages/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const group = (speed: number) => ({ count: 1, mapSlots: 1, reduceSlots: 1, speed });
/** One rack of a slow and a fast node, which heartbeat every 4 s at 0 and 2 s; slots 0 and 1, 2 and 3. */
const topology = buildTopology(clusterOf({ groups: [[group(1), group(2.5)]], heartbeatUs: 4 * SECOND }));
const runtime = { localityFactor: { node: 0.9, rack: 1.5, row: 1.7, any: 2 } };

describe("the soonest ends of light racks", () => {
  it("are never after what a rack reports", () => {
    const length = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 ** 40 }));
    const launch = fc.record({
      node: fc.constantFrom(0, 1),
      level: fc.integer({ min: 0, max: 4 }),
      isMap: fc.boolean(),
      mapsDone: fc.boolean(),
      lengthUs: length,
      copyUs: length,
      tailUs: length,
    });
    fc.assert(
      fc.property(launch, ({ node, level, isMap, mapsDone, lengthUs, copyUs, tailUs }) => {
        const rack = new LightRacks(topology, [0], runtime as never);
        const writer = new CommandWriter(new SoonestEnds(runtime, topology));
        writer.open(0);
        const atUs = topology.phaseUs[node]!;
        const slot = topology.slotStart[node]! + (isMap ? 0 : 1);
        for (const sink of [rack, writer]) {
          if (isMap) sink.launchMap(node, atUs, slot, level, lengthUs, null);
          else sink.launchReduce(node, atUs, slot, copyUs, lengthUs, tailUs, mapsDone, null);
          if (!isMap && !mapsDone) sink.mapsFinished(node, atUs + 4 * SECOND, slot);
        }
        let endUs = -1;
        rack.reportUntil(Infinity, {
          report: (_kind, _node, reportedUs, _slot, sinceUs) => {
            endUs = reportedUs - sinceUs;
          },
        });
        expect(endUs).toBeGreaterThanOrEqual(writer.showsUs);
        expect(writer.showsUs).toBeGreaterThanOrEqual(atUs);
      }),
    );
  });
});
