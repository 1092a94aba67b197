import { LIMITS } from "./limits.js";
import { scenarioRow, type SettingsOf } from "./rows.js";

/** Settings of all kinds of schedulers that are plain. */
export const SLOT_SETTINGS = {
  tasksPerHeartbeat: scenarioRow(
    ["countOr", "all", 1, 2 * LIMITS.slotsPerNode],
    "Most tasks handed out on one heartbeat; all: one for every free slot.",
    Infinity,
  ),
  poolBy: scenarioRow(
    ["choice", ["pool", "user", "default"]],
    "What names the pool of a job: its pool, its user, or nothing.",
    "pool",
  ),
};

const MOST_TASKS = ["countOr", "all", 1, LIMITS.slotsPerNode] as const;

/** Those of the kind hfs. */
export const HFS_SETTINGS = {
  mapsPerHeartbeat: scenarioRow(MOST_TASKS, "Most maps handed out on one heartbeat.", Infinity),
  reducesPerHeartbeat: scenarioRow(MOST_TASKS, "Most reduces handed out on one heartbeat.", Infinity),
  sizeBasedWeight: scenarioRow(["flag"], "A job's weight grows with the logarithm of its demand.", false),
  undeclaredPools: scenarioRow(
    ["flag"],
    "Jobs may name pools that are not declared. false: only under 1.2 and branch-1.",
    true,
  ),
};

/** A new job weighs more for a while. */
export const BOOSTER_SETTINGS = {
  factor: scenarioRow(["quantity", 0.001, 1_000_000], "Multiplies the weight of a new job.", 3),
  durationUs: scenarioRow(["duration", 0, LIMITS.waitUs], "For this long after its submission.", "5m"),
};

export type WeightBoosterSpec = SettingsOf<typeof BOOSTER_SETTINGS>;

/**
 * The wait of a job for a node-local, then for a rack-local slot, and then, where the cluster has rows, for one in its
 * row (left out: as long as for one in its rack). `time`: the paper's Algorithm 3, W1 and W2, and W3 for the row.
 * `auto`: each is 1.5 heartbeat intervals, at most 15 s, as Hadoop chooses them. `skips`: Algorithm 2, D1, D2 and D3
 * scheduling opportunities. `fraction`: as many opportunities as that share of the nodes.
 */
export type WaitSpec =
  | { readonly kind: "none" }
  | { readonly kind: "time"; readonly nodeUs: number; readonly rackUs: number; readonly rowUs?: number }
  | { readonly kind: "auto" }
  | { readonly kind: "skips"; readonly node: number; readonly rack: number; readonly row?: number }
  | { readonly kind: "fraction"; readonly node: number; readonly rack: number; readonly row?: number };

/**
 * Long-task balancing (Delay Scheduling, EuroSys 2010, section 3.5.1): long maps keep away from nodes that run more of
 * them than the cluster's average.
 */
export const LONG_TASK_SETTINGS = {
  overUs: scenarioRow(
    ["duration", 1, LIMITS.taskUs],
    "A job is long whose finished maps took more than this on average.",
    undefined,
    { usually: "overMean decides" },
  ),
  overMean: scenarioRow(
    ["quantity", 0.001, LIMITS.longFactor],
    "A job is long whose finished maps took more than so many times the mean of all.",
    2,
  ),
  newJobs: scenarioRow(
    ["choice", ["long", "short"]],
    "What jobs count as before one of their maps has finished.",
    "long",
  ),
  slack: scenarioRow(
    ["quantity", 0, LIMITS.slotsPerNode],
    "Long maps that a node may run beyond the average and still take another.",
    0,
  ),
};

/** `overUs` null: `overMean` decides. */
export interface LongTaskBalanceSpec extends Omit<SettingsOf<typeof LONG_TASK_SETTINGS>, "overUs"> {
  readonly overUs: number | null;
}
