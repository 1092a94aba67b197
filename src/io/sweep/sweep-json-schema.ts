import { z } from "zod";
import { sweepSchema } from "./sweep-schema.js";

/**
 * JSON Schema (draft 7) of sweep files, for completion and hints in editors. It is wider than the reader, which also checks
 * paths, values at every point, names and conditions.
 */
export function sweepJsonSchema(): object {
  const schema = z.toJSONSchema(sweepSchema, { io: "input", target: "draft-7" });
  return { ...schema, title: "Bide sweep" };
}
