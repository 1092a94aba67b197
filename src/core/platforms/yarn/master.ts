import { sumOver, assert } from "../../kernel/index.js";
import type { RecordedFailure } from "../../workload/index.js";
import { countsAsFailure, type YarnApplication, type YarnStage, type YarnTask } from "./application.js";
import { type Ask, NODE_LOCAL, OFF_SWITCH, RACK_LOCAL, type YarnLevel } from "./asks.js";
import { type AskPlace, NamedPlaces, placeOfRack } from "./places.js";

/** States of a task. */
const LATER = 0;
const WAITING = 1;
const HELD = 2;
const DONE = 3;

/**
 * Wishes of tasks that have lost a container, in order, read from the front. Those that are no more go when they are
 * met.
 */
interface WishQueue {
  readonly tasks: number[];
  readonly wishes: number[];
  front: number;
}

/** In place of a task: none. */
const NONE = -1;
/** In place of a place's number: all tasks, wherever they want to be. */
const ALL = -1;

/**
 * The tasks of one stage, and how many containers they ask for where. Nodes and racks have numbers of the stage; what a
 * task names, and which tasks name a place, are lists one after the other in one array each.
 */
export class StageWork {
  done = 0;
  waiting = 0;
  containerCount = 0;
  /** When its last container came, or it began to wait. */
  lastServedUs = 0;
  /** All stages that must have ended before it, however far above. */
  above: readonly StageWork[] = [];
  /** Tasks whose containers wait until the parents have ended: places in the record. */
  readonly blocked: number[] = [];
  private readonly state: Uint8Array;
  readonly readyUs: Float64Array;
  /** Run times on the data, by task. */
  readonly runUs: Float64Array;
  /** Locality level of the task that was taken last. */
  takenLevel: YarnLevel = OFF_SWITCH;
  readonly attempts: Uint16Array;
  /** Number of the last wish of a task, from 1 on; a task that lost its container has another turn. */
  private readonly wishOf: Int32Array;
  private readonly hasTurnAgain: Uint8Array;
  private wishesSoFar = 0;
  private readonly named = new NamedPlaces();
  /** By task: the numbers of its places begin there. By place: the tasks that name it do, in order. */
  private readonly firstPlaceOf: Int32Array;
  private readonly placesOf: Int32Array;
  private readonly firstTaskAt: Int32Array;
  private readonly tasksAt: Int32Array;
  /** By place: the tasks before it there wait no more, or have had their first turn. */
  private readonly frontAt: Int32Array;
  private front = 0;
  /** By place, of tasks that have another turn. Null: none has. */
  private again: Map<number, WishQueue> | null = null;
  /** By place: how many ask for it, and whether that has changed since it was told. */
  private readonly counts: Int32Array;
  private readonly hasChanged: Uint8Array;
  private readonly changed: Int32Array;
  private changes = 0;
  private waitingHasChanged = false;
  private later: number;
  /** While parents wait for containers it may hold no more than this, once it had to give one back. */
  private mostRunning = Infinity;
  private readonly givenBack: number[] = [];
  /** By task: how many of its recorded failures have happened. */
  private readonly failuresSoFar = new Map<number, number>();

  /** @param rackOf by node. */
  constructor(
    readonly spec: YarnStage,
    private readonly rackOf: Int32Array,
  ) {
    const { tasks } = spec;
    const { length } = tasks;
    this.state = new Uint8Array(length);
    this.readyUs = new Float64Array(length);
    this.runUs = new Float64Array(length);
    this.attempts = new Uint16Array(length);
    this.wishOf = new Int32Array(length);
    this.hasTurnAgain = new Uint8Array(length);
    this.later = 0;
    const { named } = this;
    this.firstPlaceOf = new Int32Array(length + 1);
    const room = sumOver(tasks, ({ nodes }) => 2 * nodes.length);
    const places = new Int32Array(room);
    let end = 0;
    for (let task = 0; task < length; task++) {
      const { nodes, runUs } = tasks[task];
      this.runUs[task] = runUs;
      for (let i = 0; i < nodes.length; i++) {
        places[end++] = named.name(nodes[i]);
        if (this.isFirstOfRack(nodes, i)) places[end++] = named.name(placeOfRack(rackOf[nodes[i]]));
      }
      this.firstPlaceOf[task + 1] = end;
    }
    this.placesOf = places.slice(0, end);
    this.firstTaskAt = new Int32Array(named.size + 1);
    for (let cell = 0; cell < end; cell++) this.firstTaskAt[this.placesOf[cell] + 1]++;
    for (let place = 0; place < named.size; place++) this.firstTaskAt[place + 1] += this.firstTaskAt[place];
    this.frontAt = this.firstTaskAt.slice(0, named.size);
    this.tasksAt = new Int32Array(end);
    for (let task = 0; task < length; task++) {
      for (let placeCell = this.firstPlaceOf[task]; placeCell < this.firstPlaceOf[task + 1]; placeCell++) {
        this.tasksAt[this.frontAt[this.placesOf[placeCell]]++] = task;
      }
    }
    this.frontAt.set(this.firstTaskAt.subarray(0, named.size));
    this.counts = new Int32Array(named.size);
    this.hasChanged = new Uint8Array(named.size);
    this.changed = new Int32Array(named.size);
  }

  get tasks(): readonly YarnTask[] {
    return this.spec.tasks;
  }

  get haveTasksEnded(): boolean {
    return this.done === this.state.length;
  }

  /** Asks for containers until so many tasks have, had or want one. */
  openUpTo(count: number, nowUs: number): void {
    const allowed = Math.min(count, this.mostRunning);
    while (this.waiting + this.containerCount + this.done < allowed) {
      const task = this.givenBack.pop() ?? this.later++;
      if (task >= this.state.length) return;
      this.want(task, nowUs);
    }
  }

  /** No limit holds any more. */
  openAll(nowUs: number): void {
    this.mostRunning = Infinity;
    this.openUpTo(this.state.length, nowUs);
  }

  /** The nearest of those that wait; -1: none does. */
  take(node: number): number {
    const near = this.nearest(node);
    if (near === NONE) return NONE;
    this.count(near, -1);
    this.state[near] = HELD;
    this.waiting--;
    this.containerCount++;
    return near;
  }

  finish(task: number): void {
    assert(this.state[task] === HELD, "a task ends that has no container");
    this.state[task] = DONE;
    this.containerCount--;
    this.done++;
  }

  /** Its container went before it ended: it asks for another. */
  lose(task: number, nowUs: number): void {
    this.drop(task);
    this.want(task, nowUs);
  }

  /** Returns the failure of its next attempt; undefined: it succeeds. */
  nextFailure(task: number): RecordedFailure | undefined {
    return this.tasks[task].failures?.[this.failuresSoFar.get(task) ?? 0];
  }

  /** @returns how many attempts of the task have failed by themselves, this one with them. */
  fail(task: number): number {
    const soFar = (this.failuresSoFar.get(task) ?? 0) + 1;
    this.failuresSoFar.set(task, soFar);
    return this.tasks[task].failures?.slice(0, soFar).filter(countsAsFailure).length ?? 0;
  }

  /** Its container is given back, and it does not ask again before the parents have what they need. */
  giveBack(task: number): void {
    this.drop(task);
    this.givenBack.push(task);
    this.mostRunning = this.containerCount + this.done;
    // Its pending requests make way, too.
    for (let waiting = this.next(ALL); waiting !== NONE; waiting = this.next(ALL)) {
      this.count(waiting, -1);
      this.state[waiting] = LATER;
      this.waiting--;
      this.givenBack.push(waiting);
    }
  }

  /** Other containers are asked for, or elsewhere, than when that was told last. */
  get asksOtherwise(): boolean {
    return this.waitingHasChanged;
  }

  /** Tells an ask what has changed of its places; how many containers are wanted is `waiting`. */
  tellPlaces(ask: Ask): void {
    const { changed, hasChanged, counts } = this;
    ask.goBy(this.named);
    for (let change = 0; change < this.changes; change++) {
      const place = changed[change];
      hasChanged[place] = 0;
      ask.setAt(place, counts[place]);
    }
    this.changes = 0;
    this.waitingHasChanged = false;
  }

  /** To a new run of the master, which knows nothing of what was asked. */
  forgetAsks(): void {
    for (let place = 0; place < this.counts.length; place++) this.noteChange(place);
    // A stage without requests so far changes nothing.
    if (this.wishesSoFar > 0) this.waitingHasChanged = true;
  }

  /** Whether it matters where the task runs. */
  hasPlaces(task: number): boolean {
    return this.firstPlaceOf[task + 1] > this.firstPlaceOf[task];
  }

  private drop(task: number): void {
    assert(this.state[task] === HELD, "a task loses a container that it has not");
    this.state[task] = LATER;
    this.containerCount--;
  }

  private want(task: number, nowUs: number): void {
    if (this.waiting === 0) this.lastServedUs = nowUs;
    const isFirst = this.wishOf[task] === 0;
    this.state[task] = WAITING;
    this.readyUs[task] = nowUs;
    this.waiting++;
    this.count(task, 1);
    this.wishOf[task] = ++this.wishesSoFar;
    if (!isFirst) this.wantAgain(task);
  }

  private wantAgain(task: number): void {
    this.hasTurnAgain[task] = 1;
    this.again ??= new Map();
    const { firstPlaceOf, placesOf, again } = this;
    for (let cell = firstPlaceOf[task]; cell < firstPlaceOf[task + 1]; cell++) {
      push(again, placesOf[cell], task, this.wishOf[task]);
    }
    push(again, ALL, task, this.wishOf[task]);
  }

  private count(task: number, change: number): void {
    const { firstPlaceOf, placesOf, counts } = this;
    const end = firstPlaceOf[task + 1];
    for (let cell = firstPlaceOf[task]; cell < end; cell++) {
      const place = placesOf[cell];
      counts[place] += change;
      this.noteChange(place);
    }
    this.waitingHasChanged = true;
  }

  private isFirstOfRack(nodes: readonly number[], index: number): boolean {
    const rack = this.rackOf[nodes[index]];
    for (let i = 0; i < index; i++) if (this.rackOf[nodes[i]] === rack) return false;
    return true;
  }

  private noteChange(place: number): void {
    if (this.hasChanged[place] === 1) return;
    this.hasChanged[place] = 1;
    this.changed[this.changes++] = place;
  }

  /** Of tasks whose data is on the node; if none of those waits, in the rack; and so on. */
  private nearest(node: number): number {
    this.takenLevel = NODE_LOCAL;
    const onNode = this.nextIn(node);
    if (onNode !== NONE) return onNode;
    this.takenLevel = RACK_LOCAL;
    const onRack = this.nextIn(placeOfRack(this.rackOf[node]));
    if (onRack !== NONE) return onRack;
    this.takenLevel = OFF_SWITCH;
    return this.next(ALL);
  }

  private nextIn(place: AskPlace): number {
    const number = this.named.numberOf(place);
    return number < 0 ? NONE : this.next(number);
  }

  /** The first that waits there: of those in their first turn, or of those that have another. */
  private next(place: number): number {
    const first = place === ALL ? this.nextOfAll() : this.nextAt(place);
    const queue = this.again?.get(place);
    if (queue === undefined) return first;
    const { tasks, wishes } = queue;
    for (; queue.front < tasks.length; queue.front++) {
      const task = tasks[queue.front];
      if (this.state[task] !== WAITING || this.wishOf[task] !== wishes[queue.front]) continue;
      return first === NONE || this.wishOf[task] < this.wishOf[first] ? task : first;
    }
    return first;
  }

  private nextAt(place: number): number {
    const { frontAt, tasksAt, later } = this;
    const end = this.firstTaskAt[place + 1];
    let cell = frontAt[place];
    while (cell < end && tasksAt[cell] < later && !this.isInFirstTurn(tasksAt[cell])) cell++;
    frontAt[place] = cell;
    return cell < end && tasksAt[cell] < later ? tasksAt[cell] : NONE;
  }

  private nextOfAll(): number {
    const end = Math.min(this.later, this.state.length);
    while (this.front < end && !this.isInFirstTurn(this.front)) this.front++;
    return this.front < end ? this.front : NONE;
  }

  private isInFirstTurn(task: number): boolean {
    return this.state[task] === WAITING && this.hasTurnAgain[task] === 0;
  }
}

function push(queues: Map<number, WishQueue>, place: number, task: number, wish: number): void {
  const queue = queues.get(place);
  if (queue === undefined) queues.set(place, { tasks: [task], wishes: [wish], front: 0 });
  else {
    queue.tasks.push(task);
    queue.wishes.push(wish);
  }
}

/** The limit of reduces while maps wait: a part of what the master has and of the memory that is free. */
export interface RampUp {
  readonly limit: number;
  readonly roomMb: () => number;
}

/**
 * The work of an application master: its stages, those that request containers, and the tasks that get them.
 */
export class MasterWork {
  readonly stages: readonly StageWork[];
  private readonly byPriority = new Map<number, number>();

  constructor(
    readonly application: YarnApplication,
    rackOf: Int32Array,
  ) {
    this.stages = application.stages.map((stage) => new StageWork(stage, rackOf));
    application.stages.forEach(({ priority, parents }, stage) => {
      assert(!this.byPriority.has(priority), "two stages of an application ask at one priority");
      this.byPriority.set(priority, stage);
      const ancestors = new Set<StageWork>();
      for (const parent of parents)
        for (const ancestor of [this.stages[parent], ...this.stages[parent].above]) ancestors.add(ancestor);
      this.stages[stage].above = [...ancestors];
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

  haveParentsEnded({ above }: StageWork): boolean {
    return above.every(({ haveTasksEnded }) => haveTasksEnded);
  }

  /** A task does its work only after its stage's parents; a stage without tasks is over when they are. */
  isOver(stage: StageWork): boolean {
    return stage.haveTasksEnded && (stage.tasks.length > 0 || this.haveParentsEnded(stage));
  }

  /**
   * Stages ask for as much as their parents' progress lets them.
   * @param rampUp what they may hold while these wait; null: nothing limits that.
   */
  open(nowUs: number, rampUp: RampUp | null = null): void {
    for (let index = 0; index < this.stages.length; index++) {
      const stage = this.stages[index];
      const { parents, slowStart, tasks } = stage.spec;
      if (this.haveParentsEnded(stage)) {
        stage.openAll(nowUs);
        continue;
      }
      let share = 1;
      for (const parent of parents) share = Math.min(share, this.partDone(this.stages[parent]));
      if (slowStart >= 1 || share < slowStart) continue;
      const nobodyWaits = stage.above.every(
        ({ containerCount, done, tasks: stageTasks }) => containerCount + done === stageTasks.length,
      );
      if (nobodyWaits) stage.openAll(nowUs);
      else if (rampUp === null) stage.openUpTo(Math.floor(share * tasks.length), nowUs);
      else stage.openUpTo(this.mostWhileOthersWait(stage, share, rampUp), nowUs);
    }
  }

  /** Part of what the job has and could have, and what those before it do not want of the rest. */
  private mostWhileOthersWait(
    { spec, above, containerCount, done }: StageWork,
    share: number,
    { limit, roomMb }: RampUp,
  ): number {
    let [totalMb, wantedMb] = [roomMb() + containerCount * spec.size.memory, 0];
    for (const ancestor of above) {
      totalMb += ancestor.containerCount * ancestor.spec.size.memory;
      wantedMb += (ancestor.containerCount + ancestor.waiting) * ancestor.spec.size.memory;
    }
    const ownMb = totalMb * Math.min(share, limit);
    const unwantedMb = Math.max(0, totalMb - ownMb - wantedMb);
    return done + Math.floor((ownMb + unwantedMb) / spec.size.memory);
  }

  private partDone(stage: StageWork): number {
    if (this.isOver(stage)) return 1;
    return stage.tasks.length === 0 ? 0 : stage.done / stage.tasks.length;
  }

  /** Returns a stage that holds idle containers, while a stage above it has none and has waited too long; or null. */
  blocker(nowUs: number, patienceUs: number): StageWork | null {
    for (let index = 0; index < this.stages.length; index++) {
      const stage = this.stages[index];
      if (stage.blocked.length === 0) continue;
      const starves = stage.above.some(
        ({ waiting, containerCount, lastServedUs }) =>
          waiting > 0 && containerCount === 0 && nowUs - lastServedUs >= patienceUs,
      );
      if (starves) return stage;
    }
    return null;
  }
}
