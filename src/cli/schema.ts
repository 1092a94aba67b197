import {
  regressJsonSchema,
  benchJsonSchema,
  jsonText,
  summaryJsonSchema,
  scenarioJsonSchema,
  sweepJsonSchema,
} from "../io/index.js";
import { printData } from "./printing.js";

export type SchemaName = "scenario" | "sweep" | "summary" | "bench" | "regress";

const SCHEMAS: Readonly<Record<SchemaName, () => object>> = {
  scenario: scenarioJsonSchema,
  sweep: sweepJsonSchema,
  summary: summaryJsonSchema,
  bench: benchJsonSchema,
  regress: regressJsonSchema,
};

/** `bide schema`: the JSON Schema of what is read or written. */
export async function schema(name: SchemaName): Promise<void> {
  await printData(jsonText(SCHEMAS[name]()));
}
