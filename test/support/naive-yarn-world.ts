import type { Resources, YarnLevel } from "../../dist/core/platforms/yarn/index.js";

export const [NODE_LOCAL, RACK_LOCAL, OFF_SWITCH] = [0, 1, 2] as const;

/**
 * What is asked at one priority: by place ("any", "node 3", "rack 1") how many containers. Entries of nodes and racks
 * at 0 vanish.
 */
export interface NaiveAsk {
  readonly priority: number;
  size: Resources;
  readonly places: Map<string, number>;
  opportunities: number;
  level: YarnLevel | null;
  sinceUs: number;
  reReservations: number;
}

export interface NaiveApp {
  /** In the order in which they came. */
  readonly index: number;
  readonly name: string;
  readonly queue: string;
  readonly user: string;
  readonly priority: number;
  readonly startUs: number;
  readonly master: Readonly<Resources>;
  readonly asks: NaiveAsk[];
  isGone: boolean;
}

export interface NaiveNode {
  readonly index: number;
  readonly rack: number;
  readonly total: Readonly<Resources>;
  reservation: NaiveReservation | null;
}

export interface NaiveReservation {
  readonly app: NaiveApp;
  readonly ask: NaiveAsk;
  readonly size: Readonly<Resources>;
  /** In the order in which they were made. */
  readonly number: number;
}

export interface NaiveContainer {
  /** In the order in which they were given. */
  readonly number: number;
  readonly app: NaiveApp;
  readonly node: NaiveNode;
  readonly priority: number;
  readonly size: Readonly<Resources>;
  readonly level: YarnLevel;
  readonly isMaster: boolean;
  readonly givenUs: number;
  isDoomed: boolean;
  isReleased: boolean;
}

/** What both twins are to the simulation. */
export interface NaiveScheduler {
  readonly world: NaiveWorld;
  /** Infinity: never. */
  readonly updateUs: number;
  readonly roundUs: number;
  /** Whether a report gives containers. */
  gives(hasEnded: boolean): boolean;
  nodesChanged(): void;
  submitted(app: NaiveApp): void;
  asked(app: NaiveApp): void;
  released(container: NaiveContainer): void;
  left(app: NaiveApp): void;
  report(node: NaiveNode, nowUs: number): NaiveContainer[];
  /** @returns containers that are to be killed, and when */
  update(nowUs: number): { readonly atUs: number; readonly containers: readonly NaiveContainer[] }[];
  /** In which order a round tries the nodes. */
  round(): NaiveNode[];
}

/** Nodes, applications and containers, with every sum made anew. */
export class NaiveWorld {
  /** Those that are there, in the order in which they came. */
  readonly nodes: NaiveNode[] = [];
  readonly apps: NaiveApp[] = [];
  /** Those that run, in the order in which they were given. */
  containers: NaiveContainer[] = [];
  reservationsSoFar = 0;
  private containersSoFar = 0;

  get live(): NaiveApp[] {
    return this.apps.filter(({ isGone }) => !isGone);
  }

  get total(): Resources {
    return sum(this.nodes.map(({ total }) => total));
  }

  used(counts: (one: NaiveContainer) => boolean): Resources {
    return sum(this.containers.filter(counts).map(({ size }) => size));
  }

  usedBy(app: NaiveApp): Resources {
    return this.used((one) => one.app === app);
  }

  freeOn(node: NaiveNode): Resources {
    return minus(
      node.total,
      this.used((one) => one.node === node),
    );
  }

  pendingOf({ asks }: NaiveApp): Resources {
    return sum(asks.map((ask) => times(ask.size, wantedBy(ask))));
  }

  wantsAny({ asks }: NaiveApp): boolean {
    return asks.some((ask) => wantedBy(ask) > 0);
  }

  hasMaster(app: NaiveApp): boolean {
    return this.containers.some((one) => one.app === app && one.isMaster);
  }

  reservedFor(app: NaiveApp): NaiveNode[] {
    const nodes = this.nodes.filter(({ reservation }) => reservation?.app === app);
    return nodes.sort((a, b) => a.reservation!.number - b.reservation!.number);
  }

  reserve(node: NaiveNode, app: NaiveApp, ask: NaiveAsk): void {
    node.reservation = { app, ask, size: ask.size, number: this.reservationsSoFar++ };
  }

  /** Replaces what is asked at a place. */
  ask(app: NaiveApp, priority: number, place: string, count: number, size: Readonly<Resources>): void {
    let ask = app.asks.find((one) => one.priority === priority);
    if (ask === undefined) {
      ask = {
        priority,
        size,
        places: new Map(),
        opportunities: 0,
        level: null,
        sinceUs: 0,
        reReservations: 0,
      };
      app.asks.push(ask);
      app.asks.sort((a, b) => a.priority - b.priority);
    }
    if (count === 0 && place !== "any") ask.places.delete(place);
    else ask.places.set(place, count);
  }

  /** The nearer a container was found, the more entries it serves. */
  give(app: NaiveApp, ask: NaiveAsk, node: NaiveNode, level: YarnLevel, nowUs: number): NaiveContainer {
    const served = [
      "any",
      ...(level <= RACK_LOCAL ? [rackOf(node)] : []),
      ...(level === NODE_LOCAL ? [nodeOf(node)] : []),
    ];
    for (const place of served) {
      const count = countAt(ask, place) - 1;
      if (count <= 0 && place !== "any") ask.places.delete(place);
      else ask.places.set(place, count);
    }
    const container: NaiveContainer = {
      number: this.containersSoFar++,
      app,
      node,
      priority: ask.priority,
      size: ask.size,
      level,
      isMaster: !this.hasMaster(app),
      givenUs: nowUs,
      isDoomed: false,
      isReleased: false,
    };
    this.containers.push(container);
    return container;
  }
}

export function countAt(ask: NaiveAsk, place: string): number {
  return ask.places.get(place) ?? 0;
}

export function wantedBy(ask: NaiveAsk): number {
  return countAt(ask, "any");
}

export function nodeOf({ index }: NaiveNode): string {
  return `node ${index}`;
}

export function rackOf({ rack }: NaiveNode): string {
  return `rack ${rack}`;
}

export function sum(amounts: readonly Readonly<Resources>[]): Resources {
  return {
    memory: amounts.reduce((all, { memory }) => all + memory, 0),
    vcores: amounts.reduce((all, { vcores }) => all + vcores, 0),
  };
}

export function minus(whole: Readonly<Resources>, part: Readonly<Resources>): Resources {
  return { memory: whole.memory - part.memory, vcores: whole.vcores - part.vcores };
}

/** What is missing to the whole; nothing where there is more. */
export function lack(whole: Readonly<Resources>, part: Readonly<Resources>): Resources {
  return { memory: Math.max(0, whole.memory - part.memory), vcores: Math.max(0, whole.vcores - part.vcores) };
}

export function least(a: Readonly<Resources>, b: Readonly<Resources>): Resources {
  return { memory: Math.min(a.memory, b.memory), vcores: Math.min(a.vcores, b.vcores) };
}

export function times({ memory, vcores }: Readonly<Resources>, factor: number): Resources {
  return { memory: memory * factor, vcores: vcores * factor };
}

export function fits(what: Readonly<Resources>, room: Readonly<Resources>): boolean {
  return what.memory <= room.memory && what.vcores <= room.vcores;
}

export function isNothing({ memory, vcores }: Readonly<Resources>): boolean {
  return memory === 0 && vcores === 0;
}

/** The larger of both shares. Nothing of nothing is 0. */
export function dominant(part: Readonly<Resources>, whole: Readonly<Resources>): number {
  const share = (of: number, all: number): number => (of === 0 ? 0 : of / all);
  return Math.max(share(part.memory, whole.memory), share(part.vcores, whole.vcores));
}

const UPWARD = new Map<string, readonly string[]>();

/** Full names of a queue and all above it, itself first. */
export function upward(queue: string): readonly string[] {
  const at = queue.lastIndexOf(".");
  const found = UPWARD.get(queue) ?? (at < 0 ? [queue] : [queue, ...upward(queue.slice(0, at))]);
  UPWARD.set(queue, found);
  return found;
}

/** Or it is that queue. */
export function isBelow(queue: string, above: string): boolean {
  return queue === above || queue.startsWith(`${above}.`);
}
