import { assert } from "../../../kernel/index.js";
import type { SchedulerSpec } from "../../../scenario/index.js";
import { SCHEDULER_KINDS } from "./kinds.js";
import { NO_WATCH, type WatchOf } from "./plugin/plugin-error.js";
import type { SchedulerPlugin } from "./plugin/plugin-face.js";
import { buildPlugin } from "./plugin/plugin-scheduler.js";
import type { BuildKind, BuiltScheduler, SchedulerContext } from "./scheduler.js";

/** Composes the scheduler that a scenario names. */
export function buildScheduler(spec: SchedulerSpec, around: SchedulerContext): BuiltScheduler {
  const known = SCHEDULER_KINDS.find(({ name }) => name === spec.kind);
  assert(known !== undefined, "a kind of scheduler that nobody can build");
  return known.build(spec, around);
}

/** Composes what a scenario names among the built-in kinds and these plugins, for a run with that seed. */
export function builderWith(plugins: readonly SchedulerPlugin[], seed: string, watchOf: WatchOf = NO_WATCH): BuildKind {
  return (spec, around) => {
    const plugin = plugins.find(({ name }) => name === spec.kind);
    if (plugin === undefined) return buildScheduler(spec, around);
    return buildPlugin({ plugin, seed, hooks: watchOf(plugin.name) }, spec, around);
  };
}
