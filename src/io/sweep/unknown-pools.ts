import { poolMeasureParts } from "../../experiments/measures/pool-measures.js";
import type { RunOutcome } from "../../experiments/sweep/sweep-record.js";
import { nearest, printable, quote } from "../scenario/show.js";

/* Measures of pools that do not exist. Only runs tell which pools there are. */

/** More pools are not listed in a message. */
const MOST_NAMED = 20;

const NO_JOB = "no job was in the pool";

/** What is wrong with measures of pools that no job was in. @param pools those that jobs were in. */
export function unknownPools(keys: readonly string[], pools: readonly string[]): string[] {
  const known = new Set(pools.flatMap((pool) => [pool, ...outerPools(pool)]));
  const asked = new Set(keys.flatMap((key) => poolMeasureParts(key)?.pool ?? []));
  return [...asked].flatMap((pool) => {
    if (known.has(pool)) return [];
    const names = [...known].map((one) => printable(one).slice(0, 60)).sort((a, b) => (a < b ? -1 : 1));
    const near = nearest(pool, names);
    const more = names.length > MOST_NAMED ? ` and ${String(names.length - MOST_NAMED)} more` : "";
    const meant = near === undefined ? "" : `; did you mean ${quote(near)}?`;
    return [`${NO_JOB} ${quote(pool)}; the pools are ${names.slice(0, MOST_NAMED).join(", ")}${more}${meant}`];
  });
}

/** Those notes of `unknownPools` that all runs have: most likely the name is wrong. */
export function unknownInAll(outcomes: readonly RunOutcome[]): string[] {
  const notes = outcomes.flatMap((run) => (run.outcome === "done" ? [run.notes] : []));
  const poolOf = (note: string): string => note.split(";")[0];
  return (notes[0] ?? []).filter(
    (note) => note.startsWith(NO_JOB) && notes.every((own) => own.some((other) => poolOf(other) === poolOf(note))),
  );
}

/** Of `a.b.c`: `a.b` and `a`. */
function outerPools(pool: string): string[] {
  const parts = pool.split(".");
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("."));
}
