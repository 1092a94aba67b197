import { afterAll, beforeAll, expect, it } from "vitest";
import { Place } from "./command.js";

/*
 * A measure of a pool or a user that does not exist. Which pools there are is known only after runs: a
 * job may be placed in another pool than it names.
 */

const SCENARIO = `name: pools
cluster: {racks: 2, nodesPerRack: 2}
workload:
  kind: jobs
  jobs:
    - {name: a, pool: production, maps: 3, mapTime: 4s, count: 3, every: 2s}
    - {name: b, user: ann, pool: research.logs, maps: 3, mapTime: 4s}
    - {name: c, user: bob, pool: 'a, "b"', maps: 3, mapTime: 4s}
    - {name: d, pool: research.logs, maps: 3, mapTime: 4s, count: 3, every: 2s}
scheduler: {kind: hfs}
`;

const sweepOf = (pool: string): string => `name: s
scenario: pools.yaml
replications: 2
measures: ["responseP95 of ${pool}", "kills of ${pool}", 'nodeLocalAll of "a, ""b"""', responseP95 of user ann]
axes: [{name: slots, path: cluster.mapSlots, values: [1, 2]}]
goal: {smallest: [slots], where: [{measure: "responseP95 of ${pool}", atMost: 1h}]}
`;

const suiteOf = (pool: string): string => `name: r
runs: [{name: one, scenario: pools.yaml, statistics: ["responseP95 of ${pool}"], replications: 2, speed: false}]
`;

const WRONG = 'no job was in the pool "prodution"; the pools are "a, ""b""", production, research, research.logs;';
const MEANT = 'did you mean "production"?';

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write("pools.yaml", SCENARIO);
  for (const pool of ["prodution", "production", "research"]) {
    place.write(`sweep-${pool}.yaml`, sweepOf(pool));
  }
  place.write("suite-prodution.yaml", suiteOf("prodution"));
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

it("compare takes users, and quoted names with commas", async () => {
  const compare = (...measures: string[]) =>
    place.bide("compare", "pools.yaml", "--seeds", "2", "--quiet", "--format", "csv", "--measures", measures.join(","));
  const QUOTED = 'responseP95 of "a, ""b"""';
  const found = await compare("responseP95 of user ann", QUOTED, "kills of user bob");
  expect(found).toMatchObject({ code: 0, stderr: "" });
  expect(found.stdout).toMatch(/,responseP95 of user ann,seconds,[1-9]/);
  expect(found.stdout).toMatch(/,"responseP95 of ""a, """"b""""""",seconds,[1-9]/);
  const wrong = await compare("responseP95 of user anna", "belowPromise of user ann", 'kills of "a, b"');
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toContain('--measures: found "belowPromise", allowed responseP50');
  const unknown = await compare("responseP95 of user anna", 'kills of "a, b"');
  expect(unknown.stderr).toBe(
    '--measures: no job was of the user "anna"; the users are ann, bob, user; did you mean "ann"?\n' +
      '--measures: no job was in the pool "a, b"; the pools are "a, ""b""", production, research, research.logs\n',
  );
  const open = await compare('kills of "a, b');
  expect(open).toMatchObject({ code: 2, stdout: "" });
  expect(open.stderr).toContain('found "\\"a", allowed a name in quotes');
});

it("a sweep keeps them, and its results are sorted, shown, chosen and drawn by them", async () => {
  const QUOTED = 'nodeLocalAll of "a, ""b"""';
  const swept = await place.bide("sweep", "sweep-research.yaml", "--out", "named", "--threads", "1");
  expect(swept.code).toBe(0);
  expect(swept.stderr).not.toContain("no job was in");
  const results = (...args: string[]) => place.bide("results", "named", ...args);
  const shown = await results(
    "--measures",
    `${QUOTED}, responseP95 of user "ann"`,
    "--sort",
    QUOTED,
    "--format",
    "csv",
  );
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toContain("responseP95 of user ann");
  expect(shown.stdout).toContain('nodeLocalAll of ""a, """"b""""""');
  expect(shown.stdout).not.toContain("kills of");
  const chosen = await results("--where", '"responseP95 of user ann" > 1', "--format", "csv");
  expect(chosen).toMatchObject({ code: 0, stderr: "" });
  const drawn = await results("--plot", `slots,${QUOTED}`);
  expect(drawn).toMatchObject({ code: 0, stderr: "" });
  expect(drawn.stdout).toContain("<svg");
  const wrong = await results("--plot", "slots,kills of user ann");
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
});

it("sweep says so in a note", async () => {
  const sweep = (pool: string) => place.bide("sweep", `sweep-${pool}.yaml`, "--out", `s-${pool}`, "--threads", "1");
  const wrong = await sweep("prodution");
  expect(wrong.code).toBe(0);
  expect(joined(wrong.stderr)).toContain(`note: ${WRONG} ${MEANT}`);
  expect(wrong.stderr.split("no job was in")).toHaveLength(2);
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

it("regress refuses it for a baseline", async () => {
  const wrong = await place.bide("regress", "suite-prodution.yaml", "--no-speed", "--quiet", "--update");
  expect(wrong.code).not.toBe(0);
  expect(joined(wrong.stdout)).toContain(`one run: ${WRONG} ${MEANT}`);
  expect(place.left()).not.toContain("suite-prodution.baseline.json");
}, 60_000);

it("a run has a table by user, and the tables of its folder too; kills are told for whom", async () => {
  const shared = await place.bide("run", "pools.yaml", "--quiet", "--out", "by-user");
  expect(shared).toMatchObject({ code: 0, stderr: "" });
  expect(shared.stdout).toMatch(/\n\nUser +jobs .*\nuser +6 .*\n(?:ann|bob) +1 .*\n(?:ann|bob) +1 /);
  const sql = `SELECT "user", jobs, unfinished, response_p95_us > 0 AS ended FROM users`;
  const users = await place.bide("results", "by-user", "--sql", sql, "--format", "csv");
  expect(users.stdout).toBe("user,jobs,unfinished,ended\nann,1,0,true\nbob,1,0,true\nuser,6,0,true\n");
  expect((await place.bide("results", "by-user")).stdout).toContain("\nUser ");
  const one = await place.bide(
    "run",
    "pools.yaml",
    "--quiet",
    "--out",
    "one",
    "--set",
    "workload.jobs.1.user=user",
    "--set",
    "workload.jobs.2.user=user",
  );
  expect(one.stdout).not.toContain("User");
  expect((await place.bide("results", "one", "--sql", "SELECT * FROM users")).code).toBe(2);
  expect(
    (await place.bide("results", "one", "--sql", "SELECT kills_caused FROM pools LIMIT 1", "--format", "csv")).stdout,
  ).toBe("kills_caused\n\n");
});
