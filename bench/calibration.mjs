/**
 * Runs the Facebook day with several seeds and compares what comes out with what was published: prints one table and
 * writes docs/calibration.md.
 *
 *   npm run bench:calibration [-- --seeds N] [--processes 1|2]
 *
 * Needs a build. Seeds are 1 to N (default 8), simulated inline in one child process (or two), some 50 s of CPU time
 * each.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { FIGURES } from "./calibration-figures.mjs";
import { calibrationPage, calibrationTable, smallJobsTable } from "./calibration-page.mjs";

const child = fileURLToPath(new URL("calibration-seed.mjs", import.meta.url));
const page = new URL("../docs/calibration.md", import.meta.url);

function wholeNumber(name, text, most) {
  const value = Number(text);
  if (/^[1-9]\d*$/.test(text) && value <= most) return value;
  process.stderr.write(`--${name}: expected a whole number from 1 to ${most}, found ${JSON.stringify(text)}\n`);
  process.exit(2);
}

function askedFor() {
  const options = { seeds: { type: "string", default: "8" }, processes: { type: "string", default: "1" } };
  try {
    const { values } = parseArgs({ options });
    return {
      seeds: wholeNumber("seeds", values.seeds, 1000),
      processes: wholeNumber("processes", values.processes, 2),
    };
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return process.exit(2);
  }
}

/** Resolves when the child has simulated all of `seeds`; `figures` then holds what it sent by seed. */
async function simulate(seeds, figures) {
  const running = fork(child, seeds);
  running.on("message", (message) => {
    figures.set(message.seed, message);
    process.stderr.write(`seed ${message.seed} done\n`);
  });
  const [code, signal] = await once(running, "exit");
  const missing = seeds.filter((seed) => !figures.has(seed));
  if (code !== 0 || missing.length > 0) {
    throw new Error(
      `the process of seeds ${seeds.join(", ")} ended with ${signal ?? code}; missing: ${missing.join(", ")}`,
    );
  }
}

const { seeds, processes } = askedFor();
const names = Array.from({ length: seeds }, (_, i) => String(i + 1));
const figures = new Map();
const shares = Array.from({ length: Math.min(processes, seeds) }, (_, process) =>
  names.filter((_, i) => i % processes === process),
);
await Promise.all(shares.map((share) => simulate(share, figures)));
// In the order of the seeds, not of their ending.
const runs = names.map((name) => figures.get(name));
const table = calibrationTable(
  FIGURES,
  runs.map((run) => run.figures),
);
const smallJobs = smallJobsTable(runs.map((run) => run.smallJobs));
writeFileSync(page, calibrationPage(table, smallJobs, seeds));
process.stdout.write(`${table}\n\n${smallJobs}\n`);
