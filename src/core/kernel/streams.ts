import seedrandom from "seedrandom";

/** A random sequence named by the purpose it serves. */
export interface Stream {
  /** The next draw, uniform in [0, 1), 53 bits. */
  next(): number;
  /** The next draw, a uniform integer in [0, bound). */
  below(bound: number): number;
}

/**
 * Returns the stream of one purpose under the root seed. Streams with different names are independent, so that a new
 * actor or purpose changes no other draws. The generator is tychei, whose sequentially named streams showed no
 * correlation.
 */
export function streamFor(rootSeed: string, name: string): Stream {
  const generator = seedrandom.tychei(`${rootSeed}/${name}`);
  return {
    next: () => generator.double(),
    below: (bound) => Math.floor(generator.double() * bound),
  };
}
