import { SIZE_BINS, sizeBinOf } from "../../workload/facebook.js";

/** Groups of size bins, by index into SIZE_BINS: bins 1-3, 4-8 and 9 of the paper (section 5.1). */
export const SIZE_GROUPS = {
  Small: { first: 0, last: 2 },
  Medium: { first: 3, last: 7 },
  Large: { first: 8, last: 8 },
} as const;
export type SizeGroup = keyof typeof SIZE_GROUPS;

export function isSizeGroup(name: string | undefined): name is SizeGroup {
  return name !== undefined && Object.hasOwn(SIZE_GROUPS, name);
}

/** Maps per job: `21-1500`. */
export function mapsOf(group: SizeGroup): string {
  const { first, last } = SIZE_GROUPS[group];
  const { minMaps } = SIZE_BINS[first];
  const { maxMaps } = SIZE_BINS[last];
  return maxMaps === Infinity ? `>${minMaps - 1}` : `${minMaps}-${maxMaps}`;
}

/** A job of so many maps is of the group; null: every job is. */
export function isIn(group: SizeGroup | null, maps: number): boolean {
  if (group === null) return true;
  const bin = sizeBinOf(maps);
  return bin >= SIZE_GROUPS[group].first && bin <= SIZE_GROUPS[group].last;
}
