/**
 * What the decision log costs: CPU seconds of the whole process of `bide run` on a Facebook day, without the log, with it and, where
 * a commit is named, of that commit, in turn. `npm run bench:decision-log -- [COMMIT] [--out FILE]`; `-- show FILE` prints what was kept.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { checkOut } from "./old-checkout.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SCENARIO = "scenarios/facebook-day.yaml";
const COST_AT_EXIT = pathToFileURL(join(ROOT, "bench/cost-at-exit.mjs")).href;
const BEFORE = "without it, COMMIT";

const options = { out: { type: "string" }, turns: { type: "string", default: "5" } };
const { positionals, values } = parseArgs({ options, allowPositionals: true });
if (positionals[0] === "show") print(JSON.parse(readFileSync(positionals[1], "utf8")));
else await measure(positionals[0], Number(values.turns));

async function measure(commit, turns) {
  if (!Number.isInteger(turns) || turns < 1)
    throw new Error(`--turns: found ${values.turns}, allowed a whole number from 1`);
  const old = commit === undefined ? null : await checkOut(ROOT, commit);
  const folder = mkdtempSync(join(tmpdir(), "bide-decision-log-"));
  const cases = [
    ...(old === null ? [] : [{ name: BEFORE.replace("COMMIT", commit), root: old.path, log: [] }]),
    { name: "without it", root: ROOT, log: [] },
    { name: "with it", root: ROOT, log: ["--log", "decisions"] },
  ];
  const found = cases.map(({ name }) => ({ name, cpuSeconds: [] }));
  const fingerprints = new Set();
  try {
    for (let turn = 0; turn < turns; turn++) {
      cases.forEach(({ root, log }, i) => {
        const { cpuSeconds, fingerprint } = costOf(root, log, folder);
        found[i].cpuSeconds.push(cpuSeconds);
        fingerprints.add(fingerprint);
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await old?.remove();
  }
  if (fingerprints.size !== 1) throw new Error(`the log changes the run: ${[...fingerprints].join(", ")}`);
  const kept = { scenario: SCENARIO, cpu: cpus()[0].model, node: process.version, cases: found };
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(kept, null, 2)}\n`);
  print(kept);
}

function costOf(root, log, folder) {
  const file = join(folder, "cost.json");
  const out = join(folder, "out");
  const args = ["run", join(ROOT, SCENARIO), ...log, "--json", "--quiet", "--threads", "0"];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", COST_AT_EXIT, join(root, "bin/bide.js"), ...args, "--out", out],
    { cwd: folder, encoding: "utf8", env: { ...process.env, COST_FILE: file }, maxBuffer: 1 << 28 },
  );
  // Another commit may not know all files of this one, and replaces no folder with others.
  rmSync(out, { recursive: true, force: true });
  if (status !== 0) throw new Error(`bide run ended with ${status}: ${stderr}`);
  return { ...JSON.parse(readFileSync(file, "utf8")), fingerprint: JSON.parse(stdout).fingerprint };
}

function print({ scenario, cpu, node, cases }) {
  const medians = cases.map(
    ({ cpuSeconds }) => cpuSeconds.toSorted((a, b) => a - b)[Math.floor(cpuSeconds.length / 2)],
  );
  const base = medians[cases.findIndex(({ name }) => name === "without it")];
  console.log(`${scenario}, --threads 0, ${cpu}, Node ${node}`);
  console.log("Decision log          CPU s, median  least  most  against none");
  cases.forEach(({ name, cpuSeconds }, i) => {
    const change = (100 * (medians[i] / base - 1)).toFixed(1);
    const figures = [medians[i].toFixed(2), Math.min(...cpuSeconds).toFixed(2), Math.max(...cpuSeconds).toFixed(2)];
    const widths = [13, 5, 4];
    const against = medians[i] === base ? "-" : `${change.startsWith("-") ? "" : "+"}${change} %`;
    console.log(
      [name.padEnd(21), ...figures.map((text, k) => text.padStart(widths[k] + 1)), against.padStart(13)].join(" "),
    );
  });
}
