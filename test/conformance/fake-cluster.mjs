import { MAP, REDUCE, NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "../../dist/core/platforms/hadoop/index.js";

const PENDING = 0;
const RUNNING = 1;
const DONE = 2;

/**
 * Trackers that do what the format's conventions say, and no more: tasks run until they are told to end, nothing fails.
 * It is the `Launcher` and the `MapSource` of the scheduler under test.
 */
export class FakeCluster {
  /** How near its block the map picked last would run. */
  launchesBringNear = false;
  level = NO_INPUT;
  isListedNear = false;
  /** Nodes that a job may not use, by its handle; `accepts` goes by them where `isSelective` says so. */
  isSelective = false;
  refused = new Map();
  nowUs = 0;
  /** Tasks that the heartbeat of the moment has handed out, in order. */
  assigned = [];
  /** Attempts that the scheduler has ordered to be killed, in order. */
  killOrders = [];
  /** Of every order so far, the handle of the pool that the slot is for; undefined where the scheduler does not say. */
  killedFor = [];
  totalSlots = [0, 0];
  #jobs = [];
  #attempts = new Map();
  #nextAttempt = 0;

  /**
   * @param trackers of the scenario. @param table the job table that the scheduler reads.
   * @param reportsAtOnce a task is in its tracker's report at once; otherwise from the next heartbeat on
   */
  constructor(trackers, table, reportsAtOnce) {
    this.trackers = trackers;
    this.table = table;
    this.reportsAtOnce = reportsAtOnce;
    this.nodes = new Map(trackers.map(({ id }, node) => [id, node]));
    this.rackOf = new Map(trackers.map(({ host, rack }) => [host, rack]));
    this.running = trackers.map(() => [0, 0]);
    this.reported = trackers.map(() => [0, 0]);
    for (const { mapSlots, reduceSlots } of trackers) {
      this.totalSlots[MAP] += mapSlots;
      this.totalSlots[REDUCE] += reduceSlots;
    }
  }

  nodeNamed(tracker) {
    return this.nodes.get(tracker);
  }

  /** A submitted job, without tasks yet. `tasks` are its numbers of maps and reduces, `hosts` those of each map. */
  enter(job, name, tasks, hosts, slowStartMaps) {
    this.#jobs[job] = { name, tasks, hosts, slowStartMaps, isInitialised: false, state: [[], []], launched: [] };
  }

  isInitialised(job) {
    return this.#jobs[job].isInitialised;
  }

  /** The tasks of a job are made. */
  initialise(job) {
    const fake = this.#jobs[job];
    if (fake.isInitialised) return;
    fake.isInitialised = true;
    for (const type of [MAP, REDUCE]) {
      fake.state[type] = new Array(fake.tasks[type]).fill(PENDING);
      this.table.total[type][job] = fake.tasks[type];
      this.table.pending[type][job] = fake.tasks[type];
    }
    this.table.slowStartMaps[job] = fake.slowStartMaps;
  }

  /** The tracker asks for tasks. */
  beginHeartbeat(node, nowUs) {
    this.nowUs = nowUs;
    this.assigned = [];
    this.reported[node] = [...this.running[node]];
  }

  freeSlots(node, type) {
    return this.slotsOf(node, type) - this.running[node][type];
  }

  /** The task, as `job1/m0`, succeeds on the tracker. Null: it does not run there. */
  finish(name, node) {
    for (const [attempt, { job, type, task, node: where }] of this.#attempts) {
      if (where !== node || this.#nameOf(job, type, task) !== name) continue;
      this.#end(attempt, DONE);
      this.table.done[type][job]++;
      return { job, type };
    }
    return null;
  }

  /** The output of a map that succeeded is lost. */
  loseMap(job, task) {
    if (this.#jobs[job].state[MAP][task] !== DONE) throw new Error(`${this.#nameOf(job, MAP, task)} has no output`);
    this.#jobs[job].state[MAP][task] = PENDING;
    this.table.done[MAP][job]--;
    this.table.pending[MAP][job]++;
  }

  /** A pending map is not wanted any more. */
  dropMap(job, task) {
    if (this.#jobs[job].state[MAP][task] !== PENDING) throw new Error(`${this.#nameOf(job, MAP, task)} does not wait`);
    this.#jobs[job].state[MAP][task] = DONE;
    this.table.pending[MAP][job]--;
  }

  /** A task that was ordered to be killed leaves its slot and is pending again. */
  takeOut(attempt) {
    const { job, type, task } = this.#attempts.get(attempt);
    this.#end(attempt, PENDING);
    this.table.pending[type][job]++;
    return { job, type, name: this.#nameOf(job, type, task) };
  }

  // What the scheduler asks of a map source.

  pick(job, node, allowed) {
    const { state } = this.#jobs[job];
    for (let task = 0; task < state[MAP].length; task++) {
      if (state[MAP][task] !== PENDING) continue;
      const level = this.#levelOf(job, task, node);
      if (Math.min(level, OFF_RACK) > allowed) continue;
      this.level = level;
      this.isListedNear = level === NODE_LOCAL || level === RACK_LOCAL;
      return task;
    }
    return -1;
  }

  hasPlaceless(job) {
    const { state, launched } = this.#jobs[job];
    return state[MAP].some((_, task) => !launched[task] && this.#hostsOf(job, task).length === 0);
  }

  mayHaveLocal() {
    return true;
  }

  localNodes() {
    return -1;
  }

  mayHaveLocalOf() {
    return true;
  }

  // What the scheduler orders and asks of a launcher.

  accepts(job, _type, node) {
    return this.refused.get(job)?.has(node) !== true;
  }

  launchMap(job, task, node, level) {
    if (level !== this.#levelOf(job, task, node)) {
      throw new Error(`${this.#nameOf(job, MAP, task)} was launched as of level ${level}, which it is not there`);
    }
    this.#jobs[job].launched[task] = true;
    this.#launch(job, MAP, task, node);
  }

  launchReduce(job, node) {
    this.#launch(job, REDUCE, this.#jobs[job].state[REDUCE].indexOf(PENDING), node);
  }

  reportedOn(node, type) {
    return (this.reportsAtOnce ? this.running : this.reported)[node][type];
  }

  taken(type) {
    return this.running.reduce((taken, running) => taken + running[type], 0);
  }

  slotsOf(node, type) {
    return type === MAP ? this.trackers[node].mapSlots : this.trackers[node].reduceSlots;
  }

  forEachReported(type, visit) {
    for (const [attempt, running] of this.#attempts) {
      if (running.type === type) visit(attempt, running.job, running.task, running.launchUs);
    }
  }

  kill(attempt, forPool) {
    if (!this.#attempts.has(attempt) || this.killOrders.includes(attempt)) {
      throw new Error(`an attempt that does not run or was killed before was ordered to be killed`);
    }
    this.killOrders.push(attempt);
    this.killedFor.push(forPool);
  }

  #launch(job, type, task, node) {
    const name = this.#nameOf(job, type, task);
    if (this.#jobs[job].state[type][task] !== PENDING) throw new Error(`${name} was launched though it is not pending`);
    if (this.freeSlots(node, type) <= 0) throw new Error(`${name} was launched on a tracker without a free slot`);
    this.#jobs[job].state[type][task] = RUNNING;
    this.table.pending[type][job]--;
    this.table.running[type][job]++;
    this.running[node][type]++;
    this.#attempts.set(this.#nextAttempt++, { job, type, task, node, launchUs: this.nowUs });
    this.assigned.push(name);
  }

  #end(attempt, state) {
    const { job, type, task, node } = this.#attempts.get(attempt);
    this.#attempts.delete(attempt);
    this.#jobs[job].state[type][task] = state;
    this.table.running[type][job]--;
    this.running[node][type]--;
  }

  #nameOf(job, type, task) {
    return `${this.#jobs[job].name}/${type === MAP ? "m" : "r"}${task}`;
  }

  #hostsOf(job, task) {
    return this.#jobs[job].hosts?.[task] ?? [];
  }

  #levelOf(job, task, node) {
    const hosts = this.#hostsOf(job, task);
    const { host, rack } = this.trackers[node];
    if (hosts.length === 0) return NO_INPUT;
    if (hosts.includes(host)) return NODE_LOCAL;
    return rack !== null && hosts.some((other) => this.rackOf.get(other) === rack) ? RACK_LOCAL : OFF_RACK;
  }
}
