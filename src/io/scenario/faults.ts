import * as z from "zod";
import { assert, MAX_TIME_US } from "../../core/kernel/index.js";
import { NO_FAULTS, type FaultEventSpec, type FaultRateSpec, type FaultsSpec } from "../../core/scenario/index.js";
import { type RackPlan, rackTargets, type RackTargets } from "./cluster.js";
import { type Problem, valueProblem } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import { nearest, quote } from "./show.js";
import { byKind, count, duration, durationOr, label, listOf, mapping, quantity } from "./values.js";
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
  mapping({
    kind: z.literal("slowDisk").describe("Detailed model: a node's disks have less bandwidth."),
    ...onNode,
    factor: slowdown.describe("The bandwidth is divided by it."),
  }),
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
  until: durationOr("end", 1_000, MAX_TIME_US)
    .optional()
    .describe("None starts at or after this. Default end: they go on."),
};
const plainRate = mapping(rateShape);
const slowRate = mapping({ ...rateShape, factor: slowdown.describe("Bandwidth or speed is divided by it.") });

const rates = mapping({
  crash: plainRate.optional().describe("Of each node."),
  switch: plainRate.optional().describe("Of each rack."),
  slowDisk: slowRate.optional().describe("Detailed model: of each node."),
  slowNode: slowRate.optional().describe("Of each node."),
});

/** `faults`: what goes wrong. */
export const faultsSchema = mapping({
  events: listOf(event, "faults {kind, rack, node, at, for}")
    .optional()
    .describe("Faults at given times, in any order."),
  rates: rates.optional().describe("Faults at random, with exponential times between them and of their own."),
  mapFailure: probability.optional().describe("Probability that an attempt at a map fails. Default 0."),
  reduceFailure: probability.optional().describe("Probability that an attempt at a reduce fails. Default 0."),
  stragglers: mapping({
    share: quantity(0, 1).describe("Probability that an attempt is one."),
    factor: slowdown.optional().describe("It computes so many times as long. Default 3."),
  })
    .optional()
    .describe("Attempts that compute longer than they should."),
});

export type FaultsFile = z.output<typeof faultsSchema>;
type FaultEventFile = z.output<typeof event>;

const KINDS = { crash: "crash", switch: "switch", slowDisk: "slow-disk", slowNode: "slow-node" } as const;

/** The faults of a valid file; `plans` are the racks they name. */
export function resolveFaults(file: FaultsFile, plans: readonly RackPlan[]): FaultsSpec {
  const { events, rates, stragglers } = file;
  const targets = events === undefined ? undefined : rackTargets(plans);
  return {
    events: targets === undefined ? NO_FAULTS.events : (events ?? []).map((event) => resolveEvent(event, targets)),
    rates: {
      crash: resolveRate(rates?.crash),
      switch: resolveRate(rates?.switch),
      slowDisk: resolveRate(rates?.slowDisk),
      slowNode: resolveRate(rates?.slowNode),
    },
    mapFailure: file.mapFailure ?? NO_FAULTS.mapFailure,
    reduceFailure: file.reduceFailure ?? NO_FAULTS.reduceFailure,
    stragglers: stragglers?.share ?? NO_FAULTS.stragglers,
    stragglerFactor: stragglers?.factor ?? NO_FAULTS.stragglerFactor,
  };
}

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
  if (file === undefined) return NO_FAULTS.rates.crash;
  const factor = "factor" in file ? file.factor : 1;
  return { everyUs: file.every, forUs: file.for, factor, untilUs: file.until ?? Infinity };
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
      const found = `node ${String(event.node)} of the rack ${quote(targets.names[rack])}`;
      const allowed = `a position from 0 to ${String(targets.nodes[rack] - 1)}`;
      problems.push(valueProblem([...path, "node"], found, allowed));
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
  const left = slotsLeft(forEver, plans);
  const missing = (["maps", "reduces"] as const).find((phase) => left[phase] === 0 && needs(workload, phase));
  if (missing === undefined) return [];
  const found = `no node with slots for ${missing} that stays in the cluster to the end, and no time in run.until`;
  return [
    valueProblem(["faults", "events"], found, "a node that stays, a fault that ends (for), or a time in run.until"),
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
  const left = { maps: 0, reduces: 0 };
  let rack = 0;
  for (const { count, nodes } of plans) {
    for (let i = 0; i < count; i++, rack++) {
      if (goneRacks.has(rack)) continue;
      const gone = [...(goneNodes.get(rack) ?? [])];
      let first = 0;
      for (const group of nodes) {
        const [from, to] = [first, (first += group.count)];
        const up = group.count - gone.filter((node) => node >= from && node < to).length;
        left.maps += up * group.mapSlots;
        left.reduces += up * group.reduceSlots;
      }
    }
  }
  return left;
}
