import type { Argument, Command, Option } from "commander";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { SCHEDULER_KINDS } from "../core/scenario/index.js";
import { MEASURES } from "../experiments/index.js";
import { shippedExamples, publishedNames, platformJsonSchema, platformNamed } from "../io/index.js";
import { contractCaseNames } from "../lab/index.js";

export type Shell = "bash" | "zsh" | "fish";

/** What may stand in the place of the last word. */
export interface Completion {
  /** Whether the values are paths, which a shell quotes in its own way. */
  readonly isFiles: boolean;
  readonly values: readonly { readonly value: string; readonly description?: string | undefined }[];
}

/**
 * How the values of an option or an argument are found. `typed` is what there is of the value so far, `words` all that stand before it: a scenario
 * among them decides which settings there are.
 */
type Values = (typed: string, words: readonly string[]) => Completion;

const NOTHING: Values = () => ({ isFiles: false, values: [] });
const oneOf = (names: readonly string[]): Completion => ({ isFiles: false, values: names.map((value) => ({ value })) });
const folders: Values = (typed) => entries(typed, /$^/);
const files =
  (pattern: RegExp): Values =>
  (typed) =>
    entries(typed, pattern);
const anyFile = files(/./);
const scenarioFiles = files(/\.(ya?ml|json)$/);
const schedulers: Values = () => ({
  isFiles: false,
  values: SCHEDULER_KINDS.map(({ name, summary }) => ({ value: name, description: summary })),
});
const measures: Values = () => ({
  isFiles: false,
  values: MEASURES.map((measure) => ({ value: measure.key, description: measure.title })),
});
/** Of names that are separated by commas, the last is completed. */
const listOf =
  (values: Values): Values =>
  (typed, words) => {
    const before = typed.slice(0, typed.lastIndexOf(",") + 1);
    const { isFiles, values: last } = values(typed.slice(before.length), words);
    return { isFiles, values: last.map((one) => ({ ...one, value: before + one.value })) };
  };

/**
 * Options and arguments that take a value, by command and name or by name alone; those with choices need no entry. What nobody
 * can know before it is typed has `NOTHING`. A test fails for an option that is in neither.
 */
export const VALUES: Readonly<Record<string, Values>> = {
  "run file": scenarioFiles,
  "compare file": scenarioFiles,
  "validate files": scenarioFiles,
  "sweep file": scenarioFiles,
  "tune file": scenarioFiles,
  "regress file": scenarioFiles,
  "explain-config file": files(/\.(xml|conf)$/),
  "show files": files(/\.json$/),
  "import logs": files(/^/),
  "replay scenario": scenarioFiles,
  "import --after-within": NOTHING,
  "explain run": folders,
  "trace run": folders,
  "reproduce ids": () => oneOf(publishedNames()),
  "results folder": folders,
  "merge folders": folders,
  "report folders": files(/\.json$/),
  "reproduce --report": files(/\.html$/),
  "check-scheduler name": schedulers,
  "examples names": () => ({
    isFiles: false,
    values: shippedExamples().map(({ name, why }) => ({ value: name, description: why.replace(/\s+/g, " ") })),
  }),
  "init file": NOTHING,
  "completion words": NOTHING,
  "--schedulers": listOf(schedulers),
  "--measures": listOf(measures),
  "--plot": listOf(measures),
  "--sort": measures,
  "--set": settings,
  "run --threads": () => oneOf(["auto", "rack", "0"]),
  "compare --threads": () => oneOf(["auto", "rack", "0"]),
  "--threads": NOTHING,
  "--shard": () => oneOf(["auto"]),
  "check-scheduler --case": () => oneOf(contractCaseNames()),
  "--plugin": files(/\.m?js$/),
  "--out": anyFile,
  "--csv": anyFile,
  "--parquet": anyFile,
  "--junit": anyFile,
  "--markdown": files(/\.md$/),
  "--published": scenarioFiles,
  "--to": folders,
  "trace --from": NOTHING,
  "trace --to": NOTHING,
  "--hgrm": folders,
  ...Object.fromEntries(
    [
      ...[
        "--title",
        "--size",
        "--seed",
        "--seeds",
        "--replications",
        "--slices",
        "--runs",
        "--span",
        "--frames",
        "--only",
      ],
      ...["--systems", "--baseline", "--where", "--top", "--sql", "--shards", "--queue", "--queue-secret", "--drain"],
      ...["--nodes", "--slots", "--jobs", "--pools", "--maps", "--reduces", "--wait", "--tasks-per-heartbeat"],
      ...[
        "--update-interval",
        "--warmups",
        "--sql-memory",
        "--sql-timeout",
        "--job",
        "--task",
        "--stage",
        "--pool",
        "--rack",
      ],
    ].map((name) => [name, NOTHING]),
  ),
};

/** The entry for what takes a value; undefined when there is none. */
export function valuesFor(command: Command, taker: Option | Argument): Values | undefined {
  const choices = taker.argChoices;
  if (choices !== undefined) return () => oneOf(choices);
  const name = "long" in taker ? (taker.long ?? "") : taker.name();
  return VALUES[`${command.name()} ${name}`] ?? VALUES[name];
}

/**
 * What may stand in the place of the last of the words that follow `bide`.
 * @param program with the options of the command that the words name.
 */
export function completionOf(program: Command, words: readonly string[]): Completion {
  const typed = words.at(-1) ?? "";
  let command = program;
  let operands = 0;
  let taker: Option | undefined;
  let onlyOperands = false;
  for (const word of words.slice(0, -1)) {
    const below = command.commands.find((one) => one.name() === word);
    if (taker !== undefined) taker = undefined;
    else if (word === "--") onlyOperands = true;
    else if (word.startsWith("-") && !onlyOperands) taker = word.includes("=") ? undefined : takerOf(command, word);
    else if (below !== undefined) command = below;
    else operands++;
  }
  if (taker !== undefined) return matching(command, taker, typed, "", words);
  if (typed.startsWith("-") && !onlyOperands) {
    const [option] = typed.split("=", 1);
    const own = typed.includes("=") ? takerOf(command, option) : undefined;
    if (own !== undefined) return matching(command, own, typed.slice(option.length + 1), `${option}=`, words);
    return startingWith(typed, { isFiles: false, values: optionsOf(command) });
  }
  if (command.commands.length > 0) {
    const names = command.commands.map((one) => ({ value: one.name(), description: one.description() }));
    return startingWith(typed, { isFiles: false, values: names });
  }
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? NOTHING("", words) : matching(command, argument, typed, "", words);
}

function takerOf(command: Command, flag: string): Option | undefined {
  return command.options.find((option) => (option.long === flag || option.short === flag) && option.required);
}

function optionsOf(command: Command): Completion["values"] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, flags, description }) => ({ value: long ?? flags, description }));
}

function matching(
  command: Command,
  taker: Option | Argument,
  typed: string,
  prefix: string,
  words: readonly string[],
): Completion {
  const { isFiles, values } = startingWith(typed, (valuesFor(command, taker) ?? NOTHING)(typed, words));
  return { isFiles, values: values.map((one) => ({ ...one, value: prefix + one.value })) };
}

function startingWith(typed: string, { isFiles, values }: Completion): Completion {
  return { isFiles, values: values.filter(({ value }) => value.startsWith(typed)) };
}

/** Entries of the folder that `typed` leads to: all folders, with a slash, and the files that match. */
function entries(typed: string, pattern: RegExp): Completion {
  const folder = typed.slice(0, typed.lastIndexOf("/") + 1);
  const isHiddenAsked = typed.slice(folder.length).startsWith(".");
  try {
    const found = readdirSync(folder === "" ? "." : folder.replace(/^~(?=\/)/, homedir()), { withFileTypes: true });
    const names = found
      .filter(({ name }) => isHiddenAsked || !name.startsWith("."))
      .filter((entry) => entry.isDirectory() || pattern.test(entry.name))
      // A name with a line break or a tab cannot be told to a shell line by line, and one with an escape would act on the terminal.
      .filter(({ name }) => !/\p{Cc}/u.test(name))
      .map((entry) => folder + entry.name + (entry.isDirectory() ? "/" : ""));
    return { isFiles: true, values: names.sort((a, b) => (a < b ? -1 : 1)).map((value) => ({ value })) };
  } catch {
    return { isFiles: true, values: [] };
  }
}

interface SchemaNode {
  readonly $ref?: string;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly definitions?: Readonly<Record<string, SchemaNode>>;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string | readonly string[];
  readonly description?: string;
}

/** Longest scenario whose text is looked at. */
const MOST_SCENARIO_BYTES = 1 << 20;

/** That of the first scenario among the words; of none, and of one that cannot be read, Hadoop. */
function platformOf(words: readonly string[]): string {
  for (const word of words.slice(0, -1)) {
    if (word.startsWith("-") || !/\.ya?ml$/.test(word)) continue;
    const path = word.replace(/^~(?=\/)/, homedir());
    try {
      const found = statSync(path);
      if (!found.isFile() || found.size > MOST_SCENARIO_BYTES) continue;
      const [, name] = /^platform:[ \t]*["']?([a-z]+)/m.exec(readFileSync(path, "utf8")) ?? [];
      return name !== undefined && platformNamed(name) !== undefined ? name : "hadoop";
    } catch {
      // What cannot be read says nothing.
    }
  }
  return "hadoop";
}

/** `PATH=VALUE` of a scenario: one more key of the path, or after `=` the words that the schema allows. */
function settings(typed: string, words: readonly string[]): Completion {
  const schema = platformJsonSchema(platformOf(words)) as SchemaNode;
  const [path, value] = typed.split("=", 2);
  const keys = path.split(".");
  const known = (value === undefined ? keys.slice(0, -1) : keys).reduce<SchemaNode[]>(
    (nodes, key) => nodes.flatMap((node) => variants(node.properties?.[key], schema)),
    variants(schema, schema),
  );
  if (value !== undefined) {
    const words = known.flatMap((node) => node.enum ?? (node.const === undefined ? [] : [node.const]));
    return oneOf([...new Set(words.map((word) => `${path}=${String(word)}`))]);
  }
  const before = keys.slice(0, -1).map((key) => `${key}.`);
  const found = new Map<string, string | undefined>();
  for (const { properties = {} } of known) {
    for (const [key, node] of Object.entries(properties)) {
      if (key === "$schema") continue;
      const all = variants(node, schema);
      const full = before.join("") + key;
      if (all.some((one) => one.properties === undefined)) found.set(`${full}=`, node.description);
      if (all.some((one) => one.properties !== undefined)) found.set(`${full}.`, node.description);
    }
  }
  return { isFiles: false, values: [...found].map(([one, description]) => ({ value: one, description })) };
}

/** A node of the schema as the alternatives that it stands for. */
function variants(node: SchemaNode | undefined, root: SchemaNode): SchemaNode[] {
  if (node === undefined) return [];
  const target = node.$ref === undefined ? undefined : root.definitions?.[node.$ref.replace("#/definitions/", "")];
  const inner = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? []), ...(target ? [target] : [])];
  return inner.length === 0 ? [node] : inner.flatMap((one) => variants(one, root));
}

/**
 * The words as they were typed. Bash takes `=` and `:` for words of their own, and replaces only what follows the last of them.
 */
export function typedWords(shell: Shell, words: readonly string[]): { words: string[]; cut: number } {
  if (shell !== "bash") return { words: [...words], cut: 0 };
  const joined: string[] = [];
  let isOpen = false;
  for (const word of words) {
    const isBreak = /^[=:]+$/.test(word);
    if (joined.length > 0 && (isOpen || isBreak)) joined[joined.length - 1] += word;
    else joined.push(word);
    isOpen = isBreak;
  }
  const last = joined.at(-1) ?? "";
  return { words: joined, cut: Math.max(last.lastIndexOf("="), last.lastIndexOf(":")) + 1 };
}

/** What a shell's script reads: a line that says whether files follow, then a value, a tab and its description in each line. */
export function completionLines(shell: Shell, { isFiles, values }: Completion, cut: number): string {
  const lines = values.map(
    ({ value, description = "" }) => `${value.slice(cut)}\t${description.replace(/\s+/g, " ")}\n`,
  );
  return (shell === "fish" ? "" : isFiles ? "files\n" : "words\n") + lines.join("");
}

/** What a shell sources. It asks the command that is being typed, so it knows every command and option of that version. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of bide. Put this into ~/.bashrc:  source <(bide completion bash)
_bide() {
  local kind value description
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS=$'\\t' read -r value description; do COMPREPLY+=("$value"); done
  } < <("\${COMP_WORDS[0]/#\\~/$HOME}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ $kind == files ]]; then compopt -o filenames; fi
  if [[ \${COMPREPLY[0]-} == *[/=.,] ]]; then compopt -o nospace; fi
}
complete -F _bide bide
`,
  zsh: `#compdef bide
# Completion of bide. Put this into ~/.zshrc, after compinit:  source <(bide completion zsh)
_bide() {
  local kind value description
  local -a closed open closedTexts openTexts
  {
    IFS= read -r kind
    while IFS=$'\\t' read -r value description; do
      if [[ $value == *[/=.,] ]]; then open+=("$value") openTexts+=("$value\${description:+  -- $description}")
      else closed+=("$value") closedTexts+=("$value\${description:+  -- $description}"); fi
    done
  } < <("\${(Q)words[1]/#\\~/$HOME}" completion zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  compadd -l -d closedTexts -a closed
  compadd -l -S '' -d openTexts -a open
}
compdef _bide bide
`,
  fish: `# Completion of bide. Put this into ~/.config/fish/config.fish:  bide completion fish | source
function __bide_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l program (string replace -r '^~' $HOME $words[1])
  $program completion fish -- $words[2..-1] 2>/dev/null
end
complete -c bide -f -a '(__bide_complete)'
`,
};
