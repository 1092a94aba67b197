import { afterAll, beforeAll, expect, it } from "vitest";
import { Place } from "./command.js";

/*
 * A weight for a pool without jobs, and jobs of `adds` where `ads` is declared: every command says so, in words and in
 * JSON, and refuses it under scheduler.strict.
 */

const scenarioOf = (asked: string, declared: string): string => `cluster: {racks: 1, nodesPerRack: 2}
workload:
  kind: jobs
  jobs:
    - {pool: ${asked}, maps: 2, mapTime: 4s, count: 3}
    - {pool: etl, maps: 2, mapTime: 4s}
scheduler: {pools: {${declared}: {weight: 40}, etl: {}}}
`;

const sweepOf = (scenario: string, pool: string): string => `name: s
scenario: ${scenario}
replications: 2
measures: [responseMean]
axes: [{name: weight, path: scheduler.pools.${pool}.weight, values: [0.25, 40]}]
goal: {smallest: [weight], where: [{measure: responseMean, atMost: 1h}]}
`;

const TABLE = "job,type,seconds,submit,count,pool\na,map,4,0,3,adds\nb,map,4,1,3,etl\n";

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write("weight.yaml", scenarioOf("ads", "adz"));
  place.write("jobs.yaml", scenarioOf("adds", "ads"));
  place.write("weight-sweep.yaml", sweepOf("weight.yaml", "adz"));
  place.write("table.csv", TABLE);
  place.write("table.yaml", "workload: {kind: tasks, file: table.csv}\nscheduler: {pools: {ads: {}, etl: {}}}\n");
  place.write("table-sweep.yaml", sweepOf("table.yaml", "ads"));
});
afterAll(() => {
  place.remove();
});

/** Lines are cut at the width of the terminal. */
const joined = (text: string): string => text.replace(/\s+/g, " ");
const codesIn = (json: string): string[] => {
  const { notes } = JSON.parse(json) as { notes: (string | { code: string })[] };
  return notes.flatMap((note) => (typeof note === "string" ? [] : [note.code]));
};

const BOTH = ["pools-without-jobs", "undeclared-pools"];
const WEIGHT = 'declared pools without a job: "adz" (did you mean "ads", which has 3 jobs?)';
const JOBS = '3 jobs ask for pools that are not declared: "adds" (3 jobs; did you mean "ads"?)';

it("run tells both, in words and in JSON", async () => {
  const run = (...args: string[]) => place.bide("run", ...args, "--no-tables", "--quiet");
  expect(joined((await run("weight.yaml", "--out", "r1")).stdout)).toContain(WEIGHT);
  expect(joined((await run("jobs.yaml", "--out", "r2")).stdout)).toContain(JOBS);
  expect(codesIn((await run("jobs.yaml", "--out", "r3", "--json")).stdout)).toEqual(BOTH);
  expect(joined((await place.bide("results", "r2")).stdout)).toContain(JOBS);
});

it("compare tells both, in words and in JSON, and so does its folder", async () => {
  const compare = (...args: string[]) =>
    place.bide("compare", ...args, "--seeds", "2", "--schedulers", "hfs,fair", "--quiet");
  expect(joined((await compare("weight.yaml", "--out", "c1")).stdout)).toContain(
    `${WEIGHT}; what is said of them has no effect (in 2 of 4 runs)`,
  );
  expect(joined((await compare("jobs.yaml")).stdout)).toContain(JOBS);
  expect(codesIn((await compare("jobs.yaml", "--json")).stdout)).toEqual(BOTH);
  expect(joined((await place.bide("results", "c1")).stdout)).toContain(WEIGHT);
});

it("sweep and its results tell both, in words and in JSON; tune too", async () => {
  const swept = await place.bide("sweep", "weight-sweep.yaml", "--out", "s1");
  expect(joined(swept.stderr)).toContain(WEIGHT);
  expect(joined((await place.bide("results", "s1")).stdout)).toContain(WEIGHT);
  expect(codesIn((await place.bide("results", "s1", "--json")).stdout)).toEqual(BOTH);
  const json = await place.bide("sweep", "table-sweep.yaml", "--out", "s2", "--json", "--quiet");
  expect(codesIn(json.stdout)).toEqual(BOTH);
  const tuned = await place.bide("tune", "table-sweep.yaml", "--json", "--quiet");
  expect(codesIn(tuned.stdout)).toEqual(BOTH);
});

it("validate tells of listed jobs", async () => {
  const { code, stderr } = await place.bide("validate", "jobs.yaml");
  expect(code).toBe(0);
  expect(stderr).toContain(JOBS);
});

it("scheduler.strict refuses them before anything runs: at their line where jobs are listed, else by name", async () => {
  const STRICT = ["--set", "scheduler.strict=true"];
  const refused = { code: 2, stdout: "" };
  const jobs = await place.bide("run", "jobs.yaml", ...STRICT, "--quiet");
  expect(jobs).toMatchObject(refused);
  expect(jobs.stderr).toMatch(/^jobs\.yaml:5:14: found 3 jobs of the pool "adds", allowed declared pools/);
  const table = await place.bide("run", "table.yaml", ...STRICT, "--quiet");
  expect(table).toMatchObject(refused);
  expect(table.stderr).toContain(
    'found 1 job of the pool "adds", allowed declared pools (scheduler.strict); did you mean "ads"?',
  );
  expect(await place.bide("compare", "table.yaml", ...STRICT, "--quiet")).toMatchObject(refused);
  expect(await place.bide("validate", "jobs.yaml", ...STRICT)).toMatchObject(refused);
  expect(await place.bide("sweep", "weight-sweep.yaml", ...STRICT, "--quiet")).toMatchObject(refused);
  for (const command of ["sweep", "sweep --dry-run", "tune"]) {
    const out = command === "sweep" ? ["--out", "s3"] : [];
    const swept = await place.bide(...command.split(" "), "table-sweep.yaml", ...STRICT, ...out, "--quiet");
    expect(swept).toMatchObject(refused);
    expect(swept.stderr).toContain('s, weight=0.25: found 1 job of the pool "adds", allowed declared pools');
  }
  expect(place.left()).not.toContain("s3");
});

it("a strict sweep whose names match is run", async () => {
  place.write("matching.csv", TABLE.replace("adds", "ads"));
  const set = ["--set", "scheduler.strict=true", "--set", "workload.file=matching.csv"];
  const swept = await place.bide("sweep", "table-sweep.yaml", ...set, "--out", "s4", "--quiet");
  expect(swept).toMatchObject({ code: 0, stderr: "" });
});

it("regress tells both, in words and in JSON, and compares as without", async () => {
  place.write("suite.yaml", "runs: [{name: weight, scenario: weight.yaml, speed: false}]\n");
  const made = await place.bide("regress", "suite.yaml", "--update", "--quiet");
  expect(joined(made.stdout)).toContain(WEIGHT);
  const { code, stdout } = await place.bide("regress", "suite.yaml", "--no-speed", "--json", "--quiet");
  expect(code).toBe(0);
  const { runs } = JSON.parse(stdout) as { runs: { notes: { code: string }[] }[] };
  expect(runs[0]!.notes.map((note) => note.code)).toEqual(BOTH);
});
