import { alphabetical } from "../../core/kernel/index.js";
import type { GroupKind, JobGroup } from "../../core/record/index.js";
import { groupKeyParts, nameInKey, type RunOutcome } from "../../experiments/index.js";
import { suggestion, nearest, printable, quote } from "../scenario/show.js";

/* Measures of pools and users that do not exist. Only runs tell which there are. */

/** More pools, or users, are not listed in a message. */
const MOST_NAMED = 20;

const NO_JOB: Readonly<Record<GroupKind, string>> = {
  pool: "no job was in the pool",
  user: "no job was of the user",
};

/** Notes on measures of pools and users without jobs. @param names pools and users that have jobs. */
export function unknownGroups(
  keys: readonly string[],
  names: Readonly<Record<GroupKind, readonly string[]>>,
): string[] {
  const known = {
    pool: new Set(names.pool.flatMap((pool) => [pool, ...outerPools(pool)])),
    user: new Set(names.user),
  };
  const requested = keys.flatMap((key) => groupKeyParts(key)?.group ?? []);
  const unknown = ({ kind, name }: JobGroup) => {
    const presentNames = [...known[kind]].sort(alphabetical);
    // As YARN writes a queue.
    const short = name.replace(/^root\./, "");
    const near = known[kind].has(short) ? short : nearest(name, presentNames);
    const more = presentNames.length > MOST_NAMED ? ` and ${presentNames.length - MOST_NAMED} more` : "";
    const listed = presentNames
      .slice(0, MOST_NAMED)
      .map((presentName) => printable(nameInKey(presentName)).slice(0, 60));
    return `${NO_JOB[kind]} ${quote(name)}; the ${kind}s are ${listed.join(", ")}${more}${suggestion(near)}`;
  };
  return [...new Set(requested.filter(({ kind, name }) => !known[kind].has(name)).map(unknown))];
}

/** Notes of `unknownGroups` that all runs have: most likely the name is wrong. */
export function unknownInAll(outcomes: readonly RunOutcome[]): string[] {
  const notes = outcomes.flatMap((run) =>
    run.outcome === "done" ? [run.notes.filter((note) => typeof note === "string")] : [],
  );
  const groupOf = (note: string) => note.split(";")[0];
  return (notes[0] ?? []).filter(
    (note) =>
      Object.values(NO_JOB).some((words) => note.startsWith(words)) &&
      notes.every((runNotes) => runNotes.some((runNote) => groupOf(runNote) === groupOf(note))),
  );
}

/** The pools around a pool: `a.b` and `a` for `a.b.c`. */
function outerPools(pool: string): string[] {
  const parts = pool.split(".");
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("."));
}
