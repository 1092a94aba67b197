import { EventSet } from "../../kernel/event-set.js";
import { seedWord } from "../../kernel/hash.js";
import type { FaultEventSpec, FaultsSpec } from "../../scenario/faults-spec.js";
import type { Topology } from "../topology.js";
import {
  CRASH,
  DrawnFaults,
  GivenFault,
  SLOW_DISK,
  SLOW_NODE,
  SWITCH_LOSS,
  type FaultKind,
  type FaultSource,
} from "./fault-source.js";

/** A fault starts or ends. */
export interface FaultTransition {
  readonly atUs: number;
  readonly kind: FaultKind;
  /** Number of the node, or of the rack for a switch loss. */
  readonly target: number;
  readonly starts: boolean;
  /** What bandwidth or speed is divided by while it lasts. */
  readonly factor: number;
}

/** Which part of a timeline a cursor walks: those it leaves out do not change the others. */
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
    this.widest = this.nodeOf.reduce((most, { length }) => Math.max(most, length), 1);
    for (const event of faults.events) {
      const kind = KIND_OF[event.kind];
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
    const struck = kind === SWITCH_LOSS ? target.rack : this.nodeOf[target.rack][target.index];
    return { atUs, kind, target: struck, starts, factor };
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
    for (const [kind, name, rate] of [
      [CRASH, "crash", rates.crash],
      [SWITCH_LOSS, "switch", rates.switch],
      [SLOW_DISK, "slow-disk", rates.slowDisk],
      [SLOW_NODE, "slow-node", rates.slowNode],
    ] as const) {
      if (rate.everyUs === Infinity) continue;
      const word = seedWord(seed, `faults: ${name}`);
      this.nodeOf.forEach((nodes, rack) => {
        if (!filter(kind, rack)) return;
        const targets = kind === SWITCH_LOSS ? 1 : nodes.length;
        for (let index = 0; index < targets; index++) {
          this.sources.push(new DrawnFaults(kind, { rack, index }, word, rate));
        }
      });
    }
  }
}

/** Some fault may strike a node or a rack: there is a timeline to be walked. */
export function mayStrike({ events, rates }: FaultsSpec): boolean {
  const drawn = [rates.crash, rates.switch, rates.slowDisk, rates.slowNode];
  return events.length > 0 || drawn.some(({ everyUs }) => everyUs < Infinity);
}

/** Some node may fall silent, by a crash or behind a lost switch. */
export function maySilence({ events, rates }: FaultsSpec): boolean {
  const named = events.some(({ kind }) => kind === "crash" || kind === "switch");
  return named || rates.crash.everyUs < Infinity || rates.switch.everyUs < Infinity;
}

/** Those faults alone that make nodes fall silent. */
export const SILENCES: FaultFilter = (kind) => kind === CRASH || kind === SWITCH_LOSS;

const KIND_OF: Record<FaultEventSpec["kind"], FaultKind> = {
  crash: CRASH,
  switch: SWITCH_LOSS,
  "slow-disk": SLOW_DISK,
  "slow-node": SLOW_NODE,
};

/** By rack, the numbers of its nodes by their place in it. */
function nodesByPlace({ nodes, racks, rackStart, rackOf, indexInRack }: Topology): Int32Array[] {
  const byPlace = Array.from({ length: racks }, (_, rack) => new Int32Array(rackStart[rack + 1] - rackStart[rack]));
  for (let node = 0; node < nodes; node++) byPlace[rackOf[node]][indexInRack[node]] = node;
  return byPlace;
}
