import type { SchedulerSpec } from "../../scenario/scenario.js";
import { type BuiltScheduler, onePool, type SchedulerSurroundings } from "../built-scheduler.js";
import { NO_WAIT } from "../locality-wait.js";
import { Pools, Users } from "../pools.js";
import { HookCalls } from "./hook-calls.js";
import { ClusterView } from "./plugin-cluster.js";
import type { PluginError } from "./plugin-error.js";
import { shownValue } from "./plugin-error.js";
import type { PluginScheduler, SchedulerPlugin } from "./plugin-face.js";
import { PluginKills } from "./plugin-kills.js";
import { PluginAdapter } from "./plugin-scheduler.js";

/** Least time between two updates of a plugin. */
const LEAST_UPDATE_US = 1_000;

/**
 * A scheduler of a user's own, created anew for this run.
 * @param seed of the run; its random streams are a function of it.
 * @throws PluginError when the plugin throws, or creates something else than a scheduler.
 */
export function buildPlugin(
  plugin: SchedulerPlugin,
  seed: string,
  spec: SchedulerSpec,
  around: SchedulerSurroundings,
): BuiltScheduler {
  const calls = new HookCalls(plugin.name);
  const cluster = new ClusterView(around, seed, calls);
  const own = checkedOwn(
    calls,
    calls.value("create", 0, () => plugin.create(cluster, spec.options ?? {})),
  );
  const kills = new PluginKills(around.launcher, calls, own);
  const users = new Users();
  // Handles of pools are places in this list; no pool has anything but a name.
  const poolNames: string[] = [];
  const scheduler = new PluginAdapter({
    ...{ around, calls, own, kills },
    tasksPerHeartbeat: spec.tasksPerHeartbeat,
    factsOf: (job) => {
      const spec = around.workload.jobs[around.jobs.id[job]];
      return {
        name: spec.name,
        user: users.names[around.jobs.user[job]],
        pool: poolNames[around.jobs.pool[job]],
        deadlineUs: spec.deadlineUs === undefined ? null : around.jobs.startUs[job] + spec.deadlineUs,
        inputBytes: spec.input === null ? 0 : spec.maps * (spec.inputBytesPerMap ?? around.blockBytes),
      };
    },
    onSlots: (maps, reduces) => {
      cluster.slotsChanged(maps, reduces);
    },
  });
  return {
    scheduler,
    pools: new Pools(onePool("fair"), around.slots, false),
    users,
    hasPools: false,
    poolOf: (name) => placeOf(poolNames, name),
    preemptions: kills.counts,
    isHeldBack: () => false,
    waitOf: () => NO_WAIT,
    taskDone: (job, type, ranUs) => {
      scheduler.taskDone(job, type, ranUs);
    },
  };
}

const HOOKS = [
  "choose",
  "order",
  "jobAdded",
  "jobReady",
  "jobEnded",
  "launched",
  "attemptEnded",
  "update",
  "kills",
] as const;

/** What `create` returned, if it is a scheduler. */
function checkedOwn(calls: HookCalls, given: unknown): PluginScheduler {
  const wrong = (found: string, allowed: string): PluginError => calls.wrong("create", 0, found, allowed);
  if (typeof given !== "object" || given === null) throw wrong(shownValue(given), "an object with choose or order");
  const own = given as Readonly<Record<string, unknown>>;
  for (const hook of HOOKS) {
    if (own[hook] !== undefined && typeof own[hook] !== "function") {
      throw wrong(`${shownValue(own[hook])} for ${hook}`, "a function");
    }
  }
  if ((own.choose === undefined) === (own.order === undefined)) {
    throw wrong(own.choose === undefined ? shownValue(given) : "both choose and order", "one of choose and order");
  }
  const every = own.updateEveryUs;
  if (every !== undefined && !(Number.isSafeInteger(every) && (every as number) >= LEAST_UPDATE_US)) {
    throw wrong(`${shownValue(every)} for updateEveryUs`, `a whole number of microseconds from ${LEAST_UPDATE_US} on`);
  }
  if (every === undefined && (own.update ?? own.kills) !== undefined) {
    throw wrong("update or kills without updateEveryUs", "how often they shall be called");
  }
  return given;
}

function placeOf(names: string[], name: string): number {
  const known = names.indexOf(name);
  return known >= 0 ? known : names.push(name) - 1;
}
