import { describe, expect, it } from "vitest";
import { simulate } from "../../dist/lab/index.js";
import { PREEMPTING_RULES as RULES, preemptingRun } from "../support/preempting-run.mjs";
import { threadsOfFile } from "../support/threads-of-file.js";

const SECOND = 1_000_000;
const COMMIT = { pollUs: SECOND, commitUs: 1_700_000 };

const idleThreads = threadsOfFile();

/** Fingerprint of a run with kills, in which jobs are set up and cleaned up by tasks, and output is committed. */
async function fingerprintOf(rules: string, threads: number, slices: number, commit: typeof COMMIT | null = COMMIT) {
  const { scenario, workload } = preemptingRun({ rules });
  const runtime = { ...scenario.runtime, jobSetupUs: 4 * SECOND, jobCleanupUs: SECOND, setupTasks: true, commit };
  const run = await simulate({ ...scenario, runtime }, workload, { threads, slices, recordTasks: false, idleThreads });
  expect(run.allEnded).toBe(true);
  const { recorder, attempts, slots } = run.master.master;
  expect([attempts.awaitingCommit, ...slots.takenSlots]).toEqual([0, 0, 0]);
  expect(recorder.kills).toBeGreaterThan(10);
  return recorder.fingerprint.hex();
}

describe.each(RULES)("one fingerprint of set-up tasks, commits and kills by the rules %s", (rules) => {
  const offset = RULES.indexOf(rules);
  it.each([
    [0, [1, 2, 3, 8][offset % 4]!],
    [2, 1 + offset],
    [4, [2, 1, 3, 2][offset % 4]!],
  ])("on %s threads in %s slices", async (threads, slices) => {
    expect(await fingerprintOf(rules, threads, slices)).toBe(await fingerprintOf(rules, 0, 2));
  });
});

describe("runs with commits", () => {
  it("differ from those without, so that equal fingerprints mean something", async () => {
    const found = new Set([await fingerprintOf("1.2", 0, 1), await fingerprintOf("1.2", 0, 1, null)]);
    expect(found.size).toBe(2);
  });
});
