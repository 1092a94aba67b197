import { DEFAULT_OFFERS } from "../../core/scenario/defaults.js";
import { assert } from "../../core/kernel/assert.js";
import type { FrameworkSpec, NodesSpec, OffersSpec } from "../../core/scenario/offers-spec.js";
import { faultTargets, type FaultTargets } from "./fault-target.js";
import type { FrameworkFile } from "./offers-schema.js";
import type { RackPlan } from "./rack-plan.js";
import { resolveInner } from "./resolve-inner-scheduler.js";
import type { SchedulerSettings } from "./scheduler-schema.js";

/** The settings of offers; all have defaults. `plans` are the racks that frameworks name. */
export function resolveOffers(settings: SchedulerSettings, plans: readonly RackPlan[]): OffersSpec {
  const { offers } = settings;
  const usual: FrameworkSpec = {
    ...DEFAULT_OFFERS.usual,
    inner: resolveInner(offers?.inner ?? DEFAULT_OFFERS.usual.inner.kind, settings),
    refuseForUs: offers?.refuseFor ?? DEFAULT_OFFERS.usual.refuseForUs,
    answerAfterUs: offers?.answerAfter ?? DEFAULT_OFFERS.usual.answerAfterUs,
  };
  const given = Object.entries(offers?.frameworks ?? {});
  const targets = given.some(([, { nodes }]) => nodes !== undefined) ? faultTargets(plans) : undefined;
  return {
    by: offers?.by ?? DEFAULT_OFFERS.by,
    usual,
    frameworks: given.map(([name, file]) => ({ name, ...framework(file, usual, settings, targets) })),
    rescindAfterUs: offers?.rescindAfter ?? DEFAULT_OFFERS.rescindAfterUs,
  };
}

function framework(
  file: FrameworkFile,
  usual: FrameworkSpec,
  settings: SchedulerSettings,
  targets: FaultTargets | undefined,
): FrameworkSpec {
  return {
    inner: file.inner === undefined ? usual.inner : resolveInner(file.inner, settings),
    weight: file.weight ?? usual.weight,
    priority: file.priority ?? usual.priority,
    refuseForUs: file.refuseFor ?? usual.refuseForUs,
    answerAfterUs: file.answerAfter ?? usual.answerAfterUs,
    nodes: targets === undefined ? null : (file.nodes?.map((nodes) => listed(nodes, targets)) ?? null),
    minFreeMaps: file.minFreeMaps ?? usual.minFreeMaps,
    minFreeReduces: file.minFreeReduces ?? usual.minFreeReduces,
  };
}

function listed({ rack: name, node }: NonNullable<FrameworkFile["nodes"]>[number], targets: FaultTargets): NodesSpec {
  const rack = targets.rackOf(name);
  assert(rack !== undefined, "a scenario without problems lists nodes of a rack that it does not have");
  return { rack, node: node ?? null };
}
