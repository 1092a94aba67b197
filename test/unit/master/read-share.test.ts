import { describe, expect, it } from "vitest";
import { readShare } from "../../../dist/core/platforms/hadoop/index.js";
import type { InlineJobSpec } from "../../../dist/core/scenario/index.js";
import { DEFAULT_RUNTIME } from "../../../dist/io/index.js";
import { clusterOf, jobOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const MB = 2 ** 20;

/** Blocks of 128 MB, disks of 64 MB/s: 2 s for a block. Maps of 6 s, 2 of them start-up. */
function shareOf(job: Partial<InlineJobSpec>, model: "light" | "detailed", ioShare: number | null = null): number {
  const { scenario, workload } = smallRun({
    cluster: clusterOf({ node: { diskBytesPerSecond: 64 * MB } }),
    jobs: [jobOf({ maps: 4, mapUs: 6 * SECOND, ...job })],
    runtime: { model, io: { ...DEFAULT_RUNTIME.io, ioShare } },
  });
  return readShare(scenario, workload.jobs[0]);
}

describe("the share of a map's time that goes into reading", () => {
  it("is what the job declares, in bytes or else as a share, or what the scenario does", () => {
    for (const model of ["light", "detailed"] as const) {
      expect(shareOf({ ioShare: 0.3 }, model)).toBe(0.3);
      expect(shareOf({ ioShare: 0 }, model, 0.8)).toBe(0);
      expect(shareOf({}, model, 0.8)).toBe(0.8);
      // 0.5 s of 4.
      expect(shareOf({ ioShare: 0.3, inputBytesPerMap: 32 * MB }, model)).toBe(0.125);
      expect(shareOf({ inputBytesPerMap: 512 * MB }, model)).toBe(1);
    }
  });

  it("follows from the block where nothing is declared, unless nothing is read", () => {
    expect(shareOf({}, "detailed")).toBe(0.5);
    expect(shareOf({ mapUs: 10 * SECOND }, "detailed")).toBe(0.25);
    expect(shareOf({}, "light")).toBe(1);
  });

  it("is 1 where there is no time left, or no map", () => {
    expect(shareOf({ mapUs: SECOND }, "detailed")).toBe(1);
    expect(shareOf({ maps: 0, reduces: 1 }, "detailed")).toBe(1);
  });
});
