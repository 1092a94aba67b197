import { assert } from "../../kernel/index.js";
import { Ask, type YarnLevel } from "./asks.js";
import { ANYWHERE, type AskPlace } from "./places.js";
import { addTo, none, type Resources, takeFrom } from "./resources.js";

/** A node, as a scheduler knows it. */
export class YarnNode {
  readonly free: Resources;
  readonly containers: Container[] = [];
  reservation: Reservation | null = null;

  /** @param index from 0 on; asks name it by that. */
  constructor(
    readonly index: number,
    readonly rack: number,
    readonly total: Readonly<Resources>,
  ) {
    this.free = { ...total };
  }
}

/** A container that an application holds on a node. */
export class Container {
  isMaster = false;
  /** It is to be killed to make room. */
  isDoomed = false;
  isReleased = false;
  /** The caller's own: its place in the record. */
  row = -1;
  /** Its index among the containers of its application, and of its node. */
  ofApp = 0;
  ofNode = 0;

  /** @param number in the order in which the scheduler gave them. */
  constructor(
    readonly number: number,
    readonly app: SchedulerApp,
    readonly node: YarnNode,
    readonly priority: number,
    readonly size: Readonly<Resources>,
    readonly level: YarnLevel,
  ) {}
}

/** A node is kept for an application until it has room for what that asks. */
export interface Reservation {
  readonly app: SchedulerApp;
  readonly ask: Ask;
  readonly size: Readonly<Resources>;
  readonly level: YarnLevel;
}

export interface AppSpec {
  readonly name: string;
  /** Full name of the leaf queue, from `root` on. */
  readonly queue: string;
  readonly user: string;
  /** Higher goes first where an order looks at it. */
  readonly priority?: number | undefined;
  /** Size of its master, the first container it gets; undefined: masters are not simulated. */
  readonly master?: Readonly<Resources>;
}

/** An application attempt, as both schedulers know it: what it has and what it asks for. */
export class SchedulerApp {
  readonly used = none();
  /** Asked for, not given. */
  readonly pending = none();
  /** Containers asked for at all priorities. */
  wanted = 0;
  readonly containers: Container[] = [];
  /** Nodes that are kept for it. */
  readonly reservedNodes: YarnNode[] = [];
  /** Lower priorities, which go first, are in front. */
  readonly asks: Ask[] = [];
  /** Its first container is its master's. */
  master: Container | null = null;

  /** @param index in the order in which they came. */
  constructor(
    readonly index: number,
    readonly spec: AppSpec,
    readonly startUs: number,
  ) {}

  get name(): string {
    return this.spec.name;
  }

  get priority(): number {
    return this.spec.priority ?? 1;
  }

  get awaitsMaster(): boolean {
    return this.spec.master !== undefined && this.master === null;
  }

  askAt(priority: number): Ask {
    let index = this.asks.length;
    while (index > 0 && this.asks[index - 1].priority >= priority) {
      if (this.asks[index - 1].priority === priority) return this.asks[index - 1];
      index--;
    }
    const ask = new Ask(priority);
    this.asks.splice(index, 0, ask);
    return ask;
  }

  /** Replaces what is asked at a place. @returns by how many containers more are wanted */
  setAsk(priority: number, place: AskPlace, count: number, size: Readonly<Resources>, relax: boolean): number {
    const ask = this.askAt(priority);
    // One size a priority: that of anywhere holds.
    if (place === ANYWHERE || ask.wanted === 0) this.resize(ask, size);
    const change = ask.set(place, count, relax);
    this.pendingChanged(change, ask.size);
    return change;
  }

  /** The container joins what it has; what was asked for is served. */
  hold(container: Container, ask: Ask): void {
    const { node, level, size } = container;
    ask.serve(level, node.index, node.rack);
    this.pendingChanged(-1, ask.size);
    addTo(this.used, size);
    if (this.awaitsMaster) {
      container.isMaster = true;
      this.master = container;
    }
    container.ofApp = this.containers.push(container) - 1;
    container.ofNode = node.containers.push(container) - 1;
    takeFrom(node.free, size);
    assert(node.free.memory >= 0, "a node holds more containers than fit");
  }

  letGo(container: Container): void {
    assert(!container.isReleased, "a container is released twice");
    const { node, size } = container;
    container.isReleased = true;
    takeFrom(this.used, size);
    addTo(node.free, size);
    takeOut(this.containers, container, "ofApp");
    takeOut(node.containers, container, "ofNode");
  }

  private resize(ask: Ask, { memory, vcores }: Readonly<Resources>): void {
    if (ask.size.memory === memory && ask.size.vcores === vcores) return;
    this.pendingChanged(-ask.wanted, ask.size);
    ask.size = { memory, vcores };
    this.pendingChanged(ask.wanted, ask.size);
  }

  private pendingChanged(containers: number, { memory, vcores }: Readonly<Resources>): void {
    this.wanted += containers;
    this.pending.memory += containers * memory;
    this.pending.vcores += containers * vcores;
  }
}

/** The last of the containers takes the place of the one that goes. */
function takeOut(containers: Container[], container: Container, index: "ofApp" | "ofNode"): void {
  const last = containers.pop();
  if (last === undefined || last === container) return;
  containers[container[index]] = last;
  last[index] = container[index];
}

/** Those of a list in the order in which they were given. */
export function inOrder(containers: readonly Container[]): Container[] {
  return [...containers].sort((a, b) => a.number - b.number);
}
