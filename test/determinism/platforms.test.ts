import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAnyScenario, parseSweep } from "../../dist/io/index.js";
import { keptInMemory, planSweep, RunPool, runScenario, runSweep } from "../../dist/lab/index.js";
import { inSteps, PLATFORM_CASES, PLATFORM_MATRIX, type Result, resultOf, scenarioOf } from "./platform-runs.js";

// Spark and YARN are one sequential simulation a run: what is asked of placements here is that they change nothing.

const SEEDS = ["1", "2", "seven"];

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-platforms-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe.each(PLATFORM_MATRIX)("one result of %s, %s", (platform, composition) => {
  let alone: Result;
  beforeAll(async () => {
    alone = await resultOf(scenarioOf(platform, composition));
  });

  it("again, after another run and beside one, and whatever number of threads is asked for", async () => {
    const other =
      PLATFORM_MATRIX[(PLATFORM_MATRIX.findIndex(([, name]) => name === composition) + 5) % PLATFORM_MATRIX.length]!;
    const again: Result[] = [];
    for (const placement of [0, 4] as const) {
      again.push(await resultOf(scenarioOf(platform, composition), placement));
    }
    await resultOf(scenarioOf(...other));
    again.push(await resultOf(scenarioOf(platform, composition)));
    const beside = [scenarioOf(...other), scenarioOf(platform, composition), scenarioOf(...other, { seed: "3" })];
    again.push((await Promise.all(beside.map(async (scenario) => resultOf(scenario))))[1]!);
    expect(again).toEqual(again.map(() => alone));
    const untold = await resultOf(scenarioOf(platform, composition), 0, false);
    expect(untold.fingerprint).toBe(alone.fingerprint);
  });

  it("in steps of any length, and sampled at other times", async () => {
    for (const stepUs of [0, 1_234_567]) {
      expect([stepUs, await inSteps(scenarioOf(platform, composition), stepUs)]).toEqual([stepUs, alone.fingerprint]);
    }
    const sampled = await resultOf(scenarioOf(platform, composition, { set: ["run.sample=700ms"] }));
    expect(sampled.fingerprint).toBe(alone.fingerprint);
  });

  it("until a time: it begins as the whole does, and comes out the same again", async () => {
    const whole = await runScenario(scenarioOf(platform, composition), ".", { recordTasks: true });
    for (const until of ["7s", "19s"]) {
      const cut = scenarioOf(platform, composition, { set: [`run.until=${until}`] });
      expect(await resultOf(cut)).toEqual(await resultOf(cut));
      const { record } = await runScenario(cut, ".", { recordTasks: true });
      const [of, ofCut] = [whole.record.tasks!, record.tasks!];
      expect(ofCut.rows).toBeLessThan(of.rows);
      for (const column of ["job", "type", "index", "node", "level", "launchAtUs", "finishAtUs", "outcome"] as const) {
        expect([column, ...ofCut[column]]).toEqual([column, ...of[column].slice(0, ofCut.rows)]);
      }
    }
  });
});

it.each(Object.keys(PLATFORM_CASES))(
  "each composition of %s and each seed decides something else",
  async (platform) => {
    const names = Object.keys(PLATFORM_CASES[platform]!.compositions);
    const found = new Map<string, string>();
    for (const name of names) found.set((await resultOf(scenarioOf(platform, name))).fingerprint, name);
    expect([...found.values()]).toEqual(names);
    const ofSeeds = SEEDS.map(async (seed) => (await resultOf(scenarioOf(platform, names[0]!, { seed }))).fingerprint);
    expect(new Set(await Promise.all(ofSeeds)).size).toBe(SEEDS.length);
  },
);

/** What sweeps vary beside the end of the run: the scheduler as a whole. */
const SCHEDULERS: Readonly<Record<string, readonly object[]>> = {
  spark: [
    { version: "2.4", mode: "FAIR" },
    { version: "4.0", speculation: true },
  ],
  yarn: [{ kind: "yarn-fair", policy: "drf" }, { kind: "yarn-capacity" }],
};
const ENDS = ["9s", "2h"];

it.each(Object.keys(PLATFORM_CASES))(
  "a sweep of %s on two worker threads gives each run what it has alone",
  async (platform) => {
    const { scenario } = PLATFORM_CASES[platform]!;
    const sweep = {
      name: "matrix",
      scenario: `${platform}.json`,
      axes: [
        { name: "end", path: "run.until", values: ENDS },
        { name: "by", path: "scheduler", values: SCHEDULERS[platform], labels: ["one", "other"] },
      ],
      seeds: SEEDS,
    };
    const file = join(folder, sweep.scenario);
    // All in one queue, for which schedulers of YARN need say nothing.
    const text = JSON.stringify(scenario, (key, value: unknown) => (key === "queue" ? undefined : value));
    writeFileSync(file, text);
    const planned = planSweep(parseSweep(JSON.stringify(sweep), join(folder, "sweep.json")), []);
    const runs = keptInMemory(planned);
    const pool = new RunPool(2);
    try {
      await runSweep(runs, pool);
    } finally {
      await pool.close();
    }
    const found = new Set<string>();
    for (const [point, { label }] of runs.plan.points.entries()) {
      const [end, by] = [ENDS[Math.floor(point / 2)]!, SCHEDULERS[platform]![point % 2]!];
      for (const [replication, seed] of SEEDS.entries()) {
        const set = [`run.until=${end}`, `scheduler=${JSON.stringify(by)}`];
        const alone = await resultOf(parseAnyScenario(text, file, { set, seed }).scenario);
        found.add(alone.fingerprint);
        expect([label, seed, runs.outcomeOf(planned.stored.keys[point]![replication]!)]).toMatchObject([
          ...[label, seed],
          { outcome: "done", fingerprint: alone.fingerprint },
        ]);
      }
    }
    expect(found.size).toBe(SEEDS.length * ENDS.length * 2);
  },
);

describe("the order in which a workload is written", () => {
  it.each(Object.keys(PLATFORM_CASES))(
    "does not count where jobs of %s are listed that come at other times",
    async (platform) => {
      const { scenario } = PLATFORM_CASES[platform]! as {
        scenario: { workload: { jobs: readonly { after?: string }[] } };
      };
      const jobs = scenario.workload.jobs.filter(({ after }) => after === undefined);
      const fingerprintOf = async (listed: readonly object[]): Promise<string> => {
        const text = JSON.stringify({ ...scenario, workload: { kind: "jobs", jobs: listed } });
        return (await resultOf(parseAnyScenario(text, "matrix.json").scenario)).fingerprint;
      };
      expect(await fingerprintOf(jobs.toReversed())).toBe(await fingerprintOf(jobs));
    },
  );

  const TABLE = [
    ["job", "pool", "submit_us", "stage", "parents", "task", "run_us", "places"],
    ...["0", "1", "2", "3", "4", "5"].map((task) => ["slow", "", "0", "a", "", task, "4000000", "host-1|host-2/2"]),
    ...["0", "1", "2"].map((task) => ["slow", "", "0", "b", "a", task, "2000000", ""]),
    ...["0", "1", "2", "3"].map((task) => ["quick", "p", "1000000", "a", "", task, "700000", "host-2|host-1|host-3"]),
    ...["0", "1", "2", "3"].map((task) => ["late", "", "2000000", "a", "", task, "900000", "host-3/3|host-1"]),
  ];
  const [HEAD, ...ROWS] = TABLE as [string[], ...string[][]];
  const ofJob = (job: string): string[][] => ROWS.filter(([name]) => name === job);
  const asTable = (rows: readonly (readonly string[])[]): string => rows.map((row) => `${row.join(",")}\n`).join("");

  it.each([
    ["of columns", TABLE.map((row) => row.toReversed())],
    ["of places", TABLE.map((row) => [...row.slice(0, -1), row.at(-1)!.split("|").toReversed().join("|")])],
    ["of jobs that come at other times", [HEAD, ...ofJob("late"), ...ofJob("slow"), ...ofJob("quick")]],
  ])("does not count in a table of Spark's stages: %s", async (_what, other) => {
    const scenario = (file: string) => ({
      platform: "spark",
      cluster: { hosts: 3, racks: 1 },
      executors: { cores: 2 },
      workload: { kind: "stages", file },
    });
    const fingerprintOf = async (rows: readonly (readonly string[])[]): Promise<string> => {
      writeFileSync(join(folder, "stages.csv"), asTable(rows));
      const read = parseAnyScenario(JSON.stringify(scenario("stages.csv")), join(folder, "s.json"));
      return (await runScenario(read.scenario, read.directory)).summary.fingerprint;
    };
    expect(await fingerprintOf(other)).toBe(await fingerprintOf(TABLE));
  });
});
