import { describe, expect, it } from "vitest";
import { type Note, type PoolNote, noteText, notesOfRuns } from "../../../dist/core/record/index.js";
import { poolNotesOf, parseScenario, loadWorkload } from "../../../dist/io/index.js";

const texts = (notes: readonly Note[]): string[] => notes.map(noteText);

/** The declared pools that no job is in, and the nearest, of a scenario whose jobs are not listed in it. */
async function withoutJobs(workload: string, scheduler: string): Promise<unknown[]> {
  const text = `workload: ${workload}\nscheduler: ${scheduler}`;
  const { scenario, directory } = parseScenario(text, "test/data/x.yaml");
  const notes = poolNotesOf(scenario, await loadWorkload(scenario, directory, {}));
  return notes.flatMap(({ pools }) => pools.map(({ pool, nearest }) => [pool, nearest]));
}

it("declared pools are held against generated jobs and those of tables, but never against the pools of all users", async () => {
  const day = "{kind: facebook, jobs: 300, span: 10m, users: 3}";
  expect(await withoutJobs(day, "hfs")).toEqual([]);
  expect(await withoutJobs(day, "{pools: {user1: {weight: 2}}}")).toEqual([]);
  expect(await withoutJobs(day, "{pools: {usr1: {weight: 2}}}")).toEqual([["usr1", "user1"]]);
  expect(await withoutJobs(day, "{kind: partition, partition: {weights: {usr1: 2}}}")).toEqual([["usr1", "user1"]]);
  expect(await withoutJobs("{kind: tasks, file: tasks-small.csv}", "{pools: {ad: {}}}")).toContainEqual(["ad", "ads"]);
});

describe("notes of several runs", () => {
  const note = (jobs: number): PoolNote => ({
    code: "undeclared-pools",
    text: `${jobs} jobs`,
    pools: [{ pool: "a", jobs, nearest: null }],
  });

  it("are each told once, with how many runs have it where not all do", () => {
    const alike = ["x", note(3)];
    expect(notesOfRuns([alike, alike])).toEqual(alike);
    expect(texts(notesOfRuns([[note(3)], [note(4)], []]))).toEqual([
      "3 jobs (in 2 of 3 runs); numbers of jobs as in the first of these runs",
    ]);
    expect(notesOfRuns([])).toEqual([]);
  });
});
