import { describe, expect, it } from "vitest";
import { BUSY_MS, runChild } from "./child.js";

/** Thread start-up on a busy machine, and the second in which an aborted run must stop. */
const STARTUP_MS = 1_500;

describe.each([0, 1, 4])("on %s threads", (threads) => {
  it("a run that ends leaves nothing behind", async () => {
    const found = await runChild({ threads });
    expect(found.ended).toBe(true);
    expect(found.left).toEqual([]);
    expect(found.lingeredMs).toBeLessThan(BUSY_MS);
  });

  it("a run that is aborted in the midst of it stops within a second and leaves nothing behind", async () => {
    const abortAfterMs = STARTUP_MS;
    const found = await runChild({ threads, endless: true, abortAfterMs });
    expect(found.name).toBe("TimeoutError");
    expect(found.runMs).toBeGreaterThan(abortAfterMs - 100);
    expect(found.runMs).toBeLessThan(abortAfterMs + BUSY_MS);
    expect(found.left).toEqual([]);
    expect(found.lingeredMs).toBeLessThan(BUSY_MS);
  });

  it("a run that is aborted before it starts does not run to its end", async () => {
    const found = await runChild({ threads, abortAfterMs: 0 });
    expect(found.name).toBe("AbortError");
    expect(found.left).toEqual([]);
  });

  it("a run that is aborted while its threads start stops within a second", async () => {
    const found = await runChild({ threads, endless: true, abortAfterMs: 20 });
    expect(found.name).toBe("TimeoutError");
    expect(found.runMs).toBeLessThan(BUSY_MS);
    expect(found.lingeredMs).toBeLessThan(BUSY_MS);
  });
});
