import { tally } from "../../../kernel/index.js";
import type { BlockStore } from "../../../cluster/index.js";
import type { HotSpotReplicationSpec } from "../../../scenario/index.js";

/**
 * The orders that a replication rule may give. They are carried out on heartbeats; counts show their effect at once.
 */
export interface ReplicaOrders {
  /** Replicas that the block has or is to have, whichever is more. */
  count(block: number): number;
  /** The node lives, neither holds the block nor is to get it, and has room for it. */
  mayAdd(block: number, node: number): boolean;
  /** One more replica, on a node that may have it. */
  add(block: number, node: number): void;
  /** Withdraws an order for a replica that is not there yet. False, and nothing changes, if there is none. */
  withdraw(block: number): boolean;
  /** One replica fewer: the one on that node. */
  remove(block: number, node: number): void;
}

/** Decides which blocks get more replicas, and which fewer. */
export interface ReplicationRule {
  /** Looks at the blocks, and orders replicas to be added or removed. */
  look(nowUs: number): void;
}

/** Notified of every map that is launched, and of its job's wait for locality, in the terms of the scheduler's wait. */
export interface MapLaunchWatcher {
  mapLaunched(job: number, task: number, waited: number): void;
}

/** Calls `visit` with the block of every map that wants one now, pending or running, once for each map. */
type VisitReaders = (visit: (block: number) => void) => void;

/** The inputs of a rule, and the orders that it may give. */
export interface RuleParts<Spec> {
  readonly spec: Spec;
  readonly store: BlockStore;
  readonly nodes: number;
  /** The fixed number of replicas, which every block has. */
  readonly replication: number;
  readonly orders: ReplicaOrders;
}

interface HotSpotRuleParts extends RuleParts<HotSpotReplicationSpec> {
  readonly forEachReader: VisitReaders;
}

/** The rule that changes replication, and when it looks at the blocks. */
export class DynamicReplication {
  nextLookUs: number;

  /** @param watcher notified of launches for the rule; null: it needs none. */
  constructor(
    private readonly rule: ReplicationRule,
    private readonly everyUs: number,
    readonly watcher: MapLaunchWatcher | null,
  ) {
    this.nextLookUs = everyUs;
  }

  look(nowUs: number): void {
    this.rule.look(nowUs);
    this.nextLookUs += this.everyUs;
  }
}

/**
 * Hot-spot replication (EuroSys 2010, section 3.5.1): a block that many maps want at once has one replica for every
 * `readersPerReplica` of them, on the nodes whose blocks are wanted least. It loses them again, one at a look, once it
 * has needed fewer for `coolUs`.
 */
export class HotSpotRule implements ReplicationRule {
  /**
   * Blocks that had more replicas than the fixed number at the last look: since when they need fewer than they have.
   */
  private readonly coolSinceUs = new Map<number, number>();
  /** By node: maps that want one of its blocks, each shared among the holders of its block. */
  private readonly load: Float64Array;

  constructor(private readonly parts: HotSpotRuleParts) {
    this.load = new Float64Array(parts.nodes);
  }

  look(nowUs: number): void {
    const readers = this.countReaders();
    this.takeLoads(readers);
    for (const block of readers.keys()) this.heat(block, this.needed(readers, block));
    this.cool(readers, nowUs);
  }

  private countReaders(): Map<number, number> {
    const readers = new Map<number, number>();
    this.parts.forEachReader((block) => tally(readers, block));
    return new Map([...readers].sort(([a], [b]) => a - b));
  }

  private takeLoads(readers: ReadonlyMap<number, number>): void {
    const { store } = this.parts;
    this.load.fill(0);
    for (const [block, count] of readers) {
      const share = count / Math.max(1, store.replicaCount(block));
      for (const node of store.nodesOf(block)) this.load[node] += share;
    }
  }

  private needed(readers: ReadonlyMap<number, number>, block: number): number {
    const { spec, replication } = this.parts;
    const wanted = Math.ceil((readers.get(block) ?? 0) / spec.readersPerReplica);
    return Math.max(replication, Math.min(wanted, spec.maxReplicas));
  }

  private heat(block: number, needed: number): void {
    const { orders } = this.parts;
    while (orders.count(block) < needed) {
      const node = lightestFor(orders, block, this.load);
      if (node < 0) break;
      orders.add(block, node);
      this.load[node] += this.parts.spec.readersPerReplica;
    }
    if (orders.count(block) > this.parts.replication && !this.coolSinceUs.has(block))
      this.coolSinceUs.set(block, Infinity);
  }

  private cool(readers: ReadonlyMap<number, number>, nowUs: number): void {
    const { orders, spec, replication } = this.parts;
    for (const [block, sinceUs] of this.coolSinceUs) {
      if (orders.count(block) <= this.needed(readers, block)) this.coolSinceUs.set(block, Infinity);
      else if (sinceUs === Infinity) this.coolSinceUs.set(block, nowUs);
      else if (nowUs - sinceUs >= spec.coolUs) this.dropOne(block);
      if (orders.count(block) <= replication) this.coolSinceUs.delete(block);
    }
  }

  /** One replica fewer: one that is yet to come, or the one on the node whose blocks are wanted most. */
  private dropOne(block: number): void {
    const { orders, store } = this.parts;
    if (orders.withdraw(block)) return;
    const heaviest = heaviestHolder(store, block, this.load);
    if (heaviest >= 0) orders.remove(block, heaviest);
  }
}

/** The holder of the block with the largest load, the lowest of several; -1: no node holds it. */
export function heaviestHolder(store: BlockStore, block: number, load: Float64Array): number {
  let heaviest = -1;
  for (const node of store.nodesOf(block)) {
    const difference = heaviest < 0 ? 1 : load[node] - load[heaviest] || heaviest - node;
    if (difference > 0) heaviest = node;
  }
  return heaviest;
}

/** The node with the least load that may have the block, the lowest of several; -1: none may. */
export function lightestFor(orders: ReplicaOrders, block: number, load: Float64Array): number {
  let best = -1;
  for (let node = 0; node < load.length; node++) {
    if (best >= 0 && load[node] >= load[best]) continue;
    if (orders.mayAdd(block, node)) best = node;
  }
  return best;
}
