import { type AppSpec, SchedulerApp } from "../containers.js";
import { Askers } from "../in-order.js";
import {
  addTo,
  compareAmounts,
  dominantShare,
  byResource,
  isNone,
  none,
  NOTHING,
  plus,
  type Resources,
  roundedUp,
  takeFrom,
} from "../resources.js";
import { type AppRank, compareApps, compareQueues, keyOfQueue, type QueueRank, rankOfUse } from "./orders.js";
import type { AppOrder, CapacityQueueSpec, CapacitySettings } from "./settings.js";

const ROOT = "root";

/** A user in one leaf queue. */
export class QueueUser {
  readonly used = none();
  readonly mastersUse = none();
  /** Applications that ask for something: with any the user is active. */
  wanting = 0;
}

/** An application, as the Capacity Scheduler sees it. */
export class CapacityApp extends SchedulerApp implements AppRank {
  rankedUse = 0;
  /** It is in the order; others wait until masters have room. */
  isActive = false;
  askerAt = -1;
  /** Resources reserved for it. */
  readonly reserved = none();

  constructor(
    index: number,
    spec: AppSpec,
    startUs: number,
    readonly queue: CapacityQueue,
    readonly owner: QueueUser,
  ) {
    super(index, spec, startUs);
  }

  get hasDemand(): boolean {
    return this.wanted > 0;
  }
}

/** The part that one amount is of another. */
type ShareOf = (part: Readonly<Resources>, whole: Readonly<Resources>) => number;

/** A queue of the tree: a leaf with applications and their users, or a parent of queues. */
export class CapacityQueue implements QueueRank {
  readonly children: CapacityQueue[] = [];
  readonly upward: readonly CapacityQueue[];
  /** Of the cluster as it is. */
  absoluteCapacity = 1;
  absoluteMaximum = 1;
  private spec: CapacityQueueSpec;
  priority = 0;
  ordersByPriority = false;
  appOrder: AppOrder = "fifo";
  weighsBySize = false;
  minimumUserLimitPercent = 100;
  userLimitFactor = 1;
  maxAmShare = 0.1;
  isPreemptable = true;
  /** As said of it or of the nearest queue above; what may not be preempted at all is not preempted within either. */
  private allowsWithin = true;
  /** In the cluster as it is. */
  readonly guarantee = none();
  readonly maximum = none();
  /** With what is reserved. */
  readonly used = none();
  readonly mastersUse = none();
  /** Containers that active applications below it ask for. */
  wanted = 0;
  /**
   * Active ones, under fifo in order; and those that wait for room for their masters, as they came: of these priority
   * goes first.
   */
  readonly active: CapacityApp[] = [];
  readonly waiting: CapacityApp[] = [];
  readonly users = new Map<string, QueueUser>();
  activeUsers = 0;
  readonly activeUsersUse = none();
  /** The part of the guarantee that is used. */
  usedShare = 0;
  askerAt = -1;
  readonly askingQueues = new Askers<CapacityQueue>(
    (queue) => keyOfQueue(queue, this.ordersByPriority),
    (a, b) => compareQueues(a, b, this.ordersByPriority) || a.index - b.index,
  );
  readonly askingApps = new Askers<CapacityApp>(
    ({ rankedUse }) => rankedUse,
    (a, b) => compareApps("fair", a, b),
  );

  constructor(
    readonly name: string,
    spec: CapacityQueueSpec,
    readonly parent: CapacityQueue | null,
    /** In the file. */
    readonly index: number,
    private readonly shareOf: ShareOf,
  ) {
    this.upward = parent === null ? [this] : [this, ...parent.upward];
    this.spec = spec;
    this.configure(spec);
  }

  /** As the file says it now; the queue above it knows already. */
  configure(spec: CapacityQueueSpec): void {
    const { parent } = this;
    this.spec = spec;
    this.priority = spec.priority ?? 0;
    this.ordersByPriority = spec.ordersByPriority ?? false;
    this.appOrder = spec.appOrder ?? "fifo";
    this.weighsBySize = spec.weighsBySize ?? false;
    this.minimumUserLimitPercent = spec.minimumUserLimitPercent ?? 100;
    this.userLimitFactor = spec.userLimitFactor ?? 1;
    this.maxAmShare = spec.maxAmShare ?? 0.1;
    // A queue's setting wins over that of the queue above it (`CSQueuePreemptionSettings`).
    this.isPreemptable = spec.isPreemptable ?? parent?.isPreemptable ?? true;
    this.allowsWithin = spec.isPreemptableWithin ?? parent?.allowsWithin ?? true;
    this.active.sort((a, b) => compareApps("fifo", a, b));
    this.askingQueues.allMoved();
    parent?.askingQueues.allMoved();
  }

  get isLeaf(): boolean {
    return this.children.length === 0;
  }

  get isPreemptableWithin(): boolean {
    return this.isPreemptable && this.allowsWithin;
  }

  /**
   * Guarantees and maxima follow the cluster (`AbstractCSQueue.updateEffectiveResources`). @param countsVcores of the
   * calculator.
   */
  clusterChanged(cluster: Readonly<Resources>, countsVcores: boolean): void {
    const { parent, spec } = this;
    if (spec.amount === undefined) {
      this.absoluteCapacity = spec.capacity * (parent?.absoluteCapacity ?? 1);
      this.absoluteMaximum = (spec.maximumCapacity ?? 1) * (parent?.absoluteMaximum ?? 1);
      Object.assign(this.guarantee, partOf(cluster, this.absoluteCapacity));
      Object.assign(this.maximum, partOf(cluster, this.absoluteMaximum));
    } else if (parent !== null) {
      Object.assign(this.guarantee, scaled(spec.amount, parent.scaleOfAmounts(cluster, countsVcores)));
      // The maximum configured for the queue above counts here even if the cluster is smaller.
      const above = parent.spec.mostAmount ?? parent.maximum;
      const maximum = spec.mostAmount ?? above;
      Object.assign(this.maximum, compareAmounts(countsVcores, maximum, above, cluster) <= 0 ? maximum : above);
      const parts = (amount: Readonly<Resources>) => (isNone(amount) ? 0 : this.shareOf(amount, cluster));
      this.absoluteCapacity = parts(this.guarantee);
      this.absoluteMaximum = parts(this.maximum);
    }
    this.usedShare = this.shareOf(this.used, this.guarantee);
    this.askingQueues.allMoved();
    for (const child of this.children) child.clusterChanged(cluster, countsVcores);
  }

  /**
   * By how much the amounts of the queues below it shrink, by resource: all of them where together they are more than
   * it has.
   */
  private scaleOfAmounts(cluster: Readonly<Resources>, countsVcores: boolean): Readonly<Resources> {
    const sum = none();
    for (const { spec } of this.children) addTo(sum, spec.amount ?? NOTHING);
    if (compareAmounts(countsVcores, this.guarantee, sum, cluster) >= 0) return { memory: 1, vcores: 1 };
    return byResource((type) => (sum[type] === 0 ? 1 : this.guarantee[type] / sum[type]));
  }

  /** In it and all above it; in a leaf also of the user. */
  usedChanged(change: typeof addTo, amount: Readonly<Resources>, owner: QueueUser): void {
    for (const queue of this.upward) {
      change(queue.used, amount);
      queue.rankQueue();
    }
    change(owner.used, amount);
    if (owner.wanting > 0) change(this.activeUsersUse, amount);
  }

  /** An application of this leaf asks for so many containers more, or is active now, or no more. */
  wantedChanged(app: CapacityApp, containers: number): void {
    this.askingApps.set(app, app.isActive && app.wanted > 0);
    for (const queue of this.upward) {
      queue.wanted += containers;
      queue.parent?.askingQueues.set(queue, queue.wanted > 0);
    }
  }

  userNamed(name: string): QueueUser {
    const user = this.users.get(name) ?? new QueueUser();
    this.users.set(name, user);
    return user;
  }

  /** An application of the user asks for something now, or for nothing any more. */
  userWants(owner: QueueUser, wants: boolean): void {
    owner.wanting += wants ? 1 : -1;
    if (wants ? owner.wanting > 1 : owner.wanting > 0) return;
    this.activeUsers += wants ? 1 : -1;
    (wants ? addTo : takeFrom)(this.activeUsersUse, owner.used);
  }

  /** It takes its place in the order. */
  activate(app: CapacityApp): void {
    app.isActive = true;
    this.rank(app);
    let index = this.active.length;
    if (this.appOrder === "fifo") while (index > 0 && compareApps("fifo", this.active[index - 1], app) > 0) index--;
    this.active.splice(index, 0, app);
    this.wantedChanged(app, app.wanted);
    if (app.wanted > 0) this.userWants(app.owner, true);
  }

  deactivate(app: CapacityApp): void {
    app.isActive = false;
    this.active.splice(this.active.indexOf(app), 1);
    this.wantedChanged(app, -app.wanted);
    if (app.wanted > 0) this.userWants(app.owner, false);
  }

  /** Its place in fair order follows what it has only when that changes. */
  rank(app: CapacityApp): void {
    app.rankedUse = rankOfUse(app.used.memory, app.pending.memory, this.weighsBySize);
    this.askingApps.moved(app);
  }

  /** Its place among its siblings follows what it has. */
  private rankQueue(): void {
    this.usedShare = this.shareOf(this.used, this.guarantee);
    this.parent?.askingQueues.moved(this);
  }

  /** The limit of an active user, at which it may still get a container (`UsersManager.computeUserLimit`). */
  userLimit(settings: CapacitySettings, cluster: Readonly<Resources>): Resources {
    const users = Math.max(this.activeUsers, 1);
    const total = plus(this.activeUsersUse, settings.minimumAllocation);
    return this.limitOfUsers(settings, cluster, (type) => total[type] / users);
  }

  /** The limit of any user, counting users that request nothing: preemption goes by that. */
  limitOfAnyUser(settings: CapacitySettings, cluster: Readonly<Resources>): Resources {
    const users = Math.max(new Set([...this.active, ...this.waiting].map(({ owner }) => owner)).size, 1);
    const total = this.currentCapacity(settings, cluster);
    return this.limitOfUsers(settings, cluster, (type) => total[type] / users);
  }

  /** At least the smallest container, lest a queue of little capacity stands still. */
  private capacityOf(
    { minimumAllocation, countsVcores }: CapacitySettings,
    cluster: Readonly<Resources>,
  ): Readonly<Resources> {
    const isEnough = compareAmounts(countsVcores, this.guarantee, minimumAllocation, cluster) >= 0;
    return isEnough ? this.guarantee : minimumAllocation;
  }

  /** The queue's capacity, or what it has and one container more. */
  private currentCapacity(settings: CapacitySettings, cluster: Readonly<Resources>): Readonly<Resources> {
    const { minimumAllocation: least, countsVcores } = settings;
    const capacity = this.capacityOf(settings, cluster);
    const consumed = countsVcores ? this.consumedByShares(cluster) : this.used;
    if (compareAmounts(countsVcores, consumed, capacity, cluster) < 0) return capacity;
    return plus(consumed, least);
  }

  /** The part of the cluster that its users' dominant shares add up to, of memory and of vcores. */
  private consumedByShares(cluster: Readonly<Resources>): Resources {
    let share = 0;
    for (const { used } of this.users.values()) share += dominantShare(used, cluster);
    // A rounding error in a sum of shares must not add a unit.
    return byResource((type) => Math.ceil(cluster[type] * share - 1e-6));
  }

  /** @param evenly what each has if all have as much. */
  private limitOfUsers(
    settings: CapacitySettings,
    cluster: Readonly<Resources>,
    evenly: (type: keyof Resources) => number,
  ): Resources {
    const { minimumAllocation: least, countsVcores } = settings;
    const capacity = this.capacityOf(settings, cluster);
    const current = this.currentCapacity(settings, cluster);
    const even = byResource((type) => Math.ceil(evenly(type)));
    const percent = byResource((type) => Math.ceil(Math.floor(current[type] * this.minimumUserLimitPercent) / 100));
    const times = this.userLimitFactor;
    const maximum = times === -1 ? this.maximum : byResource((type) => Math.floor(capacity[type] * times));
    const wish = compareAmounts(countsVcores, even, percent, cluster) >= 0 ? even : percent;
    const limit = compareAmounts(countsVcores, wish, maximum, cluster) <= 0 ? wish : maximum;
    return roundedUp((type) => limit[type], least);
  }

  leaves(): CapacityQueue[] {
    return this.isLeaf ? [this] : this.children.flatMap((child) => child.leaves());
  }
}

/** The queues of the file, in its order. @param specs by full name; parents come before what is below them. */
export function capacityQueues(
  specs: ReadonlyMap<string, CapacityQueueSpec>,
  shareOf: ShareOf,
): Map<string, CapacityQueue> {
  const queues = new Map<string, CapacityQueue>();
  queues.set(ROOT, new CapacityQueue(ROOT, { capacity: 1, ...specs.get(ROOT) }, null, 0, shareOf));
  for (const [name, spec] of specs) {
    if (name === ROOT) continue;
    const parent = queues.get(name.slice(0, name.lastIndexOf(".")));
    if (parent === undefined) throw new Error(`the queue ${name} has no parent`);
    const queue = new CapacityQueue(name, spec, parent, queues.size, shareOf);
    parent.children.push(queue);
    queues.set(name, queue);
  }
  return queues;
}

function partOf(amount: Readonly<Resources>, part: number): Resources {
  return byResource((type) => Math.floor(amount[type] * part));
}

function scaled(amount: Readonly<Resources>, by: Readonly<Resources>): Resources {
  // A quotient times its divisor is no unit less.
  return byResource((type) => Math.floor(amount[type] * by[type] + 1e-6));
}
