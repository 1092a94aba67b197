import {
  anyHitProbability,
  expectedJobLocality,
  type JobOnCluster,
  localityWaitSecondsOnNodes,
  skipCountForLocality,
  skipCountForWait,
  slotsFreedPerSecond,
} from "../core/theory.js";
import type { Formulas } from "../experiments/reproduce/scorecard.js";
import { PAPER_CASE } from "./bench/decision-case.js";
import { countDecisions } from "./bench/decision-run.js";

const asJob = ({ tasks, nodes, replication }: Readonly<Record<string, number>>): JobOnCluster => ({
  ...{ tasks, nodes, replication },
});

/** A count of more than that takes longer than a scorecard should. */
const MOST = 1_000_000;

/** What sections 3 and 4 of the delay scheduling paper print numbers of. Each is the function that `bide tune` and reports use. */
export const FORMULAS: Formulas = {
  // D as a share of the nodes.
  skipsPerNode: (given) => skipCountForLocality(asJob(given), given.locality) / given.nodes,
  // The wait for D offers as a share of a task's length.
  waitPerTask: (given) => {
    const { nodes, slotsPerNode, locality } = given;
    const skips = skipCountForLocality(asJob(given), locality);
    return localityWaitSecondsOnNodes({ nodes, slotsPerNode, taskSeconds: 1 }, skips);
  },
  // The chance of a local launch within so many offers.
  local: ({ preferred, skips }) => anyHitProbability(preferred, skips),
  skipsOfWait: ({ waitSeconds, slotsPerSecond }) => skipCountForWait(waitSeconds, slotsPerSecond),
  jobLocality: (given) => expectedJobLocality(asJob(given), given.skips),
  // Jobs that the searches of section 5.4 look at, over the tasks that they hand out: maps and reduces, so many of each in every job.
  jobsVisitedPerTask: ({ nodes, jobs, pools, tasksPerJob }) => {
    const sizes = [nodes, jobs, pools, tasksPerJob];
    const fits =
      sizes.every((size) => Number.isInteger(size) && size >= 1 && size <= MOST) && jobs * tasksPerJob <= MOST;
    if (!fits) return NaN;
    const { jobsVisited, tasks } = countDecisions(
      { ...PAPER_CASE, nodes, jobs, pools, maps: tasksPerJob, reduces: tasksPerJob },
      "1",
    );
    return jobsVisited / tasks;
  },
  slotsPerSecond: ({ slots, taskSeconds }) => slotsFreedPerSecond({ slots, taskSeconds }),
};
