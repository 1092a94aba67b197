import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RUNS, until } from "./bide-process.js";
import { startRedis } from "./fixture.js";

describe("workers on one queue", () => {
  it("share the runs, and leave nothing behind", async (test) => {
    const { server, site } = await startRedis(test, "slow");
    const workers = [site.worker(), site.worker()];
    for (const worker of workers) await worker.says("ready");
    const sweep = site.sweep();
    expect(await sweep.end()).toBe(0);
    const runs = workers.map((worker) => worker.runs);
    expect(Math.min(...runs)).toBeGreaterThan(0);
    expect(runs[0] + runs[1]).toBe(RUNS);
    expect(site.hasUndisturbedTable()).toBe(true);
    expect(await server.leftOver()).toEqual([]);
    for (const worker of workers) worker.kill("SIGTERM");
    expect(await Promise.all(workers.map(async (worker) => worker.end()))).toEqual([0, 0]);
  });

  it("are asked for when there are none; on SIGTERM they finish what they are at", async (test) => {
    const { server, site } = await startRedis(test, "slow");
    const sweep = site.sweep();
    await sweep.says(`start one with bide worker --queue ${server.url}/0`);
    const stopped = [];
    let before;
    // On a busy machine a run may end before the signal comes: then the next worker is stopped.
    do {
      const worker = site.worker();
      await until(async () => worker.runs > 0 && (await server.active()).length > 0);
      before = worker.runs;
      worker.kill("SIGTERM");
      expect(await worker.end()).toBe(0);
      stopped.push(worker);
    } while (stopped.length < 3 && !stopped.at(-1)!.stderr.includes("finishes 1 run first"));
    expect(stopped.at(-1)!.stderr).toContain("finishes 1 run first");
    expect(stopped.at(-1)!.runs).toBe(before + 1);
    const last = site.worker();
    expect(await sweep.end()).toBe(0);
    expect(stopped.reduce((sum, { runs }) => sum + runs, last.runs)).toBe(RUNS);
    expect(site.hasUndisturbedTable()).toBe(true);
  });
});

const PLAIN = `
export default {
  name: "plain",
  summary: "launches whatever comes first",
  create() {
    throw new Error("on purpose");
  },
};
`;

const TINY =
  "name: tiny\ncluster: {racks: 1, nodesPerRack: 2}\nworkload: {kind: jobs, jobs: [{name: a, maps: 3, mapTime: 5s}]}\n";

describe("a worker without the plugins of a sweep", () => {
  it("gets none of its runs", async (test) => {
    const { server, site } = await startRedis(test, "slow");
    site.write("plain.mjs", PLAIN);
    site.write("tiny.yaml", TINY);
    site.write(
      "sweep.yaml",
      "name: p\nwhy: a test\nscenario: tiny.yaml\naxes:\n  - {name: s, path: scheduler.kind, values: [fifo, plain]}\nreplications: 1\n",
    );
    const without = site.worker();
    const sweep = site.sweep("--plugin", "plain.mjs");
    await sweep.says("no workers with the code and plugins of this sweep");
    const able = site.worker("--plugin", "plain.mjs");
    // One run of the two fails, on purpose, and is recorded.
    expect(await sweep.end()).toBe(4);
    expect([without.runs, able.runs]).toEqual([0, 2]);
    expect(await server.leftOver()).toEqual([]);
  });
});

describe("a trace that runs read", () => {
  it("travels to workers, which do not keep it", async (test) => {
    const { server, site } = await startRedis(test, "slow");
    site.write("trace.csv", "job,type,seconds,submit\na,map,10,0\na,map,12,\nb,map,3,5\n");
    site.write(
      "sweep.yaml",
      "name: t\nwhy: a test\nscenario: s.yaml\naxes:\n  - {name: W, path: scheduler.wait.node, values: [0s, 1s]}\nreplications: 1\n",
    );
    site.write("s.yaml", "name: s\ncluster: {racks: 1, nodesPerRack: 2}\nworkload: {kind: tasks, file: trace.csv}\n");
    const temporary = join(site.path, "temporary");
    mkdirSync(temporary);
    const worker = site.bide(["worker", "--queue", server.url, "--json"], { TMPDIR: temporary });
    expect(await site.sweep().end()).toBe(0);
    expect(worker.runs).toBe(2);
    expect(readdirSync(temporary)).toHaveLength(1);
    expect(await server.leftOver()).toEqual([]);
    worker.kill("SIGTERM");
    expect(await worker.end()).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    rmSync(temporary, { recursive: true });
  });
});

describe("a run that no worker can do", () => {
  it("for another reason than the run itself is tried five times", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    site.write("trace.csv", "job,type,seconds,submit\na,map,10,0\n");
    site.write(
      "sweep.yaml",
      "name: t\nwhy: a test\nscenario: s.yaml\naxes:\n  - {name: W, path: scheduler.wait.node, values: [0s]}\nreplications: 1\n",
    );
    site.write("s.yaml", "name: s\ncluster: {racks: 1, nodesPerRack: 2}\nworkload: {kind: tasks, file: trace.csv}\n");
    const temporary = join(site.path, "temporary");
    mkdirSync(temporary);
    const worker = site.bide(["worker", "--queue", server.url], { TMPDIR: temporary });
    await worker.says("ready");
    // No place for the trace of the run.
    for (const name of readdirSync(temporary)) {
      rmSync(join(temporary, name), { recursive: true });
      writeFileSync(join(temporary, name), "");
    }
    const sweep = site.sweep();
    expect(await sweep.end()).toBe(4);
    expect(sweep.stderr).toMatch(/given up: .*EEXIST|ENOTDIR/);
    expect(await server.leftOver()).toEqual([]);
  });
});
