import { type Ask, NODE_LOCAL, OFF_SWITCH, RACK_LOCAL, type YarnLevel } from "../asks.js";
import { type AppSpec, type Container, type Reservation, YarnNode } from "../containers.js";
import type { NoPreemption } from "../no-preemption.js";
import { ANYWHERE, type AskPlace } from "../places.js";
import {
  addTo,
  compareAmounts,
  byResource,
  fitsIn,
  isNone,
  none,
  plus,
  type Resources,
  takeFrom,
  without,
} from "../resources.js";
import { type ContainerScheduler, NodeScheduler } from "../scheduler.js";
import { type FreeNodes, type Hold, lackOfRoom, type LevelHold } from "../waits.js";
import { launchedAt, levelByCount, levelByTime } from "./locality.js";
import { type Cluster, chooseVictims, PreemptedSpace, starvedApps } from "./preemption.js";
import { FairNoPreemption } from "./no-preemption.js";
import { FairApp, type FairQueue, FairQueues } from "./queues.js";
import { RunningApps } from "./running-apps.js";
import type { FairAllocations, FairSettings } from "./settings.js";

/** The outcome of an offer of a node. */
type Outcome = typeof NOT_SERVED | typeof ALLOCATED | typeof RESERVED;
const NOT_SERVED = 0;
const ALLOCATED = 1;
const RESERVED = 2;

/** Containers that are to be killed, and when. */
interface Doom {
  readonly atUs: number;
  readonly containers: readonly Container[];
}

/** YARN's Fair Scheduler, as it is in 3.4. */
export class FairScheduler extends NodeScheduler implements ContainerScheduler<FairApp>, Cluster {
  readonly total = none();
  readonly queues: FairQueues;
  readonly running: RunningApps;
  private readonly free = none();
  private readonly racks = new Map<number, YarnNode[]>();
  private readonly space = new PreemptedSpace();
  private readonly dooms: Doom[] = [];
  private limitsAreStale = false;
  /** Smallest and largest that was ever asked for: a full node can be passed over where nothing depends on offers. */
  private leastAskedMb = Infinity;
  private readonly mostAsked = none();

  constructor(
    private settings: FairSettings,
    private allocations: FairAllocations,
  ) {
    super();
    this.queues = new FairQueues(settings, allocations, this.total);
    this.running = new RunningApps((user) => this.allocations.users.get(user) ?? this.settings.userMaxApps);
  }

  get updateUs(): number {
    return this.settings.updateUs;
  }

  get continuousUs(): number {
    return this.settings.isContinuous ? this.settings.continuousSleepUs : Infinity;
  }

  /** Another file or other settings: what may run now does. */
  configure(settings: FairSettings, allocations: FairAllocations): void {
    this.settings = settings;
    this.allocations = allocations;
    this.queues.configureAll(settings, allocations);
    this.running.limitsChanged(this.queues.root);
  }

  addNode(index: number, rack: number, total: Readonly<Resources>): YarnNode {
    const node = new YarnNode(index, rack, total);
    this.nodes.push(node);
    const ofRack = this.racks.get(rack);
    if (ofRack === undefined) this.racks.set(rack, [node]);
    else ofRack.push(node);
    addTo(this.total, total);
    addTo(this.free, total);
    this.limitsAreStale = true;
    return node;
  }

  /** Its containers must have been released. */
  removeNode(node: YarnNode): void {
    this.forget(node);
    const ofRack = this.nodesOfRack(node.rack) as YarnNode[];
    ofRack.splice(ofRack.indexOf(node), 1);
    this.space.nodeGone(node);
    takeFrom(this.total, node.total);
    takeFrom(this.free, node.total);
    this.limitsAreStale = true;
  }

  nodesOfRack(rack: number): readonly YarnNode[] {
    return this.racks.get(rack) ?? [];
  }

  submit(spec: AppSpec, nowUs: number): FairApp {
    const app = new FairApp(this.appsSoFar++, spec, nowUs, this.queues.queueNamed(spec.queue, nowUs));
    this.running.add(app);
    return app;
  }

  ask(app: FairApp, priority: number, place: AskPlace, count: number, size: Readonly<Resources>, relax: boolean): void {
    const change = app.setAsk(priority, place, count, size, relax);
    if (app.isRunnable && change !== 0) app.queue.wantedChanged(app, change);
    if (place === ANYWHERE && count > 0) {
      this.leastAskedMb = Math.min(this.leastAskedMb, size.memory);
      this.mostAsked.memory = Math.max(this.mostAsked.memory, size.memory);
      this.mostAsked.vcores = Math.max(this.mostAsked.vcores, size.vcores);
    }
  }

  /** The application has ended: its containers and reservations go, and others may run. */
  remove(app: FairApp): void {
    app.isStopped = true;
    this.takeAllOf(app);
    this.running.remove(app);
  }

  release(container: Container): void {
    const app = container.app as FairApp;
    app.letGo(container);
    app.queue.usedChanged(takeFrom, app, container.size);
    addTo(this.free, container.size);
    if (container.isDoomed) takeFrom(app.doomed, container.size);
    if (container.isMaster) takeFrom(app.queue.mastersUse, container.size);
  }

  /**
   * Demands and fair shares, every `updateUs`; then who starves, if the cluster is full enough. @returns victims that
   * are to go later
   */
  update(nowUs: number): void {
    this.freshenLimits();
    this.queues.update();
    if (this.settings.preempts && this.usedShare() > this.settings.preemptionUtilization) this.preempt(nowUs);
  }

  /** Chooses containers to kill for all starved applications. They are killed after `waitTimeBeforeKill`. */
  preempt(nowUs: number): Container[] {
    const starved: FairApp[] = [];
    for (const leaf of this.queues.root.leaves()) {
      for (const app of starvedApps(leaf, this.total, nowUs)) insertByLack(starved, app);
    }
    const { waitBeforeKillUs, waitBeforeNextCheckUs, isContinuous, continuousSleepUs, heartbeatUs } = this.settings;
    const untilServedUs = isContinuous ? 10 * continuousSleepUs : 4 * heartbeatUs;
    const allocated: Container[] = [];
    for (const app of starved) {
      const containers = chooseVictims(app, this, this.space);
      if (containers.length > 0) this.dooms.push({ atUs: nowUs + waitBeforeKillUs, containers });
      allocated.push(...containers);
      app.checkedAtUs = nowUs;
      app.victims = containers.length;
      app.nextStarvationCheckUs = nowUs + waitBeforeKillUs + untilServedUs + waitBeforeNextCheckUs;
    }
    return allocated;
  }

  preemptionWatch(): (nowUs: number) => Iterable<readonly [queue: string, why: NoPreemption | null]> {
    const leaves = () => this.queues.root.leaves();
    if (!this.settings.preempts) return () => leaves().map(({ name }) => [name, { reason: "off" }]);
    const why = new FairNoPreemption(this, this.settings);
    return (nowUs) => leaves().map((leaf) => [leaf.name, why.stateOf(leaf, this.usedShare(), nowUs)]);
  }

  get nextKillUs(): number {
    return this.dooms.length === 0 ? Infinity : this.dooms[0].atUs;
  }

  get patienceUs(): number {
    const { settings } = this;
    const delaysUs = Math.max(settings.localityDelayNodeUs, 0) + Math.max(settings.localityDelayRackUs, 0);
    const waitUs = (settings.isContinuous ? delaysUs : 0) + 2 * settings.updateUs;
    if (!settings.preempts) return waitUs;
    let longestUs = settings.waitBeforeKillUs + settings.waitBeforeNextCheckUs + 4 * settings.heartbeatUs;
    for (const { minShareTimeoutUs, fairShareTimeoutUs } of this.queues.queues) {
      for (const us of [minShareTimeoutUs, fairShareTimeoutUs]) if (us < Infinity) longestUs = Math.max(longestUs, us);
    }
    return waitUs + 2 * longestUs;
  }

  /** Containers whose time has come; whoever runs them releases them. */
  takeVictims(nowUs: number): Container[] {
    const victims: Container[] = [];
    while (this.dooms.length > 0 && this.dooms[0].atUs <= nowUs) {
      const [{ containers }] = this.dooms.splice(0, 1);
      victims.push(...containers.filter(({ isReleased }) => !isReleased));
    }
    return victims;
  }

  givesAtReports(haveEnded: boolean): boolean {
    return haveEnded || !this.settings.isContinuous;
  }

  heartbeat(node: YarnNode, nowUs: number): readonly Container[] {
    this.allocated = [];
    this.freshenLimits();
    this.servePreemptors(node, nowUs);
    if (node.reservation === null || !this.serveReservation(node, node.reservation, nowUs)) this.assign(node, nowUs);
    return this.allocated;
  }

  /** A round of continuous scheduling: all nodes with room, those with most memory first. */
  continuousRound(nowUs: number): Iterable<readonly Container[]> {
    const byRoom = this.nodes.filter(({ free }) => free.memory > 0 && free.vcores > 0);
    byRoom.sort((a, b) => b.free.memory - a.free.memory || a.index - b.index);
    return this.reportsOf(byRoom, nowUs);
  }

  whyWaits(app: FairApp, ask: Ask, free: FreeNodes, nowUs: number): Hold {
    if (!app.isRunnable) return { reason: "apps", ...this.running.limitHolding(app) };
    if (this.isOverAmLimit(app)) return { reason: "masters" };
    if (!app.queue.fitsBelowMax(ask.size)) {
      const full = app.queue.upward.find(({ used, maxShare }) => used.memory + ask.size.memory > maxShare.memory);
      return full === undefined
        ? { reason: "max" }
        : { reason: "max", reached: full.used.memory, bound: full.maxShare.memory };
    }
    if (!app.hasUnmetDemand) return { reason: "update" };
    const { used, fairShare } = app;
    const inMb = used.memory < fairShare.memory ? { reached: used.memory, bound: fairShare.memory } : {};
    const below = app.isBelowShare(used, this.total) ? inMb : null;
    const hold = lackOfRoom({ app, ask, below, level: this.levelHold(ask, nowUs), fits: fitsIn }, this.nodes, free);
    const { used: ofQueue, minShare } = app.queue;
    const isFull = hold.reason === "busy" || hold.reason === "share";
    if (!isFull || !app.isOverasking || ofQueue.memory >= minShare.memory) return hold;
    return { reason: "overasked", reached: ofQueue.memory, bound: minShare.memory };
  }

  /** The level as the last offer left it. Who names no place does not wait for one. */
  private levelHold(ask: Ask, nowUs: number): LevelHold {
    const { settings, nodes } = this;
    const { isContinuous } = settings;
    const near = isContinuous ? settings.localityDelayNodeUs : settings.localityThresholdNode;
    const far = isContinuous ? settings.localityDelayRackUs : settings.localityThresholdRack;
    const reason = isContinuous ? "delay" : "locality";
    const maySwitch = ask.places <= 1;
    if (near < 0 || far < 0) return { reason, level: OFF_SWITCH, maySwitch };
    const level = ask.level ?? NODE_LOCAL;
    const threshold = level === NODE_LOCAL ? near : far;
    if (!isContinuous) {
      const bound = Math.floor(nodes.length * Math.min(threshold, 1));
      return { reason, level, maySwitch, reached: ask.opportunities, bound };
    }
    const sinceUs = ask.level === null ? nowUs : ask.levelSinceUs;
    return { reason, level, maySwitch, reached: nowUs - sinceUs, bound: threshold, dueUs: sinceUs + threshold };
  }

  /** Limits that are fractions of the cluster follow it. */
  private freshenLimits(): void {
    if (!this.limitsAreStale) return;
    this.limitsAreStale = false;
    this.queues.configureAll(this.settings, this.allocations);
  }

  /** Space that was made for certain applications goes to them first. */
  private servePreemptors(node: YarnNode, nowUs: number): void {
    for (const { app, space } of this.space.appsOn(node, this.total)) {
      let room: Resources = space;
      while (!app.isStopped && !isNone(room)) {
        const before = this.allocated.length;
        if (this.offerTo(app, node, nowUs) !== ALLOCATED) break;
        room = without(room, this.allocated[before].size);
      }
    }
  }

  /** @returns whether the reservation stands, or was served: then nothing else is given on the node. */
  private serveReservation(node: YarnNode, reservation: Reservation, nowUs: number): boolean {
    const app = reservation.app as FairApp;
    const { ask, size } = reservation;
    if (!this.isUsable(app, ask, node) || this.isOverAmLimit(app)) {
      this.unreserve(node);
      return false;
    }
    // Its wait holds here too: at a level that it may not use it goes on waiting.
    if (fitsIn(size, node.free) && this.offerToAsk(app, ask, node, nowUs) === ALLOCATED) this.unreserve(node);
    return true;
  }

  private assign(node: YarnNode, nowUs: number): void {
    const { assignsMultiple, dynamicMaxAssign, maxAssign } = this.settings;
    const half = byResource((type) => Math.floor(node.free[type] / 2));
    const assigned = none();
    for (let count = 1; node.reservation === null && !this.isPointless(node); count++) {
      if (this.offerToQueue(this.queues.root, node, nowUs) !== ALLOCATED) return;
      addTo(assigned, this.allocated[this.allocated.length - 1].size);
      if (!assignsMultiple) return;
      if (dynamicMaxAssign ? !fitsIn(assigned, half) : maxAssign > 0 && count >= maxAssign) return;
    }
  }

  /** Nothing fits on the node, nobody may reserve it, and nobody counts offers. */
  private isPointless({ free }: YarnNode): boolean {
    const { settings, mostAsked } = this;
    const { memory, vcores } = settings.reservationThreshold;
    if (free.memory >= this.leastAskedMb) return this.queues.root.wanted === 0;
    if (mostAsked.memory >= memory || mostAsked.vcores >= vcores) return this.queues.root.wanted === 0;
    const near = settings.isContinuous ? settings.localityDelayNodeUs : settings.localityThresholdNode;
    const far = settings.isContinuous ? settings.localityDelayRackUs : settings.localityThresholdRack;
    return near < 0 || far < 0;
  }

  private offerToQueue(queue: FairQueue, node: YarnNode, nowUs: number): Outcome {
    if (queue.isAboveMax) return NOT_SERVED;
    return queue.isLeaf ? this.offerToApps(queue, node, nowUs) : this.offerToQueues(queue, node, nowUs);
  }

  private offerToQueues({ askingQueues }: FairQueue, node: YarnNode, nowUs: number): Outcome {
    let outcome: Outcome = NOT_SERVED;
    for (let child = askingQueues.first(); child !== undefined; child = askingQueues.next()) {
      outcome = this.offerToQueue(child, node, nowUs);
      if (outcome !== NOT_SERVED) break;
    }
    return outcome;
  }

  private offerToApps({ askingApps }: FairQueue, node: YarnNode, nowUs: number): Outcome {
    let outcome: Outcome = NOT_SERVED;
    for (let app = askingApps.first(); app !== undefined; app = askingApps.next()) {
      outcome = this.offerTo(app, node, nowUs);
      if (outcome !== NOT_SERVED) break;
    }
    return outcome;
  }

  /** One offer of a node to an application: its asks in order, each at the level that its wait allows. */
  private offerTo(app: FairApp, node: YarnNode, nowUs: number): Outcome {
    if (this.isOverAmLimit(app)) return NOT_SERVED;
    for (const ask of app.asks) {
      if (!this.isUsable(app, ask, node)) continue;
      const outcome = this.offerToAsk(app, ask, node, nowUs);
      if (outcome !== null) return outcome;
    }
    return NOT_SERVED;
  }

  /** Null: the next ask may try. */
  private offerToAsk(app: FairApp, ask: Ask, node: YarnNode, nowUs: number): Outcome | null {
    ask.opportunities++;
    const level = this.allowedLevel(ask, nowUs);
    const onNode = ask.asksOnNode(node.index);
    // Most offers are of nodes where nothing is asked for, to asks that still wait for theirs.
    if (!onNode && level === NODE_LOCAL && ask.places > 1) return null;
    const onRack = ask.asksOnRack(node.rack);
    if (onRack && onNode) return this.tryOn(app, ask, node, NODE_LOCAL);
    if (!ask.relaxesRack(node.rack)) return null;
    if (onRack && level !== NODE_LOCAL) return this.tryOn(app, ask, node, RACK_LOCAL);
    if (!ask.relaxesAny) return null;
    // A request that names no place does not wait for one.
    return ask.places <= 1 || level === OFF_SWITCH ? this.tryOn(app, ask, node, OFF_SWITCH) : null;
  }

  /** Whether the ask could be served on the node if that were empty. */
  private isUsable(app: FairApp, ask: Ask, node: YarnNode): boolean {
    if (ask.wanted <= 0) return false;
    if (ask.isStrict) {
      const onRack = ask.asksOnRack(node.rack);
      if (!ask.relaxesAny && !onRack) return false;
      if (onRack && !ask.relaxesRack(node.rack) && !ask.asksOnNode(node.index)) return false;
    }
    return ask.size.memory <= node.total.memory && app.queue.fitsBelowMax(ask.size);
  }

  private allowedLevel(ask: Ask, nowUs: number): YarnLevel {
    const { settings } = this;
    if (settings.isContinuous) {
      return levelByTime(ask, settings.localityDelayNodeUs, settings.localityDelayRackUs, nowUs);
    }
    return levelByCount(ask, this.nodes.length, settings.localityThresholdNode, settings.localityThresholdRack);
  }

  private tryOn(app: FairApp, ask: Ask, node: YarnNode, level: YarnLevel): Outcome {
    if (fitsIn(ask.size, node.free)) {
      this.launch(app, ask, node, level);
      return ALLOCATED;
    }
    if (!this.mayReserve(app, ask, node, level)) return NOT_SERVED;
    this.reserve(app, ask, node, level);
    return RESERVED;
  }

  private mayReserve(app: FairApp, ask: Ask, node: YarnNode, level: YarnLevel): boolean {
    if (!app.isStarved(this.total)) return false;
    const { reservationThreshold } = this.settings;
    if (compareAmounts(app.queue.policy === "drf", ask.size, reservationThreshold, this.total) < 0) return false;
    if (node.reservation !== null || this.space.isKept(node, app)) return false;
    if (level === NODE_LOCAL) return true;
    const isAny = level === OFF_SWITCH;
    const nodes = isAny ? this.nodes : this.nodesOfRack(node.rack);
    const reserved = isAny
      ? app.reservedNodes.length
      : app.reservedNodes.filter(({ rack }) => rack === node.rack).length;
    return reserved < Math.ceil(nodes.length * this.settings.reservableNodes);
  }

  private launch(app: FairApp, ask: Ask, node: YarnNode, level: YarnLevel): void {
    launchedAt(ask, level);
    const container = this.give(app, ask, node, level);
    app.queue.usedChanged(addTo, app, container.size);
    app.queue.wantedChanged(app, -1);
    takeFrom(this.free, container.size);
    if (container.isMaster) addTo(app.queue.mastersUse, container.size);
    this.space.used(node, app, container.size);
  }

  /** Its master would take more of the queue than masters may. */
  private isOverAmLimit(app: FairApp): boolean {
    if (!app.awaitsMaster) return false;
    const ask = app.asks.find(({ wanted }) => wanted > 0);
    if (ask === undefined) return true;
    const { queue } = app;
    if (queue.maxAmShare === -1) return false;
    const largest = (type: keyof Resources) => {
      const base = queue.fairShare[type] || Math.min(this.free[type], queue.maxShare[type]);
      return Math.ceil(base * queue.maxAmShare);
    };
    const { memory, vcores } = queue.mastersUse;
    return memory + ask.size.memory > largest("memory") || vcores + ask.size.vcores > largest("vcores");
  }

  /** Of memory or vcores, whichever is used more. */
  private usedShare(): number {
    const share = (type: keyof Resources) => {
      return this.total[type] === 0 ? 0 : (this.total[type] - this.free[type]) / this.total[type];
    };
    return Math.max(share("memory"), share("vcores"));
  }
}

/** Inserts in order: the application that lacks least goes first. */
function insertByLack(apps: FairApp[], app: FairApp): void {
  let index = apps.length;
  while (index > 0 && fitsIn(lackOf(app), lackOf(apps[index - 1]))) index--;
  apps.splice(index, 0, app);
}

function lackOf({ lacksFair, lacksMin }: FairApp): Resources {
  return plus(lacksFair, lacksMin);
}
