import type { StoredPlan } from "./plan-file.js";

/** How the sweep that a file gives now differs from the one that a folder holds, in words; empty: not at all. */
export function planDifferences(held: StoredPlan, now: StoredPlan): string[] {
  const differences: string[] = [];
  if (held.code !== now.code) differences.push(`the code of Bide has changed (${held.bide}, now ${now.bide})`);
  if (!same(held.plugins, now.plugins)) differences.push("the plugins have changed");
  for (const part of [
    "name",
    "why",
    "axes",
    "replications",
    "until",
    "seeds",
    "measures",
    "warmUp",
    "series",
  ] as const) {
    if (!same(held.plan[part], now.plan[part]))
      differences.push(`${part} ${shown(held.plan[part])}, now ${shown(now.plan[part])}`);
  }
  if (!same(held.plan.points, now.plan.points)) {
    differences.push(`other points (${String(held.plan.points.length)}, now ${String(now.plan.points.length)})`);
  }
  if (!same(held.shard, now.shard)) differences.push(`shard ${part(held.shard)}, now ${part(now.shard)}`);
  const ofScenario = differences.length === 0 ? changedKeys(held, now) : null;
  if (ofScenario !== null) differences.push(ofScenario);
  return differences;
}

/** All else is equal, so these are runs of another scenario or workload file. */
function changedKeys(held: StoredPlan, now: StoredPlan): string | null {
  const changed = now.plan.points.filter(({ index }) => !same(held.keys[index], now.keys[index]));
  if (changed.length === 0) return null;
  return `another scenario or workload file at ${String(changed.length)} of ${String(now.plan.points.length)} points, first ${changed[0].label}`;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function part(shard: StoredPlan["shard"]): string {
  return shard === undefined ? "none" : `${String(shard.index)}/${String(shard.count)}`;
}

function shown(part: unknown): string {
  const text = JSON.stringify(part);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
