import { scaled } from "../kernel/index.js";

/**
 * How a table is used that says what a log recorded beside run times, such as the time of drivers and masters, and attempts that failed: as
 * recorded; not at all, so that the constants of the runtime hold; or held out by stage, each stage with those of others, which shows what a
 * prediction of a stage that no log recorded is worth.
 */
export const COPIED = ["recorded", "none", "heldOut"] as const;

export type Copied = (typeof COPIED)[number];

/** A place among `all`, each as likely, but none of the `own` ones that lie together from `first` on. */
export function placeBeside(hash: number, all: number, first: number, own: number): number {
  const at = scaled(hash, all - own);
  return at < first ? at : at + own;
}
