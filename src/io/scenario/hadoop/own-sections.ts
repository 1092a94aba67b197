import type * as z from "zod";
import { LIMITS, type OwnSettings, QUINCY_POLICIES } from "../../../core/scenario/index.js";
import { capacitySchema, resolveCapacity } from "./capacity.js";
import type { RackPlan } from "./cluster.js";
import { dsfsSchema, resolveDsfs } from "./dsfs.js";
import type { Imports } from "./imports.js";
import { offersSchema, resolveOffers } from "./offers.js";
import { type OuterSettings, partitionSchema, resolvePartition } from "./partition.js";
import { optional, recordOf, setting } from "../setting.js";
import { choice, duration, mapping, quantity } from "../values.js";

// Sections of `scheduler` that are single kinds' own, by the name of the kind. Those that are no more than their
// settings stand here, the others in files of their own.

/** The policy and the costs of the kind quincy. */
const quincySchema = mapping({
  policy: setting(
    choice(QUINCY_POLICIES),
    "G: greedy queues; Q: minimum-cost flow; F: fair shares of the map slots; P: with preemption.",
    "QFP",
  ),
  rackCost: setting(
    quantity(0, LIMITS.moveCost),
    "psi: cost of a gigabyte of input across the switch of a rack, in seconds of running time lost.",
    1,
  ),
  coreCost: setting(
    quantity(0, LIMITS.moveCost),
    "xi: cost of a gigabyte across the core, beside that of the rack's switch.",
    2,
  ),
  waitCost: setting(
    quantity(0, 1),
    "omega: cost of a second that a map waits. Above 1, maps could preempt one another for ever.",
    0.5,
  ),
  solveEvery: setting(
    duration(0, LIMITS.waitUs),
    "Least time between two solves; 0: on every heartbeat that shows a change and has a free slot.",
    "0s",
    "solveEveryUs",
  ),
});

export const OWN_SECTIONS = {
  quincy: optional(quincySchema, "Of kind quincy: policy and costs."),
  dsfs: optional(dsfsSchema, "Of kind dsfs: how long it waits, and how it is read."),
  capacity: capacitySchema.optional(),
  partition: optional(partitionSchema, "Of the kind partition: whose nodes are whose, and who schedules there."),
  offers: optional(
    offersSchema,
    "Of the kind offers: who gets offers, how they are answered, and who schedules there.",
  ),
} satisfies Record<keyof OwnSettings, z.ZodType>;

/** All sections as they are in a file. */
type OwnFile = { readonly [K in keyof typeof OWN_SECTIONS]?: z.output<(typeof OWN_SECTIONS)[K]> };

/** Settings outside of a section that the section depends on. */
interface Beside {
  readonly outer: OuterSettings;
  readonly imports: Imports;
  /** The racks of the cluster. */
  readonly plans: readonly RackPlan[];
}

const RECORDS: { readonly [K in keyof OwnSettings]-?: (file: OwnFile, beside: Beside) => OwnSettings[K] } = {
  quincy: ({ quincy }) => recordOf(quincySchema, quincy),
  dsfs: ({ dsfs }) => resolveDsfs(dsfs),
  capacity: ({ capacity }, { imports }) => resolveCapacity(capacity, imports),
  partition: ({ partition }, { outer }) => resolvePartition(partition, outer),
  offers: ({ offers }, { outer, plans }) => resolveOffers(offers, outer, plans),
};

/** The settings in the section named after a kind of scheduler, with all defaults. */
export function ownSettings(kind: string, file: OwnFile, beside: Beside): OwnSettings {
  return isOwn(kind) ? { [kind]: RECORDS[kind](file, beside) } : {};
}

function isOwn(kind: string): kind is keyof OwnSettings {
  return Object.hasOwn(RECORDS, kind);
}
