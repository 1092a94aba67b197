import * as z from "zod";
import { type Summary, summarySchemaOf } from "../../core/record/index.js";
import { SCHEMA_MAKERS } from "./note-schema.js";

/** The schema of `summary.json`. Strict: it names every key. */
export const summarySchema = summarySchemaOf(SCHEMA_MAKERS);

/** JSON Schema (draft 7) of `summary.json`. */
export function summaryJsonSchema(): object {
  const schema = z.toJSONSchema(summarySchema, { target: "draft-7" });
  return { ...schema, title: "Bide summary" };
}

/**
 * The text of `summary.json`.
 * @throws Error when the summary is not what its schema says, NaN and Infinity included: our fault, never the user's.
 */
export function summaryText(summary: Summary): string {
  const checked = summarySchema.safeParse(summary);
  if (!checked.success) throw new Error(`the summary breaks its own schema:\n${z.prettifyError(checked.error)}`);
  return jsonText(summary);
}

/** JSON for people and machines: indented, one newline at the end. */
export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
