import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ended, Place, type Ended } from "./command.js";

const COMPARE = fileURLToPath(new URL("../../../bench/compare.mjs", import.meta.url));
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const QUICK = ["--only", "620", "--span", "1m", "--runs", "1"];

let place: Place;
let figures: string;
beforeAll(async () => {
  place = new Place();
  figures = (await place.bide("bench", "scale", ...QUICK, "--json", "--quiet")).stdout;
});
afterAll(() => {
  place.remove();
});

function compare(...args: string[]): Promise<Ended> {
  return ended(spawn(process.execPath, [COMPARE, ...args], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] }));
}

describe("bench:compare against stored figures", () => {
  it("equal counts and fingerprints: exit 0, and a ratio for every time", async () => {
    place.write("scale.json", figures);
    const { code, stdout } = await compare("--against", place.path, ...QUICK, "scale");
    expect(stdout).toMatch(/^620 nodes: CPU s +[\d.]+ +[\d.]+ +[\d.]+$/m);
    expect(stdout).toContain("only counts can be judged");
    expect(stdout).toMatch(/All counts and fingerprints are equal\.\n$/);
    expect(code).toBe(0);
  });

  it("another count: says which, exit 1", async () => {
    const { rows } = JSON.parse(figures) as { rows: [{ processed: number }] };
    const before = rows[0].processed;
    place.write("scale.json", figures.replace(`"processed": ${before}`, `"processed": ${before + 1}`));
    const { code, stdout } = await compare("--against", place.path, ...QUICK, "scale");
    expect(stdout).toContain(`DIFFERS  620 nodes: beats processed was ${before + 1}, is ${before}\n`);
    expect(code).toBe(1);
  });
});
