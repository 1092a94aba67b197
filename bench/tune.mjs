/**
 * Holds `bide tune` to the full grid on the shipped sweeps with a goal: the same answer, with less than half of
 * the simulations. `npm run bench:tune`; names of sweeps choose some. Takes a few minutes.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const SWEEPS = ["tune-waits", "tune-skips", "tune-nodes"];
const MOST_SHARE = 0.5;

const root = fileURLToPath(new URL("..", import.meta.url));
const asked = process.argv.slice(2);
let failures = 0;
for (const name of asked.length > 0 ? asked : SWEEPS) {
  const args = ["bin/bide.js", "tune", `scenarios/sweeps/${name}.yaml`, "--grid", "--json", "--quiet"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`bide tune ended with ${status}: ${stderr}`);
  const { answer, grid, runs, gridRuns } = JSON.parse(stdout);
  const isGood = grid.isSame && runs < MOST_SHARE * gridRuns;
  if (!isGood) failures++;
  const share = ((100 * runs) / gridRuns).toFixed(1);
  const found = `${answer?.label ?? "none"}, grid ${grid.answer?.label ?? "none"}`;
  console.log(`${isGood ? "ok  " : "BAD "} ${name}: ${found}; ${runs} of ${gridRuns} simulations, ${share} %`);
}
process.exitCode = failures > 0 ? 1 : 0;
