import * as z from "zod";
import { assert } from "../../../core/kernel/index.js";
import { type InnerSchedulerSpec, type PartitionSpec, SCHEDULER_KINDS } from "../../../core/scenario/index.js";
import { RULES } from "../../../core/platforms/hadoop/index.js";
import type { RackPlan } from "./cluster.js";
import { badNames, type Problem, problemIf } from "../diagnose.js";
import type { FaultsFile } from "./faults.js";
import { optional, recordOf, setting } from "../setting.js";
import { choice, either, mapping, quantity } from "../values.js";
import { resolveWait, type WaitFile, waitProblems, waitSchema } from "./wait.js";

// `scheduler.partition`, and what it shares with `scheduler.offers`: the owners of jobs are pools or users, and each
// owner has a scheduler of its own.

const innerKind = choice(["fifo", "fair", "delay", "hfs"]);

const innerSettings = mapping({
  kind: setting(innerKind, "hfs: pools are the users where owners are pools, or the other way round.", "fifo"),
  wait: optional(waitSchema, "How long its jobs wait for data locality.", "scheduler.wait, or that of the kind"),
});

/** The scheduler that an owner of jobs has: the name of its kind, or a mapping. */
export const innerSchema = either(
  [innerKind, innerSettings],
  () => "fifo, fair, delay, hfs, or a mapping {kind, wait}",
);

type InnerFile = z.output<typeof innerSchema>;

/** The owner of a job, pool or user: by default its pool. */
export function ownedBy(says: string) {
  return setting(choice(["pool", "user"]), says, "pool");
}

/**
 * As in Hadoop On Demand, where nothing is said: each owner has a JobTracker of its own, with Hadoop's default
 * scheduler.
 */
export function innerOfAll(where: string) {
  const says = `Who schedules ${where}: fifo, fair, delay, hfs, or a mapping {kind, wait}.`;
  return setting(innerSchema, says, "fifo");
}

export const partitionSchema = mapping({
  by: ownedBy("Who owns a job, and with it a private cluster: its pool, or its user."),
  deal: setting(
    choice(["striped", "contiguous"]),
    "striped: nodes are dealt out like cards, rack after rack. contiguous: each owner's stand side by side.",
    "striped",
  ),
  weights: setting(
    z.record(z.string(), quantity(0.001, 1_000_000), { error: () => "a mapping from owners to weights" }),
    "Nodes are dealt out by weight; an owner that is not named weighs 1.",
    {},
  ),
  inner: innerOfAll("in the private clusters"),
});

/** The section as a file says it. */
type PartitionFile = z.output<typeof partitionSchema>;

/** Settings of a scheduler that inner ones inherit. */
export interface OuterSettings {
  readonly wait?: WaitFile | undefined;
  readonly updateInterval?: number | undefined;
}

/** Resolves an inner scheduler. Missing settings are the outer scheduler's, or else the defaults of its kind. */
export function resolveInner(file: InnerFile | undefined, outer: OuterSettings): InnerSchedulerSpec {
  const { kind: name = "fifo", wait } = typeof file === "object" ? file : { kind: file, wait: undefined };
  const kind = SCHEDULER_KINDS.find((candidate) => candidate.name === name);
  assert(kind !== undefined, "an inner kind that the schema allows is not in the registry");
  return {
    kind: name,
    wait: resolveWait(wait ?? outer.wait, kind, RULES.paper),
    updateIntervalUs: outer.updateInterval ?? kind.defaultUpdateIntervalUs,
  };
}

/** The settings of a partition; all have defaults. */
export function resolvePartition(file: PartitionFile | undefined, outer: OuterSettings): PartitionSpec {
  const { weights, inner: _, ...how } = recordOf(partitionSchema, file);
  return {
    ...how,
    weights: Object.entries(weights).map(([name, weight]) => ({ name, weight })),
    inner: resolveInner(file?.inner, outer),
  };
}

const PATH = ["scheduler", "partition"];

/** Problems of the section by itself. */
export function partitionProblems({ inner, weights = {} }: PartitionFile): Problem[] {
  return [
    ...innerProblems(inner, [...PATH, "inner"]),
    ...badNames(Object.keys(weights), "owner", [...PATH, "weights"]),
  ];
}

export function innerProblems(inner: InnerFile | undefined, path: readonly PropertyKey[]): Problem[] {
  return typeof inner === "object" ? waitProblems(inner.wait, [...path, "wait"]) : [];
}

const UNTIL = "or a time for run.until";

/**
 * Problems of settings under which a run may never end: an owner of some of the nodes may have no node left that takes
 * its tasks, while the run waits for all jobs. The nodes of an owner are not known before the jobs are generated.
 * Therefore all settings that may lead there are refused.
 * @param whose words for how nodes are reserved.
 */
export function ownedNodesProblems(whose: string, faults: FaultsFile, plans: readonly RackPlan[]): Problem[] {
  const where = `where ${whose} and run.until is end`;
  const takesNodes = ({ kind, for: forUs }: NonNullable<FaultsFile["events"]>[number]) =>
    forUs === Infinity && (kind === "crash" || kind === "switch");
  const lost = (faults.events ?? []).findIndex(takesNodes);
  const [first, ...otherNodes] = plans.flatMap(({ nodes }) => nodes);
  return [
    ...problemIf(
      lost >= 0,
      ["faults", "events", lost],
      `a node lost for ever ${where}`,
      `an end of the fault, ${UNTIL}`,
    ),
    ...(["mapFailure", "reduceFailure"] as const).flatMap((key) =>
      problemIf(
        (faults[key] ?? 0) > 0,
        ["faults", key],
        `attempts that fail ${where}: a job may come to avoid all of its owner's`,
        `0, ${UNTIL}`,
      ),
    ),
    ...problemIf(
      otherNodes.some((group) => group.memoryBytes !== first.memoryBytes || group.diskBytes !== first.diskBytes),
      ["cluster", "racks"],
      `nodes of unequal memory or disk space ${where}`,
      `equal ones, ${UNTIL}`,
    ),
  ];
}
