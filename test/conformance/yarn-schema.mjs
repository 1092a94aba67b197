import { z } from "zod";
import { byName, flag, limit, listOf, name, number, object, oneOf, tasks, text, whole } from "./shapes.mjs";

/** Forms of the cases of YARN's schedulers (FORMAT.md). */

export const YARN_VERSIONS = ["3.4"];

/** Hadoop writes 2^63 - 1 where it knows no limit. */
const amount = whole(0, 2 ** 63);
const amounts = z.tuple([amount, amount], { error: "a pair of memory and vcores" });
const level = oneOf("NODE_LOCAL", "RACK_LOCAL", "OFF_SWITCH");
const policy = oneOf("fair", "drf", "fifo");
const fraction = number(-1, 1e6);
const ms = whole(0, 9e12);
const delayMs = whole(-1, 9e12);
const integer = whole(-(2 ** 31), 2 ** 31 - 1);
const weight = number(0, 1e9);

const step = (op, shape) => [op, object({ op: z.literal(op), "note?": text, ...shape })];

const LEVEL_STEPS = new Map([
  step("opportunity", { "times?": tasks }),
  step("level", { nodes: tasks, nodeThreshold: fraction, rackThreshold: fraction, expect: level }),
  step("levelByTime", { nowMs: ms, nodeDelayMs: delayMs, rackDelayMs: delayMs, expect: level }),
  step("set", { level, "nowMs?": ms }),
]);

const node = { node: name, rack: name, memory: amount };
const ask = object({
  place: name,
  count: tasks,
  memory: amount,
  "vcores?": amount,
  "priority?": integer,
  "relax?": flag,
});
const asks = listOf(ask, "a list of asks");

const queue = object({
  "weight?": weight,
  "minResources?": amounts,
  "maxResources?": amounts,
  "maxChildResources?": amounts,
  "maxRunningApps?": amount,
  "maxAMShare?": fraction,
  "policy?": policy,
  "fairSharePreemptionThreshold?": fraction,
  "fairSharePreemptionTimeoutMs?": amount,
  "minSharePreemptionTimeoutMs?": amount,
  "allowPreemptionFrom?": flag,
});
const user = object({ "maxRunningApps?": amount });
const fairConfig = object({
  "assignMultiple?": flag,
  "dynamicMaxAssign?": flag,
  "maxAssign?": integer,
  "localityThresholdNode?": fraction,
  "localityThresholdRack?": fraction,
  "continuousScheduling?": flag,
  "localityDelayNodeMs?": delayMs,
  "localityDelayRackMs?": delayMs,
  "reservableNodes?": fraction,
  "reservationThresholdMb?": amount,
  "defaultPolicy?": policy,
  "queueMaxAMShareDefault?": fraction,
});

const given = object({ "what?": oneOf("allocated", "reserved"), "app?": name, "locality?": level });
const allGiven = listOf(given, "a list of what is given");
const killed = object({ killed: byName(limit) });
const fairState = object({
  "apps?": byName(
    object({
      "containers?": limit,
      "usedMb?": limit,
      "demandMb?": amount,
      "fairShareMb?": amount,
      "reservedMb?": limit,
      "reservations?": limit,
      "runnable?": flag,
      "amMb?": limit,
    }),
  ),
  "queues?": byName(
    object({
      "fairShareMb?": amount,
      "fairShareVcores?": amount,
      "usedMb?": limit,
      "demandMb?": amount,
      "runnable?": limit,
      "nonRunnable?": limit,
      "amUsedMb?": limit,
    }),
  ),
});

const CLUSTER_STEPS = new Map([
  step("addNode", { ...node, vcores: amount, "update?": flag }),
  step("submit", { app: name, queue: name, user: name, asks, "am?": flag, "update?": flag }),
  step("ask", { app: name, asks, "update?": flag }),
  step("update", {}),
  step("heartbeat", { node: name, "times?": tasks, "expect?": allGiven, "derived?": allGiven }),
  step("advance", { ms }),
  step("remove", { app: name }),
  step("configure", { "queues?": byName(queue), "users?": byName(user), "config?": fairConfig }),
  step("preempt", { "expect?": killed, "derived?": killed }),
  step("check", { "expect?": fairState, "derived?": fairState }),
]);

const capacityConfig = object({
  "numNodes?": tasks,
  "nodeLocalityDelay?": integer,
  "rackLocalityAdditionalDelay?": integer,
  "rackLocalityFullReset?": flag,
  "offSwitchPerHeartbeat?": tasks,
  "clusterMb?": amount,
  "capacity?": number(0, 1),
  "maxCapacity?": number(0, 1),
  "minimumUserLimitPercent?": number(0, 100),
  "userLimitFactor?": fraction,
  "minimumAllocationMb?": whole(1, 1e9),
});
const answer = object({ "app?": name, "locality?": level }).nullable();
const leafState = object({
  "apps?": byName(object({ "missed?": limit, "outstanding?": limit, "usedMb?": limit, "containers?": limit })),
  "queue?": object({ "usedMb?": limit, "activeUsers?": limit, "userLimitMb?": amount }),
});

const LEAF_STEPS = new Map([
  step("submit", { app: name, user: name, asks }),
  step("ask", { app: name, asks }),
  step("configure", { config: capacityConfig }),
  step("offer", { node: name, "expect?": answer, "derived?": answer }),
  step("heartbeat", { node: name, "times?": tasks, "expect?": allGiven, "derived?": allGiven }),
  step("advance", { ms }),
  step("release", { app: name }),
  step("resetMissed", { app: name }),
  step("check", { "expect?": leafState, "derived?": leafState }),
]);

const steps = listOf(z.looseObject({ op: text }, { error: "a step" }), "a list of steps");
const names = listOf(name, "a list of names");
const compared = object({
  usage: amounts,
  "demand?": amounts,
  "min?": amounts,
  "weight?": weight,
  "start?": ms,
  "name?": text,
  "priority?": integer,
});

/** What a case of each kind has beside what all have, and its steps. */
export const YARN_KINDS = new Map([
  ["yarn.fs.localityLevel", { shape: { steps }, steps: LEVEL_STEPS }],
  [
    "yarn.fs.shares",
    {
      shape: {
        "resource?": text,
        total: amount,
        schedulables: listOf(
          object({ "min?": amount, "max?": amount, "weight?": weight, "active?": flag }),
          "a list of schedulables",
        ),
        expect: object({ shares: listOf(amount, "a list of shares") }),
      },
    },
  ],
  [
    "yarn.fs.compare",
    {
      shape: {
        policy,
        pairs: listOf(object({ "cluster?": amounts, first: compared, second: compared }), "a list of pairs"),
      },
    },
  ],
  [
    "yarn.fs.cluster",
    {
      shape: {
        "config?": fairConfig,
        "nodes?": listOf(object({ ...node, vcores: amount }), "a list of nodes"),
        "queues?": byName(queue),
        "users?": byName(user),
        steps,
      },
      steps: CLUSTER_STEPS,
    },
  ],
  [
    "yarn.cs.leaf",
    {
      shape: {
        "config?": capacityConfig,
        nodes: listOf(object({ ...node, "vcores?": amount }), "a list of nodes"),
        steps,
      },
      steps: LEAF_STEPS,
    },
  ],
  [
    "yarn.cs.queueOrder",
    {
      shape: {
        cases: listOf(
          object({
            "note?": text,
            "respectPriority?": flag,
            queues: listOf(
              object({ name, "priority?": integer, "used?": number(0, 1e9), "capacity?": number(0, 1) }),
              "a list of queues",
            ),
            expect: names,
          }),
          "a list of cases",
        ),
      },
    },
  ],
  [
    "yarn.cs.appOrder",
    {
      shape: {
        cases: listOf(
          object({
            "note?": text,
            "policy?": oneOf("fifo", "fair"),
            "sizeBasedWeight?": flag,
            apps: listOf(
              object({
                name,
                "used?": amount,
                "pending?": amount,
                "start?": ms,
                "priority?": integer,
                "serial?": integer,
              }),
              "a list of applications",
            ),
            expect: names,
          }),
          "a list of cases",
        ),
      },
    },
  ],
]);
