/**
 * Compares FIFO by Hadoop's rules with Mumak, which ran Hadoop's own code on the same jobs, and two jobs of a log with
 * what was recorded: docs/mumak.md. What they did lies in test/data/mumak. Prints the tables of that page.
 *
 *   node tools/mumak.mjs          (after `npx tsc -b`)
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "../dist/core/platforms/hadoop/index.js";
import { loadScenario, loadWorkload } from "../dist/io/index.js";
import { simulate } from "../dist/lab/index.js";

const DATA = fileURLToPath(new URL("../test/data/mumak/", import.meta.url));
const SCENARIO = `${DATA}mumak.yaml`;

/** The traces, and what each is. */
export const TRACES = {
  m600: "first 600 s of FB-2010_0",
  large: "few large jobs",
  small: "many small jobs",
};

const LEVELS = [NODE_LOCAL, RACK_LOCAL, OFF_RACK];
const HEARTBEAT_S = 7;

/** The rows of a compressed CSV without quotes, each a list of its fields, without the header. */
function rowsOf(name) {
  const [, ...rows] = gunzipSync(readFileSync(`${DATA}${name}.csv.gz`))
    .toString("utf8")
    .trimEnd()
    .split("\n");
  return rows.map((row) => row.split(","));
}

/** What Mumak did: when each task was launched, in order, how near its block, and how long each job took. Seconds. */
function ofMumak(trace) {
  const hosts = new Map();
  const maps = new Map();
  for (const [job, type, , , places] of rowsOf(`${trace}.tasks`)) {
    if (type !== "map") continue;
    const task = maps.get(job) ?? 0;
    maps.set(job, task + 1);
    hosts.set(
      `${job} map ${task}`,
      places.split(" ").map((place) => place.replace(/^rack0*(?=\d)/, "").split("/")),
    );
  }
  const launches = new Map();
  const counts = LEVELS.map(() => 0);
  for (const [atMs, job, type, task, rack, position] of rowsOf(`${trace}.launches`)) {
    const name = `${job} ${type} ${task}`;
    launches.set(name, Number(atMs) / 1000);
    if (type !== "map") continue;
    const near = hosts.get(name).filter(([of]) => of === rack);
    counts[near.some(([, at]) => at === position) ? 0 : near.length > 0 ? 1 : 2]++;
  }
  const responses = new Map(rowsOf(`${trace}.jobs`).map(([job, from, to]) => [job, (to - from) / 1000]));
  return { launches, counts, responses };
}

/** The same of Bide. `set`: changes to the scenario. */
async function ofBide(trace, set) {
  const folder = mkdtempSync(join(tmpdir(), "bide-mumak-"));
  try {
    const file = join(folder, "tasks.csv");
    writeFileSync(file, gunzipSync(readFileSync(`${DATA}${trace}.tasks.csv.gz`)));
    const { scenario } = await loadScenario(SCENARIO, { set: [`workload.file=${file}`, ...set] });
    const workload = await loadWorkload(scenario, folder);
    const run = await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: true });
    return seenOf(run.master.master.recorder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function seenOf({ workload: { jobs }, tasks, mapsAtTotal, endUs }) {
  const column = (name) => tasks.column(name);
  const [job, type, index, launchAtUs] = ["job", "type", "index", "launchAtUs"].map(column);
  const rows = Array.from({ length: tasks.rows }, (_, row) => row);
  rows.sort((a, b) => launchAtUs[a] - launchAtUs[b]);
  const launches = new Map(
    rows.map((row) => [
      `${jobs[job[row]].name} ${type[row] === 0 ? "map" : "reduce"} ${index[row]}`,
      launchAtUs[row] / 1e6,
    ]),
  );
  const responses = new Map(jobs.map(({ name, submitAtUs }, rank) => [name, (endUs[rank] - submitAtUs) / 1e6]));
  return { launches, counts: LEVELS.map((level) => mapsAtTotal[level]), responses };
}

/** Bide beside Mumak on a trace. */
export async function compare(trace, set = []) {
  const mumak = ofMumak(trace);
  const bide = await ofBide(trace, set);
  const percent = (counts) => counts.map((count) => (100 * count) / counts.reduce((sum, other) => sum + other));
  const ratios = [...mumak.responses].map(([job, seconds]) => bide.responses.get(job) / seconds).sort((a, b) => a - b);
  const late = [...mumak.launches].map(([task, atS]) => bide.launches.get(task) - atS);
  return {
    jobs: mumak.responses.size,
    launches: [mumak.launches.size, bide.launches.size],
    locality: { mumak: percent(mumak.counts), bide: percent(bide.counts) },
    ratio: { p5: quantile(ratios, 0.05), p50: quantile(ratios, 0.5), p95: quantile(ratios, 0.95) },
    order: rankCorrelation([...mumak.launches.keys()], [...bide.launches.keys()]),
    inTime: (100 * late.filter((s) => Math.abs(s) <= HEARTBEAT_S).length) / late.length,
  };
}

/** The nearest-rank quantile. */
function quantile(sorted, share) {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** Spearman's, of two orders of the same things. */
function rankCorrelation(order, other) {
  const rankOf = new Map(other.map((name, rank) => [name, rank]));
  const n = order.length;
  const squares = order.reduce((sum, name, rank) => sum + (rank - rankOf.get(name)) ** 2, 0);
  return 1 - (6 * squares) / (n * (n * n - 1));
}

/** What else FIFO may be, as changes to the scenario: each shows what a rule is worth. */
const VARIANTS = [
  ["as Mumak runs", []],
  ["heartbeats spread evenly", ["cluster.heartbeat={rule: hadoop-0.20}"]],
  ["rules of the paper", ["scheduler.rules=paper"]],
];

const digits = (numbers, most, between) => numbers.map((number) => number.toFixed(most)).join(between);

const row = (cells) => `| ${cells.join(" | ")} |\n`;

/** The table of the page that compares with Mumak. */
async function mumakTable() {
  let text = row([
    "trace",
    "jobs, tasks",
    "who",
    "node, rack, off-rack, %",
    "ratio: 5th, median, 95th",
    "order",
    "in time, %",
  ]);
  text += row(["---", "---", "---", "---", "---", "---", "---"]);
  for (const [trace, what] of Object.entries(TRACES)) {
    for (const [name, set] of VARIANTS) {
      const { jobs, launches, locality, ratio, order, inTime } = await compare(trace, set);
      if (set.length === 0) {
        const size = `${jobs}, ${launches[0].toLocaleString("en")}`;
        text += row([`\`${trace}\`: ${what}`, size, "Mumak", digits(locality.mumak, 1, ", "), "", "", ""]);
      }
      const ratios = digits([ratio.p5, ratio.p50, ratio.p95], 3, ", ");
      text += row(["", "", name, digits(locality.bide, 1, ", "), ratios, order.toFixed(3), inTime.toFixed(1)]);
    }
  }
  return text;
}

/** Two jobs of a log: what was recorded, and what is simulated. Seconds. */
export async function compareLog() {
  const file = `${DATA}teragen.yaml`;
  const { scenario } = await loadScenario(file, {});
  const workload = await loadWorkload(scenario, DATA);
  const run = await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: true });
  const { tasks, endUs } = run.master.master.recorder;
  const [, ...recorded] = readFileSync(`${DATA}teragen.recorded.csv`, "utf8").trimEnd().split("\n");
  return recorded.map((line, rank) => {
    const [job, submit, first, last, end] = line.split(",").map((field, i) => (i === 0 ? field : Number(field) / 1000));
    const rows = Array.from({ length: tasks.rows }, (_, i) => i).filter((i) => tasks.column("job")[i] === rank);
    const phaseUs =
      Math.max(...rows.map((i) => tasks.column("finishAtUs")[i])) -
      Math.min(...rows.map((i) => tasks.column("launchAtUs")[i]));
    const responseUs = endUs[rank] - workload.jobs[rank].submitAtUs;
    return { job, phase: [last - first, phaseUs / 1e6], response: [end - submit, responseUs / 1e6] };
  });
}

async function logTable() {
  let text = row(["job", "map phase recorded, s", "simulated, s", "", "response recorded, s", "simulated, s", ""]);
  text += row(["---", "---", "---", "---", "---", "---", "---"]);
  for (const { job, phase, response } of await compareLog()) {
    const cells = [phase, response].flatMap(([was, is]) => [
      was.toFixed(1),
      is.toFixed(1),
      `${(100 * (is / was - 1)).toFixed(1)} %`,
    ]);
    text += row([job, ...cells]);
  }
  return text;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  console.log("\n" + (await mumakTable()));
  console.log("**Recorded and simulated**, two TeraGen jobs on four hosts:\n\n" + (await logTable()));
}
