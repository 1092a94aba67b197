import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAP, REDUCE, type SlotType } from "../../dist/core/jobs/job-table.js";
import { simulate, type Simulation } from "../../dist/lab/simulate.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const GB = 1e9;

/** Everything that can make an attempt end early, in all mixes, on few nodes. */
const cases = fc.record({
  model: fc.constantFrom("light", "detailed"),
  rules: fc.constantFrom("paper", "0.21", "1.2", "branch-1"),
  kind: fc.constantFrom("fifo", "fair", "delay"),
  seed: fc.nat(1000).map(String),
  mapFailure: fc.constantFrom(0, 0.1, 0.4),
  reduceFailure: fc.constantFrom(0, 0.2),
  stragglers: fc.constantFrom(0, 0.2),
  rule: fc.constantFrom("off", "hadoop", "late"),
  commits: fc.boolean(),
  crashes: fc.array(
    fc.record({ rack: fc.nat(1), node: fc.nat(2), atS: fc.nat(200), forS: fc.integer({ min: 5, max: 90 }) }),
    {
      maxLength: 2,
    },
  ),
  memory: fc.boolean(),
  reduceSlots: fc.constantFrom(1, 3),
  computing: fc.constantFrom(null, 1, 2),
  outOfBandDelayUs: fc.constantFrom(0, 0, SECOND / 4),
  jobs: fc.array(
    fc.record({
      maps: fc.integer({ min: 1, max: 12 }),
      reduces: fc.nat(3),
      mapS: fc.integer({ min: 4, max: 60 }),
      atS: fc.nat(60),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function scenarioOf(raw: Case) {
  const speculation =
    raw.rule === "off"
      ? null
      : {
          rule: raw.rule,
          minAgeUs: 10 * SECOND,
          progressGap: 0.2,
          slowerBy: 1,
          maxShareOfSlots: 0.2,
          checkEveryUs: 5 * SECOND,
        };
  const needs = raw.memory
    ? { mapMemoryBytes: 2 * GB, reduceMemoryBytes: 3 * GB }
    : { mapMemoryBytes: 0, reduceMemoryBytes: 0 };
  return smallRun({
    cluster: clusterOf({
      ...{ racks: 2, nodesPerRack: 3, mapSlots: 2, reduceSlots: raw.reduceSlots, node: { memoryBytes: 6 * GB } },
      outOfBandDelayUs: raw.outOfBandDelayUs,
    }),
    scheduler: schedulerOf(raw.kind, { rules: raw.rules }),
    jobs: raw.jobs.map(({ maps, reduces, mapS, atS }) =>
      jobOf({ maps, reduces, mapUs: mapS * SECOND, atUs: atS * SECOND }),
    ),
    seed: raw.seed,
    run: { untilUs: 20_000 * SECOND },
    runtime: {
      model: raw.model,
      speculation,
      copyCompute: raw.computing === null ? null : { computing: raw.computing, perJob: 2, order: "waiting" },
      commit: raw.commits ? { pollUs: SECOND, commitUs: SECOND / 2 } : null,
      attempts: { maxPerTask: 3, maxFailuresPerNode: 2, trackerExpiryUs: 30 * SECOND, ...needs },
    },
    faults: {
      ...{
        mapFailure: raw.mapFailure,
        reduceFailure: raw.reduceFailure,
        stragglers: raw.stragglers,
        stragglerFactor: 6,
      },
      events: raw.crashes.map(({ rack, node, atS, forS }) => {
        return { kind: "crash", rack, node, atUs: atS * SECOND, forUs: forS * SECOND, factor: 1 };
      }),
    },
  });
}

async function run(raw: Case, threads: number, slices: number): Promise<Simulation> {
  const { scenario, workload } = scenarioOf(raw);
  return simulate(scenario, workload, { threads, slices, recordTasks: true });
}

/** What is wrong with a run that is over; null: nothing. */
function problemOf(raw: Case, { master, allEnded }: Simulation): string | null {
  const { recorder, jobs, slots, built } = master.master;
  if (!allEnded || jobs.size > 0) return "a job has not ended";
  if (built.scheduler.hasReduces()) return "the scheduler waits for reduces of nobody";
  const attempts = recorder.tasks?.rows ?? 0;
  const column = (name: "job" | "type" | "index" | "attempt" | "outcome"): ArrayLike<number> =>
    recorder.tasks?.column(name) ?? [];
  const [job, type, index, number, outcome] = (["job", "type", "index", "attempt", "outcome"] as const).map(column);
  const successes = new Map<string, number>();
  const seen = new Set<string>();
  for (let row = 0; row < attempts; row++) {
    const task = [job[row], type[row], index[row]].join("/");
    if (type[row] > REDUCE) continue;
    const { maps, reduces } = recorder.workload.jobs[job[row]];
    if (index[row] >= (type[row] === MAP ? maps : reduces)) return `${task} is no task`;
    if (seen.has(`${task}/${String(number[row])}`)) return `attempt ${String(number[row])} of ${task} ended twice`;
    seen.add(`${task}/${String(number[row])}`);
    if (outcome[row] === 0) successes.set(task, (successes.get(task) ?? 0) + 1);
  }
  const mayRepeat = raw.crashes.length > 0;
  for (const [task, count] of successes) if (count > 1 && !mayRepeat) return `${task} succeeded ${String(count)} times`;
  for (let id = 0; id < recorder.jobsSubmitted; id++) {
    const { maps, reduces } = recorder.workload.jobs[id];
    const done = (of: SlotType, tasks: number): boolean =>
      Array.from({ length: tasks }, (_, task) => successes.has([id, of, task].join("/"))).every(Boolean);
    const isDone = done(MAP, maps) && done(REDUCE, reduces);
    if (isDone === (recorder.hasFailed[id] === 1))
      return `job ${String(id)} ${isDone ? "failed, though done" : "ended undone"}`;
  }
  // Only attempts of jobs that have ended may still hold slots.
  const held = slots.taken[MAP] + slots.taken[REDUCE];
  return held > 0 && recorder.jobsFailed === 0 && raw.rule === "off" && !mayRepeat
    ? `${String(held)} slots are held`
    : null;
}

describe("attempts that fail, straggle, are copied, refused and lost", () => {
  it("never keep a job from ending, done or failed; never succeed twice, nor end twice", async () => {
    let failed = 0;
    let copies = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (raw) => {
        const simulation = await run(raw, 0, 1);
        const { recorder } = simulation.master.master;
        failed += recorder.jobsFailed;
        copies += recorder.copiesWon;
        expect(problemOf(raw, simulation)).toBeNull();
      }),
      { numRuns: 120 },
    );
    expect(failed).toBeGreaterThan(10);
    expect(copies).toBeGreaterThan(10);
  }, 240_000);

  it("never leave a trace of slices and threads", async () => {
    await fc.assert(
      fc.asyncProperty(
        cases,
        fc.integer({ min: 2, max: 5 }),
        fc.constantFrom(0, 0, 1, 2),
        async (raw, slices, threads) => {
          const [one, other] = [await run(raw, 0, 1), await run(raw, threads, slices)];
          expect(other.master.master.recorder.fingerprint.hex()).toBe(one.master.master.recorder.fingerprint.hex());
        },
      ),
      { numRuns: 25 },
    );
  }, 240_000);
});
