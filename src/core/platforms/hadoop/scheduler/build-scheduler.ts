import { assert } from "../../../kernel/index.js";
import type { SchedulerSpec } from "../../../scenario/index.js";
import { buildFlat, buildHierarchical } from "./build-pool-scheduler.js";
import { buildCapacity } from "./capacity/capacity-scheduler.js";
import { buildDsfs } from "./dsfs.js";
import { buildHadoopFifo } from "./hadoop-fifo.js";
import { buildKill } from "./kill.js";
import { buildOffers } from "./offers.js";
import { buildPartition } from "./partition.js";
import type { SchedulerPlugin } from "./plugin/plugin-face.js";
import { buildPlugin } from "./plugin/plugin-scheduler.js";
import { buildQuincy } from "./quincy/quincy-scheduler.js";
import { isHadoopFifo } from "./rules.js";
import type { BuildKind, BuiltScheduler, SchedulerContext } from "./scheduler.js";

/** Builders of the scheduler, by kind. */
const BUILDERS: Readonly<Record<string, BuildKind>> = {
  fifo: (spec, around) => (isHadoopFifo(spec) ? buildHadoopFifo : buildFlat)(spec, around),
  fair: buildFlat,
  delay: buildFlat,
  hfs: buildHierarchical,
  capacity: buildCapacity,
  partition: buildPartition,
  dsfs: buildDsfs,
  offers: buildOffers,
  kill: buildKill,
  quincy: buildQuincy,
};

/** Composes the scheduler that a scenario names. */
export function buildScheduler(spec: SchedulerSpec, around: SchedulerContext): BuiltScheduler {
  const build = Object.hasOwn(BUILDERS, spec.kind) ? BUILDERS[spec.kind] : undefined;
  assert(build !== undefined, "a kind of scheduler that nobody can build");
  return build(spec, around);
}

/** Returns a function that builds a scenario's scheduler, built-in or one of the plugins, for a run with the seed. */
export function builderWith(plugins: readonly SchedulerPlugin[], seed: string): BuildKind {
  return (spec, around) => {
    const plugin = plugins.find(({ name }) => name === spec.kind);
    if (plugin === undefined) return buildScheduler(spec, around);
    return buildPlugin({ plugin, seed }, spec, around);
  };
}
