/**
 * Takes the pictures of docs/report.md, docs/figures/report.png and report-sweep.png, in Debian's Chromium.
 *
 *   node tools/draw-report-figures.mjs   after `npm run build`
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
];

const folder = mkdtempSync(join(tmpdir(), "bide-figures-"));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
try {
  for (const { name, args, colorScheme, height } of PICTURES) {
    // The page names the folder.
    const [out] = args[1].split("/").at(-1).split(".");
    execFileSync(process.execPath, [
      join(ROOT, "bin/bide.js"),
      args[0],
      ...args.slice(1).map((arg) => (arg.startsWith("-") ? arg : join(ROOT, arg))),
      ...["--report", "--quiet", "--out", join(folder, out)],
    ]);
    execFileSync(process.execPath, [join(ROOT, "bin/bide.js"), "report", out, "--force"], { cwd: folder });
    const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme });
    await page.goto(`file://${join(folder, out, "report.html")}`);
    await page.waitForSelector("figure svg");
    await page.screenshot({ path: join(ROOT, "docs/figures", `${name}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
