import type { RunRecord } from "../../core/metrics/run-record.js";
import { isIn, type SizeGroup } from "../../experiments/measures/measure.js";
import type { Scenario } from "../../core/scenario/scenario.js";
import { waitInEffect } from "../../core/scenario/wait-in-effect.js";
import { expectedJobLocality, localityWaitSecondsOnNodes, skipCountForLocality } from "../../core/theory.js";
import type { Goal } from "../../experiments/tuning/goal.js";
import type { TheoryInputs, TheoryReport } from "../../experiments/tuning/tune-report.js";
import type { RunResult } from "../run.js";

/** Measures of locality that the formulas are about, and whose jobs they count. */
const LOCALITY: Readonly<Record<string, SizeGroup | null>> = { nodeLocalSmall: "Small", nodeLocalAll: null };
/** They take every slot to be busy: below this share of the time they are not about this cluster. */
const SATURATED_ENOUGH = 0.1;

/** What the goal asks of locality; null: nothing. */
export function localityAskedFor({ where }: Goal): { readonly measure: string; readonly share: number } | null {
  const found = where.flatMap(({ measure, ...clause }) =>
    clause.kind === "atLeast" && Object.hasOwn(LOCALITY, measure) ? [{ measure, share: clause.bound }] : [],
  );
  return found.length === 0 ? null : found[0];
}

/**
 * The skip count D and the wait W1 that section 3.5 of the delay scheduling paper gives for the locality that a goal asks for. What it
 * needs is the scenario's own, or measured in one run of it.
 */
export function theoryAnswer(scenario: Scenario, goal: Goal, run: RunResult): TheoryReport {
  const asked = localityAskedFor(goal);
  const reason =
    asked === null ? "the goal asks for no share of node-local maps" : reasonAgainst(scenario, asked.share);
  if (asked === null || reason !== null) return { applies: false, reason: reason ?? "" };
  const inputs = inputsOf(scenario, run, LOCALITY[asked.measure]);
  if (typeof inputs === "string") return { applies: false, reason: inputs };
  const { nodes, slotsPerNode, replication, mapsPerJob, taskSeconds } = inputs;
  const job = { tasks: Math.max(1, Math.round(mapsPerJob)), nodes, replication };
  const skips = Math.ceil(skipCountForLocality(job, asked.share));
  return {
    applies: true,
    locality: asked.share,
    inputs,
    skips,
    waitSeconds: localityWaitSecondsOnNodes({ nodes, slotsPerNode, taskSeconds }, skips),
    expectedLocality: expectedJobLocality(job, skips),
  };
}

/** Of what the scenario says. */
function reasonAgainst({ scheduler, storage, cluster }: Scenario, locality: number): string | null {
  const { kind } = waitInEffect(scheduler);
  if (kind === "none") return `no job waits for locality under ${scheduler.kind} as it is set`;
  if (locality >= 1) return "no wait reaches 100 %";
  if (storage.dynamicReplication !== undefined) return "the number of replicas changes";
  if (storage.placement === "correlated") return "blocks are not placed at random";
  if (storage.hotSpots !== undefined || storage.dataSet !== undefined) return "jobs share input";
  const slots = new Set(cluster.racks.flatMap(({ nodes }) => nodes.map(({ mapSlots }) => mapSlots)));
  return slots.size > 1 ? "nodes differ in map slots" : null;
}

/** What the formulas need, or why it cannot be had. */
function inputsOf(scenario: Scenario, { summary, record }: RunResult, group: SizeGroup | null): TheoryInputs | string {
  const { map } = summary.utilisation;
  if (map.saturated < SATURATED_ENOUGH) {
    const found = (map.saturated * 100).toFixed(0);
    return `map slots were nearly all busy in ${found} % of the time only; the formula is about a full cluster`;
  }
  const mapsPerJob = meanMaps(record, group);
  const taskSeconds = summary.attemptSeconds.map.mean;
  if (mapsPerJob === null || taskSeconds === null) return "the run launched no maps of such jobs";
  const { nodes, mapSlots } = summary.cluster;
  const replication = Math.min(scenario.storage.replication, nodes);
  const { saturated, busy } = map;
  return { nodes, slotsPerNode: mapSlots / nodes, replication, mapsPerJob, taskSeconds, saturated, busy };
}

/** Of the jobs that launched maps, each weighted by its maps, as the share of local maps weighs them; null: there are none. */
function meanMaps({ jobs }: RunRecord, group: SizeGroup | null): number | null {
  let sum = 0;
  let weight = 0;
  for (let job = 0; job < jobs.rows; job++) {
    if (jobs.firstLaunchAtUs[job] < 0 || jobs.maps[job] === 0 || !isIn(group, jobs.maps[job])) continue;
    sum += jobs.maps[job] * jobs.maps[job];
    weight += jobs.maps[job];
  }
  return weight > 0 ? sum / weight : null;
}
