import { assert, EventSet, Lists, counterHash, fractionOf, seedWord, exponential } from "../kernel/index.js";
import type { FaultEventSpec, FaultRateSpec, FaultsSpec } from "../scenario/index.js";
import { nodesByPlace, type Topology } from "./topology.js";

/**
 * Faults: when they begin and end (`FaultTimeline`, a pure function that every actor walks for itself), and which last
 * (`FaultState`). What a fault does is a platform's matter.
 */

/** Kinds of fault, in the order in which those of one instant happen. */
export const CRASH = 0;
export const SWITCH_LOSS = 1;
export const SLOW_DISK = 2;
export const SLOW_NODE = 3;

type FaultKind = typeof CRASH | typeof SWITCH_LOSS | typeof SLOW_DISK | typeof SLOW_NODE;

/** The place of a fault: a node by its index in its rack; of a switch loss, the rack with index 0. */
interface FaultTarget {
  readonly rack: number;
  readonly index: number;
}

/** One fault at a time of one kind and target, each after the one before: from the scenario, or drawn. */
interface FaultSource {
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
class GivenFault implements FaultSource {
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
class DrawnFaults implements FaultSource {
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

/** A fault starts or ends. */
export interface FaultTransition {
  readonly atUs: number;
  readonly kind: FaultKind;
  /** Number of the node, or of the rack for a switch loss. */
  readonly target: number;
  readonly starts: boolean;
  /** Divisor of bandwidth or speed while it lasts. */
  readonly factor: number;
}

/** The part of a timeline that a cursor walks: faults it leaves out do not change the others. */
export type FaultFilter = (kind: FaultKind, rack: number) => boolean;

const EVERYTHING: FaultFilter = () => true;

/**
 * A cursor over all faults of a run, in the order (time, kind, rack, node, starts before ends): a pure function of
 * scenario, seed and topology, so that every actor may walk its own. At one instant starts come first: a target whose
 * fault ends when another begins is not well in between. Nothing is drawn before it is due; O(log targets) each.
 */
export class FaultTimeline {
  private readonly sources: FaultSource[] = [];
  private readonly due: EventSet;
  private readonly hasStarted: Uint8Array;
  private readonly nodeOf: readonly Int32Array[];
  private readonly widest: number;

  constructor(
    faults: FaultsSpec,
    seed: string,
    private readonly topology: Topology,
    filter: FaultFilter = EVERYTHING,
  ) {
    this.nodeOf = nodesByPlace(topology);
    this.widest = this.nodeOf.reduce((widest, { length }) => Math.max(widest, length), 1);
    for (const event of faults.events) {
      const kind = KINDS.indexOf(event.kind) as FaultKind;
      const target = { rack: event.rack, index: event.node };
      if (filter(kind, event.rack)) {
        this.sources.push(new GivenFault(kind, target, event.factor, event.atUs, event.forUs));
      }
    }
    this.addDrawn(faults, seed, filter);
    this.due = new EventSet(this.sources.length);
    this.hasStarted = new Uint8Array(this.sources.length);
    this.sources.forEach((_, source) => this.schedule(source));
  }

  /** Time of the next transition; Infinity when none is left. */
  nextUs(): number {
    return this.due.peekAtUs();
  }

  /** Removes and returns the next transition; there must be one. */
  take(): FaultTransition {
    const atUs = this.due.peekAtUs();
    const number = this.due.pop();
    const source = this.sources[number];
    const { kind, factor, target } = source;
    const starts = this.hasStarted[number] === 0;
    if (!starts) source.advance();
    this.hasStarted[number] = starts ? 1 : 0;
    this.schedule(number);
    const targetNumber = kind === SWITCH_LOSS ? target.rack : this.nodeOf[target.rack][target.index];
    return { atUs, kind, target: targetNumber, starts, factor };
  }

  private schedule(number: number): void {
    const { kind, target, startUs, endUs } = this.sources[number];
    const ends = this.hasStarted[number];
    const atUs = ends === 1 ? endUs : startUs;
    if (atUs === Infinity) return;
    const place = (kind * this.topology.racks + target.rack) * this.widest + target.index;
    this.due.add(number, atUs, 2 * place + ends);
  }

  private addDrawn({ rates }: FaultsSpec, seed: string, filter: FaultFilter): void {
    ratesOf(rates).forEach((rate, index) => {
      if (rate.everyUs === Infinity) return;
      const kind = index as FaultKind;
      const word = seedWord(seed, `faults: ${KINDS[kind]}`);
      this.nodeOf.forEach((nodes, rack) => {
        if (!filter(kind, rack)) return;
        const targets = kind === SWITCH_LOSS ? 1 : nodes.length;
        for (let place = 0; place < targets; place++) {
          this.sources.push(new DrawnFaults(kind, { rack, index: place }, word, rate));
        }
      });
    });
  }
}

/** Some fault may happen to a node or a rack: there is a timeline to be walked. */
export function mayFault({ events, rates }: FaultsSpec): boolean {
  return events.length > 0 || ratesOf(rates).some(({ everyUs }) => everyUs < Infinity);
}

/** Some node may send no heartbeats for a while, by a crash or behind a lost switch. */
export function mayLoseHeartbeats({ events, rates }: FaultsSpec): boolean {
  const named = events.some(({ kind }) => kind === "crash" || kind === "switch");
  return named || rates.crash.everyUs < Infinity || rates.switch.everyUs < Infinity;
}

/** Those faults alone that make nodes unresponsive. */
export const LOSES_HEARTBEATS: FaultFilter = (kind) => kind === CRASH || kind === SWITCH_LOSS;

/** By kind, its name in scenarios. */
const KINDS: readonly FaultEventSpec["kind"][] = ["crash", "switch", "slow-disk", "slow-node"];

/** By kind. */
export function ratesOf({ crash, switch: switchLoss, slowDisk, slowNode }: FaultsSpec["rates"]): FaultRateSpec[] {
  return [crash, switchLoss, slowDisk, slowNode];
}

/**
 * The faults that last, as of the last transition applied. Faults of one target may overlap: a node is down while any
 * crash of it lasts, and the factors of its slow-downs multiply.
 */
export class FaultState {
  private readonly crashes: Int32Array;
  private readonly switchLosses: Int32Array;
  /** Factors that hold, in the order in which they began, by node. */
  private readonly diskFactors = new Lists<number>();
  private readonly nodeFactors = new Lists<number>();

  constructor(private readonly topology: Topology) {
    this.crashes = new Int32Array(topology.nodes);
    this.switchLosses = new Int32Array(topology.racks);
  }

  /** True if the target is in another state now: it went, came back, or has another factor. */
  apply({ kind, target, starts, factor }: FaultTransition): boolean {
    if (kind === CRASH) return count(this.crashes, target, starts);
    if (kind === SWITCH_LOSS) return count(this.switchLosses, target, starts);
    const factors = kind === SLOW_DISK ? this.diskFactors : this.nodeFactors;
    const before = productOf(factors.of(target));
    if (starts) factors.add(target, factor);
    else factors.remove(target, factor);
    return productOf(factors.of(target)) !== before;
  }

  isDown(node: number): boolean {
    return this.crashes[node] > 0;
  }

  isDark(rack: number): boolean {
    return this.switchLosses[rack] > 0;
  }

  /** The node sends no heartbeats: it is down, or its rack is dark. */
  isUnresponsive(node: number): boolean {
    return this.isDown(node) || this.isDark(this.topology.rackOf[node]);
  }

  /** Returns the divisor of the bandwidth of the node's disks; 1: nominal bandwidth. */
  diskFactor(node: number): number {
    return productOf(this.diskFactors.of(node));
  }

  /** Returns the divisor of the node's speed. */
  speedFactor(node: number): number {
    return productOf(this.nodeFactors.of(node));
  }
}

function count(lasting: Int32Array, target: number, starts: boolean): boolean {
  lasting[target] += starts ? 1 : -1;
  assert(lasting[target] >= 0, "a fault ended that had not begun");
  return lasting[target] === (starts ? 1 : 0);
}

/** Always in the order of the list, so that equal lists give the same bits. */
function productOf(factors: readonly number[]): number {
  return factors.reduce((product, factor) => product * factor, 1);
}
