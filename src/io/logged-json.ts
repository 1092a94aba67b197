// Fields of JSON objects that other programs wrote: what is missing or is of another type is told apart from what is
// there.

export type Json = Readonly<Record<string, unknown>>;

/** The latest instant that counts as one: in 2065. */
const LATEST_MS = 3e12;

const LONGEST_TEXT = 300;

export const NOTHING: Json = {};

export function child(of: Json, key: string): Json {
  const value = of[key];
  return typeof value === "object" && value !== null ? (value as Json) : NOTHING;
}

export function instant(of: Json, key: string): number | null {
  const value = of[key];
  return typeof value === "number" && value > 0 && value <= LATEST_MS ? Math.round(value) : null;
}

/** A count, a number of something, or a span in ms. */
export function whole(of: Json, key: string): number | null {
  const value = of[key];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

export function text(of: Json, key: string): string {
  const value = of[key];
  return typeof value === "string" ? value.slice(0, LONGEST_TEXT) : "";
}

export function wholes(of: Json, key: string): number[] {
  const value = of[key];
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is number => typeof one === "number" && Number.isSafeInteger(one) && one >= 0);
}

export function objects(of: Json, key: string): Json[] {
  const value = of[key];
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Json => typeof one === "object" && one !== null);
}

/** Numbers of tasks and cores that are one: the largest of Java. */
export const MOST = 2 ** 31 - 1;

/** Why an event is not used. */
export class Unusable extends Error {}

export function needed<T>(value: T | null, what: string): T {
  if (value === null) throw new Unusable(`${what} is missing or impossible`);
  return value;
}
