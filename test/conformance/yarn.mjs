import { isDeepStrictEqual } from "node:util";
import {
  ANYWHERE,
  CAPACITY_DEFAULTS,
  CapacityScheduler,
  compare,
  compareApps,
  compareQueues,
  FAIR_DEFAULTS,
  FairScheduler,
  fairShares,
  levelByCount,
  levelByTime,
  MOST,
  placeOfRack,
  rankOfUse,
  setLevel,
  YARN_LEVELS,
} from "../../dist/core/platforms/yarn/index.js";
import { CORRECTIONS } from "./corrections.mjs";

/**
 * Runs a sound case of YARN's scheduling on the schedulers that simulations use. Returns the expectations that failed:
 * where, what was expected, what was found. Whole numbers above 2^53 - 1 are taken for that, in what is given and in
 * what is expected.
 */
export function runYarn(scenario) {
  const failures = [];
  let step = 1;
  const fail = (op, path, expected, got) =>
    failures.push({ step, op, path, expected: JSON.stringify(expected), got: JSON.stringify(got) });
  const compared = (op, path, expected, got) => {
    if (!isDeepStrictEqual(clamped(expected), got)) fail(op, path, expected, got ?? null);
  };
  try {
    const run = KINDS[scenario.kind](scenario, compared);
    for (const one of scenario.steps ?? []) {
      const correction = correctionOf(scenario, step);
      run(correction === undefined ? one : { ...one, derived: correction.holds });
      step++;
    }
  } catch (error) {
    fail(scenario.kind, "", "no error", String(error));
  }
  return failures;
}

/** What holds in place of what a case derives, at a step from 1 on. */
export function correctionOf({ id, steps = [] }, step) {
  return CORRECTIONS.find(
    (one) => one.id === id && one.step === step && isDeepStrictEqual(steps[step - 1]?.derived, one.said),
  );
}

const KINDS = {
  "yarn.fs.localityLevel": localityLevel,
  "yarn.fs.shares": shares,
  "yarn.fs.compare": compares,
  "yarn.fs.cluster": (scenario, compared) => new FairWorld(scenario, compared).step,
  "yarn.cs.leaf": (scenario, compared) => new CapacityWorld(scenario, compared).step,
  "yarn.cs.queueOrder": queueOrder,
  "yarn.cs.appOrder": appOrder,
};

function clamped(value) {
  if (typeof value === "number") return Math.min(value, MOST);
  return Array.isArray(value) ? value.map(clamped) : value;
}

const amounts = ([memory, vcores]) => ({ memory: clamped(memory), vcores: clamped(vcores) });
const us = (ms) => (ms < 0 ? ms : ms * 1000);

function localityLevel(_scenario, compared) {
  const state = { opportunities: 0, level: null, levelSinceUs: 0 };
  return (step) => {
    switch (step.op) {
      case "opportunity":
        state.opportunities += step.times ?? 1;
        return;
      case "level":
        return compared(
          step.op,
          "",
          step.expect,
          YARN_LEVELS[levelByCount(state, step.nodes, step.nodeThreshold, step.rackThreshold)],
        );
      case "levelByTime":
        return compared(
          step.op,
          "",
          step.expect,
          YARN_LEVELS[levelByTime(state, us(step.nodeDelayMs), us(step.rackDelayMs), us(step.nowMs))],
        );
      case "set":
        return setLevel(state, YARN_LEVELS.indexOf(step.level), step.nowMs === undefined ? undefined : us(step.nowMs));
    }
  };
}

function shares({ total, schedulables, expect }, compared) {
  const sharers = schedulables.map(({ min = 0, max = MOST, weight = 1, active = true }) => ({
    min: clamped(min),
    max: clamped(max),
    weight,
    isActive: active,
  }));
  compared("shares", "shares", expect.shares, fairShares(sharers, clamped(total)));
}

function compares({ policy, pairs }, compared) {
  pairs.forEach(({ cluster = [MOST, MOST], first, second }, i) => {
    const schedulable = ({
      usage = [0, 0],
      demand = [0, 0],
      min = [0, 0],
      weight = 1,
      start = 0,
      name = "",
      priority = 1,
    }) => ({
      name,
      startUs: us(start),
      priority,
      weight,
      used: amounts(usage),
      demand: amounts(demand),
      minShare: amounts(min),
    });
    const [a, b] = [schedulable(first), schedulable(second)];
    const order = [compare(policy, a, b, amounts(cluster)), compare(policy, b, a, amounts(cluster))];
    compared(
      "compare",
      `pairs[${i + 1}]`,
      ["first", "second"],
      [order[0] < 0 ? "first" : "not first", order[1] > 0 ? "second" : "not second"],
    );
  });
}

/** Nodes, racks and applications by name; places of asks. */
class Names {
  hosts = new Map();
  racks = new Map();

  constructor({ nodes = [], steps }) {
    for (const { rack } of [...nodes, ...steps]) if (rack !== undefined) numberOf(this.racks, rack);
  }

  place(name) {
    if (name === "*") return ANYWHERE;
    return this.racks.has(name) ? placeOfRack(this.racks.get(name)) : numberOf(this.hosts, name);
  }
}

function numberOf(names, name) {
  if (!names.has(name)) names.set(name, names.size);
  return names.get(name);
}

class FairWorld {
  nowUs = 0;
  nodes = new Map();
  apps = new Map();

  constructor(scenario, compared) {
    this.compared = compared;
    this.names = new Names(scenario);
    this.config = scenario.config ?? {};
    this.queues = scenario.queues ?? {};
    this.users = scenario.users ?? {};
    this.scheduler = new FairScheduler(...this.settings());
    for (const node of scenario.nodes ?? []) this.addNode(node);
    this.step = (step) => this.do(step);
  }

  do(step) {
    const { scheduler } = this;
    switch (step.op) {
      case "addNode":
        this.addNode(step);
        return this.updateUnless(step);
      case "submit": {
        const { app: name, queue, user, am = false } = step;
        const spec = { name, queue, user, ...(am ? { master: {} } : {}) };
        this.apps.set(name, scheduler.submit(spec, this.nowUs));
        this.ask(step);
        return this.updateUnless(step);
      }
      case "ask":
        this.ask(step);
        return this.updateUnless(step);
      case "update":
        return scheduler.update(this.nowUs);
      case "heartbeat": {
        const node = this.nodes.get(step.node);
        const got = [];
        for (let i = 0; i < (step.times ?? 1); i++) {
          const before = node.reservation;
          got.push(...scheduler.heartbeat(node, this.nowUs).map((one) => given("allocated", one)));
          const { reservation } = node;
          if (reservation !== null && reservation !== before) got.push(given("reserved", reservation));
        }
        for (const wanted of [step.expect, step.derived]) compareList(this.compared, step.op, wanted, got);
        return;
      }
      case "advance":
        this.nowUs += us(step.ms);
        return;
      case "remove":
        return scheduler.remove(this.apps.get(step.app));
      case "configure":
        Object.assign(this.config, step.config);
        for (const [name, queue] of Object.entries(step.queues ?? {})) {
          this.queues[name] = { ...this.queues[name], ...queue };
        }
        for (const [name, user] of Object.entries(step.users ?? {}))
          this.users[name] = { ...this.users[name], ...user };
        return scheduler.configure(...this.settings());
      case "preempt": {
        const killed = {};
        for (const container of scheduler.preempt(this.nowUs)) {
          killed[container.app.name] = (killed[container.app.name] ?? 0) + 1;
          scheduler.release(container);
        }
        for (const wanted of [step.expect, step.derived]) {
          if (wanted?.killed !== undefined) this.compared(step.op, "killed", wanted.killed, killed);
        }
        return;
      }
      case "check":
        for (const wanted of [step.expect, step.derived]) this.check(wanted ?? {});
    }
  }

  check({ apps = {}, queues = {} }) {
    for (const [name, wanted] of Object.entries(apps)) {
      compareKeys(this.compared, "check", `apps.${name}.`, wanted, this.appState(this.apps.get(name)));
    }
    for (const [name, wanted] of Object.entries(queues)) {
      compareKeys(
        this.compared,
        "check",
        `queues.${name}.`,
        wanted,
        queueState(this.scheduler.queues.queueNamed(name, this.nowUs)),
      );
    }
  }

  appState(app) {
    return {
      containers: app.containers.length,
      usedMb: app.used.memory,
      demandMb: app.demand.memory,
      fairShareMb: app.fairShare.memory,
      reservedMb: app.reservedNodes.reduce((sum, { reservation }) => sum + reservation.size.memory, 0),
      reservations: app.reservedNodes.length,
      runnable: app.isRunnable,
      amMb: app.master?.size.memory ?? 0,
    };
  }

  addNode({ node, rack, memory, vcores }) {
    const index = numberOf(this.names.hosts, node);
    this.nodes.set(node, this.scheduler.addNode(index, numberOf(this.names.racks, rack), amounts([memory, vcores])));
  }

  ask({ app, asks = [] }) {
    askAll(this.scheduler, this.apps.get(app), asks, this.names);
  }

  updateUnless({ update = true }) {
    if (update) this.scheduler.update(this.nowUs);
  }

  settings() {
    const { config } = this;
    const given = (key, otherwise, read = (value) => value) =>
      config[key] === undefined ? otherwise : read(config[key]);
    const settings = {
      ...FAIR_DEFAULTS,
      assignsMultiple: given("assignMultiple", false),
      dynamicMaxAssign: given("dynamicMaxAssign", true),
      maxAssign: given("maxAssign", -1),
      localityThresholdNode: given("localityThresholdNode", -1),
      localityThresholdRack: given("localityThresholdRack", -1),
      isContinuous: given("continuousScheduling", false),
      localityDelayNodeUs: given("localityDelayNodeMs", -1, us),
      localityDelayRackUs: given("localityDelayRackMs", -1, us),
      reservableNodes: given("reservableNodes", 0.05),
      reservationThreshold: { memory: given("reservationThresholdMb", 2048), vcores: 2 },
      policy: given("defaultPolicy", "fair"),
      maxAmShare: given("queueMaxAMShareDefault", 0.5),
    };
    const queues = Object.entries(this.queues).map(([name, spec]) => [fullName(name), queueSpec(spec)]);
    const users = Object.entries(this.users).map(([name, { maxRunningApps }]) => [name, maxRunningApps ?? Infinity]);
    return [settings, { queues: new Map(queues), users: new Map(users) }];
  }
}

const LEAF = "root.leaf";

class CapacityWorld {
  nowUs = 0;
  nodes = new Map();
  apps = new Map();

  constructor(scenario, compared) {
    this.compared = compared;
    this.names = new Names(scenario);
    this.config = { ...scenario.config };
    this.scheduler = new CapacityScheduler(this.settings(), this.queues());
    for (const { node, rack, memory, vcores = MOST } of scenario.nodes) {
      const index = numberOf(this.names.hosts, node);
      const numberOfRack = numberOf(this.names.racks, rack);
      this.nodes.set(node, this.scheduler.addNode(index, numberOfRack, amounts([memory, vcores])));
    }
    this.configure();
    this.step = (step) => this.do(step);
  }

  do(step) {
    const { scheduler } = this;
    const app = this.apps.get(step.app);
    switch (step.op) {
      case "submit":
        this.apps.set(step.app, scheduler.submit({ name: step.app, user: step.user, queue: LEAF }, this.nowUs));
        return askAll(scheduler, this.apps.get(step.app), step.asks, this.names);
      case "ask":
        return askAll(scheduler, app, step.asks, this.names);
      case "configure":
        Object.assign(this.config, step.config);
        return this.configure();
      case "offer": {
        scheduler.configure({ ...this.settings(), assignsMultiple: false }, this.queues());
        const [got = null] = this.heartbeat(step.node);
        this.configure();
        for (const wanted of [step.expect, step.derived]) {
          if (wanted === null || (wanted !== undefined && got === null)) this.compared(step.op, "", wanted, got);
          else if (wanted !== undefined) compareKeys(this.compared, step.op, "", wanted, got);
        }
        return;
      }
      case "heartbeat": {
        const got = Array.from({ length: step.times ?? 1 }, () => this.heartbeat(step.node)).flat();
        for (const wanted of [step.expect, step.derived]) compareList(this.compared, step.op, wanted, got);
        return;
      }
      case "advance":
        this.nowUs += us(step.ms);
        return;
      case "release":
        for (const container of [...app.containers]) scheduler.release(container);
        return;
      case "resetMissed":
        for (const ask of app.asks) ask.opportunities = 0;
        return;
      case "check":
        for (const wanted of [step.expect, step.derived]) this.check(wanted ?? {});
    }
  }

  heartbeat(name) {
    const containers = this.scheduler.heartbeat(this.nodes.get(name), this.nowUs);
    return containers.map((one) => given("allocated", one));
  }

  check({ apps = {}, queue = {} }) {
    for (const [name, wanted] of Object.entries(apps)) {
      const app = this.apps.get(name);
      compareKeys(this.compared, "check", `apps.${name}.`, wanted, {
        missed: app.asks[0]?.opportunities ?? 0,
        outstanding: app.wanted,
        usedMb: app.used.memory,
        containers: app.containers.length,
      });
    }
    const leaf = this.scheduler.queueNamed(LEAF);
    compareKeys(this.compared, "check", "queue.", queue, {
      usedMb: leaf.used.memory,
      activeUsers: leaf.activeUsers,
      userLimitMb: leaf.userLimit(this.settings(), "memory"),
    });
  }

  /** The numbers of the cluster are those of the case, not those of the nodes that it lists. */
  configure() {
    const { numNodes = this.nodes.size, clusterMb = MOST } = this.config;
    Object.assign(this.scheduler.cluster, { memory: clamped(clusterMb), vcores: MOST, nodes: numNodes });
    this.scheduler.configure(this.settings(), this.queues());
  }

  settings() {
    const { config } = this;
    return {
      ...CAPACITY_DEFAULTS,
      nodeLocalityDelay: config.nodeLocalityDelay ?? 40,
      rackLocalityAdditionalDelay: config.rackLocalityAdditionalDelay ?? -1,
      rackLocalityFullReset: config.rackLocalityFullReset ?? true,
      maxOffSwitch: config.offSwitchPerHeartbeat ?? 1,
      minimumAllocation: { memory: config.minimumAllocationMb ?? 1024, vcores: 1 },
    };
  }

  queues() {
    const { capacity = 1, maxCapacity = 1, minimumUserLimitPercent = 100, userLimitFactor = 1 } = this.config;
    return new Map([[LEAF, { capacity, maximumCapacity: maxCapacity, minimumUserLimitPercent, userLimitFactor }]]);
  }
}

function queueOrder({ cases }, compared) {
  cases.forEach(({ respectPriority = false, queues, expect }, i) => {
    const ranked = queues.map(({ name, priority = 0, used = 0, capacity = 0 }) => {
      return { name, priority, usedShare: used, absoluteCapacity: capacity };
    });
    const got = ranked.toSorted((a, b) => compareQueues(a, b, respectPriority)).map(({ name }) => name);
    compared("queueOrder", `cases[${i + 1}]`, expect, got);
  });
}

function appOrder({ cases }, compared) {
  cases.forEach(({ policy = "fifo", sizeBasedWeight = false, apps, expect }, i) => {
    const ranked = apps.map(({ name, used = 0, pending = 0, start = 0, priority = 0, serial }, at) => ({
      name,
      startUs: us(start),
      priority,
      index: serial ?? at,
      hasDemand: pending > 0,
      rankedUse: rankOfUse(used, pending, sizeBasedWeight),
    }));
    const got = ranked.toSorted((a, b) => compareApps(policy, a, b)).map(({ name }) => name);
    compared("appOrder", `cases[${i + 1}]`, expect, got);
  });
}

const fullName = (name) => (name === "root" || name.startsWith("root.") ? name : `root.${name}`);

function queueSpec(spec) {
  const keys = {
    weight: ["weight"],
    minResources: ["minResources", amounts],
    maxResources: ["maxResources", amounts],
    maxChildResources: ["maxChildResources", amounts],
    maxRunningApps: ["maxRunningApps"],
    maxAMShare: ["maxAmShare"],
    policy: ["policy"],
    fairSharePreemptionThreshold: ["fairSharePreemptionThreshold"],
    fairSharePreemptionTimeoutMs: ["fairSharePreemptionTimeoutUs", us],
    minSharePreemptionTimeoutMs: ["minSharePreemptionTimeoutUs", us],
    allowPreemptionFrom: ["allowPreemptionFrom"],
  };
  const entries = Object.entries(spec).map(([key, value]) => [keys[key][0], (keys[key][1] ?? ((one) => one))(value)]);
  return Object.fromEntries(entries);
}

function queueState(queue) {
  return {
    fairShareMb: queue.fairShare.memory,
    fairShareVcores: queue.fairShare.vcores,
    usedMb: queue.used.memory,
    demandMb: queue.demand.memory,
    runnable: queue.running,
    nonRunnable: queue.leaves().reduce((sum, { waiting }) => sum + waiting.length, 0),
    amUsedMb: queue.leaves().reduce((sum, { mastersUse }) => sum + mastersUse.memory, 0),
  };
}

function askAll(scheduler, app, asks, names) {
  for (const { place, count, memory, vcores = 1, priority = 1, relax = true } of asks) {
    scheduler.ask(app, priority, names.place(place), count, amounts([memory, vcores]), relax);
  }
}

const given = (what, { app, level }) => ({ what, app: app.name, locality: YARN_LEVELS[level] });

function compareList(compared, op, wanted, got) {
  if (wanted === undefined) return;
  compared(op, "length", wanted.length, got.length);
  wanted.forEach((one, i) => compareKeys(compared, op, `[${i + 1}].`, one, got[i] ?? {}));
}

function compareKeys(compared, op, prefix, wanted, got) {
  for (const [key, value] of Object.entries(wanted)) compared(op, prefix + key, value, got[key]);
}
