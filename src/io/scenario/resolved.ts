import type { Scenario } from "../../core/scenario/scenario.js";

/**
 * The scenario as JSON can hold it, for results folders: the record as it is, units in its names, with `untilUs` "end",
 * `stuckAfterUs` "never", and every other Infinity "unlimited".
 */
export function resolvedToJson(scenario: Scenario): object {
  return JSON.parse(JSON.stringify(scenario, writable)) as object;
}

function writable(key: string, value: unknown): unknown {
  if (value !== Infinity) return value;
  if (key === "stuckAfterUs") return "never";
  return key === "untilUs" ? "end" : "unlimited";
}
