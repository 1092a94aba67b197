import { afterAll, beforeAll, expect, it } from "vitest";
import { Place } from "./command.js";

/*
 * A measure of a pool that does not exist. Which pools there are is known only after runs: a job
 * may be placed in another pool than it names.
 */

const SCENARIO = `name: pools
cluster: {racks: 2, nodesPerRack: 2}
workload:
  kind: jobs
  jobs:
    - {name: a, pool: production, maps: 3, mapTime: 4s, count: 3, every: 2s}
    - {name: b, pool: research.logs, maps: 3, mapTime: 4s, count: 3, every: 2s}
scheduler: {kind: hfs}
`;

const sweepOf = (pool: string): string => `name: s
scenario: pools.yaml
replications: 2
measures: ["responseP95 of ${pool}", "kills of ${pool}"]
axes: [{name: slots, path: cluster.mapSlots, values: [1, 2]}]
goal: {smallest: [slots], where: [{measure: "responseP95 of ${pool}", atMost: 1h}]}
`;

const suiteOf = (pool: string): string => `name: r
runs: [{name: one, scenario: pools.yaml, statistics: ["responseP95 of ${pool}"], replications: 2, speed: false}]
`;

const WRONG = 'no job was in the pool "prodution"; the pools are production, research, research.logs;';
const MEANT = 'did you mean "production"?';

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write("pools.yaml", SCENARIO);
  for (const pool of ["prodution", "production", "research"]) {
    place.write(`sweep-${pool}.yaml`, sweepOf(pool));
    place.write(`suite-${pool}.yaml`, suiteOf(pool));
  }
});
afterAll(() => {
  place.remove();
});

/** Lines are cut at the width of the terminal. */
const joined = (text: string): string => text.replace(/\s+/g, " ");

it("compare refuses it and prints nothing; an outer pool is one", async () => {
  const compare = (pool: string) =>
    place.bide("compare", "pools.yaml", "--seeds", "2", "--measures", `responseP95 of ${pool}`, "--quiet");
  expect(await compare("prodution")).toEqual({ code: 2, stdout: "", stderr: `--measures: ${WRONG} ${MEANT}\n` });
  expect(await compare("research")).toMatchObject({ code: 0, stderr: "" });
});

it("sweep says so in a note", async () => {
  const sweep = (pool: string) => place.bide("sweep", `sweep-${pool}.yaml`, "--out", `s-${pool}`, "--threads", "1");
  const wrong = await sweep("prodution");
  expect(wrong.code).toBe(0);
  expect(joined(wrong.stderr)).toContain(`note: ${WRONG} ${MEANT}`);
  expect(wrong.stderr.split("no job was in")).toHaveLength(2);
  expect((await sweep("research")).stderr).not.toContain("no job was in");
});

it("tune says so in a note, beside that no point meets the goal", async () => {
  const tune = (pool: string) => place.bide("tune", `sweep-${pool}.yaml`, "--threads", "1", "--quiet");
  const wrong = await tune("prodution");
  expect(wrong.stderr).toMatch(/no point meets the goal/);
  expect(joined(wrong.stdout)).toContain(`Note ${WRONG} ${MEANT}`);
  const right = await tune("production");
  expect(right.code).toBe(0);
  expect(right.stdout).not.toContain("no job was in");
});

it("regress refuses it, also for a baseline", async () => {
  const regress = (pool: string, ...more: string[]) =>
    place.bide("regress", `suite-${pool}.yaml`, "--no-speed", "--quiet", ...more);
  const wrong = await regress("prodution", "--update");
  expect(wrong.code).not.toBe(0);
  expect(joined(wrong.stdout)).toContain(`one run: ${WRONG} ${MEANT}`);
  expect(place.left()).not.toContain("suite-prodution.baseline.json");
  await regress("research", "--update");
  expect(await regress("research")).toMatchObject({ code: 0, stderr: "" });
}, 60_000);
