import { describe, expect, it } from "vitest";
import { platformNamed } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";
import { check, drawCase } from "../hunt/hunt.mjs";
import { brokenIn, ownRecord } from "../hunt/platform-checks.mjs";
import { drawnKeys, schemaKeys } from "../hunt/scenario-keys.mjs";
import { casesToTry } from "../support/search.js";
import { scenarioOf } from "./platform-runs.js";

const SEED = 33;
const CASES = casesToTry(120);
/** By platform: the composition that is changed afterwards. */
const COMPOSITION: Readonly<Record<string, string>> = { spark: "3.5", yarn: "fair" };

/** Keys of which the checks know nothing yet: tables of tasks. */
const NOT_DRAWN: Readonly<Record<string, RegExp>> = {
  yarn: /^\.workload\.(file|copied|lenient|missingHosts|maps|reduces|master|slowStart)/,
};

describe.each(["spark", "yarn"])("cases of the hunt under %s", (platform) => {
  it("are drawn over every key of the scenario schema, and no other", () => {
    const keys = [...schemaKeys(platform)].filter((key) => NOT_DRAWN[platform]?.test(key) !== true);
    expect([...drawnKeys(platform)].sort()).toEqual(keys.sort());
  });

  it("keep what holds of every run", { timeout: 600_000 }, async () => {
    const found: string[] = [];
    for (let number = 0; number < CASES; number++) {
      const find = await check(await drawCase(SEED, number, platform));
      if (find === null) continue;
      const again = `npm run hunt -- --platform ${platform} --seed ${SEED} --from ${number} --cases 1`;
      found.push(`${find.kind}: ${find.what}: ${again}`);
    }
    expect(found).toEqual([]);
  });
});

interface Row {
  job: number;
  stage: number;
  task: number;
  number: number;
  executor: number;
  node: number;
  level: number;
  readyUs: number;
  givenUs: number;
  launchUs: number;
  endUs: number;
  outcome: string;
}

/** What a run leaves, with one thing changed, must be found out. */
const TAMPERED: readonly (readonly [platform: string, what: string, kind: string, change: (rows: Row[]) => Row[]])[] = [
  [
    "spark",
    "everything runs on one executor",
    "too much",
    (rows) => rows.map((row) => ({ ...row, executor: 0, node: 0 })),
  ],
  [
    "spark",
    "a task is done once more",
    "twice",
    (rows) => [...rows, { ...rows[5]!, launchUs: lastOf(rows), endUs: lastOf(rows) }],
  ],
  [
    "spark",
    "a task is never done",
    "lost task",
    (rows) => rows.filter(({ job, stage, task }) => job + stage + task > 0),
  ],
  ["spark", "all is said to be on its host", "locality", (rows) => rows.map((row) => ({ ...row, level: 1 }))],
  [
    "spark",
    "one ends before it begins",
    "times",
    (rows) => rows.map((row, i) => (i === 3 ? { ...row, endUs: row.launchUs - 1 } : row)),
  ],
  [
    "spark",
    "one runs on a host without its executor",
    "nowhere",
    (rows) => rows.map((row, i) => (i === 3 ? { ...row, node: row.node + 1 } : row)),
  ],
  [
    "spark",
    "the last task waited from the start",
    "idle",
    (rows) => [...rows.slice(0, -1), { ...rows.at(-1)!, readyUs: 0 }],
  ],
  ["yarn", "everything runs on one node", "too much", (rows) => rows.map((row) => ({ ...row, node: 0 }))],
  [
    "yarn",
    "a task is done once more",
    "twice",
    (rows) => [
      ...rows,
      { ...rows.at(-1)!, readyUs: lastOf(rows), givenUs: lastOf(rows), launchUs: lastOf(rows), endUs: lastOf(rows) },
    ],
  ],
  [
    "yarn",
    "a task is never done",
    "lost task",
    (rows) => rows.filter(({ job, stage, task }) => job !== 0 || stage !== 0 || task !== 7),
  ],
  ["yarn", "all is said to be on its node", "locality", (rows) => rows.map((row) => ({ ...row, level: 0 }))],
  [
    "yarn",
    "one is launched before it is ready",
    "times",
    (rows) => rows.map((row, i) => (i === 3 ? { ...row, readyUs: row.launchUs + 1 } : row)),
  ],
];

function lastOf(rows: readonly Row[]): number {
  return Math.max(...rows.map(({ endUs }) => endUs));
}

interface Simulated {
  readonly nextUs: () => number;
  readonly advance: (untilUs: number) => void;
}

describe("a run in which something is changed afterwards", () => {
  it.each(TAMPERED)("of %s is found out: %s", async (platform, _what, kind, change) => {
    // No copies, and nobody waits for data.
    const set =
      platform === "spark"
        ? ["scheduler.wait=0s", "runtime.stageStart=0s", "workload.jobs.query.stages.all.barrier=false"]
        : [];
    const scenario = scenarioOf(platform, COMPOSITION[platform]!, { set });
    const { summary } = await runScenario(scenario, ".", {});
    const simulation = (await platformNamed(platform)!.build!(scenario, ".")) as unknown as Simulated;
    while (simulation.nextUs() < Infinity) simulation.advance(simulation.nextUs());
    const own = ownRecord(simulation) as { attempts: Row[] };
    expect(brokenIn(scenario, own, summary)).toBeNull();
    expect(brokenIn(scenario, { ...own, attempts: change(own.attempts) }, summary)).toBe(kind);
  });
});
