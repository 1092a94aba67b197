/** Sets of small integers, a bit each, so that 32 of them are looked at in one go. */

/** Room for numbers below `size`, none of which is in the set. */
export function bitsFor(size: number): Int32Array {
  return new Int32Array((size + 31) >> 5);
}

export function hasBit(bits: Int32Array, member: number): boolean {
  return ((bits[member >> 5] >>> (member & 31)) & 1) !== 0;
}

export function setBit(bits: Int32Array, member: number): void {
  bits[member >> 5] |= 1 << (member & 31);
}

export function clearBit(bits: Int32Array, member: number): void {
  bits[member >> 5] &= ~(1 << (member & 31));
}
