/**
 * Offers between the ends of a read between racks: rates, in bytes per second. An offer travels as one word, a float of
 * 22 bits of precision, rounded down, with the number of the end that makes it in its two lowest bits.
 */

const NO_OFFER = -1;
const END_BITS = 3;
/** Between neighbouring offers there is less than this part of them. */
export const OFFER_STEP = 1 / 2 ** 20;

const FLOAT = new Float32Array(1);
const BITS = new Int32Array(FLOAT.buffer);

export function offerWord(bytesPerSecond: number, end: number): number {
  FLOAT[0] = bytesPerSecond;
  if (FLOAT[0] > bytesPerSecond) BITS[0]--;
  return (BITS[0] & ~END_BITS) | end;
}

export function offeredRate(word: number): number {
  BITS[0] = word & ~END_BITS;
  return FLOAT[0];
}

export function offeringEnd(word: number): number {
  return word & END_BITS;
}

/** The offers of one end for one read, in order of time. */
export class Offers {
  private readonly made: { readonly atUs: number; readonly rate: number }[] = [];

  add(atUs: number, rate: number): void {
    this.made.push({ atUs, rate });
  }

  /** -1: there is none. */
  last(): number {
    return this.made.at(-1)?.rate ?? NO_OFFER;
  }

  /** The last one made at that time or before; -1: there is none. */
  lastBy(us: number): number {
    const { made } = this;
    let i = made.length - 1;
    while (i >= 0 && made[i].atUs > us) i--;
    return i < 0 ? NO_OFFER : made[i].rate;
  }

  /** Drops offers that were superseded before that time: no reader needs them any more. */
  forgetBefore(us: number): void {
    const { made } = this;
    while (made.length > 1 && made[1].atUs <= us) made.shift();
  }

  clear(): void {
    this.made.length = 0;
  }
}
