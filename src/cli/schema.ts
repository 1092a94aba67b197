import { jsonText, summaryJsonSchema } from "../io/results/summary-schema.js";
import { scenarioJsonSchema } from "../io/scenario/json-schema.js";
import { print } from "./printing.js";

export type SchemaName = "scenario" | "summary";

/** `bide schema`: the JSON Schema of what is read or written. */
export async function schema(name: SchemaName): Promise<void> {
  await print(jsonText(name === "scenario" ? scenarioJsonSchema() : summaryJsonSchema()));
}
