import { describe, expect, it } from "vitest";
import { BUSY_MS, runChild } from "./child.js";

const SECOND = 1_000_000;

describe.each([4, 2])("a rack thread of %s that dies", (threads) => {
  // Racks are dealt out in turn: on two threads, rack02 shares one with rack00.
  const racks = threads === 4 ? "rack02" : "rack00, rack02";

  it.each([
    ["throws", "throw", /fault injection: an exception/],
    ["exits", "exit", /exit|terminat/i],
    ["runs out of memory", "out-of-memory", /memory/i],
  ])("because it %s ends the run, which names rack, virtual time and cause", async (_, how, cause) => {
    const atUs = 30 * SECOND;
    const faultInjections = [{ rack: 2, how: { atUs, how } }];
    const found = await runChild(
      { threads, faultInjections },
      how === "out-of-memory" ? ["--max-old-space-size=64"] : [],
    );
    expect(found.name).toBe("RackFailure");
    expect(found.rack).toBe(racks);
    expect(found.message).toContain(`${racks} died at virtual time `);
    expect(found.message).toMatch(cause);
    // The master is at most a lookahead behind the rack that died; ahead of it, as far as it need not ask that rack.
    expect(found.virtualUs).toBeGreaterThanOrEqual(atUs - 12 * SECOND);
    expect(found.virtualUs).toBeLessThanOrEqual(atUs + 30 * SECOND);
    expect(found.runMs).toBeLessThan(BUSY_MS);
    expect(found.left).toEqual([]);
    expect(found.lingeredMs).toBeLessThan(BUSY_MS);
  });

  it("ends a run in which nothing else happens, too", async () => {
    const faultInjections = [{ rack: 1, how: { atUs: 50 * SECOND, how: "throw" } }];
    const found = await runChild({ threads, endless: true, faultInjections });
    expect([found.name, found.rack]).toEqual(["RackFailure", threads === 4 ? "rack01" : "rack01, rack03"]);
    expect(found.left).toEqual([]);
  });

  it("at the very first slice ends the run", async () => {
    const found = await runChild({ threads, faultInjections: [{ rack: 0, how: { atUs: 0, how: "exit" } }] });
    expect(found.name).toBe("RackFailure");
    // Until it hears of that, the master goes on with what it need not ask the rack for.
    expect(found.virtualUs).toBeLessThanOrEqual(60 * SECOND);
  });
});
