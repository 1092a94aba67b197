import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { encodeExactly } from "../../dist/lab/index.js";
import { RUNS, until } from "./bide-process.js";
import { startRedis } from "./fixture.js";
import type { RedisServer } from "./redis-server.js";

/** Redis answers, and refuses whatever would change something. */
async function refuseWrites(server: RedisServer, isRefused: boolean): Promise<void> {
  await server.redis.config("SET", "min-replicas-to-write", isRefused ? "1" : "0");
}

const AXIS = "{name: W, path: scheduler.wait.node, values: [0s]}";
const TINY =
  "name: tiny\ncluster: {racks: 1, nodesPerRack: 2}\nworkload: {kind: jobs, jobs: [{name: a, maps: 3, mapTime: 5s}]}\n";

async function waitingJobs(server: RedisServer, runs = RUNS): Promise<{ queue: string; ids: string[] }> {
  let found: { queue: string; ids: string[] } = { queue: "", ids: [] };
  await until(async () => {
    const [list] = await server.redis.keys("bide:*:wait");
    if (list === undefined) return false;
    found = { queue: list.replace(/wait$/, ""), ids: await server.redis.lrange(list, 0, -1) };
    return found.ids.length === runs;
  });
  return found;
}

describe("what somebody else put into Redis", () => {
  it.concurrent("as notices of sweeps and workers is put aside: the next sweep has all its runs", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    await server.redis.hset("bide:sweeps", {
      feedfeedfeedfeed: '{"code":"' + "0".repeat(32) + '"}',
      "../../etc": "{}",
      "0000000000000000": "no JSON \u001b]0;title\u0007",
      "1111111111111111": "x".repeat(300_000),
    });
    const fields = { code: "0".repeat(32), plugins: [], seen: Date.now(), at: null };
    await server.redis.hset("bide:workers", {
      a: JSON.stringify(fields),
      b: JSON.stringify({ ...fields, threads: -1 }),
      c: JSON.stringify({ ...fields, threads: 1e9 }),
      d: JSON.stringify({ ...fields, threads: 1, seen: 9e15 }),
    });
    const worker = site.worker();
    const sweep = site.sweep();
    expect(await sweep.end()).toBe(0);
    expect(site.hasUndisturbedTable()).toBe(true);
    expect(worker.stderr).toContain("put aside, from Redis: a notice of a sweep (feedfeedfeedfeed): no notice");
    expect(worker.stderr).toContain("put aside, from Redis: a notice: too large in bide:sweeps");
    expect(sweep.stderr).toContain(
      "put aside, from Redis: a notice of a worker (a): no notice of a worker (threads: invalid type)",
    );
    expect(worker.stderr + sweep.stderr).not.toContain("\u001b]");
    worker.kill("SIGTERM");
    expect(await worker.end()).toBe(0);
  });

  it.concurrent("as a worker of our own code without threads does not end a sweep early", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    // More runs than a sweep has in Redis at once.
    const seeds = "replications: 36\nmeasures: [responseMean]\n";
    site.write("many.yaml", `name: m\nwhy: a test\nscenario: tiny.yaml\naxes:\n  - ${AXIS}\n${seeds}`);
    site.write("tiny.yaml", TINY);
    const sweep = site.bide(["sweep", "many.yaml", "--out", "out", "--queue", server.url]);
    await waitingJobs(server, 32);
    const [[, text]] = Object.entries(await server.redis.hgetall("bide:sweeps"));
    const { code } = JSON.parse(text) as { code: string };
    const forge = async (): Promise<void> => {
      const [seconds] = await server.redis.time();
      const seen = Number(seconds) * 1000;
      await server.redis.hset("bide:workers", "x", JSON.stringify({ code, plugins: [], seen }));
    };
    await forge();
    await sleep(2500);
    await forge();
    expect(sweep.isOver).toBe(false);
    const worker = site.worker();
    expect(await sweep.end()).toBe(0);
    expect(worker.runs).toBe(36);
    expect(new Set(site.journalKeys()).size).toBe(36);
  });

  it.concurrent("as a notice of our own code without plugins keeps no worker from the next sweep", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    const first = site.sweep();
    await waitingJobs(server);
    const [[, text]] = Object.entries(await server.redis.hgetall("bide:sweeps"));
    const { code } = JSON.parse(text) as { code: string };
    await server.redis.hset("bide:sweeps", "feedfeedfeedfeed", JSON.stringify({ name: "x", code, since: 0 }));
    const worker = site.worker();
    expect(await first.end()).toBe(0);
    const next = site.bide(["sweep", "sweep.yaml", "--out", "next", "--queue", server.url]);
    expect(await next.end()).toBe(0);
    expect(worker.runs).toBe(2 * RUNS);
  });

  it.concurrent(
    "as a job is never done, shows no file of the worker, and is replaced by the run that belongs there",
    async (test) => {
      const { server, site } = await startRedis(test, "quick");
      const sweep = site.sweep();
      const { queue, ids } = await waitingJobs(server);
      const data = await server.redis.hget(`${queue}${ids[0]}`, "data");
      const { sealed } = JSON.parse(data ?? "") as { sealed: string };
      const parcel = JSON.parse(sealed) as { file: unknown };
      const hostile = [
        { sealed: JSON.stringify({ ...parcel, file: { digest: "../../../../etc/passwd", shown: "x" } }) },
        { ...parcel, file: { digest: "../../../../etc/passwd", shown: "x" } },
        { sealed: "x".repeat(9 * 2 ** 20) },
        [],
      ];
      for (const [at, one] of hostile.entries()) {
        await server.redis.hset(`${queue}${ids[at]}`, "data", JSON.stringify(one));
      }
      // The run of one key under the name of another.
      await server.redis.hset(`${queue}${ids[5]}`, "data", data ?? "");
      const worker = site.worker();
      expect(await sweep.end()).toBe(0);
      expect(site.hasUndisturbedTable()).toBe(true);
      expect(worker.stderr).toContain("no run (file.digest: invalid format)");
      expect(worker.stderr).toContain("another run than its key names");
      expect(worker.stderr).toContain("a run of 9437184 bytes");
      expect(sweep.stderr).toContain("put aside, from Redis: a result: of a run that was changed in Redis");
      expect(site.traces()).not.toContain("root:");
      expect(worker.runs).toBe(RUNS);
    },
  );

  it.concurrent("as a result is never in a table", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    const sweep = site.sweep();
    const { queue, ids } = await waitingJobs(server);
    const [[, notice]] = Object.entries(await server.redis.hgetall("bide:sweeps"));
    const { code } = JSON.parse(notice) as { code: string };
    const counts = { jobsSubmitted: 1, jobsEnded: 1, mapsEnded: 1, reducesEnded: 1, kills: 0 };
    const done = {
      outcome: "done",
      fingerprint: "0",
      stopped: "until",
      virtualSeconds: 1,
      warmUpSeconds: null,
      notes: [],
      counts: { ...counts, heartbeats: 1 },
      values: { responseMean: NaN, nodeLocalAll: 1 },
      cost: { wallSeconds: 1 },
    };
    const key = (id: string): string => id.slice(1);
    const forged = [
      encodeExactly({ code, key: key(ids[0]), run: done }),
      encodeExactly({ code, key: key(ids[0]), run: { ...done, values: { responseMean: 1, nodeLocalAll: 1 } } }),
      encodeExactly({ code, run: { outcome: "failed", error: "x", cost: { wallSeconds: 1 } } }),
      "{",
      "x".repeat(300_000),
    ];
    for (const [at, text] of forged.entries()) {
      await server.redis
        .multi()
        .lrem(`${queue}wait`, 0, ids[at])
        .hset(`${queue}${ids[at]}`, "returnvalue", JSON.stringify(text))
        .zadd(`${queue}completed`, at, ids[at])
        .exec();
    }
    await sweep.says("a result of another run");
    // Which of them is read first is open.
    await sweep.says("put aside, from Redis: a result: no result (run.values.responseMean");
    const worker = site.worker();
    expect(await sweep.end()).toBe(0);
    expect(worker.runs).toBe(RUNS);
    expect(site.hasUndisturbedTable()).toBe(true);
  });

  it.concurrent("as a failure is never in a table: every run is done", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    const sweep = site.sweep();
    const { queue, ids } = await waitingJobs(server);
    const reasons = [
      "somebody says so",
      "job stalled more than allowable limit",
      "no run of this sweep\u001b]0;x\u0007",
    ];
    for (const [at, failedReason] of reasons.entries()) {
      await server.redis
        .multi()
        .lrem(`${queue}wait`, 0, ids[at])
        .hset(`${queue}${ids[at]}`, { failedReason, stc: "100", atm: "100" })
        .zadd(`${queue}failed`, at, ids[at])
        .exec();
    }
    // BullMQ lets a worker say so of a job that has this.
    await server.redis.hset(`${queue}${ids[5]}`, "defa", "given up long ago");
    await sweep.says("put aside, from Redis: a result: none: Redis says that the run failed, and no worker does");
    const worker = site.worker();
    expect(await sweep.end()).toBe(0);
    expect(worker.runs).toBe(RUNS);
    expect(sweep.stderr).not.toContain("given up");
    expect(site.hasUndisturbedTable()).toBe(true);
  });

  it.concurrent("does nothing on a terminal: not as name, id, job, reason or error", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    const hostile = "\u001b]0;owned\u0007\u001b[2J\nforged: line\r\u202e\u2066\u009b31m";
    const sweep = site.sweep();
    const { queue, ids } = await waitingJobs(server);
    const [[, text]] = Object.entries(await server.redis.hgetall("bide:sweeps"));
    const notice = JSON.parse(text) as { code: string };
    const { code } = notice;
    const named = { ...notice, name: hostile, since: 0 };
    await server.redis.hset("bide:sweeps", {
      [hostile]: "{}",
      ["a".repeat(16)]: JSON.stringify(named),
      ["b".repeat(16)]: JSON.stringify({ ...named, code: "0".repeat(32) }),
    });
    await server.redis.hset("bide:workers", hostile, hostile);
    await server.redis.lpush(`bide:${"a".repeat(16)}:wait`, hostile);
    await server.redis.hset(`bide:${"a".repeat(16)}:${hostile}`, { data: "{}", opts: "{}", name: "x" });
    await server.redis.hset(`${queue}${ids[1]}`, { failedReason: hostile });
    const failed = { outcome: "failed", error: hostile, cost: { wallSeconds: 1 } };
    const done = { [hostile]: 1, outcome: "done" };
    for (const [at, run] of [failed, done].entries()) {
      const result = encodeExactly({ code, key: ids[at].slice(1), run });
      await server.redis
        .multi()
        .lrem(`${queue}wait`, 0, ids[at])
        .hset(`${queue}${ids[at]}`, "returnvalue", JSON.stringify(result))
        .zadd(`${queue}completed`, at, ids[at])
        .exec();
    }
    const worker = site.worker();
    // Without a secret a failure that fits the schema is one.
    expect(await sweep.end()).toBe(4);
    worker.kill("SIGTERM");
    await worker.end();
    expect(worker.stderr).toContain(`at sweep \\u001b]0;owned`);
    expect(worker.stderr).toContain("to others: found code 000000000000");
    for (const { stdout, stderr } of [sweep, worker]) {
      // eslint-disable-next-line no-control-regex -- what is looked for
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(stdout + stderr).not.toMatch(/^forged/m);
    }
  });

  it.concurrent("in place of the lists of a sweep is taken out again", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    const sweep = site.sweep();
    const { queue } = await waitingJobs(server);
    await server.redis.set(`${queue}wait`, "no list");
    await server.redis.del("bide:workers");
    await server.redis.set("bide:workers", "no hash");
    site.worker();
    await sweep.says("something else than the lists of a sweep is in Redis; puts all runs into Redis anew");
    expect(await sweep.end()).toBe(0);
    expect(site.hasUndisturbedTable()).toBe(true);
  });
});

describe("a queue that gives its workers nothing", () => {
  it.concurrent("is made anew after a while, and the sweep says why", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    const sweep = site.sweep();
    const { queue, ids } = await waitingJobs(server);
    // Every run seems to be somebody's, for ever.
    for (const id of ids) {
      await server.redis
        .multi()
        .lrem(`${queue}wait`, 0, id)
        .lpush(`${queue}active`, id)
        .set(`${queue}${id}:lock`, "x", "PX", 3000)
        .exec();
    }
    await server.redis.hset(`${queue}meta`, "paused", "1");
    site.worker();
    // These holds end after 3 s, and 5 s later it says so.
    await sweep.says("waits for 8 runs: 0 in progress; 1 worker");
    await sweep.says("1 worker can take runs and takes none; puts all runs into Redis anew");
    expect(await sweep.end()).toBe(0);
    expect(site.hasUndisturbedTable()).toBe(true);
  });
});

describe("a Redis that does not answer", () => {
  it.concurrent("is what sweep and worker say that they wait for; then they go on", async (test) => {
    const { server, site } = await startRedis(test, "slow");
    const worker = site.worker();
    const sweep = site.sweep();
    await until(() => worker.runs > 0);
    server.freeze(true);
    const line = `${server.url}/0 does not answer; waiting for it`;
    for (const one of [sweep, worker]) await one.says(line);
    server.freeze(false);
    expect(await sweep.end()).toBe(0);
    expect(site.hasUndisturbedTable()).toBe(true);
  });
});

describe("a Redis that refuses", () => {
  it.concurrent("is named by sweep and worker", async (test) => {
    const { server, site } = await startRedis(test, "slow");
    const worker = site.worker();
    const sweep = site.sweep();
    await until(() => worker.runs > 0);
    await refuseWrites(server, true);
    const line = "Redis: NOREPLICAS Not enough good replicas to write; waits for it";
    for (const one of [sweep, worker]) await one.says(line);
    await sleep(6000);
    await refuseWrites(server, false);
    for (const one of [sweep, worker]) await one.says(`${server.url}/0 accepts again`);
    expect(await sweep.end()).toBe(0);
    // One cause, one line; and the worker is not said to be missing because it cannot announce itself.
    for (const one of [sweep, worker]) expect(one.stderr.split("Redis: ").length - 1, one.stderr).toBe(1);
    expect(sweep.stderr).not.toContain("no workers");
    expect(site.hasUndisturbedTable()).toBe(true);
  });

  it.concurrent("for some seconds at the end of a sweep keeps no worker from the next one", async (test) => {
    const { server, site } = await startRedis(test, "slow");
    const worker = site.worker();
    const sweep = site.sweep();
    await until(() => worker.runs >= RUNS - 1);
    await refuseWrites(server, true);
    await worker.says("Redis: ");
    await sleep(5000);
    await refuseWrites(server, false);
    expect(await sweep.end()).toBe(0);
    expect(site.hasUndisturbedTable()).toBe(true);
    // Now the worker sees that the sweep is over, and would tidy up after it.
    await refuseWrites(server, true);
    await sleep(6000);
    await refuseWrites(server, false);
    const next = site.bide(["sweep", "sweep.yaml", "--out", "next", "--queue", server.url]);
    expect(await next.end()).toBe(0);
    worker.kill("SIGTERM");
    expect(await worker.end()).toBe(0);
  });

  it.concurrent("to forget a sweep that is over does not make it one that failed", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    await server.redis.call("ACL", "SETUSER", "sweep", "on", ">secretsecret", "~*", "&*", "+@all", "-hdel");
    site.worker();
    const url = server.url.replace("//", "//sweep:secretsecret@");
    const sweep = site.bide(["sweep", "sweep.yaml", "--out", "out", "--queue", url]);
    expect(await sweep.end()).toBe(0);
    expect(sweep.stderr).toContain("may keep something of this sweep");
    expect(site.hasUndisturbedTable()).toBe(true);
  });

  it.concurrent("because it is full is refused at the start, with its limit", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    await server.redis.set("filler", "x".repeat(5_000_000));
    await server.redis.config("SET", "maxmemory", "4000000");
    for (const one of [site.worker(), site.sweep()]) {
      expect(await one.end()).toBe(2);
      expect(one.stderr).toMatch(/found a Redis that is full: \d+ bytes used of maxmemory 4000000/);
    }
  });
});

describe("a run that no worker can do", () => {
  it.concurrent(
    "for another reason than the run itself is tried five times, as the sweep counts, and has a reason",
    async (test) => {
      const { server, site } = await startRedis(test, "quick");
      site.write("trace.csv", "job,type,seconds,submit\na,map,10,0\n");
      site.write(
        "sweep.yaml",
        "name: t\nwhy: a test\nscenario: s.yaml\naxes:\n  - {name: W, path: scheduler.wait.node, values: [0s]}\nreplications: 1\n",
      );
      site.write("s.yaml", "name: s\ncluster: {racks: 1, nodesPerRack: 2}\nworkload: {kind: tasks, file: trace.csv}\n");
      // No place for the trace of the run.
      const worker = site.bide(["worker", "--queue", server.url, "--json"], { TMPDIR: join(site.path, "none") });
      const sweep = site.sweep();
      expect(await sweep.end()).toBe(4);
      expect(sweep.stderr).toContain("given up after 5 tries: ENOENT");
      expect(worker.stderr).toContain("a run could not be done and is tried again: ENOENT");
      expect(await server.leftOver()).toEqual([]);
    },
  );
});

describe("a queue secret", () => {
  it.concurrent("lets in what is signed with it, and nothing else; nobody ever says or stores it", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    const secret = "correct horse battery staple";
    site.write("secret.txt", `${secret}\n`);
    const stranger = site.worker();
    const worker = site.worker("--queue-secret", "secret.txt");
    const sweep = site.bide(["sweep", "sweep.yaml", "--out", "out", "--queue", server.url], {
      BIDE_QUEUE_SECRET: secret,
    });
    await stranger.says("signed with a queue secret, and this process has none");
    await sweep.says("not signed with the queue secret");
    expect(await sweep.end()).toBe(0);
    expect([stranger.runs, worker.runs]).toEqual([0, RUNS]);
    expect(site.hasUndisturbedTable()).toBe(true);
    for (const one of [sweep, worker, stranger]) expect(one.stderr + one.stdout).not.toContain(secret);
    expect(readFileSync(join(site.path, "out", "plan.json"), "utf8")).not.toContain(secret);
  });

  it.concurrent("that is too short or cannot be read is refused", async (test) => {
    const { server, site } = await startRedis(test, "quick");
    site.write("short.txt", "tiny\n");
    const short = site.worker("--queue-secret", "short.txt");
    expect(await short.end()).toBe(2);
    expect(short.stderr).toContain("--queue-secret short.txt: found a secret of 4 characters, allowed 16 or more");
    expect(await site.worker("--queue-secret", "none.txt").end()).toBe(2);
    const variable = site.bide(["worker", "--queue", server.url], { BIDE_QUEUE_SECRET: "tiny" });
    expect(await variable.end()).toBe(2);
    expect(variable.stderr).toContain("BIDE_QUEUE_SECRET: found a secret of 4 characters");
  });
});
