import { z } from "zod";
import type { PlacementRuleName, PoolMode } from "../../core/scenario/scenario.js";
import { LIMITS } from "./limits.js";
import { choice, count, countOr, durationOr, either, flag, label, listOf, mapping, quantity } from "./values.js";

/** A pool as a file says it. Written by hand, because it may hold others. */
export interface PoolSettingsFile {
  readonly weight: number;
  readonly minMaps: number;
  readonly minReduces: number;
  readonly maxMaps: number;
  readonly maxReduces: number;
  readonly maxJobs?: number | undefined;
  readonly minShareTimeout?: number | undefined;
  readonly fairShareTimeout?: number | undefined;
  readonly mode?: PoolMode | undefined;
  readonly pools?: PoolsFile | undefined;
}

interface NamedPoolFile extends PoolSettingsFile {
  readonly name: string;
}

export type PoolsFile = readonly NamedPoolFile[] | Readonly<Record<string, PoolSettingsFile>>;

const PLACEMENT_RULES = [
  "specified",
  "user",
  "primaryGroup",
  "secondaryGroupExistingPool",
  "default",
  "reject",
] as const satisfies readonly PlacementRuleName[];

const share = count(0, LIMITS.nodes * LIMITS.slotsPerNode);
// A max of 0 would be a pool whose jobs never end.
const most = countOr("unlimited", 1, LIMITS.nodes * LIMITS.slotsPerNode);
const mostJobs = countOr("unlimited", 1, LIMITS.jobs);
const timeout = durationOr("never", 0, LIMITS.waitUs);
const mode = choice(["fair", "fifo"]);

const poolsInside: z.ZodType<PoolsFile> = z.lazy(() => pools);

const poolSettings = {
  weight: quantity(0.001, 1_000_000).prefault(1).describe("Share relative to the other pools beside it."),
  minMaps: share.prefault(0).describe("Map slots promised while there is demand for them."),
  minReduces: share.prefault(0).describe("Reduce slots promised while there is demand for them."),
  maxMaps: most.prefault("unlimited").describe("Most maps at once."),
  maxReduces: most.prefault("unlimited").describe("Most reduces at once."),
  maxJobs: mostJobs.optional().describe("Most jobs that run at once. Default: poolMaxJobs."),
  minShareTimeout: timeout.optional().describe("Default: the minShareTimeout of all pools."),
  fairShareTimeout: timeout.optional().describe("Default: the fairShareTimeout of all pools."),
  mode: mode.optional().describe("Order of the jobs inside the pool. Default: defaultMode."),
  pools: poolsInside.optional().describe("Pools inside this one, which then holds no jobs of its own."),
};

const pools = either(
  [listOf(mapping({ name: label(), ...poolSettings }), "pools"), z.record(z.string(), mapping(poolSettings))],
  () => "a list of pools {name, weight, ...}, or a mapping from names to {weight, minMaps, ...}",
).meta({ id: "pools" });

const placementRule = either(
  [
    choice(PLACEMENT_RULES),
    mapping({
      rule: choice(PLACEMENT_RULES).describe("What proposes a pool."),
      create: flag().prefault(true).describe("The proposal counts even if no such pool is declared."),
    }),
  ],
  () => `${PLACEMENT_RULES.join(", ")}, or a mapping {rule, create}`,
);

const users = z.record(
  z.string(),
  mapping({ maxJobs: mostJobs.describe("Most jobs of this user that run at once.") }),
  { error: () => "a mapping from users to {maxJobs}" },
);

/** What an allocation file says; the same keys may stand directly under `scheduler`. */
export const allocationsShape = {
  pools: pools.optional().describe("Declared pools; others are made on first use with weight 1."),
  users: users.optional().describe("Limits of single users."),
  poolMaxJobs: mostJobs
    .optional()
    .describe("Most jobs of a pool that run at once, if it does not say. Default: unlimited."),
  userMaxJobs: mostJobs
    .optional()
    .describe("Most jobs of a user that run at once, if users does not say. Default: unlimited."),
  minShareTimeout: timeout
    .optional()
    .describe("A pool below its min share for longer has others' tasks killed. Default: never."),
  fairShareTimeout: timeout
    .optional()
    .describe("A pool that far below its fair share for longer has others' tasks killed. Default: never."),
  defaultMode: mode.optional().describe("Order of the jobs inside pools that do not say. Default: fair."),
  placement: listOf(placementRule, "placement rules")
    .meta({ id: "placement" })
    .optional()
    .describe("Rules that choose the pool of a job, in order; the first proposal that counts. Only under branch-1."),
};

export const allocationsSchema = mapping(allocationsShape).meta({ id: "allocations" });

/** Allocations as a file says them. */
export type AllocationsFile = z.output<typeof allocationsSchema>;
