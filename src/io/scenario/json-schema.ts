import { z } from "zod";
import { scenarioSchema } from "./scenario-schema.js";

/**
 * JSON Schema (draft 7) of scenario files, for completion and hints in editors. It is a little wider than the reader, which
 * also checks what a schema cannot say: upper bounds of times and sizes, unique names, replication against nodes.
 */
export function scenarioJsonSchema(): object {
  const schema = z.toJSONSchema(scenarioSchema, { io: "input", target: "draft-7" });
  return { ...schema, title: "Bide scenario" };
}
