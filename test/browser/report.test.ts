import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";

const BIDE = new URL("../../bin/bide.js", import.meta.url).pathname;

const FLAGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** Names that would do something, were they taken for more than names. */
const HOSTILE = [
  "<script>window.hit=1</script>",
  `"'><img src=x onerror=window.hit=1>`,
  "من اليمين إلى اليسار",
  // Longer ones, and control characters, are refused when a scenario is read.
  "n".repeat(100),
];

let folder: string;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bide-browser-"));
  const jobs = HOSTILE.map((name, i) => ({
    name,
    user: name,
    pool: `p${String(i)}`,
    maps: 20,
    mapTime: "20s",
    at: `${String(i)}s`,
  }));
  const scenario = {
    name: "hostile",
    cluster: { racks: 2, nodesPerRack: 4, mapSlots: 2, reduceSlots: 1 },
    workload: { kind: "jobs", jobs },
    scheduler: { kind: "hfs" },
    run: { sample: "2s" },
  };
  writeFileSync(join(folder, "hostile.yaml"), JSON.stringify(scenario));
  const run = (...args: string[]) => execFileSync(process.execPath, [BIDE, ...args, "--quiet"], { cwd: folder });
  run("run", "hostile.yaml", "--tasks", "--report", "--out", "one");
  run("run", "hostile.yaml", "--seed", "2", "--set", "scheduler=fifo", "--out", "two");
  execFileSync(process.execPath, [BIDE, "report", "one", "two", "--out", "both.html"], { cwd: folder });
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The page, once it has been drawn; what it asked for and complained of meanwhile. */
async function opened(file: string, width: number, colorScheme: "light" | "dark") {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, acceptDownloads: true });
  const troubles: string[] = [];
  page.on("console", (message) => troubles.push(message.text()));
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("request", (request) => {
    if (request.url() !== `file://${join(folder, file)}` && !/^(data|blob):/.test(request.url()))
      troubles.push(request.url());
  });
  await page.goto(`file://${join(folder, file)}`);
  await page.waitForSelector("figure svg");
  return { page, troubles };
}

/** Of each figure, how many shapes it has drawn. */
function shapes(page: Page): Promise<number[]> {
  return page.$$eval("figure", (figures) => figures.map((figure) => figure.querySelectorAll("svg path").length));
}

it.each([
  ["one/report.html", 1280, "light"],
  ["one/report.html", 390, "dark"],
  ["both.html", 1280, "dark"],
  ["both.html", 390, "light"],
] as const)(
  "%s at %i px, %s: every figure is drawn, nothing is asked for, names stay names",
  async (file, width, scheme) => {
    const { page, troubles } = await opened(file, width, scheme);
    const drawn = await shapes(page);
    expect(drawn.length).toBeGreaterThanOrEqual(6);
    for (const count of drawn) expect(count).toBeGreaterThan(4);
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(troubles).toEqual([]);
    await page.close();
  },
);

it("gives each figure as SVG and its data as CSV, and every button has the focus by keyboard", async () => {
  const { page, troubles } = await opened("one/report.html", 1280, "light");
  for (const [button, start] of [
    ["SVG", "<svg"],
    ["CSV", ""],
  ]) {
    const download = page.waitForEvent("download");
    await page.locator("figure").first().getByRole("button", { name: button }).press("Enter");
    const text = readFileSync(await (await download).path(), "utf8");
    expect(text.length).toBeGreaterThan(20);
    expect(text.includes(start)).toBe(true);
    expect(text).not.toContain("<script");
  }
  expect(troubles).toEqual([]);
  await page.close();
});

it("draws another pool when one is chosen", async () => {
  const { page } = await opened("one/report.html", 1280, "light");
  const figure = page.locator("#figure-pools");
  const before = await figure.locator(".chart svg").first().innerHTML();
  await figure.locator("select").first().selectOption({ index: 1 });
  await expect.poll(() => figure.locator(".chart svg").first().innerHTML()).not.toBe(before);
  await page.close();
});
