/** So many are looked for one by one; then the others are sorted. */
const FEW = 8;
const NOWHERE = -1;

/** What is asked in turn: a queue, or an application. */
export interface InTurn {
  /** The turn in which it was asked last. */
  askedIn: number;
  /** Its place among those that ask for containers. */
  askerAt: number;
}

/** The members of a queue that ask for containers, in no order: an offer looks at no others. */
export class Askers<T extends InTurn> {
  private readonly all: T[] = [];

  set(one: T, asks: boolean): void {
    if (asks === one.askerAt > NOWHERE) return;
    if (asks) {
      one.askerAt = this.all.push(one) - 1;
      return;
    }
    const last = this.all.pop();
    if (last !== undefined && last !== one) {
      this.all[one.askerAt] = last;
      last.askerAt = one.askerAt;
    }
    one.askerAt = NOWHERE;
  }

  /**
   * Asks them in order until one says that it is done. Where one of the first does, the others are not sorted.
   * @param turn no other has this number.
   */
  untilDone(turn: number, before: (a: T, b: T) => number, isDone: (one: T) => boolean): boolean {
    const { all } = this;
    for (let asked = 0; asked < FEW; asked++) {
      let first: T | null = null;
      for (const one of all) {
        if (one.askedIn === turn) continue;
        if (first === null || before(one, first) < 0) first = one;
      }
      if (first === null) return false;
      first.askedIn = turn;
      if (isDone(first)) return true;
    }
    const others = all.filter(({ askedIn }) => askedIn !== turn);
    return others.sort(before).some(isDone);
  }
}
