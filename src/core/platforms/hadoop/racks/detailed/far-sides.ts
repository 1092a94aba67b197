import type { FaultState, Topology } from "../../../../cluster/index.js";
import { LARGEST_VALUE } from "../protocol.js";
import { type Agenda, DelayedEffects, SERVE } from "./agenda.js";
import type { RackIo } from "./rack-io.js";

const NONE = -1;
/** A node sends map output to so many reduces at once, and to the others in turn (tasktracker.http.threads). */
const MOST_SENDS = 40;

/**
 * The transfer by one node of the rack for an attempt elsewhere. There are millions: each is one object.
 */
class Leg {
  /** `NONE`: it waits for its turn to send. */
  handle = NONE;
  isClosed = false;

  constructor(
    readonly side: FarSide,
    readonly node: number,
    /** All that it has been given to move, whole bytes. */
    public bytes: number,
    /** Bytes to move once its turn comes. */
    public waitingBytes: number,
    /** It sends map output, or takes a replica: from another rack, and passes it on. */
    readonly sends: boolean,
    readonly isFromAfar: boolean,
    readonly passesOn: boolean,
  ) {}
}

/** All transfers by the nodes of the rack for one attempt. */
class FarSide {
  /** In the order in which they began. */
  readonly legs: Leg[] = [];
  /** Bytes moved by legs that are over. */
  movedBytes = 0;

  constructor(
    /** The attempt's slot in the cluster, and its node, here or in another rack. */
    readonly place: number,
    readonly peer: number,
    readonly orderedUs: number,
  ) {}
}

interface FarSidesParts {
  readonly io: RackIo;
  readonly topology: Topology;
  readonly agenda: Agenda;
  readonly faults: FaultState;
  readonly outputReplication: number;
  /** The node has crashed after that time. */
  readonly hasCrashedSince: (node: number, us: number) => boolean;
  /** Bytes were moved for the attempt in that slot, whose node is of this rack. */
  readonly moved: (place: number, atUs: number, bytes: number) => void;
  /** The same for another rack, which must be notified. */
  readonly tellMoved: (peer: number, atUs: number, place: number, bytes: number) => void;
  /** A node of another rack is to take a replica; 0 bytes: no more. */
  readonly tellReplica: (target: number, atUs: number, place: number, bytes: number) => void;
}

/**
 * The far sides of transfers: what a node sends of its map output to a reduce, and what it takes of the replicas that a
 * reduce writes. Each far side is a flow over the disk and the link of its node, and over the uplink for another rack,
 * beside the flow of the attempt. Both move all bytes, each at the rate that is fair where it runs; the transfer is
 * over when the last of them is. The rack of the attempt learns of the end of a far side in another rack one lookahead
 * later.
 *
 * The rest of a crashed node's transfers is moved by the next node of its rack that is up; it is dropped if there is
 * none.
 */
export class FarSides {
  /** By the attempt's slot, in the order in which they began; and by handle. */
  private readonly sides = new Map<number, FarSide>();
  private readonly legOf: (Leg | null)[] = [];
  /** By slot: its attempts that were launched before this have been killed. */
  private readonly killedUs = new Map<number, number>();
  /** Sends that are due once the reduce has started up. */
  readonly due: DelayedEffects;
  /** By node of the rack: how many legs of it send, and those that wait for that. */
  private readonly sending: Int32Array;
  private readonly waiting: Leg[][];
  /** By node of the rack: how many outputs it has written; by slot: the other rack's node that takes the replicas. */
  private readonly turns: Int32Array;
  private readonly targetOf = new Map<number, number>();

  constructor(private readonly parts: FarSidesParts) {
    this.due = new DelayedEffects(parts.agenda, SERVE);
    const nodes = this.sizeOf(parts.io.rack);
    this.turns = new Int32Array(nodes);
    this.sending = new Int32Array(nodes);
    this.waiting = Array.from({ length: nodes }, () => []);
  }

  /** A node of the rack sends so much map output to the reduce in that slot of `reader`, from `fromUs` on. */
  serve(
    node: number,
    reader: number,
    place: number,
    bytes: number,
    orderedUs: number,
    atUs: number,
    fromUs: number,
  ): void {
    if (fromUs <= atUs) return this.send(node, reader, place, bytes, orderedUs, atUs);
    this.due.add(fromUs, (nowUs) => this.send(node, reader, place, bytes, orderedUs, nowUs));
  }

  /**
   * The attempt in a slot of this rack writes its output: all replicas but its own begin to be taken. Outputs of a node
   * go round the other racks and their nodes; where there is one rack, round its nodes. All replicas lie in one other
   * rack, as far as it has nodes. Returns the bytes that others have to take.
   */
  replicate(node: number, place: number, bytes: number, atUs: number): number {
    const { io, topology, outputReplication, tellReplica } = this.parts;
    const index = topology.indexInRack[node];
    const more = outputReplication - 1;
    const turn = this.turns[index]++;
    if (more === 0) return 0;
    if (topology.racks === 1) {
      const otherNodes = this.sizeOf(io.rack) - 1;
      const count = Math.min(more, otherNodes);
      for (let k = 0; k < count; k++) {
        const target = this.nodeAt(io.rack, index + 1 + ((turn * count + k) % otherNodes));
        this.take(target, node, place, bytes, atUs, false, k + 1 < count);
      }
      return count * bytes;
    }
    const otherRacks = topology.racks - 1;
    const rack = (io.rack + 1 + (turn % otherRacks)) % topology.racks;
    const target = this.nodeAt(rack, index + Math.floor(turn / otherRacks) * more);
    this.targetOf.set(place, target);
    inWords(bytes, (part) => tellReplica(target, atUs, place, part));
    return Math.min(more, this.sizeOf(rack)) * bytes;
  }

  /** The attempt in that slot of this rack writes no more. */
  endReplicas(place: number, atUs: number, isGivenUp: boolean): void {
    const target = this.targetOf.get(place);
    this.targetOf.delete(place);
    if (isGivenUp && target !== undefined) this.parts.tellReplica(target, atUs, place, 0);
  }

  /**
   * The node, and the next of the rack for more replicas, take what the attempt in that slot of `writer`, in another
   * rack, writes.
   */
  takeFromAfar(node: number, writer: number, place: number, bytes: number, atUs: number): void {
    const { io, topology, outputReplication } = this.parts;
    const count = Math.min(outputReplication - 1, this.sizeOf(io.rack));
    for (let k = 0; k < count; k++) {
      const target = this.nodeAt(io.rack, topology.indexInRack[node] + k);
      this.take(target, writer, place, bytes, atUs, k === 0, k + 1 < count);
    }
  }

  /** The flow of that handle is through; it must be one of these. */
  done(handle: number, atUs: number): void {
    const leg = this.legOf[handle];
    if (leg !== null) this.over(leg, atUs);
  }

  /** Nothing moves any more for the attempt in that slot. */
  close(place: number, atUs: number): void {
    const side = this.sides.get(place);
    if (side === undefined) return;
    this.sides.delete(place);
    for (const leg of side.legs) this.stop(leg, atUs);
  }

  /** The attempt in that slot was killed by a reply at `killedUs`; what was ordered since is for another. */
  closeKilled(place: number, atUs: number, killedUs: number): void {
    this.killedUs.set(place, killedUs);
    const side = this.sides.get(place);
    if (side !== undefined && side.orderedUs <= killedUs) this.close(place, atUs);
  }

  /** A node, of this rack or another, has crashed. */
  nodeLost(node: number, atUs: number): void {
    for (const side of [...this.sides.values()]) {
      if (side.peer === node) this.close(side.place, atUs);
      else this.moveLegsFrom(node, side, atUs);
    }
  }

  private send(node: number, reader: number, place: number, bytes: number, orderedUs: number, atUs: number): void {
    if (this.parts.hasCrashedSince(reader, orderedUs) || (this.killedUs.get(place) ?? NONE) >= orderedUs) return;
    const side = this.sideOf(place, reader, orderedUs);
    this.add(side, node, bytes, bytes, atUs, true, false, false);
  }

  private take(
    node: number,
    writer: number,
    place: number,
    bytes: number,
    atUs: number,
    isFromAfar: boolean,
    passesOn: boolean,
  ): void {
    const side = this.sideOf(place, writer, atUs);
    this.add(side, node, bytes, bytes, atUs, false, isFromAfar, passesOn);
  }

  private sideOf(place: number, peer: number, orderedUs: number): FarSide {
    const known = this.sides.get(place);
    if (known !== undefined) return known;
    const side = new FarSide(place, peer, orderedUs);
    this.sides.set(place, side);
    return side;
  }

  /** Gives a node `leftBytes` to move, which count as `bytes` in the end. */
  private add(
    side: FarSide,
    wanted: number,
    bytes: number,
    leftBytes: number,
    atUs: number,
    sends: boolean,
    isFromAfar: boolean,
    passesOn: boolean,
  ): void {
    const { io, topology } = this.parts;
    const node = this.upFrom(wanted);
    if (node === NONE) {
      side.movedBytes += bytes;
      return this.finishIfOver(side, atUs);
    }
    for (const known of side.legs) {
      if (known.node !== node || known.passesOn !== passesOn) continue;
      known.bytes += bytes;
      if (known.handle === NONE) known.waitingBytes += leftBytes;
      else io.flows.extend(known.handle, atUs, leftBytes);
      return;
    }
    const leg = new Leg(side, node, bytes, leftBytes, sends, isFromAfar, passesOn);
    side.legs.push(leg);
    const index = topology.indexInRack[node];
    if (sends && this.sending[index] === MOST_SENDS) this.waiting[index].push(leg);
    else this.start(leg, atUs);
  }

  private start(leg: Leg, atUs: number): void {
    const { io, topology } = this.parts;
    const { side, node, waitingBytes } = leg;
    leg.handle = io.takeHandle();
    while (this.legOf.length <= leg.handle) this.legOf.push(null);
    this.legOf[leg.handle] = leg;
    if (leg.sends) {
      this.sending[topology.indexInRack[node]]++;
      io.sendOutput(leg.handle, atUs, node, side.peer, waitingBytes);
    } else io.takeReplica(leg.handle, atUs, node, leg.isFromAfar, leg.passesOn, waitingBytes);
  }

  /** The leg is given up; the bytes that it had left. */
  private stop(leg: Leg, atUs: number): number {
    leg.isClosed = true;
    if (leg.handle === NONE) return leg.waitingBytes;
    const leftBytes = this.parts.io.flows.stop(leg.handle, atUs);
    this.release(leg, atUs);
    return leftBytes;
  }

  /** The node has crashed: another goes on with what is left of its legs. */
  private moveLegsFrom(node: number, side: FarSide, atUs: number): void {
    for (const leg of side.legs.filter((candidate) => candidate.node === node)) {
      side.legs.splice(side.legs.indexOf(leg), 1);
      const leftBytes = this.stop(leg, atUs);
      this.add(side, node, leg.bytes, leftBytes, atUs, leg.sends, leg.isFromAfar, leg.passesOn);
    }
  }

  private over(leg: Leg, atUs: number): void {
    const { side } = leg;
    side.legs.splice(side.legs.indexOf(leg), 1);
    side.movedBytes += leg.bytes;
    this.release(leg, atUs);
    this.finishIfOver(side, atUs);
  }

  private finishIfOver(side: FarSide, atUs: number): void {
    if (side.legs.length > 0) return;
    const { io, topology, moved, tellMoved } = this.parts;
    const { place, peer, movedBytes } = side;
    this.sides.delete(place);
    if (topology.rackOf[peer] === io.rack) moved(place, atUs, movedBytes);
    else inWords(movedBytes, (part) => tellMoved(peer, atUs, place, part));
  }

  /** The leg has no flow any more: the node may send to the next in line. */
  private release(leg: Leg, atUs: number): void {
    const { io, topology } = this.parts;
    this.legOf[leg.handle] = null;
    io.giveHandle(leg.handle);
    if (!leg.sends) return;
    const index = topology.indexInRack[leg.node];
    this.sending[index]--;
    let next = this.waiting[index].shift();
    while (next?.isClosed === true) next = this.waiting[index].shift();
    if (next !== undefined) this.start(next, atUs);
  }

  /** The node, or the next of its rack that is up. */
  private upFrom(node: number): number {
    const { io, topology, faults } = this.parts;
    const nodes = this.sizeOf(io.rack);
    for (let k = 0; k < nodes; k++) {
      const candidate = this.nodeAt(io.rack, topology.indexInRack[node] + k);
      if (!faults.isDown(candidate)) return candidate;
    }
    return NONE;
  }

  /** A node of a rack; after its last comes its first. */
  private nodeAt(rack: number, index: number): number {
    const { rackNodes, rackStart } = this.parts.topology;
    return rackNodes[rackStart[rack] + (index % this.sizeOf(rack))];
  }

  private sizeOf(rack: number): number {
    const { rackStart } = this.parts.topology;
    return rackStart[rack + 1] - rackStart[rack];
  }
}

/** A report has one word for bytes. */
function inWords(bytes: number, tell: (part: number) => void): void {
  for (let remaining = bytes; remaining > 0; remaining -= LARGEST_VALUE) tell(Math.min(remaining, LARGEST_VALUE));
}
