import { checkPlacement } from "../../core/scheduler/pools.js";
import type { Rules } from "../../core/scheduler/rules.js";
import type { Diagnostic } from "../input-error.js";
import { allocationPlaces, settingsOf, shortForm, type AllocationsPlace } from "./allocation-places.js";
import { valueProblem } from "./check-cluster.js";
import { badName, declaredPools, type DeclaredPool } from "./declared-pools.js";
import type { Problem } from "./diagnose.js";
import type { Imports } from "./imports.js";
import { kindOf, rulesOf } from "./resolve-scheduler.js";
import { placementOf } from "./resolve-allocations.js";
import { asLabel } from "./values.js";
import type { SchedulerFile } from "./scheduler-schema.js";
import { showPath } from "./show.js";

/** What is wrong with the allocations that the scenario itself spells out. Those of files are checked when they are read. */
export function allocationsProblems(file: SchedulerFile): Problem[] {
  return [...bothForms(file), ...allocationPlaces(file).flatMap((place) => placeProblems(place, file))];
}

/** Placement rules of files that the scheduler's rules cannot obey, each at its place in its file. */
export function filePlacementProblems(file: SchedulerFile, imports: Imports): Diagnostic[] {
  const settings = settingsOf(file);
  const rules = rulesOf(settings);
  // Other kinds heed no allocations, and a note says so.
  if (!kindOf(settings).hasPools || rules.placesByRules) return [];
  const given = new Set(allocationPlaces(file).map((place) => place.given));
  return [...given].flatMap((path) => {
    const at = typeof path === "string" ? imports.files.get(path)?.placementAt : undefined;
    return at === undefined || at === null ? [] : [{ ...at, message: placementUnder(rules) }];
  });
}

function placementUnder({ name }: Rules): string {
  return `found placement rules under rules ${name}, allowed only under branch-1 (scheduler.rules: branch-1)`;
}

function bothForms(file: SchedulerFile): Problem[] {
  const settings = settingsOf(file);
  const keys = settings.allocations === undefined ? [] : shortForm(settings);
  return keys.map((key) => ({
    path: ["scheduler", key],
    atKey: true,
    message: `found scheduler.${key} beside scheduler.allocations, allowed one of the two: all of it in allocations, or without that key`,
  }));
}

function placeProblems({ path, given }: AllocationsPlace, file: SchedulerFile): Problem[] {
  if (typeof given === "string") return [];
  const users = Object.keys(given.users ?? {}).filter((user) => asLabel(user) === undefined);
  const { pools, problems } = declaredPools(given.pools, [...path, "pools"]);
  return [
    ...problems,
    ...pools.flatMap(poolProblems),
    ...users.map((user) => badName([...path, "users", user], "user", user)),
    ...(given.placement === undefined ? [] : placementProblems([...path, "placement"], placementOf(given), file)),
  ];
}

function poolProblems({ settings, holdsPools, path }: DeclaredPool): Problem[] {
  const problems: Problem[] = [];
  for (const [min, max] of [
    ["minMaps", "maxMaps"],
    ["minReduces", "maxReduces"],
  ] as const) {
    if (settings[min] <= settings[max]) continue;
    const found = `${String(settings[min])} for ${showPath([...path, min])}`;
    problems.push(valueProblem([...path, min], found, `at most its ${max}, ${String(settings[max])}`));
  }
  if (holdsPools && settings.mode === "fifo") {
    const found = `fifo for ${showPath([...path, "mode"])}, a pool with pools inside`;
    problems.push(valueProblem([...path, "mode"], found, "fair, or the mode of the pools inside"));
  }
  return problems;
}

function placementProblems(
  path: readonly PropertyKey[],
  placement: ReturnType<typeof placementOf>,
  file: SchedulerFile,
): Problem[] {
  const settings = settingsOf(file);
  const rules = rulesOf(settings);
  if (kindOf(settings).hasPools && !rules.placesByRules) {
    return [{ path, atKey: true, message: placementUnder(rules) }];
  }
  const wrong = checkPlacement(placement ?? []);
  return wrong === null ? [] : [{ path, atKey: false, message: wrong }];
}
