import type * as z from "zod";
import { QUINCY_POLICIES, type QuincySpec } from "../../core/scenario/index.js";
import { LIMITS } from "./limits.js";
import { choice, duration, mapping, quantity } from "./values.js";

// `scheduler.quincy`: the policy and the costs of the kind quincy.

export const quincySchema = mapping({
  policy: choice(QUINCY_POLICIES)
    .prefault("QFP")
    .describe("G: greedy queues; Q: minimum-cost flow; F: fair shares of the map slots; P: with preemption."),
  rackCost: quantity(0, LIMITS.moveCost)
    .prefault(1)
    .describe("psi: cost of a gigabyte of input across the switch of a rack, in seconds of running time lost."),
  coreCost: quantity(0, LIMITS.moveCost)
    .prefault(2)
    .describe("xi: cost of a gigabyte across the core, beside that of the rack's switch."),
  waitCost: quantity(0, 1)
    .prefault(0.5)
    .describe("omega: cost of a second that a map waits. Above 1, maps could preempt one another for ever."),
  solveEvery: duration(0, LIMITS.waitUs)
    .prefault("0s")
    .describe("Least time between two solves; 0: on every heartbeat that shows a change and has a free slot."),
});

export function resolveQuincy(file: z.output<typeof quincySchema> = quincySchema.parse({})): QuincySpec {
  const { solveEvery: solveEveryUs, ...costs } = file;
  return { ...costs, solveEveryUs };
}
