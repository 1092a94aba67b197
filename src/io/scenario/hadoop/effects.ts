import * as z from "zod";
import { showPath } from "../show.js";
import { effectOf, type Effect, type Facts } from "../setting.js";

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

/** The condition of a rule for speculation. */
export const UNDER_HADOOP: Effect = {
  label: "hadoop",
  holds: ({ speculation }) => speculation !== "late",
  otherwise: "under the rule late",
};
export const UNDER_LATE: Effect = {
  label: "late",
  holds: ({ speculation }) => speculation !== "hadoop",
  otherwise: "under the rule hadoop",
};

/** The settings of a file that are given and change nothing, as sentences for the user. */
export function effectNotes(schema: z.ZodObject, file: object, facts: Facts): string[] {
  const groups = new Map<string, string[]>();
  for (const { path, effect } of withoutEffect(schema, file, facts, [])) {
    const where = typeof effect.otherwise === "string" ? effect.otherwise : effect.otherwise(facts);
    groups.set(where, [...(groups.get(where) ?? []), showPath(path)]);
  }
  return [...groups].map(([where, paths]) => {
    const more = paths.length - MOST_NAMED + 1;
    const named = more > 1 ? [...paths.slice(0, MOST_NAMED - 1), `${String(more)} more`] : paths;
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
  const isOwn = (entry: Ineffective): boolean => entry.path.length === path.length + 1;
  return [...ineffective.filter(isOwn), ...ineffective.filter((entry) => !isOwn(entry))];
}

/** The mapping or list that the value is, of all that it may be. */
function formOf(schema: z.ZodType, value: unknown): z.ZodArray | z.ZodObject | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault)
    return formOf(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodPipe) return formOf(schema.in as z.ZodType, value);
  if (schema instanceof z.ZodUnion) {
    for (const option of schema.options) {
      const form = formOf(option as z.ZodType, value);
      if (form !== undefined) return form;
    }
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? schema : undefined;
  return schema instanceof z.ZodObject && !Array.isArray(value) && isOfKind(schema, value) ? schema : undefined;
}

function isOfKind({ shape }: z.ZodObject, value: object): boolean {
  return Object.entries(value).every(([key, fieldValue]) => {
    const fieldSchema = shape[key] as z.ZodType | undefined;
    return !(fieldSchema instanceof z.ZodLiteral) || fieldSchema.values.has(fieldValue as string);
  });
}
