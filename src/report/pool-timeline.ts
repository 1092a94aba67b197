import { formatTime } from "../core/kernel/time.js";
import type { PoolSampleColumns, SampleColumns } from "../core/metrics/run-record.js";
import { WIDTH } from "./layout.js";

/** A timeline of more pools says less than the tables. */
const MOST_POOLS = 8;
const FEWEST_SAMPLES = 10;
const NAME_WIDTH = 24;
const BARS = " ▁▂▃▄▅▆▇█";

/** The samples of a run, and what a full bar stands for. */
export interface TimelineSamples {
  readonly samples: SampleColumns;
  readonly poolSamples: PoolSampleColumns;
  readonly mapSlots: number;
}

/**
 * How many map slots each pool held over time, a line of bars per pool; none where there is little to see: one pool, or
 * too many, or too few samples.
 */
export function poolTimeline({ samples, poolSamples, mapSlots }: TimelineSamples): string[] {
  const pools = [...new Set(poolSamples.pool)].sort((a, b) => a - b);
  if (pools.length < 2 || pools.length > MOST_POOLS || samples.rows < FEWEST_SAMPLES) return [];
  const names = pools.map((pool) => shorten(poolSamples.poolNames[pool]));
  const nameWidth = Math.max(...names.map((name) => name.length)) + 2;
  const columns = Math.min(samples.rows, WIDTH - nameWidth);
  const columnOf = new Map<number, number>();
  const counts = new Int32Array(columns);
  for (let row = 0; row < samples.rows; row++) {
    const column = Math.floor((row * columns) / samples.rows);
    columnOf.set(samples.atUs[row], column);
    counts[column]++;
  }
  const lines = pools.map(
    (pool, i) => names[i].padEnd(nameWidth) + bars(pool, poolSamples, columnOf, counts, mapSlots),
  );
  const endUs = samples.atUs[samples.rows - 1];
  return [`Map slots held by each pool, 0s to ${formatTime(endUs)} (full height: ${String(mapSlots)} slots)`, ...lines];
}

/** A bar for each column: the mean of its samples; a pool without demand has no sample and holds nothing. */
function bars(
  pool: number,
  poolSamples: PoolSampleColumns,
  columnOf: ReadonlyMap<number, number>,
  counts: Int32Array,
  mapSlots: number,
): string {
  const sums = new Float64Array(counts.length);
  for (let row = 0; row < poolSamples.rows; row++) {
    const column = columnOf.get(poolSamples.atUs[row]);
    if (poolSamples.pool[row] === pool && column !== undefined) sums[column] += poolSamples.runningMaps[row];
  }
  const text = Array.from(sums, (sum, column) => {
    const share = sum / counts[column] / Math.max(1, mapSlots);
    // Something is never drawn as nothing.
    return BARS[sum === 0 ? 0 : Math.max(1, Math.min(BARS.length - 1, Math.round(share * (BARS.length - 1))))];
  });
  return text.join("").trimEnd();
}

function shorten(name: string): string {
  return name.length <= NAME_WIDTH ? name : `${name.slice(0, NAME_WIDTH - 1)}…`;
}
