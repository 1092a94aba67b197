import { readAllocations, type ReadAllocations } from "../io/allocations/read.js";
import { jsonText } from "../io/results/summary-schema.js";
import { allocationsReport } from "../report/allocations-report.js";
import { print, stdoutPaint } from "./terminal.js";

/** `bide explain-config`: what an allocation file says, for people or as JSON. */
export async function explainConfig(file: string, options: { readonly json?: boolean }): Promise<void> {
  const read = readAllocations(file, file);
  await print(
    options.json === true ? allocationsJson(file, read) : allocationsReport({ file, ...read }, stdoutPaint()),
  );
}

/** JSON has no Infinity: limits without one are `"unlimited"`, timeouts without one `"never"`. */
function allocationsJson(file: string, { form, allocations, notes }: ReadAllocations): string {
  const finite: unknown = JSON.parse(
    JSON.stringify(allocations, (key, value: unknown) => {
      if (value !== Infinity) return value;
      return key.endsWith("TimeoutUs") ? "never" : "unlimited";
    }),
  );
  return jsonText({ file, form, allocations: finite, notes });
}
