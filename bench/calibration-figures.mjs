/**
 * What the `facebook` workload is judged by: each figure as published, and how to read it off a finished run.
 * Sources: "paper" is Zaharia et al., Delay Scheduling, EuroSys 2010; nothing here is read by the generator.
 */
import { anyHitProbability } from "../dist/core/theory.js";
import { SIZE_BINS, sizeBinOf } from "../dist/core/workload/index.js";

/** Shares of jobs per size bin in percent as printed in Table 2; they add up to 101. */
const TABLE_2 = [39, 16, 14, 9, 6, 6, 4, 4, 3];
const TABLE_2_SUM = TABLE_2.reduce((sum, share) => sum + share, 0);

const PERCENTILES_CLASH =
  "Table 2, these percentiles and at most 1.3 M maps cannot hold together (docs/formats/workloads.md)";

/** Figures that take a simulation: they depend on the scheduler and the cluster too. */
function figuresOfRun() {
  return [
    { name: "median map, s", published: [19], of: ({ summary }) => summary.attemptSeconds.map.p50 },
    { name: "median reduce, s", published: [231], of: ({ summary }) => summary.attemptSeconds.reduce.p50 },
    { name: "median job, s", published: [84], of: ({ summary }) => summary.responseSeconds.p50 },
    ...["map", "reduce"].flatMap((type) => [
      {
        name: `${type} slots > 95 % busy, % of the time`,
        published: [type === "map" ? 21 : 4],
        of: ({ summary }) => 100 * summary.utilisation[`${type}Slots`].saturated,
      },
      {
        name: `${type} slots released per second then`,
        published: [type === "map" ? 27.1 : 3.0],
        of: ({ summary }) => summary.utilisation[`${type}Slots`].releasesPerSecondSaturated,
      },
    ]),
    { name: "map slots busy, mean, %", of: ({ summary }) => 100 * summary.utilisation.mapSlots.busy },
    { name: "reduce slots busy, mean, %", of: ({ summary }) => 100 * summary.utilisation.reduceSlots.busy },
    { name: "mean map, s", of: ({ summary }) => summary.attemptSeconds.map.mean },
    { name: "mean reduce, s", of: ({ summary }) => summary.attemptSeconds.reduce.mean },
  ];
}

/** Figures of the submitted jobs alone. */
function figuresOfJobs() {
  const bins = SIZE_BINS.map(({ label }, bin) => ({
    name: `jobs of ${label} ${label === "1" ? "map" : "maps"}, %`,
    published: [(100 * TABLE_2[bin]) / TABLE_2_SUM],
    of: ({ record }) => 100 * shareOfJobs(record.jobs, (maps) => sizeBinOf(maps) === bin),
  }));
  const percentiles = [
    [98, 3065],
    [99, 3846],
    [99.5, 6232],
  ].map(([percent, maps]) => ({
    name: `${percent}th percentile of maps per job`,
    published: [maps],
    of: ({ record }) => percentile(record.jobs.tasks[0], percent),
    whyNot: PERCENTILES_CLASH,
  }));
  return [
    ...bins,
    ...percentiles,
    { name: "largest job of the day, maps", of: ({ record }) => Math.max(...record.jobs.tasks[0]) },
    {
      name: "jobs of < 271 maps and < 30 reduces, %",
      published: [83],
      of: ({ record }) => 100 * shareOfJobs(record.jobs, (maps, reduces) => maps < 271 && reduces < 30),
    },
    {
      name: "jobs without reduces, % (SWIM's traces)",
      published: [73, 75],
      of: ({ record }) => 100 * shareOfJobs(record.jobs, (_, reduces) => reduces === 0),
    },
    {
      name: "maps in all, millions (chosen)",
      published: [1.1, 1.3],
      of: ({ summary }) => summary.tasks.map.submitted / 1e6,
    },
    { name: "reduces in all, thousands", of: ({ summary }) => summary.tasks.reduce.submitted / 1e3 },
  ];
}

/**
 * Each with `of(RunResult)`, which may be null (a rate under load, in a run that never was); `published`, one value or
 * a range, is absent where nothing is; `whyNot` says why a figure is expected to miss.
 */
export const FIGURES = [...figuresOfRun(), ...figuresOfJobs()];

/**
 * Figure 2 of the paper, its point for jobs of 1 to 25 maps: shares of maps, in percent, on a node with their block,
 * and on one in a rack with it. Facebook's cluster, March 2009, with a fair scheduler that did not wait.
 */
export const FIGURE_2 = { smallest: 1, largest: 25, node: 5, nodeOrRack: 59 };

const REPLICAS = 3;
/** HDFS puts the second and third replica into one rack. */
const RACKS_WITH_IT = 2;
const SHIPPED = { racks: 31, nodes: 620, words: "31 racks of 20" };
/** Chosen among whole numbers of racks with Figure 2 in sight. */
const FITTED = { racks: 16, nodes: 624, words: "16 racks of 39, fitted" };

const ONE_TASK = ["scheduler=fair", "scheduler.tasksPerHeartbeat=1"];
const FITTED_RACKS = [`cluster.racks=${FITTED.racks}`, `cluster.nodesPerRack=${FITTED.nodes / FITTED.racks}`];

/** Simulated for Figure 2, beside the day as it is. */
export const SYSTEMS_THAT_DO_NOT_WAIT = [
  { name: "facebook-day.yaml under `fair`", set: ["scheduler=fair"] },
  { name: "the same, one task per heartbeat", set: ONE_TASK },
  { name: `the same, ${FITTED.words}`, set: [...ONE_TASK, ...FITTED_RACKS] },
  { name: "facebook-day.yaml under `fair`, twice the jobs", set: ["scheduler=fair", "workload.jobs=15000"] },
  {
    name: "facebook-day.yaml under `fair`, no file read twice",
    set: ["scheduler=fair", "storage.rereadProbability=0"],
  },
];

/** What maps of small jobs found, in percent of them. */
export function localityOfSmallJobs({ record: { jobs } }) {
  let [node, rack, launched] = [0, 0, 0];
  for (let job = 0; job < jobs.rows; job++) {
    if (!isSmall(jobs.tasks[0][job])) continue;
    node += jobs.launchedAt[0][job];
    rack += jobs.launchedAt[1][job];
    launched += jobs.launchedAt[0][job] + jobs.launchedAt[1][job] + jobs.launchedAt[3][job];
  }
  return { node: (100 * node) / launched, nodeOrRack: (100 * (node + rack)) / launched };
}

/**
 * What a closed form says of it: while K of a job's maps are left, a slot on a random node of M has a block of one of
 * them with 1 - (1 - 3/M)^K, and one in its rack, of R, with 1 - (1 - 2/R)^K; the mean over all maps.
 */
export function predictionsForSmallJobs({ record: { jobs } }) {
  const drawn = Array.from(jobs.tasks[0]).filter(isSmall);
  const even = Array.from({ length: FIGURE_2.largest - FIGURE_2.smallest + 1 }, (_, i) => FIGURE_2.smallest + i);
  return [
    ["closed form, the day's jobs", drawn],
    ["closed form, as many jobs of each size from 1 to 25", even],
  ].flatMap(([name, sizes]) =>
    [SHIPPED, FITTED].map((cluster) => ({ name: `${name}, ${cluster.words}`, ...predicted(sizes, cluster) })),
  );
}

/**
 * By the closed form, the most that any mix of sizes can have in the rack if it has what was published on the node, in
 * percent. With equally many maps left at each launch it has this; as one share is a concave function of the other, any
 * spread makes it less.
 */
export function mostInRack({ racks, nodes } = SHIPPED) {
  const mapsLeft = Math.log(1 - FIGURE_2.node / 100) / Math.log(1 - REPLICAS / nodes);
  return 100 * anyHitProbability(RACKS_WITH_IT / racks, mapsLeft);
}

function predicted(sizes, { racks, nodes }) {
  let [node, nodeOrRack, maps] = [0, 0, 0];
  for (const size of sizes) {
    for (let left = 1; left <= size; left++) {
      node += anyHitProbability(REPLICAS / nodes, left);
      nodeOrRack += anyHitProbability(RACKS_WITH_IT / racks, left);
      maps++;
    }
  }
  return { node: (100 * node) / maps, nodeOrRack: (100 * nodeOrRack) / maps };
}

function isSmall(maps) {
  return maps >= FIGURE_2.smallest && maps <= FIGURE_2.largest;
}

function shareOfJobs({ rows, tasks: [maps, reduces] }, isCounted) {
  let counted = 0;
  for (let job = 0; job < rows; job++) if (isCounted(maps[job], reduces[job])) counted++;
  return counted / rows;
}

/** Nearest rank. */
function percentile(values, percent) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1];
}
