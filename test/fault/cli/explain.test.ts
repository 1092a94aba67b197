import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "./command.js";

const EXAMPLE = resolve("scenarios/plugins/shortest-job-first.mjs");

const SCENARIO = `name: explained
cluster: {racks: 1, nodesPerRack: 2, mapSlots: 1, reduceSlots: 1}
workload:
  kind: jobs
  jobs:
    - {name: big, pool: etl, maps: 20, mapTime: 40s}
    - {name: twin, pool: ads, at: 15s, maps: 1, mapTime: 5s}
    - {name: twig, pool: ads, at: 16s, maps: 1, mapTime: 5s}
    - {name: stray, pool: nowhere, at: 17s, maps: 1, mapTime: 5s}
    - {name: late, pool: ads, at: 200s, maps: 1, mapTime: 5s}
scheduler: {kind: hfs, rules: branch-1, undeclaredPools: false, pools: {etl: {}, ads: {}}}
run: {until: 201s}
`;

interface Told {
  readonly waitUs: number;
  readonly shares: readonly { readonly reason: string; readonly by?: string; readonly us: number }[];
  readonly chain?: readonly { readonly fromUs: number; readonly toUs: number }[];
}

let place: Place;
beforeAll(async () => {
  place = new Place();
  place.write("s.yaml", SCENARIO);
  for (const [out, ...log] of [["with", "--log", "decisions", "--tasks"], ["without"]]) {
    expect(await place.bide("run", "s.yaml", "--quiet", "--out", out, ...log)).toMatchObject({ code: 0, stderr: "" });
  }
});
afterAll(() => {
  place.remove();
});

const sumOf = ({ shares }: Told): number => shares.reduce((sum, { us }) => sum + us, 0);

async function told(...args: string[]): Promise<Told> {
  const { code, stdout, stderr } = await place.bide("explain", "with", "--json", ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Told;
}

describe("bide explain", () => {
  it("says who held the slots that a job waited for; the shares sum to the wait", async () => {
    const { code, stdout } = await place.bide("explain", "with", "--job", "1");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Job 1 \(twin, pool ads\) waited [0-9.]+ s from its submission to its first map launch\.$/m,
    );
    expect(stdout).toContain("because all slots were taken, most by pool etl");
    const job = await told("--job", "1", "--chain");
    expect(job.shares.map(({ reason }) => reason).sort()).toEqual(["busy", "setup"]);
    expect(job.shares.find(({ reason }) => reason === "busy")?.by).toBe("etl");
    expect(sumOf(job)).toBe(job.waitUs);
    expect(job.chain?.reduce((sum, { fromUs, toUs }) => sum + toUs - fromUs, 0)).toBe(job.waitUs);
  });

  it("says that other maps of its job went before a map", async () => {
    const map = await told("--task", "big/19");
    expect(sumOf(map)).toBe(map.waitUs);
    expect(map.shares.map(({ reason, by }) => [reason, by])).toContainEqual(["slot", null]);
  });

  it("adds up the jobs of a pool, and says of how many nothing was launched", async () => {
    const jobs = await Promise.all(["1", "2", "4"].map(async (job) => told("--job", job)));
    const pool = await told("--pool", "ads");
    expect(pool.waitUs).toBe(jobs.reduce((sum, { waitUs }) => sum + waitUs, 0));
    expect(sumOf(pool)).toBe(pool.waitUs);
    const { stdout } = await place.bide("explain", "with", "--pool", "ads");
    expect(stdout).toContain("1 of them launched no map: its wait ends where the run stopped or the job left.");
    const alone = await place.bide("explain", "with", "--pool", "etl");
    expect(alone.stdout).toMatch(/^1 job of pool etl waited [0-9.]+ s until its first map launch\.$/m);
  });

  it("says of a job that was never launched how long it waited to the end", async () => {
    const { code, stdout } = await place.bide("explain", "with", "--job", "late");
    expect(code).toBe(0);
    expect(stdout).toContain("was not launched; it waited 1 s from its submission");
  });

  it.each([
    [["without", "--job", "1"], "found a run without a decision log, allowed one with decisions.parquet; npx bide run"],
    [["nothing", "--job", "1"], "found nothing of that name, allowed the folder of a run"],
    [["with"], "found none of --job, --task and --pool, allowed one of them"],
    [["with", "--job", "1", "--pool", "ads"], "found more than one of --job, --task and --pool, allowed one of them"],
    [["with", "--pool", "ads", "--chain"], "found --pool, allowed --job or --task"],
    [["with", "--job", "5"], 'found "5", allowed 0 to 4 or the name of a job'],
    [["with", "--job", "bigg"], 'did you mean "big"?'],
    [["with", "--job", "stray"], "found job 3 (stray), which was refused by its pool"],
    [["with", "--task", "big"], 'found "big", allowed JOB/MAP, for example 3/12'],
    [["with", "--task", "big/20"], "found map 20, allowed 0 to 19"],
    [["with", "--task", "late/0"], "found job 4 (late), whose set-up never ended"],
    [["with", "--pool", "asd"], 'found "asd", allowed ads, etl'],
    [["with", "--pool", "nowhere"], "whose jobs have no maps or were refused"],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await place.bide("explain", ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("needs the table of tasks for a map", async () => {
    await place.bide("run", "s.yaml", "--quiet", "--out", "no-tasks", "--log", "decisions");
    const { code, stderr } = await place.bide("explain", "no-tasks", "--task", "big/1");
    expect(code).toBe(2);
    expect(stderr).toContain("bide run SCENARIO --log decisions --tasks writes both");
  });

  it("refuses a log that is none", async () => {
    await place.bide("run", "s.yaml", "--quiet", "--out", "broken", "--log", "decisions");
    writeFileSync(join(place.path, "broken", "decisions.parquet"), "PAR1 nothing PAR1");
    const { code, stderr } = await place.bide("explain", "broken", "--job", "1");
    expect(code).toBe(2);
    expect(stderr).toContain("decisions.parquet: found what cannot be read as a decision log");
    writeFileSync(join(place.path, "broken", "jobs.parquet"), "PAR1 nothing PAR1");
    const jobs = await place.bide("explain", "broken", "--job", "1");
    expect(jobs.code).toBe(2);
    expect(jobs.stderr).toContain("jobs.parquet: found what cannot be read as a table of jobs");
  });

  it.each([
    ["jobs", "SELECT * REPLACE (NULL::VARCHAR AS name)", "a table of jobs"],
    ["jobs", "SELECT * REPLACE (job::VARCHAR AS job)", "a table of jobs"],
    ["jobs", "SELECT * REPLACE (-1 AS maps)", "a table of jobs"],
    ["decisions", "SELECT * REPLACE ('zzz' AS reason)", "a decision log"],
    ["decisions", "SELECT * REPLACE (job + 100 AS job)", "a decision log"],
    ["decisions", "SELECT * REPLACE (to_us - 1000000000 AS to_us)", "a decision log"],
    ["decisions", "SELECT * REPLACE ('here' AS node)", "a decision log"],
    ["decisions", "SELECT * REPLACE (NULL::BIGINT AS from_us)", "a decision log"],
    ["tasks", "SELECT * REPLACE (NULL::BIGINT AS launch_at_us)", "an attempt without a launch"],
  ])("refuses %s.parquet that is %s", async (table, select, what) => {
    const folder = join(place.path, "changed");
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(place.path, "with"), folder, { recursive: true });
    const [from, to] = ["with", "changed"].map((of) => join(place.path, of, `${table}.parquet`));
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run(`COPY (${select} FROM '${from}') TO '${to}' (FORMAT parquet)`);
    connection.closeSync();
    const { code, stdout, stderr } = await place.bide("explain", "changed", "--task", "big/1");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(new RegExp(`${table}.parquet: found .*${what}, allowed what bide run wrote`, "s"));
  });

  it("counts the jobs of pools inside a pool, and says of a run without jobs that it has none", async () => {
    const nested = `${SCENARIO.replaceAll("pool: ads", "pool: shop.ads").replaceAll("pool: etl", "pool: shop.etl").replace("etl: {}, ads: {}", "shop: {pools: {etl: {}, ads: {}}}")}\n`;
    place.write("nested.yaml", nested);
    await place.bide("run", "nested.yaml", "--quiet", "--out", "nested", "--log", "decisions");
    const [shop, etl, ads] = await Promise.all(
      ["shop", "shop.etl", "shop.ads"].map(async (pool) => {
        const { code, stdout } = await place.bide("explain", "nested", "--pool", pool, "--json");
        expect(code).toBe(0);
        return JSON.parse(stdout) as { waitUs: number; jobs: unknown[] };
      }),
    );
    expect(shop.waitUs).toBe(etl.waitUs + ads.waitUs);
    expect(shop.jobs).toHaveLength(etl.jobs.length + ads.jobs.length);
    place.write("none.yaml", "workload: {kind: jobs, jobs: [{maps: 1, at: 1h}]}\nrun: {until: 1m}\n");
    await place.bide("run", "none.yaml", "--quiet", "--out", "none", "--log", "decisions");
    const none = await place.bide("explain", "none", "--pool", "user");
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("none: found a run without jobs");
  });
});

describe("bide run --log decisions", () => {
  it("lets explain answer for a user's own scheduler", async () => {
    const run = ["run", "s.yaml", "--quiet", "--out", "own", "--log", "decisions", "--tasks", "--plugin", EXAMPLE];
    expect(await place.bide(...run, "--set", "scheduler=shortest-job")).toMatchObject({ code: 0, stderr: "" });
    for (const asked of [
      ["--job", "twin"],
      ["--task", "big/19", "--chain"],
      ["--pool", "ads"],
    ]) {
      const { code, stdout } = await place.bide("explain", "own", ...asked);
      expect(code).toBe(0);
      expect(stdout).toContain("because ");
    }
    const { code, stdout } = await place.bide("explain", "own", "--task", "big/19", "--json");
    expect(code).toBe(0);
    expect(sumOf(JSON.parse(stdout) as Told)).toBe((JSON.parse(stdout) as Told).waitUs);
  });

  it.each([
    ...["fifo", "fair", "delay", "hfs", "capacity", "dsfs", "kill", "partition", "offers", "quincy", "shortest-job"],
  ])("leaves the fingerprint of %s as it is, on any threads", async (kind) => {
    const plugin = kind === "shortest-job" ? ["--plugin", EXAMPLE] : [];
    const prints = [];
    for (const [i, more] of [[], ["--log", "decisions"], ["--log", "decisions", "--threads", "2"]].entries()) {
      const out = ["--out", `${kind}-${String(i)}`];
      const run = await place.bide(
        "run",
        "good.yaml",
        "--json",
        "--quiet",
        "--set",
        `scheduler=${kind}`,
        ...plugin,
        ...out,
        ...more,
      );
      expect(run.code).toBe(0);
      prints.push((JSON.parse(run.stdout) as { fingerprint: string }).fingerprint);
    }
    expect(new Set(prints).size).toBe(1);
  });

  it("refuses to write the log without tables", async () => {
    const { code, stderr } = await place.bide("run", "good.yaml", "--log", "decisions", "--no-tables");
    expect(code).toBe(2);
    expect(stderr).toContain("--no-tables");
  });
});
