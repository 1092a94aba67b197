import { ln } from "../../dist/core/kernel/index.js";
import type {
  FairAllocations,
  FairPolicy,
  FairQueueSpec,
  FairSettings,
  ResourceLimit,
  Resources,
  YarnLevel,
} from "../../dist/core/platforms/yarn/index.js";
import {
  countAt,
  dominant,
  fits,
  isBelow,
  isNothing,
  lack,
  least,
  minus,
  type NaiveApp,
  type NaiveAsk,
  type NaiveContainer,
  type NaiveNode,
  type NaiveScheduler,
  NaiveWorld,
  NODE_LOCAL,
  nodeOf,
  OFF_SWITCH,
  RACK_LOCAL,
  rackOf,
  sum,
  times,
  upward,
  wantedBy,
} from "./naive-yarn-world.js";

const NOTHING: Readonly<Resources> = { memory: 0, vcores: 0 };
/** No limit. */
const ALL: Readonly<Resources> = { memory: Infinity, vcores: Infinity };

/** What is known of an application or a queue since the last update. */
interface Known {
  demand: Resources;
  share: Resources;
  weight: number;
  /** Of an application: what it lacks. */
  lacksFair: Resources;
  lacksMin: Resources;
  /** When it was last where it should be. */
  wellUs: number;
  nextCheckUs: number;
}

/** A queue or an application in an order. */
interface Member {
  readonly name: string;
  readonly startUs: number;
  readonly priority: number;
  readonly weight: number;
  readonly used: Resources;
  readonly demand: Resources;
  readonly min: Readonly<Resources>;
}

type Choice = { readonly node: NaiveNode; readonly containers: NaiveContainer[]; readonly masters: number };

/** The twin of the Fair Scheduler: sections 3 to 9. */
export class NaiveFair implements NaiveScheduler {
  readonly world = new NaiveWorld();
  /** Full names: those of the file, and those that were asked for. */
  private readonly queues: string[] = [];
  /** Those that may run, in the order in which they began to, and those that wait, in the order in which they came. */
  private runnable: NaiveApp[] = [];
  private waiting: NaiveApp[] = [];
  private readonly known = new Map<string, Known>();
  /** Space that is made for an application on a node. */
  private kept: { readonly node: NaiveNode; readonly app: NaiveApp; space: Resources }[] = [];
  private given: NaiveContainer[] = [];
  private nowUs = 0;

  constructor(
    private readonly settings: FairSettings,
    private readonly allocations: FairAllocations,
  ) {
    for (const name of ["root", ...allocations.queues.keys()]) this.addQueue(name, 0);
  }

  get updateUs(): number {
    return this.settings.updateUs;
  }

  get roundUs(): number {
    return this.settings.isContinuous ? this.settings.continuousSleepUs : Infinity;
  }

  gives(hasEnded: boolean): boolean {
    return hasEnded || !this.settings.isContinuous;
  }

  nodesChanged(): void {
    this.kept = this.kept.filter(({ node }) => this.world.nodes.includes(node));
  }

  submitted(app: NaiveApp): void {
    this.addQueue(app.queue, app.startUs);
    this.of(app).wellUs = app.startUs;
    if (this.mayRun(app)) this.runnable.push(app);
    else this.waiting.push(app);
  }

  asked(): void {
    // Demands are counted at updates.
  }

  released(): void {
    // Use is counted where it is looked at.
  }

  /** Section 8: who waited for its place runs. */
  left(app: NaiveApp): void {
    this.waiting = this.waiting.filter((one) => one !== app);
    if (!this.runnable.includes(app)) return;
    this.runnable = this.runnable.filter((one) => one !== app);
    const full = upward(app.queue).filter((name) => this.running(name) === this.maxApps(name) - 1);
    const lists: NaiveApp[][] = [];
    const highest = full.at(-1);
    if (highest !== undefined) {
      const leaves = this.queues.filter((name) => this.isLeaf(name) && isBelow(name, highest));
      const open = leaves.filter((leaf) =>
        upward(leaf).every((name) => !isBelow(name, highest) || this.running(name) < this.maxApps(name)),
      );
      for (const leaf of this.inTreeOrder(open)) lists.push(this.waiting.filter(({ queue }) => queue === leaf));
    }
    const ofUser = this.runnable.filter(({ user }) => user === app.user).length;
    if (ofUser === this.maxAppsOf(app.user) - 1) lists.push(this.waiting.filter(({ user }) => user === app.user));
    let started = 0;
    for (const next of lists.flat().sort((a, b) => a.startUs - b.startUs)) {
      if (started === lists.length || this.runnable.includes(next) || !this.mayRun(next)) continue;
      this.waiting = this.waiting.filter((one) => one !== next);
      this.runnable.push(next);
      started++;
    }
  }

  report(node: NaiveNode, nowUs: number): NaiveContainer[] {
    this.given = [];
    this.nowUs = nowUs;
    if (this.world.live.length === 0) return this.given;
    this.servePreemptors(node);
    if (!this.serveReservation(node)) this.assign(node);
    return this.given;
  }

  round(): NaiveNode[] {
    const free = (node: NaiveNode): Resources => this.world.freeOn(node);
    return this.world.nodes
      .filter((node) => free(node).memory > 0 && free(node).vcores > 0)
      .sort((a, b) => free(b).memory - free(a).memory || a.index - b.index);
  }

  // The file: section 3.

  private addQueue(name: string, nowUs: number): void {
    for (const one of [...upward(name)].reverse()) {
      if (this.queues.includes(one)) continue;
      this.queues.push(one);
      this.of(one).wellUs = nowUs;
    }
  }

  private spec(queue: string): FairQueueSpec {
    return this.allocations.queues.get(queue) ?? {};
  }

  private children(queue: string): string[] {
    return this.queues.filter((name) => upward(name)[1] === queue);
  }

  private isLeaf(queue: string): boolean {
    return this.children(queue).length === 0;
  }

  private inTreeOrder(queues: readonly string[]): string[] {
    const all = (queue: string): string[] => [queue, ...this.children(queue).flatMap(all)];
    return all("root").filter((name) => queues.includes(name));
  }

  private amount({ memory, vcores, isOfCluster }: ResourceLimit): Resources {
    if (isOfCluster !== true) return { memory, vcores };
    const { total } = this.world;
    return { memory: Math.floor(memory * total.memory), vcores: Math.floor(vcores * total.vcores) };
  }

  private min(queue: string): Resources {
    return this.amount(this.spec(queue).minResources ?? NOTHING);
  }

  private max(queue: string): Resources {
    const above = upward(queue)[1];
    const unnamed =
      this.allocations.queues.has(queue) || above === undefined ? undefined : this.spec(above).maxChildResources;
    const fallback = above === undefined ? ALL : (unnamed ?? this.settings.queueMaxResources);
    const max = this.amount(this.spec(queue).maxResources ?? fallback);
    const min = this.min(queue);
    return { memory: Math.max(max.memory, min.memory), vcores: Math.max(max.vcores, min.vcores) };
  }

  private policy(queue: string): FairPolicy {
    return this.spec(queue).policy ?? this.settings.policy;
  }

  private maxApps(queue: string): number {
    return this.spec(queue).maxRunningApps ?? (queue === "root" ? Infinity : this.settings.queueMaxApps);
  }

  private maxAppsOf(user: string): number {
    return this.allocations.users.get(user) ?? this.settings.userMaxApps;
  }

  /** Its own, or that of the nearest queue above that has one. */
  private inherited<Key extends keyof FairQueueSpec>(queue: string, key: Key): FairQueueSpec[Key] | undefined {
    return upward(queue)
      .map((name) => this.spec(name)[key])
      .find((value) => value !== undefined);
  }

  private usedIn(queue: string): Resources {
    return this.world.used(({ app }) => isBelow(app.queue, queue));
  }

  private running(queue: string): number {
    return this.runnable.filter((app) => isBelow(app.queue, queue)).length;
  }

  private mayRun(app: NaiveApp): boolean {
    const ofUser = this.runnable.filter(({ user }) => user === app.user).length;
    return (
      ofUser < this.maxAppsOf(app.user) && upward(app.queue).every((name) => this.running(name) < this.maxApps(name))
    );
  }

  private of(one: NaiveApp | string): Known {
    const key = typeof one === "string" ? one : String(one.index);
    const known = this.known.get(key) ?? {
      demand: { ...NOTHING },
      share: { ...NOTHING },
      weight: 1,
      lacksFair: { ...NOTHING },
      lacksMin: { ...NOTHING },
      wellUs: 0,
      nextCheckUs: 0,
    };
    this.known.set(key, known);
    return known;
  }

  // Locality: section 4.

  private allowed(ask: NaiveAsk): YarnLevel {
    const { isContinuous, localityThresholdNode, localityThresholdRack } = this.settings;
    const waits = isContinuous
      ? [this.settings.localityDelayNodeUs, this.settings.localityDelayRackUs]
      : [localityThresholdNode, localityThresholdRack];
    if (waits.some((wait) => wait < 0)) return OFF_SWITCH;
    if (ask.level === null) {
      ask.sinceUs = this.nowUs;
      return (ask.level = NODE_LOCAL);
    }
    if (ask.level === OFF_SWITCH) return OFF_SWITCH;
    const wait = waits[ask.level]!;
    const rises = isContinuous
      ? this.nowUs - ask.sinceUs > wait
      : ask.opportunities > this.world.nodes.length * Math.min(1, wait);
    if (!rises) return ask.level;
    ask.opportunities = 0;
    ask.sinceUs = this.nowUs;
    return (ask.level = ask.level === NODE_LOCAL ? RACK_LOCAL : OFF_SWITCH);
  }

  /** All asks are relaxed. */
  private isUsable(app: NaiveApp, ask: NaiveAsk, node: NaiveNode): boolean {
    // What a node has in all is looked at by memory.
    if (wantedBy(ask) <= 0 || ask.size.memory > node.total.memory) return false;
    return upward(app.queue).every((name) => fits(sum([this.usedIn(name), ask.size]), this.max(name)));
  }

  private offerAsk(app: NaiveApp, ask: NaiveAsk, node: NaiveNode): boolean | null {
    ask.opportunities++;
    const level = this.allowed(ask);
    const onRack = countAt(ask, rackOf(node)) > 0;
    if (onRack && countAt(ask, nodeOf(node)) > 0) return this.tryOn(app, ask, node, NODE_LOCAL);
    if (onRack && level !== NODE_LOCAL) return this.tryOn(app, ask, node, RACK_LOCAL);
    return ask.places.size === 1 || level === OFF_SWITCH ? this.tryOn(app, ask, node, OFF_SWITCH) : null;
  }

  /** Whether anything came of it. */
  private tryOn(app: NaiveApp, ask: NaiveAsk, node: NaiveNode, level: YarnLevel): boolean {
    if (fits(ask.size, this.world.freeOn(node))) {
      if (ask.level !== null && level < ask.level) ask.level = level;
      const container = this.world.give(app, ask, node, level, this.nowUs);
      const kept = this.kept.find((one) => one.node === node && one.app === app);
      if (kept !== undefined) kept.space = lack(kept.space, container.size);
      this.kept = this.kept.filter(({ space }) => !isNothing(space));
      this.given.push(container);
      return true;
    }
    if (!this.mayReserve(app, ask, node, level)) return false;
    this.world.reserve(node, app, ask);
    return true;
  }

  private isStarved(app: NaiveApp): boolean {
    const { share, lacksMin } = this.of(app);
    return this.isBelowShare(app, this.world.usedBy(app), share) || !isNothing(lacksMin);
  }

  /** Sizes of an amount by the calculator of a leaf, of which the first that differs decides. */
  private sizesFor(leaf: string, { memory, vcores }: Resources): number[] {
    const { total } = this.world;
    if (this.policy(leaf) !== "drf") return [memory];
    return [memory / total.memory, vcores / total.vcores].sort((a, b) => b - a);
  }

  private isLarger(leaf: string, a: Resources, b: Resources): boolean {
    const [ofA, ofB] = [this.sizesFor(leaf, a), this.sizesFor(leaf, b)];
    const at = ofA.findIndex((size, i) => size !== ofB[i]);
    return at >= 0 && ofA[at]! > ofB[at]!;
  }

  private isBelowShare({ queue }: NaiveApp, used: Resources, share: Resources): boolean {
    const { total } = this.world;
    return this.policy(queue) === "drf" ? dominant(used, total) < dominant(share, total) : used.memory < share.memory;
  }

  private mayReserve(app: NaiveApp, ask: NaiveAsk, node: NaiveNode, level: YarnLevel): boolean {
    if (!this.isStarved(app) || this.isLarger(app.queue, this.settings.reservationThreshold, ask.size)) return false;
    if (node.reservation !== null || this.kept.some((one) => one.node === node && one.app === app)) return false;
    if (level === NODE_LOCAL) return true;
    const counts = ({ rack }: NaiveNode): boolean => level === OFF_SWITCH || rack === node.rack;
    const most = Math.ceil(this.world.nodes.filter(counts).length * this.settings.reservableNodes);
    return this.world.reservedFor(app).filter(counts).length < most;
  }

  // A heartbeat: section 5.

  private servePreemptors(node: NaiveNode): void {
    this.kept = this.kept.filter(({ app, node: on }) => {
      const { lacksFair, lacksMin } = this.of(app);
      return on !== node || (!app.isGone && this.isStarved(app) && !isNothing(sum([lacksFair, lacksMin])));
    });
    for (const { app, space } of this.kept.filter((one) => one.node === node)) {
      let left = { ...space };
      while (!isNothing(left)) {
        const before = this.given.length;
        this.offerApp(app, node);
        if (this.given.length === before) break;
        left = lack(left, this.given[before]!.size);
      }
    }
  }

  /** Whether the node serves its reservation, or keeps it. */
  private serveReservation(node: NaiveNode): boolean {
    const { reservation } = node;
    if (reservation === null) return false;
    const { app, ask, size } = reservation;
    if (!this.isUsable(app, ask, node) || this.isOverAmLimit(app)) {
      node.reservation = null;
      return false;
    }
    const before = this.given.length;
    if (fits(size, this.world.freeOn(node))) this.offerAsk(app, ask, node);
    if (this.given.length > before) node.reservation = null;
    return true;
  }

  private assign(node: NaiveNode): void {
    const { assignsMultiple, dynamicMaxAssign, maxAssign } = this.settings;
    const free = this.world.freeOn(node);
    const half = { memory: Math.floor(free.memory / 2), vcores: Math.floor(free.vcores / 2) };
    const before = this.given.length;
    for (let goesOn = true; goesOn;) {
      const count = this.given.length - before;
      this.offerQueue("root", node);
      const assigned = this.given.slice(before);
      goesOn = assigned.length > count && assignsMultiple;
      if (dynamicMaxAssign) goesOn &&= fits(sum(assigned.map(({ size }) => size)), half);
      else goesOn &&= maxAssign <= 0 || assigned.length < maxAssign;
    }
  }

  private offerQueue(queue: string, node: NaiveNode): boolean {
    if (!fits(this.usedIn(queue), this.max(queue))) return false;
    if (!this.isLeaf(queue)) {
      const members = new Map(this.children(queue).map((name) => [this.memberOfQueue(name), name]));
      return this.sorted(queue, members).some((name) => this.offerQueue(name, node));
    }
    const apps = this.runnable.filter((app) => app.queue === queue && this.hasUnmetDemand(app));
    const members = new Map(apps.map((app) => [this.memberOfApp(app), app]));
    return this.sorted(queue, members).some((app) => this.offerApp(app, node));
  }

  private hasUnmetDemand(app: NaiveApp): boolean {
    return !isNothing(minus(this.of(app).demand, this.world.usedBy(app)));
  }

  private offerApp(app: NaiveApp, node: NaiveNode): boolean {
    if (this.isOverAmLimit(app)) return false;
    for (const ask of app.asks) {
      const outcome = this.isUsable(app, ask, node) ? this.offerAsk(app, ask, node) : null;
      if (outcome !== null) return outcome;
    }
    return false;
  }

  private isOverAmLimit(app: NaiveApp): boolean {
    if (this.world.hasMaster(app)) return false;
    const { queue, master } = app;
    const share = this.spec(queue).maxAmShare ?? this.settings.maxAmShare;
    if (!this.world.wantsAny(app)) return true;
    if (share === -1) return false;
    const free = sum(this.world.nodes.map((node) => this.world.freeOn(node)));
    const base = (type: keyof Resources): number =>
      this.of(queue).share[type] || Math.min(free[type], this.max(queue)[type]);
    const most = { memory: Math.ceil(base("memory") * share), vcores: Math.ceil(base("vcores") * share) };
    const masters = this.world.used((one) => one.isMaster && one.app.queue === queue);
    return !fits(sum([masters, master]), most);
  }

  // Orders: section 6.

  private memberOfQueue(name: string): Member {
    const weight = this.spec(name).weight ?? 1;
    const { demand } = this.of(name);
    return { name, startUs: 0, priority: 1, weight, used: this.usedIn(name), demand, min: this.min(name) };
  }

  private memberOfApp(app: NaiveApp): Member {
    const { demand, weight } = this.of(app);
    const { name, startUs, priority } = app;
    return { name, startUs, priority, weight, used: this.world.usedBy(app), demand, min: NOTHING };
  }

  private sorted<T>(queue: string, members: ReadonlyMap<Member, T>): T[] {
    const policy = this.policy(queue);
    const keys = [...members.keys()].sort(
      (a, b) => this.byPolicy(policy, a, b) || a.startUs - b.startUs || (a.name < b.name ? -1 : 1),
    );
    return keys.map((key) => members.get(key)!);
  }

  private byPolicy(policy: FairPolicy, a: Member, b: Member): number {
    if (policy === "fifo") return b.priority - a.priority;
    if (policy === "drf") return this.byDominance(a, b);
    const wants = ({ demand }: Member): boolean => !isNothing(demand);
    if (wants(a) !== wants(b)) return wants(a) ? -1 : 1;
    const due = ({ min, demand }: Member): number => Math.min(min.memory, demand.memory);
    const isNeedy = (one: Member): boolean => one.used.memory < due(one);
    if (isNeedy(a) !== isNeedy(b)) return isNeedy(a) ? -1 : 1;
    const ofMin = (one: Member): number => (due(one) > 1 ? one.used.memory / due(one) : one.used.memory);
    if (isNeedy(a) && ofMin(a) !== ofMin(b)) return ofMin(a) - ofMin(b);
    if (a.weight === 0 && b.weight === 0) return a.used.memory - b.used.memory;
    if (a.weight === 0 || b.weight === 0) return a.weight === 0 ? 1 : -1;
    return a.used.memory / a.weight - b.used.memory / b.weight;
  }

  private byDominance(a: Member, b: Member): number {
    const { total } = this.world;
    const ranked = ({ used, min, weight }: Member): { isNeedy: boolean; shares: number[] } => {
      const first = used.vcores / total.vcores > used.memory / total.memory ? "vcores" : "memory";
      const other = first === "vcores" ? "memory" : "vcores";
      const isNeedy = used[first] < min[first];
      const ofCluster = (type: keyof Resources): number =>
        weight === 0 ? Infinity : used[type] / total[type] / weight;
      const shares = [first, other] as const;
      return { isNeedy, shares: shares.map((type) => (isNeedy ? used[type] / min[type] : ofCluster(type))) };
    };
    const [of, to] = [ranked(a), ranked(b)];
    if (of.isNeedy !== to.isNeedy) return of.isNeedy ? -1 : 1;
    // What cannot be compared is equal.
    return of.shares[0]! - to.shares[0]! || of.shares[1]! - to.shares[1]! || 0;
  }

  // Updates: section 7.

  update(nowUs: number): { readonly atUs: number; readonly containers: readonly NaiveContainer[] }[] {
    this.nowUs = nowUs;
    for (const app of this.world.live) {
      const known = this.of(app);
      known.demand = sum([this.world.usedBy(app), this.world.pendingOf(app)]);
      if (this.settings.weighsBySize) known.weight = ln(1 + known.demand.memory) / ln(2);
    }
    this.demandOf("root");
    this.of("root").share = this.world.total;
    this.shareOut("root");
    return this.isFull() ? this.preempt() : [];
  }

  private demandOf(queue: string): Resources {
    const apps = this.world.live.filter((app) => app.queue === queue).map((app) => this.of(app).demand);
    const queues = this.children(queue).map((name) => this.demandOf(name));
    return (this.of(queue).demand = least(sum([...apps, ...queues]), this.max(queue)));
  }

  private shareOut(queue: string): void {
    const { share } = this.of(queue);
    const policy = this.policy(queue);
    const apps = this.isLeaf(queue) ? this.runnable.filter((app) => app.queue === queue) : [];
    if (policy === "fifo") {
      const [earliest] = [...apps].sort((a, b) => a.startUs - b.startUs);
      if (earliest !== undefined) this.of(earliest).share = { ...share };
      return;
    }
    const sharers = [
      ...apps.map((app) => ({ of: this.of(app), min: NOTHING, max: ALL, weight: this.of(app).weight, isActive: true })),
      ...this.children(queue).map((name) => ({
        of: this.of(name),
        min: this.min(name),
        max: this.max(name),
        weight: this.spec(name).weight ?? 1,
        isActive: this.running(name) > 0,
      })),
    ];
    for (const type of ["memory", "vcores"] as const) {
      if (type === "vcores" && policy === "fair") continue;
      const shares = naiveShares(
        sharers.map(({ min, max, ...rest }) => ({ ...rest, min: min[type], max: max[type] })),
        share[type],
      );
      sharers.forEach(({ of }, at) => (of.share[type] = shares[at]!));
    }
    for (const name of this.children(queue)) this.shareOut(name);
  }

  // Preemption: section 9.

  private isFull(): boolean {
    const { total } = this.world;
    const used = this.world.used(() => true);
    return this.settings.preempts && dominant(used, total) > this.settings.preemptionUtilization;
  }

  private preempt(): { readonly atUs: number; readonly containers: readonly NaiveContainer[] }[] {
    const { settings, nowUs } = this;
    const starved: NaiveApp[] = [];
    const lacks = (app: NaiveApp): Resources => sum([this.of(app).lacksFair, this.of(app).lacksMin]);
    for (const leaf of this.inTreeOrder(this.queues.filter((name) => this.isLeaf(name)))) {
      for (const app of this.starvedIn(leaf)) {
        // Behind the last that does not lack as much.
        const at = starved.findLastIndex((one) => !fits(lacks(app), lacks(one)));
        starved.splice(at + 1, 0, app);
      }
    }
    const servedUs = settings.isContinuous ? 10 * settings.continuousSleepUs : 4 * settings.heartbeatUs;
    return starved.map((app) => {
      const containers = this.victimsFor(app);
      this.of(app).nextCheckUs = nowUs + settings.waitBeforeKillUs + servedUs + settings.waitBeforeNextCheckUs;
      return { atUs: nowUs + settings.waitBeforeKillUs, containers };
    });
  }

  private starvedIn(leaf: string): NaiveApp[] {
    const { nowUs } = this;
    const checked = this.runnable.filter(
      (app) => app.queue === leaf && this.hasUnmetDemand(app) && nowUs >= this.of(app).nextCheckUs,
    );
    const apps = this.sorted(leaf, new Map(checked.map((app) => [this.memberOfApp(app), app])));
    const starved = new Set<NaiveApp>();
    for (const app of apps) {
      const known = this.of(app);
      known.lacksFair = this.lackOfShare(app);
      if (isNothing(known.lacksFair)) break;
      starved.add(app);
    }
    let rest = lack(this.lackOfMin(leaf), sum([...starved].map((app) => this.of(app).lacksFair)));
    for (const app of apps) {
      const known = this.of(app);
      known.lacksMin = { ...NOTHING };
      if (isNothing(rest)) continue;
      starved.add(app);
      const wish = lack(lack(known.demand, this.world.usedBy(app)), known.lacksFair);
      if (this.isLarger(leaf, wish, rest)) {
        known.lacksMin = lack(wish, rest);
        rest = { ...NOTHING };
      } else {
        known.lacksMin = wish;
        rest = lack(rest, wish);
      }
    }
    return [...starved];
  }

  private lackOfShare(app: NaiveApp): Resources {
    const known = this.of(app);
    const part = this.inherited(app.queue, "fairSharePreemptionThreshold") ?? 0.5;
    const { memory, vcores } = known.share;
    const due = least({ memory: Math.floor(memory * part), vcores: Math.floor(vcores * part) }, known.demand);
    const used = this.world.usedBy(app);
    if (!this.isBelowShare(app, used, due)) known.wellUs = this.nowUs;
    const timeoutUs = this.inherited(app.queue, "fairSharePreemptionTimeoutUs") ?? Infinity;
    const isStarved = this.isBelowShare(app, used, due) && this.nowUs - known.wellUs >= timeoutUs;
    return isStarved ? lack(due, used) : { ...NOTHING };
  }

  private lackOfMin(leaf: string): Resources {
    const known = this.of(leaf);
    const missing = lack(least(this.min(leaf), known.demand), this.usedIn(leaf));
    if (isNothing(missing)) known.wellUs = this.nowUs;
    const timeoutUs = this.inherited(leaf, "minSharePreemptionTimeoutUs") ?? Infinity;
    return this.nowUs - known.wellUs >= timeoutUs ? missing : { ...NOTHING };
  }

  private victimsFor(app: NaiveApp): NaiveContainer[] {
    const { nodes } = this.world;
    const victims: NaiveContainer[] = [];
    for (const { ask, count, on } of this.wishesOf(app)) {
      for (let i = 0; i < count; i++) {
        let best = this.bestOf(on, ask);
        if (best !== null && best.masters > 0 && on !== nodes) best = this.bestOf(nodes, ask);
        if (best === null || best.containers.length === 0) continue;
        for (const one of best.containers) one.isDoomed = true;
        victims.push(...best.containers);
        const { node, containers } = best;
        let kept = this.kept.find((one) => one.node === node && one.app === app);
        if (kept === undefined) this.kept.push((kept = { node, app, space: { ...NOTHING } }));
        kept.space = sum([kept.space, ...containers.map(({ size }) => size)]);
      }
    }
    return victims;
  }

  private wishesOf(app: NaiveApp): { ask: NaiveAsk; count: number; on: readonly NaiveNode[] }[] {
    const { nodes } = this.world;
    let left = sum([this.of(app).lacksFair, this.of(app).lacksMin]);
    const wishes: { ask: NaiveAsk; count: number; on: readonly NaiveNode[] }[] = [];
    for (const ask of app.asks.filter((one) => wantedBy(one) > 0)) {
      const there = [...ask.places].flatMap(([place, count]) => {
        const node = nodes.find((one) => nodeOf(one) === place);
        return node === undefined ? [] : [{ asked: count, on: [node] as readonly NaiveNode[] }];
      });
      const racks = there.map(({ on }) => rackOf(on[0]!));
      const farther = [...ask.places].flatMap(([place, count]) =>
        place.startsWith("rack ") && !racks.includes(place)
          ? [{ asked: count, on: nodes.filter((one) => rackOf(one) === place) }]
          : [],
      );
      const places = [...there, ...farther];
      if (places.length === 0) places.push({ asked: wantedBy(ask), on: nodes });
      for (const { asked, on } of places) {
        if (isNothing(left)) continue;
        const count = Math.min(asked, Math.floor(left.memory / ask.size.memory));
        if (count > 0) wishes.push({ ask, count, on });
        left = lack(left, times(ask.size, count));
      }
    }
    return wishes;
  }

  private bestOf(nodes: readonly NaiveNode[], ask: NaiveAsk): Choice | null {
    const choices = nodes.map((node) => this.choiceOn(node, ask.size)).filter((one) => one !== null);
    const fewest = Math.min(...choices.map(({ masters }) => masters));
    return choices.find(({ masters }) => masters === fewest) ?? null;
  }

  private choiceOn(node: NaiveNode, size: Readonly<Resources>): Choice | null {
    const kept = this.kept.filter((one) => one.node === node).map(({ space }) => space);
    const room = lack(this.world.freeOn(node), sum([...kept, node.reservation?.size ?? NOTHING]));
    const running = this.world.containers.filter((one) => one.node === node && !one.isDoomed);
    const containers: NaiveContainer[] = [];
    for (const one of [...running.filter(({ isMaster }) => !isMaster), ...running.filter(({ isMaster }) => isMaster)]) {
      if (this.mayGo(one, containers)) containers.push(one);
      if (!fits(size, sum([room, ...containers.map((of) => of.size)]))) continue;
      return { node, containers, masters: containers.filter(({ isMaster }) => isMaster).length };
    }
    return null;
  }

  private mayGo({ app, size }: NaiveContainer, chosen: readonly NaiveContainer[]): boolean {
    if (upward(app.queue).some((name) => this.spec(name).allowPreemptionFrom === false)) return false;
    const stays = this.world.used((one) => one.app === app && !one.isDoomed && !chosen.includes(one));
    return !this.isBelowShare(app, minus(stays, size), this.of(app).share);
  }
}

/** The end of section 7. */
function naiveShares(
  sharers: readonly { min: number; max: number; weight: number; isActive: boolean }[],
  total: number,
): number[] {
  const fixed = sharers.map(({ min, max, weight, isActive }) => {
    if (max <= 0 || !isActive) return 0;
    return weight <= 0 ? min : null;
  });
  const others = sharers.filter((_, at) => fixed[at] === null);
  const at = (ratio: number, { min, max, weight }: (typeof sharers)[0]): number =>
    Math.trunc(Math.min(Math.max(weight * ratio, min), max));
  const sumAt = (ratio: number): number => others.reduce((all, one) => all + at(ratio, one), 0);
  const left = Math.max(0, total - fixed.reduce<number>((all, share) => all + (share ?? 0), 0));
  const goal = Math.min(
    left,
    others.reduce((all, { max }) => all + max, 0),
  );
  let upper = 1;
  while (others.length > 0 && sumAt(upper) < goal) upper *= 2;
  let lower = 0;
  for (let halvings = 0; halvings < 25; halvings++) {
    const middle = (lower + upper) / 2;
    if (sumAt(middle) < goal) lower = middle;
    else upper = middle;
    if (sumAt(middle) === goal) break;
  }
  return sharers.map((one, i) => fixed[i] ?? at(upper, one));
}
