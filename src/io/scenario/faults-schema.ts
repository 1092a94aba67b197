import { z } from "zod";
import { MAX_TIME_US } from "../../core/kernel/time.js";
import { LIMITS } from "./limits.js";
import { byKind, count, duration, durationOr, label, listOf, mapping, quantity } from "./values.js";

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
export type FaultEventFile = z.output<typeof event>;
