import { valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import type { FaultsFile } from "./faults-schema.js";
import type { RackPlan } from "./rack-plan.js";
import type { SchedulerSettings } from "./scheduler-schema.js";

const UNTIL = "or a time for run.until";

/**
 * What may leave somebody who has some of the nodes only without one that takes his tasks, in a run that waits for all jobs.
 * Which nodes those will be is not known before jobs are generated.
 */
export function ownedNodesProblems(
  settings: SchedulerSettings,
  faults: FaultsFile,
  plans: readonly RackPlan[],
): Problem[] {
  const lists = Object.values(settings.offers?.frameworks ?? {}).some(({ nodes }) => nodes !== undefined);
  if (settings.kind !== "partition" && !(settings.kind === "offers" && lists)) return [];
  const where = `where ${lists ? "frameworks list their nodes" : "nodes are private"} and run.until is end`;
  const problems: Problem[] = [];
  const takesNodes = ({ kind, for: forUs }: NonNullable<FaultsFile["events"]>[number]): boolean =>
    forUs === Infinity && (kind === "crash" || kind === "switch");
  const lost = (faults.events ?? []).findIndex(takesNodes);
  if (lost >= 0) {
    const found = `a node lost for ever ${where}`;
    problems.push(valueProblem(["faults", "events", lost], found, `an end of the fault, ${UNTIL}`));
  }
  for (const key of ["mapFailure", "reduceFailure"] as const) {
    if ((faults[key] ?? 0) === 0) continue;
    const found = `attempts that fail ${where}: a job may come to avoid all of its owner's`;
    problems.push(valueProblem(["faults", key], found, `0, ${UNTIL}`));
  }
  const [first, ...others] = plans.flatMap(({ nodes }) => nodes);
  const differs = others.some(
    (group) => group.memoryBytes !== first.memoryBytes || group.diskBytes !== first.diskBytes,
  );
  if (differs) {
    const found = `nodes of unequal memory or disk space ${where}`;
    problems.push(valueProblem(["cluster", "racks"], found, `equal ones, ${UNTIL}`));
  }
  return problems;
}
