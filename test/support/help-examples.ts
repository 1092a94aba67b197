import type { Command } from "commander";
import { commandLine } from "../../dist/cli/index.js";

/** A command and the lines that its help shows to be typed. */
export interface HelpExamples {
  /** As typed: `bide bench day`. */
  readonly name: string;
  readonly help: string;
  readonly lines: readonly string[];
}

/** Every command, `bide` itself included. */
export async function helpExamples(): Promise<HelpExamples[]> {
  const names = (await commandLine([], noEngine)).commands.map((command) => command.name());
  const program = await commandLine(names, noEngine);
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  return all(program).map((command) => {
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    const shown = help
      .replace(/ \\\n +/g, " ")
      .split("\n")
      .filter((line) => /^ {2}npx bide /.test(line));
    return { name: nameOf(command), help, lines: shown.map((line) => line.trim().replace(/^npx | {2,}.*$/g, "")) };
  });
}

/** The command and what is above it. */
export function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Whether a line needs a Redis server. */
export function needsRedis(line: string): boolean {
  return /redis:\/\/|^bide worker/.test(line);
}

const noEngine = (): never => {
  throw new Error("help runs nothing");
};
