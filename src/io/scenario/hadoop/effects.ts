import * as z from "zod";
import { showPath } from "../show.js";
import { effectOf, type Effect, type Facts } from "../setting.js";

// Where settings have an effect. A setting names one of these; given where it changes nothing, the user is told.

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

/** Of a rule for speculation. */
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

interface Found {
  readonly path: readonly PropertyKey[];
  readonly effect: Effect;
}

function withoutEffect(schema: z.ZodType, value: unknown, facts: Facts, path: readonly PropertyKey[]): Found[] {
  if (value === undefined) return [];
  const of = formOf(schema, value);
  const effect = effectOf(schema) ?? (of && effectOf(of));
  if (effect !== undefined && !effect.holds(facts, value)) return [{ path, effect }];
  if (of === undefined) return [];
  if (of instanceof z.ZodArray) {
    return (value as unknown[]).flatMap((item, i) => withoutEffect(of.element as z.ZodType, item, facts, [...path, i]));
  }
  const given = value as Record<string, unknown>;
  const found = Object.entries(of.shape).flatMap(([key, inner]) =>
    withoutEffect(inner as z.ZodType, given[key], facts, [...path, key]),
  );
  const isOwn = (one: Found): boolean => one.path.length === path.length + 1;
  return [...found.filter(isOwn), ...found.filter((one) => !isOwn(one))];
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
  return Object.entries(value).every(([key, given]) => {
    const of = shape[key] as z.ZodType | undefined;
    return !(of instanceof z.ZodLiteral) || of.values.has(given as string);
  });
}
