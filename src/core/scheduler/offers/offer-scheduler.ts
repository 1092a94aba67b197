import { MAP, REDUCE, SLOT_TYPES, type JobTable, type SlotType } from "../../jobs/job-table.js";
import type { FrameworkSpec } from "../../scenario/offers-spec.js";
import type { BuiltScheduler } from "../built-scheduler.js";
import { SchedulerOfOwners } from "../owners/scheduler-of-owners.js";
import type { CountedLauncher } from "./counted-launcher.js";
import { FrameworkShares } from "./framework-shares.js";
import type { NodeFilters } from "./node-filters.js";
import { OpenOffers, type OpenOffer } from "./open-offers.js";
import { Refusals } from "./refusals.js";

export interface OfferParts {
  readonly inners: readonly BuiltScheduler[];
  readonly jobs: JobTable;
  /** As many as inner schedulers. */
  readonly frameworks: readonly FrameworkSpec[];
  readonly filters: NodeFilters;
  /** Through which all inner schedulers launch. */
  readonly launcher: CountedLauncher;
  readonly rescindAfterUs: number;
  readonly slots: readonly [number, number];
  readonly nodes: number;
  readonly heartbeatUs: number;
}

/**
 * Two-level scheduling by resource offers (Mesos, NSDI 2011): on the heartbeat of a node its free slots are offered to the
 * framework that is farthest below its share; what that leaves is offered to the next, until nobody is left.
 */
export class OfferScheduler extends SchedulerOfOwners {
  /** What became of offers so far. */
  readonly counts = { offers: 0, refused: 0, rescinded: 0 };
  readonly shares: FrameworkShares;
  private readonly refusals: Refusals;
  private readonly open = new OpenOffers();
  /** By framework: the heartbeat that offered it something last. */
  private readonly offeredOn: Float64Array;
  private beat = 0;
  /** What the framework that `next` found may be offered. */
  private readonly offered: [number, number] = [0, 0];

  constructor(private readonly parts: OfferParts) {
    super(parts.inners, parts.jobs);
    const { frameworks, slots, nodes } = parts;
    const weights = frameworks.map(({ weight }) => weight);
    this.shares = new FrameworkShares(
      weights,
      frameworks.map(({ priority }) => priority),
      slots,
    );
    this.refusals = new Refusals(nodes);
    this.offeredOn = new Float64Array(frameworks.length);
  }

  override jobRemoved(job: number, nowUs: number): void {
    for (const type of SLOT_TYPES) this.shares.add(this.innerOf(job), type, -this.parts.jobs.running[type][job]);
    super.jobRemoved(job, nowUs);
  }

  override attemptEnded(job: number, type: SlotType, nowUs: number): void {
    this.shares.add(this.innerOf(job), type, -1);
    super.attemptEnded(job, type, nowUs);
  }

  override attemptReturned(job: number, type: SlotType, nowUs: number): void {
    this.shares.add(this.innerOf(job), type, -1);
    super.attemptReturned(job, type, nowUs);
  }

  /** Nodes came or went. Offers of a node that went will never be answered: they are long due. */
  slotsChanged(maps: number, reduces: number, nowUs: number): void {
    this.shares.slots = [maps, reduces];
    for (const { scheduler } of this.inners) scheduler.slotsChanged(maps, reduces, nowUs);
    const longAgoUs = nowUs - 2 * this.parts.heartbeatUs;
    for (const node of this.open.nodes()) {
      for (const offer of this.open.takeDue(node, (one) => this.isDueAtUs(one) < longAgoUs)) this.release(offer);
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
      const [maps, reduces] = this.offered;
      if (this.parts.frameworks[framework].answerAfterUs > 0) {
        this.hold({ framework, node, maps, reduces, atUs: nowUs });
        free[MAP] -= maps;
        free[REDUCE] -= reduces;
      } else {
        this.present(framework, node, nowUs, maps, reduces, free);
      }
    }
  }

  /** Those whose time has come answer, or lose what they were offered; in `free` remain the slots that nobody else is offered. */
  private hearAnswers(node: number, nowUs: number, free: [number, number]): void {
    for (const offer of this.open.takeDue(node, (one) => this.isDueAtUs(one) <= nowUs)) {
      const { framework } = offer;
      this.release(offer);
      const maps = Math.min(offer.maps, free[MAP]);
      const reduces = Math.min(offer.reduces, free[REDUCE]);
      if (this.parts.frameworks[framework].answerAfterUs <= this.parts.rescindAfterUs) {
        this.present(framework, node, nowUs, maps, reduces, free);
      } else {
        this.counts.rescinded++;
        this.refuse(framework, node, nowUs, maps, reduces);
      }
    }
    const { maps, reduces } = this.open.held(node);
    free[MAP] = Math.max(0, free[MAP] - maps);
    free[REDUCE] = Math.max(0, free[REDUCE] - reduces);
  }

  /** The framework takes what it wants, and refuses the rest. */
  private present(
    framework: number,
    node: number,
    nowUs: number,
    maps: number,
    reduces: number,
    free: [number, number],
  ): void {
    const { launched } = this.parts.launcher;
    const [mapsBefore, reducesBefore] = launched;
    this.show(framework, node, nowUs, maps, reduces);
    const takenMaps = launched[MAP] - mapsBefore;
    const takenReduces = launched[REDUCE] - reducesBefore;
    this.shares.add(framework, MAP, takenMaps);
    this.shares.add(framework, REDUCE, takenReduces);
    free[MAP] -= takenMaps;
    free[REDUCE] -= takenReduces;
    if (takenMaps < maps || takenReduces < reduces) {
      this.counts.refused++;
      this.refuse(framework, node, nowUs, maps - takenMaps, reduces - takenReduces);
    }
  }

  private refuse(framework: number, node: number, nowUs: number, maps: number, reduces: number): void {
    const { refuseForUs } = this.parts.frameworks[framework];
    this.refusals.add(framework, node, maps, reduces, nowUs + refuseForUs);
  }

  /** Who is offered the free slots next, and how many; -1: nobody. Nobody is asked twice on one heartbeat. */
  private next(node: number, nowUs: number, free: readonly [number, number]): number {
    if (free[MAP] === 0 && free[REDUCE] === 0) return -1;
    const { filters } = this.parts;
    let next = -1;
    for (const framework of this.active) {
      if (this.offeredOn[framework] === this.beat) continue;
      const maps = filters.maps(framework, node, free[MAP]);
      const reduces = filters.reduces(framework, node, free[REDUCE]);
      const { scheduler } = this.inners[framework];
      if (!(maps > 0 && scheduler.wantsMapSlots()) && !(reduces > 0 && scheduler.hasReduces())) continue;
      if (this.refusals.blocks(framework, node, maps, reduces, nowUs)) continue;
      if (next >= 0 && !this.shares.goesBefore(framework, next)) continue;
      next = framework;
      this.offered[MAP] = maps;
      this.offered[REDUCE] = reduces;
    }
    return next;
  }

  private hold(offer: OpenOffer): void {
    this.open.add(offer);
    this.shares.add(offer.framework, MAP, offer.maps);
    this.shares.add(offer.framework, REDUCE, offer.reduces);
  }

  private release({ framework, maps, reduces }: OpenOffer): void {
    this.shares.add(framework, MAP, -maps);
    this.shares.add(framework, REDUCE, -reduces);
  }

  /** When the offer is answered or taken back, whichever comes first. */
  private isDueAtUs({ framework, atUs }: OpenOffer): number {
    return atUs + Math.min(this.parts.frameworks[framework].answerAfterUs, this.parts.rescindAfterUs);
  }
}
