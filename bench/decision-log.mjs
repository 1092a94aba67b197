/**
 * What the decision log costs: CPU seconds of the whole process of `bide run`, without the log and with it, in turn, on
 * each platform. `npm run bench:decision-log -- [--out FILE]` fails where the log changes the run, or makes it take
 * more than twice as long by the medians; `-- show FILE` prints what was kept.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SCENARIOS = [
  "scenarios/facebook-day.yaml",
  "bench/decision-log/spark.yaml",
  "bench/decision-log/yarn.yaml",
  "bench/decision-log/yarn-capacity.yaml",
];
const COST_AT_EXIT = pathToFileURL(join(ROOT, "bench/cost-at-exit.mjs")).href;
const MOST_TIMES = 2;

const options = { out: { type: "string" }, turns: { type: "string", default: "5" } };
const { positionals, values } = parseArgs({ options, allowPositionals: true });
if (positionals[0] === "show") print(JSON.parse(readFileSync(positionals[1], "utf8")));
else measure(Number(values.turns));

function measure(turns) {
  if (!Number.isInteger(turns) || turns < 1)
    throw new Error(`--turns: expected a whole number from 1, found ${values.turns}`);
  const folder = mkdtempSync(join(tmpdir(), "bide-decision-log-"));
  try {
    const scenarios = SCENARIOS.map((scenario) => costsOf(scenario, turns, folder));
    const kept = { cpu: cpus()[0].model, node: process.version, scenarios };
    if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(kept, null, 2)}\n`);
    print(kept);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function costsOf(scenario, turns, folder) {
  const plain = [];
  const logged = [];
  const fingerprints = new Set();
  for (let turn = 0; turn < turns; turn++) {
    for (const [costs, log] of [
      [plain, []],
      [logged, ["--log", "decisions"]],
    ]) {
      const { cpuSeconds, fingerprint } = costOf(scenario, log, folder);
      costs.push(cpuSeconds);
      fingerprints.add(fingerprint);
    }
  }
  if (fingerprints.size !== 1) throw new Error(`${scenario}: the log changes the run: ${[...fingerprints].join(", ")}`);
  return { scenario, plain, logged };
}

function costOf(scenario, log, folder) {
  const file = join(folder, "cost.json");
  const out = join(folder, "out");
  const args = ["run", join(ROOT, scenario), ...log, "--json", "--quiet", "--out", out];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", COST_AT_EXIT, join(ROOT, "bin/bide.js"), ...args],
    { cwd: folder, encoding: "utf8", env: { ...process.env, COST_FILE: file }, maxBuffer: 1 << 28 },
  );
  rmSync(out, { recursive: true, force: true });
  if (status !== 0) throw new Error(`bide run ended with ${status}: ${stderr}`);
  return { ...JSON.parse(readFileSync(file, "utf8")), fingerprint: JSON.parse(stdout).fingerprint };
}

function print({ cpu, node, scenarios }) {
  console.log(`CPU s, median (least to most); ${cpu}, Node ${node}`);
  const rows = scenarios.map(({ scenario, plain, logged }) => {
    const times = medianOf(logged) / medianOf(plain);
    if (times > MOST_TIMES) process.exitCode = 1;
    return [scenario, rangeText(plain), rangeText(logged), times.toFixed(2)];
  });
  const table = [["scenario", "without the log", "with it", "times"], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const [name, ...figures] of table) {
    console.log([name.padEnd(widths[0]), ...figures.map((text, k) => text.padStart(widths[k + 1]))].join("  "));
  }
}

function rangeText(seconds) {
  return `${medianOf(seconds).toFixed(2)} (${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)})`;
}

function medianOf(seconds) {
  return seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)];
}
