import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SliceReports } from "../../../dist/actors/index.js";
import { PROPOSES_RATE, SUCCEEDED } from "../../../dist/core/platforms/hadoop/index.js";

const START_US = 9_000_000_000;

/** Takes all there is: time since the slice began, node, place. */
function drain(reports: SliceReports): [number, number, number][] {
  const found: [number, number, number][] = [];
  while (reports.nextUs() < Infinity) {
    const [sinceUs, node] = [reports.nextUs() - START_US, reports.nextNode()];
    found.push([sinceUs, node, reports.words[reports.take() + 2]!]);
  }
  return found;
}

type Heartbeat = readonly [sinceUs: number, node: number];

/** One frame; places number the reports, from `from` on. */
function frameOf(heartbeats: readonly Heartbeat[], from: number): Int32Array {
  return Int32Array.from(heartbeats.flatMap(([sinceUs, node], i) => [node, sinceUs, from + i, 0, SUCCEEDED]));
}

describe("the reports of a slice", () => {
  it("do not hold proposals of rates", () => {
    const reports = new SliceReports();
    const words = Int32Array.of(1, 5, 0, 800, PROPOSES_RATE, 2, 6, 1, 0, SUCCEEDED, 1, 7, 0, 800, PROPOSES_RATE);
    reports.keep(words, words.length, START_US);
    reports.arrange();
    expect(drain(reports)).toEqual([[6, 2, 1]]);
  });

  it("come in the order of a stable sort, whatever the frames", () => {
    const heartbeat = fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 4 }));
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.array(heartbeat, { maxLength: 40 }), { maxLength: 12 }), { maxLength: 3 }),
        (slices) => {
          const reports = new SliceReports();
          for (const frames of slices) {
            let from = 0;
            for (const heartbeats of frames) {
              const words = frameOf(heartbeats, from);
              reports.keep(words, words.length, START_US);
              from += heartbeats.length;
            }
            reports.arrange();
            const sorted = frames.flat().map(([sinceUs, node], i): [number, number, number] => [sinceUs, node, i]);
            sorted.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
            expect(drain(reports)).toEqual(sorted);
            reports.clear();
          }
        },
      ),
    );
  });
});
