import {
  anyHitProbability,
  expectedJobLocality,
  type JobOnCluster,
  localityWaitSecondsOnNodes,
  noHitProbability,
  skipCountForLocality,
  skipCountForWait,
  slotsFreedPerSecond,
} from "../core/theory.js";
import type { Formulas } from "../experiments/index.js";

const asJob = ({ tasks, nodes, replication }: Readonly<Record<string, number>>): JobOnCluster => ({
  tasks,
  nodes,
  replication,
});

/**
 * The formulas whose numbers sections 3 and 4 of the delay scheduling paper print. Each is the function that `bide
 * tune` and reports use.
 */
export const FORMULAS: Formulas = {
  // D as a share of the nodes.
  skipsPerNode: (inputs) => skipCountForLocality(asJob(inputs), inputs.locality) / inputs.nodes,
  // The wait for D offers as a share of a task's length.
  waitPerTask: (inputs) => {
    const { nodes, slotsPerNode, locality } = inputs;
    const skips = skipCountForLocality(asJob(inputs), locality);
    return localityWaitSecondsOnNodes({ nodes, slotsPerNode, taskSeconds: 1 }, skips);
  },
  // The chance of a local launch within so many offers.
  local: ({ preferred, skips }) => anyHitProbability(preferred, skips),
  skipsOfWait: ({ waitSeconds, slotsPerSecond }) => skipCountForWait(waitSeconds, slotsPerSecond),
  jobLocality: (inputs) => expectedJobLocality(asJob(inputs), inputs.skips),
  // The chance that every slot of every node with a block runs a long task.
  holdersBlocked: ({ longShare, replication, slotsPerNode }) =>
    noHitProbability(1 - longShare, replication * slotsPerNode),
  // D for the rack over D for the node: a block is in two of the racks.
  skipsOfRacks: (inputs) => {
    const inRacks = skipCountForLocality({ tasks: inputs.tasks, nodes: inputs.racks, replication: 2 }, inputs.locality);
    return inRacks / skipCountForLocality(asJob(inputs), inputs.locality);
  },
  slotsPerSecond: ({ slots, taskSeconds }) => slotsFreedPerSecond({ slots, taskSeconds }),
};
