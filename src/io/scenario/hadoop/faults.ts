import * as z from "zod";
import { assert, MAX_TIME_US } from "../../../core/kernel/index.js";
import type { FaultEventSpec, FaultRateSpec, FaultsSpec } from "../../../core/scenario/index.js";
import { type RackPlan, rackTargets, type RackTargets } from "./cluster.js";
import { type Problem, valueProblem } from "../diagnose.js";
import { DETAILED } from "./effects.js";
import { LIMITS } from "../limits.js";
import { filled, formWith, recordOf, setting } from "../setting.js";
import { nearest, quote } from "../show.js";
import { byKind, count, duration, durationOr, label, listOf, mapping, quantity } from "../values.js";
import { needs, type WorkloadFile } from "./workload.js";

// `faults`: what goes wrong, at given times or at random.

const slowdown = quantity(1, LIMITS.maxSlowdown);
const probability = quantity(0, LIMITS.maxFailure);

const rack = label().describe("The rack, by its name or its position from 0.");
const when = {
  at: duration(0, MAX_TIME_US).describe("When it begins."),
  for: durationOr("ever", 1_000, MAX_TIME_US).prefault("ever").describe("How long it lasts; ever: it does not end."),
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
  formWith(
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
  every: duration(LIMITS.minFaultGapUs, MAX_TIME_US).describe(
    "Mean time from the end of one to the start of the next.",
  ),
  for: duration(1_000, MAX_TIME_US).describe("Mean time that one lasts."),
  until: setting(durationOr("end", 1_000, MAX_TIME_US), {
    default: "end",
    says: "None starts at or after this; end: they go on.",
  }),
};
const plainRate = mapping(rateShape);
const slowRate = mapping({ ...rateShape, factor: slowdown.describe("Bandwidth or speed is divided by it.") });

const rates = mapping({
  crash: setting(plainRate, { says: "Of each node." }),
  switch: setting(plainRate, { says: "Of each rack." }),
  slowDisk: setting(slowRate, { effect: DETAILED, says: "Of each node." }),
  slowNode: setting(slowRate, { says: "Of each node." }),
});

/** Failure probabilities of attempts. */
const failures = mapping({
  mapFailure: setting(probability, { default: 0, says: "Probability that an attempt at a map fails." }),
  reduceFailure: setting(probability, { default: 0, says: "Probability that an attempt at a reduce fails." }),
});

const stragglers = mapping({
  share: quantity(0, 1).describe("Probability that an attempt is one."),
  factor: setting(slowdown, { default: 3, says: "It computes so many times as long." }),
});

/** `faults`: what goes wrong. */
export const faultsSchema = mapping({
  events: setting(listOf(event, "faults {kind, rack, node, at, for}"), {
    usually: "none",
    says: "Faults at given times, in any order.",
  }),
  rates: setting(rates, {
    usually: "none",
    says: "Faults at random, with exponential times between them and of their own.",
  }),
  ...failures.shape,
  stragglers: setting(stragglers, { usually: "none", says: "Attempts that compute longer than they should." }),
});

export type FaultsFile = z.output<typeof faultsSchema>;
type FaultEventFile = z.output<typeof event>;

const KINDS = { crash: "crash", switch: "switch", slowDisk: "slow-disk", slowNode: "slow-node" } as const;

/** The faults of a valid file; `plans` are the racks they name. */
export function resolveFaults(file: FaultsFile, plans: readonly RackPlan[]): FaultsSpec {
  const { events, rates } = file;
  const targets = events === undefined ? undefined : rackTargets(plans);
  const { share, factor } = recordOf(stragglers, file.stragglers ?? { share: 0 });
  return {
    events: targets === undefined ? [] : (events ?? []).map((event) => resolveEvent(event, targets)),
    rates: {
      crash: resolveRate(rates?.crash),
      switch: resolveRate(rates?.switch),
      slowDisk: resolveRate(rates?.slowDisk),
      slowNode: resolveRate(rates?.slowNode),
    },
    ...recordOf(failures, file),
    stragglers: share,
    stragglerFactor: factor,
  };
}

export const NO_FAULTS = resolveFaults({}, []);

function resolveEvent(event: FaultEventFile, targets: RackTargets): FaultEventSpec {
  const rack = targets.rackOf(event.rack);
  assert(rack !== undefined, "a scenario without problems has a fault of a rack that it does not have");
  return {
    kind: KINDS[event.kind],
    rack,
    node: event.kind === "switch" ? 0 : event.node,
    atUs: event.at,
    forUs: event.for,
    factor: event.kind === "slowDisk" || event.kind === "slowNode" ? event.factor : 1,
  };
}

type RateFile = NonNullable<FaultsFile["rates"]>["crash" | "slowDisk"];

function resolveRate(file: RateFile): FaultRateSpec {
  if (file === undefined) return { everyUs: Infinity, forUs: 0, factor: 1, untilUs: Infinity };
  const factor = "factor" in file ? file.factor : 1;
  return { everyUs: file.every, forUs: file.for, factor, untilUs: filled(rateShape.until, file.until) };
}

/** More names than this are not searched for the one that was meant. */
const MOST_NAMES = 1_000;

/** Faults of racks and nodes that the cluster does not have. */
export function faultTargetProblems({ events = [] }: FaultsFile, plans: readonly RackPlan[]): Problem[] {
  if (events.length === 0) return [];
  const targets = rackTargets(plans);
  const problems: Problem[] = [];
  for (const [i, event] of events.entries()) {
    const path = ["faults", "events", i];
    const rack = targets.rackOf(event.rack);
    if (rack === undefined) {
      const hint = problems.length < LIMITS.problems ? meantRack(event.rack, targets.names) : "";
      const allowed = `the name of a rack, or a position from 0 to ${String(targets.names.length - 1)}${hint}`;
      problems.push(valueProblem([...path, "rack"], `the rack ${quote(event.rack)}`, allowed));
    } else if (event.kind !== "switch" && event.node >= targets.nodes[rack]) {
      const actual = `node ${String(event.node)} of the rack ${quote(targets.names[rack])}`;
      const allowed = `a position from 0 to ${String(targets.nodes[rack] - 1)}`;
      problems.push(valueProblem([...path, "node"], actual, allowed));
    }
  }
  return problems;
}

function meantRack(name: string, names: readonly string[]): string {
  const near = names.length <= MOST_NAMES ? nearest(name, names) : undefined;
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

/** Tasks that no node is left for, in a run that waits for all jobs. */
export function deadClusterProblems(
  { events = [] }: FaultsFile,
  plans: readonly RackPlan[],
  workload: WorkloadFile,
): Problem[] {
  const forEver = events.filter(({ for: forUs }) => forUs === Infinity);
  if (forEver.length === 0) return [];
  const remaining = slotsLeft(forEver, plans);
  const missing = (["maps", "reduces"] as const).find((phase) => remaining[phase] === 0 && needs(workload, phase));
  if (missing === undefined) return [];
  const actual = `no node with slots for ${missing} that stays in the cluster to the end, and no time in run.until`;
  return [
    valueProblem(["faults", "events"], actual, "a node that stays, a fault that ends (for), or a time in run.until"),
  ];
}

/** Slots on nodes that no crash or loss of a switch keeps away for ever. */
function slotsLeft(forEver: readonly FaultEventFile[], plans: readonly RackPlan[]): { maps: number; reduces: number } {
  const targets = rackTargets(plans);
  const goneRacks = new Set<number>();
  const goneNodes = new Map<number, Set<number>>();
  for (const event of forEver) {
    const rack = targets.rackOf(event.rack);
    if (rack === undefined) continue;
    if (event.kind === "switch") goneRacks.add(rack);
    else if (event.kind === "crash") goneNodes.set(rack, (goneNodes.get(rack) ?? new Set()).add(event.node));
  }
  const remaining = { maps: 0, reduces: 0 };
  let rack = 0;
  for (const { count, nodes } of plans) {
    for (let i = 0; i < count; i++, rack++) {
      if (goneRacks.has(rack)) continue;
      const gone = [...(goneNodes.get(rack) ?? [])];
      let first = 0;
      for (const group of nodes) {
        const [from, to] = [first, (first += group.count)];
        const up = group.count - gone.filter((node) => node >= from && node < to).length;
        remaining.maps += up * group.mapSlots;
        remaining.reduces += up * group.reduceSlots;
      }
    }
  }
  return remaining;
}
