import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DetailedRacks, MIB, SECOND } from "../../../support/detailed-racks.js";

const at = (seconds: number): number => seconds * SECOND;
const SPECULATION = {
  rule: "late" as const,
  minAgeUs: 0,
  progressGap: 0.2,
  slowerBy: 1,
  maxShareOfSlots: 1,
  checkEveryUs: 3 * SECOND,
};

describe("on regular heartbeats", () => {
  it("maps tell how far they have come, in nominal time", () => {
    const racks = new DetailedRacks({ runtime: { speculation: SPECULATION } });
    racks.map(0, 0, 0, 0, 100, { lengthUs: at(9) });
    // Reads for 1 s from 2 on, computes for 6: 2 s of 7 are done at 4, 6 at 8.
    expect(racks.run(at(60))).toEqual(["progressed 0 4 0 285714", "progressed 0 8 0 857142", "finished 0 12 0 9"]);
  });

  it("reduces tell a third for fetching, and the rest for computing and writing", () => {
    const racks = new DetailedRacks({ runtime: { speculation: SPECULATION } });
    racks.reduce(0, 0, { fetchBytes: 200 * MIB, outputBytes: 300 * MIB, mapsDone: true, reduceUs: at(8) });
    // Fetches from 2 to 6, computes 3 s to 9, writes 3 s to 12.
    expect(racks.run(at(60))).toEqual(["progressed 0 4 2 166666", "progressed 0 8 2 555555", "finished 0 12 2 12"]);
  });

  it("nodes with a load limit tell how many compute, when that has changed", () => {
    const racks = new DetailedRacks({ node: { loadLimit: 1 } });
    racks.map(0, 0, 0, -1, 0, { lengthUs: at(9) });
    racks.map(0, 0, 1, -1, 0, { lengthUs: at(5) });
    expect(racks.run(at(60))).toEqual([
      "loaded 0 4 2",
      "finished 0 8 1 5",
      "loaded 0 8 1",
      "finished 0 12 0 9",
      "loaded 0 12 0",
    ]);
  });
});

const launch = fc.record({
  node: fc.nat(3),
  source: fc.nat(3),
  inputMiB: fc.integer({ min: 1, max: 400 }),
  lengthUs: fc.integer({ min: 0, max: 10 * SECOND }),
});

describe("what a rack promises", () => {
  it("is never later than its next report, and never goes back without a command", () => {
    fc.assert(
      fc.property(
        fc.array(launch, { minLength: 1, maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 3 * SECOND }), { minLength: 20, maxLength: 40 }),
        fc.constantFrom(0, 400_000),
        fc.integer({ min: 0, max: 20 * SECOND }),
        (launches, steps, outOfBandDelayUs, crashUs) => {
          const crash = { kind: "crash" as const, rack: 0, node: 1, atUs: crashUs, forUs: at(3), factor: 1 };
          const racks = new DetailedRacks({ racks: 2, outOfBandDelayUs, faults: { events: [crash] } });
          const taken = new Set<number>();
          for (const { node, source, inputMiB, lengthUs } of launches) {
            const index = taken.has(racks.slot(node, 0)) ? 1 : 0;
            if (taken.has(racks.slot(node, index))) continue;
            taken.add(racks.slot(node, index));
            const near = racks.topology.rackOf[node] === racks.topology.rackOf[source] ? source : node;
            racks.map(0, node, index, near, inputMiB, { lengthUs });
          }
          let doneUs = 0;
          for (const step of steps) {
            const [promisedUs, told] = [racks.nextReportUs(), racks.log.length];
            doneUs += step;
            racks.run(doneUs, step);
            for (const line of racks.log.slice(told)) {
              expect(Number(line.split(" ")[2]) * SECOND).toBeGreaterThan(promisedUs - 0.5);
            }
            expect(racks.nextReportUs()).toBeGreaterThanOrEqual(Math.max(promisedUs, doneUs));
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
