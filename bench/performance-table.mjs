/**
 * The table of README.md: headline figures of bench/baselines/, each with the command that measures it. Prints
 * Markdown. A benchmark without a baseline has no rows.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readBench } from "../dist/io/index.js";
import { fixed, grouped } from "../dist/report/index.js";

const FOLDER = fileURLToPath(new URL("baselines", import.meta.url));

/** What is told of a row (`of`: the start of its name), or of a ratio. */
const HEADLINES = [
  {
    bench: "decisions",
    of: "hfs, 2500 x (2+2)",
    what: "Decisions: 2,500 nodes, 100 jobs in 20 pools, waits for locality",
    text: (row) =>
      `${grouped(row.tasksPerSecond)} tasks/s; a heartbeat p50 ${us(row.p50Us)}, p99 ${us(row.p99Us)}, p99.9 ${us(row["p99.9Us"])} us`,
  },
  { bench: "day", of: "Facebook day, inline", what: "A Facebook day, 620 nodes, one thread", text: wholeRun },
  {
    bench: "day",
    of: "Facebook day, thread per rack",
    what: "The same, a thread for each of 31 racks",
    text: (row) =>
      `${fixed(row.wallSeconds, 1)} s wall, ${fixed(row.cpuSeconds, 1)} CPU s, ${grouped(row.peakMemoryMiB)} MiB`,
  },
  {
    bench: "day",
    of: "1,000 jobs always active",
    what: "The same cluster, full for two hours, 1,000 jobs waiting",
    text: wholeRun,
  },
  { bench: "scale", of: "62,000 nodes", what: "62,000 nodes, 310,000 map slots, one hour", text: wholeRun },
  {
    bench: "scale",
    ratio: "us per task, 62,000 nodes to 620 nodes",
    what: "What a task costs there, against 620 nodes",
    text: (ratio) => `${fixed(ratio, 2)} times`,
  },
  {
    bench: "threads",
    ratio: "run s, inline to 2 threads: 10,000 nodes, detailed",
    what: "Detailed model, 10,000 nodes in 10 racks: 2 threads against inline",
    text: (ratio) => `${fixed(ratio, 2)} times as fast`,
  },
  {
    bench: "sweep",
    ratio: "wall time, 1 thread to 2",
    what: "Independent simulations: 2 threads against 1",
    text: (ratio) => `${fixed(ratio, 2)} times as fast`,
  },
  {
    bench: "w1-w2",
    of: "2 threads",
    command: "npm run bench:w1-w2",
    what: "A sweep: 200 pairs of waits on the benchmark schedule, on 2 threads",
    text: ({ runs, wallSeconds, runsPerSecond, peakMemoryMiB }) =>
      `${grouped(runs)} runs in ${fixed(wallSeconds, 0)} s wall, ${fixed(runsPerSecond, 2)} runs/s, ${grouped(peakMemoryMiB)} MiB`,
  },
  {
    bench: "w1-w2",
    ratio: "wall time, 1 thread to 2",
    command: "npm run bench:w1-w2",
    what: "The same sweep: 2 threads against 1",
    text: (ratio) => `${fixed(ratio, 2)} times as fast`,
  },
  {
    bench: "transport",
    of: "40",
    what: "Frames of 40 heartbeats between two threads",
    text: (row) => `${grouped(row.framesPerSecond)} frames/s; round trip ${fixed(row.roundTripMicroseconds, 0)} us`,
  },
];

function us(value) {
  return fixed(value, 1);
}

function wholeRun({ cpuSeconds, peakMemoryMiB, tasks, microsecondsPerTask, processed, implied }) {
  const cost = `${fixed(cpuSeconds, 1)} CPU s, ${grouped(peakMemoryMiB)} MiB, ${fixed(microsecondsPerTask, 2)} us/task`;
  return `${cost}; ${grouped(tasks)} tasks, ${grouped(processed)} heartbeats processed, ${grouped(implied)} implied`;
}

function baseline(name) {
  const file = `${FOLDER}/${name}.json`;
  return existsSync(file) ? readBench(file) : null;
}

function lineOf({ bench, of, ratio, what, text, command = `bide bench ${bench}` }) {
  const report = baseline(bench);
  if (report === null) return [];
  const { key } = report.columns.find(({ kind }) => kind === "name");
  const found = ratio === undefined ? report.rows.find((row) => String(row[key]).startsWith(of)) : report.ratios[ratio];
  if (found === undefined) throw new Error(`bench/baselines/${bench}.json has no ${of ?? ratio}`);
  return [`| ${what} | ${text(found)} | \`${command}\` |`];
}

/** One sentence for each machine and commit that was measured. */
function measuredOn() {
  const names = [...new Set(HEADLINES.map(({ bench }) => bench))].filter((name) => baseline(name) !== null);
  return [...grouping(names)].map(([words, benches]) => `${words}: ${benches.join(", ")}.`).join("\n");
}

function session(name) {
  const { cpu, cores, memoryGiB, node, bide } = baseline(name).machine;
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, Node ${node}, Bide ${bide}`;
}

function grouping(names) {
  const by = new Map();
  for (const name of names) by.set(session(name), [...(by.get(session(name)) ?? []), name]);
  return by;
}

console.log(
  ["| | | measured by |", "|---|---|---|", ...HEADLINES.flatMap(lineOf), "", measuredOn()].join("\n").trimEnd(),
);
