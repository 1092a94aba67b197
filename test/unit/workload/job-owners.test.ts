import { describe, expect, it } from "vitest";
import type { JobSpec } from "../../../dist/core/workload/index.js";
import { parseScenario, loadWorkload } from "../../../dist/io/index.js";
import { refusal } from "../scenario/refused.js";

const DAY = "kind: facebook, jobs: 3000, span: 10m";

async function jobsOf(workload: string, ...set: string[]): Promise<readonly JobSpec[]> {
  const { scenario, directory } = parseScenario(`workload: {${workload}}`, "test/data/x.yaml", { set });
  return (await loadWorkload(scenario, directory, {})).jobs;
}

function countsOf(jobs: readonly JobSpec[], key: "user" | "pool"): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const job of jobs) counts[job[key]] = (counts[job[key]] ?? 0) + 1;
  return counts;
}

/** What else there is of jobs. */
const withoutOwners = (jobs: readonly JobSpec[]) =>
  jobs.map((job) => [
    job.name,
    job.submitAtUs,
    job.maps,
    job.reduces,
    job.priority,
    job.input?.file,
    job.mapLengths.lengthUs(0),
  ]);

describe("users and pools of generated jobs", () => {
  it("by name are those of a number, under other names", async () => {
    const numbered = await jobsOf(`${DAY}, users: 3`);
    const named = await jobsOf(`${DAY}, users: [ann, bob, eve]`);
    const names: Record<string, string> = { user1: "ann", user2: "bob", user3: "eve" };
    expect(named.map(({ user, pool }) => [user, pool])).toEqual(numbered.map(({ user }) => [names[user], names[user]]));
    expect(withoutOwners(named)).toEqual(withoutOwners(numbered));
  });

  it("have their shares of the jobs", async () => {
    const { ann, bob } = countsOf(await jobsOf(`${DAY}, users: {ann: 3, bob: 1}`), "user");
    expect(ann + bob).toBe(3000);
    // Five standard deviations of a binomial draw.
    expect(Math.abs(ann - 2250)).toBeLessThan(5 * Math.sqrt(3000 * 0.75 * 0.25));
    const changed = countsOf(await jobsOf(`${DAY}, users: {ann: 3, bob: 1}`, "workload.users.bob=1000000"), "user");
    expect(changed.bob).toBeGreaterThan(2950);
  });

  it("are independent of each other, and a pool changes nothing of its users", async () => {
    const jobs = await jobsOf(`${DAY}, users: [ann, bob], pools: {ads: 1, etl: 1}`);
    expect(jobs.map(({ user }) => user)).toEqual((await jobsOf(`${DAY}, users: [ann, bob]`)).map(({ user }) => user));
    const both = jobs.filter(({ user, pool }) => user === "ann" && pool === "ads").length;
    expect(Math.abs(both - 1000)).toBeLessThan(5 * Math.sqrt((3000 * 2) / 9));
    const { ads, etl } = countsOf(await jobsOf(`${DAY}, pools: [ads, etl]`), "pool");
    expect(ads / etl).toBeGreaterThan(1.7);
    expect(ads / etl).toBeLessThan(2.3);
  });

  it("are those of a trace too", async () => {
    const swim = "kind: swim, file: swim-small.tsv";
    const jobs = await jobsOf(`${swim}, users: {ann: 1}, pools: {ads: 1, etl: 0.000001}`);
    expect(new Set(jobs.map(({ user, pool }) => `${user} ${pool}`))).toEqual(new Set(["ann ads"]));
    expect(withoutOwners(jobs)).toEqual(withoutOwners(await jobsOf(swim)));
  });

  it.each([
    ["users: []", "found an empty list for workload.users"],
    ["users: {}", "found no user, allowed at least one, or no key users"],
    ["pools: {}", "found no pool, allowed at least one, or no key pools"],
    ["users: 0", "for workload.users, allowed a whole number from 1"],
    [
      "users: ann",
      'found "ann" for workload.users, allowed a whole number from 1 to 1000000, a list of names, most active first, or a mapping',
    ],
    ["users: [ann, bob, ann]", 'found the user name "ann"'],
    ["pools: [ads, ads]", 'found the pool name "ads"'],
    ['users: [""]', "workload.users"],
    ["users: {ann: 0}", "workload.users"],
    ["users: {ann: .nan}", "workload.users"],
    ['pools: {"": 1}', "allowed a name of 1 to 100 printable characters"],
    [
      "pools: 3",
      "found 3 for workload.pools, allowed a list of names, most active first, or a mapping from names to shares of the jobs",
    ],
  ])("are refused: %s", (owners, message) => {
    expect(refusal(`workload: {kind: facebook, ${owners}}`)).toContain(message);
  });
});
