import { Argument, type Command } from "commander";
import type { Shell } from "../completion.js";
import type { Engine } from "../option-values.js";

/** The commands, with the options of those that are among the words. */
type ProgramFor = (words: readonly string[], engine: Engine) => Promise<Command>;

const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];

/** Defines `bide completion`: its arguments, options and action. */
export function define(command: Command, engine: Engine, programFor: ProgramFor): void {
  command
    .addArgument(new Argument("<shell>", "shell that the script is for").choices(SHELLS))
    .addArgument(
      new Argument("[words...]", "complete these words; the script asks this").default([], "print the script"),
    )
    .addHelpText("after", COMPLETION_EXAMPLES)
    .action(async (shell: Shell, words: string[]) => {
      const { completionLines, completionOf, SCRIPTS, typedWords } = await import("../completion.js");
      const { printData } = await import("../printing.js");
      if (words.length === 0) {
        await printData(SCRIPTS[shell]);
        return;
      }
      const typed = typedWords(shell, words);
      const program = await programFor(typed.words.slice(0, -1), engine);
      // A shell reads it, by its tabs.
      await printData(completionLines(shell, await completionOf(program, typed.words), typed.cut));
    });
}

const COMPLETION_EXAMPLES = `
The script completes commands, options, files and the names of schedulers.

Examples:
  npx bide completion bash
  npx bide completion zsh
  npx bide completion fish

Put one of these lines into the start-up file of your shell:
  ~/.bashrc                     source <(bide completion bash)
  ~/.zshrc, after compinit      source <(bide completion zsh)
  ~/.config/fish/config.fish    bide completion fish | source`;
