import { counterHash, fractionOf, logUniform, scaled, seedWord } from "../kernel/index.js";

/**
 * The uses of a table of what a log recorded beside run times, such as the time of drivers and masters, and attempts
 * that failed: as recorded; not at all, so that the constants of the runtime hold; or held out by stage, each stage
 * with those of others, which shows what a prediction of a stage that no log recorded is worth.
 */
export const COPIED = ["recorded", "none", "heldOut"] as const;

export type Copied = (typeof COPIED)[number];

/** Returns one of `total` places, with equal probability, except the `size` consecutive ones from `first` on. */
export function placeBeside(hash: number, total: number, first: number, size: number): number {
  const index = scaled(hash, total - size);
  return index < first ? index : index + size;
}

/** A factor that is not known exactly: the ends of its 95 % interval, or of the range that is taken for possible. */
export interface FactorRange {
  readonly low: number;
  readonly high: number;
}

/**
 * Factors of one run: each is drawn from its range, with equal chances on a logarithmic scale. @param stream each has
 * one of its own, below this name.
 */
export function drawnFrom<Name extends string>(
  ranges: Readonly<Partial<Record<Name, FactorRange>>>,
  seed: string,
  stream: string,
): Partial<Record<Name, number>> {
  const drawn = (Object.entries(ranges) as [Name, FactorRange][]).map(([name, { low, high }]) => {
    const fraction = fractionOf(counterHash(seedWord(seed, `${stream}/${name}`), 0, 0));
    return [name, low === high ? low : logUniform(fraction, low, high)] as const;
  });
  return Object.fromEntries(drawn) as Partial<Record<Name, number>>;
}
