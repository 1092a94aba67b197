import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const BIDE = new URL("../../../bin/bide.js", import.meta.url).pathname;
const TINY = new URL("../../../scenarios/tiny.yaml", import.meta.url).pathname;

let folder: string;

function bide(...args: string[]) {
  return spawnSync(process.execPath, [BIDE, ...args], { cwd: folder, encoding: "utf8" });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-report-"));
  expect(bide("run", TINY, "--quiet", "--tasks", "--report", "--out", "tiny").status).toBe(0);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it("--report writes one page beside the results, which asks for nothing", () => {
  const page = readFileSync(join(folder, "tiny/report.html"), "utf8");
  expect(page).toContain("<!doctype html>");
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/<(script|link|img|iframe)[^>]*(src|href)=/i);
  expect(page.length).toBeLessThan(2e6);
});

it("the same run gives the same page", () => {
  expect(bide("report", "tiny", "--out", "again.html").status).toBe(0);
  expect(bide("report", "tiny", "--out", "again2.html").status).toBe(0);
  expect(readFileSync(join(folder, "again.html"), "utf8")).toBe(readFileSync(join(folder, "again2.html"), "utf8"));
});

it("a page that is there is replaced only with --force", () => {
  const refused = bide("report", "tiny");
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain("--force");
  expect(bide("report", "tiny", "--force").status).toBe(0);
});

it.each([
  [["report", "nothing-there"], "nothing-there"],
  [["report", "empty"], "empty"],
  [["report", "tiny", "--out", "page.pdf"], ".html"],
  [["report", "broken"], "summary.json"],
])("%j ends with exit code 2 and leaves nothing", (args, named) => {
  mkdirSync(join(folder, "empty"), { recursive: true });
  mkdirSync(join(folder, "broken"), { recursive: true });
  writeFileSync(join(folder, "broken/summary.json"), "{");
  const { status, stderr } = bide(...args);
  expect([status, stderr]).toEqual([2, expect.stringContaining(named)]);
  expect(existsSync(join(folder, "page.pdf"))).toBe(false);
});

it("a run without tables is refused, and the error says what makes them", () => {
  expect(bide("run", TINY, "--quiet", "--no-tables", "--out", "bare").status).toBe(0);
  const { status, stderr } = bide("report", "bare");
  expect(status).toBe(2);
  expect(stderr).toContain("bide run");
});
