import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RunOutcome, type SweepRow, sweepRows, type SweepPlan } from "../../../dist/experiments/index.js";
import { Journal, readJournal } from "../../../dist/io/index.js";
import { runSweep, type RunExecutor, type RunTask } from "../../../dist/lab/index.js";
import { doneRun, failedRun, smallPlan, storedPlan } from "../../support/small-sweeps.js";

const UNTIL = { measure: "responseMean", relativeHalfWidth: 0.4, most: 7 };
const KILLED = new Error("killed");

/** What a run gives, by its key alone: some fail. */
function outcomeOf(key: string): RunOutcome {
  return parseInt(key.slice(-1), 16) < 2 ? failedRun(key) : doneRun(key);
}

/** Ends runs in an order of its own. */
class DisorderlyExecutor implements RunExecutor {
  private readonly waiting: (() => void)[] = [];
  readonly asked: string[] = [];

  constructor(
    readonly atOnce: number,
    private readonly draw: () => number,
  ) {}

  async run({ key }: RunTask): Promise<RunOutcome> {
    this.asked.push(key);
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      setImmediate(() => this.endOne());
    });
    return outcomeOf(key);
  }

  async close(): Promise<void> {
    return Promise.resolve();
  }

  private endOne(): void {
    const [one] = this.waiting.splice(Math.floor(this.draw() * this.waiting.length), 1);
    one();
  }
}

/**
 * One process: goes on with the journal until it is done, or is killed after so many records in the midst of the next.
 */
async function process(
  plan: SweepPlan,
  path: string,
  draw: () => number,
  killAfter: number,
): Promise<readonly SweepRow[] | null> {
  const { keys } = storedPlan(plan);
  const found = readJournal(path);
  const journal = Journal.open(path, found);
  const outcomes = new Map(found.rows.map(({ key, run }) => [key, run]));
  const before = new Set(outcomes.keys());
  let left = killAfter;
  const record = async (row: SweepRow): Promise<void> => {
    await Promise.resolve();
    const { length } = readFileSync(path);
    journal.append(row);
    if (left-- > 0) {
      outcomes.set(row.key, row.run);
      return;
    }
    // Whatever part of the line was written; nothing after it.
    truncateSync(path, length + Math.floor(draw() * (readFileSync(path).length - length)));
    throw KILLED;
  };
  const executor = new DisorderlyExecutor(1 + Math.floor(draw() * 5), draw);
  const taskOf = (point: number, replication: number): RunTask => ({ key: keys[point][replication] }) as RunTask;
  try {
    let hasDied = false;
    await runSweep(
      {
        plan,
        keys,
        taskOf,
        outcomeOf: (key) => outcomes.get(key),
        record: async (row) => {
          if (hasDied) throw KILLED;
          try {
            await record(row);
          } catch (error) {
            hasDied = true;
            throw error;
          }
        },
      },
      executor,
    );
  } catch (error) {
    if (error !== KILLED) throw error;
    return null;
  } finally {
    journal.close();
    expect(executor.asked.filter((key) => before.has(key))).toEqual([]);
  }
  return sweepRows(plan, keys, (key) => outcomes.get(key));
}

const sweeps = fc.record({
  points: fc.integer({ min: 1, max: 6 }),
  replications: fc.integer({ min: 1, max: 4 }),
  hasRule: fc.boolean(),
  kills: fc.array(fc.nat({ max: 8 }), { maxLength: 5 }),
  seed: fc.integer({ min: 1, max: 1e9 }),
});

describe("a sweep that is killed and resumed, its runs ending in any order", () => {
  it("has the rows of one that goes through its plan in order, and each run in its journal once", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bide-interleaved-"));
    try {
      await fc.assert(
        fc.asyncProperty(sweeps, async ({ points, replications, hasRule, kills, seed }) => {
          const plan = smallPlan(points, replications, hasRule ? { until: UNTIL } : {});
          const { keys } = storedPlan(plan);
          let state = seed;
          const draw = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
          const path = join(folder, "journal.jsonl");
          writeFileSync(path, "");
          let rows: readonly SweepRow[] | null = null;
          for (const killAfter of [...kills, Infinity]) rows ??= await process(plan, path, draw, killAfter);
          expect(rows).toEqual(sweepRows(plan, keys, outcomeOf));
          const written = readJournal(path).rows.map(({ key }) => key);
          expect(new Set(written).size).toBe(written.length);
          expect(written.length).toBe(rows?.length);
        }),
        { numRuns: 150, seed: 20_111 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
