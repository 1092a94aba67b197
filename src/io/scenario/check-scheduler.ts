import { RULES } from "../../core/scheduler/rules.js";
import { allocationsProblems } from "./check-allocations.js";
import { capacityProblems } from "./check-capacity.js";
import { valueProblem } from "./check-cluster.js";
import { dsfsProblems } from "./check-dsfs.js";
import { longTaskBalanceProblems } from "./check-long-task-balance.js";
import { reloadProblems } from "./check-reloads.js";
import { hasTimeout } from "../../core/scheduler/pools.js";
import { allocationPlaces, settingsOf } from "./allocation-places.js";
import { badName } from "./declared-pools.js";
import { ownerProblems } from "./check-owners.js";
import { givenForms, waitProblems, type WaitFile } from "./check-wait.js";
import type { Problem } from "./diagnose.js";
import type { Imports } from "./imports.js";
import { allocationsAt } from "./resolve-allocations.js";
import { kindOf, resolvePreemption, rulesOf, updateIntervalOf } from "./resolve-scheduler.js";
import { asLabel } from "./values.js";
import type { SchedulerFile, SchedulerSettings } from "./scheduler-schema.js";

/** What is wrong with the scheduler, beyond single values. */
export function schedulerProblems(file: SchedulerFile, imports: Imports): Problem[] {
  const settings = settingsOf(file);
  return [
    ...longTaskBalanceProblems(settings.longTasks),
    ...waitProblems(settings.wait, ["scheduler", "wait"]),
    ...ownerProblems(settings),
    ...dsfsProblems(settings),
    ...groupProblems(settings),
    ...allocationsProblems(file),
    ...reloadProblems(file, imports),
    ...capacityProblems(settings.capacity),
    // Other kinds follow no rules.
    ...(kindOf(settings).hasPools ? [...ruleProblems(settings), ...timeoutProblems(file, imports)] : []),
  ];
}

function groupProblems({ groups }: SchedulerSettings): Problem[] {
  const users = Object.keys(groups ?? {}).filter((user) => asLabel(user) === undefined);
  return users.map((user) => badName(["scheduler", "groups", user], "user", user));
}

/** What the rules that hfs follows do not have. */
function ruleProblems(settings: SchedulerSettings): Problem[] {
  const rules = rulesOf(settings);
  const problems: Problem[] = [];
  if (rules.oneDelay && typeof settings.wait === "object") problems.push(...twoDelays(settings.wait, rules.name));
  if (settings.undeclaredPools === false && !rules.mayRefusePools) {
    const refusing = Object.values(RULES).filter(({ mayRefusePools }) => mayRefusePools);
    const allowed = `true; pools are refused only under rules ${refusing.map(({ name }) => name).join(" and ")}`;
    const found = `false for scheduler.undeclaredPools under rules ${rules.name}`;
    problems.push(valueProblem(["scheduler", "undeclaredPools"], found, allowed));
  }
  const { mode } = resolvePreemption(settings.preemption);
  if (mode !== "off" && updateIntervalOf(settings) === 0) {
    const found = `0 for scheduler.updateInterval with preemption ${mode}`;
    const allowed = "more, for preemption is checked after updates";
    problems.push(valueProblem(["scheduler", "updateInterval"], found, allowed));
  }
  return problems;
}

/** Pools are found to be starved at updates. */
function timeoutProblems(file: SchedulerFile, imports: Imports): Problem[] {
  const settings = settingsOf(file);
  if (updateIntervalOf(settings) !== 0) return [];
  const all = allocationPlaces(file).map((place) => allocationsAt(place, imports, rulesOf(settings)));
  const isTimed = all.some((spec) => spec !== undefined && hasTimeout(spec));
  if (!isTimed) return [];
  const found = "0 for scheduler.updateInterval with timeouts of pools";
  return [valueProblem(["scheduler", "updateInterval"], found, "more, for starved pools are found by updates")];
}

function twoDelays(wait: WaitFile, rules: string): Problem[] {
  return givenForms(wait).flatMap(([, ...keys]) => {
    const [first, ...others] = keys.filter((key) => wait[key] !== undefined);
    return others
      .filter((key) => wait[key] !== wait[first])
      .map((key) => {
        const found = `a ${key} that differs from ${first} in scheduler.wait under rules ${rules}, which have one delay`;
        return valueProblem(["scheduler", "wait", key], found, `the same, or only one of the two`);
      });
  });
}
