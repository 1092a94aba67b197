import { MAP, REDUCE, type JobTable, type SlotType } from "../../dist/core/jobs/job-table.js";
import type { MapSource } from "../../dist/core/jobs/map-source.js";
import { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "../../dist/core/jobs/pending-maps.js";
import type { Launcher, VisitAttempt } from "../../dist/core/scheduler/scheduler.js";

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
}

interface Task {
  state: "pending" | "running" | "done";
  /** Number of the return that made it pending last; 0 if none has. */
  returned: number;
}

interface JobTasks {
  readonly tasks: [Task[], Task[]];
  /** Nodes that hold the block of each map; null: no input. */
  readonly holders: readonly (readonly number[])[] | null;
}

/** Called before a launch is applied. */
export type SeeLaunch = (job: number, type: SlotType, node: number) => void;
/** Called for every map that the scheduler asks for: `task` is what it gets, or -1. */
export type SeePick = (job: number, node: number, allowed: number, task: number) => void;

/** Nodes whose tasks run until they are told to end: the `Launcher` and `MapSource` of the scheduler of a random history. */
export class HistoryCluster implements Launcher, MapSource {
  level = NO_INPUT;
  readonly isSelective = false;
  nowUs = 0;
  readonly decisions: Decision[] = [];
  readonly attempts = new Map<number, Attempt>();
  /** Attempts named to `kill`, in order, those named before among them. */
  readonly killCalls: number[] = [];
  /** Handles of PREP jobs whose set-up has begun. */
  readonly initialising: number[] = [];
  readonly slots: [number, number] = [0, 0];
  seeLaunch: SeeLaunch | null = null;
  seePick: SeePick | null = null;
  private readonly running: [number, number][];
  private readonly given: [number, number] = [0, 0];
  private readonly tasksOf = new Map<number, JobTasks>();
  private nextAttempt = 0;
  private returns = 0;

  constructor(
    readonly nodes: readonly NodeShape[],
    private readonly table: JobTable,
    private readonly returnedIgnoreLocality: boolean,
  ) {
    this.running = nodes.map(() => [0, 0]);
    for (const { mapSlots, reduceSlots } of nodes) {
      this.slots[MAP] += mapSlots;
      this.slots[REDUCE] += reduceSlots;
    }
  }

  enter(job: number, holders: JobTasks["holders"]): void {
    const some = (type: SlotType): Task[] =>
      Array.from({ length: this.table.total[type][job] }, () => ({ state: "pending", returned: 0 }));
    this.tasksOf.set(job, { tasks: [some(MAP), some(REDUCE)], holders });
  }

  leave(job: number): void {
    this.tasksOf.delete(job);
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

  /** The attempt leaves its slot: done, or pending again. */
  end(number: number, isDone: boolean): Attempt {
    const attempt = this.attempts.get(number) as Attempt;
    const { job, type, task, node } = attempt;
    this.attempts.delete(number);
    this.running[node][type]--;
    this.table.running[type][job]--;
    const tasks = this.tasksOf.get(job)?.tasks[type] as Task[];
    tasks[task] = isDone ? { state: "done", returned: 0 } : { state: "pending", returned: ++this.returns };
    (isDone ? this.table.done : this.table.pending)[type][job]++;
    return attempt;
  }

  /** Some map that was returned waits and may go anywhere. */
  get hasRestless(): boolean {
    if (!this.returnedIgnoreLocality) return false;
    return [...this.tasksOf.values()].some(({ tasks }) => tasks[MAP].some(isReturned));
  }

  hasInput(job: number): boolean {
    return this.tasksOf.get(job)?.holders !== null;
  }

  pick(job: number, node: number, allowed: number): number {
    const task = this.find(job, node, allowed);
    if (task >= 0) this.level = this.levelOf(job, task, node);
    this.seePick?.(job, node, allowed, task);
    return task;
  }

  /** What `pick` finds. */
  find(job: number, node: number, allowed: number): number {
    const tasks = this.tasksOf.get(job)?.tasks[MAP] ?? [];
    const pending = [...tasks.keys()].filter((task) => tasks[task].state === "pending");
    if (this.returnedIgnoreLocality) {
      const returned = pending.find((task) => isReturned(tasks[task]));
      if (returned !== undefined) return returned;
    }
    const level = (task: number): number => Math.min(this.levelOf(job, task, node), OFF_RACK);
    return (
      pending
        .filter((task) => level(task) <= allowed)
        .sort((a, b) => level(a) - level(b) || tasks[b].returned - tasks[a].returned || a - b)
        .at(0) ?? -1
    );
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
    if (this.hasRestless) return true;
    return [...this.tasksOf.keys()].some((job) => this.find(job, node, NODE_LOCAL) >= 0);
  }

  nothingOn(): void {
    // Nothing is remembered between searches.
  }

  accepts(): boolean {
    return true;
  }

  launchMap(job: number, task: number, node: number, level: number): void {
    if (level !== this.levelOf(job, task, node)) throw new Error(`a map was launched as of level ${level}, wrongly`);
    this.launch(job, MAP, task, node, level);
  }

  launchReduce(job: number, node: number): void {
    const tasks = this.tasksOf.get(job)?.tasks[REDUCE] ?? [];
    const task = tasks.findIndex(({ state }) => state === "pending");
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
      if (attempt.type === type && attempt.isReported) visit(number, attempt.job, attempt.task, attempt.launchUs);
    }
  }

  kill(number: number): void {
    const attempt = this.attempts.get(number);
    if (attempt?.isReported !== true) throw new Error("an attempt that no node has reported was ordered to be killed");
    this.killCalls.push(number);
    if (attempt.isCondemned) return;
    attempt.isCondemned = true;
    this.decide("kill", attempt.job, attempt.type, attempt.task, attempt.node, -1);
  }

  private launch(job: number, type: SlotType, task: number, node: number, level: number): void {
    const tasks = this.tasksOf.get(job)?.tasks[type] ?? [];
    if (tasks.at(task)?.state !== "pending") throw new Error("a task was launched that is not pending");
    if (this.free(node, type) <= 0) throw new Error("a task was launched where no slot is free");
    this.seeLaunch?.(job, type, node);
    tasks[task].state = "running";
    this.table.pending[type][job]--;
    this.table.running[type][job]++;
    this.running[node][type]++;
    this.given[type]++;
    const { nowUs: launchUs } = this;
    this.attempts.set(this.nextAttempt++, { job, type, task, node, launchUs, isReported: false, isCondemned: false });
    this.decide("launch", job, type, task, node, level);
  }

  private decide(what: Decision["what"], job: number, type: SlotType, task: number, node: number, level: number): void {
    this.decisions.push({ what, atUs: this.nowUs, job: this.table.id[job], type, task, node, level });
  }
}

function isReturned({ state, returned }: Task): boolean {
  return state === "pending" && returned > 0;
}
