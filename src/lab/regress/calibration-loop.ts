/**
 * Work of a fixed amount that resembles a simulation: an event set of a few thousand entries and one of hundreds of
 * thousands, tables that fit a core's own cache and one that does not, integers throughout, hardly a new object. A
 * machine or an hour that is slower at the one is slower at the other, so that the ratio of both says more about the
 * code than either.
 */

/** The version of the loop: ratios to another one cannot be compared. Raise it with every change of the work below. */
export const CALIBRATION_VERSION = 1;

const SMALL_SET = 2000;

const LARGE_SET = 400_000;

const SMALL_SET_ROUNDS = 1_500_000;

const LARGE_SET_ROUNDS = 600_000;

const NEAR_BITS = 16;

const FAR_BITS = 22;

const NEAR_ROUNDS = 10_000_000;

const FAR_ROUNDS = 500_000;

/** Does the work once. @returns what it comes to, always the same. */
export function calibrationLoop(): number {
  let sum = eventSet(SMALL_SET, SMALL_SET_ROUNDS);
  sum = Math.imul(sum ^ eventSet(LARGE_SET, LARGE_SET_ROUNDS), 0x9e3779b1);
  sum = Math.imul(sum ^ table(NEAR_BITS, NEAR_ROUNDS), 0x9e3779b1);
  return Math.imul(sum ^ table(FAR_BITS, FAR_ROUNDS), 0x9e3779b1) >>> 0;
}

/**
 * Fills a binary heap to `size`, then takes the least and puts a later one in its place, as a run does with its events.
 */
function eventSet(size: number, rounds: number): number {
  const keys = new Float64Array(size + 1);
  const items = new Int32Array(size + 1);
  let count = 0;
  let draw = 12345;
  let sum = 0;
  for (let round = 0; round < rounds; round++) {
    draw = nextDraw(draw);
    if (count < size) {
      rise(keys, items, ++count, draw >>> 0, round);
    } else {
      sum = (sum + items[1]) | 0;
      sink(keys, items, count, keys[1] + (draw >>> 8), round);
    }
  }
  return sum;
}

function rise(keys: Float64Array, items: Int32Array, from: number, key: number, item: number): void {
  let place = from;
  for (; place > 1 && keys[place >> 1] > key; place >>= 1) {
    keys[place] = keys[place >> 1];
    items[place] = items[place >> 1];
  }
  keys[place] = key;
  items[place] = item;
}

function sink(keys: Float64Array, items: Int32Array, count: number, key: number, item: number): void {
  let place = 1;
  for (let child = 2; child <= count; child = place * 2) {
    if (child < count && keys[child + 1] < keys[child]) child++;
    if (keys[child] >= key) break;
    keys[place] = keys[child];
    items[place] = items[child];
    place = child;
  }
  keys[place] = key;
  items[place] = item;
}

/** Reads and writes at unpredictable places; each depends on the value read before. */
function table(bits: number, rounds: number): number {
  const words = new Int32Array(1 << bits);
  const mask = words.length - 1;
  for (let index = 0; index < words.length; index++) words[index] = Math.imul(index, 0x9e3779b1);
  let place = 777;
  let sum = 0;
  for (let round = 0; round < rounds; round++) {
    place = Math.imul(place ^ (place >>> 15), 0x2c1b3c6d);
    place ^= place >>> 12;
    const slot = (place ^ round) & mask;
    const word = words[slot];
    sum = (sum + word) | 0;
    words[(slot + 17) & mask] = word ^ round;
    place = (place + (word & 7)) | 0;
  }
  return sum;
}

/** 32-bit xorshift; never 0. */
function nextDraw(draw: number): number {
  let x = draw;
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  return x;
}

/** CPU time of this process since then, user + system, all threads. */
export function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
