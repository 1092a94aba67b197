import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readBench } from "../../../dist/io/index.js";
import { ended, Place, wrote } from "./command.js";

const BIDE = fileURLToPath(new URL("../../../bin/bide.js", import.meta.url));

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => {
  place.remove();
});

describe("bide bench", () => {
  it("writes and prints one JSON document, and shows it again as a table", async () => {
    const args = ["scale", "--only", "620", "--span", "3m", "--runs", "1"];
    const { code, stdout, stderr } = await place.bide("bench", ...args, "--json", "--out", "scale.json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "run 1 of 1: 620 nodes\nFigures written to scale.json\n" });
    const report = readBench(`${place.path}/scale.json`);
    expect(JSON.parse(stdout)).toEqual({ format: "bide-bench", version: 1, ...report });
    expect(report.rows).toHaveLength(1);
    // 620 nodes, a heartbeat every 3 s for 180 s.
    const [{ processed, implied, tasks }] = report.rows;
    expect(Number(processed) + Number(implied)).toBe(620 * 60);
    expect(Number(tasks)).toBeGreaterThan(100);
    const shown = await place.bide("bench", "show", "scale.json");
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    for (const part of [
      "Benchmark       scale: ",
      "\nMachine ",
      "\nSpan ",
      "us/task",
      "beats processed",
      "beats implied",
    ])
      expect(shown.stdout).toContain(part);
  });

  it.skipIf(process.platform === "win32")("stopped by SIGTERM: exit 143, no file, no process left", async () => {
    const args = [BIDE, "bench", "day", "--only", "Facebook day, inline", "--out", "day.json"];
    const child = spawn(process.execPath, args, { cwd: place.path, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const end = ended(child);
    await wrote(child, "run 1 of 3");
    await sleep(300);
    child.kill("SIGTERM");
    expect(await end).toMatchObject({ code: 143, stdout: "" });
    expect(place.left()).toEqual([]);
    // The children are of the group that the command leads.
    await expect.poll(() => isAlive(child.pid ?? 0), { timeout: 5000 }).toBe(false);
  });
});

function isAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}
