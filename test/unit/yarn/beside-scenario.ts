import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { YarnScenario } from "../../../dist/core/platforms/yarn/index.js";
import { parseAnyScenario } from "../../../dist/io/index.js";
import { answerOf } from "../../support/scenario-answers.js";

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

/** What `use` makes of the scenario, whose file lies in a folder with the others. */
function beside<Result>({ files, ...rest }: Beside, use: (text: string, file: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), "bide-yarn-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return use(textOf(rest), join(folder, "s.yaml"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function textOf({ scheduler, jobs = ["queue: a"], cluster = "nodes: 4" }: Omit<Beside, "files">): string {
  const listed = jobs.map((job, i) => `{ name: j${i}, ${job}, maps: { tasks: 1, time: 1s } }`);
  return `platform: yarn
cluster: { ${cluster} }
workload: { kind: jobs, jobs: [${listed.join(", ")}] }
scheduler: ${scheduler}
`;
}

export function readBeside(given: Beside): YarnScenario {
  return beside(
    given,
    (text, file) => parseAnyScenario(text, file, { set: [...(given.set ?? [])] }).scenario,
  ) as YarnScenario;
}

/** The answer of the scenario, beside one of one queue and one job without files. */
export function answerBeside(given: Beside): string {
  const kind = given.scheduler.includes("yarn-fair") ? "yarn-fair" : "yarn-capacity";
  const queue = kind === "yarn-fair" ? "{ name: a }" : "{ name: a, capacity: 100 }";
  const plain = textOf({ scheduler: `{ kind: ${kind}, queues: [${queue}] }` });
  return beside(given, (text, file) => answerOf(text, file, given.set ?? [], plain));
}

/** An allocation file of those elements, each on a line of its own, the first on line 2. */
export function allocations(...lines: readonly string[]): string {
  return ["<allocations>", ...lines, "</allocations>"].join("\n");
}

/** A scenario that names this allocation file. */
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
