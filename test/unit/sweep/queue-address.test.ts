import { describe, expect, it } from "vitest";
import { evictionIn, parseQueueAddress } from "../../../dist/lab/index.js";

const SECRET = "Tr0ub4dor";

describe("the address of a queue", () => {
  it.each([
    ["redis://example", "redis://example:6379/0", { host: "example", port: 6379, db: 0 }],
    [
      `redis://ann:${SECRET}@example:7000/3`,
      "redis://example:7000/3",
      { host: "example", port: 7000, db: 3, username: "ann", password: SECRET },
    ],
    [
      `redis://:${SECRET}%40%2F@example`,
      "redis://example:6379/0",
      { host: "example", port: 6379, db: 0, password: `${SECRET}@/` },
    ],
    [
      "rediss://example:6380",
      "rediss://example:6380/0",
      { host: "example", port: 6380, db: 0, tls: { servername: "example" } },
    ],
    ["redis://[::1]:7000", "redis://[::1]:7000/0", { host: "::1", port: 7000, db: 0 }],
    [
      `unix://:${SECRET}@localhost/run/redis.sock?db=2`,
      "unix:///run/redis.sock?db=2",
      { path: "/run/redis.sock", db: 2, password: SECRET },
    ],
  ])("%s", (text, shown, connection) => {
    const address = parseQueueAddress(text, "--queue");
    expect(address).toEqual({ shown, connection });
    expect(address.shown).not.toContain(SECRET);
  });

  it.each([
    "",
    SECRET,
    `http://ann:${SECRET}@example`,
    `redis://ann:${SECRET}@`,
    `redis://ann:${SECRET}@example/x`,
    `redis://ann:${SECRET}@example/1?x=${SECRET}`,
    `redis://ann:${SECRET}%zz@example`,
    `unix://:${SECRET}@localhost/`,
  ])("refuses %s without repeating it", (text) => {
    expect(() => parseQueueAddress(text, "BIDE_QUEUE")).toThrow(/^BIDE_QUEUE: (?!.*Tr0ub4dor)/);
  });
});

describe("a Redis", () => {
  it.each([
    ["allkeys-lru", 1000, false],
    ["noeviction", 1000, true],
    ["allkeys-lru", 0, true],
  ])("with policy %s and maxmemory %i keeps what it holds: %s", (policy, most, isKept) => {
    const info = `# Memory\r\nmaxmemory:${most}\r\nmaxmemory_policy:${policy}\r\n`;
    expect(evictionIn(info) === null).toBe(isKept);
  });
});
