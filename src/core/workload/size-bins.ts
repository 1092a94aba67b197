/** The job-size classes of the paper (Table 2), by number of maps. Bounds are inclusive. */
export interface SizeBin {
  readonly label: string;
  readonly minMaps: number;
  readonly maxMaps: number;
}

export const SIZE_BINS: readonly SizeBin[] = [
  { label: "1", minMaps: 1, maxMaps: 1 },
  { label: "2", minMaps: 2, maxMaps: 2 },
  { label: "3-20", minMaps: 3, maxMaps: 20 },
  { label: "21-60", minMaps: 21, maxMaps: 60 },
  { label: "61-150", minMaps: 61, maxMaps: 150 },
  { label: "151-300", minMaps: 151, maxMaps: 300 },
  { label: "301-500", minMaps: 301, maxMaps: 500 },
  { label: "501-1500", minMaps: 501, maxMaps: 1500 },
  { label: ">1500", minMaps: 1501, maxMaps: Infinity },
];

/** Index into SIZE_BINS of a job with `maps` maps; a job without maps counts as the smallest. */
export function sizeBinOf(maps: number): number {
  for (let bin = SIZE_BINS.length - 1; bin > 0; bin--) {
    if (maps >= SIZE_BINS[bin].minMaps) return bin;
  }
  return 0;
}
