import { describe, expect, it } from "vitest";
import { type Note, type PoolNote, noteText, notesOfRuns } from "../../../dist/core/record/index.js";
import { poolNotesOf, poolNotesOfList, parseScenario, loadWorkload } from "../../../dist/io/index.js";
import { refusal } from "./refused.js";

const CLUSTER = "cluster: {racks: 1, nodesPerRack: 4}\n";

/** The scenario of such jobs under such a scheduler, and its notes on names of pools. */
function listed(jobs: string, scheduler: string, rest = ""): PoolNote[] {
  const text = `${CLUSTER}workload: {kind: jobs, jobs: [${jobs}]}\nscheduler: ${scheduler}\n${rest}`;
  return poolNotesOfList(parseScenario(text, "test/data/x.yaml").scenario);
}

async function notesOf(workload: string, scheduler: string): Promise<PoolNote[]> {
  const { scenario, directory } = parseScenario(
    `${CLUSTER}workload: ${workload}\nscheduler: ${scheduler}`,
    "test/data/x.yaml",
  );
  return poolNotesOf(scenario, await loadWorkload(scenario, directory, {}));
}

const texts = (notes: readonly Note[]): string[] => notes.map(noteText);

const ADS = "{pool: ads, maps: 1, count: 12}";

describe("names of pools that do not match", () => {
  it("are told with the number of jobs and the nearest name, on both sides", () => {
    expect(listed(`${ADS}, {pool: etl, maps: 1}`, "{pools: {adds: {weight: 40}, etl: {}}}")).toEqual([
      {
        code: "pools-without-jobs",
        text: 'declared pools without a job: "adds" (did you mean "ads", which has 12 jobs?); what is said of them has no effect',
        pools: [{ pool: "adds", jobs: 0, nearest: "ads" }],
      },
      {
        code: "undeclared-pools",
        text: '12 jobs ask for pools that are not declared: "ads" (12 jobs; did you mean "adds"?); such a pool has weight 1 and no min share',
        pools: [{ pool: "ads", jobs: 12, nearest: "adds" }],
      },
    ]);
  });

  it("are told without a guess where no name is near, most jobs first, a few by name", () => {
    const jobs = ["k", "q", "v", "x", "z", "w"]
      .map((pool, i) => `{pool: ${pool}, maps: 1, count: ${i + 1}}`)
      .join(", ");
    const [note] = listed(`{pool: production, maps: 1}, ${jobs}`, "{pools: {production: {}}}");
    expect(note.text).toBe(
      '21 jobs ask for pools that are not declared: "w" (6 jobs), "z" (5 jobs), "x" (4 jobs), "v" (3 jobs), "q" (2 jobs) and 1 more; such a pool has weight 1 and no min share',
    );
    expect(note.pools).toHaveLength(6);
    expect(note.pools[5]).toEqual({ pool: "k", jobs: 1, nearest: null });
    expect(listed("{pool: odd, maps: 1}, {pool: ads, maps: 1}", "{pools: {ads: {}}}")[0].text).toMatch(
      /^1 job asks for/,
    );
  });

  it.each([
    ["no pool is declared", ADS, "hfs"],
    ["all match", ADS, "{pools: {ads: {}}}"],
    [
      "a pool is named like its user",
      `${ADS}, {user: ann, maps: 1}, {user: bob, pool: bob, maps: 1}`,
      "{pools: {ads: {}}}",
    ],
    ["a job asks for the default pool", `${ADS}, {pool: default, maps: 1}`, "{pools: {ads: {}}}"],
    ["users name the pools", "{user: ann, pool: x, maps: 1}, {user: bob, maps: 1}", "{poolBy: user, pools: {ann: {}}}"],
    [
      "placement rules choose others",
      "{user: ann, pool: x, maps: 1}, {user: bob, pool: y, maps: 1}",
      "{rules: branch-1, groups: {bob: [ops]}, pools: {ann: {}}, placement: [{rule: user, create: false}, primaryGroup]}",
    ],
    ["a pool is declared by a reload", ADS, "{reloads: [{at: 1h, allocations: {pools: {ads: {}}}}]}"],
    ["jobs are in pools inside pools", "{pool: a.b, maps: 1}", "{pools: {a: {pools: {b: {}}}}}"],
    ["the scheduler has no pools", ADS, "{kind: fair, pools: {adds: {}}}"],
    ["a queue has all jobs", ADS, "{kind: capacity, capacity: {queues: [{name: ads, capacity: 100}]}}"],
    ["owners need no declaration", `${ADS}, {pool: x, maps: 1}`, "{kind: partition, partition: {weights: {ads: 2}}}"],
  ])("are none where %s", (_, jobs, scheduler) => {
    expect(listed(jobs, scheduler)).toEqual([]);
  });

  it("are those of jobs within the run", () => {
    const jobs = "{pool: ads, maps: 1}, {pool: late, at: 2h, maps: 1}";
    expect(texts(listed(jobs, "{pools: {ads: {}, late: {}}}", "run: {until: 1h}"))).toEqual([
      'declared pools without a job: "late"; what is said of them has no effect',
    ]);
  });

  it("are told of queues whose jobs go to the default queue", () => {
    const queues = "capacity: {queues: [{name: default, capacity: 50}, {name: ads, capacity: 50}]}";
    expect(texts(listed("{pool: adds, maps: 1}, {user: ann, maps: 1}", `{kind: capacity, ${queues}}`))).toEqual([
      'declared queues without a job: "ads" (did you mean "adds", which has 1 job?); what is said of them has no effect',
      '1 job asks for queues that are not declared: "adds" (1 job; did you mean "ads"?); they are in the queue "default"',
    ]);
  });

  it("are told of generated jobs, but never of the pools of all users", async () => {
    const day = "{kind: facebook, jobs: 300, span: 10m, users: 3}";
    expect(await notesOf(day, "hfs")).toEqual([]);
    expect(await notesOf(day, "{pools: {user1: {weight: 2}}}")).toEqual([]);
    expect(texts(await notesOf(day, "{pools: {usr1: {weight: 2}}}"))).toEqual([
      expect.stringMatching(/^declared pools without a job: "usr1" \(did you mean "user1", which has \d+ jobs\?\); /),
    ]);
    expect(texts(await notesOf(day, "{kind: partition, partition: {weights: {usr1: 2}}}"))).toHaveLength(1);
  });

  it("are told of tables of tasks", async () => {
    expect(texts(await notesOf("{kind: tasks, file: tasks-small.csv}", "{pools: {ad: {}}}"))[0]).toContain(
      '(did you mean "ads"',
    );
  });
});

describe("scheduler.strict", () => {
  const scenario = (jobs: string, scheduler: string): string =>
    `workload: {kind: jobs, jobs: [${jobs}]}\nscheduler: {strict: true, ${scheduler}}`;

  it("refuses each name at its place", () => {
    expect(refusal(scenario(ADS, "pools: {adds: {}, etl: {}}")).split("\n")).toEqual([
      'x.yaml:1:38: found 12 jobs of the pool "ads", allowed declared pools (scheduler.strict); did you mean "adds"?',
      'x.yaml:2:35: found the declared pool "adds" without a job, allowed pools that jobs are in (scheduler.strict); did you mean "ads"?',
      'x.yaml:2:45: found the declared pool "etl" without a job, allowed pools that jobs are in (scheduler.strict)',
    ]);
  });

  it("takes what matches, and is no word", () => {
    parseScenario(scenario(ADS, "pools: {ads: {}}"), "x.yaml");
    expect(parseScenario(scenario(ADS, ""), "x.yaml").scenario.scheduler.strict).toBe(true);
    expect(refusal("workload: {kind: facebook}\nscheduler: {strict: very}")).toContain(
      'found "very" for scheduler.strict',
    );
  });
});

describe("notes of several runs", () => {
  const note = (jobs: number): PoolNote => ({
    code: "undeclared-pools",
    text: `${jobs} jobs`,
    pools: [{ pool: "a", jobs, nearest: null }],
  });

  it("are each told once, with how many runs have it where not all do", () => {
    expect(
      notesOfRuns([
        ["x", note(3)],
        ["x", note(3)],
      ]),
    ).toEqual(["x", note(3)]);
    expect(texts(notesOfRuns([[note(3)], [note(4)], []]))).toEqual([
      "3 jobs (in 2 of 3 runs); numbers of jobs as in the first of these runs",
    ]);
    expect(notesOfRuns([])).toEqual([]);
  });
});
