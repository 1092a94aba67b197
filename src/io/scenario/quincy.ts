import type * as z from "zod";
import { QUINCY_POLICIES, type QuincySpec } from "../../core/scenario/index.js";
import { LIMITS } from "./limits.js";
import { recordOf, setting } from "./setting.js";
import { choice, duration, mapping, quantity } from "./values.js";

// `scheduler.quincy`: the policy and the costs of the kind quincy.

export const quincySchema = mapping({
  policy: setting(choice(QUINCY_POLICIES), {
    default: "QFP",
    says: "G: greedy queues; Q: minimum-cost flow; F: fair shares of the map slots; P: with preemption.",
  }),
  rackCost: setting(quantity(0, LIMITS.moveCost), {
    default: 1,
    says: "psi: cost of a gigabyte of input across the switch of a rack, in seconds of running time lost.",
  }),
  coreCost: setting(quantity(0, LIMITS.moveCost), {
    default: 2,
    says: "xi: cost of a gigabyte across the core, beside that of the rack's switch.",
  }),
  waitCost: setting(quantity(0, 1), {
    default: 0.5,
    says: "omega: cost of a second that a map waits. Above 1, maps could preempt one another for ever.",
  }),
  solveEvery: setting(duration(0, LIMITS.waitUs), {
    as: "solveEveryUs",
    default: "0s",
    says: "Least time between two solves; 0: on every heartbeat that shows a change and has a free slot.",
  }),
});

export function resolveQuincy(file: z.output<typeof quincySchema> | undefined): QuincySpec {
  return recordOf(quincySchema, file);
}
