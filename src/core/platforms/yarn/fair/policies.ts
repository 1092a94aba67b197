import { dominantShare, isNone, type Resources } from "../resources.js";

export type FairPolicy = "fair" | "drf" | "fifo";

/** A member of a policy's order: a queue, or an application of a leaf. */
export interface Schedulable {
  readonly name: string;
  /** Of queues 0. */
  readonly startUs: number;
  readonly priority: number;
  readonly weight: number;
  readonly used: Readonly<Resources>;
  readonly demand: Readonly<Resources>;
  readonly minShare: Readonly<Resources>;
}

/** Less than 0: `a` goes first. Never 0 of two with different names. */
export function compare(policy: FairPolicy, a: Schedulable, b: Schedulable, cluster: Readonly<Resources>): number {
  const order = policy === "fair" ? byFairness(a, b) : policy === "drf" ? byDominance(a, b, cluster) : byPriority(a, b);
  return order || a.startUs - b.startUs || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Returns a sort key: the smallest goes first. `compare` decides between keys that are equal or NaN. */
export function keyOf(policy: FairPolicy, schedulable: Schedulable, cluster: Readonly<Resources>): number {
  if (policy === "fifo") return -schedulable.priority;
  const { used, weight, minShare } = schedulable;
  if (policy === "fair") {
    if (isNone(schedulable.demand)) return Infinity;
    const least = guaranteed(schedulable);
    if (used.memory < least) return used.memory / Math.max(least, 1) - NEEDY;
    return weight > 0 ? used.memory / weight : Infinity;
  }
  const memory = used.memory / cluster.memory;
  const vcores = used.vcores / cluster.vcores;
  const ofMin = vcores > memory ? used.vcores / minShare.vcores : used.memory / minShare.memory;
  return ofMin < 1 ? ofMin - NEEDY : weighed(vcores > memory ? vcores : memory, schedulable);
}

/** Subtracted from the key of a needy schedulable, which is below 1: needy ones sort before all others. */
const NEEDY = 2;

/** Compares by memory alone. Schedulables below their min share come first, those without demand last. */
function byFairness(a: Schedulable, b: Schedulable): number {
  const aWants = !isNone(a.demand);
  if (aWants !== !isNone(b.demand)) return aWants ? -1 : 1;
  const aMin = guaranteed(a);
  const bMin = guaranteed(b);
  const aUses = a.used.memory;
  const bUses = b.used.memory;
  const aNeedy = aUses < aMin;
  const bNeedy = bUses < bMin;
  if (aNeedy !== bNeedy) return aNeedy ? -1 : 1;
  if (aNeedy) {
    const byMin = aUses / Math.max(aMin, 1) - bUses / Math.max(bMin, 1);
    if (byMin !== 0) return byMin;
  }
  const aWeight = a.weight;
  const bWeight = b.weight;
  if (aWeight > 0 && bWeight > 0) return aUses / aWeight - bUses / bWeight;
  return aWeight === bWeight ? aUses - bUses : bWeight - aWeight;
}

function guaranteed({ minShare, demand }: Schedulable): number {
  return Math.min(minShare.memory, demand.memory);
}

/** By the larger of both shares of the cluster, memory on a tie, then by the other. Who wants what plays no part. */
function byDominance(a: Schedulable, b: Schedulable, cluster: Readonly<Resources>): number {
  const [aMemory, aVcores] = sharesOf(a.used, cluster);
  const [bMemory, bVcores] = sharesOf(b.used, cluster);
  const [aOnVcores, bOnVcores] = [aVcores > aMemory, bVcores > bMemory];
  const [aMinMemory, aMinVcores] = sharesOf(a.used, a.minShare);
  const [bMinMemory, bMinVcores] = sharesOf(b.used, b.minShare);
  const aNeedy = (aOnVcores ? aMinVcores : aMinMemory) < 1;
  const bNeedy = (bOnVcores ? bMinVcores : bMinMemory) < 1;
  if (aNeedy !== bNeedy) return aNeedy ? -1 : 1;
  const [aFirst, aSecond] = aNeedy ? [aMinMemory, aMinVcores] : [weighed(aMemory, a), weighed(aVcores, a)];
  const [bFirst, bSecond] = bNeedy ? [bMinMemory, bMinVcores] : [weighed(bMemory, b), weighed(bVcores, b)];
  const dominant = difference(aOnVcores ? aSecond : aFirst, bOnVcores ? bSecond : bFirst);
  return dominant || difference(aOnVcores ? aFirst : aSecond, bOnVcores ? bFirst : bSecond);
}

/** Without a base there is no share: infinite, or of nothing used not a number, which is below nothing. */
function sharesOf(used: Readonly<Resources>, base: Readonly<Resources>): [number, number] {
  return [used.memory / base.memory, used.vcores / base.vcores];
}

/**
 * Of weight 0 it is infinite: it goes after all others. YARN means that too, but there 0 / 0 ties with every share as
 * long as nothing is used, which is no order.
 */
function weighed(share: number, { weight }: Schedulable): number {
  return weight === 0 ? Infinity : share / weight;
}

/** Two that cannot be compared are equal. */
function difference(a: number, b: number): number {
  return a - b || 0;
}

function byPriority(a: Schedulable, b: Schedulable): number {
  return b.priority - a.priority;
}

/**
 * Whether the used resources are below a share (`isUsageBelowShare`): by memory; under `drf`, by the dominant share of
 * each.
 */
export function isBelow(
  policy: FairPolicy,
  used: Readonly<Resources>,
  share: Readonly<Resources>,
  cluster: Readonly<Resources>,
): boolean {
  if (policy !== "drf") return used.memory < share.memory;
  return dominantShare(used, cluster) < dominantShare(share, cluster);
}
