import { counterHash, fractionOf } from "../../kernel/hash.js";
import { exponential } from "../../kernel/sampling.js";
import type { FaultRateSpec } from "../../scenario/faults-spec.js";

/** Kinds of fault, in the order in which those of one instant happen. */
export const CRASH = 0;
export const SWITCH_LOSS = 1;
export const SLOW_DISK = 2;
export const SLOW_NODE = 3;
export type FaultKind = typeof CRASH | typeof SWITCH_LOSS | typeof SLOW_DISK | typeof SLOW_NODE;

/** Where a fault strikes: a node by its place in its rack; of a switch loss, the rack with index 0. */
export interface FaultTarget {
  readonly rack: number;
  readonly index: number;
}

/** One fault at a time of one kind and target, each after the one before: from the scenario, or drawn. */
export interface FaultSource {
  readonly kind: FaultKind;
  readonly target: FaultTarget;
  readonly factor: number;
  /** The present fault lasts from then on; Infinity: there is none any more. */
  readonly startUs: number;
  readonly endUs: number;
  /** Goes on to the next fault. */
  advance(): void;
}

/** A fault that the scenario names. */
export class GivenFault implements FaultSource {
  endUs: number;

  constructor(
    readonly kind: FaultKind,
    readonly target: FaultTarget,
    readonly factor: number,
    public startUs: number,
    forUs: number,
  ) {
    this.endUs = startUs + forUs;
  }

  advance(): void {
    this.startUs = Infinity;
    this.endUs = Infinity;
  }
}

/**
 * Faults of one kind and target with exponential gaps and lengths. Each draw is a pure function of (seed of the kind,
 * place of the target, number of the fault), so that no other target shifts them.
 */
export class DrawnFaults implements FaultSource {
  startUs = Infinity;
  endUs = 0;
  private readonly entity: number;
  private draws = 0;

  constructor(
    readonly kind: FaultKind,
    readonly target: FaultTarget,
    private readonly seed: number,
    private readonly rate: FaultRateSpec,
  ) {
    this.entity = (target.rack << 16) ^ target.index;
    this.advance();
  }

  get factor(): number {
    return this.rate.factor;
  }

  advance(): void {
    const { everyUs, forUs, untilUs } = this.rate;
    const startUs = this.endUs + this.draw(everyUs);
    const isOne = startUs < untilUs && startUs <= Number.MAX_SAFE_INTEGER;
    this.startUs = isOne ? startUs : Infinity;
    this.endUs = this.startUs + this.draw(forUs);
  }

  /** At least 1 us: a fault that lasts no time, or follows at once, would be no fault of its own. */
  private draw(meanUs: number): number {
    const fraction = fractionOf(counterHash(this.seed, this.entity, this.draws++));
    return Math.max(1, Math.round(exponential(fraction, meanUs)));
  }
}
