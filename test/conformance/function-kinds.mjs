import { z } from "zod";
import { heartbeatIntervalUs } from "../../dist/core/cluster/index.js";
import {
  autoWaitUs,
  loadCap,
  mayTakeAnother,
  mostOfType,
  checkPlacement,
  placeJob,
  fairShares,
} from "../../dist/core/platforms/hadoop/index.js";
import { compareFair } from "../support/fair-order.mjs";
import { inWords, isAsWanted } from "./expectations.mjs";
import {
  amount,
  flag,
  limit,
  listOf,
  ms,
  name,
  object,
  oneOf,
  slots,
  text,
  tolerance,
  weight,
  whole,
} from "./shapes.mjs";

const casesOf = (shape) =>
  object({
    cases: listOf(object({ "note?": text, ...shape }), "a list of cases").min(1, { error: "at least one case" }),
  });
const maxDiff = amount;
const slotType = oneOf("map", "reduce");

/** Fails where a case does not give what it should. */
function each({ cases }, path, expectedOf, gotOf, fail) {
  cases.forEach((one, i) => {
    const [expected, got] = [expectedOf(one), gotOf(one)];
    if (!isAsWanted(got, expected)) fail(i, path, inWords(expected), inWords(got));
  });
}

const fairSharesKind = {
  shape: {
    "type?": slotType,
    slots: amount,
    schedulables: listOf(object({ "name?": name, demand: amount, minShare: amount, weight }), "a list of schedulables"),
    expect: object({ shares: listOf(amount, "a list of shares"), tol: tolerance }),
  },
  broken: ({ schedulables, expect }) =>
    schedulables.length === expect.shares.length
      ? []
      : [
          `expect.shares: found ${expect.shares.length} shares, allowed is one for each of ${schedulables.length} schedulables`,
        ],
  run({ slots, schedulables, expect }, rules, fail) {
    const shares = fairShares(schedulables, slots);
    expect.shares.forEach((approx, i) => {
      const want = { approx, tol: expect.tol };
      if (!isAsWanted(shares[i], want)) fail(i, `shares[${i + 1}]`, inWords(want), inWords(shares[i]));
    });
  },
};

const fairComparatorKind = {
  shape: {
    "type?": slotType,
    schedulables: listOf(
      object({ name, demand: amount, minShare: amount, running: amount, weight, "start?": amount }),
      "a list of schedulables",
    ),
    expect: object({
      before: listOf(listOf(name, "a pair of names").length(2, { error: "a pair of names" }), "a list of pairs").min(
        1,
        {
          error: "at least one pair",
        },
      ),
    }),
  },
  broken({ schedulables, expect }) {
    const names = schedulables.map((one) => one.name);
    const twice = names.filter((one, i) => names.indexOf(one) < i);
    return [
      ...twice.map((one) => `schedulables: found ${one} twice, allowed is one of each`),
      ...expect.before
        .flat()
        .flatMap((one) => (names.includes(one) ? [] : [`expect.before: found ${one}, allowed ${names.join(", ")}`])),
    ];
  },
  run({ schedulables, expect }, rules, fail) {
    const byName = new Map(schedulables.map(({ start = 0, ...one }) => [one.name, { ...one, startUs: start }]));
    expect.before.forEach(([first, second], i) => {
      const there = compareFair(byName.get(first), byName.get(second), rules);
      const back = compareFair(byName.get(second), byName.get(first), rules);
      if (!(there < 0 && back > 0))
        fail(i, "before", `${first} before ${second}`, `${there}, and ${back} the other way`);
    });
  },
};

const loadCapKind = {
  shape: {
    "type?": slotType,
    maxDiff,
    expect: casesOf({ demand: amount, trackerSlots: slots, totalSlots: limit, cap: slots }),
  },
  run({ maxDiff: diff, expect }, _rules, fail) {
    const capOf = (one) => loadCap(one.trackerSlots, diff, one.demand, one.totalSlots);
    each(expect, "cap", ({ cap }) => cap, capOf, fail);
  },
};

const canAssignKind = {
  shape: {
    "type?": slotType,
    expect: casesOf({
      maxDiff,
      trackerSlots: slots,
      running: slots,
      totalSlots: limit,
      demand: amount,
      assignable: slots,
    }),
  },
  run({ expect }, _rules, fail) {
    // Where what a heartbeat hands out does not count, the tracker of the format reports it at once, so that it does.
    const assignable = ({ maxDiff: diff, trackerSlots, running, totalSlots, demand }) => {
      let given = 0;
      while (mayTakeAnother(running + given, trackerSlots, diff, demand, totalSlots)) given++;
      return given;
    };
    each(expect, "assignable", (one) => one.assignable, assignable, fail);
  },
};

const maxTasksKind = {
  shape: {
    "type?": slotType,
    expect: casesOf({
      assignMultiple: flag,
      mapCap: z.union([whole(-1, Number.MAX_SAFE_INTEGER), z.null()], { error: "a whole number, -1 or null for none" }),
      availableMapSlots: slots,
      max: limit,
    }),
  },
  run({ expect }, rules, fail) {
    const most = ({ assignMultiple, mapCap, availableMapSlots }) => {
      const cap = mapCap === null || mapCap === -1 ? Infinity : mapCap;
      return mostOfType(rules, cap, availableMapSlots, assignMultiple ? Infinity : 1);
    };
    each(expect, "max", ({ max }) => max, most, fail);
  },
};

const PLACEMENT_RULES = ["specified", "user", "primaryGroup", "secondaryGroupExistingPool", "default", "reject"];

const placementKind = {
  shape: {
    rules: listOf(object({ rule: oneOf(...PLACEMENT_RULES), "create?": flag }), "a list of rules"),
    configuredPools: listOf(name, "a list of pools"),
    "groupsOf?": text,
    expect: z.union(
      [
        casesOf({ requested: text, user: text, pool: z.union([name, z.null()], { error: "a pool, or null" }) }),
        object({ configError: z.literal(true) }),
      ],
      { error: "{cases} with requested, user and pool each, or {configError: true}" },
    ),
  },
  run({ rules: given, configuredPools, expect }, _rules, fail) {
    const rules = given.map(({ rule, create = true }) => ({ rule, create }));
    const problem = checkPlacement(rules);
    if (expect.configError === true) {
      if (problem === null) fail(0, "configError", "refused", "accepted");
    } else if (problem !== null) fail(0, "rules", "accepted", problem);
    else {
      const place = ({ requested, user }) =>
        placeJob(rules, { requested, user, groups: groupsOf(user) }, (pool) => configuredPools.includes(pool));
      each(expect, "pool", ({ pool }) => pool, place, fail);
    }
  },
};

/** How the format names the groups of a user; the first is the primary one. */
function groupsOf(user) {
  return [`${user}group`, `${user}subgroup1`, `${user}subgroup2`];
}

const figures = object({ intervalMs: ms, autoDelayMs: ms });

const heartbeatIntervalKind = {
  shape: {
    expect: casesOf({
      trackers: whole(1, 1e6),
      ...Object.fromEntries(
        ["0.21", "1.2", "branch-1", "facebook-deficit", "facebook-fair"].map((v) => [`${v}?`, figures]),
      ),
    }),
  },
  broken: ({ variants, expect }) =>
    expect.cases.flatMap((one, i) =>
      variants.flatMap((variant) =>
        figuresOf(one, variant) === undefined
          ? [`expect.cases[${i + 1}]: found no figures for ${variant}, allowed is one set for each variant`]
          : [],
      ),
    ),
  run({ expect }, rules, fail) {
    const intervalUs = ({ trackers }) =>
      heartbeatIntervalUs({ rule: rules.heartbeat, perSecond: 100, scalingFactor: 1 }, trackers);
    const wanted = (one) => figuresOf(one, rules.name);
    each(
      expect,
      "intervalMs",
      (one) => wanted(one).intervalMs,
      (one) => intervalUs(one) / 1000,
      fail,
    );
    each(
      expect,
      "autoDelayMs",
      (one) => wanted(one).autoDelayMs,
      (one) => autoWaitUs(intervalUs(one)) / 1000,
      fail,
    );
  },
};

/** Two columns serve all: that of 1.2 holds for whatever is later, that of 0.21 for Facebook's line. */
function figuresOf(one, variant) {
  return one[variant] ?? one[variant.startsWith("facebook") ? "0.21" : variant === "branch-1" ? "1.2" : variant];
}

/**
 * The kinds that ask one function: what such a case has beside what every case has, what is broken in one of that form,
 * and how it is run. `fail` takes the position of the case or value, a path, and what was expected and found there.
 */
export const FUNCTION_KINDS = new Map([
  ["fairShares", fairSharesKind],
  ["fairComparator", fairComparatorKind],
  ["loadCap", loadCapKind],
  ["canAssign", canAssignKind],
  ["maxTasks", maxTasksKind],
  ["placement", placementKind],
  ["heartbeatInterval", heartbeatIntervalKind],
]);
