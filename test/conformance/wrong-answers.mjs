/** What a function-level case expects, by the last key of the path; its other numbers are what is asked. */
const ANSWERS = new Set(["cap", "assignable", "max", "intervalMs", "autoDelayMs", "shares", "pool", "before"]);

/**
 * Every single expectation of a case changed, one at a time: numbers by one, words to others, lists in order and
 * length. Each comes as `wrong`, the whole case, with `what` was changed; `everywhere`: it must fail under every rule
 * set of the case.
 */
export function* wrongAnswers(scenario) {
  if (scenario.kind === "timeline") {
    for (const [i, step] of scenario.steps.entries()) {
      for (const part of ["expect", "derived"]) {
        if (step[part] !== undefined) yield* changes(scenario, ["steps", i, part], true);
      }
    }
    return;
  }
  if (scenario.expect.configError === true) {
    yield changed(scenario, ["expect"], { cases: [{ requested: "default", user: "u", pool: null }] }, true);
    return;
  }
  for (const path of pathsIn(scenario.expect, ["expect"])) {
    const name = path.findLast((key) => typeof key === "string");
    if (ANSWERS.has(name)) yield* changes(scenario, path, scenario.kind !== "heartbeatInterval");
  }
}

function* pathsIn(value, path) {
  if (typeof value !== "object" || value === null || path.at(-1) === "before") yield path;
  else
    for (const key of Object.keys(value))
      yield* pathsIn(value[key], [...path, Array.isArray(value) ? Number(key) : key]);
}

function* changes(scenario, path, everywhere) {
  const value = path.reduce((node, key) => node[key], scenario);
  const to = (other) => changed(scenario, path, other, everywhere);
  const key = path.at(-1);
  if (typeof value === "number") {
    yield to(value + 1);
    yield to(value - 1);
  } else if (typeof value === "boolean") yield to(!value);
  else if (value === null) yield to("somebody");
  else if (typeof value === "string")
    yield to(key === "lastLocality" ? otherLevel(value) : value === "unlimited" ? 1e9 : "elsewhere");
  else if (key === "before") yield to(value.map(([a, b]) => [b, a]));
  else if (key === "assigned") yield* otherLists(value).map(to);
  else if (Object.hasOwn(value, "approx")) {
    yield to({ ...value, approx: value.approx + 1 });
    yield to({ ...value, approx: value.approx - 1 });
  } else if (key === "from") {
    if (value.length > 0) yield to([]);
  } else for (const inner of Object.keys(value)) yield* changes(scenario, [...path, inner], everywhere);
}

function otherLists(tasks) {
  const others = [[...tasks, tasks[0] ?? "job1/m0"]];
  if (tasks.length > 0) others.push(tasks.slice(1));
  if (tasks.length > 1) others.push(tasks.toReversed());
  return others;
}

const otherLevel = (level) => (level === "NODE" ? "ANY" : "NODE");

function changed(scenario, path, value, everywhere) {
  const wrong = structuredClone(scenario);
  const at = path.slice(0, -1).reduce((node, key) => node[key], wrong);
  at[path.at(-1)] = value;
  return { wrong, what: `${path.join(".")} = ${JSON.stringify(value)}`, everywhere };
}
