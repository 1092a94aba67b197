import { duplicate, valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import { pathOfPool, poolsOf } from "./resolve-scheduler.js";
import { asLabel, LABEL_ALLOWED } from "./scalars.js";
import type { ScenarioFile } from "./scenario-schema.js";
import { quote, showPath } from "./show.js";

/** What is wrong with the scheduler, beyond single values. */
export function schedulerProblems(scheduler: ScenarioFile["scheduler"]): Problem[] {
  return waitProblems(scheduler).concat(poolProblems(scheduler));
}

function waitProblems(scheduler: ScenarioFile["scheduler"]): Problem[] {
  const wait = typeof scheduler === "string" ? undefined : scheduler.wait;
  if (wait === undefined || wait === "none") return [];
  const hasTimes = wait.node !== undefined || wait.rack !== undefined;
  const hasSkips = wait.nodeSkips !== undefined || wait.rackSkips !== undefined;
  if (!hasTimes || !hasSkips) return [];
  const allowed = "either node and rack (times), or nodeSkips and rackSkips (counts)";
  return [valueProblem(["scheduler", "wait"], "both times and skip counts for scheduler.wait", allowed)];
}

function poolProblems(scheduler: ScenarioFile["scheduler"]): Problem[] {
  const names = new Set<string>();
  return poolsOf(scheduler).flatMap((pool, i) => {
    const path = pathOfPool(scheduler, i, pool.name);
    const problems: Problem[] = [];
    if (asLabel(pool.name) === undefined) {
      problems.push({
        path,
        atKey: true,
        message: `found the pool name ${quote(pool.name)}, allowed ${LABEL_ALLOWED}`,
      });
    }
    if (names.has(pool.name)) problems.push(duplicate([...path, "name"], "pool", pool.name));
    names.add(pool.name);
    for (const [min, max] of [
      ["minMaps", "maxMaps"],
      ["minReduces", "maxReduces"],
    ] as const) {
      if (pool[min] <= pool[max]) continue;
      const found = `${String(pool[min])} for ${showPath([...path, min])}`;
      problems.push(valueProblem([...path, min], found, `at most its ${max}, ${String(pool[max])}`));
    }
    return problems;
  });
}
