import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Example,
  exampleFiles,
  exampleNames,
  exampleNamed,
  EXAMPLES_FOLDER,
  exampleText,
  filesOfExample,
  shippedExamples,
  type Diagnostic,
  InputError,
  asWriteError,
  writeWholeFile,
  allowedNames,
  quote,
  problemOf,
  mismatch,
} from "../io/index.js";
import { wrap } from "../report/index.js";
import { shellWord } from "./option-values.js";
import { print, printFitted } from "./printing.js";
import { stdoutColumns } from "./terminal.js";

export interface ExamplesCommandOptions {
  readonly all?: boolean;
  readonly to: string;
  readonly force?: boolean;
}

/** `bide examples`: lists the examples of the package, or copies some of them, each with the files that it needs. */
export async function examples(names: readonly string[], options: ExamplesCommandOptions): Promise<void> {
  if (names.length === 0 && options.all !== true) {
    await printFitted(listing());
    return;
  }
  const chosen = options.all === true ? [] : chosenExamples(names);
  const files = options.all === true ? exampleFiles() : [...new Set(chosen.flatMap(filesOfExample))];
  const written = copy(files, options);
  const kept = files.length - written.length;
  const already = kept === 0 ? "" : ` (${kept} already there, unchanged)`;
  const folder = shellWord(options.to);
  const lines = [`${fileWords(written.length)} written to ${folder}${already}`];
  if (options.all === true)
    lines.push("", "npx bide examples lists what each one asks, and the command that takes it.");
  else {
    lines.push("");
    for (const { command } of chosen) lines.push(command.replace(`${EXAMPLES_FOLDER}/`, join(folder, "/")));
  }
  await print(`${lines.join("\n")}\n`);
}

/** `bide init`: a commented scenario to begin with. */
export async function init(file: string, { force }: { readonly force?: boolean }): Promise<void> {
  writeWholeFile(file, TEMPLATE, force === true);
  const word = shellWord(file);
  await print(`${word} written\n\nnpx bide validate ${word}\nnpx bide run ${word}\n`);
}

function listing(): string {
  const examples = shippedExamples();
  const indent = 2 + Math.max(...examples.map(({ name }) => name.length)) + 2;
  const lines: string[] = [];
  let heading = "";
  for (const { name, path, why } of examples) {
    const now = HEADINGS[dirname(path)];
    if (now !== heading) lines.push(...(heading === "" ? [] : [""]), (heading = now));
    lines.push(
      ...wrap(why, Math.min(100, stdoutColumns() ?? 100) - indent).map(
        (line, i) => (i === 0 ? `  ${name}` : "").padEnd(indent) + line,
      ),
    );
  }
  lines.push(
    "",
    "npx bide examples NAME   copy one, and the files that it needs, to the folder scenarios",
    "npx bide examples --all  copy all; then every command in the documentation works in this folder",
  );
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** By folder below `scenarios`. */
const HEADINGS: Readonly<Record<string, string>> = {
  ".": "Scenarios, for bide run and bide compare",
  spark: "Scenarios of Spark, for bide run and bide compare",
  yarn: "Scenarios of YARN, for bide run and bide compare",
  "by-hand": "Small enough to follow by hand, as the pages of the schedulers do",
  sweeps: "Sweeps, for bide sweep and bide tune",
  paper: "Published values, for bide reproduce",
  regress: "Lists of runs, for bide regress",
  hadoop: "Configuration of Hadoop, for bide explain-config",
  plugins: "Schedulers of your own, for --plugin",
};

/** @throws InputError that lists every name of which there is no example. */
function chosenExamples(names: readonly string[]): Example[] {
  const problems: Diagnostic[] = [];
  const chosen = names.flatMap((name) => {
    const example = exampleNamed(name);
    if (example !== undefined) return [example];
    problems.push(problemOf("bide examples", mismatch(quote(name), allowedNames(exampleNames(), name))));
    return [];
  });
  if (problems.length > 0) throw new InputError(problems);
  return chosen;
}

/**
 * Writes what is not there yet. A file that is there with the same text stays.
 * @returns what was written.
 * @throws InputError before anything is written if a file with another text is in the way and `force` is not given.
 */
function copy(files: readonly string[], { to, force }: ExamplesCommandOptions): string[] {
  const differing = files.filter((file) => exampleText(file) !== textOf(join(to, file)));
  const inTheWay = differing.filter((file) => textOf(join(to, file)) !== undefined);
  if (inTheWay.length > 0 && force !== true) {
    const message = "is there already and differs from the shipped file; --force replaces it";
    throw new InputError(inTheWay.map((file) => problemOf(join(to, file), message)));
  }
  for (const file of differing) {
    const path = join(to, file);
    try {
      mkdirSync(dirname(path), { recursive: true });
    } catch (error) {
      throw asWriteError(error, dirname(path));
    }
    writeWholeFile(path, exampleText(file), force === true);
  }
  return differing;
}

/** Undefined where there is no readable file. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function fileWords(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}

const TEMPLATE = `# A scenario: a cluster, the jobs that arrive, and the scheduler that decides.
# Only workload is required. Every other setting has a default.
# docs/formats/scenario.md in the package describes every setting, its unit, default and limits.
#
# Completion in your editor: type  bide schema > scenario.schema.json  and make this the first line:
# yaml-language-server: $schema=./scenario.schema.json

# The question that this scenario answers.
why: Do small jobs read local data while a large job fills the cluster?

cluster:
  racks: 2
  nodesPerRack: 10
  # Tasks that run on a node at the same time.
  mapSlots: 2
  reduceSlots: 1
  # A node reports, and receives tasks, once in this time.
  heartbeat: 3s

storage:
  blockSize: 128MB
  # Copies of each block, on different nodes.
  replication: 3

workload:
  # Or: facebook (a synthetic day), benchmark (the schedule of the paper), swim or csv (a file of yours).
  kind: jobs
  jobs:
    # One map reads one block. mapTime holds for a map that runs on a node with its block.
    - { name: large, user: etl, maps: 300, mapTime: 20s, reduces: 4, copyTime: 20s, reduceTime: 30s }
    # 20 jobs of 3 maps each, one every 10 seconds, after the first minute.
    - { name: small, user: ana, at: 1m, maps: 3, mapTime: 8s, count: 20, every: 10s }

scheduler:
  # bide schedulers lists all of them. Try fifo, fair, delay.
  kind: hfs
  # A job waits this long for a node with its block, and then this long for a rack with its block.
  wait: { node: 5s, rack: 5s }

run:
  # The same scenario and seed give the same result, on every machine.
  seed: 1
`;
