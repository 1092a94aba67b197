/**
 * What a run spends on each job, task, heartbeat and sample, beside what `bide run` counts for it before it begins
 * (SECONDS of src/lab/foresee.ts). Each is the time of two runs without threads, one with much of it and one with
 * little, over the difference. `npm run bench:time`; takes about two minutes.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SECONDS } from "../dist/lab/index.js";

const BIDE = fileURLToPath(new URL("../bin/bide.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bide-time-"));
const facebook = (jobs) => `workload: { kind: facebook, jobs: ${jobs} }\nrun: { until: 1s }`;
const CLUSTER = "racks: 10, nodesPerRack: 100";
const tasks = (maps) =>
  `cluster: { ${CLUSTER} }\nworkload: { kind: jobs, jobs: [ { maps: ${maps / 2}, count: 2, mapTime: 10s } ] }`;
const staged = (maps) => `${tasks(maps)}\nruntime: { model: detailed }`;
const idle = (cluster, us) =>
  `cluster: { ${cluster} }\nworkload: { kind: jobs, jobs: [ { maps: 1, at: ${us / 1e6}s } ] }`;
const rounds = (count) => idle("racks: 1, nodesPerRack: 1, heartbeat: 100ms", count * 100_000);
const beats = (count) => idle("racks: 10, nodesPerRack: 1000, heartbeat: 3s", (count / 10_000) * 3e6);
const drawn = (count) => idle(`${CLUSTER}, heartbeat: 3s, heartbeatJitter: 0.5`, (count / 1000) * 3e6);
const samples = (count) => `${idle(CLUSTER, count * 100_000)}\nrun: { sample: 100ms }`;
const { job, task, stagedTask, round, beat, drawnBeat, sample } = SECONDS;

/** What there is more of, how many, the scenario for so many, and what is counted. */
const CASES = [
  ["job", 100_000, 1_000_000, facebook, job],
  ["task", 100_000, 2_000_000, tasks, task],
  ["task in stages", 20_000, 200_000, staged, stagedTask],
  ["round of heartbeats", 10_000, 3_000_000, rounds, round],
  ["heartbeat", 1e7, 3e9, beats, beat],
  ["drawn heartbeat", 1e5, 3e7, drawn, drawnBeat],
  ["sample", 36_000, 2_000_000, samples, sample],
];
const RUNS = 3;

/** Seconds, the least of some runs: whatever else the machine does makes them longer. */
function least(text) {
  const file = join(folder, "case.yaml");
  writeFileSync(file, text);
  const args = [BIDE, "run", file, "--json", "--quiet", "--no-tables", "--threads", "0", "--anyway"];
  const times = Array.from({ length: RUNS }, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...args, "--out", join(folder, "out"), "--force"], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`bide run ended with ${status}: ${stderr}`);
    return JSON.parse(stdout).cost.wallSeconds;
  });
  return Math.min(...times);
}

try {
  console.log("of each                counted     measured     more of them   time");
  for (const [what, few, lots, scenario, counted] of CASES) {
    const low = least(scenario(few));
    const high = least(scenario(lots));
    const measured = (high - low) / (lots - few);
    const words = [counted, measured].map((seconds) => `${(seconds * 1e9).toPrecision(3)} ns`);
    const figures = [...words, `${lots - few}`, `${low.toFixed(2)} to ${high.toFixed(2)} s`];
    console.log(what.padEnd(20), ...figures.map((text) => text.padStart(12)));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
