import type { Ask } from "../asks.js";
import { type Container, inOrder, type YarnNode } from "../containers.js";
import {
  addTo,
  compareAmounts,
  byResource,
  fitsIn,
  isNone,
  lesser,
  none,
  plus,
  type Resources,
  takeFrom,
  without,
} from "../resources.js";
import { compare, isBelow } from "./policies.js";
import type { FairApp, FairQueue } from "./queues.js";

/** Nodes of the cluster, and what is asked of them. */
export interface Cluster {
  readonly total: Readonly<Resources>;
  readonly nodes: readonly YarnNode[];
  nodesOfRack(rack: number): readonly YarnNode[];
}

/**
 * Applications of a leaf that lack containers for long enough (`FSLeafQueue.updateStarvedApps`), and what each lacks.
 */
export function starvedApps(leaf: FairQueue, cluster: Readonly<Resources>, nowUs: number): FairApp[] {
  const wanting = leaf.runnable
    .filter((app) => app.hasUnmetDemand && nowUs >= app.nextStarvationCheckUs)
    .sort((a, b) => compare(leaf.policy, a, b, cluster));
  const starved: FairApp[] = [];
  const lacking = none();
  for (const app of wanting) {
    app.lacksFair = lackOfFairShare(app, cluster, nowUs);
    // The first that lacks nothing ends it.
    if (isNone(app.lacksFair)) break;
    starved.push(app);
    addTo(lacking, app.lacksFair);
  }
  let missing = without(lackOfMinShare(leaf, nowUs), lacking);
  for (const app of wanting) {
    app.lacksMin = none();
    app.isOverasking = false;
    if (isNone(missing)) continue;
    const wants = without(without(app.demand, app.used), app.lacksFair);
    const isMore = compareAmounts(leaf.policy === "drf", wants, missing, cluster) > 0;
    // As it is written: one that wants more than is left gets its wish less the rest.
    app.isOverasking = isMore;
    app.lacksMin = isMore ? without(wants, missing) : wants;
    missing = isMore ? none() : without(missing, wants);
    if (!starved.includes(app)) starved.push(app);
  }
  return starved;
}

/** The resources below which an application is starved, and whether it has less. */
export function dueOf(
  app: FairApp,
  cluster: Readonly<Resources>,
): { readonly due: Resources; readonly isBelow: boolean } {
  const { fairShareThreshold } = app.queue;
  const threshold = byResource((type) => Math.floor(app.fairShare[type] * fairShareThreshold));
  const due = lesser(threshold, app.demand);
  return { due, isBelow: isBelow(app.queue.policy, app.used, due, cluster) };
}

function lackOfFairShare(app: FairApp, cluster: Readonly<Resources>, nowUs: number): Resources {
  const { fairShareTimeoutUs } = app.queue;
  const { due, isBelow: starves } = dueOf(app, cluster);
  if (!starves) app.lastAtFairShareUs = nowUs;
  if (!starves || nowUs - app.lastAtFairShareUs < fairShareTimeoutUs) return none();
  return without(due, app.used);
}

function lackOfMinShare(queue: FairQueue, nowUs: number): Resources {
  const lack = without(lesser(queue.minShare, queue.demand), queue.used);
  if (isNone(lack)) queue.lastAtMinShareUs = nowUs;
  return nowUs - queue.lastAtMinShareUs < queue.minShareTimeoutUs ? none() : lack;
}

/** Space of a node that is made for an application by killing containers of others. */
export class PreemptedSpace {
  private readonly ofNode = new Map<YarnNode, Map<FairApp, Resources>>();

  keep(node: YarnNode, app: FairApp, containers: readonly Container[]): void {
    const apps = this.ofNode.get(node) ?? new Map<FairApp, Resources>();
    this.ofNode.set(node, apps);
    const space = apps.get(app) ?? none();
    apps.set(app, space);
    for (const { size } of containers) addTo(space, size);
  }

  isKept(node: YarnNode, app: FairApp): boolean {
    return this.ofNode.get(node)?.has(app) ?? false;
  }

  /** A container of the application came to the node. */
  used(node: YarnNode, app: FairApp, size: Readonly<Resources>): void {
    const apps = this.ofNode.get(node);
    const space = apps?.get(app);
    if (apps === undefined || space === undefined) return;
    takeFrom(space, lesser(space, size));
    if (isNone(space)) this.forget(node, apps, app);
  }

  /** For whom a node has space; those that need it no more lose it. */
  appsOn(
    node: YarnNode,
    cluster: Readonly<Resources>,
  ): { readonly app: FairApp; readonly space: Readonly<Resources> }[] {
    const apps = this.ofNode.get(node);
    if (apps === undefined) return [];
    for (const app of [...apps.keys()]) {
      const lacksNothing = isNone(app.lacksFair) && isNone(app.lacksMin);
      if (app.isStopped || !app.isStarved(cluster) || lacksNothing) this.forget(node, apps, app);
    }
    return [...apps].map(([app, space]) => ({ app, space: { ...space } }));
  }

  totalOn(node: YarnNode): Resources {
    const sum = none();
    for (const space of this.ofNode.get(node)?.values() ?? []) addTo(sum, space);
    return sum;
  }

  nodeGone(node: YarnNode): void {
    this.ofNode.delete(node);
  }

  private forget(node: YarnNode, apps: Map<FairApp, Resources>, app: FairApp): void {
    apps.delete(app);
    if (apps.size === 0) this.ofNode.delete(node);
  }
}

/**
 * Containers that are to be killed for a starved application (`FSPreemptionThread`): for as many of its containers as
 * it lacks, all on one node each, with as few masters as can be. They are marked, and their space is kept.
 */
export function chooseVictims(app: FairApp, cluster: Cluster, space: PreemptedSpace): Container[] {
  const victims: Container[] = [];
  for (const { ask, count, nodes, isAnywhere } of wishes(app, cluster)) {
    for (let i = 0; i < count; i++) {
      let best = bestOf(nodes, ask, cluster, space);
      // A master does not go for the sake of a place, where others will do.
      if (best !== null && best.masters > 0 && !isAnywhere) best = bestOf(cluster.nodes, ask, cluster, space);
      if (best === null || best.containers.length === 0) continue;
      for (const victim of best.containers) {
        victim.isDoomed = true;
        addTo((victim.app as FairApp).doomed, victim.size);
        victims.push(victim);
      }
      space.keep(best.node, app, best.containers);
    }
  }
  return victims;
}

interface Wish {
  readonly ask: Ask;
  readonly count: number;
  readonly nodes: readonly YarnNode[];
  readonly isAnywhere: boolean;
}

/** Its asks in order, at the nearest places that they name, up to what it lacks. */
function wishes(app: FairApp, cluster: Cluster): Wish[] {
  let lack = plus(app.lacksFair, app.lacksMin);
  const result: Wish[] = [];
  for (const ask of app.asks) {
    if (ask.wanted <= 0) continue;
    for (const { count: copies, nodes, isAnywhere } of placesOf(ask, cluster)) {
      if (isNone(lack)) return result;
      // By memory alone, whatever the policy: `getStarvedResourceRequests` asks the scheduler's own calculator.
      const fitting = Math.floor(lack.memory / ask.size.memory);
      if (fitting === 0) continue;
      const count = Math.min(fitting, copies);
      result.push({ ask, count, nodes, isAnywhere });
      lack = without(
        lack,
        byResource((type) => ask.size[type] * count),
      );
    }
  }
  return result;
}

interface AskedPlace {
  readonly count: number;
  readonly nodes: readonly YarnNode[];
  readonly isAnywhere: boolean;
}

/** Nodes, then racks none of whose nodes is named; anywhere only where nothing else is. */
function placesOf(ask: Ask, cluster: Cluster): AskedPlace[] {
  const places: AskedPlace[] = [];
  const racks = new Set<number>();
  for (const index of ask.nodesAsked()) {
    const node = cluster.nodes.find((candidate) => candidate.index === index);
    if (node === undefined) continue;
    racks.add(node.rack);
    places.push({ count: ask.onNode(index), nodes: [node], isAnywhere: false });
  }
  for (const rack of ask.racksAsked()) {
    if (racks.has(rack)) continue;
    places.push({ count: ask.onRack(rack), nodes: cluster.nodesOfRack(rack), isAnywhere: false });
  }
  return places.length > 0 ? places : [{ count: ask.wanted, nodes: cluster.nodes, isAnywhere: true }];
}

interface Choice {
  readonly node: YarnNode;
  readonly containers: Container[];
  readonly masters: number;
}

/** The first node that needs no master ends the search; before that the one that needs fewest is best. */
function bestOf(nodes: readonly YarnNode[], ask: Ask, cluster: Cluster, space: PreemptedSpace): Choice | null {
  let best: Choice | null = null;
  for (const node of nodes) {
    const choice = choiceOn(node, ask.size, best?.masters ?? Infinity, cluster, space);
    if (choice === null) continue;
    best = choice;
    if (choice.masters === 0) break;
  }
  return best;
}

/** Null: not even all that may go makes room, or not with fewer masters than `below`. */
function choiceOn(
  node: YarnNode,
  size: Readonly<Resources>,
  below: number,
  cluster: Cluster,
  space: PreemptedSpace,
): Choice | null {
  const kept = space.totalOn(node);
  if (node.reservation !== null) addTo(kept, node.reservation.size);
  const room = without(node.free, kept);
  const containers: Container[] = [];
  let masters = 0;
  for (const container of mastersLast(node)) {
    if (container.isDoomed) continue;
    if (mayGo(container, containers, cluster)) {
      if (container.isMaster && ++masters >= below) return null;
      containers.push(container);
      addTo(room, container.size);
    }
    if (fitsIn(size, room)) return { node, containers, masters };
  }
  return null;
}

function mastersLast(node: YarnNode): Container[] {
  const containers = inOrder(node.containers);
  return [...containers.filter(({ isMaster }) => !isMaster), ...containers.filter(({ isMaster }) => isMaster)];
}

/** Its queue allows it, and its application keeps its fair share without it and those chosen before it. */
function mayGo({ app, size }: Container, chosen: readonly Container[], cluster: Cluster): boolean {
  const owner = app as FairApp;
  if (!owner.queue.isPreemptable) return false;
  const remaining: Resources = { ...owner.used };
  takeFrom(remaining, owner.doomed);
  takeFrom(remaining, size);
  for (const victim of chosen) if (victim.app === app) takeFrom(remaining, victim.size);
  return !owner.isBelowShare(remaining, cluster.total);
}
