import * as z from "zod";
import { noteSchemaOf, poolNoteSchemaOf, type SchemaMakers } from "../../core/record/index.js";

/** One by one: the library as a value, its namespace, would keep all of it in every program. */
export const SCHEMA_MAKERS: SchemaMakers = {
  array: z.array,
  boolean: z.boolean,
  enum: z.enum,
  int: z.int,
  literal: z.literal,
  number: z.number,
  record: z.record,
  strictObject: z.strictObject,
  string: z.string,
  union: z.union,
};

export const poolNoteSchema = poolNoteSchemaOf(SCHEMA_MAKERS);
export const noteSchema = noteSchemaOf(SCHEMA_MAKERS);
