import { describe, expect, it } from "vitest";
import { HADOOP_WORDS } from "../../../dist/core/platforms/hadoop/index.js";
import { groupTimeline, type TimelineSamples } from "../../../dist/report/index.js";

const SECOND = 1_000_000;

/** Pools by name, with the map slots each held at sample 0, 1, ...; null: it had no demand, and so no sample. */
function timeline(pools: Record<string, (number | null)[]>, mapSlots = 80): TimelineSamples {
  const names = Object.keys(pools);
  const rows = Math.max(...Object.values(pools).map((values) => values.length));
  const samples: { at: number; pool: number; running: number }[] = [];
  for (let row = 0; row < rows; row++) {
    names.forEach((name, pool) => {
      const running = pools[name][row] ?? null;
      if (running !== null) samples.push({ at: row * SECOND, pool, running });
    });
  }
  return {
    words: HADOOP_WORDS,
    capacity: mapSlots,
    samples: { rows, atUs: Float64Array.from({ length: rows }, (_, row) => row * SECOND) } as never,
    groupSamples: {
      rows: samples.length,
      groupNames: names,
      atUs: Float64Array.from(samples, ({ at }) => at),
      group: Int32Array.from(samples, ({ pool }) => pool),
      held: [
        Float64Array.from(samples, ({ running }) => running),
        // It need not be map slots that it held.
        new Float64Array(samples.length).fill(1),
      ],
    } as never,
  };
}

const constant = (value: number | null, times = 10): (number | null)[] => Array.from({ length: times }, () => value);

describe("the timeline of pools", () => {
  it("draws a bar per sample, full for all slots, empty without demand, never empty for something", () => {
    const ramp = [0, 10, 20, 30, 40, 50, 60, 70, 80, 1];
    const lines = groupTimeline(timeline({ a: ramp, bee: [null, null, ...constant(40, 8)] }));
    expect(lines).toEqual([
      "Map slots held by each pool, 0s to 9s (full height: 80 slots)",
      "a     ▁▂▃▄▅▆▇█▁",
      "bee    ▄▄▄▄▄▄▄▄",
    ]);
  });

  it("is left out where there is little to see", () => {
    expect(groupTimeline(timeline({ a: constant(1) }))).toEqual([]);
    expect(groupTimeline(timeline({ a: constant(1, 9), b: constant(1, 9) }))).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`p${String(i)}`, constant(1)]));
    expect(groupTimeline(timeline(many))).toEqual([]);
  });
});
