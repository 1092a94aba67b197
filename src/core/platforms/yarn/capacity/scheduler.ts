import { assert } from "../../../kernel/index.js";
import { type Ask, NODE_LOCAL, OFF_SWITCH, RACK_LOCAL, type YarnLevel } from "../asks.js";
import { type AppSpec, type Container, type Reservation, YarnNode } from "../containers.js";
import type { NoPreemption } from "../no-preemption.js";
import type { AskPlace } from "../places.js";
import {
  addTo,
  compareAmounts,
  dominantShare,
  none,
  NOTHING,
  plus,
  type Resources,
  roundedUp,
  takeFrom,
  without,
} from "../resources.js";
import { type ContainerScheduler, NodeScheduler } from "../scheduler.js";
import { type FreeNodes, type Hold, lackOfRoom, type LevelHold } from "../waits.js";
import { compareApps } from "./orders.js";
import { QueuePreemption } from "./preemption.js";
import { CapacityApp, type CapacityQueue, capacityQueues, type QueueUser } from "./queues.js";
import type { CapacityQueueSpec, CapacitySettings } from "./settings.js";

/** The outcome of an offer of a node to a queue or an application. */
type Outcome = typeof PASSED_OVER | typeof TURN_ENDS | typeof ALLOCATED | typeof RESERVED;
const PASSED_OVER = 0;
/** The queue's limit has no room for what comes next. */
const TURN_ENDS = 1;
const ALLOCATED = 2;
const RESERVED = 3;

/** YARN's Capacity Scheduler, as it is in 3.4. */
export class CapacityScheduler extends NodeScheduler implements ContainerScheduler<CapacityApp> {
  /** The total of the nodes that count. */
  readonly cluster: Resources & { nodes: number } = { memory: 0, vcores: 0, nodes: 0 };
  readonly root: CapacityQueue;
  private readonly queues: Map<string, CapacityQueue>;
  private readonly preemption: QueuePreemption | null;
  private readonly victims: Container[] = [];

  constructor(
    private settings: CapacitySettings,
    queues: ReadonlyMap<string, CapacityQueueSpec>,
  ) {
    super();
    this.queues = capacityQueues(queues, (part, whole) => this.shareOf(part, whole));
    this.root = this.queueNamed("root");
    this.preemption = settings.preemption === null ? null : new QueuePreemption(this.root, settings.preemption);
  }

  get updateUs(): number {
    return this.settings.preemption?.monitoringUs ?? Infinity;
  }

  get continuousUs(): number {
    return this.settings.asynchronousUs;
  }

  /** Other settings, and the same queues with other limits. */
  configure(settings: CapacitySettings, queues: ReadonlyMap<string, CapacityQueueSpec>): void {
    this.settings = settings;
    for (const [name, spec] of queues) this.queueNamed(name).configure(spec);
    this.clusterChanged();
  }

  queueNamed(name: string): CapacityQueue {
    const queue = this.queues.get(name);
    assert(queue !== undefined, "there is no such queue");
    return queue;
  }

  addNode(index: number, rack: number, total: Readonly<Resources>): YarnNode {
    const node = new YarnNode(index, rack, total);
    this.nodes.push(node);
    addTo(this.cluster, total);
    this.cluster.nodes++;
    this.clusterChanged();
    return node;
  }

  removeNode(node: YarnNode): void {
    this.forget(node);
    takeFrom(this.cluster, node.total);
    this.cluster.nodes--;
    this.clusterChanged();
  }

  /** Guarantees and limits follow the cluster, and more applications may be active. */
  clusterChanged(): void {
    this.root.clusterChanged(this.cluster, this.settings.countsVcores);
    for (const leaf of this.root.leaves()) this.activate(leaf);
  }

  submit(spec: AppSpec, nowUs: number): CapacityApp {
    const queue = this.queueNamed(spec.queue);
    const app = new CapacityApp(this.appsSoFar++, spec, nowUs, queue, queue.userNamed(spec.user));
    queue.waiting.push(app);
    this.activate(queue);
    return app;
  }

  ask(
    app: CapacityApp,
    priority: number,
    place: AskPlace,
    count: number,
    size: Readonly<Resources>,
    relax: boolean,
  ): void {
    const wantedBefore = app.wanted;
    app.setAsk(priority, place, count, size, relax);
    this.wantedChanged(app, wantedBefore);
    if (app.queue.weighsBySize) app.queue.rank(app);
  }

  remove(app: CapacityApp): void {
    this.takeAllOf(app);
    const { queue, owner, spec } = app;
    if (app.isActive) {
      queue.deactivate(app);
      if (spec.master !== undefined) {
        takeFrom(queue.mastersUse, spec.master);
        takeFrom(owner.mastersUse, spec.master);
      }
    } else queue.waiting.splice(queue.waiting.indexOf(app), 1);
    this.activate(queue);
  }

  release(container: Container): void {
    const app = container.app as CapacityApp;
    app.letGo(container);
    app.queue.usedChanged(takeFrom, container.size, app.owner);
    app.queue.rank(app);
  }

  /** A round of preemption. */
  update(nowUs: number): void {
    if (this.preemption === null) return;
    const userLimitOf = (leaf: CapacityQueue) => leaf.limitOfAnyUser(this.settings, this.cluster).memory;
    const { memory: leastMb } = this.settings.minimumAllocation;
    this.victims.push(...this.preemption.round(this.cluster.memory, nowUs, { userLimitOf, leastMb }));
  }

  preemptionWatch(): (nowUs: number) => Iterable<readonly [queue: string, why: NoPreemption | null]> {
    const { preemption, root } = this;
    return () =>
      root.leaves().map((leaf) => [leaf.name, preemption === null ? { reason: "off" } : preemption.whyNot(leaf)]);
  }

  get nextKillUs(): number {
    return this.victims.length > 0 ? 0 : Infinity;
  }

  get patienceUs(): number {
    const { preemption } = this.settings;
    return preemption === null ? 0 : 3 * preemption.maxWaitBeforeKillUs + 2 * preemption.monitoringUs;
  }

  takeVictims(): Container[] {
    return this.victims.splice(0).filter(({ isReleased }) => !isReleased);
  }

  givesAtReports(): boolean {
    return this.settings.asynchronousUs === Infinity;
  }

  heartbeat(node: YarnNode, _nowUs: number): readonly Container[] {
    this.allocated = [];
    const { settings } = this;
    let offSwitch = 0;
    while (this.offer(node) === ALLOCATED) {
      if (this.allocated[this.allocated.length - 1].level === OFF_SWITCH) offSwitch++;
      if (offSwitch >= settings.maxOffSwitch || !settings.assignsMultiple) break;
      if (settings.maxAssign !== -1 && this.allocated.length >= settings.maxAssign) break;
    }
    return this.allocated;
  }

  continuousRound(nowUs: number): Iterable<readonly Container[]> {
    return this.reportsOf(this.nodes, nowUs);
  }

  whyWaits(app: CapacityApp, ask: Ask, free: FreeNodes): Hold {
    // Without nodes nobody is let in: that is for lack of nodes.
    if (!app.isActive) return { reason: this.cluster.nodes === 0 ? "nodes" : "masters" };
    const { queue, owner } = app;
    // Resources of a parent that siblings use are missing room and no limit; so is a full cluster.
    const full = queue.upward.find(
      (level) => level.maximum.memory < this.cluster.memory && this.isAtMaximum(level, ask.size, app.reserved),
    );
    if (full !== undefined) return { reason: "max", reached: full.used.memory, bound: full.maximum.memory };
    const ofUser = queue.userLimit(this.settings, this.cluster);
    if (this.isBeyond(owner, ofUser)) return { reason: "user", reached: owner.used.memory, bound: ofUser.memory };
    const { used, guarantee } = queue;
    const below = used.memory < guarantee.memory ? { reached: used.memory, bound: guarantee.memory } : null;
    const fits = (size: Readonly<Resources>, room: Readonly<Resources>) => this.fits(size, room);
    return lackOfRoom({ app, ask, below, level: this.levelHold(ask), fits }, this.nodes, free);
  }

  private isAtMaximum(
    { used, maximum }: CapacityQueue,
    size: Readonly<Resources>,
    reserved: Readonly<Resources>,
  ): boolean {
    if (this.compare(used, maximum) >= 0) return true;
    return !this.fits(without(plus(used, size), maximum), reserved);
  }

  /** The level that the next offer may use: it counts itself. */
  private levelHold(ask: Ask): LevelHold {
    const { nodes } = this.cluster;
    const next = ask.opportunities + 1;
    const rackBound = Math.min(nodes, this.settings.nodeLocalityDelay);
    const switchBound = this.offSwitchBound(ask);
    const maySwitch = ask.places === 1 || next > switchBound;
    const level = next > rackBound ? (maySwitch ? OFF_SWITCH : RACK_LOCAL) : NODE_LOCAL;
    const bound = level === NODE_LOCAL ? rackBound : switchBound;
    return { reason: "locality", level, maySwitch, reached: ask.opportunities, bound: Math.floor(bound) };
  }

  /** The node is offered once: one that is reserved only serves that. */
  private offer(node: YarnNode): Outcome {
    if (node.reservation !== null) {
      // Once served, nothing else is given in this report.
      this.serveReservation(node, node.reservation);
      return PASSED_OVER;
    }
    const { minimumAllocation, countsVcores } = this.settings;
    if (node.free.memory < minimumAllocation.memory) return PASSED_OVER;
    if (countsVcores && node.free.vcores < minimumAllocation.vcores) return PASSED_OVER;
    return this.offerToQueue(this.root, node, this.cluster);
  }

  /** @param limit what the queues above leave to it. */
  private offerToQueue(queue: CapacityQueue, node: YarnNode, limit: Readonly<Resources>): Outcome {
    if (queue.wanted === 0 || this.compare(queue.used, limit) >= 0) return PASSED_OVER;
    if (queue.isLeaf) return this.offerToApps(queue, node, limit);
    const { askingQueues } = queue;
    let outcome: Outcome = PASSED_OVER;
    for (let child = askingQueues.first(); child !== undefined; child = askingQueues.next()) {
      outcome = this.offerToQueue(child, node, limitBelow(queue, limit, child));
      if (outcome >= ALLOCATED) break;
    }
    return outcome >= ALLOCATED ? outcome : PASSED_OVER;
  }

  private offerToApps(queue: CapacityQueue, node: YarnNode, limit: Readonly<Resources>): Outcome {
    const ofUser = queue.userLimit(this.settings, this.cluster);
    const { active, askingApps } = queue;
    let outcome: Outcome = PASSED_OVER;
    if (queue.appOrder === "fifo") {
      for (let index = 0; index < active.length && outcome === PASSED_OVER; index++) {
        if (!this.isBeyond(active[index].owner, ofUser)) outcome = this.offerTo(active[index], node, limit);
      }
      return outcome;
    }
    for (let app = askingApps.first(); app !== undefined; app = askingApps.next()) {
      if (!this.isBeyond(app.owner, ofUser)) outcome = this.offerTo(app, node, limit);
      if (outcome !== PASSED_OVER) break;
    }
    return outcome;
  }

  private isBeyond({ used }: QueueUser, limit: Readonly<Resources>): boolean {
    return this.compare(used, limit) > 0;
  }

  private offerTo(app: CapacityApp, node: YarnNode, limit: Readonly<Resources>): Outcome {
    if (app.wanted === 0) return PASSED_OVER;
    const { used } = app.queue;
    for (const ask of app.asks) {
      const { size } = ask;
      if (ask.wanted <= 0 || !this.fits(size, node.total)) continue;
      // Reservations of the application on other nodes could be given up for this.
      const excess = without(plus(used, size), limit);
      if (!this.fits(excess, app.reserved)) return TURN_ENDS;
      const mustGiveUp = this.compare(excess, NOTHING) > 0;
      const outcome = this.offerToAsk(app, ask, node, mustGiveUp, false);
      if (outcome !== null) return outcome;
    }
    return PASSED_OVER;
  }

  /**
   * The nearest level that the offers passed over allow. Null: the next ask may try; strict offers do not count.
   * @param mustGiveUp a reservation elsewhere has to go for a container here.
   */
  private offerToAsk(
    app: CapacityApp,
    ask: Ask,
    node: YarnNode,
    mustGiveUp: boolean,
    isReserved: boolean,
  ): Outcome | null {
    ask.opportunities++;
    const onRack = ask.asksOnRack(node.rack);
    if (onRack && ask.asksOnNode(node.index)) {
      const outcome = this.tryOn(app, ask, node, NODE_LOCAL, mustGiveUp);
      if (outcome !== PASSED_OVER) return outcome;
    }
    if (onRack) {
      if (!ask.relaxesRack(node.rack)) return this.strict(ask);
      if (Math.min(this.cluster.nodes, this.settings.nodeLocalityDelay) < ask.opportunities) {
        const outcome = this.tryOn(app, ask, node, RACK_LOCAL, mustGiveUp);
        if (outcome !== PASSED_OVER) return outcome;
      }
    }
    if (!ask.relaxesAny) return this.strict(ask);
    if (!isReserved && !this.mayGoOffSwitch(ask)) return PASSED_OVER;
    return this.tryOn(app, ask, node, OFF_SWITCH, mustGiveUp);
  }

  private strict(ask: Ask): null {
    ask.opportunities--;
    return null;
  }

  /** The fewer containers are left, and the fewer places are named, the shorter is the wait. */
  private mayGoOffSwitch(ask: Ask): boolean {
    return ask.places === 1 || ask.opportunities > this.offSwitchBound(ask);
  }

  private offSwitchBound({ places, wanted }: Ask): number {
    const { nodes } = this.cluster;
    const { nodeLocalityDelay, rackLocalityAdditionalDelay } = this.settings;
    if (rackLocalityAdditionalDelay > -1) return Math.min(nodes, nodeLocalityDelay + rackLocalityAdditionalDelay);
    return Math.min(nodes, wanted * Math.min((places - 1) / nodes, 1));
  }

  private tryOn(app: CapacityApp, ask: Ask, node: YarnNode, level: YarnLevel, mustGiveUp: boolean): Outcome {
    const needsMore = this.needsMore(ask);
    if (this.fits(ask.size, node.free)) {
      if (node.reservation !== null) this.unreserve(node);
      else if (mustGiveUp || !needsMore) {
        const reservedNode = app.reservedNodes.find(({ reservation }) => reservation?.ask === ask);
        if (reservedNode === undefined) return PASSED_OVER;
        this.unreserve(reservedNode);
      }
      this.launch(app, ask, node, level);
      return ALLOCATED;
    }
    if (node.reservation !== null) {
      ask.reReservations++;
      return RESERVED;
    }
    if (!needsMore || mustGiveUp) return PASSED_OVER;
    this.reserve(app, ask, node, level);
    addTo(app.reserved, ask.size);
    ask.reserved++;
    app.queue.usedChanged(addTo, ask.size, app.owner);
    return RESERVED;
  }

  /**
   * Whether the ask may reserve another node. It may do so earlier the longer its reserved nodes have been of no use,
   * and the smaller its containers are.
   */
  private needsMore({ wanted, reserved, reReservations, size }: Ask): boolean {
    if (reserved === 0) return wanted > 0;
    const { minimumAllocation, maximumAllocation } = this.settings;
    const ofNode = this.shareOf(size, maximumAllocation);
    const largestShare = (maximumAllocation.memory - minimumAllocation.memory) / maximumAllocation.memory;
    const starvation = Math.trunc((reReservations / reserved) * (1 - Math.min(ofNode, largestShare)));
    return starvation + wanted - reserved > 0;
  }

  private serveReservation(node: YarnNode, { app: owner, ask }: Reservation): void {
    const app = owner as CapacityApp;
    if (ask.wanted <= 0) return this.unreserve(node);
    this.offerToAsk(app, ask, node, false, true);
  }

  protected override unreserved({ app: owner, ask, size }: Reservation): void {
    const app = owner as CapacityApp;
    takeFrom(app.reserved, size);
    ask.reserved--;
    ask.reReservations = 0;
    app.queue.usedChanged(takeFrom, size, app.owner);
  }

  private launch(app: CapacityApp, ask: Ask, node: YarnNode, level: YarnLevel): void {
    if (level === NODE_LOCAL || (level === RACK_LOCAL && this.settings.rackLocalityFullReset)) ask.opportunities = 0;
    const wantedBefore = app.wanted;
    const { size } = this.give(app, ask, node, level);
    app.queue.usedChanged(addTo, size, app.owner);
    this.wantedChanged(app, wantedBefore);
    app.queue.rank(app);
  }

  private wantedChanged(app: CapacityApp, before: number): void {
    if (!app.isActive) return;
    app.queue.wantedChanged(app, app.wanted - before);
    if (app.wanted > 0 !== before > 0) app.queue.userWants(app.owner, app.wanted > 0);
  }

  /** Those whose masters fit into what masters may have, of the queue and of their user; one is always let in. */
  private activate(leaf: CapacityQueue): void {
    if (this.cluster.nodes === 0) return;
    for (const app of [...leaf.waiting].sort((a, b) => compareApps("fifo", a, b))) {
      const { owner, spec } = app;
      const master = spec.master ?? none();
      const isFirst = leaf.active.length === 0 || leaf.mastersUse.memory === 0;
      if (!isFirst && !this.mastersFit(leaf, app, master)) continue;
      leaf.waiting.splice(leaf.waiting.indexOf(app), 1);
      addTo(leaf.mastersUse, master);
      addTo(owner.mastersUse, master);
      leaf.activate(app);
    }
  }

  private mastersFit(leaf: CapacityQueue, { owner }: CapacityApp, master: Readonly<Resources>): boolean {
    const limit = this.limitOf(leaf);
    const usable = this.fits(leaf.guarantee, limit) ? limit : leaf.guarantee;
    const userShare = Math.max(leaf.minimumUserLimitPercent / 100, 1 / Math.max(leaf.activeUsers, 1));
    const factor = leaf.userLimitFactor === -1 ? 1 : leaf.userLimitFactor;
    const maximumOf = (share: number) => roundedUp((type) => usable[type] * share, this.settings.minimumAllocation);
    const ofQueue = maximumOf(leaf.maxAmShare);
    const ofUser = maximumOf(Math.min(leaf.maxAmShare, leaf.maxAmShare * userShare * factor));
    return this.fits(plus(leaf.mastersUse, master), ofQueue) && this.fits(plus(owner.mastersUse, master), ofUser);
  }

  /** The present limit of a queue. */
  private limitOf(queue: CapacityQueue): Readonly<Resources> {
    return queue.parent === null ? this.cluster : limitBelow(queue.parent, this.limitOf(queue.parent), queue);
  }

  private fits(size: Readonly<Resources>, room: Readonly<Resources>): boolean {
    return size.memory <= room.memory && (!this.settings.countsVcores || size.vcores <= room.vcores);
  }

  private shareOf(part: Readonly<Resources>, whole: Readonly<Resources>): number {
    if (this.settings.countsVcores) return dominantShare(part, whole);
    return part.memory === 0 ? 0 : part.memory / whole.memory;
  }

  /** Less than 0: the first amount is less, by the calculator of the settings. */
  private compare(a: Readonly<Resources>, b: Readonly<Resources>): number {
    return compareAmounts(this.settings.countsVcores, a, b, this.cluster);
  }
}

/** Its maximum, or what its siblings have left of the parent's limit. */
function limitBelow(parent: CapacityQueue, limit: Readonly<Resources>, { used, maximum }: CapacityQueue): Resources {
  return {
    memory: Math.min(maximum.memory, limit.memory - parent.used.memory + used.memory),
    vcores: Math.min(maximum.vcores, limit.vcores - parent.used.vcores + used.vcores),
  };
}
