import {
  MAP,
  REDUCE,
  type JobTable,
  type SlotType,
  type MapSource,
  NO_INPUT,
  NODE_LOCAL,
  OFF_RACK,
  RACK_LOCAL,
  type Launcher,
  type VisitAttempt,
} from "../../dist/core/platforms/hadoop/index.js";

/** A node of a random history. */
export interface NodeShape {
  readonly rack: number;
  readonly mapSlots: number;
  readonly reduceSlots: number;
}

/** What the scheduler did. */
export interface Decision {
  readonly what: "launch" | "kill" | "initialise";
  readonly atUs: number;
  /** Number of the job. */
  readonly job: number;
  readonly type: SlotType;
  /** -1 where no task is meant. */
  readonly task: number;
  readonly node: number;
  readonly level: number;
}

export interface Attempt {
  readonly job: number;
  readonly type: SlotType;
  readonly task: number;
  readonly node: number;
  readonly launchUs: number;
  isReported: boolean;
  isCondemned: boolean;
  /** Its job has left the table. */
  isOrphan: boolean;
}

export interface Task {
  state: "pending" | "running" | "done";
  /** Number of the return that made it pending last; 0 if none has. */
  requeued: number;
  /** Attempts that run, and begun so far. */
  running: number;
  begun: number;
  /** It runs, and a second attempt is wanted, which counts as pending. */
  wantsCopy: boolean;
}

export interface JobTasks {
  readonly tasks: [Task[], Task[]];
  /** Nodes that hold the block of each map; null: no input. */
  readonly holders: readonly (readonly number[])[] | null;
}

/**
 * Nodes whose tasks run until they are told to end: the `Launcher` and `MapSource` of the scheduler of a random
 * history.
 */
export class HistoryCluster implements Launcher, MapSource {
  readonly launchesBringNear = false;
  level = NO_INPUT;
  isListedNear = false;
  nowUs = 0;
  readonly decisions: Decision[] = [];
  readonly attempts = new Map<number, Attempt>();
  /** Attempts named to `kill`, in order, those named before among them. */
  readonly killCalls: number[] = [];
  /** By call: the pool that the slot is for. */
  readonly killedFor: number[] = [];
  /** Handles of PREP jobs whose set-up has begun. */
  readonly initialising: number[] = [];
  readonly slots: [number, number] = [0, 0];
  private readonly running: [number, number][];
  private readonly given: [number, number] = [0, 0];
  private readonly tasksOf = new Map<number, JobTasks>();
  /** Nodes that refuse a job, by its handle. */
  private readonly refused = new Map<number, Set<number>>();
  private nextAttempt = 0;
  private returns = 0;

  constructor(
    readonly nodes: readonly NodeShape[],
    private readonly table: JobTable,
    private readonly requeuedIgnoreLocality: boolean,
    readonly isSelective: boolean,
  ) {
    this.running = nodes.map(() => [0, 0]);
    for (const { mapSlots, reduceSlots } of nodes) {
      this.slots[MAP] += mapSlots;
      this.slots[REDUCE] += reduceSlots;
    }
  }

  enter(job: number, holders: JobTasks["holders"]): void {
    const some = (type: SlotType): Task[] =>
      Array.from({ length: this.table.total[type][job] }, () => ({
        state: "pending",
        requeued: 0,
        running: 0,
        begun: 0,
        wantsCopy: false,
      }));
    this.tasksOf.set(job, { tasks: [some(MAP), some(REDUCE)], holders });
  }

  /** The attempts that the job still runs go on without it. */
  leave(job: number): void {
    this.tasksOf.delete(job);
    this.refused.delete(job);
    for (const attempt of this.attempts.values()) if (attempt.job === job) attempt.isOrphan = true;
  }

  tasks(job: number): JobTasks {
    return this.tasksOf.get(job) as JobTasks;
  }

  beginHeartbeat(node: number, nowUs: number): void {
    this.nowUs = nowUs;
    this.given[MAP] = 0;
    this.given[REDUCE] = 0;
    for (const attempt of this.attempts.values()) if (attempt.node === node) attempt.isReported = true;
  }

  free(node: number, type: SlotType): number {
    return this.slotsOf(node, type) - this.running[node][type];
  }

  /** The attempt leaves its slot. True: its task is pending again, for no other attempt of it runs or was done. */
  end(number: number, isDone: boolean): boolean {
    const attempt = this.attempts.get(number) as Attempt;
    const { job, type, node } = attempt;
    this.attempts.delete(number);
    this.running[node][type]--;
    if (attempt.isOrphan) return false;
    this.table.running[type][job]--;
    const task = this.tasks(job).tasks[type][attempt.task];
    task.running--;
    if (task.state === "done" || (!isDone && task.running > 0)) return false;
    task.state = isDone ? "done" : "pending";
    task.requeued = isDone ? 0 : ++this.returns;
    (isDone ? this.table.done : this.table.pending)[type][job]++;
    return !isDone;
  }

  /** A map that is done, and of which nothing runs, is pending again; false if there is none. */
  lose(job: number, draw: number): boolean {
    const lost = pickFrom(this.tasks(job).tasks[MAP], draw, ({ state, running }) => state === "done" && running === 0);
    if (lost === undefined) return false;
    lost.state = "pending";
    lost.requeued = ++this.returns;
    this.table.done[MAP][job]--;
    this.table.pending[MAP][job]++;
    return true;
  }

  /** A second attempt of some running task is wanted; false if there is none. */
  wantCopy(job: number, type: SlotType, draw: number): boolean {
    const isMeant = ({ state, running, wantsCopy }: Task): boolean =>
      state === "running" && running === 1 && !wantsCopy;
    const copied = pickFrom(this.tasks(job).tasks[type], draw, isMeant);
    if (copied === undefined) return false;
    copied.wantsCopy = true;
    this.table.pending[type][job]++;
    return true;
  }

  /** Copies that are wanted are not, of all tasks or of those that do not run; how many. */
  dropCopies(job: number, type: SlotType, ofAll: boolean): number {
    const dropped = this.tasks(job).tasks[type].filter((task) => task.wantsCopy && (ofAll || task.state !== "running"));
    for (const task of dropped) task.wantsCopy = false;
    this.table.pending[type][job] -= dropped.length;
    return dropped.length;
  }

  /** The node refuses the job from now on, or no longer. */
  toggleRefusal(job: number, node: number): void {
    const nodes = this.refused.get(job) ?? new Set<number>();
    if (!nodes.delete(node)) nodes.add(node);
    this.refused.set(job, nodes);
  }

  accepts(job: number, _type: SlotType, node: number): boolean {
    return this.refused.get(job)?.has(node) !== true;
  }

  /** Some map that was requeued waits and may go anywhere. */
  get hasFailedMaps(): boolean {
    if (!this.requeuedIgnoreLocality) return false;
    return [...this.tasksOf.values()].some(({ tasks }) => tasks[MAP].some(isRequeued));
  }

  hasInput(job: number): boolean {
    return this.tasksOf.get(job)?.holders !== null;
  }

  pick(job: number, node: number, allowed: number): number {
    const task = this.find(job, node, allowed);
    if (task >= 0) this.level = this.levelOf(job, task, node);
    return task;
  }

  private find(job: number, node: number, allowed: number): number {
    const tasks = this.tasksOf.get(job)?.tasks[MAP] ?? [];
    const pending = [...tasks.keys()].filter((task) => tasks[task].state === "pending");
    if (this.requeuedIgnoreLocality) {
      const requeued = pending.find((task) => isRequeued(tasks[task]));
      if (requeued !== undefined) return requeued;
    }
    const level = (task: number): number => Math.min(this.levelOf(job, task, node), OFF_RACK);
    const byLevel = (a: number, b: number): number =>
      level(a) - level(b) || tasks[b].requeued - tasks[a].requeued || a - b;
    const first = pending.filter((task) => level(task) <= allowed).sort(byLevel)[0] as number | undefined;
    if (first !== undefined || allowed < OFF_RACK) return first ?? -1;
    // Copies come last, and wait for nothing but that their job may go anywhere (semantics section 10, step 5).
    const copies = [...tasks.keys()].filter((task) => tasks[task].wantsCopy);
    return copies.sort((a, b) => level(a) - level(b) || a - b).at(0) ?? -1;
  }

  levelOf(job: number, task: number, node: number): number {
    const holders = this.tasksOf.get(job)?.holders?.[task];
    if (holders === undefined) return NO_INPUT;
    if (holders.includes(node)) return NODE_LOCAL;
    return holders.some((holder) => this.nodes[holder].rack === this.nodes[node].rack) ? RACK_LOCAL : OFF_RACK;
  }

  hasPlaceless(): boolean {
    return false;
  }

  mayHaveLocal(node: number): boolean {
    if (this.hasFailedMaps) return true;
    return [...this.tasksOf.keys()].some((job) => this.find(job, node, NODE_LOCAL) >= 0);
  }

  localNodes(w: number): number {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) if (this.mayHaveLocal(32 * w + bit)) bits |= 1 << bit;
    return bits;
  }

  mayHaveLocalOf(job: number, node: number): boolean {
    return this.hasFailedMaps || this.find(job, node, NODE_LOCAL) >= 0;
  }

  launchMap(job: number, task: number, node: number, level: number): void {
    if (level !== this.levelOf(job, task, node)) throw new Error(`a map was launched as of level ${level}, wrongly`);
    this.launch(job, MAP, task, node, level);
  }

  launchReduce(job: number, node: number): void {
    const tasks = this.tasksOf.get(job)?.tasks[REDUCE] ?? [];
    const first = tasks.findIndex(({ state }) => state === "pending");
    const task = first >= 0 ? first : tasks.findIndex(({ wantsCopy }) => wantsCopy);
    if (!this.table.reducesMayStart(job)) throw new Error("a reduce was launched before its slow start");
    this.launch(job, REDUCE, task, node, NO_INPUT);
  }

  reportedOn(node: number, type: SlotType): number {
    return this.running[node][type] - this.given[type];
  }

  slotsOf(node: number, type: SlotType): number {
    return type === MAP ? this.nodes[node].mapSlots : this.nodes[node].reduceSlots;
  }

  initialise(job: number): void {
    this.initialising.push(job);
    this.decide("initialise", job, MAP, -1, -1, -1);
  }

  forEachReported(type: SlotType, visit: VisitAttempt): void {
    for (const [number, attempt] of this.attempts) {
      if (attempt.isOrphan || attempt.type !== type || !attempt.isReported) continue;
      visit(number, attempt.job, attempt.task, attempt.launchUs);
    }
  }

  kill(number: number, forPool = -1): void {
    const attempt = this.attempts.get(number);
    if (attempt?.isReported !== true) throw new Error("an attempt that no node has reported was ordered to be killed");
    this.killCalls.push(number);
    this.killedFor.push(forPool);
    if (attempt.isCondemned) return;
    attempt.isCondemned = true;
    this.decide("kill", attempt.job, attempt.type, attempt.task, attempt.node, -1);
  }

  private launch(job: number, type: SlotType, task: number, node: number, level: number): void {
    const launched = this.tasks(job).tasks[type].at(task);
    if (launched === undefined || (launched.state !== "pending" && !launched.wantsCopy)) {
      throw new Error("a task was launched that is not pending");
    }
    if (!this.accepts(job, type, node)) throw new Error("a task was launched where its job is refused");
    if (this.free(node, type) <= 0) throw new Error("a task was launched where no slot is free");
    launched.state = "running";
    launched.wantsCopy = false;
    launched.running++;
    launched.begun++;
    this.table.pending[type][job]--;
    this.table.running[type][job]++;
    this.running[node][type]++;
    this.given[type]++;
    const { nowUs: launchUs } = this;
    const attempt = { job, type, task, node, launchUs, isReported: false, isCondemned: false, isOrphan: false };
    this.attempts.set(this.nextAttempt++, attempt);
    this.decide("launch", job, type, task, node, level);
  }

  private decide(what: Decision["what"], job: number, type: SlotType, task: number, node: number, level: number): void {
    this.decisions.push({ what, atUs: this.nowUs, job: this.table.id[job], type, task, node, level });
  }
}

function pickFrom(tasks: readonly Task[], draw: number, isMeant: (task: Task) => boolean): Task | undefined {
  const meant = tasks.filter(isMeant);
  return meant.at(draw % Math.max(1, meant.length));
}

function isRequeued({ state, requeued }: Task): boolean {
  return state === "pending" && requeued > 0;
}
