import * as z from "zod";
import { showPath } from "../show.js";
import { effectOf, type Effect, type Facts, formOf } from "../setting.js";

// Conditions under which settings have an effect. Where the condition of a given setting fails, a note tells the user.

export const DETAILED: Effect = {
  label: "Detailed model",
  holds: ({ isDetailed }) => isDetailed,
  otherwise: "in the light model",
};

export const LIGHT: Effect = {
  label: "Light model",
  holds: ({ isDetailed }) => !isDetailed,
  otherwise: "in the detailed model",
};

/** Files that tasks need come over links in both models. */
export const DETAILED_OR_FILES: Effect = {
  ...DETAILED,
  holds: ({ isDetailed, needsFiles }) => isDetailed || needsFiles,
};

export const IN_ROWS: Effect = { holds: ({ hasRows }) => hasRows, otherwise: "where racks stand in no rows" };

export const WITH_FILES: Effect = {
  holds: ({ needsFiles }) => needsFiles,
  otherwise: "where no job needs a file on its nodes",
};

/** By the names that rows give. */
export const EFFECTS = {
  inRows: IN_ROWS,
  underHadoop: {
    label: "hadoop",
    holds: ({ speculation }) => speculation !== "late",
    otherwise: "under the rule late",
  },
  underLate: {
    label: "late",
    holds: ({ speculation }) => speculation !== "hadoop",
    otherwise: "under the rule hadoop",
  },
} satisfies Readonly<Record<string, Effect>>;

/** The settings of a file that are given and change nothing, as sentences for the user. */
export function effectNotes(schema: z.ZodObject, file: object, facts: Facts): string[] {
  const groups = new Map<string, string[]>();
  for (const { path, effect } of withoutEffect(schema, file, facts, [])) {
    const where = typeof effect.otherwise === "string" ? effect.otherwise : effect.otherwise(facts);
    groups.set(where, [...(groups.get(where) ?? []), showPath(path)]);
  }
  return [...groups].map(([where, paths]) => {
    const more = paths.length - MOST_NAMED + 1;
    const named = more > 1 ? [...paths.slice(0, MOST_NAMED - 1), `${more} more`] : paths;
    return `${named.join(", ")} ${named.length === 1 ? "has" : "have"} no effect ${where}`;
  });
}

/** A scenario may have thousands of rack groups. */
const MOST_NAMED = 8;

interface Ineffective {
  readonly path: readonly PropertyKey[];
  readonly effect: Effect;
}

function withoutEffect(schema: z.ZodType, value: unknown, facts: Facts, path: readonly PropertyKey[]): Ineffective[] {
  if (value === undefined) return [];
  const form = formOf(schema, value);
  const effect = effectOf(schema) ?? (form && effectOf(form));
  if (effect !== undefined && !effect.holds(facts, value)) return [{ path, effect }];
  if (form === undefined) return [];
  if (form instanceof z.ZodArray) {
    return (value as unknown[]).flatMap((item, i) =>
      withoutEffect(form.element as z.ZodType, item, facts, [...path, i]),
    );
  }
  const fields = value as Record<string, unknown>;
  const ineffective = Object.entries(form.shape).flatMap(([key, inner]) =>
    withoutEffect(inner as z.ZodType, fields[key], facts, [...path, key]),
  );
  const isOwn = (entry: Ineffective) => entry.path.length === path.length + 1;
  return [...ineffective.filter(isOwn), ...ineffective.filter((entry) => !isOwn(entry))];
}
