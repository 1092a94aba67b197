import { describe, expect, it } from "vitest";
import { simulate } from "../../dist/lab/index.js";
import { PREEMPTING_RULES as RULES, preemptingRun } from "../support/preempting-run.mjs";
import { threadsOfFile } from "../support/threads-of-file.js";

const RACKS = 4;
const SLICES = [1, 2, 3, 8];

const idleThreads = threadsOfFile();

interface Outcome {
  readonly fingerprint: string;
  readonly kills: number;
  readonly killedUs: number;
}

async function outcomeOf(options: { rules: string; seed?: string }, threads: number, slices: number): Promise<Outcome> {
  const { scenario, workload } = preemptingRun(options);
  const run = await simulate(scenario, workload, { threads, slices, recordTasks: false, idleThreads });
  expect(run.allEnded).toBe(true);
  const { fingerprint, kills, killedUs } = run.master.master.recorder;
  return { fingerprint: fingerprint.hex(), kills, killedUs };
}

describe.each(RULES)(
  "one fingerprint of a run with kills, nested pools, limits and reloads by the rules %s",
  (rules) => {
    it("inline, for every number of slices, and again", async () => {
      const first = await outcomeOf({ rules }, 0, 1);
      expect(first.kills).toBeGreaterThan(20);
      for (const slices of [...SLICES, 1]) expect(await outcomeOf({ rules }, 0, slices)).toEqual(first);
    });

    const offset = RULES.indexOf(rules);
    const onThreads = [1, 2, RACKS].map((threads, row) => [threads, SLICES[(offset + row) % SLICES.length]!] as const);
    it.each(onThreads)("on %s threads in %s slices", async (threads, slices) => {
      expect(await outcomeOf({ rules }, threads, slices)).toEqual(await outcomeOf({ rules }, 0, 1));
    });
  },
);

describe("runs with kills", () => {
  it("differ between rule sets and between seeds, so that equal fingerprints mean something", async () => {
    const found = new Set<string>();
    for (const rules of RULES) found.add((await outcomeOf({ rules }, 0, 1)).fingerprint);
    expect(found.size).toBe(RULES.length);
    for (const seed of ["2", "two"]) found.add((await outcomeOf({ rules: "paper", seed }, 0, 1)).fingerprint);
    expect(found.size).toBe(RULES.length + 2);
  });
});
