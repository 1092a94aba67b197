/** Resources of a container, a node or a queue: memory in MB, and vcores. */
export interface Resources {
  memory: number;
  vcores: number;
}

/**
 * The largest amount, which also means no limit. Hadoop counts up to 2^63 - 1; here larger amounts and sums are reduced
 * to this one.
 */
export const MOST = Number.MAX_SAFE_INTEGER;

export const UNLIMITED: Readonly<Resources> = Object.freeze({ memory: MOST, vcores: MOST });
export const NOTHING: Readonly<Resources> = Object.freeze({ memory: 0, vcores: 0 });

/** A limit of a queue: amounts, or fractions of the cluster as it is. */
export interface ResourceLimit extends Readonly<Resources> {
  readonly isOfCluster?: true;
}

/** A new amount of nothing, to be added to. */
export const none = (): Resources => ({ memory: 0, vcores: 0 });

export function isNone({ memory, vcores }: Readonly<Resources>): boolean {
  return memory === 0 && vcores === 0;
}

export function fitsIn(size: Readonly<Resources>, room: Readonly<Resources>): boolean {
  return size.memory <= room.memory && size.vcores <= room.vcores;
}

export function addTo(sum: Resources, { memory, vcores }: Readonly<Resources>): void {
  sum.memory += memory;
  sum.vcores += vcores;
}

export function takeFrom(sum: Resources, { memory, vcores }: Readonly<Resources>): void {
  sum.memory -= memory;
  sum.vcores -= vcores;
}

export function plus(a: Readonly<Resources>, b: Readonly<Resources>): Resources {
  return { memory: a.memory + b.memory, vcores: a.vcores + b.vcores };
}

/** The difference, by resource, and nothing where that would be negative. */
export function without(whole: Readonly<Resources>, part: Readonly<Resources>): Resources {
  return { memory: Math.max(0, whole.memory - part.memory), vcores: Math.max(0, whole.vcores - part.vcores) };
}

/** Both resources by one rule. */
export function byResource(amountOf: (type: keyof Resources) => number): Resources {
  return { memory: amountOf("memory"), vcores: amountOf("vcores") };
}

/** In whole multiples of the least, by resource. */
export function roundedUp(amountOf: (type: keyof Resources) => number, least: Readonly<Resources>): Resources {
  return byResource((type) => Math.ceil(amountOf(type) / least[type]) * least[type]);
}

/** The lesser of each. */
export function lesser(a: Readonly<Resources>, b: Readonly<Resources>): Resources {
  return { memory: Math.min(a.memory, b.memory), vcores: Math.min(a.vcores, b.vcores) };
}

/** In a cluster of that size. */
export function amountOf({ memory, vcores, isOfCluster }: ResourceLimit, cluster: Readonly<Resources>): Resources {
  if (isOfCluster === undefined) return { memory: Math.min(memory, MOST), vcores: Math.min(vcores, MOST) };
  return { memory: Math.floor(memory * cluster.memory), vcores: Math.floor(vcores * cluster.vcores) };
}

/** The larger of both shares of the cluster. */
export function dominantShare({ memory, vcores }: Readonly<Resources>, cluster: Readonly<Resources>): number {
  return dominantPart(memory, vcores, cluster);
}

/**
 * Less than 0: the first amount is the smaller by a calculator of YARN: by memory alone (`DefaultResourceCalculator`),
 * or by the larger of both shares of the cluster, then by the other (`DominantResourceCalculator`).
 */
export function compareAmounts(
  byDominance: boolean,
  a: Readonly<Resources>,
  b: Readonly<Resources>,
  cluster: Readonly<Resources>,
): number {
  if (!byDominance) return a.memory - b.memory;
  const larger = dominantShare(a, cluster) - dominantShare(b, cluster);
  return larger || lesserShare(a, cluster) - lesserShare(b, cluster);
}

function lesserShare({ memory, vcores }: Readonly<Resources>, cluster: Readonly<Resources>): number {
  return Math.min(shareOf(memory, cluster.memory), shareOf(vcores, cluster.vcores));
}

function dominantPart(memory: number, vcores: number, cluster: Readonly<Resources>): number {
  return Math.max(shareOf(memory, cluster.memory), shareOf(vcores, cluster.vcores));
}

function shareOf(part: number, whole: number): number {
  return part === 0 ? 0 : part / whole;
}
