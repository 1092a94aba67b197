import * as z from "zod";
import { noteSchemaOf, poolNoteSchemaOf } from "../../core/record/index.js";

export const poolNoteSchema = poolNoteSchemaOf(z);
export const noteSchema = noteSchemaOf(z);
