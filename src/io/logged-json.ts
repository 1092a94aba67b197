// Fields of JSON objects that other programs wrote: readers return null or nothing for what is missing
// or of another type.

export type Json = Readonly<Record<string, unknown>>;

/** The latest instant that counts as one: in 2065. */
const LATEST_MS = 3e12;

const LONGEST_TEXT = 300;

export const NOTHING: Json = {};

export function child(object: Json, key: string): Json {
  const value = object[key];
  return typeof value === "object" && value !== null ? (value as Json) : NOTHING;
}

export function instant(object: Json, key: string): number | null {
  const value = object[key];
  return typeof value === "number" && value > 0 && value <= LATEST_MS ? Math.round(value) : null;
}

/** A count, a number of something, or a span in ms. */
export function whole(object: Json, key: string): number | null {
  const value = object[key];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

export function text(object: Json, key: string): string {
  const value = object[key];
  return typeof value === "string" ? value.slice(0, LONGEST_TEXT) : "";
}

export function wholes(object: Json, key: string): number[] {
  const value = object[key];
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is number => typeof item === "number" && Number.isSafeInteger(item) && item >= 0);
}

export function objects(object: Json, key: string): Json[] {
  const value = object[key];
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Json => typeof item === "object" && item !== null);
}

/** Numbers of tasks and cores that are one: the largest of Java. */
export const MOST = 2 ** 31 - 1;

/** Why an event is not used. */
export class Unusable extends Error {}

export function needed<T>(value: T | null, name: string): T {
  if (value === null) throw new Unusable(`${name} is missing or impossible`);
  return value;
}
