import { heartbeatIntervalUs } from "../../dist/core/cluster/index.js";
import {
  JobTable,
  MAP,
  OVER,
  PREP,
  REDUCE,
  RUNNING,
  buildScheduler,
  fairShares,
  RULES,
} from "../../dist/core/platforms/hadoop/index.js";
import { inWords, isAsWanted, pairsIn, valueAt, wantedIn } from "./expectations.mjs";
import { FakeCluster } from "./fake-cluster.mjs";
import { allocationsOf, specOf } from "./scheduler-spec.mjs";
import { PRIORITIES } from "./timeline-schema.mjs";

const STATES = { PREP, RUNNING, SUCCEEDED: OVER, FAILED: OVER, KILLED: OVER };
/** When the first update runs after the start at 0. */
const FIRST_UPDATE_US = 100_000;

/** Runs a timeline under one rule set and gives every expectation that failed. */
export function runTimeline(scenario, variant) {
  const failures = [];
  let step = { op: "start" };
  let number = 0;
  const fail = (path, expected, got) => failures.push({ step: number, op: step.op, path, expected, got });
  try {
    const timeline = new Timeline(scenario, variant, fail);
    for (step of scenario.steps) {
      number++;
      timeline.run(step);
    }
  } catch (error) {
    fail("", "no error", String(error));
  }
  return failures;
}

/** The scheduler under test with everything around it; `READINGS` read from it. */
class Timeline {
  jobs = new JobTable();
  /** Fair shares of jobs as of the last update, per type. */
  jobShares = [[], []];
  #handles = new Map();
  #over = [];
  #poolNames = new Map();

  constructor({ cluster, config, allocations, clockMs }, variant, fail) {
    const rules = RULES[variant];
    const nodes = cluster.trackers.length;
    this.fail = fail;
    this.rules = rules;
    this.slowStart = config.reduceSlowstart;
    // The rule set whose load manager and choice of type do not count what a heartbeat has handed out was tested with
    // trackers whose reports do.
    this.cluster = new FakeCluster(cluster.trackers, this.jobs, !rules.countsThisHeartbeat);
    const built = buildScheduler(specOf(config, variant), {
      jobs: this.jobs,
      source: this.cluster,
      launcher: this.cluster,
      slots: this.cluster.totalSlots,
      heartbeatUs: heartbeatIntervalUs({ rule: rules.heartbeat, perSecond: 100, scalingFactor: 1 }, nodes),
      nodes,
      readShareOf: () => 1,
      mapsMayReturn: true,
      mapsMayBeCopied: false,
      hasRows: false,
    });
    Object.assign(this, { scheduler: built.scheduler, pools: built.pools, users: built.users, poolOf: built.poolOf });
    this.state = built.scheduler.state;
    this.wait = built.waitOf(0);
    this.scheduler.update(FIRST_UPDATE_US);
    this.nowUs = clockMs * 1000;
    this.scheduler.reload(allocationsOf(allocations), this.nowUs);
  }

  run(step) {
    this[step.op](step);
    if (step.expect !== undefined && step.op !== "heartbeat") this.#compare(step.expect);
  }

  jobNamed(job) {
    return this.#handles.get(job);
  }

  /** Whoever asks for a pool makes it. */
  poolNamed(name) {
    const pool = this.pools.named(name, this.nowUs);
    this.#poolNames.set(pool, name);
    return pool;
  }

  poolNameOf(job) {
    const pool = this.jobs.pool[job];
    return this.#poolNames.get(pool) ?? `pool number ${pool}`;
  }

  totalDemand(type) {
    return Array.from({ length: this.pools.size }, (_, pool) => this.state.demands.ofPool[type][pool]).reduce(
      (a, b) => a + b,
      0,
    );
  }

  // The steps.

  submit({ job: name, state, maps, reduces, pool, explicitPool, mapHosts, initialized = true }) {
    const { jobs, cluster } = this;
    const poolName = explicitPool ?? pool ?? "default";
    const slowStartMaps = Math.ceil(Math.fround(Math.fround(this.slowStart) * maps));
    const job = jobs.enter({
      id: this.#handles.size,
      pool: this.poolOf(poolName, "nobody", this.nowUs),
      user: this.users.named("nobody"),
      priority: PRIORITIES.indexOf("NORMAL"),
      startUs: this.nowUs,
      maps: 0,
      reduces: 0,
      slowStartMaps: 0,
      firstBlock: mapHosts === undefined ? -1 : 0,
    });
    this.#handles.set(name, job);
    this.#poolNames.set(jobs.pool[job], poolName);
    jobs.state[job] = STATES[state];
    cluster.enter(job, name, [maps, reduces], mapHosts, slowStartMaps);
    if (initialized || this.rules.eagerInit) cluster.initialise(job);
    // A newcomer that starts now is younger than all others: whoever starts at the same time has a smaller number.
    this.scheduler.jobAdded(job, this.nowUs);
    this.#takeShares();
  }

  advance({ ms, update = true }) {
    this.nowUs += ms * 1000;
    if (update) this.update();
  }

  update() {
    for (const job of this.#over.splice(0)) this.state.removeJob(job);
    this.scheduler.update(this.nowUs);
    this.#takeShares();
  }

  /** Jobs of a fair pool share what the pool has; a job of a FIFO pool has share 0 (semantics section 6). */
  #takeShares() {
    const { jobs, pools, state, jobShares } = this;
    const handles = [...this.#handles.values()];
    for (const type of [MAP, REDUCE]) {
      for (let pool = 0; pool < pools.size; pool++) {
        const inPool = handles.filter((job) => jobs.pool[job] === pool && jobs.state[job] !== OVER);
        const sharers = inPool.map((job) => ({
          weight: state.weightOf(job, type),
          minShare: 0,
          demand: state.demands.ofJob[type][job],
        }));
        const shares = fairShares(sharers, state.shares.pool(pool, type));
        inPool.forEach((job, i) => (jobShares[type][job] = pools.mode[pool] === "fifo" ? 0 : shares[i]));
      }
    }
  }

  refreshDemand() {
    this.state.shares.settle();
    this.state.demands.update(this.state.candidates.order);
  }

  heartbeat({ tracker, expect }) {
    const { cluster, scheduler, nowUs } = this;
    const node = cluster.nodeNamed(tracker);
    cluster.beginHeartbeat(node, nowUs);
    const maps = cluster.freeSlots(node, MAP);
    const reduces = cluster.freeSlots(node, REDUCE);
    if ((maps > 0 && scheduler.wantsMapSlots()) || (reduces > 0 && scheduler.wantsReduceSlots())) {
      scheduler.heartbeat(node, nowUs, maps, reduces);
    }
    const { assigned } = cluster;
    if (expect === undefined) return;
    const asWanted = assigned.length === expect.assigned.length && assigned.every((t, i) => t === expect.assigned[i]);
    if (!asWanted) this.fail("assigned", inWords(expect.assigned), inWords(assigned));
  }

  finish({ tracker, task }) {
    const ended = this.cluster.finish(task, this.cluster.nodeNamed(tracker));
    if (ended === null) this.fail("task", `${task} running on ${tracker}`, "not running there");
    else this.scheduler.attemptLeft(ended.job, ended.type, false, this.nowUs);
  }

  preempt({ derived }) {
    this.scheduler.checkPreemption(this.nowUs);
    const killed = [[], []];
    for (const attempt of this.cluster.killOrders.splice(0)) {
      const { job, type, name } = this.cluster.takeOut(attempt);
      killed[type].push(name);
      this.scheduler.attemptLeft(job, type, true, this.nowUs);
    }
    for (const [key, { count, from }] of Object.entries(derived?.killed ?? {})) {
      const got = killed[key === "map" ? MAP : REDUCE];
      const path = `derived.killed.${key}`;
      if (got.length !== count) this.fail(`${path}.count`, String(count), `${got.length} (${inWords(got)})`);
      const others = got.filter((task) => !from.includes(task));
      if (others.length > 0) this.fail(`${path}.from`, `only of ${inWords(from)}`, inWords(others));
    }
  }

  setPriority({ job, priority }) {
    this.#change(job, "priority", PRIORITIES.indexOf(priority));
  }

  setUser({ job, user }) {
    this.jobs.user[this.jobNamed(job)] = this.users.named(user);
    this.state.runnability.changed();
  }

  setPool({ job, pool }) {
    this.#change(job, "pool", this.poolNamed(pool));
  }

  /** No job of a run changes once it is there: it leaves, and comes again as it now is. */
  #change(name, column, value) {
    const job = this.jobNamed(name);
    const { jobs, state } = this;
    const demand = [MAP, REDUCE].map((type) => state.demands.ofJob[type][job]);
    state.shares.settle();
    state.removeJob(job);
    jobs[column][job] = value;
    state.addJob(job, this.nowUs);
    for (const type of [MAP, REDUCE]) {
      state.demands.ofJob[type][job] = demand[type];
      state.candidates.runningTotal[type] += jobs.running[type][job];
      state.candidates.order[type].addRunning(jobs.pool[job], jobs.running[type][job]);
    }
    state.demands.jobChanged(job);
    state.demands.poolChanged(jobs.pool[job]);
    state.runnability.decide();
  }

  setState({ job: name, state }) {
    const job = this.jobNamed(name);
    const before = this.jobs.state[job];
    this.jobs.state[job] = STATES[state];
    if (before === PREP && STATES[state] === RUNNING) this.scheduler.jobReady(job, this.nowUs);
    if (before === OVER || STATES[state] !== OVER) return;
    // Hadoop visits it no more, and forgets it at the next update.
    this.state.candidates.leaveAll(job);
    this.state.demands.jobChanged(job);
    this.#over.push(job);
  }

  reloadAllocations({ allocations }) {
    this.scheduler.reload(allocationsOf(allocations), this.nowUs);
  }

  check() {
    // Its expectations are all there is.
  }

  #compare(expect) {
    for (const { path, want } of wantedIn(expect)) {
      const got = valueAt(this, path);
      if (!isAsWanted(got, want)) this.fail(path.join("."), inWords(want), inWords(got));
    }
    for (const [more, less] of pairsIn(expect)) {
      const [a, b] = [valueAt(this, more), valueAt(this, less)];
      if (!(a > b))
        this.fail(`${more.join(".")} > ${less.join(".")}`, "the first greater", `${inWords(a)} and ${inWords(b)}`);
    }
  }
}
