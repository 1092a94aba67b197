import { describe, expect, it } from "vitest";
import { transport } from "../../../../dist/lab/index.js";

describe("frames between two threads", () => {
  // The envelope, then 5 words for each heartbeat.
  it.each([
    ["stream", 1, 17 + 20],
    ["answer", 40, 17 + 800],
  ] as const)("%s, %i heartbeats per frame: all arrive, of %i bytes", async (way, heartbeats, bytes) => {
    const found = await transport(way, 50, heartbeats, undefined);
    expect(found.frameBytes).toBe(bytes);
    expect(found.wallSeconds).toBeGreaterThan(0);
    // Two rings of at least 64 KiB.
    expect(found.channelBytes).toBeGreaterThan(2 * 65_536);
  });

  it("stop when they are told to", async () => {
    const stopped = transport("answer", 10_000_000, 1, AbortSignal.timeout(300));
    await expect(stopped).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
