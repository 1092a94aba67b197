import { jsonText, readExplained, readExplainedYarn, RefusedFile } from "../io/index.js";
import {
  allocationsReport,
  capacitiesReport,
  elementLines,
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
  const isJson = options.json === true;
  try {
    const read = options.platform === "yarn" ? readExplainedYarn(file) : readExplained(file);
    await print(isJson ? json(file, read) : words(file, read, stdoutPaint()));
  } catch (error) {
    // Refused settings stand among all that the file says; the error follows.
    if (error instanceof RefusedFile) {
      const { elements } = error;
      await print(isJson ? jsonText({ file, elements }) : `${elementLines(elements, stdoutPaint()).join("\n")}\n`);
    }
    throw error;
  }
}

type Explained = ReturnType<typeof readExplained>;

function words(file: string, read: Explained, paint: Paint): string {
  switch (read.form) {
    case "hadoop-pools":
      return allocationsReport({ file, ...read }, paint);
    case "hadoop-queues":
      return capacitiesReport({ file, ...read }, paint);
    case "spark-pools":
      return sparkPoolsReport({ file, ...read }, paint);
    case "spark-conf":
      return sparkConfReport({ file, ...read }, paint);
    case "yarn-fair":
      return yarnFairReport({ file, ...read }, paint);
    case "yarn-capacity":
      return yarnCapacityReport({ file, ...read }, paint);
    case "yarn-site":
      return yarnSiteReport({ file, ...read }, paint);
  }
}

function json(file: string, read: Explained): string {
  switch (read.form) {
    case "hadoop-pools":
    case "hadoop-queues": {
      const { notes, elements } = read;
      const contents =
        "allocations" in read ? { allocations: finite(read.allocations) } : { queues: finite(read.queues) };
      return jsonText({ file, form: "hadoop-1", ...contents, notes, elements });
    }
    case "yarn-fair":
    case "yarn-capacity":
    case "yarn-site": {
      const { form, ...fields } = read;
      const plain = "users" in fields ? { ...fields, users: Object.fromEntries(fields.users) } : fields;
      return jsonText({ file, form, ...(finite(plain) as object) });
    }
    case "spark-pools":
      return jsonText({ file, form: read.form, pools: read.pools, notes: read.notes });
    case "spark-conf":
      return jsonText({ file, form: read.form, lines: read.lines, notes: read.notes });
  }
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
