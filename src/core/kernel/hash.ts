/** A bijective mixer of 32 bits (two multiply-xorshift rounds); every output bit depends on every input bit. */
export function mix32(word: number): number {
  let x = word | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/**
 * A stateless random word for draw `counter` of `entity` under `seed`: the random numbers of the hot path.
 * The same three integers give the same word on every machine, thread and in every order of asking.
 */
export function counterHash(seed: number, entity: number, counter: number): number {
  return drawOf(entityWord(seed, entity), counter);
}

/** Returns the common part of all draws of an entity: for callers that make several of them in a row. */
export function entityWord(seed: number, entity: number): number {
  return mix32(seed ^ Math.imul(entity, 0x9e3779b1)) | 0;
}

/** Draw `counter` of the entity that has this `entityWord`: what `counterHash` gives. */
export function drawOf(word: number, counter: number): number {
  return mix32((word + Math.imul(counter, 0x85ebca77) + 0x165667b1) | 0);
}

/** A 32-bit seed word for a named purpose under the root seed, for `counterHash`. FNV-1a over UTF-16, then mixed. */
export function seedWord(rootSeed: string, name: string): number {
  const text = `${rootSeed}/${name}`;
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  }
  return mix32(h ^ text.length);
}

/** A word scaled to an integer in [0, bound). */
export function scaled(word: number, bound: number): number {
  return Math.floor((word / 4294967296) * bound);
}

/** A word as a fraction in (0, 1): the middle of its 2^-32 cell, so that neither end is ever met. */
export function fractionOf(word: number): number {
  return ((word >>> 0) + 0.5) / 4294967296;
}
