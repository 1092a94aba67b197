import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

describe("damaged files of every kind", () => {
  it("are refused in Bide's own words", { timeout: 300_000 }, () => {
    const fuzz = fileURLToPath(new URL("../../../tools/fuzz.mjs", import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [fuzz, "--inputs", "3200", "--seed", "ordinary"], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("3200 inputs, seed ordinary: 0 faults");
  });
});
