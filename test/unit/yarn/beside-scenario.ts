import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { YarnScenario } from "../../../dist/core/platforms/yarn/index.js";
import { InputError, parseAnyScenario } from "../../../dist/io/index.js";

/** A scenario of YARN beside files that it names: 4 nodes of 8192 MB and 8 vcores. */
export interface Beside {
  /** Files by name. */
  readonly files: Readonly<Record<string, string>>;
  /** The scheduler, as YAML in flow style. */
  readonly scheduler: string;
  /** Jobs; all have one map of a second. */
  readonly jobs?: readonly string[];
  readonly cluster?: string;
  readonly set?: readonly string[];
}

interface Read {
  readonly scenario: YarnScenario & { readonly workload: { readonly kind: "jobs" } };
  readonly notes: readonly string[];
}

/** @throws InputError, in which the folder of the files is called `at`. */
export function readBeside({ files, scheduler, jobs = ["queue: a"], cluster = "nodes: 4", set = [] }: Beside): Read {
  const folder = mkdtempSync(join(tmpdir(), "bide-yarn-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const listed = jobs.map((job, i) => `{ name: j${String(i)}, ${job}, maps: { tasks: 1, time: 1s } }`);
    const text = `platform: yarn
cluster: { ${cluster} }
workload: { kind: jobs, jobs: [${listed.join(", ")}] }
scheduler: ${scheduler}
`;
    const { scenario, notes } = parseAnyScenario(text, join(folder, "s.yaml"), { set });
    return { scenario: scenario as Read["scenario"], notes: notes.map((note) => note.replaceAll(folder, "at")) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.diagnostics.map((one) => ({ ...one, file: one.file.replaceAll(folder, "at") })));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The jobs that a scenario lists. */
export function jobsOf({ workload }: YarnScenario) {
  if (workload.kind !== "jobs") throw new Error("a scenario that lists no jobs");
  return workload.jobs;
}

/** What is told in place of a scenario; empty: it is read. */
export function refusal(beside: Beside): string {
  try {
    readBeside(beside);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return "";
}

/** An allocation file of those elements, each on a line of its own, the first on line 2. */
export function allocations(...lines: readonly string[]): string {
  return ["<allocations>", ...lines, "</allocations>"].join("\n");
}

/** Queues of a scenario that names this allocation file. */
export function fair(text: string, more: Omit<Beside, "files" | "scheduler"> = {}, settings = ""): Beside {
  const scheduler = `{ kind: yarn-fair, allocations: f.xml${settings === "" ? "" : `, ${settings}`} }`;
  return { files: { "f.xml": text }, scheduler, ...more };
}

/** A configuration file with a property in each line, the first in line 2. */
export function configuration(prefix: string, values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(
    ([name, value]) => `<property><name>${prefix}${name}</name><value>${value}</value></property>`,
  );
  return ["<configuration>", ...lines, "</configuration>"].join("\n");
}
