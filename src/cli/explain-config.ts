import { type ReadAllocations, type ReadCapacities, readExplained, readExplainedYarn, jsonText } from "../io/index.js";
import {
  allocationsReport,
  capacitiesReport,
  sparkConfReport,
  sparkPoolsReport,
  yarnCapacityReport,
  yarnFairReport,
  yarnSiteReport,
} from "../report/index.js";
import type { Paint } from "../report/index.js";
import { print, stdoutPaint } from "./printing.js";

/** `bide explain-config`: what a scheduler's configuration file says, for people or as JSON. */
export async function explainConfig(
  file: string,
  options: { readonly json?: boolean; readonly platform?: string },
): Promise<void> {
  if (options.platform === "yarn") {
    await print(yarnText(file, options.json === true, stdoutPaint()));
    return;
  }
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

/** What it says under YARN. */
function yarnText(file: string, isJson: boolean, paint: Paint): string {
  const read = readExplainedYarn(file);
  if (isJson) {
    const { form, ...rest } = read;
    return jsonText({
      file,
      form,
      ...(finite("users" in rest ? { ...rest, users: Object.fromEntries(rest.users) } : rest) as object),
    });
  }
  if (read.form === "yarn-fair") return yarnFairReport({ file, ...read }, paint);
  return read.form === "yarn-capacity"
    ? yarnCapacityReport({ file, ...read }, paint)
    : yarnSiteReport({ file, ...read }, paint);
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
