import type { Ask, YarnLevel } from "./asks.js";
import { type AppSpec, Container, type Reservation, type SchedulerApp, type YarnNode } from "./containers.js";
import type { NoPreemption } from "./no-preemption.js";
import type { AskPlace } from "./places.js";
import type { Resources } from "./resources.js";
import type { FreeNodes, Hold } from "./waits.js";

/** A scheduler of the resource manager. Nodes and racks are numbers from 0 on. */
export interface ContainerScheduler<App extends SchedulerApp = SchedulerApp> {
  readonly nodes: readonly YarnNode[];
  addNode(index: number, rack: number, total: Readonly<Resources>): YarnNode;
  /** Its containers must have been released. */
  removeNode(node: YarnNode): void;
  submit(spec: AppSpec, nowUs: number): App;
  /** Replaces what an application asks at one place, or anywhere, at one priority. */
  ask(app: App, priority: number, place: AskPlace, count: number, size: Readonly<Resources>, relax: boolean): void;
  /** Whether a report gives containers; under rounds it may do so only where some have ended, or never. */
  givesAtReports(haveEnded: boolean): boolean;
  /** The node reports. @returns the containers that it gets, in order */
  heartbeat(node: YarnNode, nowUs: number): readonly Container[];
  release(container: Container): void;
  /** The application has ended. */
  remove(app: App): void;
  /** Interval of the periodic update: of shares, or of preemption. Infinity: there is none. */
  readonly updateUs: number;
  update(nowUs: number): void;
  /** Between rounds over all nodes; Infinity: there are none, and heartbeats give containers. */
  readonly continuousUs: number;
  continuousRound(nowUs: number): Iterable<readonly Container[]>;
  /**
   * To be asked after each `update`: why nothing is taken from others for each leaf; null: it asks for nothing more.
   */
  preemptionWatch(): (nowUs: number) => Iterable<readonly [queue: string, why: NoPreemption | null]>;
  /** When containers are to be killed next. */
  readonly nextKillUs: number;
  takeVictims(nowUs: number): Container[];
  /** Beside ten reports of each node: where nothing has run, come or gone for so long, nothing more is given. */
  readonly patienceUs: number;
  /** Why containers that an application asks for are not given, as things stand. */
  whyWaits(app: App, ask: Ask, free: FreeNodes, nowUs: number): Hold;
}

/** The common part of both schedulers: nodes, what their reports are answered with, and what is kept or taken back. */
export abstract class NodeScheduler {
  readonly nodes: YarnNode[] = [];
  /** The answer to the report at hand. */
  protected allocated: Container[] = [];
  protected appsSoFar = 0;
  private containersSoFar = 0;

  abstract heartbeat(node: YarnNode, nowUs: number): readonly Container[];

  abstract release(container: Container): void;

  protected *reportsOf(nodes: readonly YarnNode[], nowUs: number): Generator<readonly Container[]> {
    for (const node of nodes) yield this.heartbeat(node, nowUs);
  }

  /** The node goes. */
  protected forget(node: YarnNode): void {
    this.unreserve(node);
    this.nodes.splice(this.nodes.indexOf(node), 1);
  }

  /** The application has ended. */
  protected takeAllOf({ containers, reservedNodes }: SchedulerApp): void {
    for (const container of [...containers]) this.release(container);
    for (const node of [...reservedNodes]) this.unreserve(node);
  }

  protected give(app: SchedulerApp, ask: Ask, node: YarnNode, level: YarnLevel): Container {
    const container = new Container(this.containersSoFar++, app, node, ask.priority, ask.size, level);
    app.hold(container, ask);
    this.allocated.push(container);
    return container;
  }

  protected reserve(app: SchedulerApp, ask: Ask, node: YarnNode, level: YarnLevel): void {
    node.reservation = { app, ask, size: ask.size, level };
    app.reservedNodes.push(node);
  }

  protected unreserve(node: YarnNode): void {
    const { reservation } = node;
    if (reservation === null) return;
    const { reservedNodes } = reservation.app;
    reservedNodes.splice(reservedNodes.indexOf(node), 1);
    node.reservation = null;
    this.unreserved(reservation);
  }

  protected unreserved(_reservation: Reservation): void {}
}
