import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Ring } from "../../../dist/actors/index.js";
const stopped = (): boolean => true;

/** A ring of the smallest size there is, 64 KiB. */
function smallRing(): Ring {
  return Ring.allocate(1, 16);
}

function take(ring: Ring): number[] {
  const frame = [...ring.read()];
  ring.release();
  return frame;
}

describe("a ring", () => {
  it("does not write when it is full and the run has stopped", () => {
    const ring = smallRing();
    const frame = new Uint8Array(10_000).fill(1);
    let written = 0;
    while (ring.write(frame, 0, stopped)) written++;
    expect(written).toBe(6);
    ring.read();
    ring.release();
    expect(ring.write(new Uint8Array(5_000).fill(2), 0, stopped)).toBe(true);
    for (let i = 0; i < 5; i++) expect(take(ring)).toHaveLength(10_000);
    expect(take(ring)).toHaveLength(5_000);
    expect(ring.hasFrame()).toBe(false);
  });

  it("never loses, changes or reorders a frame, however often it wraps", () => {
    const steps = fc.array(fc.oneof(fc.nat(9), fc.nat(20_000), fc.constant(-1)), { maxLength: 120 });
    fc.assert(
      fc.property(steps, (history) => {
        const ring = smallRing();
        const sent: { length: number; value: number }[] = [];
        const check = (): void => {
          const { length, value } = sent.shift()!;
          expect(ring.frontSlice()).toBe(value);
          const frame = ring.read();
          expect(frame.length).toBe(length);
          expect(frame.every((byte) => byte === value)).toBe(true);
          ring.release();
        };
        history.forEach((length, i) => {
          if (length < 0) {
            if (sent.length > 0) check();
          } else if (ring.write(new Uint8Array(length).fill(i), i, stopped)) sent.push({ length, value: i });
          expect(ring.hasFrame()).toBe(sent.length > 0);
        });
        while (sent.length > 0) check();
        expect(ring.hasFrame()).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it("holds as many of the largest frames as it was made for, whatever its position", () => {
    for (const [frames, longest] of [
      [2, 100_000],
      [16, 5_000],
      [1, 70_000],
    ] as const) {
      const ring = Ring.allocate(frames, longest);
      for (let round = 0; round < 40; round++) {
        for (let i = 0; i < frames; i++)
          expect(ring.write(new Uint8Array(longest - (round % 5)), 0, stopped)).toBe(true);
        for (let i = 0; i < frames; i++) take(ring);
        ring.write(new Uint8Array((round * 997) % longest), 0, stopped);
        take(ring);
      }
    }
  });

  it("keeps going when its running counts pass 2^31", () => {
    const ring = smallRing();
    const counts = new Int32Array(ring.memory, 0, 2);
    counts.fill(2 ** 31 - 2 ** 16);
    for (let i = 0; i < 40; i++) {
      expect(ring.write(new Uint8Array(9_000).fill(i), 0, stopped)).toBe(true);
      expect(take(ring)).toEqual(new Array(9_000).fill(i));
    }
    expect(counts[0]).toBeLessThan(0);
  });

  it("carries many frames between two threads, the writer waiting for room most of the time", async () => {
    const ring = smallRing();
    const frames = 20_000;
    const longest = 3_000;
    const writer = new Worker(new URL("./ring-writer.mjs", import.meta.url), {
      workerData: { memory: ring.memory, frames, longest },
    });
    const ended = once(writer, "exit");
    await once(writer, "online");
    for (let i = 0; i < frames; i++) {
      while (!ring.hasFrame()) await turn();
      const frame = ring.read();
      if (frame.length !== (i * 37) % longest || frame.some((byte) => byte !== i % 251)) {
        throw new Error(`frame ${i} came with ${frame.length} bytes of ${frame[0]}`);
      }
      ring.release();
    }
    expect(await ended).toEqual([0]);
    expect(ring.hasFrame()).toBe(false);
  });
});
