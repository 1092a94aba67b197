/**
 * Runs tests and prints what each test file costs in CPU seconds, child processes included, the dearest first. For
 * keeping `npm test` short; Linux only.
 *
 *   node tools/test-costs.mjs [--most N] [arguments of vitest]   (after `npm run build`)
 *   node tools/test-costs.mjs --project functions --project processes
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const args = process.argv.slice(2);
const at = args.indexOf("--most");
const most = at === -1 ? 40 : Number(args.splice(at, 2)[1]);

const scratch = mkdtempSync(join(tmpdir(), "bide-costs-"));
const costs = join(scratch, "costs.jsonl");
const cwd = fileURLToPath(new URL("..", import.meta.url));
const vitest = join(cwd, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", ...args], {
  cwd,
  stdio: "inherit",
  env: { ...process.env, BIDE_TEST_COSTS: costs },
});
const lines = existsSync(costs) ? readFileSync(costs, "utf8").trimEnd().split("\n") : [];
rmSync(scratch, { recursive: true });
const files = lines.map((line) => JSON.parse(line)).sort((a, b) => b.seconds - a.seconds);
const sum = files.reduce((total, { seconds }) => total + seconds, 0);
console.log(`\nCPU s  test file (${files.length} files, ${sum.toFixed(0)} CPU s)`);
for (const { file, seconds } of files.slice(0, most)) console.log(`${seconds.toFixed(1).padStart(5)}  ${file}`);
process.exit(status ?? 1);
