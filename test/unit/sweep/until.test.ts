import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type RunOutcome, estimate, pointEstimates } from "../../../dist/experiments/index.js";
import { parseSweep, readSweepFolder, SweepFolder } from "../../../dist/io/index.js";
import { planSweep, type RunExecutor, sweepInto } from "../../../dist/lab/index.js";
import runTask, { type RunTask } from "../../../dist/lab/sweep/run-task.js";
import { drawsOf } from "../../support/drawn-series.js";

const MOST = 10;
const SHARE = 0.014;
const TEXT = `
name: until
scenario: ../tiny.yaml
axes: [{ name: W1, path: scheduler, values: [fifo, fair, { kind: delay, wait: { node: 5s } }] }]
replications: 3
measures: [responseMean, nodeLocalAll]
until: { measure: nodeLocalAll, relativeHalfWidth: ${SHARE}, most: ${MOST} }
`;

const loaded = parseSweep(TEXT, "scenarios/sweeps/until.yaml");
const planned = planSweep(loaded, []);
const folders = mkdtempSync(join(tmpdir(), "bide-until-"));
afterAll(() => {
  rmSync(folders, { recursive: true });
});

const known = new Map<string, RunOutcome>();
const outcomeOf = async (task: RunTask) => {
  const run = known.get(task.key) ?? (await runTask(task));
  known.set(task.key, run);
  return run;
};

/** Ends the runs that it is at in an order drawn from a seed. */
function shuffling(seed: string, atOnce: number): RunExecutor & { readonly asked: string[] } {
  const { uniform } = drawsOf(seed);
  const ends: (() => void)[] = [];
  const endOne = () => ends.splice(Math.floor(uniform() * ends.length), 1).forEach((end) => end());
  const asked: string[] = [];
  return {
    atOnce,
    asked,
    run: async (task, signal) => {
      asked.push(task.key);
      const run = await outcomeOf(task);
      await new Promise<void>((resolve) => {
        ends.push(resolve);
        setImmediate(endOne);
      });
      signal?.throwIfAborted();
      return run;
    },
    close: async () => Promise.resolve(),
  };
}

/** Replications of each point, tried one number after another on all that there can be. */
async function tried(): Promise<number[]> {
  const found: number[] = [];
  for (const { index } of loaded.plan.points) {
    const values: (number | null)[] = [];
    for (let replication = 0; replication < MOST; replication++) {
      const run = await outcomeOf(planned.taskOf(index, replication));
      values.push(run.outcome === "done" ? run.values.nodeLocalAll : null);
    }
    const isEnough = (n: number) => {
      const { mean, halfWidth } = estimate(values.slice(0, n));
      return (halfWidth as number) <= SHARE * (mean as number);
    };
    found.push(
      Array.from({ length: MOST }, (_, i) => i + 1).find((n) => n >= 3 && (n === MOST || isEnough(n))) ?? MOST,
    );
  }
  return found;
}

const open = (name: string) =>
  SweepFolder.open({
    path: join(folders, name),
    resume: true,
    force: false,
    text: TEXT,
    stored: planned.stored,
  });

describe("a sweep that goes on until a measure is known well enough", () => {
  it("does the fewest replications that are enough, whichever end first and however often it is stopped", async () => {
    const expected = await tried();
    // The rule has something to do: not all points stop at once, nor do all go on to the end.
    expect(new Set(expected).size).toBeGreaterThan(1);
    for (const [atOnce, stopAfter] of [
      [4, Infinity],
      [3, 8],
    ]) {
      const name = `${String(atOnce)}-${String(stopAfter)}`;
      const asked: string[] = [];
      for (let session = 0; ; session++) {
        const folder = open(name);
        const executor = shuffling(`${name} ${String(session)}`, atOnce);
        const stop = new AbortController();
        const onProgress = ({ endedHere }: { endedHere: number }) => {
          if (endedHere >= stopAfter) stop.abort(new Error("stopped"));
        };
        const end = await sweepInto(folder, planned, executor, { signal: stop.signal, onProgress }).catch(() => null);
        folder.close();
        asked.push(...executor.asked);
        if (end !== null) break;
      }
      const record = readSweepFolder(join(folders, name));
      const estimates = pointEstimates(record);
      expect(estimates.map(({ done }) => done)).toEqual(expected);
      for (const { done, measures } of estimates) {
        if (done < MOST) expect(measures.nodeLocalAll.relativeHalfWidth).toBeLessThanOrEqual(SHARE);
      }
      const total = expected.reduce((a, b) => a + b, 0);
      if (stopAfter === Infinity) expect(asked).toHaveLength(total);
      else expect(new Set(asked).size).toBe(total);
    }
  });
});
