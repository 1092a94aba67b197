import type { Topology } from "../../../cluster/index.js";
import { sumOver, assert, Lists, wrapped } from "../../../kernel/index.js";
import { type JobTable, MAP, REDUCE, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { FrameworkSpec, SchedulerSpec } from "../../../scenario/index.js";
import { buildInner, Owners, SchedulerOfOwners, seenOfOwners } from "./owners.js";
import type { BuiltScheduler, Launcher, SchedulerContext } from "./scheduler.js";

/** Slots by type. */
type Slots = readonly [maps: number, reduces: number];

function perType<T>(valueOf: (type: SlotType) => T): [maps: T, reduces: T] {
  return [valueOf(MAP), valueOf(REDUCE)];
}

interface OfferParts {
  readonly inners: readonly BuiltScheduler[];
  readonly jobs: JobTable;
  /** As many as inner schedulers. */
  readonly frameworks: readonly FrameworkSpec[];
  readonly filters: NodeFilters;
  /** Per slot type, what the inner schedulers have launched, kept up to date. */
  readonly launched: Slots;
  readonly rescindAfterUs: number;
  readonly slots: Slots;
  readonly heartbeatUs: number;
}

/**
 * Two-level scheduling by resource offers (Mesos, NSDI 2011): on the heartbeat of a node its free slots are offered to
 * the framework that is farthest below its share; the rest is offered to the next, until no framework is left.
 */
export class OfferScheduler extends SchedulerOfOwners {
  /** Outcomes of offers so far. */
  readonly counts = { offers: 0, refused: 0, rescinded: 0 };
  readonly shares: FrameworkShares;
  /** By framework: by node, slots that it refused there last, and until when it wants no more than that. */
  private readonly refusals: readonly Map<number, { readonly slots: Slots; readonly untilUs: number }>[];
  private readonly open = new OpenOffers();
  /** By framework: the heartbeat that offered it something last. */
  private readonly offeredOn: Float64Array;
  private beat = 0;
  /** Slots that the framework that `next` found may be offered. */
  private offered: Slots = [0, 0];

  constructor(private readonly parts: OfferParts) {
    super(parts.inners, parts.jobs);
    const { frameworks, slots } = parts;
    this.shares = new FrameworkShares(frameworks, slots);
    this.refusals = frameworks.map(() => new Map());
    this.offeredOn = new Float64Array(frameworks.length);
  }

  override jobRemoved(job: number, nowUs: number): void {
    const { running } = this.parts.jobs;
    this.shares.add(this.innerOf(job), [running[MAP][job], running[REDUCE][job]], -1);
    super.jobRemoved(job, nowUs);
  }

  override attemptLeft(job: number, type: SlotType, requeued: boolean, nowUs: number): void {
    this.shares.heldSlots[type][this.innerOf(job)]--;
    super.attemptLeft(job, type, requeued, nowUs);
  }

  /** Nodes came or went. Offers of a node that went will never be answered: they are long due. */
  slotsChanged(maps: number, reduces: number, nowUs: number): void {
    this.shares.slots = [maps, reduces];
    for (const { scheduler } of this.inners) scheduler.slotsChanged(maps, reduces, nowUs);
    const longAgoUs = nowUs - 2 * this.parts.heartbeatUs;
    for (const node of this.open.nodes()) {
      for (const offer of this.open.takeDue(node, (candidate) => this.isDueAtUs(candidate) < longAgoUs))
        this.release(offer);
    }
  }

  override wantsMapSlots(): boolean {
    return this.open.count > 0 || super.wantsMapSlots();
  }

  override wantsReduceSlots(): boolean {
    return this.open.count > 0 || super.wantsReduceSlots();
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    this.beat++;
    const free: [number, number] = [freeMaps, freeReduces];
    if (this.open.count > 0) this.hearAnswers(node, nowUs, free);
    for (;;) {
      const framework = this.next(node, nowUs, free);
      if (framework < 0) return;
      this.offeredOn[framework] = this.beat;
      this.counts.offers++;
      const slots = this.offered;
      if (this.parts.frameworks[framework].answerAfterUs > 0) {
        this.open.add({ framework, node, slots, atUs: nowUs });
        this.shares.add(framework, slots, 1);
        for (const type of SLOT_TYPES) free[type] -= slots[type];
      } else {
        this.present(framework, node, nowUs, slots, free);
      }
    }
  }

  /**
   * Why a framework with jobs would be offered no map slot of the node, if all its free slots were offered to it first:
   * filters keep it away, it has not answered for what it was offered there, it has refused as much a short while ago,
   * or it wants none; null: it would be.
   */
  whyNotOffered(
    framework: number,
    node: number,
    nowUs: number,
    freeMaps: number,
    freeReduces: number,
  ): "node" | "answer" | "refused" | "update" | null {
    const { filters } = this.parts;
    const slots = filters.of(framework, node, [freeMaps, freeReduces]);
    if (slots[MAP] === 0) return "node";
    if (this.open.awaits(framework, node)) return "answer";
    if (this.isRefused(framework, node, slots, nowUs)) return "refused";
    return this.inners[framework].scheduler.wantsMapSlots() ? null : "update";
  }

  /**
   * Frameworks whose answer is due answer, or lose their offers; `free` keeps the slots that no other framework is
   * offered.
   */
  private hearAnswers(node: number, nowUs: number, free: [number, number]): void {
    for (const offer of this.open.takeDue(node, (candidate) => this.isDueAtUs(candidate) <= nowUs)) {
      const { framework } = offer;
      this.release(offer);
      const slots = perType((type) => Math.min(offer.slots[type], free[type]));
      if (this.parts.frameworks[framework].answerAfterUs <= this.parts.rescindAfterUs) {
        this.present(framework, node, nowUs, slots, free);
      } else {
        this.counts.rescinded++;
        this.refuse(framework, node, nowUs, slots);
      }
    }
    for (const type of SLOT_TYPES) free[type] = Math.max(0, free[type] - this.open.offeredSlots(node, type));
  }

  /** The framework takes what it wants, and refuses the rest. */
  private present(framework: number, node: number, nowUs: number, slots: Slots, free: [number, number]): void {
    const { launched } = this.parts;
    const before = perType((type) => launched[type]);
    this.show(framework, node, nowUs, ...slots);
    const takenSlots = perType((type) => launched[type] - before[type]);
    this.shares.add(framework, takenSlots, 1);
    for (const type of SLOT_TYPES) free[type] -= takenSlots[type];
    if (SLOT_TYPES.every((type) => takenSlots[type] >= slots[type])) return;
    this.counts.refused++;
    const refusedSlots = perType((type) => slots[type] - takenSlots[type]);
    this.refuse(framework, node, nowUs, refusedSlots);
  }

  private refuse(framework: number, node: number, nowUs: number, slots: Slots): void {
    const { refuseForUs } = this.parts.frameworks[framework];
    this.refusals[framework].set(node, { slots, untilUs: nowUs + refuseForUs });
  }

  /** The framework refused as many slots there, or more, and not long ago. */
  private isRefused(framework: number, node: number, slots: Slots, nowUs: number): boolean {
    const refusal = this.refusals[framework].get(node);
    if (refusal === undefined || nowUs >= refusal.untilUs) return false;
    return SLOT_TYPES.every((type) => slots[type] <= refusal.slots[type]);
  }

  /**
   * Returns the framework that is offered the free slots next, and sets the number of slots; -1: none. No framework is
   * offered twice on one heartbeat.
   */
  private next(node: number, nowUs: number, free: Slots): number {
    if (free[MAP] === 0 && free[REDUCE] === 0) return -1;
    const { filters } = this.parts;
    let next = -1;
    for (const framework of this.active) {
      if (this.offeredOn[framework] === this.beat) continue;
      const slots = filters.of(framework, node, free);
      const { scheduler } = this.inners[framework];
      if (!(slots[MAP] > 0 && scheduler.wantsMapSlots()) && !(slots[REDUCE] > 0 && scheduler.hasReduces())) continue;
      if (this.isRefused(framework, node, slots, nowUs)) continue;
      if (next >= 0 && !this.shares.goesBefore(framework, next)) continue;
      next = framework;
      this.offered = slots;
    }
    return next;
  }

  private release({ framework, slots }: OpenOffer): void {
    this.shares.add(framework, slots, -1);
  }

  /** Time at which the offer is answered or taken back, whichever comes first. */
  private isDueAtUs({ framework, atUs }: OpenOffer): number {
    return atUs + Math.min(this.parts.frameworks[framework].answerAfterUs, this.parts.rescindAfterUs);
  }
}

/** Slots of a node that a framework was offered and has not answered for. */
interface OpenOffer {
  readonly framework: number;
  readonly node: number;
  readonly slots: Slots;
  readonly atUs: number;
}

/** Offers that wait for an answer, by node in the order in which they were made. */
class OpenOffers {
  /** Number of open offers. */
  count = 0;
  private readonly onNode = new Lists<OpenOffer>();

  add(offer: OpenOffer): void {
    this.onNode.add(offer.node, offer);
    this.count++;
  }

  /** Takes out those of a node for which `isDue`. */
  takeDue(node: number, isDue: (offer: OpenOffer) => boolean): readonly OpenOffer[] {
    const due = this.onNode.of(node).filter(isDue);
    for (const offer of due) this.onNode.remove(node, offer);
    this.count -= due.length;
    return due;
  }

  /** The nodes that have some, in order of number. */
  nodes(): readonly number[] {
    return [...this.onNode.keys()].sort((a, b) => a - b);
  }

  /** The framework was offered slots of the node. */
  awaits(framework: number, node: number): boolean {
    return this.onNode.of(node).some((offer) => offer.framework === framework);
  }

  /** Returns the free slots of the type on a node that are offered to a framework. */
  offeredSlots(node: number, type: SlotType): number {
    return sumOver(this.onNode.of(node), ({ slots }) => slots[type]);
  }
}

/** The filters of frameworks: slots that they never want, as sent to the master. */
class NodeFilters {
  /** By framework: by node, 1 if it may be offered slots there; null: everywhere. */
  private readonly allowed: readonly (Uint8Array | null)[];

  constructor(
    private readonly frameworks: readonly FrameworkSpec[],
    topology: Pick<Topology, "nodes" | "rackOf" | "indexInRack">,
  ) {
    const { nodes, rackOf, indexInRack } = topology;
    this.allowed = frameworks.map(({ nodes: listed }) => {
      if (listed === null) return null;
      const isListed = (node: number) =>
        listed.some(
          (entry) => entry.rack === rackOf[node] && (entry.node === null || entry.node === indexInRack[node]),
        );
      return Uint8Array.from({ length: nodes }, (_, node) => (isListed(node) ? 1 : 0));
    });
  }

  /** Returns the free slots of the node that the framework may be offered: of each type all or none. */
  of(framework: number, node: number, free: Slots): Slots {
    const { minFreeMaps, minFreeReduces } = this.frameworks[framework];
    const isAllowed = this.allowed[framework]?.[node] !== 0;
    return perType((type) =>
      isAllowed && free[type] >= (type === MAP ? minFreeMaps : minFreeReduces) ? free[type] : 0,
    );
  }
}

/** The slots that frameworks hold, and their shares. */
class FrameworkShares {
  /** Per type and framework: slots used, and slots offered and not answered for, which count as used. */
  readonly heldSlots: readonly [Int32Array, Int32Array];

  /** @param slots of the cluster, per type. */
  constructor(
    private readonly frameworks: readonly FrameworkSpec[],
    public slots: Slots,
  ) {
    this.heldSlots = perType(() => new Int32Array(frameworks.length));
  }

  /** The framework holds so many more slots; sign -1: fewer. */
  add(framework: number, slots: Slots, sign: 1 | -1): void {
    for (const type of SLOT_TYPES) this.heldSlots[type][framework] += sign * slots[type];
  }

  /** The larger of the shares that it holds of all map and of all reduce slots, over its weight. */
  dominantShare(framework: number): number {
    let largest = 0;
    for (const type of SLOT_TYPES) {
      const share = this.slots[type] > 0 ? this.heldSlots[type][framework] / this.slots[type] : 0;
      if (share > largest) largest = share;
    }
    return largest / this.frameworks[framework].weight;
  }

  /** Framework `a` is offered slots before `b`: by priority, then dominant share, then name. */
  goesBefore(a: number, b: number): boolean {
    const { [a]: ofA, [b]: ofB } = this.frameworks;
    if (ofA.priority !== ofB.priority) return ofA.priority > ofB.priority;
    const [shareOfA, shareOfB] = [this.dominantShare(a), this.dominantShare(b)];
    return shareOfA === shareOfB ? a < b : shareOfA < shareOfB;
  }
}

/** Passes decisions on, and counts what was launched per type: so the master learns how much of an offer was taken. */
function counting(launcher: Launcher, launched: [number, number]): Launcher {
  return wrapped(launcher, {
    launchMap: (job, task, node, level) => {
      launched[MAP]++;
      launcher.launchMap(job, task, node, level);
    },
    launchReduce: (job, node) => {
      launched[REDUCE]++;
      launcher.launchReduce(job, node);
    },
  });
}

/** A framework for every owner of jobs, and a master that makes them offers. */
export function buildOffers(spec: SchedulerSpec, around: SchedulerContext): BuiltScheduler {
  assert(spec.offers !== undefined, "the kind offers has no settings");
  const { by, usual, frameworks: named, rescindAfterUs } = spec.offers;
  const { topology, workload, jobs, slots, heartbeatUs } = around;
  const owners = new Owners(workload, by);
  const ofName = new Map(named.map((framework) => [framework.name, framework]));
  const frameworks = owners.names.map((name) => ofName.get(name) ?? usual);
  const launched: [number, number] = [0, 0];
  const launcher = counting(around.launcher, launched);
  const inners = frameworks.map(({ inner }) => buildInner(inner, by, spec, { ...around, launcher }));
  const filters = new NodeFilters(frameworks, topology);
  const parts = { inners, jobs, frameworks, filters, launched, rescindAfterUs, slots, heartbeatUs };
  return seenOfOwners(new OfferScheduler(parts), owners, (owner) => owner, slots);
}
