import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { counterHash } from "../../dist/core/kernel/index.js";
import { RUNS, SWEEP, until, type BideProcess } from "./bide-process.js";
import { startRedis } from "./fixture.js";

/** From 0 to `most`, of a place in a series. */
const drawn = (series: number, place: number, most: number): number => counterHash(series, place, 0) % most;

describe("a worker that is killed", () => {
  it("is replaced by another, whenever it happens; its hold ends within 5 s", async (test) => {
    const { server, site } = await startRedis(test, "slow");
    const recoveries: number[] = [];
    // Each in a sweep of its own: while a run waits for its next worker, a fast machine does all the others.
    for (let kill = 0; kill < 2; kill++) {
      const folder = `killed-${kill}`;
      const sweep = site.bide(["sweep", SWEEP, "--out", folder, "--queue", server.url]);
      const worker = site.worker();
      await until(async () => (await server.active()).length > 0);
      await sleep(drawn(41, kill, 500));
      await until(async () => (await server.active()).length > 0 || sweep.isOver);
      const [job] = await server.active();
      worker.kill("SIGKILL");
      await worker.end();
      const killedMs = Date.now();
      const next = site.worker();
      // It may have ended at the last moment; then nothing has to be taken over.
      if (job !== undefined && (await server.active()).includes(job)) {
        // What the product decides; the rest (two looks a second apart, the start of the next worker) takes as long as
        // the machine does.
        expect(await server.redis.pttl(`${job}:lock`)).toBeLessThanOrEqual(5000);
        await until(async () => Number(await server.redis.hget(job, "processedOn")) > killedMs);
        recoveries.push((Date.now() - killedMs) / 1000);
      }
      expect(await sweep.end()).toBe(0);
      expect(site.hasUndisturbedTable(folder)).toBe(true);
      next.kill("SIGTERM");
      expect(await next.end()).toBe(0);
    }
    console.log(`taken over after ${recoveries.map((one) => one.toFixed(1)).join(", ")} s`);
    expect(recoveries.length).toBeGreaterThanOrEqual(1);
  });
});

describe("a sweep that is killed", () => {
  it("collects on --resume what was done meanwhile, and repeats nothing", async (test) => {
    const { server, site } = await startRedis(test, "slow");
    const workers = [site.worker(), site.worker()];
    const done = (): number => workers.reduce((sum, { runs }) => sum + runs, 0);
    for (let kill = 0; kill < 2; kill++) {
      const sweep = site.sweep("--resume");
      await until(() => sweep.isOver || (done() > 2 * kill && site.journalKeys().length >= kill));
      await sleep(drawn(42, kill, 900));
      sweep.kill("SIGKILL");
      await sweep.end();
    }
    // Nobody is there to ask for results; the workers go on.
    await until(() => done() === RUNS);
    const last = site.sweep("--resume");
    expect(await last.end()).toBe(0);
    expect(done()).toBe(RUNS);
    expect(site.hasUndisturbedTable()).toBe(true);
    expect(await server.leftOver()).toEqual([]);
  });
});

const POISON = `
export default {
  name: "poison",
  summary: "ends the process that runs it",
  create() {
    process.kill(process.pid, "SIGKILL");
    for (;;) {}
  },
};
`;

describe("a run that ends whoever does it", () => {
  it("is given up, with an error, and the others are done", async (test) => {
    const { server, site } = await startRedis(test, "slow");
    site.write("poison.mjs", POISON);
    site.write(
      "sweep.yaml",
      "name: p\nwhy: a test\nscenario: tiny.yaml\naxes:\n  - {name: s, path: scheduler.kind, values: [fifo, poison]}\nreplications: 1\n",
    );
    site.write(
      "tiny.yaml",
      "name: tiny\ncluster: {racks: 1, nodesPerRack: 2}\nworkload: {kind: jobs, jobs: [{name: a, maps: 3, mapTime: 5s}]}\n",
    );
    const sweep = site.sweep("--plugin", "poison.mjs");
    let worker: BideProcess | null = null;
    let deaths = 0;
    await until(async () => {
      const [job] = await server.active();
      // Once for each process: it has its signal a moment before it is over.
      if (worker?.isOver === true && worker.child.signalCode === "SIGKILL") {
        deaths++;
        // The hold of a process that is gone ends by itself after some seconds.
        if (job !== undefined) await server.redis.del(`${job}:lock`);
      }
      if (worker === null || worker.isOver) worker = site.worker("--plugin", "poison.mjs");
      return sweep.isOver;
    });
    expect(await sweep.end()).toBe(4);
    expect(sweep.stderr).toContain("given up: ");
    expect(deaths).toBe(9);
    expect(await server.leftOver()).toEqual([]);
  });
});
