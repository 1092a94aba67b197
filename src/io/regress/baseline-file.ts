import * as z from "zod";
import type { Baseline } from "../../experiments/index.js";
import { InputError } from "../input-error.js";
import { jsonText } from "../results/summary-schema.js";
import { machineSchema } from "../results/bench-schema.js";
import { duplicate, inputError, problemsOf } from "../scenario/diagnose.js";
import { LIMITS } from "../scenario/limits.js";
import { plainTree, readYaml } from "../scenario/yaml-document.js";
import { printable } from "../scenario/show.js";
import { readTextFile, type TextFileKind } from "../text-file.js";

const UPDATE = "npx bide regress --update writes it";

/** It is printed as it is. */
const text = z.string().refine((found) => printable(found) === found);
const key = text.min(1).max(LIMITS.nameLength);
const cost = z.number().positive();

const speed = z.strictObject({
  ratio: cost.describe("CPU time / that of the calibration loop beside it."),
  cpuSeconds: cost,
  calibrationSeconds: cost,
  calibration: z.int().positive().describe("Version of that loop."),
});

const replication = z.strictObject({
  seed: key,
  fingerprint: z.string().regex(/^[0-9a-f]{32}$/),
  virtualSeconds: z.number().nonnegative(),
  counts: z.record(key, z.int().nonnegative()),
  values: z.record(key, z.number().nullable()).describe("By key of the measure; null: the run has no such value."),
  steps: z.record(key, z.number().nonnegative()).optional().describe("By key, the grids on which values lie."),
});

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const setting = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const run = z.strictObject({
  name: key,
  scenario: hash.describe("Hash of the resolved scenario."),
  settings: z.record(z.string(), setting).optional().describe("By path, all that the scenario resolves to."),
  files: z.record(z.string(), hash).optional().describe("Hashes of plugins and of the workload's file."),
  replications: z.array(replication).min(1),
  speed: speed.nullable(),
  peakMemoryMiB: cost.nullable(),
  machine: machineSchema,
});

const baselineSchema = z.strictObject({
  format: z.literal("bide-regress-baseline"),
  version: z.literal(1),
  runs: z.array(run).describe("In the order of the regression file."),
});

const BASELINE_FILE: TextFileKind = {
  file: "a baseline",
  contents: `a baseline; ${UPDATE}`,
  mostBytes: LIMITS.fileBytes,
  tooLarge: (shown, found) =>
    new InputError([{ file: shown, line: 0, column: 0, message: `found ${found}, allowed a baseline; ${UPDATE}` }]),
};

/**
 * The figures that `baselineText` wrote.
 * @throws InputError when there are none, or with every problem at its line and column.
 */
export function readBaseline(path: string): Baseline {
  return parseBaseline(readTextFile(path, path, BASELINE_FILE), path);
}

function parseBaseline(written: string, path: string): Baseline {
  const yaml = readYaml(written, path);
  const tree = plainTree(yaml);
  const parsed = baselineSchema.safeParse(tree, { error: allowed });
  if (parsed.success) {
    const names = parsed.data.runs.map(({ name }) => name);
    const again = names.flatMap((name, i) => {
      return names.indexOf(name) < i ? [duplicate(["runs", i, "name"], "run", name)] : [];
    });
    if (again.length > 0) throw inputError(again, yaml, []);
    const runs = parsed.data.runs.map(({ scenario, settings, files, ...rest }) => {
      return { ...rest, asked: { scenario, settings, files } };
    });
    return { runs };
  }
  const problems = problemsOf(parsed.error.issues, tree);
  const ofBaseline = problems.map((one) => ({ ...one, message: one.message.replace("the scenario", "the baseline") }));
  throw inputError(ofBaseline, yaml, []);
}

/**
 * The JSON of a baseline, for a file of that name. Throws when it breaks its own schema: a fault of ours.
 * @throws InputError when it is too large to be read again.
 */
export function baselineText({ runs: kept }: Baseline, path: string): string {
  const runs = kept.map(({ name, asked, ...rest }) => ({ name, ...asked, ...rest }));
  const written = jsonText(baselineSchema.parse({ format: "bide-regress-baseline", version: 1, runs }));
  parseBaseline(written, path);
  return written;
}

/** What would have been right, as `problemsOf` takes it. */
function allowed(issue: z.core.$ZodRawIssue): string {
  if (issue.code === "unrecognized_keys") return issue.keys.map(() => `those of a baseline; ${UPDATE}`).join("\n");
  if (issue.code === "invalid_type") return `a value of type ${issue.expected}; ${UPDATE}`;
  if (issue.code === "invalid_value") return `${issue.values.map(String).join(", ")}; ${UPDATE}`;
  return `what ${UPDATE.replace(" it", "")}`;
}
