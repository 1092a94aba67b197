import { alphabetical } from "../core/kernel/index.js";
import { readFileSync, readdirSync } from "node:fs";
import { basename, extname, posix, relative } from "node:path";
import { parseDocument, visit } from "yaml";
import { PACKAGE_ROOT } from "./bide-version.js";

/**
 * Folder of the package that holds the examples. Copies go to a folder of the same name, so one path serves everywhere.
 */
export const EXAMPLES_FOLDER = "scenarios";

/** A file of the package to begin with. */
export interface Example {
  /** The name of the file, without `.yaml`. */
  readonly name: string;
  /** Below `scenarios`, with slashes. */
  readonly path: string;
  /** The question that it answers, or what it is: one sentence. */
  readonly why: string;
  /** The command that takes it where the copy is below `scenarios`. */
  readonly command: string;
}

type CommandOf = (path: string, settings: Record<string, unknown>) => string;

const runOrCompare: CommandOf = (path, settings) => `npx bide ${"compare" in settings ? "compare" : "run"} ${path}`;

const COMMANDS: readonly (readonly [path: RegExp, command: CommandOf])[] = [
  [/^[^/]+\.yaml$/, runOrCompare],
  [/^spark\/[^/]+\.yaml$/, runOrCompare],
  [/^yarn\/[^/]+\.yaml$/, runOrCompare],
  [/^by-hand\/[^/]+\.yaml$/, (path) => `npx bide run ${path}`],
  [/^sweeps\/[^/]+\.yaml$/, (path, settings) => `npx bide ${"goal" in settings ? "tune" : "sweep"} ${path}`],
  [/^paper\/published\.yaml$/, (path) => `npx bide reproduce --quick --published ${path}`],
  [/^regress\/[^/]+\.yaml$/, (path) => `npx bide regress ${path}`],
  [/^hadoop\/[^/]+\.xml$/, (path) => `npx bide explain-config ${path}`],
  [/^plugins\/[^/]+\.mjs$/, (path) => `npx bide schedulers --plugin ${path}`],
];

/** All examples: kind by kind, each in the order of names. */
export function shippedExamples(): readonly Example[] {
  return places().map(exampleAt);
}

/** Their names alone, for which no file is read. */
export function exampleNames(): string[] {
  return places().map(({ path }) => nameAt(path));
}

/** The place of an example, and the command that takes it. */
interface ExamplePlace {
  readonly path: string;
  readonly commandOf: CommandOf;
}

function places(): ExamplePlace[] {
  const files = exampleFiles();
  return COMMANDS.flatMap(([pattern, commandOf]) =>
    files.filter((path) => pattern.test(path)).map((path) => ({ path, commandOf })),
  );
}

function nameAt(path: string): string {
  return basename(path, ".yaml");
}

function exampleAt({ path, commandOf }: ExamplePlace): Example {
  const text = exampleText(path);
  const settings = extname(path) === ".yaml" ? (parseDocument(text).toJS() as Record<string, unknown>) : {};
  const why =
    typeof settings.why === "string" ? settings.why : (/(?:\/\*\*|<!--) (.+?)(?: -->| \*\/)?$/m.exec(text)?.[1] ?? "");
  return {
    name: nameAt(path),
    path,
    why: /^.*?[.?:](?= |$)/s.exec(why.trim())?.[0] ?? why,
    command: commandOf(`${EXAMPLES_FOLDER}/${path}`, settings),
  };
}

/** The example that a name or a path stands for: `tiny`, `tiny.yaml`, `scenarios/sweeps/w1-w2.yaml`. */
export function exampleNamed(text: string): Example | undefined {
  const last = basename(text);
  const place = places().find(({ path }) => nameAt(path) === last || basename(path) === last);
  return place === undefined ? undefined : exampleAt(place);
}

/**
 * Paths below `scenarios` of an example and of every shipped file that it needs: scenarios, stored figures, schemas.
 */
export function filesOfExample({ path }: Example): string[] {
  const shipped = exampleFiles();
  const files = new Set<string>();
  const add = (file: string): void => {
    if (files.has(file) || !shipped.includes(file)) return;
    files.add(file);
    if (extname(file) === ".yaml") for (const named of filesNamedIn(file)) add(named);
  };
  add(path);
  return [...files];
}

/** Paths of all files below `scenarios`, sorted. */
export function exampleFiles(): string[] {
  const root = `${PACKAGE_ROOT}${EXAMPLES_FOLDER}`;
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, `${entry.parentPath}/${entry.name}`).replaceAll("\\", "/"))
    .sort(alphabetical);
}

/** The text of a file below `scenarios`. */
export function exampleText(path: string): string {
  return readFileSync(`${PACKAGE_ROOT}${EXAMPLES_FOLDER}/${path}`, "utf8");
}

/** Files that a file may name: by its own name, by the schema that it is checked against, and by its values. */
function filesNamedIn(path: string): string[] {
  const text = exampleText(path);
  const named = [`${basename(path, ".yaml")}.baseline.json`, /\$schema=(\S+)/.exec(text)?.[1] ?? "."];
  visit(parseDocument(text), {
    // Rows of published values name a sweep without its ending.
    Scalar: (_key, { value }) => void (typeof value === "string" && named.push(value, `${value}.yaml`)),
  });
  return named.map((name) => posix.join(posix.dirname(path), name));
}
