import { isDeepStrictEqual } from "node:util";
import type { AnyScenario } from "../../core/scenario/index.js";
import { formatDuration } from "./units.js";

/**
 * The scenario as JSON can hold it, for results folders: the record as it is, units in its names, with `untilUs` "end",
 * `stuckAfterUs` "never", and every other Infinity "unlimited".
 */
export function resolvedToJson(scenario: object): object {
  return JSON.parse(JSON.stringify(scenario, writable)) as object;
}

function writable(key: string, value: unknown): unknown {
  if (value !== Infinity) return value;
  if (key === "stuckAfterUs") return "never";
  return key === "untilUs" ? "end" : "unlimited";
}

type Value = string | number | boolean | null;

/**
 * Returns all settings of a scenario that affect a run, by path, with times as in a file:
 * `cluster.heartbeat.interval: 3s`. Consecutive items of a list that differ only in their names are one entry:
 * `cluster.racks.0-30.row`. Lists of plain values are texts. The scenario's name and question are left out.
 */
export function settingsOf({ name: _name, why: _why, ...settings }: AnyScenario): Record<string, Value> {
  const pairs: [string, Value][] = [];
  addSettings(pairs, resolvedToJson(settings), "");
  return Object.fromEntries(pairs);
}

function addSettings(pairs: [string, Value][], value: unknown, path: string): void {
  if (typeof value !== "object" || value === null) {
    const isTime = path.endsWith("Us") && typeof value === "number";
    pairs.push([path.replace(/Us$/, ""), isTime && value >= 0 ? formatDuration(value) : (value as Value)]);
    return;
  }
  const inner = (key: string) => (path === "" ? key : `${path}.${key}`);
  if (!Array.isArray(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) pairs.push([path, "none"]);
    for (const [key, innerValue] of entries) addSettings(pairs, innerValue, inner(key));
    return;
  }
  if (value.length === 0 || value.some((item) => typeof item !== "object" || item === null)) {
    pairs.push([path, JSON.stringify(value)]);
    return;
  }
  for (let from = 0; from < value.length;) {
    const first = withoutName(value[from]);
    let to = from + 1;
    while (to < value.length && isDeepStrictEqual(withoutName(value[to]), first)) to++;
    const isOne = to === from + 1;
    addSettings(pairs, isOne ? value[from] : first, inner(isOne ? String(from) : `${from}-${to - 1}`));
    from = to;
  }
}

function withoutName(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  const { name: _name, ...settings } = value as Readonly<Record<string, unknown>>;
  return settings;
}
