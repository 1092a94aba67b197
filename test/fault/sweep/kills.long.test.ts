import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { ended } from "../cli/command.js";
import { SweptPlace, until, type SweepText } from "./swept.js";

/** 21 in all. */
const KILLS_PER_SWEEP = 7;

/** Numbers from 0 to 1, the same each time (Park and Miller). */
function drawsFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const SWEEPS: readonly (SweepText & { readonly name: string; readonly seed: number })[] = [
  { name: "plain", seed: 11, points: 4, replications: 7 },
  {
    name: "with a stopping rule",
    seed: 22,
    points: 4,
    replications: 3,
    more: "until: {measure: responseMeanBin3, relativeHalfWidth: 0.05, most: 10}",
  },
  { name: "with series", seed: 33, points: 3, replications: 5, more: "series: true" },
];

describe("SIGKILL at any moment, then --resume until done", () => {
  it.each(SWEEPS)(
    "$name: the same tables, and no run done twice",
    async ({ seed, ...text }) => {
      const place = new SweptPlace(text);
      try {
        const startMs = performance.now();
        const undisturbed = await place.bide("sweep", "s.yaml", "--out", "once", "--threads", "2", "--quiet");
        const wholeMs = performance.now() - startMs;
        expect(undisturbed).toMatchObject({ code: 0, stderr: "" });
        const draw = drawsFrom(seed);
        let before: string[] = [];
        for (let kill = 0; kill < KILLS_PER_SWEEP;) {
          const child = place.start("sweep", "s.yaml", "--out", "killed", "--threads", "2", "--quiet", "--resume");
          const end = ended(child);
          await momentOf(child, draw, () => place.keysIn("killed").length > before.length, wholeMs);
          child.kill("SIGKILL");
          await end;
          const now = place.keysIn("killed");
          expect(now.slice(0, before.length)).toEqual(before);
          before = now;
          if (child.signalCode === "SIGKILL") kill++;
          else {
            // It was faster: the kills that are left are for another.
            expectSame(place);
            rmSync(place.file("killed"), { recursive: true });
            before = [];
          }
        }
        const last = await place.bide("sweep", "s.yaml", "--out", "killed", "--quiet", "--resume");
        expect(last).toMatchObject({ code: 0, stderr: "" });
        expectSame(place);
      } finally {
        place.remove();
      }
      // Nine processes each, one after the other: seconds where nobody else computes.
    },
    300_000,
  );
});

/** What was killed has the tables of what was not, and its journal each run once. */
function expectSame(place: SweptPlace): void {
  expect(place.tables("killed")).toEqual(place.tables("once"));
  const keys = place.keysIn("killed");
  expect(new Set(keys).size).toBe(keys.length);
  expect([...keys].sort()).toEqual([...place.keysIn("once")].sort());
}

/** One time in three at any time from its start, else soon after it has done a run more. */
async function momentOf(
  child: ChildProcess,
  draw: () => number,
  hasDoneOne: () => boolean,
  wholeMs: number,
): Promise<void> {
  if (draw() < 1 / 3) await sleep(draw() * wholeMs);
  else {
    await until(child, hasDoneOne);
    await sleep((draw() * wholeMs) / 40);
  }
}
