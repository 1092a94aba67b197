import { ln } from "../../dist/core/kernel/index.js";
import type {
  CapacityQueueSpec,
  CapacitySettings,
  Resources,
  YarnLevel,
} from "../../dist/core/platforms/yarn/index.js";
import {
  countAt,
  dominant,
  fits,
  isBelow,
  lack,
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
  upward,
  wantedBy,
} from "./naive-yarn-world.js";

/** What came of an offer. Refused: there is no room below the queue's limit, and its turn ends. */
type Outcome = "nothing" | "refused" | "given" | "reserved";

/** The twin of the Capacity Scheduler: sections 11 to 13. */
export class NaiveCapacity implements NaiveScheduler {
  readonly world = new NaiveWorld();
  /** Full names, as the file has them. */
  private readonly names: string[];
  /** Those whose masters may run, in the order in which they were let in, and those that wait. */
  private active: NaiveApp[] = [];
  private waiting: NaiveApp[] = [];
  /** What the order of a leaf goes by: as of the last time that it was refreshed. */
  private readonly rank = new Map<NaiveApp, number>();
  /** Containers that preemption has chosen: since when, and when last. */
  private chosen: { readonly container: NaiveContainer; readonly sinceUs: number; lastUs: number }[] = [];
  private given: NaiveContainer[] = [];
  private nowUs = 0;

  constructor(
    private readonly settings: CapacitySettings,
    private readonly queues: ReadonlyMap<string, CapacityQueueSpec>,
  ) {
    this.names = [...new Set(["root", ...queues.keys()])];
  }

  get updateUs(): number {
    return this.settings.preemption?.monitoringUs ?? Infinity;
  }

  get roundUs(): number {
    return this.settings.asynchronousUs;
  }

  /** Where threads try all nodes reports only free. */
  gives(): boolean {
    return this.settings.asynchronousUs === Infinity;
  }

  nodesChanged(): void {
    for (const leaf of this.names) if (this.isLeaf(leaf)) this.activate(leaf);
  }

  submitted(app: NaiveApp): void {
    this.waiting.push(app);
    this.activate(app.queue);
  }

  asked(app: NaiveApp): void {
    if (this.spec(app.queue).weighsBySize === true) this.refresh(app);
  }

  released({ app }: NaiveContainer): void {
    this.refresh(app);
  }

  left(app: NaiveApp): void {
    this.waiting = this.waiting.filter((one) => one !== app);
    this.active = this.active.filter((one) => one !== app);
    this.activate(app.queue);
  }

  /** Section 12. */
  report(node: NaiveNode, nowUs: number): NaiveContainer[] {
    const { minimumAllocation, assignsMultiple, maxAssign, maxOffSwitch } = this.settings;
    this.nowUs = nowUs;
    this.given = [];
    if (node.reservation !== null) {
      this.serveReservation(node);
      return this.given;
    }
    while (this.active.some((app) => this.world.wantsAny(app))) {
      if (!this.fits(minimumAllocation, this.world.freeOn(node))) return this.given;
      if (this.offerQueue("root", node, this.world.total) !== "given") return this.given;
      const { length } = this.given;
      const offSwitch = this.given.filter(({ level }) => level === OFF_SWITCH).length;
      if (!assignsMultiple || length === maxAssign || offSwitch >= maxOffSwitch) return this.given;
    }
    return this.given;
  }

  round(): NaiveNode[] {
    return [...this.world.nodes];
  }

  // The file.

  private spec(queue: string): CapacityQueueSpec {
    return this.queues.get(queue) ?? { capacity: 1 };
  }

  private children(queue: string): string[] {
    return this.names.filter((name) => upward(name)[1] === queue);
  }

  private isLeaf(queue: string): boolean {
    return this.children(queue).length === 0;
  }

  /** From the root down. */
  private part(queue: string, of: (spec: CapacityQueueSpec) => number): number {
    return upward(queue).reduceRight((part, name) => of(this.spec(name)) * part, 1);
  }

  private capacity(queue: string): number {
    return this.part(queue, ({ capacity }) => capacity);
  }

  private guarantee(queue: string): Resources {
    return this.ofCluster(this.capacity(queue));
  }

  private maximum(queue: string): Resources {
    return this.ofCluster(this.part(queue, ({ maximumCapacity = 1 }) => maximumCapacity));
  }

  private ofCluster(part: number): Resources {
    const { memory, vcores } = this.world.total;
    return { memory: Math.floor(memory * part), vcores: Math.floor(vcores * part) };
  }

  // Use, with what is reserved.

  private used(counts: (app: NaiveApp) => boolean): Resources {
    const reserved = this.world.nodes.flatMap(({ reservation }) => {
      return reservation !== null && counts(reservation.app) ? [reservation.size] : [];
    });
    return sum([this.world.used(({ app }) => counts(app)), ...reserved]);
  }

  private usedIn(queue: string): Resources {
    return this.used((app) => isBelow(app.queue, queue));
  }

  private activeUsers(leaf: string): string[] {
    const apps = this.active.filter((app) => app.queue === leaf && this.world.wantsAny(app));
    return [...new Set(apps.map(({ user }) => user))];
  }

  /** What a queue may have: its maximum, or what its parent's limit leaves to it. */
  private limit(queue: string): Resources {
    const above = upward(queue)[1];
    if (above === undefined) return this.world.total;
    const left = sum([minus(this.limit(above), this.usedIn(above)), this.usedIn(queue)]);
    const maximum = this.maximum(queue);
    return { memory: Math.min(maximum.memory, left.memory), vcores: Math.min(maximum.vcores, left.vcores) };
  }

  private fits(what: Readonly<Resources>, room: Readonly<Resources>): boolean {
    return this.settings.countsVcores ? fits(what, room) : what.memory <= room.memory;
  }

  private size(what: Readonly<Resources>, whole = this.world.total): number {
    if (this.settings.countsVcores) return dominant(what, whole);
    return dominant({ memory: what.memory, vcores: 0 }, whole);
  }

  // Queues and applications in order: sections 12.1 and 12.2.

  private offerQueue(queue: string, node: NaiveNode, limit: Resources): Outcome {
    if (!this.isLess(this.usedIn(queue), limit)) return "nothing";
    if (this.isLeaf(queue)) return this.offerLeaf(queue, node, limit);
    for (const child of this.children(queue).sort((a, b) => this.byUse(queue, a, b))) {
      const outcome = this.offerQueue(child, node, this.limit(child));
      if (outcome === "given" || outcome === "reserved") return outcome;
    }
    return "nothing";
  }

  /** Sorting is stable: what is equal stays in the order of the file. */
  private byUse(parent: string, a: string, b: string): number {
    const [toA, toB] = [this.capacity(a), this.capacity(b)];
    if ((toA === 0) !== (toB === 0)) return toA === 0 ? 1 : -1;
    const [ofA, ofB] = [a, b].map((queue) => this.size(this.usedIn(queue), this.guarantee(queue))) as [number, number];
    if (this.spec(parent).ordersByPriority === true && ofA < 1 === ofB < 1) {
      const byPriority = (this.spec(b).priority ?? 0) - (this.spec(a).priority ?? 0);
      if (byPriority !== 0) return byPriority;
    }
    return ofA === ofB ? toB - toA : ofA - ofB;
  }

  private inOrder(leaf: string): NaiveApp[] {
    const apps = this.active.filter(({ queue }) => queue === leaf);
    if ((this.spec(leaf).appOrder ?? "fifo") === "fifo") {
      return apps.sort((a, b) => b.priority - a.priority || a.index - b.index);
    }
    const wants = (app: NaiveApp): number => (this.world.wantsAny(app) ? 0 : 1);
    const use = (app: NaiveApp): number => this.rank.get(app) ?? 0;
    return apps.sort((a, b) => use(a) - use(b) || a.startUs - b.startUs || wants(a) - wants(b) || a.index - b.index);
  }

  private refresh(app: NaiveApp): void {
    const { memory } = this.world.usedBy(app);
    const size = ln(1 + memory + this.world.pendingOf(app).memory) / ln(2);
    this.rank.set(app, this.spec(app.queue).weighsBySize === true && memory > 0 ? memory / size : memory);
  }

  private offerLeaf(leaf: string, node: NaiveNode, limit: Resources): Outcome {
    const most = this.userLimit(leaf);
    for (const app of this.inOrder(leaf)) {
      const ofUser = this.used(({ queue, user }) => queue === leaf && user === app.user);
      if (this.isLess(most, ofUser)) continue;
      const outcome = this.offerApp(app, node, limit);
      if (outcome !== "nothing") return outcome;
    }
    return "nothing";
  }

  private userLimit(leaf: string): Resources {
    const users = this.activeUsers(leaf);
    const least = this.settings.minimumAllocation;
    const ofActive = this.used(({ queue, user }) => queue === leaf && users.includes(user));
    const count = Math.max(1, users.length);
    return this.limitOfUsers(leaf, () => eachOf((type) => Math.ceil((ofActive[type] + least[type]) / count)));
  }

  /** Section 12.3, with amounts compared as wholes. */
  private limitOfUsers(leaf: string, evenly: (current: Resources) => Resources): Resources {
    const { minimumUserLimitPercent = 100, userLimitFactor = 1 } = this.spec(leaf);
    const { minimumAllocation: least, countsVcores } = this.settings;
    const { total } = this.world;
    const [capacity] = this.largestFirst(this.guarantee(leaf), least);
    const ofUsers = [...new Set(this.world.apps.filter(({ queue }) => queue === leaf).map(({ user }) => user))];
    const share = ofUsers
      .map((name) =>
        dominant(
          this.used(({ queue, user }) => queue === leaf && user === name),
          total,
        ),
      )
      .reduce((all, one) => all + one, 0);
    const consumed = countsVcores ? eachOf((type) => Math.ceil(total[type] * share - 1e-6)) : this.usedIn(leaf);
    const current = this.isLess(consumed, capacity!) ? capacity! : sum([consumed, least]);
    const percent = eachOf((type) => Math.ceil((current[type] * minimumUserLimitPercent) / 100));
    const most =
      userLimitFactor === -1 ? this.maximum(leaf) : eachOf((type) => Math.floor(capacity![type] * userLimitFactor));
    const [wish] = this.largestFirst(evenly(current), percent);
    const [, limit] = this.largestFirst(most, wish!);
    return eachOf((type) => this.upTo(limit![type], least[type]));
  }

  /** The larger by the calculator of the settings; of equals the first. */
  private largestFirst(a: Resources, b: Resources): Resources[] {
    return this.isLess(a, b) ? [b, a] : [a, b];
  }

  private isLess(a: Resources, b: Resources): boolean {
    const { countsVcores } = this.settings;
    const { total } = this.world;
    const sizes = ({ memory, vcores }: Resources): number[] => {
      if (!countsVcores) return [memory];
      return [memory, vcores]
        .map((amount, i) => (amount === 0 ? 0 : amount / (i === 0 ? total.memory : total.vcores)))
        .sort((x, y) => y - x);
    };
    const [ofA, ofB] = [sizes(a), sizes(b)];
    const at = ofA.findIndex((size, i) => size !== ofB[i]);
    return at >= 0 && ofA[at]! < ofB[at]!;
  }

  private upTo(amount: number, step: number): number {
    return Math.ceil(amount / step) * step;
  }

  // Locality and reservations: section 11.

  private offerApp(app: NaiveApp, node: NaiveNode, limit: Resources): Outcome {
    for (const ask of app.asks) {
      if (wantedBy(ask) <= 0 || !this.fits(ask.size, node.total)) continue;
      const excess = lack(sum([this.usedIn(app.queue), ask.size]), limit);
      const reserved = sum(this.world.reservedFor(app).map(({ reservation }) => reservation!.size));
      if (!this.fits(excess, reserved)) return "refused";
      // All asks are relaxed: the first that may use the node has the last word.
      return this.offerAsk(app, ask, node, this.size(excess) > 0);
    }
    return "nothing";
  }

  private offerAsk(app: NaiveApp, ask: NaiveAsk, node: NaiveNode, mustGiveUp: boolean): Outcome {
    const { nodeLocalityDelay } = this.settings;
    const nodes = this.world.nodes.length;
    ask.opportunities++;
    const onRack = countAt(ask, rackOf(node)) > 0;
    const levels: YarnLevel[] = [];
    if (onRack && countAt(ask, nodeOf(node)) > 0) levels.push(NODE_LOCAL);
    if (onRack && ask.opportunities > Math.min(nodes, nodeLocalityDelay)) levels.push(RACK_LOCAL);
    if (node.reservation !== null || this.mayGoAnywhere(ask)) levels.push(OFF_SWITCH);
    for (const level of levels) {
      const outcome = this.tryOn(app, ask, node, level, mustGiveUp);
      if (outcome !== "nothing") return outcome;
    }
    return "nothing";
  }

  private mayGoAnywhere(ask: NaiveAsk): boolean {
    const nodes = this.world.nodes.length;
    const { nodeLocalityDelay, rackLocalityAdditionalDelay } = this.settings;
    if (ask.places.size === 1) return true;
    if (rackLocalityAdditionalDelay >= 0) {
      return ask.opportunities > Math.min(nodes, nodeLocalityDelay + rackLocalityAdditionalDelay);
    }
    const part = Math.min(1, (ask.places.size - 1) / nodes);
    return ask.opportunities > Math.min(nodes, wantedBy(ask) * part);
  }

  private tryOn(app: NaiveApp, ask: NaiveAsk, node: NaiveNode, level: YarnLevel, mustGiveUp: boolean): Outcome {
    const isReserved = node.reservation !== null;
    const needsMore = this.needsMore(ask);
    if (!this.fits(ask.size, this.world.freeOn(node))) {
      if (isReserved) ask.reReservations++;
      else if (!needsMore || mustGiveUp) return "nothing";
      else this.world.reserve(node, app, ask);
      return "reserved";
    }
    if (isReserved) this.unreserve(node);
    else if (mustGiveUp || !needsMore) {
      const other = this.world.reservedFor(app).find(({ reservation }) => reservation!.ask === ask);
      if (other === undefined) return "nothing";
      this.unreserve(other);
    }
    this.launch(app, ask, node, level);
    return "given";
  }

  private launch(app: NaiveApp, ask: NaiveAsk, node: NaiveNode, level: YarnLevel): void {
    const resets = level === NODE_LOCAL || (level === RACK_LOCAL && this.settings.rackLocalityFullReset);
    if (resets) ask.opportunities = 0;
    this.given.push(this.world.give(app, ask, node, level, this.nowUs));
    this.refresh(app);
  }

  /** Large containers of few, on nodes that stay full, may have another node kept sooner. */
  private needsMore(ask: NaiveAsk): boolean {
    const reserved = this.world.nodes.filter(({ reservation }) => reservation?.ask === ask).length;
    if (reserved === 0) return wantedBy(ask) > 0;
    const { minimumAllocation: least, maximumAllocation: most } = this.settings;
    const part = Math.min(this.size(ask.size, most), (most.memory - least.memory) / most.memory);
    return Math.trunc((ask.reReservations / reserved) * (1 - part)) + wantedBy(ask) > reserved;
  }

  private serveReservation(node: NaiveNode): void {
    const { app, ask } = node.reservation!;
    if (wantedBy(ask) <= 0) this.unreserve(node);
    else this.offerAsk(app, ask, node, false);
  }

  private unreserve(node: NaiveNode): void {
    node.reservation!.ask.reReservations = 0;
    node.reservation = null;
  }

  // Masters: section 12.4.

  private activate(leaf: string): void {
    if (this.world.nodes.length === 0) return;
    for (const app of byPriority(this.waiting.filter(({ queue }) => queue === leaf))) {
      if (!this.mastersFit(leaf, app)) continue;
      this.waiting = this.waiting.filter((one) => one !== app);
      this.active.push(app);
    }
  }

  private mastersFit(leaf: string, { user, master }: NaiveApp): boolean {
    const active = this.active.filter(({ queue }) => queue === leaf);
    if (active.length === 0) return true;
    const { maxAmShare = 0.1, minimumUserLimitPercent = 100, userLimitFactor = 1 } = this.spec(leaf);
    const [limit, guarantee] = [this.limit(leaf), this.guarantee(leaf)];
    const most = (part: number): Resources => {
      const of = (type: keyof Resources): number =>
        this.upTo(
          (this.fits(guarantee, limit) ? limit : guarantee)[type] * part,
          this.settings.minimumAllocation[type],
        );
      return { memory: of("memory"), vcores: of("vcores") };
    };
    const ofUser = Math.max(minimumUserLimitPercent / 100, 1 / Math.max(1, this.activeUsers(leaf).length));
    const factor = userLimitFactor === -1 ? 1 : userLimitFactor;
    const masters = (apps: readonly NaiveApp[]): Resources => sum([master, ...apps.map((app) => app.master)]);
    const own = active.filter((app) => app.user === user);
    return (
      this.fits(masters(active), most(maxAmShare)) &&
      this.fits(masters(own), most(Math.min(maxAmShare, maxAmShare * ofUser * factor)))
    );
  }

  // Preemption: section 13, by memory.

  update(nowUs: number): { readonly atUs: number; readonly containers: readonly NaiveContainer[] }[] {
    const { preemption } = this.settings;
    if (preemption === null) return [];
    const { maxWaitBeforeKillUs, maxIgnoredOverCapacity, totalPerRound, naturalTerminationFactor } = preemption;
    const { memory } = this.world.total;
    const back = this.idealsBelow("root", memory).flatMap(([leaf, ideal]): [string, number][] => {
      const used = this.usedIn(leaf).memory;
      const guaranteed = this.guarantee(leaf).memory;
      const isProtected = this.isProtected(leaf, "isPreemptable");
      const more = used - Math.max(ideal, Math.min(this.wish(leaf), guaranteed));
      return isProtected || used <= guaranteed * (1 + maxIgnoredOverCapacity) || more <= 0 ? [] : [[leaf, more]];
    });
    const all = back.reduce((total, [, more]) => total + more, 0);
    const scale = Math.min(1, (memory * totalPerRound) / all) * naturalTerminationFactor;
    const wanted = back.flatMap(([leaf, more]) => this.candidates(leaf, more * scale));
    for (const leaf of this.names) {
      if (!this.isLeaf(leaf) || this.isProtected(leaf, "isPreemptable")) continue;
      if (this.isProtected(leaf, "isPreemptableWithin")) continue;
      wanted.push(...this.candidatesWithin(leaf, wanted, memory * totalPerRound - memoryOf(wanted)));
    }
    const killed: NaiveContainer[] = [];
    for (const container of wanted) {
      let entry = this.chosen.find((one) => one.container === container);
      if (entry === undefined) this.chosen.push((entry = { container, sinceUs: nowUs, lastUs: nowUs }));
      entry.lastUs = nowUs;
      if (nowUs - entry.sinceUs >= maxWaitBeforeKillUs) killed.push(container);
    }
    this.chosen = this.chosen.filter(
      ({ container, lastUs }) =>
        !killed.includes(container) && !container.isReleased && nowUs - lastUs <= 2 * maxWaitBeforeKillUs,
    );
    return killed.length > 0 ? [{ atUs: nowUs, containers: killed }] : [];
  }

  /** The nearest queue that says something of it decides. */
  private isProtected(leaf: string, by: "isPreemptable" | "isPreemptableWithin"): boolean {
    const says = upward(leaf).find((name) => this.spec(name)[by] !== undefined);
    return says !== undefined && this.spec(says)[by] === false;
  }

  private wish(queue: string): number {
    const pending = this.active.filter((app) => isBelow(app.queue, queue)).map((app) => this.world.pendingOf(app));
    return Math.min(this.usedIn(queue).memory + sum(pending).memory, this.maximum(queue).memory);
  }

  /** Ideal shares of all leaves below. */
  private idealsBelow(parent: string, memory: number): [string, number][] {
    const queues = this.children(parent).map((name) => {
      const [guarantee, wish] = [this.guarantee(name).memory, this.wish(name)];
      return { name, guarantee, wish, ideal: Math.min(wish, guarantee) };
    });
    let left = memory - queues.reduce((all, { ideal }) => all + ideal, 0);
    for (const isGuaranteed of [true, false]) {
      for (;;) {
        const open = queues.filter((one) => one.guarantee > 0 === isGuaranteed && one.ideal < one.wish);
        if (left < 1 || open.length === 0) break;
        const all = open.reduce((total, { guarantee }) => total + guarantee, 0);
        let taken = 0;
        for (const one of open) {
          const more = Math.min(left * (isGuaranteed ? one.guarantee / all : 1 / open.length), one.wish - one.ideal);
          one.ideal += more;
          taken += more;
        }
        left -= taken;
      }
    }
    return queues.flatMap(({ name, ideal }) =>
      this.isLeaf(name) ? [[name, ideal] as [string, number]] : this.idealsBelow(name, ideal),
    );
  }

  /** Between the applications of a leaf. `gone` goes already. */
  private candidatesWithin(leaf: string, gone: readonly NaiveContainer[], atMost: number): NaiveContainer[] {
    const within = this.settings.preemption?.within ?? null;
    const [used, guaranteed] = [this.usedIn(leaf).memory, this.guarantee(leaf).memory];
    if (within === null || used < within.minimumThreshold * guaranteed) return [];
    const allowed = within.maxAllowableLimit * Math.max(used, guaranteed);
    const goneHere = memoryOf(gone.filter(({ app }) => app.queue === leaf));
    let most = allowed - goneHere;
    if (most <= 0) return [];
    const { containers } = this.world;
    const apps = byPriority(this.active.filter(({ queue }) => queue === leaf));
    const found: NaiveContainer[] = [];
    const left = (counts: (app: NaiveApp) => boolean): number =>
      memoryOf(containers.filter((one) => counts(one.app) && !one.isMaster && ![...gone, ...found].includes(one)));
    const masters = (counts: (app: NaiveApp) => boolean): number =>
      memoryOf(containers.filter((one) => counts(one.app) && one.isMaster && apps.includes(one.app)));
    const limit = (user: string): number =>
      this.limitOfAnyUser(leaf) - masters((app) => app.queue === leaf && app.user === user);
    const isOver = (user: string): boolean => left((app) => apps.includes(app) && app.user === user) > limit(user);
    // What each should have, first come first served.
    const ideal = new Map<NaiveApp, number>();
    const idealOf = (all: readonly NaiveApp[]): number => all.reduce((total, app) => total + (ideal.get(app) ?? 0), 0);
    const room = used - goneHere - masters((app) => app.queue === leaf);
    for (const app of apps) {
      const wish = left((one) => one === app) + this.world.pendingOf(app).memory;
      const ofUser = idealOf(apps.filter(({ user }) => user === app.user));
      ideal.set(app, Math.max(0, Math.min(wish, limit(app.user) - ofUser, room - idealOf(apps))));
    }
    const more = new Map(apps.map((app) => [app, left((one) => one === app) - (ideal.get(app) ?? 0)]));
    const spare = new Map<NaiveApp, number>();
    for (const app of [...apps].reverse()) {
      const kept = within.order === "userLimit" ? this.settings.minimumAllocation.memory : 0;
      const own = Math.min(Math.max(0, (more.get(app) ?? 0) - kept), most);
      spare.set(app, own);
      most -= own;
    }
    const takes = new Map<NaiveApp, number>();
    for (const taker of apps) {
      let lacks = Math.max(0, -(more.get(taker) ?? 0));
      for (const giver of [...apps].reverse()) {
        const isOwn = giver.user === taker.user;
        if (isOwn ? giver.priority >= taker.priority : within.order === "userLimit" && !isOver(giver.user)) continue;
        const amount = Math.min(lacks, (spare.get(giver) ?? 0) - (takes.get(giver) ?? 0));
        takes.set(giver, (takes.get(giver) ?? 0) + amount);
        lacks -= amount;
      }
    }
    for (const app of [...apps].reverse()) {
      let back = takes.get(app) ?? 0;
      for (const one of containers.filter((container) => container.app === app).reverse()) {
        if (back <= 0 || memoryOf(found) >= atMost || one.isMaster || gone.includes(one)) continue;
        const ofUser = left((other) => apps.includes(other) && other.user === app.user);
        if (within.order === "userLimit" && ofUser - one.size.memory <= limit(app.user)) break;
        found.push(one);
        back -= one.size.memory;
      }
    }
    return found;
  }

  /** As that of active users, but by all that is used and all users there are. */
  private limitOfAnyUser(leaf: string): number {
    const apps = [...this.active, ...this.waiting].filter(({ queue }) => queue === leaf);
    const users = Math.max(1, new Set(apps.map(({ user }) => user)).size);
    return this.limitOfUsers(leaf, (current) => eachOf((type) => Math.ceil(current[type] / users))).memory;
  }

  private candidates(leaf: string, memory: number): NaiveContainer[] {
    const all = this.inOrder(leaf)
      .reverse()
      .flatMap((app) => this.world.containers.filter((one) => one.app === app).reverse());
    const found: NaiveContainer[] = [];
    for (const one of [...all.filter(({ isMaster }) => !isMaster), ...all.filter(({ isMaster }) => isMaster)]) {
      if (sum(found.map(({ size }) => size)).memory < memory) found.push(one);
    }
    return found;
  }
}

function memoryOf(containers: readonly NaiveContainer[]): number {
  return sum(containers.map(({ size }) => size)).memory;
}

function byPriority(apps: readonly NaiveApp[]): NaiveApp[] {
  return [...apps].sort((a, b) => b.priority - a.priority || a.index - b.index);
}

function eachOf(of: (type: keyof Resources) => number): Resources {
  return { memory: of("memory"), vcores: of("vcores") };
}
