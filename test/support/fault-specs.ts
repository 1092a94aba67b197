import type { FaultEventSpec, FaultRateSpec, FaultsSpec } from "../../dist/core/scenario/index.js";
import { NO_FAULTS } from "../../dist/io/index.js";

const SECOND = 1_000_000;

/** A fault by seconds. */
export function faultAt(
  kind: FaultEventSpec["kind"],
  rack: number,
  node: number,
  atSeconds: number,
  forSeconds: number,
  factor = 1,
): FaultEventSpec {
  return { kind, rack, node, atUs: atSeconds * SECOND, forUs: forSeconds * SECOND, factor };
}

export function faultsOf(events: readonly FaultEventSpec[], rates: Partial<FaultsSpec["rates"]> = {}): FaultsSpec {
  return { ...NO_FAULTS, events, rates: { ...NO_FAULTS.rates, ...rates } };
}

export function rateOf(everySeconds: number, forSeconds: number, untilSeconds = Infinity, factor = 1): FaultRateSpec {
  return { everyUs: everySeconds * SECOND, forUs: forSeconds * SECOND, untilUs: untilSeconds * SECOND, factor };
}
