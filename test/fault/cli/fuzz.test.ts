import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("damaged files of every kind are refused in Bide's own words: a few of them", () => {
  const fuzz = fileURLToPath(new URL("../../../tools/fuzz.mjs", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [fuzz, "--inputs", "160", "--seed", "few"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("160 inputs, seed few: 0 faults");
});
