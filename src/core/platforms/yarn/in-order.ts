/** Far fewer candidates than this are looked for one by one, without sorting all. */
const FEW = 8;

/**
 * Goes through some in order until one says that it is done. Where one of the first does, the others are not sorted.
 * @param rest is used up.
 */
export function untilDone<T>(rest: T[], before: (a: T, b: T) => number, isDone: (one: T) => boolean): boolean {
  for (let tried = 0; rest.length > 0; tried++) {
    if (tried === FEW) {
      rest.sort(before);
      return rest.some(isDone);
    }
    let first = 0;
    for (let i = 1; i < rest.length; i++) if (before(rest[i], rest[first]) < 0) first = i;
    const one = rest[first];
    rest[first] = rest[rest.length - 1];
    rest.pop();
    if (isDone(one)) return true;
  }
  return false;
}
