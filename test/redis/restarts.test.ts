import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "./bide-process.js";
import { startRedis } from "./fixture.js";
import type { RedisServer } from "./redis-server.js";

describe("Redis, killed in the middle of a sweep", () => {
  it.each([
    ["comes back with all it held", ["--appendonly", "yes", "--appendfsync", "always"]],
    ["comes back with nothing", []],
  ])("%s: the same table", async (_, args) => {
    const { server, site } = await startRedis({ onTestFinished }, "slow", args);
    const workers = [site.worker(), site.worker()];
    const sweep = site.sweep();
    for (const pauseMs of [300, 2500]) {
      const before = workers.reduce((sum, { runs }) => sum + runs, 0);
      await until(
        async () => workers.reduce((sum, { runs }) => sum + runs, 0) > before && (await server.active()).length > 0,
      );
      await server.kill();
      await sleep(pauseMs);
      await server.restart();
    }
    expect(await sweep.end()).toBe(0);
    expect(sweep.stderr).toContain(`${server.url}/0 is away; waiting for it`);
    expect(sweep.stderr).toContain(`${server.url}/0 is back`);
    expect(site.hasUndisturbedTable()).toBe(true);
    for (const worker of workers) worker.kill("SIGTERM");
    expect(await Promise.all(workers.map(async (worker) => worker.end()))).toEqual([0, 0]);
    expect(await server.leftOver()).toEqual([]);
  });
});

describe("a Redis that is there", () => {
  it.each([
    ["does not answer", "sweep", (server: RedisServer, isOff: boolean) => server.freeze(isOff)],
    [
      "NOREPLICAS",
      "worker",
      (server: RedisServer, isOff: boolean) => server.redis.config("SET", "min-replicas-to-write", isOff ? "1" : "0"),
    ],
  ] as const)("and %s is named by the %s; all go on after it", async (words, teller, turn) => {
    const { server, site } = await startRedis({ onTestFinished }, "slow");
    const worker = site.worker();
    const sweep = site.sweep();
    await until(() => worker.runs > 0);
    await turn(server, true);
    await { sweep, worker }[teller].says(words);
    await sleep(6000);
    await turn(server, false);
    expect(await sweep.end()).toBe(0);
    expect(site.hasUndisturbedTable()).toBe(true);
  });
});
