import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { counterHash } from "../../dist/core/kernel/index.js";
import { type BideProcess, type Site, undisturbedFolder } from "./bide-process.js";
import { type Place, startRedis } from "./fixture.js";
import type { RedisServer } from "./redis-server.js";

/** Every night, and what there is time for before a change is kept: each kind of event about three times. */
const EVENTS = process.env.BIDE_LONG === undefined ? 25 : 100;
const SEED = Number(process.env.BIDE_CHAOS_SEED ?? 1);
/** What one event may take, its pause included; what a sweep may take once all is quiet. */
const MOST_EVENT_MS = 15_000;
const MOST_QUIET_MS = 150_000;

interface StoredRow {
  readonly key: string;
  readonly run: { readonly outcome: string; readonly error?: string; readonly cost: unknown };
}

function rowsIn(folder: string): Map<string, StoredRow> {
  const file = join(folder, "journal.jsonl");
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  const rows = lines.map((line) => (JSON.parse(line) as { row: StoredRow }).row);
  return new Map(rows.map((row) => [row.key, row]));
}

/** What a sweep of these runs has to come to, but for what they cost. */
function figures({ run: { cost: _, ...rest } }: StoredRow): unknown {
  return rest;
}

const undisturbed = (): Map<string, StoredRow> => rowsIn(undisturbedFolder("slow"));

class Chaos {
  readonly server: RedisServer;
  readonly site: Site;
  readonly workers: BideProcess[] = [];
  sweep: BideProcess;
  readonly ended: string[] = [];
  readonly reasons: string[] = [];
  private sweeps = 0;
  private place = 0;

  constructor({ server, site }: Place) {
    this.server = server;
    this.site = site;
    this.workers.push(this.site.worker(), this.site.worker());
    this.sweep = this.begin();
  }

  /** From 0 to `most`. */
  drawn(most: number): number {
    return counterHash(SEED, this.place++, 0) % most;
  }

  private begin(): BideProcess {
    return this.site.bide(["sweep", "sweep.yaml", "--out", this.folder, "--queue", this.server.url, "--resume"]);
  }

  get folder(): string {
    return `out-${String(this.sweeps)}`;
  }

  /** A process that has gone is replaced; a sweep that has ended is looked at, and another begins. */
  async tend(isLast = false): Promise<void> {
    for (const [at, worker] of this.workers.entries()) {
      if (!worker.isOver) continue;
      // Killed by an event; else it has said why it cannot go on.
      if (worker.child.signalCode !== "SIGKILL") {
        expect(worker.child.exitCode, worker.stderr).toBe(2);
        this.reasons.push(worker.stderr.trim().split("\n").at(-1) ?? "");
      }
      this.workers[at] = this.site.worker();
    }
    if (!this.sweep.isOver) return;
    const { signalCode, exitCode } = this.sweep.child;
    if (signalCode !== "SIGKILL" && exitCode !== 2) {
      this.judge();
      this.sweeps++;
      if (isLast) return;
    } else if (exitCode === 2) {
      this.reasons.push(this.sweep.stderr.trim().split("\n").at(-1) ?? "");
    }
    this.sweep = this.begin();
  }

  /** Exact figures for every run; a run without them has a reason. */
  private judge(): void {
    const { exitCode } = this.sweep.child;
    expect([0, 4], this.sweep.stderr).toContain(exitCode);
    const wanted = undisturbed();
    const found = rowsIn(join(this.site.path, this.folder));
    expect([...found.keys()].sort()).toEqual([...wanted.keys()].sort());
    for (const [key, row] of found) {
      if (row.run.outcome === "done") expect(figures(row)).toEqual(figures(wanted.get(key) as StoredRow));
      else expect(row.run.error).toMatch(/^given up/);
    }
    const failed = [...found.values()].filter(({ run }) => run.outcome === "failed");
    expect(exitCode).toBe(failed.length === 0 ? 0 : 4);
    this.reasons.push(...failed.map(({ run }) => run.error ?? ""));
    if (failed.length === 0) {
      const table = readFileSync(join(this.site.path, this.folder, "runs.parquet"));
      expect(table.equals(readFileSync(join(undisturbedFolder("slow"), "runs.parquet")))).toBe(true);
    }
    this.ended.push(`${this.folder}: ${String(exitCode)}`);
  }
}

type Event = (chaos: Chaos) => Promise<unknown>;

const EVERY: Record<string, Event> = {
  "a worker is killed": async (chaos) => Promise.resolve(chaos.workers[chaos.drawn(2)].kill("SIGKILL")),
  "a worker stands still": async (chaos) => {
    const worker = chaos.workers[chaos.drawn(2)];
    worker.kill("SIGSTOP");
    await sleep(chaos.drawn(2500));
    worker.kill("SIGCONT");
  },
  "the sweep is killed": async (chaos) => Promise.resolve(chaos.sweep.kill("SIGKILL")),
  "Redis is killed, and loses everything": async (chaos) => {
    await chaos.server.kill();
    await sleep(chaos.drawn(1500));
    await chaos.server.restart();
  },
  "Redis forgets everything": async (chaos) => chaos.server.redis.flushall(),
  "Redis refuses to write": async (chaos) => {
    await chaos.server.redis.config("SET", "min-replicas-to-write", "1");
    await sleep(chaos.drawn(2000));
    await chaos.server.redis.config("SET", "min-replicas-to-write", "0");
  },
  "Redis is full": async (chaos) => {
    await chaos.server.redis.config("SET", "maxmemory", "1");
    await sleep(chaos.drawn(2000));
    await chaos.server.redis.config("SET", "maxmemory", "0");
  },
};

describe("a sweep in Redis to which everything happens", () => {
  it(
    `has exact figures, or says why it has none, after ${String(EVENTS)} events (BIDE_CHAOS_SEED=${String(SEED)})`,
    { timeout: EVENTS * MOST_EVENT_MS + MOST_QUIET_MS },
    async (test) => {
      const chaos = new Chaos(await startRedis(test, "slow"));
      const names = Object.keys(EVERY);
      const counts = new Map<string, number>();
      for (let event = 0; event < EVENTS; event++) {
        // All kinds in turn at first, so that none is left out.
        const name = names[event < names.length ? event : chaos.drawn(names.length)];
        counts.set(name, (counts.get(name) ?? 0) + 1);
        await EVERY[name](chaos);
        await sleep(chaos.drawn(600));
        await chaos.tend();
      }
      const quietMs = Date.now();
      const endedBefore = chaos.ended.length;
      // A sweep that was killed, or found no Redis that it could use, is followed by another.
      while (chaos.ended.length === endedBefore) {
        if (Date.now() - quietMs > MOST_QUIET_MS) {
          const said = [chaos.sweep, ...chaos.workers].map(({ stderr }) => stderr.slice(-2000)).join("\n---\n");
          throw new Error(`no sweep has ended, though nothing happens any more; said so far:\n${said}`);
        }
        await sleep(100);
        await chaos.tend(true);
      }
      expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(EVENTS);
      console.log(
        `${String(EVENTS)} events; sweeps: ${chaos.ended.join(", ")}; reasons: ${[...new Set(chaos.reasons)].join(" | ")}`,
      );
      for (const worker of chaos.workers) worker.kill("SIGTERM");
      for (const worker of chaos.workers) expect(await worker.end()).toBe(0);
    },
  );
});
