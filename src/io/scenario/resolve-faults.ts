import { assert } from "../../core/kernel/assert.js";
import { NO_FAULTS } from "../../core/scenario/defaults.js";
import type { FaultEventSpec, FaultRateSpec, FaultsSpec } from "../../core/scenario/faults-spec.js";
import { faultTargets, type FaultTargets } from "./fault-target.js";
import type { FaultEventFile, FaultsFile } from "./faults-schema.js";
import type { RackPlan } from "./rack-plan.js";

const KINDS = { crash: "crash", switch: "switch", slowDisk: "slow-disk", slowNode: "slow-node" } as const;

/** The faults of a valid file; `plans` are the racks they name. */
export function resolveFaults(file: FaultsFile, plans: readonly RackPlan[]): FaultsSpec {
  const { events, rates, stragglers } = file;
  const targets = events === undefined ? undefined : faultTargets(plans);
  return {
    events: targets === undefined ? NO_FAULTS.events : (events ?? []).map((event) => resolveEvent(event, targets)),
    rates: {
      crash: resolveRate(rates?.crash),
      switch: resolveRate(rates?.switch),
      slowDisk: resolveRate(rates?.slowDisk),
      slowNode: resolveRate(rates?.slowNode),
    },
    mapFailure: file.mapFailure ?? NO_FAULTS.mapFailure,
    reduceFailure: file.reduceFailure ?? NO_FAULTS.reduceFailure,
    stragglers: stragglers?.share ?? NO_FAULTS.stragglers,
    stragglerFactor: stragglers?.factor ?? NO_FAULTS.stragglerFactor,
  };
}

function resolveEvent(event: FaultEventFile, targets: FaultTargets): FaultEventSpec {
  const rack = targets.rackOf(event.rack);
  assert(rack !== undefined, "a scenario without problems has a fault of a rack that it does not have");
  return {
    kind: KINDS[event.kind],
    rack,
    node: event.kind === "switch" ? 0 : event.node,
    atUs: event.at,
    forUs: event.for,
    factor: event.kind === "slowDisk" || event.kind === "slowNode" ? event.factor : 1,
  };
}

type RateFile = NonNullable<FaultsFile["rates"]>["crash" | "slowDisk"];

function resolveRate(file: RateFile): FaultRateSpec {
  if (file === undefined) return NO_FAULTS.rates.crash;
  const factor = "factor" in file ? file.factor : 1;
  return { everyUs: file.every, forUs: file.for, factor, untilUs: file.until ?? Infinity };
}
