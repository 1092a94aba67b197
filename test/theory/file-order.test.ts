import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAnyScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-order-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const HOSTS = 4;

/**
 * A job of tasks on hosts by number. They come at different times: those of one instant are served in the order of the
 * file.
 */
const jobs = fc.uniqueArray(
  fc.record({
    submitMs: fc.nat(20_000),
    group: fc.constantFrom("a", "b"),
    tasks: fc.array(
      fc.record({
        ms: fc.integer({ min: 1, max: 5_000 }),
        hosts: fc.uniqueArray(fc.nat(HOSTS - 1), { maxLength: 2 }),
        isReduce: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
  { minLength: 2, maxLength: 6, selector: ({ submitMs }) => submitMs },
);
type Jobs = typeof jobs extends fc.Arbitrary<infer All> ? All : never;

const FILES: Readonly<Record<string, (nameOf: (host: number) => string) => object>> = {
  spark: (nameOf) => ({
    platform: "spark",
    name: "order",
    cluster: { racks: 2, hosts: Array.from({ length: HOSTS }, (_, host) => ({ name: nameOf(host) })) },
    executors: { cores: 2 },
    workload: { kind: "stages", file: "table.csv" },
    scheduler: { mode: "FAIR", pools: [{ name: "a", weight: 2 }, { name: "b" }] },
  }),
  ...Object.fromEntries(
    ["yarn-fair", "yarn-capacity"].map((kind) => [
      kind,
      (nameOf) => ({
        platform: "yarn",
        name: "order",
        cluster: {
          racks: 2,
          nodes: Array.from({ length: HOSTS }, (_, host) => ({ name: nameOf(host), memory: 4096 })),
        },
        workload: { kind: "tasks", file: "table.csv" },
        scheduler: {
          kind,
          queues:
            kind === "yarn-fair" ? [{ name: "a" }, { name: "b" }] : ["a", "b"].map((name) => ({ name, capacity: 50 })),
        },
      }),
    ]),
  ),
};

/** Rows of a table, job by job. */
function rowsOf(platform: string, all: Jobs, nameOf: (host: number) => string): string[] {
  return all.flatMap(({ submitMs, group, tasks }) =>
    tasks.map(({ ms, hosts, isReduce }, task) => {
      const names = hosts.map(nameOf);
      const job = `job-${submitMs}`;
      if (platform === "spark")
        return [job, group, submitMs * 1000, "s", "", task, ms * 1000, names.join("|")].join(",");
      const type = isReduce ? "reduce" : "map";
      return [job, group, submitMs / 1000, type, ms / 1000, isReduce ? "" : names.join(" ")].join(",");
    }),
  );
}

async function fingerprintOf(
  platform: string,
  rows: readonly string[],
  nameOf: (host: number) => string,
): Promise<string> {
  const head =
    platform === "spark" ? "job,pool,submit_us,stage,parents,task,run_us,places" : "job,pool,submit,type,seconds,hosts";
  writeFileSync(join(folder, "table.csv"), `${[head, ...rows].join("\n")}\n`);
  const read = parseAnyScenario(JSON.stringify(FILES[platform](nameOf)), join(folder, "order.json"));
  const { summary } = await runScenario(read.scenario, read.directory);
  expect(summary.stopped).toBe("all-jobs-ended");
  return summary.fingerprint;
}

const NAMES = ["x", "node-10", "b", "2"];

it.each(Object.keys(FILES))(
  "Where jobs stand in a table and what hosts are called changes nothing under %s",
  async (platform) => {
    const order = fc.infiniteStream(fc.nat());
    const called = fc.shuffledSubarray(NAMES, { minLength: HOSTS });
    await fc.assert(
      fc.asyncProperty(jobs, order, called, async (all, keys, names) => {
        const plain = await fingerprintOf(
          platform,
          rowsOf(platform, all, (of) => NAMES[of]),
          (of) => NAMES[of],
        );
        const shuffled = all.map((job) => ({ job, key: keys.next().value })).sort((a, b) => a.key - b.key);
        const rows = rowsOf(
          platform,
          shuffled.map(({ job }) => job),
          (of) => names[of],
        );
        expect(await fingerprintOf(platform, rows, (of) => names[of])).toBe(plain);
      }),
      { numRuns: 25 },
    );
  },
);
