import { regressJsonSchema } from "../io/regress/load-regress.js";
import { benchJsonSchema } from "../io/results/bench-schema.js";
import { jsonText, summaryJsonSchema } from "../io/results/summary-schema.js";
import { scenarioJsonSchema } from "../io/scenario/scenario-schema.js";
import { sweepJsonSchema } from "../io/sweep/sweep-schema.js";
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
