import type { Ask } from "./asks.js";
import type { AppSpec, Container, Reservation, SchedulerApp, YarnNode } from "./containers.js";
import type { NoPreemption } from "./no-preemption.js";
import type { AskPlace } from "./places.js";
import type { Resources } from "./resources.js";
import type { FreeNodes, Hold } from "./waits.js";

/** The answer to a node's report: containers in order, and the reservation of the node since then. */
export interface Heartbeat {
  readonly containers: readonly Container[];
  readonly reservation: Reservation | null;
}

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
  heartbeat(node: YarnNode, nowUs: number): Heartbeat;
  release(container: Container): void;
  /** The application has ended. */
  remove(app: App): void;
  /** Interval of the periodic update: of shares, or of preemption. Infinity: there is none. */
  readonly updateUs: number;
  update(nowUs: number): void;
  /** Between rounds over all nodes; Infinity: there are none, and heartbeats give containers. */
  readonly continuousUs: number;
  continuousRound(nowUs: number): Iterable<Heartbeat>;
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
