import * as z from "zod";
import { noteSchemaOf, poolNoteSchemaOf, type SchemaMakers } from "../../core/record/index.js";

/** Functions of zod, listed one by one: as a whole namespace, all of zod would be bundled into every program. */
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
