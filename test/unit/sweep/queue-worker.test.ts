import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { failureOf } from "../../../dist/cli/index.js";
import { CannotGoOn, parseQueueAddress, type QueueClients, workOnQueue } from "../../../dist/lab/index.js";

/** A Redis that holds nothing, and answers a look for notices as the test says. */
function clientsWith(answer: () => Promise<unknown>, calls: string[]): QueueClients {
  class Redis {
    on = (): this => this;
    connect = async (): Promise<void> => Promise.resolve();
    info = async (): Promise<string> => Promise.resolve("");
    time = async (): Promise<string[]> => Promise.resolve(["1", "0"]);
    quit = async (): Promise<string> => Promise.resolve("OK");
    disconnect = (): void => undefined;
    eval = answer;
    hset = async (): Promise<number> => {
      calls.push("announces itself");
      return Promise.resolve(1);
    };
    hdel = async (): Promise<number> => {
      calls.push("says goodbye");
      return Promise.resolve(1);
    };
  }
  return { ioredis: { Redis }, bullmq: {} } as unknown as QueueClients;
}

const options = (told: string[]): Parameters<typeof workOnQueue>[1] => ({
  address: parseQueueAddress("redis://127.0.0.1:1", "--queue"),
  threads: 1,
  plugins: [],
  code: "c".repeat(32),
  secret: null,
  tell: (line) => told.push(line),
  onRun: () => undefined,
});

describe("a process that does runs of a queue", () => {
  it("ends with a code of its own when it cannot go on, and stops announcing itself", async () => {
    const calls: string[] = [];
    const clients = clientsWith(async () => Promise.resolve(null), calls);
    const failed = await workOnQueue(clients, options([]), new AbortController().signal).catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(CannotGoOn);
    const { exitCode, text } = failureOf(failed);
    expect([exitCode, text]).toEqual([8, expect.stringMatching(/^bide: this worker cannot go on: TypeError: /)]);
    expect(calls.at(-1)).toBe("says goodbye");
    const before = calls.length;
    await sleep(50);
    expect(calls).toHaveLength(before);
  });

  it("goes on after a Redis that refused, which it says", async () => {
    const calls: string[] = [];
    const told: string[] = [];
    const stop = new AbortController();
    let looks = 0;
    const clients = clientsWith(async () => {
      looks++;
      if (looks === 3) stop.abort();
      if (looks > 1) return Promise.resolve([0]);
      return Promise.reject(Object.assign(new Error("MISCONF cannot save"), { name: "ReplyError" }));
    }, calls);
    expect(await workOnQueue(clients, options(told), stop.signal)).toBe(0);
    expect(told).toContain("Redis: MISCONF cannot save; waits for it");
    expect(looks).toBeGreaterThanOrEqual(3);
  });
});
