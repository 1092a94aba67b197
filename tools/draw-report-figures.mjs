/**
 * Takes the pictures of docs/report.md and docs/reproduce.md, docs/figures/report*.png, in Debian's Chromium.
 *
 *   node tools/draw-report-figures.mjs [NAME...]   after `npm run build`
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FLAGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
const PICTURES = [
  { name: "report", args: ["run", "scenarios/production-pool.yaml", "--tasks"], colorScheme: "light", height: 1320 },
  { name: "report-sweep", args: ["sweep", "scenarios/sweeps/replicas-slots.yaml"], colorScheme: "dark", height: 1420 },
  {
    name: "report-comparison",
    args: ["compare", "scenarios/limit-slots.yaml", "--seeds", "5"],
    colorScheme: "light",
    height: 1480,
  },
  {
    name: "report-scorecard",
    args: ["reproduce", "fig3", "fig5", "fig14", "fig15", "mesos"],
    colorScheme: "light",
    height: 1520,
  },
];

const folder = mkdtempSync(join(tmpdir(), "bide-figures-"));
const bide = (...args) => execFileSync(process.execPath, [join(ROOT, "bin/bide.js"), ...args], { cwd: folder });

/** @returns the page. The page of results names their folder. */
function pageOf([command, ...args]) {
  if (command === "reproduce") {
    bide(command, ...args, "--quiet", "--report", "scorecard.html");
    return "scorecard.html";
  }
  const out = basename(args[0], ".yaml");
  bide(command, join(ROOT, args[0]), ...args.slice(1), "--report", "--quiet", "--out", out);
  return join(out, "report.html");
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
const names = process.argv.slice(2);
try {
  for (const { name, args, colorScheme, height } of PICTURES) {
    if (names.length > 0 && !names.includes(name)) continue;
    const file = pageOf(args);
    const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme });
    await page.goto(`file://${join(folder, file)}`);
    await page.waitForSelector("figure svg");
    await page.screenshot({ path: join(ROOT, "docs/figures", `${name}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
