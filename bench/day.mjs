/**
 * What a run costs: the Facebook day inline, on two rack threads and on one per rack, and 10,000 nodes at the same load
 * per slot; and both with the detailed model, the large one on threads too. Every run is a process of its own; medians of
 * CPU, wall time and memory are printed, with the ratios that the noise of a machine spares.
 * `npm run bench:day [-- --runs 3] [--only detailed] [--json]`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import Table from "cli-table3";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CASES = [
  { name: "facebook-day, inline", file: "facebook-day", threads: "0" },
  { name: "facebook-day, 2 threads", file: "facebook-day", threads: "2" },
  { name: "facebook-day, thread per rack", file: "facebook-day", threads: "rack" },
  { name: "scale-10k, inline", file: "scale-10k", threads: "0" },
  { name: "facebook-day, detailed, inline", file: "facebook-day", threads: "0", set: ["runtime.model=detailed"] },
  { name: "scale-10k, detailed, inline", file: "scale-10k", threads: "0", set: ["runtime.model=detailed"] },
  { name: "scale-10k, detailed, 2 threads", file: "scale-10k", threads: "2", set: ["runtime.model=detailed"] },
];
/** What is compared with what. */
const RATIOS = [
  ["wall, 2 threads against inline", "wallSeconds", "facebook-day, 2 threads", "facebook-day, inline"],
  ["wall, thread per rack against inline", "wallSeconds", "facebook-day, thread per rack", "facebook-day, inline"],
  ["CPU per task, 10,000 nodes against 620", "cpuMicrosecondsPerTask", "scale-10k, inline", "facebook-day, inline"],
  ["CPU, detailed against light", "cpuSeconds", "facebook-day, detailed, inline", "facebook-day, inline"],
  [
    "wall, detailed 10,000 nodes, inline against 2 threads",
    "wallSeconds",
    "scale-10k, detailed, inline",
    "scale-10k, detailed, 2 threads",
  ],
];

const { values } = parseArgs({
  options: { runs: { type: "string", default: "3" }, only: { type: "string", default: "" }, json: { type: "boolean" } },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1 || runs > 100) {
  console.error(`bench: found --runs ${values.runs}, allowed is a whole number from 1 to 100`);
  process.exit(2);
}

const cases = CASES.filter(({ name }) => name.includes(values.only));
if (cases.length === 0) {
  console.error(
    `bench: found --only ${values.only}, allowed is a part of: ${CASES.map(({ name }) => name).join("; ")}`,
  );
  process.exit(2);
}
const results = cases.map((scenario) => ({ ...scenario, summaries: [] }));
// Cases in turn, so that a slow spell of the machine falls on all of them.
for (let run = 0; run < runs; run++) {
  for (const result of results) {
    console.error(`run ${run + 1} of ${runs}: ${result.name}`);
    result.summaries.push(runOnce(result));
  }
}
report(results.map(figuresOf));

function runOnce({ file, threads, set = [] }) {
  const folder = mkdtempSync(join(tmpdir(), "bide-bench-"));
  const args = [
    "run",
    join(ROOT, "scenarios", `${file}.yaml`),
    "--threads",
    threads,
    "--json",
    "--no-tables",
    "--quiet",
    ...set.flatMap((assignment) => ["--set", assignment]),
  ];
  const out = ["--out", join(folder, "run")];
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "bin", "bide.js"), ...args, ...out], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(`${file} on ${threads} threads failed with exit ${status}:\n${stderr}`);
  return JSON.parse(stdout);
}

function figuresOf({ name, summaries }) {
  const fingerprints = new Set(summaries.map((summary) => summary.fingerprint));
  if (fingerprints.size > 1) throw new Error(`${name}: ${fingerprints.size} fingerprints in ${summaries.length} runs`);
  const [{ tasks, heartbeats, fingerprint }] = summaries;
  const ended = tasks.maps.ended + tasks.reduces.ended;
  const cpuSeconds = median(summaries.map(({ cost }) => cost.cpuSeconds));
  return {
    name,
    cpuSeconds,
    wallSeconds: median(summaries.map(({ cost }) => cost.wallSeconds)),
    peakMemoryMiB: median(summaries.map(({ cost }) => cost.peakMemoryMiB)),
    cpuMicrosecondsPerTask: (cpuSeconds / ended) * 1e6,
    tasks: ended,
    heartbeats,
    fingerprint,
  };
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

function report(figures) {
  if (values.json)
    return void console.log(JSON.stringify({ node: process.version, cores: availableParallelism(), figures }));
  const table = new Table({
    head: ["case", "CPU s", "wall s", "MiB", "CPU us/task", "heartbeats processed", "implied", "fingerprint"],
    style: { head: [], border: [], compact: true },
  });
  for (const f of figures) {
    const { processed, implied } = f.heartbeats;
    const cost = [f.cpuSeconds.toFixed(2), f.wallSeconds.toFixed(2), f.peakMemoryMiB.toFixed(0)];
    table.push([f.name, ...cost, f.cpuMicrosecondsPerTask.toFixed(2), processed, implied, f.fingerprint.slice(0, 8)]);
  }
  console.log(`Node ${process.version}, ${availableParallelism()} cores (${cpus()[0].model}), medians of ${runs} runs`);
  console.log(table.toString());
  for (const [title, figure, ofName, toName] of RATIOS) {
    const [of, to] = [ofName, toName].map((name) => figures.find((f) => f.name === name));
    if (of !== undefined && to !== undefined) console.log(`${title}: ${(of[figure] / to[figure]).toFixed(2)}`);
  }
}
