import { assert } from "../../kernel/index.js";
import type { YarnApplication, YarnStage, YarnTask } from "./application.js";
import { ANYWHERE, type AskPlace, NODE_LOCAL, OFF_SWITCH, placeOfRack, RACK_LOCAL, type YarnLevel } from "./asks.js";

/** What a task is doing. */
const LATER = 0;
const WAITING = 1;
const HELD = 2;
const DONE = 3;

/** Wishes in order, read from the front. Those that are no more go when they are met. */
interface WishQueue {
  readonly wishes: number[];
  front: number;
}

/** How many containers are asked for at a place. */
interface PlaceCount {
  readonly place: AskPlace;
  count: number;
  hasChanged: boolean;
}

/** The tasks of one stage, and how many containers they ask for where. */
export class StageWork {
  done = 0;
  waiting = 0;
  held = 0;
  /** When its last container came, or it began to wait. */
  lastServedUs = 0;
  /** Tasks whose containers wait until the parents have ended: places in the record. */
  readonly blocked: number[] = [];
  private readonly state: Uint8Array;
  readonly readyUs: Float64Array;
  readonly attempts: Uint16Array;
  /** Wishes of tasks, numbered as they came; and by task the one that holds: a task that lost its container has another turn. */
  private readonly wisherOf: number[] = [];
  private readonly wishOf: Int32Array;
  private readonly onNode = new Map<number, WishQueue>();
  private readonly onRack = new Map<number, WishQueue>();
  private readonly all: WishQueue = { wishes: [], front: 0 };
  private readonly counts = new Map<AskPlace, PlaceCount>();
  private changed: PlaceCount[] = [];
  private later: number;
  /** While parents wait for containers it may hold no more than this, once it had to give one back. */
  private most = Infinity;
  private readonly givenBack: number[] = [];

  constructor(
    readonly spec: YarnStage,
    private readonly rackOf: (node: number) => number,
  ) {
    const { length } = spec.tasks;
    this.state = new Uint8Array(length);
    this.readyUs = new Float64Array(length);
    this.attempts = new Uint16Array(length);
    this.wishOf = new Int32Array(length);
    this.later = 0;
  }

  get tasks(): readonly YarnTask[] {
    return this.spec.tasks;
  }

  get haveTasksEnded(): boolean {
    return this.done === this.tasks.length;
  }

  /** Asks for containers until so many tasks have, had or want one. */
  openUpTo(count: number, nowUs: number): void {
    const most = Math.min(count, this.most);
    while (this.waiting + this.held + this.done < most) {
      const task = this.givenBack.pop() ?? this.later++;
      if (task >= this.tasks.length) return;
      this.want(task, nowUs);
    }
  }

  /** No limit holds any more. */
  openAll(nowUs: number): void {
    this.most = Infinity;
    this.openUpTo(this.tasks.length, nowUs);
  }

  /** The nearest of those that wait; null: none does. */
  take(node: number): { readonly task: number; readonly level: YarnLevel } | null {
    const rack = this.rackOf(node);
    const near = this.next(this.onNode.get(node)) ?? this.next(this.onRack.get(rack)) ?? this.next(this.all);
    if (near === null) return null;
    this.count(near, -1);
    this.state[near] = HELD;
    this.waiting--;
    this.held++;
    return { task: near, level: this.levelOn(near, node, rack) };
  }

  finish(task: number): void {
    assert(this.state[task] === HELD, "a task ends that has no container");
    this.state[task] = DONE;
    this.held--;
    this.done++;
  }

  /** Its container went before it ended: it asks for another. */
  lose(task: number, nowUs: number): void {
    this.drop(task);
    this.want(task, nowUs);
  }

  /** Its container is given back, and it does not ask again before the parents have what they need. */
  giveBack(task: number): void {
    this.drop(task);
    this.givenBack.push(task);
    this.most = this.held + this.done;
    // What it still asks for makes way, too.
    for (let waiting = this.next(this.all); waiting !== null; waiting = this.next(this.all)) {
      this.count(waiting, -1);
      this.state[waiting] = LATER;
      this.waiting--;
      this.givenBack.push(waiting);
    }
  }

  /** Places at which other counts are asked than when this was asked last. */
  takeChanges(): readonly PlaceCount[] {
    const { changed } = this;
    if (changed.length > 0) this.changed = [];
    for (const place of changed) place.hasChanged = false;
    return changed;
  }

  /** To a new run of the master, which knows nothing of what was asked. */
  forgetAsks(): void {
    for (const place of this.counts.values()) this.noteChange(place);
  }

  private drop(task: number): void {
    assert(this.state[task] === HELD, "a task loses a container that it has not");
    this.state[task] = LATER;
    this.held--;
  }

  private want(task: number, nowUs: number): void {
    if (this.waiting === 0) this.lastServedUs = nowUs;
    this.state[task] = WAITING;
    this.readyUs[task] = nowUs;
    this.waiting++;
    this.count(task, 1);
    const wish = this.wisherOf.push(task) - 1;
    this.wishOf[task] = wish;
    const { nodes } = this.tasks[task];
    for (let i = 0; i < nodes.length; i++) {
      push(this.onNode, nodes[i], wish);
      if (this.isFirstOfRack(nodes, i)) push(this.onRack, this.rackOf(nodes[i]), wish);
    }
    this.all.wishes.push(wish);
  }

  private count(task: number, change: number): void {
    const { nodes } = this.tasks[task];
    for (let i = 0; i < nodes.length; i++) {
      this.countAt(nodes[i], change);
      if (this.isFirstOfRack(nodes, i)) this.countAt(placeOfRack(this.rackOf(nodes[i])), change);
    }
    this.countAt(ANYWHERE, change);
  }

  private isFirstOfRack(nodes: readonly number[], at: number): boolean {
    const rack = this.rackOf(nodes[at]);
    for (let i = 0; i < at; i++) if (this.rackOf(nodes[i]) === rack) return false;
    return true;
  }

  private countAt(place: AskPlace, change: number): void {
    let asked = this.counts.get(place);
    if (asked === undefined) {
      asked = { place, count: 0, hasChanged: false };
      this.counts.set(place, asked);
    }
    asked.count += change;
    this.noteChange(asked);
  }

  private noteChange(place: PlaceCount): void {
    if (place.hasChanged) return;
    place.hasChanged = true;
    this.changed.push(place);
  }

  private next(queue: WishQueue | undefined): number | null {
    if (queue === undefined) return null;
    const { wishes } = queue;
    while (queue.front < wishes.length) {
      const wish = wishes[queue.front];
      const task = this.wisherOf[wish];
      if (this.wishOf[task] === wish && this.state[task] === WAITING) return task;
      queue.front++;
    }
    return null;
  }

  private levelOn(task: number, node: number, rack: number): YarnLevel {
    const { nodes } = this.tasks[task];
    if (nodes.includes(node)) return NODE_LOCAL;
    return nodes.some((other) => this.rackOf(other) === rack) ? RACK_LOCAL : OFF_SWITCH;
  }
}

function push(queues: Map<number, WishQueue>, key: number, wish: number): void {
  const queue = queues.get(key);
  if (queue === undefined) queues.set(key, { wishes: [wish], front: 0 });
  else queue.wishes.push(wish);
}

/** What an application master knows of its work: which stages ask for containers, and which tasks get those that come. */
export class MasterWork {
  readonly stages: readonly StageWork[];
  private readonly byPriority = new Map<number, number>();
  /** By stage: all that must have ended before it, however far above. */
  private readonly above: (readonly StageWork[])[] = [];

  constructor(
    readonly application: YarnApplication,
    rackOf: (node: number) => number,
  ) {
    this.stages = application.stages.map((stage) => new StageWork(stage, rackOf));
    application.stages.forEach(({ priority, parents }, stage) => {
      assert(!this.byPriority.has(priority), "two stages of an application ask at one priority");
      this.byPriority.set(priority, stage);
      const all = new Set<StageWork>();
      for (const parent of parents) for (const one of [this.stages[parent], ...this.above[parent]]) all.add(one);
      this.above.push([...all]);
    });
  }

  get hasEnded(): boolean {
    return this.stages.every(({ haveTasksEnded }) => haveTasksEnded);
  }

  /** The stage whose containers are asked for at a priority. */
  stageAt(priority: number): number {
    const stage = this.byPriority.get(priority);
    assert(stage !== undefined, "a container came that no stage asked for");
    return stage;
  }

  haveParentsEnded({ spec }: StageWork): boolean {
    return spec.parents.every((parent) => this.isOver(this.stages[parent]));
  }

  /** A task does its work only after its stage's parents; a stage without tasks is over when they are. */
  isOver(stage: StageWork): boolean {
    return stage.haveTasksEnded && (stage.tasks.length > 0 || this.haveParentsEnded(stage));
  }

  /** Stages ask for as much as their parents' progress lets them. */
  open(nowUs: number): void {
    for (let at = 0; at < this.stages.length; at++) {
      const stage = this.stages[at];
      const { parents, slowStart, tasks } = stage.spec;
      if (this.haveParentsEnded(stage)) {
        stage.openAll(nowUs);
        continue;
      }
      let share = 1;
      for (const parent of parents) share = Math.min(share, this.partDone(this.stages[parent]));
      if (slowStart >= 1 || share < slowStart) continue;
      const nobodyWaits = this.above[at].every(({ held, done, tasks: all }) => held + done === all.length);
      if (nobodyWaits) stage.openAll(nowUs);
      else stage.openUpTo(Math.floor(share * tasks.length), nowUs);
    }
  }

  private partDone(stage: StageWork): number {
    if (this.isOver(stage)) return 1;
    return stage.tasks.length === 0 ? 0 : stage.done / stage.tasks.length;
  }

  /** A stage that holds containers for nothing, while one above it has waited too long for any. */
  blocker(nowUs: number, patienceUs: number): StageWork | null {
    for (let at = 0; at < this.stages.length; at++) {
      const stage = this.stages[at];
      if (stage.blocked.length === 0) continue;
      const starves = this.above[at].some(
        ({ waiting, held, lastServedUs }) => waiting > 0 && held === 0 && nowUs - lastServedUs >= patienceUs,
      );
      if (starves) return stage;
    }
    return null;
  }
}
