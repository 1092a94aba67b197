import { ln } from "../../../kernel/index.js";
import { type AppSpec, SchedulerApp } from "../containers.js";
import {
  addTo,
  amountOf,
  byResource,
  fitsIn,
  isNone,
  lesser,
  none,
  NOTHING,
  type Resources,
  UNLIMITED,
} from "../resources.js";
import { Askers } from "../in-order.js";
import { compare, type FairPolicy, isBelow, keyOf, type Schedulable } from "./policies.js";
import type { FairAllocations, FairQueueSpec, FairSettings } from "./settings.js";
import { fairShares } from "./shares.js";

const ROOT = "root";

/** An application, as the Fair Scheduler sees it. */
export class FairApp extends SchedulerApp implements Schedulable {
  /** As of the last update. */
  demand = none();
  readonly fairShare = none();
  readonly minShare = NOTHING;
  readonly maxShare = UNLIMITED;
  weight = 1;
  askerAt = -1;
  isRunnable = false;
  isStopped = false;
  /** The difference to its fair share, and to its queue's min share. */
  lacksFair = none();
  lacksMin = none();
  /** It wanted more than its queue lacked: what it lacks of the min share is then the difference, a slip of YARN's. */
  isOverasking = false;
  lastAtFairShareUs: number;
  nextStarvationCheckUs = 0;
  /** When it was found starved last, and how many containers were chosen for it then. */
  checkedAtUs = -1;
  victims = 0;
  /** Of its containers that are to be killed. */
  readonly doomed = none();

  constructor(
    index: number,
    spec: AppSpec,
    startUs: number,
    readonly queue: FairQueue,
  ) {
    super(index, spec, startUs);
    this.lastAtFairShareUs = startUs;
  }

  /** Whether the demand, as of its last update, differs from the use. */
  get hasUnmetDemand(): boolean {
    return this.demand.memory !== this.used.memory || this.demand.vcores !== this.used.vcores;
  }

  updateDemand(weighsBySize: boolean): void {
    this.demand.memory = this.used.memory + this.pending.memory;
    this.demand.vcores = this.used.vcores + this.pending.vcores;
    if (weighsBySize) this.weight = ln(1 + this.demand.memory) / ln(2);
  }

  /** Below its fair share, or short of its queue's min share: then it may reserve nodes. */
  isStarved(cluster: Readonly<Resources>): boolean {
    return this.isBelowShare(this.used, cluster) || !isNone(this.lacksMin);
  }

  isBelowShare(used: Readonly<Resources>, cluster: Readonly<Resources>): boolean {
    return isBelow(this.queue.policy, used, this.fairShare, cluster);
  }
}

/** A queue of the tree: a leaf with applications, or a parent of queues. */
export class FairQueue implements Schedulable {
  readonly children: FairQueue[] = [];
  /** Itself and all above it. */
  readonly upward: readonly FairQueue[];
  readonly runnable: FairApp[] = [];
  /** In the order in which they came; they wait for a limit of running applications. */
  readonly waiting: FairApp[] = [];
  readonly startUs = 0;
  readonly priority = 1;
  readonly used = none();
  readonly demand = none();
  readonly fairShare = none();
  /** The same over all queues, active or not: for display. */
  readonly steadyShare = none();
  /** Of the masters that run in it. */
  readonly mastersUse = none();
  /** Applications below it that may run, containers that they ask for, and how many of them are asked in turn. */
  running = 0;
  wanted = 0;
  private asking = 0;
  askerAt = -1;
  readonly askingQueues: Askers<FairQueue>;
  readonly askingApps: Askers<FairApp>;
  /** Goes up with each change of who shares; of that which was shared out last, and what that was. */
  private sharersVersion = 0;
  private sharedVersion = -1;
  private sharedOut: Readonly<Resources> = NOTHING;
  lastAtMinShareUs: number;

  weight = 1;
  minShare: Readonly<Resources> = NOTHING;
  maxShare: Readonly<Resources> = UNLIMITED;
  maxRunningApps = Infinity;
  maxAmShare = 0.5;
  policy: FairPolicy = "fair";
  minShareTimeoutUs = Infinity;
  fairShareTimeoutUs = Infinity;
  fairShareThreshold = 0.5;
  isPreemptable = true;

  constructor(
    readonly name: string,
    readonly parent: FairQueue | null,
    nowUs: number,
    cluster: Readonly<Resources>,
  ) {
    const before = (a: Schedulable, b: Schedulable) => compare(this.policy, a, b, cluster);
    const key = (schedulable: Schedulable) => keyOf(this.policy, schedulable, cluster);
    this.askingQueues = new Askers<FairQueue>(key, before);
    this.askingApps = new Askers<FairApp>(key, before);
    this.lastAtMinShareUs = nowUs;
    this.upward = parent === null ? [this] : [this, ...parent.upward];
  }

  get isLeaf(): boolean {
    return this.children.length === 0;
  }

  get isActive(): boolean {
    return this.running > 0;
  }

  /** Whether a container more exceeds no maximum, its own or one above it. */
  fitsBelowMax({ memory, vcores }: Readonly<Resources>): boolean {
    for (const queue of this.upward) {
      if (queue.used.memory + memory > queue.maxShare.memory) return false;
      if (queue.used.vcores + vcores > queue.maxShare.vcores) return false;
    }
    return true;
  }

  get isAboveMax(): boolean {
    return !fitsIn(this.used, this.maxShare);
  }

  /** An application of this leaf has more than before, or less: it is counted in it and all above it. */
  usedChanged(change: typeof addTo, app: FairApp, amount: Readonly<Resources>): void {
    this.askingApps.moved(app);
    this.asksAnew(app);
    for (const queue of this.upward) {
      change(queue.used, amount);
      queue.parent?.askingQueues.moved(queue);
    }
  }

  /** Demands, limits or the cluster are other ones: whoever asks has another place. */
  private orderAnew(): void {
    this.askingQueues.allMoved();
    this.askingApps.allMoved();
  }

  /** An application of this leaf asks for so many containers more, or may run now, or no more. */
  wantedChanged(app: FairApp, containers: number): void {
    for (const queue of this.upward) queue.wanted += containers;
    this.asksAnew(app);
  }

  /** One that has all it wanted when that was looked at last would be asked in vain until then. */
  private asksAnew(app: FairApp): void {
    const asks = app.wanted > 0 && app.isRunnable && app.hasUnmetDemand;
    if (asks === app.askerAt >= 0) return;
    this.askingApps.set(app, asks);
    for (const queue of this.upward) {
      queue.asking += asks ? 1 : -1;
      queue.parent?.askingQueues.set(queue, queue.asking > 0);
    }
  }

  runningChanged(apps: number): void {
    for (const queue of this.upward) {
      queue.running += apps;
      queue.sharersVersion++;
    }
  }

  /** Demands of what is below it, capped at its maximum. */
  updateDemand(weighsBySize: boolean): void {
    if (weighsBySize) this.sharersVersion++;
    this.orderAnew();
    const { demand } = this;
    demand.memory = 0;
    demand.vcores = 0;
    for (const child of this.children) {
      child.updateDemand(weighsBySize);
      addTo(demand, child.demand);
    }
    for (const apps of [this.runnable, this.waiting]) {
      for (const app of apps) {
        app.updateDemand(weighsBySize);
        addTo(demand, app.demand);
        this.asksAnew(app);
      }
    }
    Object.assign(demand, lesser(demand, this.maxShare));
  }

  /** Fair shares of all below it, out of its own. A queue where nothing may run has none, nor has anything below it. */
  updateShares(): void {
    const { memory, vcores } = this.fairShare;
    const isAsBefore = memory === this.sharedOut.memory && vcores === this.sharedOut.vcores;
    if (isAsBefore && this.sharersVersion === this.sharedVersion) return;
    this.sharedOut = { memory, vcores };
    this.sharedVersion = this.sharersVersion;
    if (this.isLeaf) return this.shareAmongApps();
    this.shareAmong(
      this.children,
      this.fairShare,
      (queue) => queue.fairShare,
      ({ isActive }) => isActive,
    );
    for (const child of this.children) child.updateShares();
  }

  updateSteadyShares(): void {
    this.shareAmong(
      this.children,
      this.steadyShare,
      (queue) => queue.steadyShare,
      () => true,
    );
    for (const child of this.children) child.updateSteadyShares();
  }

  /** Limits or weights are other ones. */
  shareAnew(): void {
    this.orderAnew();
    this.parent?.orderAnew();
    for (const queue of this.upward) queue.sharersVersion++;
  }

  private shareAmongApps(): void {
    if (this.policy !== "fifo") {
      this.shareAmong(
        this.runnable,
        this.fairShare,
        (app) => app.fairShare,
        () => true,
      );
      return;
    }
    // The earliest has the whole share; what others had stays.
    let earliest: FairApp | undefined;
    for (const app of this.runnable) if (earliest === undefined || app.startUs < earliest.startUs) earliest = app;
    if (earliest !== undefined) Object.assign(earliest.fairShare, this.fairShare);
  }

  /** Under fair memory alone is shared, under drf each resource by itself. */
  private shareAmong<S extends FairQueue | FairApp>(
    sharers: readonly S[],
    { memory, vcores }: Readonly<Resources>,
    shareOf: (sharer: S) => Resources,
    isActive: (sharer: S) => boolean,
  ): void {
    if (sharers.length === 0) return;
    const share = (type: keyof Resources, total: number) => {
      const columns = sharers.map((sharer) => ({
        min: sharer.minShare[type],
        max: sharer.maxShare[type],
        weight: sharer.weight,
        isActive: isActive(sharer),
      }));
      fairShares(columns, total).forEach((amount, i) => (shareOf(sharers[i])[type] = amount));
    };
    share("memory", memory);
    if (this.policy === "drf") share("vcores", vcores);
  }

  /** All leaves below it, or itself. */
  leaves(): FairQueue[] {
    return this.isLeaf ? [this] : this.children.flatMap((child) => child.leaves());
  }
}

/** The queues of a cluster: those that the allocation file names, and those that applications asked for. */
export class FairQueues {
  readonly root: FairQueue;
  private readonly byName = new Map<string, FairQueue>();
  private steadyIsStale = true;

  constructor(
    private settings: FairSettings,
    private allocations: FairAllocations,
    private readonly cluster: Readonly<Resources>,
  ) {
    this.root = new FairQueue(ROOT, null, 0, cluster);
    this.byName.set(ROOT, this.root);
    for (const name of allocations.queues.keys()) this.queueNamed(name, 0);
    this.configureAll(settings, allocations);
  }

  get queues(): Iterable<FairQueue> {
    return this.byName.values();
  }

  /** Made, with those above it, where it is not there. */
  queueNamed(name: string, nowUs: number): FairQueue {
    const full = name === ROOT || name.startsWith(`${ROOT}.`) ? name : `${ROOT}.${name}`;
    const known = this.byName.get(full);
    if (known !== undefined) return known;
    const parent = this.queueNamed(full.slice(0, full.lastIndexOf(".")), nowUs);
    const queue = new FairQueue(full, parent, nowUs, this.cluster);
    parent.children.push(queue);
    this.byName.set(full, queue);
    this.configure(queue);
    this.steadyIsStale = true;
    return queue;
  }

  /** The file, or the settings, are other ones now. */
  configureAll(settings: FairSettings, allocations: FairAllocations): void {
    this.settings = settings;
    this.allocations = allocations;
    for (const name of allocations.queues.keys()) this.queueNamed(name, 0);
    // Parents are made before their children, and children look at them.
    for (const queue of this.byName.values()) this.configure(queue);
    this.steadyIsStale = true;
  }

  /** Demands, then fair shares. */
  update(): void {
    if (this.steadyIsStale) {
      Object.assign(this.root.steadyShare, this.cluster);
      this.root.updateSteadyShares();
      this.steadyIsStale = false;
    }
    this.root.updateDemand(this.settings.weighsBySize);
    Object.assign(this.root.fairShare, this.cluster);
    this.root.updateShares();
  }

  private configure(queue: FairQueue): void {
    const { settings, cluster } = this;
    const named = this.allocations.queues.get(queue.name);
    const spec: FairQueueSpec = named ?? {};
    const { parent } = queue;
    const ofParent = parent === null ? undefined : this.allocations.queues.get(parent.name);
    queue.shareAnew();
    queue.weight = spec.weight ?? 1;
    queue.minShare = spec.minResources === undefined ? NOTHING : amountOf(spec.minResources, cluster);
    const ofUnnamed = named === undefined ? ofParent?.maxChildResources : undefined;
    const fallback = parent === null ? UNLIMITED : (ofUnnamed ?? settings.queueMaxResources);
    const max = amountOf(spec.maxResources ?? fallback, cluster);
    // A maximum is at least the minimum.
    queue.maxShare = byResource((type) => Math.max(max[type], queue.minShare[type]));
    queue.maxRunningApps = spec.maxRunningApps ?? (parent === null ? Infinity : settings.queueMaxApps);
    queue.maxAmShare = spec.maxAmShare ?? settings.maxAmShare;
    queue.policy = spec.policy ?? settings.policy;
    queue.minShareTimeoutUs = spec.minSharePreemptionTimeoutUs ?? parent?.minShareTimeoutUs ?? Infinity;
    queue.fairShareTimeoutUs = spec.fairSharePreemptionTimeoutUs ?? parent?.fairShareTimeoutUs ?? Infinity;
    queue.fairShareThreshold = spec.fairSharePreemptionThreshold ?? parent?.fairShareThreshold ?? 0.5;
    queue.isPreemptable = (parent?.isPreemptable ?? true) && (spec.allowPreemptionFrom ?? true);
  }
}
