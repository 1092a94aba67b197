import { sumOver } from "../../core/kernel/index.js";
import { type Scenario, waitInEffect } from "../../core/scenario/index.js";
import { expectedJobLocality } from "../../core/theory.js";
import { measureParts } from "../measures/unlisted-measures.js";
import type { PointName, PublishedRow } from "./scorecard.js";

/**
 * A null model without a simulation: it answers a row from its question and setting alone. A row that the null model
 * passes shows little. It assumes that
 * - settings make no difference: every ratio is 1, and no measure rises;
 * - a job that waits gets the node, so locality is full;
 * - a job that does not wait runs each map where the next slot happens to be: section 3.5 of the delay scheduling
 *   paper, for one offer (D = 1).
 * It has no answer for times, counts, bytes and formulas, nor for laws, which judge a simulation alone.
 * @param scenarioAt the scenario of a point of a sweep; null: there is no such point.
 */
export function nullAnswer(
  { kind, measurement }: Pick<PublishedRow, "kind" | "measurement">,
  scenarioAt: (sweep: string, point: PointName) => Scenario | null,
): number | null {
  if (kind === "physics" || measurement === null || "formula" in measurement) return null;
  if ("of" in measurement) return 1;
  if ("trend" in measurement) return 0;
  const { name, sizes, group } = measureParts(measurement.measure);
  const places = LOCALITY.get(name);
  const scenario = places === undefined ? null : scenarioAt(measurement.sweep, measurement.at);
  if (places === undefined || scenario === null) return null;
  if (isWaiting(scenario)) return 1;
  const jobs = sizes === null ? listedJobs(scenario, group?.name) : jobsOfSizes(sizes);
  return meanLocality(jobs, places(scenario));
}

/** The number of places that may offer a map a slot, and of those that hold its block. */
interface Places {
  readonly total: number;
  readonly holding: number;
}

/** HDFS keeps the replicas of a block in two racks. */
const RACKS_OF_BLOCK = 2;

/** The measures that it knows. */
const LOCALITY: ReadonlyMap<string, (scenario: Scenario) => Places> = new Map([
  [
    "nodeLocalAll",
    ({ cluster: { racks }, storage: { replication } }: Scenario): Places => ({
      total: sumOver(
        racks.flatMap(({ nodes }) => nodes),
        ({ count }) => count,
      ),
      holding: replication,
    }),
  ],
  [
    "nodeOrRackLocal",
    ({ cluster: { racks }, storage: { replication } }: Scenario): Places => ({
      total: racks.length,
      holding: Math.min(RACKS_OF_BLOCK, replication, racks.length),
    }),
  ],
]);

function isWaiting({ scheduler }: Scenario): boolean {
  const wait = waitInEffect(scheduler);
  if (wait.kind === "none") return false;
  return wait.kind === "auto" || (wait.kind === "time" ? wait.nodeUs : wait.node) > 0;
}

/** Equal jobs, as many as `count`. */
interface Jobs {
  readonly maps: number;
  readonly count: number;
}

/** Equal numbers of jobs of each size: the real numbers are not known. */
function jobsOfSizes([from, to]: readonly [number, number]): Jobs[] {
  return Array.from({ length: to - from + 1 }, (_, i) => ({ maps: from + i, count: 1 }));
}

/** Those that the scenario lists, of a pool where one is named. */
function listedJobs({ workload }: Scenario, pool: string | undefined): Jobs[] {
  return workload.kind === "jobs" ? workload.jobs.filter((jobs) => pool === undefined || jobs.pool === pool) : [];
}

/** Over all maps; null: there are none. */
function meanLocality(jobs: readonly Jobs[], { total, holding }: Places): number | null {
  const maps = sumOver(jobs, (group) => group.count * group.maps);
  if (maps === 0) return null;
  const local = jobs
    .filter((group) => group.maps > 0)
    .map(
      (group) =>
        group.count * group.maps * expectedJobLocality({ tasks: group.maps, nodes: total, replication: holding }, 1),
    );
  return sumOver(local) / maps;
}
