/**
 * What a run holds in memory for each job, node, sample and so on, beside what `bide run` counts for it before it
 * begins (BYTES of src/lab/foresee.ts). Each is the peak memory of two runs, one with much of it and one with little,
 * over the difference. `npm run bench:memory`; takes some minutes.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BYTES } from "../dist/lab/index.js";

const BIDE = fileURLToPath(new URL("../bin/bide.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bide-memory-"));
const ONE_JOB = "workload: { kind: jobs, jobs: [ { maps: 1 } ] }";
const facebook = (jobs) => `workload: { kind: facebook, jobs: ${jobs} }\nrun: { until: 1s }`;
const nodes = (each) => `cluster: { racks: 8, nodesPerRack: ${each} }\n${ONE_JOB}`;
const listed = (count) =>
  `workload: { kind: jobs, jobs: [ { maps: 1, count: ${count}, every: 1s } ] }\nrun: { until: 1s }`;
const sampled = (hours) => `workload: { kind: jobs, jobs: [ { maps: 1, at: ${hours}h } ] }\nrun: { sample: 100ms }`;
const waiting = (maps) =>
  `workload: { kind: jobs, jobs: [ { maps: ${maps / 10}, count: 10, mapTime: 1h } ] }\nrun: { until: 5m }`;
const many = (maps) => `workload: { kind: jobs, jobs: [ { maps: ${maps}, mapTime: 1s } ] }`;
// Light racks start no thread before they have work.
const racks = (count) => `cluster: { racks: ${count}, nodesPerRack: 20 }\nruntime: { model: detailed }\n${ONE_JOB}`;
const { jobHeap, listedHeap, job, node, sample, pendingMap, taskRow, thread } = BYTES;

/** What there is more of, how many, the scenario for so many, options, and what is counted. */
const CASES = [
  ["job of facebook", 100_000, 1_000_000, facebook, [], jobHeap.facebook + job],
  ["job of a list", 100_000, 1_000_000, listed, [], listedHeap.job + listedHeap.maps + job],
  ["node", 8, 800_000, (count) => nodes(count / 8), [], node],
  ["sample", 36_000, 3_600_000, (count) => sampled(count / 36_000), [], sample],
  ["map that waits", 10_000, 5_000_000, waiting, [], pendingMap],
  ["row of --tasks", 10_000, 500_000, many, ["--tasks"], taskRow],
  ["thread", 1, 64, racks, ["--threads", "rack"], thread],
];

/** MiB. */
function peak(text, options) {
  const file = join(folder, "case.yaml");
  writeFileSync(file, text);
  const args = [BIDE, "run", file, "--json", "--quiet", "--out", join(folder, "out"), "--force", ...options];
  if (!options.includes("--threads")) args.push("--threads", "0");
  // Rows of tasks are written to a table.
  if (!options.includes("--tasks")) args.push("--no-tables");
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`bide run ended with ${status}: ${stderr}`);
  return JSON.parse(stdout).cost.peakMemoryMiB;
}

try {
  console.log("of each             counted   measured   more of them   peak memory");
  for (const [what, few, lots, scenario, options, counted] of CASES) {
    const low = peak(scenario(few), options);
    const high = peak(scenario(lots), options);
    const measured = ((high - low) * 2 ** 20) / (lots - few);
    const figures = [counted, measured.toFixed(0), `${lots - few}`, `${low.toFixed(0)} to ${high.toFixed(0)} MiB`];
    console.log(what.padEnd(16), ...figures.map((text) => String(text).padStart(10)));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
