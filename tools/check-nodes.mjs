/**
 * Does what is built here work on every Node that is supported, and what does it cost there? Builds nothing. Each Node
 * is the package `node` of the npm registry, but for the one that runs this.
 *
 *   npm run check:nodes -- [--nodes 20,22,24] [--runs N] [--no-tests] [--save]
 *
 * Runs the golden fingerprints and the tests of the bundle on each, then --help, a tiny run and the Facebook day, in
 * turn, N times each (default 3; 0 leaves them out). Prints medians of CPU time, user + system, of whole processes.
 * --save keeps them for docs/bench.md. Exit code 1 when a test fails or fingerprints differ.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fixed, textTable } from "../dist/report/index.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BIDE = join(ROOT, "bin/bide.js");
const TESTS = ["test/determinism/golden.test.ts", "test/fault/cli/bundle.long.test.ts", "test/scale/start-up.test.ts"];

const { values } = parseArgs({
  options: {
    nodes: { type: "string", default: "20,22,24" },
    runs: { type: "string", default: "3" },
    "no-tests": { type: "boolean", default: false },
    save: { type: "boolean", default: false },
  },
});
const runs = Number(values.runs);
const majors = values.nodes.split(",");
if (!Number.isSafeInteger(runs) || runs < 0 || !majors.every((major) => /^\d+$/.test(major))) {
  console.error("usage: npm run check:nodes -- [--nodes 20,22,24] [--runs N] [--no-tests] [--save]");
  process.exit(2);
}

/** A Node of that major version, downloaded where it is not the one that runs this. */
function nodeOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return { version: process.version, path: process.execPath };
  const print = "process.stdout.write(JSON.stringify({ version: process.version, path: process.execPath }))";
  const args = ["exec", "--yes", "--prefix", tmpdir(), "--package", `node@${major}`, "--", "node", "-e", print];
  const node = JSON.parse(execFileSync("npm", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  if (!node.version.startsWith(`v${major}.`)) throw new Error(`npm's node@${major} is ${node.version}`);
  return node;
}

/** Loaded before everything else: tells what the process used, when it ends. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    writeSync(3, String((user + system) / 1e6));
  });`)}`;

function cpuSecondsOf(node, args) {
  const stdio = ["ignore", "pipe", "inherit", "pipe"];
  const options = { stdio, encoding: "utf8", cwd: ROOT, maxBuffer: 1 << 28 };
  const { status, stdout, output } = spawnSync(node.path, ["--import", TELL, BIDE, ...args], options);
  if (status !== 0) throw new Error(`${node.version}: bide ${args.join(" ")} ended with ${String(status)}`);
  return { seconds: Number(output[3]), stdout };
}

const scratch = mkdtempSync(join(tmpdir(), "bide-nodes-"));
const run = (name) => ["run", `scenarios/${name}.yaml`, "--threads", "0", "--no-tables", "--json", "--quiet"];
const CASES = [
  { name: "bide --help", args: ["--help"] },
  { name: "tiny run", args: run("tiny") },
  { name: "Facebook day", args: run("facebook-day") },
];

const median = (numbers) => numbers.toSorted((a, b) => a - b)[(numbers.length - 1) >> 1];

let failed = false;
const nodes = majors.map((major) => ({ ...nodeOf(major), tests: "not run", seconds: CASES.map(() => []) }));
if (!values["no-tests"]) {
  for (const node of nodes) {
    console.log(`${node.version}: ${TESTS.join(" ")}`);
    const args = [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--reporter=dot", ...TESTS];
    const { status } = spawnSync(node.path, args, { cwd: ROOT, stdio: "inherit" });
    node.tests = status === 0 ? "pass" : "FAIL";
    failed ||= status !== 0;
  }
}

const fingerprints = CASES.map(() => new Set());
try {
  for (let round = 0; round < runs; round++) {
    CASES.forEach(({ args }, at) => {
      for (const node of nodes) {
        const out = args[0] === "run" ? ["--out", join(scratch, "out"), "--force"] : [];
        const { seconds, stdout } = cpuSecondsOf(node, [...args, ...out]);
        node.seconds[at].push(seconds);
        if (args[0] === "run") fingerprints[at].add(JSON.parse(stdout).fingerprint);
      }
    });
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

const heads = CASES.map(({ name }) => `${name}, CPU s`);
const rows = nodes.map(({ version, tests, seconds }) => [
  version,
  tests,
  ...seconds.map((all) => (all.length === 0 ? "-" : fixed(median(all), 2))),
]);
for (const line of textTable([["Node", "tests", ...heads], ...rows])) console.log(line);
if (fingerprints.some(({ size }) => size > 1)) {
  failed = true;
  console.log("Fingerprints differ between these versions.");
}
if (values.save && !failed && runs > 0) {
  const machine = `${cpus()[0]?.model.trim() ?? process.arch}, ${String(availableParallelism())} cores`;
  const figures = nodes.map(({ version, seconds }) => ({ version, cpuSeconds: seconds.map(median) }));
  const saved = { machine, runs, cases: CASES.map(({ name }) => name), nodes: figures };
  writeFileSync(join(ROOT, "bench/nodes.json"), `${JSON.stringify(saved, null, 2)}\n`);
}
process.exitCode = failed ? 1 : 0;
