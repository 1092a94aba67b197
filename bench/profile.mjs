/**
 * Where the time of a run goes: runs it under V8's sampling profiler, and prints self times by part of Bide and by
 * function. Samples of the main thread only; V8's compiler and collector threads are not in them. `npm run
 * bench:profile [-- FILE] [--set PATH=VALUE] [--seed SEED] [--top 25] [--root CHECKOUT]`; default: the Facebook day,
 * inline.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));
const OWN = /\/dist\/(?<part>[a-z]+(?:\/[a-z]+)?)\/.*$/u;

const { values, positionals } = parseArgs({
  options: {
    top: { type: "string", default: "25" },
    root: { type: "string", default: PROJECT },
    set: { type: "string", multiple: true, default: [] },
    seed: { type: "string" },
  },
  allowPositionals: true,
});
const top = Number(values.top);
if (!Number.isInteger(top) || top < 1 || top > 1000) {
  console.error(`bench: --top: expected a whole number from 1 to 1000, found ${values.top}`);
  process.exit(2);
}
const root = resolve(values.root);
const [file = join(root, "scenarios/facebook-day.yaml")] = positionals;
const more = values.set.flatMap((change) => ["--set", change]);
if (values.seed !== undefined) more.push("--seed", values.seed);

const folder = mkdtempSync(join(tmpdir(), "bide-profile-"));
try {
  const profiler = ["--cpu-prof", "--cpu-prof-interval", "500", "--cpu-prof-dir", folder];
  // Not the bundle: its files are not the parts of Bide.
  const run = [join(root, "dist/cli/main.js"), "run", file, "--threads", "0", "--no-tables", "--quiet", ...more];
  const { status } = spawnSync(process.execPath, [...profiler, ...run, "--out", join(folder, "run")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) process.exitCode = status ?? 1;
  else report(JSON.parse(readFileSync(join(folder, profileIn(folder)), "utf8")));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function profileIn(directory) {
  return readdirSync(directory).find((name) => name.endsWith(".cpuprofile"));
}

function report({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [byPart, byFunction] = [new Map(), new Map()];
  let total = 0;
  samples.forEach((id, i) => {
    const frame = frames.get(id);
    if (frame.functionName === "(idle)") return;
    total += timeDeltas[i];
    add(byPart, partOf(frame), timeDeltas[i]);
    add(byFunction, nameOf(frame), timeDeltas[i]);
  });
  console.log(`${seconds(total)} s of the main thread, by part`);
  print(byPart, total, Infinity);
  console.log(`\nby function, the first ${top}`);
  print(byFunction, total, top);
}

function partOf({ functionName, url }) {
  if (functionName === "(garbage collector)") return "garbage collector";
  if (url.includes("/node_modules/")) return "libraries";
  return OWN.exec(url)?.groups.part ?? "Node: loading, files";
}

function nameOf({ functionName, url, lineNumber }) {
  const place = url.split("/").slice(-2).join("/");
  return place === "" ? functionName : `${functionName || "(anonymous)"}  ${place}:${lineNumber + 1}`;
}

function add(sums, key, us) {
  sums.set(key, (sums.get(key) ?? 0) + us);
}

function print(sums, total, most) {
  const rows = [...sums].sort(([, a], [, b]) => b - a).slice(0, most);
  for (const [name, us] of rows) {
    console.log(`${seconds(us).padStart(8)} s ${((100 * us) / total).toFixed(1).padStart(5)} %  ${name}`);
  }
}

function seconds(us) {
  return (us / 1e6).toFixed(2);
}
