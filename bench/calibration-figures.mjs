/**
 * What the `facebook` workload is judged by: each figure as published, and how to read it off a finished run.
 * Sources: "paper" is Zaharia et al., Delay Scheduling, EuroSys 2010; nothing here is read by the generator.
 */
import { SIZE_BINS, sizeBinOf } from "../dist/core/workload/facebook.js";

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
        of: ({ summary }) => 100 * summary.utilisation[type].saturated,
      },
      {
        name: `${type} slots released per second then`,
        published: [type === "map" ? 27.1 : 3.0],
        of: ({ summary }) => summary.utilisation[type].releasesPerSecondSaturated,
      },
    ]),
    { name: "map slots busy, mean, %", of: ({ summary }) => 100 * summary.utilisation.map.busy },
    { name: "reduce slots busy, mean, %", of: ({ summary }) => 100 * summary.utilisation.reduce.busy },
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
    of: ({ record }) => percentile(record.jobs.maps, percent),
    whyNot: PERCENTILES_CLASH,
  }));
  return [
    ...bins,
    ...percentiles,
    { name: "largest job of the day, maps", of: ({ record }) => Math.max(...record.jobs.maps) },
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
      of: ({ summary }) => summary.tasks.maps.submitted / 1e6,
    },
    { name: "reduces in all, thousands", of: ({ summary }) => summary.tasks.reduces.submitted / 1e3 },
  ];
}

/**
 * Each with `of(RunResult)`, which may be null (a rate under load, in a run that never was); `published`, one value or
 * a range, is absent where nothing is; `whyNot` says why a figure is expected to miss.
 */
export const FIGURES = [...figuresOfRun(), ...figuresOfJobs()];

function shareOfJobs({ rows, maps, reduces }, isCounted) {
  let counted = 0;
  for (let job = 0; job < rows; job++) if (isCounted(maps[job], reduces[job])) counted++;
  return counted / rows;
}

/** Nearest rank. */
function percentile(values, percent) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1];
}
