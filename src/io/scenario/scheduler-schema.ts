import { z } from "zod";
import { MAX_TIME_US } from "../../core/kernel/time.js";
import type { PreemptionSpec } from "../../core/scenario/scenario.js";
import { SCHEDULER_KINDS } from "../../core/scheduler/kinds.js";
import { allocationsSchema, allocationsShape } from "./allocations-schema.js";
import { capacitySchema } from "./capacity-schema.js";
import { dsfsSchema } from "./dsfs-schema.js";
import { LIMITS } from "./limits.js";
import { quincySchema } from "./quincy-schema.js";
import { longTaskBalanceSchema } from "./long-task-balance-schema.js";
import { allowedNames } from "./show.js";
import {
  choice,
  choiceAndMore,
  countOr,
  duration,
  either,
  flag,
  label,
  listOf,
  mapping,
  quantity,
  settings,
  spelled,
  text,
} from "./values.js";
import { offersSchema } from "./offers-schema.js";
import { partitionSchema } from "./partition-schema.js";
import { waitSchema } from "./wait-schema.js";

const KIND_NAMES = SCHEDULER_KINDS.map((kind) => kind.name);
const KIND_WORDS = SCHEDULER_KINDS.map(({ name, summary }) => `${name}: ${summary}.`).join(" ");

/** The name of a built-in kind, or of one of these plugins. */
function kindName(plugins: readonly string[]) {
  return choiceAndMore([...KIND_NAMES, ...plugins], PLUGIN_HINT).describe(KIND_WORDS);
}

/** Only the command line registers code. */
const PLUGIN_HINT = " (--plugin FILE adds your own)";

const rules = spelled(
  ["paper", "0.21", "1.2", "branch-1"],
  [
    [0.21, "0.21"],
    [1.2, "1.2"],
  ],
);

const preemptionMode = spelled<PreemptionSpec["mode"]>(
  ["off", "log", "kill"],
  [
    ["on", "kill"],
    [true, "kill"],
    [false, "off"],
  ],
);

const preemption = either(
  [
    preemptionMode,
    mapping({
      mode: preemptionMode.describe("log: count what would be killed, kill nothing."),
      interval: duration(0, LIMITS.waitUs).prefault("15s").describe("Least time between two checks."),
    }),
  ],
  () => "off, log, kill, or a mapping {mode, interval}",
);

const loadCap = either(
  [
    choice(["off"]),
    mapping({ maxDiff: quantity(0, 1).prefault(0).describe("How far above the load of the cluster a node may go.") }),
  ],
  () => "off, or a mapping {maxDiff: 0}",
);

const weightBooster = either(
  [
    choice(["off"]),
    mapping({
      factor: quantity(0.001, 1_000_000).prefault(3).describe("Multiplies the weight of a new job."),
      duration: duration(0, LIMITS.waitUs).prefault("5m").describe("For this long after its submission."),
    }),
  ],
  () => "off, or a mapping {factor: 3, duration: 5m}",
);

const allocations = either([text(1, LIMITS.pathLength), allocationsSchema], (input) =>
  typeof input === "string"
    ? `the path of an allocation file, 1 to ${String(LIMITS.pathLength)} characters`
    : `the path of an allocation file, or a mapping with the keys ${Object.keys(allocationsShape).join(", ")}`,
);

const reload = mapping({
  at: duration(1, MAX_TIME_US).describe("When it takes effect; later than the one before."),
  allocations: allocations.describe("Replaces the former allocations as a whole: a file, or a mapping."),
});

const mostTasks = countOr("all", 1, LIMITS.slotsPerNode);

const composition = mapping({
  kind: kindName([]).prefault("hfs"),
  options: settings("options that the plugin knows")
    .optional()
    .describe("What a scheduler of --plugin is told; the plugin says what it understands."),
  rules: rules
    .optional()
    .describe("Whose rules hfs follows: the paper's, or those of a Hadoop release. Default paper."),
  wait: waitSchema
    .optional()
    .describe(
      "How long a job waits for data locality. Default: that of the kind; auto under a Hadoop release's rules.",
    ),
  tasksPerHeartbeat: countOr("all", 1, 2 * LIMITS.slotsPerNode)
    .prefault("all")
    .describe("Most tasks handed out on one heartbeat; all: one for every free slot."),
  mapsPerHeartbeat: mostTasks.optional().describe("Most maps handed out on one heartbeat. Default all."),
  reducesPerHeartbeat: mostTasks.optional().describe("Most reduces handed out on one heartbeat. Default all."),
  updateInterval: duration(0, LIMITS.waitUs)
    .optional()
    .describe("Demands and shares are refreshed this often; 0: always fresh. Default: that of the kind."),
  preference: choice(["input", "cache"])
    .optional()
    .describe(
      "What makes a node near, for jobs that need a file there: that file (cache), or their input. Default input.",
    ),
  longTasks: longTaskBalanceSchema
    .optional()
    .describe("Long maps keep away from nodes that run more of them than the average. Default off."),
  countsThisHeartbeat: flag()
    .optional()
    .describe(
      "What a heartbeat has handed out counts for the load cap and for the choice between map and reduce. Default by rules.",
    ),
  loadCap: loadCap
    .optional()
    .describe(
      "Keeps nodes from taking more than their part of the load. Default: off; maxDiff 0 under Hadoop's rules.",
    ),
  preemption: preemption
    .optional()
    .describe("Tasks are killed for pools that have been starved too long. Default off."),
  sizeBasedWeight: flag().optional().describe("A job's weight grows with the logarithm of its demand. Default false."),
  weightBooster: weightBooster.optional().describe("New jobs weigh more for a while. Default off."),
  poolBy: choice(["pool", "user", "default"])
    .optional()
    .describe("What names the pool of a job: its pool, its user, or nothing. Default pool."),
  undeclaredPools: flag()
    .optional()
    .describe("Jobs may name pools that are not declared. Default true; false only under 1.2 and branch-1."),
  groups: z
    .record(z.string(), listOf(label(), "group names"), {
      error: () => "a mapping from users to lists of group names",
    })
    .optional()
    .describe("Groups of users, the first one primary; for placement rules."),
  quincy: quincySchema.optional().describe("Of kind quincy: policy and costs."),
  ...allocationsShape,
  allocations: allocations
    .optional()
    .describe("An allocation file (fair-scheduler.xml), or what one says, in place of the same keys right here."),
  dsfs: dsfsSchema.optional().describe("Of kind dsfs: how long it waits, and how it is read."),
  reloads: listOf(reload, "reloads {at, allocations}").optional().describe("Allocations that take effect later."),
  capacity: capacitySchema.optional(),
  partition: partitionSchema
    .optional()
    .describe("Of the kind partition: whose nodes are whose, and who schedules there."),
  offers: offersSchema
    .optional()
    .describe("Of the kind offers: who gets offers, how they are answered, and who schedules there."),
});

/** `scheduler`: the name of a kind, built-in or of one of these plugins, or a mapping. */
export function schedulerSchemaWith(plugins: readonly string[]) {
  const kind = kindName(plugins);
  const names = [...KIND_NAMES, ...plugins];
  return either([kind, composition.extend({ kind: kind.prefault("hfs") })], (input) =>
    typeof input === "string"
      ? allowedNames(names, input) + PLUGIN_HINT
      : `one of ${names.join(", ")}, or a mapping {kind, rules, wait, pools, ...}`,
  )
    .prefault("hfs")
    .describe("Which task a free slot gets: a kind, or a mapping with kind, wait and pools.");
}

export const schedulerSchema = schedulerSchemaWith([]);

/** The scheduler as a file says it. */
export type SchedulerFile = z.output<typeof schedulerSchema>;
/** The same in its long form. */
export type SchedulerSettings = z.output<typeof composition>;
