/**
 * Prints the table of docs/replication.md: what DSBRA does to scenarios/dsbra.yaml when one thing about the set-up is
 * another. Means over eight seeds, beside two fixed replicas. Run `npm run build`
 * first; takes a minute.
 */
import { loadScenario } from "../dist/io/index.js";
import { runScenario } from "../dist/lab/index.js";

const SEEDS = ["1", "2", "3", "4", "5", "6", "7", "8"];
const SMALL = 20;

const SET_UPS = [
  ["as shipped"],
  ["blocks of 64 MB, the default of Hadoop 1.0.4", "storage.blockSize=64MB"],
  ["half of the jobs read hot blocks", "storage.dataSet.readHot=0.5"],
  ["others are hot every 5 minutes", "storage.dataSet.redraw=5m"],
  ["jobs wait 2 s", "scheduler.wait.node=2s"],
  ["jobs wait 10 s", "scheduler.wait.node=10s"],
  ["1 map slot on each node, maps of 15 s", "cluster.mapSlots=1", "workload.mapTime=15s"],
  ["4 map slots on each node, maps of 60 s", "cluster.mapSlots=4", "workload.mapTime=60s"],
  ["jobs of up to 100 maps, of 18 s", "workload.maxMaps=100", "workload.mapTime=18s"],
  ["jobs of all sizes, maps of 5 s", "workload.maxMaps=4800", "workload.mapTime=5s"],
  ["2 racks of 10 nodes", "cluster.racks=2", "cluster.nodesPerRack=10"],
  ["remote maps take 1.2 times as long", "runtime.localityFactor.rack=1.2"],
  ["detailed model, a disk of 80 MB/s", "runtime.model=detailed", "cluster.disk=80MB/s"],
];

/** Means of one run: seconds, and shares. */
async function shown(set, seed) {
  const { scenario, directory } = loadScenario("scenarios/dsbra.yaml", { seed, set });
  const { record, summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  const { submitAtUs, endAtUs, waitClockUs } = record.jobs;
  const [maps] = record.jobs.tasks;
  const [nodeLocalMaps] = record.jobs.launchedAt;
  const rows = [...maps.keys()];
  const small = rows.filter((row) => maps[row] <= SMALL);
  const sum = (of, value) => of.reduce((total, row) => total + value(row), 0);
  const waited = (row) => waitClockUs[row] / maps[row];
  return {
    response: sum(rows, (row) => endAtUs[row] - submitAtUs[row]) / rows.length,
    local: sum(rows, (row) => nodeLocalMaps[row]) / sum(rows, (row) => maps[row]),
    localSmall: sum(small, (row) => nodeLocalMaps[row]) / sum(small, (row) => maps[row]),
    wait: sum(rows, waited) / rows.length,
    waitSmall: sum(small, waited) / small.length,
    extraMean: summary.storage?.meanExtra ?? 0,
    extraMax: summary.storage?.maxExtra ?? 0,
  };
}

async function means(set) {
  const runs = [];
  for (const seed of SEEDS) runs.push(await shown(set, seed));
  return Object.fromEntries(
    Object.keys(runs[0]).map((key) => [key, runs.reduce((sum, run) => sum + run[key], 0) / SEEDS.length]),
  );
}

const percent = (share) => `${share > -0.005 ? "+" : "-"}${Math.abs(share * 100).toFixed(0)} %`;

async function printRow(name, set, rule) {
  const fixed = await means([...set, "storage.dynamicReplication=off"]);
  const found = await means([...set, `storage.dynamicReplication=${rule}`]);
  const changes = ["response", "local", "localSmall", "wait", "waitSmall"].map((key) => found[key] / fixed[key] - 1);
  const cells = [...changes, found.extraMean, found.extraMax].map(percent);
  console.log(`| ${[name, `${(fixed.local * 100).toFixed(0)} %`, ...cells].join(" | ")} |`);
}

console.log(
  "| | local before | response | local | local, 1-20 maps | wait clock | wait clock, 1-20 maps | disk, mean | disk, most |",
);
console.log("|---|---|---|---|---|---|---|---|---|");
for (const [name, ...set] of SET_UPS) await printRow(name, set, "dsbra");
await printRow("`rule: hotSpots`", [], "hotSpots");
