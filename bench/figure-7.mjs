/**
 * Prints what docs/comparison.md says of Figure 7 of the delay scheduling paper: by how much delay scheduling makes
 * jobs faster than naive fair sharing, by maps per job. Two scenarios, each with all free slots handed out on a
 * heartbeat, and with one.
 *
 *   node bench/figure-7.mjs         after `npm run build`; some 15 s
 */
import { fileURLToPath } from "node:url";
import { SIZE_BINS, sizeBinOf } from "../dist/core/workload/index.js";
import { loadScenario } from "../dist/io/index.js";
import { runScenario } from "../dist/lab/index.js";

/** Bars of the figure, read off a copy of it to 0.01. */
const PUBLISHED = [1.01, 1.05, 1.22, 1.29, 1.44, 1.22, 1.18, 1.31, 1.11];
const SEEDS = ["1", "2", "3", "4", "5"];
const ROWS = ["benchmark", "io-heavy"].flatMap((name) => ["all", "1"].map((tasks) => ({ name, tasks })));

/** Response time of each job, in the order of submission. `hfs` is what the files name, with their waits. */
async function run(name, tasks, seed, set) {
  const file = fileURLToPath(new URL(`../scenarios/${name}.yaml`, import.meta.url));
  const options = { set: [...set, `scheduler.tasksPerHeartbeat=${tasks}`], seed };
  const { scenario, directory } = loadScenario(file, options);
  const { record } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  const { tasks: ofType, submitAtUs, endAtUs } = record.jobs;
  return Array.from(ofType[0], (count, job) => ({ bin: sizeBinOf(count), us: endAtUs[job] - submitAtUs[job] }));
}

/** Per bin the mean over jobs and seeds of a job's time under fair over its time under hfs. */
async function gains({ name, tasks }) {
  const sums = SIZE_BINS.map(() => ({ sum: 0, jobs: 0 }));
  for (const seed of SEEDS) {
    const fair = await run(name, tasks, seed, ["scheduler=fair"]);
    const hfs = await run(name, tasks, seed, []);
    hfs.forEach(({ bin, us }, job) => {
      sums[bin].sum += fair[job].us / us;
      sums[bin].jobs++;
    });
  }
  return sums.map(({ sum, jobs }) => (sum / jobs).toFixed(2));
}

function line(cells) {
  return `| ${cells.join(" | ")} |`;
}

const head = ["scenario", "tasks per heartbeat", ...SIZE_BINS.map(({ label }) => label)];
const lines = [
  line(head),
  line(head.map(() => "---")),
  line(["published", "?", ...PUBLISHED.map((gain) => gain.toFixed(2))]),
];
for (const row of ROWS) lines.push(line([`${row.name}.yaml`, row.tasks, ...(await gains(row))]));
process.stdout.write(`${lines.join("\n")}\n`);
