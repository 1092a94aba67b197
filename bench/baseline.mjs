/**
 * Measures this machine with every benchmark and writes bench/baselines/NAME.json, from which the table in README.md is
 * made.
 *
 *   npm run bench:baseline [-- NAME...]
 *
 * Needs a build; takes about ten minutes, in which nothing else should run. Then `npm run docs`.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chosenBenches } from "./bench-names.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Fewer runs where one takes long. */
const RUNS = { day: 2, scale: 2, threads: 2, sweep: 2 };

mkdirSync(`${ROOT}/bench/baselines`, { recursive: true });
for (const name of chosenBenches(process.argv.slice(2))) {
  const runs = RUNS[name] === undefined ? [] : ["--runs", String(RUNS[name])];
  const out = ["--out", `bench/baselines/${name}.json`, "--force"];
  const { status } = spawnSync(process.execPath, ["bin/bide.js", "bench", name, ...runs, ...out], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
