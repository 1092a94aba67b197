import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, expect } from "vitest";

/*
 * Set-up of the tests under tools/test-costs.mjs: notes the CPU time that each test file took. Files that share a
 * process come one after the other, and the first of them also pays for the start of the process.
 */

/** CPU seconds of this process and of the children for which it has waited; Linux counts those in hundredths. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / 100;
}

const ofProcess = globalThis as { noted?: number };

afterAll(() => {
  const now = cpuSeconds();
  const file = relative(process.cwd(), expect.getState().testPath ?? "");
  appendFileSync(
    process.env["BIDE_TEST_COSTS"]!,
    `${JSON.stringify({ file, seconds: now - (ofProcess.noted ?? 0) })}\n`,
  );
  ofProcess.noted = now;
});
