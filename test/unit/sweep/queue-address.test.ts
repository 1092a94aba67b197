import { describe, expect, it } from "vitest";
import { evictionIn, parseQueueAddress, reason } from "../../../dist/lab/index.js";

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
    ["", "no URL"],
    [SECRET, "no URL"],
    [`redis://ann:${SECRET}@`, "no URL"],
    [`http://ann:${SECRET}@example`, "a URL of http://"],
    [`redis://ann:${SECRET}@example/x`, "a database that is no number"],
    [`redis://ann:${SECRET}@example/1?x=${SECRET}`, "something after the database"],
    [`redis://ann:${SECRET}#x@example`, "no URL"],
    [`redis://ann:${SECRET}%zz@example`, "a % that escapes nothing"],
    [`redis://ann:${SECRET}@example:99999`, "no URL"],
    [`unix://:${SECRET}@localhost/`, "without the path of a socket"],
  ])("refuses %s without repeating it", (text, why) => {
    let message = "";
    try {
      parseQueueAddress(text, "BIDE_QUEUE");
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^BIDE_QUEUE: found /);
    expect(message).toContain(why);
    expect(message).toContain("allowed redis://");
    expect(message).not.toContain(SECRET);
  });
});

describe("what Redis says of itself", () => {
  const info = (policy: string, most: number): string =>
    `# Memory\r\nmaxmemory:${String(most)}\r\nmaxmemory_policy:${policy}\r\n`;

  it("is refused where it drops what it holds once it is full", () => {
    expect(evictionIn(info("allkeys-lru", 1000))).toContain(
      "found maxmemory-policy allkeys-lru with maxmemory 1000, allowed noeviction",
    );
    expect(evictionIn(info("volatile-ttl", 1000))).toContain("volatile-ttl");
    expect(evictionIn(info("noeviction", 1000))).toBeNull();
  });

  it("is no trouble where it is never full", () => {
    expect(evictionIn(info("allkeys-lru", 0))).toBeNull();
    expect(evictionIn("")).toBeNull();
  });

  it("is told in few words, without what was sent", () => {
    const error = Object.assign(new Error("WRONGPASS invalid username-password pair or user is disabled."), {
      command: { name: "auth", args: [SECRET] },
    });
    expect(reason(error)).toBe("it refuses this user and password (WRONGPASS)");
    expect(reason(new Error("connect ECONNREFUSED 127.0.0.1:1"))).toBe("connect ECONNREFUSED 127.0.0.1:1");
    expect(reason(Object.assign(new Error(""), { code: "ECONNREFUSED" }))).toBe("ECONNREFUSED");
  });
});
