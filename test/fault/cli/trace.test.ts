import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRunTrace } from "../../../dist/io/index.js";
import { traceJson } from "../../../dist/report/index.js";
import { checkedTrace, type CheckedTrace } from "../../support/trace-rules.js";
import { Place } from "./command.js";

const EVIL = `</script>'"\\ \u05d0\u05d1 ${"x".repeat(70)}`;

/** Long jobs of one pool, and later those of another that is starved until maps are killed for it. */
const SCENARIO = `
name: traced
run: {sample: 2s}
cluster: {racks: 2, nodesPerRack: 3, mapSlots: 2, reduceSlots: 1}
scheduler:
  kind: hfs
  preemption: {mode: kill}
  pools: [{name: ${JSON.stringify(EVIL)}}, {name: urgent, minMaps: 6, minReduces: 1, minShareTimeout: 10s}]
workload:
  kind: jobs
  jobs:
    - {name: ${JSON.stringify(EVIL)}, pool: ${JSON.stringify(EVIL)}, maps: 20, mapTime: 2m, reduces: 2, reduceTime: 10s}
    - {name: late, pool: urgent, maps: 8, mapTime: 8s, at: 30s}
    - {name: later, pool: urgent, maps: 2, mapTime: 8s, at: 60s}
`;

let place: Place;
let trace: CheckedTrace;
beforeAll(async () => {
  place = new Place();
  writeFileSync(join(place.path, "own.yaml"), SCENARIO);
  expect(await place.bide("run", "own.yaml", "--tasks", "--out", "ran", "--quiet")).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(await place.bide("trace", "ran")).toEqual({ code: 0, stdout: "ran/trace.json\n", stderr: "" });
  trace = checkedTrace(readFileSync(join(place.path, "ran/trace.json"), "utf8"));
}, 60_000);
afterAll(() => {
  place.remove();
});

async function asked<Row>(sql: string, folder = "ran"): Promise<Row[]> {
  const { code, stdout } = await place.bide("results", folder, "--json", "--sql", sql);
  expect(code).toBe(0);
  return JSON.parse(stdout) as Row[];
}

async function traced(...args: string[]): Promise<CheckedTrace> {
  expect((await place.bide("trace", "ran", "--out", "part.json", "--force", ...args)).code).toBe(0);
  return checkedTrace(readFileSync(join(place.path, "part.json"), "utf8"));
}

describe("bide trace", () => {
  it("needs only the tables that it is drawn from", async () => {
    cpSync(join(place.path, "ran"), join(place.path, "hurt"), { recursive: true });
    writeFileSync(join(place.path, "hurt/pools.parquet"), "PAR1");
    const { code, stderr } = await place.bide("trace", "hurt", "--force");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("has each attempt of the table, and nothing else", async () => {
    interface Row {
      job: number;
      type: string;
      task: number;
      attempt: number;
      node: number;
      outcome: string;
      launch: number;
      finish: number;
    }
    const rows = await asked<Row>(
      "SELECT job, type, task, attempt, node, outcome, launch_at_us AS launch, finish_at_us AS finish FROM tasks",
    );
    const keys = rows.map(({ job, type, task, attempt, outcome, launch, finish }) =>
      [job, type, task, attempt, outcome, launch, finish].join(),
    );
    const drawn = trace.slices.map(({ cat, ts, dur, args: { job, task, attempt, outcome } }) =>
      [job, cat, task, attempt, outcome, ts, ts + dur].join(),
    );
    expect(drawn.sort()).toEqual(keys.sort());
    const names = new Set(trace.slices.map(({ name }) => name));
    expect(
      [...names].filter((name) => /^map .*\(killed\)$/.test(name)),
      [...names].join(),
    ).not.toEqual([]);
    expect(names).toContain("reduce");
  });

  it("has no more tracks of a node than slots", () => {
    const lanes = [...trace.threads.values()].map((name) => /^node\d\d (map|reduce) (\d)$/.exec(name)!.slice(1));
    for (const [kind, lane] of lanes) expect(Number(lane)).toBeLessThanOrEqual(kind === "map" ? 2 : 1);
    expect([...trace.processes.values()]).toEqual(["Jobs, tasks and pools", "rack00", "rack01"]);
  });

  it("says the locality that the tables say", async () => {
    const counts = await asked<{ level: string; count: number }>(
      "SELECT level, count(*)::INTEGER AS count FROM tasks WHERE type = 'map' GROUP BY level",
    );
    const wordOf: Record<string, string> = { node: "node-local", rack: "rack-local", "off-rack": "remote" };
    for (const { level, count } of counts) {
      expect(trace.slices.filter(({ name }) => name.split(" ")[1] === wordOf[level])).toHaveLength(count);
    }
  });

  it("counts what the samples count", async () => {
    const rows = await asked<{ at: number; held: number }>(
      "SELECT at_us AS at, running_maps AS held FROM pool_samples WHERE pool = 'urgent' ORDER BY at_us",
    );
    const counter = trace.counters.filter(({ name }) => name === "map slots of urgent");
    const valueAt = (us: number): number | undefined => counter.findLast(({ ts }) => ts <= us)?.args.held;
    expect(rows.length).toBeGreaterThan(3);
    for (const { at, held } of rows) expect(valueAt(at)).toBe(held);
    expect(trace.counters.map(({ name }) => name)).toContain(`map slots of ${EVIL}`);
  });

  it("is equal each time", async () => {
    const text = readFileSync(join(place.path, "ran/trace.json"), "utf8");
    expect((await place.bide("trace", "ran", "--force")).code).toBe(0);
    expect(readFileSync(join(place.path, "ran/trace.json"), "utf8")).toBe(text);
  });

  it("chooses by job, pool, rack and time", async () => {
    const all = trace.slices;
    expect((await traced("--job", "1")).slices).toHaveLength(all.filter(({ args }) => args.job === 1).length);
    expect((await traced("--job", EVIL)).slices).toHaveLength(all.filter(({ args }) => args.job === 0).length);
    const evil = await traced("--pool", EVIL);
    expect(evil.slices).toHaveLength(all.filter(({ args }) => args.pool === EVIL).length);
    expect(evil.counters.map(({ name }) => name)).not.toContain("map slots of urgent");
    const pids = [...trace.processes].filter(([, name]) => name === "rack01").map(([pid]) => pid);
    const rack = await traced("--rack", "rack01");
    expect(rack.slices).toHaveLength(all.filter(({ pid }) => pids.includes(pid)).length);
    expect([...rack.processes.values()]).toEqual(["Jobs, tasks and pools", "rack01"]);
    const [from, to] = [40e6, 50e6];
    const some = await traced("--from", "40s", "--to", "50s");
    expect(some.slices).toHaveLength(all.filter(({ ts, dur }) => ts < to && ts + dur >= from).length);
    expect(some.slices.length).toBeLessThan(all.length);
    for (const { ts } of some.counters) expect(ts >= from && ts <= to).toBe(true);
  });

  it("is cut by launch, and says so", async () => {
    const cut = await readRunTrace(join(place.path, "ran"), { most: 10 });
    expect([cut.attempts.rows, cut.total]).toEqual([10, trace.slices.length]);
    const { slices, counters } = checkedTrace([...traceJson(cut)].join(""));
    const launches = trace.slices.map(({ ts }) => ts).sort((a, b) => a - b);
    expect(slices.map(({ ts }) => ts)).toEqual(launches.slice(0, 10));
    for (const { ts } of counters) expect(ts).toBeLessThanOrEqual(launches[9]!);
  });
});

describe("bide trace refuses", () => {
  it.each<[readonly string[], RegExp]>([
    [["--job", "9"], /^--job: found "9", allowed a number below 3 or the name of a job: /],
    [["--pool", "urgnt"], /^--pool: found "urgnt", allowed .*; did you mean "urgent"\?$/m],
    [["--pool", "' OR 1=1 --"], /^--pool: found /],
    [["--rack", "rack7"], /^--rack: found "rack7", allowed rack00, rack01/],
    [["--from", "2m", "--to", "1m"], /^--to: found 1m00s?.*, allowed a time after --from/],
    [["--from", "soon"], /Found "soon", allowed a virtual time/],
    [["--out", "x.svg"], /^--out x\.svg: found the ending \.svg, allowed \.json/],
    [["--out", "own.yaml"], /^own\.yaml: found an existing file/],
    [["--out", "ran/summary.json", "--force"], /^ran\/summary\.json: found a file of a folder in which Bide keeps/],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await place.bide(
      "trace",
      "ran",
      ...(args[0] === "--out" ? [] : ["--out", "no.json"]),
      ...args,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(place.left()).not.toContain("no.json");
  });

  it("a name that several jobs have", async () => {
    const sql = "SELECT * REPLACE ('again' AS name) FROM jobs ORDER BY job";
    expect((await place.bide("results", "ran", "--sql", sql, "--parquet", "again.parquet")).code).toBe(0);
    cpSync(join(place.path, "ran"), join(place.path, "double"), { recursive: true });
    cpSync(join(place.path, "again.parquet"), join(place.path, "double/jobs.parquet"));
    const { code, stderr } = await place.bide("trace", "double", "--job", "again", "--out", "double.json");
    expect(code).toBe(2);
    expect(stderr).toBe('--job: found "again", the name of 3 jobs, allowed one number: 0, 1, 2\n');
  });

  it.each([
    ["tasks", "'NaN'::DOUBLE AS finish_at_us", /tasks\.parquet: found a row without a number/],
    ["tasks", "launch_at_us - 1 AS finish_at_us", /tasks\.parquet: found an attempt from \d+ to \d+, allowed times/],
    ["tasks", "'nap' AS type", /tasks\.parquet: found a row without a number/],
    ["tasks", "99 AS job", /tasks\.parquet: found job 99, which the run does not have/],
    ["samples", "NULL AS active_jobs", /samples\.parquet: found a row without a number/],
    ["pool_samples", "'inf'::DOUBLE AS fair_share_maps", /pool-samples\.parquet: found a row without a number/],
  ])("a table %s with %s", async (table, change, message) => {
    const sql = `SELECT * REPLACE (${change}) FROM ${table}`;
    const made = await place.bide("results", "ran", "--sql", sql, "--parquet", "made.parquet", "--force", "--quiet");
    expect(made.code).toBe(0);
    const file = `${table.replace("_", "-")}.parquet`;
    cpSync(join(place.path, "ran"), join(place.path, "odd-values"), { recursive: true });
    cpSync(join(place.path, "made.parquet"), join(place.path, "odd-values", file));
    const { code, stderr } = await place.bide("trace", "odd-values", "--out", "odd.json");
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(place.left()).not.toContain("odd.json");
  });

  it("a run without attempts, with the option that keeps them", async () => {
    expect((await place.bide("run", "good.yaml", "--out", "bare", "--quiet")).code).toBe(0);
    const { code, stderr } = await place.bide("trace", "bare");
    expect([code, stderr]).toEqual([
      2,
      "bare: found a run without tasks.parquet, allowed one with it; npx bide run SCENARIO --tasks writes it\n",
    ]);
  });

  it.each<[string, (folder: string) => void, RegExp]>([
    ["noise", (folder) => writeFileSync(join(folder, "tasks.parquet"), "PAR1 no table"), /^noise: found tables that/],
    [
      "swapped",
      (folder) => cpSync(join(folder, "jobs.parquet"), join(folder, "tasks.parquet")),
      /^swapped: found tables/,
    ],
    ["gone", (folder) => rmSync(join(folder, "samples.parquet")), /^gone: found a run without samples\.parquet/],
    [
      "small",
      (folder) => {
        const file = join(folder, "resolved-scenario.json");
        const scenario = JSON.parse(readFileSync(file, "utf8")) as { cluster: { racks: unknown[] } };
        scenario.cluster.racks.length = 1;
        writeFileSync(file, JSON.stringify(scenario));
      },
      /^small\/tasks\.parquet: found node \d, which the run does not have$/m,
    ],
    [
      "huge",
      (folder) => {
        const file = join(folder, "resolved-scenario.json");
        writeFileSync(file, readFileSync(file, "utf8").replace(/"count": 3/, '"count": 1e15'));
      },
      /^huge\/resolved-scenario\.json: found \d+ nodes, allowed 1 to/,
    ],
    [
      "odd",
      (folder) => {
        const file = join(folder, "resolved-scenario.json");
        writeFileSync(file, readFileSync(file, "utf8").replace(/"heartbeat":/, '"other":'));
      },
      /^odd\/resolved-scenario\.json: found something else than the scenario/,
    ],
  ])("a folder that is spoilt: %s", async (name, spoil, message) => {
    cpSync(join(place.path, "ran"), join(place.path, name), { recursive: true });
    rmSync(join(place.path, name, "trace.json"));
    spoil(join(place.path, name));
    const { code, stdout, stderr } = await place.bide("trace", name);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});
