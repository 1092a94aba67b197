import { type ReadAllocations, type ReadCapacities, readExplained, jsonText } from "../io/index.js";
import { allocationsReport, capacitiesReport, sparkConfReport, sparkPoolsReport } from "../report/index.js";
import { print, stdoutPaint } from "./printing.js";

/** `bide explain-config`: what a scheduler's configuration file says, for people or as JSON. */
export async function explainConfig(file: string, options: { readonly json?: boolean }): Promise<void> {
  const { allocations, capacities, spark } = readExplained(file);
  const paint = stdoutPaint();
  const isJson = options.json === true;
  if (spark !== null) {
    if ("pools" in spark) {
      const { pools, notes } = spark;
      await print(
        isJson ? jsonText({ file, form: "spark-pools", pools, notes }) : sparkPoolsReport({ file, ...spark }, paint),
      );
    } else {
      const { lines, notes } = spark;
      await print(
        isJson ? jsonText({ file, form: "spark-conf", lines, notes }) : sparkConfReport({ file, ...spark }, paint),
      );
    }
  } else if (isJson) {
    await print(allocations === null ? capacitiesJson(file, capacities) : allocationsJson(file, allocations));
  } else if (allocations === null) await print(capacitiesReport({ file, ...capacities }, paint));
  else await print(allocationsReport({ file, ...allocations }, paint));
}

function allocationsJson(file: string, { form, allocations, notes }: ReadAllocations): string {
  return jsonText({ file, form, allocations: finite(allocations), notes });
}

function capacitiesJson(file: string, { form, queues, notes }: ReadCapacities): string {
  return jsonText({ file, form, queues: finite(queues), notes });
}

/** JSON has no Infinity: limits without one are `"unlimited"`, timeouts without one `"never"`. */
function finite(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => {
      if (inner !== Infinity) return inner;
      return key.endsWith("TimeoutUs") ? "never" : "unlimited";
    }),
  );
}
