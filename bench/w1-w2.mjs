/**
 * What a whole sweep costs: scenarios/sweeps/w1-w2.yaml on one thread and on two, in turn, each session a process. The
 * tables of all must be equal, byte for byte. Writes bench/baselines/w1-w2.json and draws docs/figures/w1-w2.svg.
 *
 *   npm run bench:w1-w2 [-- --runs N]
 *
 * Takes two to three minutes for each of --runs, in which nothing else should run. Then `npm run docs`.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { benchText } from "../dist/io/index.js";
import { benchMachine, median } from "../dist/lab/index.js";
import { benchReport, NO_PAINT } from "../dist/report/index.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SWEEP = "scenarios/sweeps/w1-w2.yaml";
const THREADS = [1, 2];

const { runs } = parseArgs({ options: { runs: { type: "string", default: "1" } } }).values;
if (!/^[1-9]$/.test(runs)) {
  console.error(`--runs: expected 1 to 9, found ${JSON.stringify(runs)}`);
  process.exit(2);
}

function bide(args, env = {}, before = []) {
  const { status, stdout } = spawnSync(process.execPath, [...before, "bin/bide.js", ...args], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`bide ${args.join(" ")} ended with ${status}`);
  return stdout;
}

/** One sweep in a process of its own, with what it cost and what came of it. */
function session(folder, threads) {
  const costFile = join(folder, "cost.json");
  const out = join(folder, `${threads}`);
  const args = ["sweep", SWEEP, "--threads", String(threads), "--out", out, "--force", "--json"];
  const end = JSON.parse(bide(args, { COST_FILE: costFile }, ["--import", "./bench/cost-at-exit.mjs"]));
  const cost = JSON.parse(readFileSync(costFile, "utf8"));
  const table = createHash("sha256")
    .update(readFileSync(join(out, "runs.parquet")))
    .digest("hex");
  return { ...cost, points: end.points, ended: end.ended, failed: end.failed, table };
}

function rowOf(threads, sessions) {
  const of = (key) => median(sessions.map((one) => one[key]));
  const [{ points, ended, failed, table }] = sessions;
  return {
    case: threads === 1 ? "1 thread" : `${threads} threads`,
    wallSeconds: of("wallSeconds"),
    cpuSeconds: of("cpuSeconds"),
    peakMemoryMiB: of("peakMemoryMiB"),
    runsPerSecond: ended / of("wallSeconds"),
    pointsPerSecond: points / of("wallSeconds"),
    points,
    runs: ended,
    failed,
    table: table.slice(0, 16),
  };
}

const folder = mkdtempSync(join(tmpdir(), "bide-w1-w2-"));
try {
  const found = THREADS.map(() => []);
  for (let run = 0; run < Number(runs); run++) {
    for (const [at, threads] of THREADS.entries()) {
      console.error(`session ${run + 1} of ${runs}: ${threads} at once`);
      found[at].push(session(folder, threads));
    }
  }
  if (new Set(found.flat().map(({ table }) => table)).size > 1) throw new Error("one sweep gave two tables");
  const rows = THREADS.map((threads, at) => rowOf(threads, found[at]));
  const report = {
    bench: "w1-w2",
    question: "what does a sweep of both waits cost, and how much faster is it on two threads?",
    setup: {
      Sweep: `${SWEEP}: ${rows[0].points} points, ${rows[0].runs} runs of scenarios/benchmark.yaml`,
      Medians: `of ${runs}; every sweep is a process of its own, and both take turns`,
      "wall s, CPU s": "of the whole process: its start, that of the threads, all tables included",
    },
    machine: benchMachine(),
    columns: [
      { key: "case", title: "case", kind: "name" },
      { key: "wallSeconds", title: "wall s", kind: "cost", decimals: 1 },
      { key: "cpuSeconds", title: "CPU s", kind: "cost", decimals: 1 },
      { key: "peakMemoryMiB", title: "peak MiB", kind: "cost" },
      { key: "runsPerSecond", title: "runs/s", kind: "rate", decimals: 2 },
      { key: "pointsPerSecond", title: "points/s", kind: "rate", decimals: 2 },
      { key: "points", title: "points", kind: "count" },
      { key: "runs", title: "runs", kind: "count" },
      { key: "failed", title: "failed", kind: "count" },
      { key: "table", title: "runs.parquet", kind: "count" },
    ],
    rows,
    ratios: { "wall time, 1 thread to 2": rows[0].wallSeconds / rows[1].wallSeconds },
    notes: [],
  };
  writeFileSync(join(ROOT, "bench/baselines/w1-w2.json"), benchText(report));
  bide([
    "results",
    join(folder, "2"),
    "--plot",
    "W1,W2,responseP95Small",
    "--out",
    "docs/figures/w1-w2.svg",
    "--force",
  ]);
  console.log(benchReport(report, NO_PAINT));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
