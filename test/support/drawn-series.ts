import { seedWord, counterHash, fractionOf, normalQuantile } from "../../dist/core/kernel/index.js";

/** Draws of a seed, one after another: uniform in (0, 1), standard normal, exponential with mean 1. */
export function drawsOf(seed: string) {
  const word = seedWord(seed, "test");
  let counter = 0;
  const uniform = () => fractionOf(counterHash(word, 0, counter++));
  return { uniform, normal: () => normalQuantile(uniform()), exponential: () => -Math.log(uniform()) };
}

/** Each value remembers a share of how far the one before was from the mean; the first is `start` away from it. */
export function autoregressive(seed: string, length: number, mean: number, memory: number, start: number): number[] {
  const { normal } = drawsOf(seed);
  let away = start;
  return Array.from({ length }, () => {
    const value = mean + away;
    away = memory * away + normal();
    return value;
  });
}

/**
 * Waits of customers of one server (Lindley), both times exponential, one arriving per unit of time; the first waits
 * `start`.
 */
export function waitsInQueue(seed: string, length: number, busy: number, start: number): number[] {
  const { exponential } = drawsOf(seed);
  let wait = start;
  return Array.from({ length }, () => {
    const own = wait;
    wait = Math.max(0, wait + busy * exponential() - exponential());
    return own;
  });
}
