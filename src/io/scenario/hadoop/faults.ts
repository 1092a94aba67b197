import * as z from "zod";
import { assert, MAX_TIME_US } from "../../../core/kernel/index.js";
import {
  type FaultEventSpec,
  type FaultRateSpec,
  type FaultsSpec,
  LIMITS,
  type NodeGroupSpec,
} from "../../../core/scenario/index.js";
import { groupsOfRacks, type RackPlan, rackTargets, type RackTargets, targetProblems } from "./cluster.js";
import { type Problem, valueProblem } from "../diagnose.js";
import { DETAILED } from "./effects.js";
import { needed, optional, recordOf, setting, withEffect } from "../setting.js";
import { didYouMean } from "../show.js";
import { byKind, count, duration, durationOr, label, listOf, mapping, quantity } from "../values.js";
import { needs, type WorkloadFile } from "./workload.js";

// `faults`: what goes wrong, at given times or at random.

const slowdown = quantity(1, LIMITS.maxSlowdown);
const probability = quantity(0, LIMITS.maxFailure);

const rack = label().describe("The rack, by its name or its position from 0.");
const when = {
  at: needed(duration(0, MAX_TIME_US), "When it begins.", "atUs"),
  for: needed(
    durationOr("ever", 1_000, MAX_TIME_US).prefault("ever"),
    "How long it lasts; ever: it does not end.",
    "forUs",
  ),
};
const onNode = {
  rack,
  node: count(0, LIMITS.nodes - 1).describe("The node, by its position in the rack, from 0."),
  ...when,
};

const event = byKind([
  mapping({
    kind: z
      .literal("crash")
      .describe("A node stops with all it runs, and comes back with its blocks, but empty-handed."),
    ...onNode,
  }),
  mapping({
    kind: z.literal("switch").describe("Nobody hears a rack's nodes, which run on."),
    rack,
    ...when,
  }),
  withEffect(
    mapping({
      kind: z.literal("slowDisk").describe("Detailed model: a node's disks have less bandwidth."),
      ...onNode,
      factor: slowdown.describe("The bandwidth is divided by it."),
    }),
    DETAILED,
  ),
  mapping({
    kind: z.literal("slowNode").describe("A node computes more slowly."),
    ...onNode,
    factor: slowdown.describe("The speed is divided by it."),
  }),
]);

const rateShape = {
  every: needed(
    duration(LIMITS.minFaultGapUs, MAX_TIME_US),
    "Mean time from the end of one to the start of the next.",
    "everyUs",
  ),
  for: needed(duration(1_000, MAX_TIME_US), "Mean time that one lasts.", "forUs"),
  until: setting(
    durationOr("end", 1_000, MAX_TIME_US),
    "None starts at or after this; end: they go on.",
    "end",
    "untilUs",
  ),
};
const plainRate = mapping(rateShape);
const slowRate = mapping({ ...rateShape, factor: slowdown.describe("Bandwidth or speed is divided by it.") });

const rates = mapping({
  crash: optional(plainRate, "Of each node."),
  switch: optional(plainRate, "Of each rack."),
  slowDisk: withEffect(optional(slowRate, "Of each node."), DETAILED),
  slowNode: optional(slowRate, "Of each node."),
});

/** Failure probabilities of attempts. */
const failures = mapping({
  mapFailure: setting(probability, "Probability that an attempt at a map fails.", 0),
  reduceFailure: setting(probability, "Probability that an attempt at a reduce fails.", 0),
});

const stragglers = mapping({
  share: quantity(0, 1).describe("Probability that an attempt is one."),
  factor: setting(slowdown, "It computes so many times as long.", 3),
});

/** `faults`: what goes wrong. */
export const faultsSchema = mapping({
  events: optional(listOf(event, "faults {kind, rack, node, at, for}"), "Faults at given times, in any order.", "none"),
  rates: optional(rates, "Faults at random, with exponential times between them and of their own.", "none"),
  ...failures.shape,
  stragglers: optional(stragglers, "Attempts that compute longer than they should.", "none"),
});

export type FaultsFile = z.output<typeof faultsSchema>;
type FaultEventFile = z.output<typeof event>;

const KINDS = { crash: "crash", switch: "switch", slowDisk: "slow-disk", slowNode: "slow-node" } as const;

type FaultEvent = NonNullable<ReturnType<typeof recordOf<typeof faultsSchema.shape>>["events"]>[number];

const NEVER: FaultRateSpec = { everyUs: Infinity, forUs: 0, factor: 1, untilUs: Infinity };

/** The faults of a valid file; `plans` are the racks they name. */
export function resolveFaults(file: FaultsFile, plans: readonly RackPlan[]): FaultsSpec {
  const { events = [], rates, stragglers: said, ...probabilities } = recordOf(faultsSchema, file);
  const targets = events.length === 0 ? undefined : rackTargets(plans);
  const { share, factor } = said ?? recordOf(stragglers, { share: 0 });
  return {
    events: targets === undefined ? [] : events.map((event) => resolveEvent(event, targets)),
    rates: {
      crash: { ...NEVER, ...rates?.crash },
      switch: { ...NEVER, ...rates?.switch },
      slowDisk: { ...NEVER, ...rates?.slowDisk },
      slowNode: { ...NEVER, ...rates?.slowNode },
    },
    ...probabilities,
    stragglers: share,
    stragglerFactor: factor,
  };
}

export const NO_FAULTS = resolveFaults({}, []);

function resolveEvent(event: FaultEvent, targets: RackTargets): FaultEventSpec {
  const rack = targets.rackOf(event.rack);
  assert(rack !== undefined, "a scenario without problems has a fault of a rack that it does not have");
  return {
    kind: KINDS[event.kind],
    rack,
    node: event.kind === "switch" ? 0 : event.node,
    atUs: event.atUs,
    forUs: event.forUs,
    factor: event.kind === "slowDisk" || event.kind === "slowNode" ? event.factor : 1,
  };
}

/** More names than this are not searched for the one that was meant. */
const MOST_NAMES = 1_000;

/** Faults of racks and nodes that the cluster does not have. */
export function faultTargetProblems({ events = [] }: FaultsFile, plans: readonly RackPlan[]): Problem[] {
  if (events.length === 0) return [];
  const targets = rackTargets(plans);
  // Further problems are not shown.
  let hints: number = LIMITS.problems;
  const hintOf = (name: string) => (hints-- > 0 ? meantRack(name, targets.names) : "");
  return events.flatMap((event, i) => targetProblems(event, targets, ["faults", "events", i], hintOf));
}

function meantRack(name: string, names: readonly string[]): string {
  return names.length <= MOST_NAMES ? didYouMean(name, names) : "";
}

/** Tasks that no node is left for, in a run that waits for all jobs. */
export function deadClusterProblems(
  { events = [] }: FaultsFile,
  plans: readonly RackPlan[],
  workload: WorkloadFile,
): Problem[] {
  const forEver = events.filter(({ for: forUs }) => forUs === Infinity);
  if (forEver.length === 0) return [];
  const remainingGroups = groupsLeft(forEver, plans);
  const phases = [
    ["maps", "mapSlots"],
    ["reduces", "reduceSlots"],
  ] as const;
  const [missing] =
    phases.find(([phase, slots]) => needs(workload, phase) && !remainingGroups.some((group) => group[slots] > 0)) ?? [];
  if (missing === undefined) return [];
  const actual = `no node with slots for ${missing} that stays in the cluster to the end, and no time in run.until`;
  return [
    valueProblem(["faults", "events"], actual, "a node that stays, a fault that ends (for), or a time in run.until"),
  ];
}

/** Groups with a node that no crash or loss of a switch keeps away for ever. */
function groupsLeft(forEver: readonly FaultEventFile[], plans: readonly RackPlan[]): readonly NodeGroupSpec[] {
  const { rackOf } = rackTargets(plans);
  const keyOf = (kind: string, rack: number | undefined, node = 0) => [kind, String(rack), String(node)].join(" ");
  const gone = new Set(
    forEver.map((event) => keyOf(event.kind, rackOf(event.rack), event.kind === "switch" ? 0 : event.node)),
  );
  return groupsOfRacks(plans).flatMap((groups, rack) => {
    if (gone.has(keyOf("switch", rack))) return [];
    let first = 0;
    return groups.filter(({ count }) => {
      const from = first;
      first += count;
      return Array.from({ length: count }, (_, i) => gone.has(keyOf("crash", rack, from + i))).includes(false);
    });
  });
}
