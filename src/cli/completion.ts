import type { Argument, Command, Option } from "commander";
import { type Completion, valuesOf } from "./completion-values.js";

export type Shell = "bash" | "zsh" | "fish";

/**
 * Completes the last of the words that follow `bide`.
 * @param program with the options of the command that the words name.
 */
export async function completionOf(program: Command, words: readonly string[]): Promise<Completion> {
  const typed = words.at(-1) ?? "";
  let command = program;
  let operands = 0;
  let taker: Option | undefined;
  let onlyOperands = false;
  for (const word of words.slice(0, -1)) {
    const below = command.commands.find((child) => child.name() === word);
    if (taker !== undefined) taker = undefined;
    else if (word === "--") onlyOperands = true;
    else if (word.startsWith("-") && !onlyOperands) taker = word.includes("=") ? undefined : takerOf(command, word);
    else if (below !== undefined) command = below;
    else operands++;
  }
  if (taker !== undefined) return matching(taker, typed, "");
  if (typed.startsWith("-") && !onlyOperands) {
    const [option] = typed.split("=", 1);
    const takerOfValue = typed.includes("=") ? takerOf(command, option) : undefined;
    if (takerOfValue !== undefined) return matching(takerOfValue, typed.slice(option.length + 1), `${option}=`);
    return startingWith(typed, { isFiles: false, values: optionsOf(command) });
  }
  if (command.commands.length > 0) {
    const names = command.commands.map((child) => ({ value: child.name(), description: child.description() }));
    return startingWith(typed, { isFiles: false, values: names });
  }
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? NOTHING : matching(argument, typed, "");
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

async function matching(taker: Option | Argument, typed: string, prefix: string): Promise<Completion> {
  const { isFiles, values } = startingWith(typed, (await valuesOf(taker)?.(typed)) ?? NOTHING);
  return { isFiles, values: values.map((entry) => ({ ...entry, value: prefix + entry.value })) };
}

function startingWith(typed: string, { isFiles, values }: Completion): Completion {
  return { isFiles, values: values.filter(({ value }) => value.startsWith(typed)) };
}

const NOTHING: Completion = { isFiles: false, values: [] };

/**
 * The words as they were typed. Bash takes `=` and `:` for words of their own, and replaces only what follows the last
 * of them.
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

/**
 * The input of a shell's script: a line that says whether files follow, then a value, a tab and its description in each
 * line.
 */
export function completionLines(shell: Shell, { isFiles, values }: Completion, cut: number): string {
  const lines = values.map(
    ({ value, description = "" }) => `${value.slice(cut)}\t${description.replace(/\s+/g, " ")}\n`,
  );
  return (shell === "fish" ? "" : isFiles ? "files\n" : "words\n") + lines.join("");
}

/**
 * The script that a shell sources. It calls the command that is being typed, so it knows every command and option of
 * that version.
 */
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
