/** So many are looked for one by one; then the others are sorted. */
const FEW = 8;

/** What is asked in turn: a queue, or an application. */
export interface InTurn {
  /** The turn in which it was asked last. */
  askedIn: number;
}

/**
 * Asks some in order until one says that it is done. Where one of the first does, the others are not sorted.
 * @param turn no other has this number.
 */
export function untilDone<T extends InTurn>(
  all: readonly T[],
  turn: number,
  mayBeAsked: (one: T) => boolean,
  before: (a: T, b: T) => number,
  isDone: (one: T) => boolean,
): boolean {
  for (let asked = 0; asked < FEW; asked++) {
    let first: T | null = null;
    for (const one of all) {
      if (one.askedIn === turn || !mayBeAsked(one)) continue;
      if (first === null || before(one, first) < 0) first = one;
    }
    if (first === null) return false;
    first.askedIn = turn;
    if (isDone(first)) return true;
  }
  const others = all.filter((one) => one.askedIn !== turn && mayBeAsked(one));
  return others.sort(before).some(isDone);
}
