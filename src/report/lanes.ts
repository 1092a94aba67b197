/**
 * Returns for each bar, which come by their beginnings, the first lane of its group in which nothing runs then: bars
 * of a lane never overlap.
 */
export function lanesOf<T>(
  bars: readonly T[],
  groupOf: (bar: T) => number,
  endsOf: (bar: T) => readonly [from: number, until: number],
): number[] {
  const busyUntil = new Map<number, number[]>();
  return bars.map((bar) => {
    const [from, until] = endsOf(bar);
    const ends = busyUntil.get(groupOf(bar)) ?? [];
    busyUntil.set(groupOf(bar), ends);
    const free = ends.findIndex((end) => end <= from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = until;
    return lane;
  });
}
