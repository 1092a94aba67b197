import type { Command } from "commander";
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../../../dist/cli/index.js";

/** What pages say of commands and options is what the commands take. */

const PAGES = [
  ...["README.md", "scenarios/README.md", "scenarios/sweeps/README.md", "scenarios/regress/README.md"],
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).flatMap((path) =>
    path.endsWith(".md") ? [`docs/${path.replaceAll("\\", "/")}`] : [],
  ),
];

/** By name: `run`, `bench day`. */
const commands = new Map<string, Command>();

beforeAll(async () => {
  const none = (): never => {
    throw new Error("nothing is run");
  };
  const names = (await commandLine([], none)).commands.map((command) => command.name());
  for (const command of (await commandLine(names, none)).commands) {
    commands.set(command.name(), command);
    for (const inner of command.commands) commands.set(`${command.name()} ${inner.name()}`, inner);
  }
});

/** `bide COMMAND ...` of a page, in code; of two commands in one line, each. */
function usesIn(page: string): string[] {
  const text = readFileSync(page, "utf8");
  const blocks = [...text.matchAll(/```(?:sh|bash)?\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    block!.replaceAll("\\\n", " ").split("\n"),
  );
  const spans = [...text.replace(/```[\s\S]*?```/g, "").matchAll(/`((?:npx )?bide [^`]*)`/g)].map(([, span]) => span!);
  const printed = [...text.matchAll(/<!-- printed by: (.*) -->/g)].map(([, command]) => command!);
  return [...blocks, ...spans, ...printed].flatMap((line) =>
    line
      .split(/ #|&&|;|\|/)
      .map((part) => part.trim())
      .filter((part) => /^(npx )?bide [a-z]/.test(part)),
  );
}

/** The command that such a use names, and the options that it gives it. */
function read(use: string): { name: string; options: string[] } {
  const words = use
    .replace(/^npx /, "")
    .replace(/"[^"]*"|'[^']*'/g, "TEXT")
    .split(/\s+/)
    .slice(1);
  const two = words.slice(0, 2).join(" ");
  const name = commands.has(two) ? two : words[0]!;
  return { name, options: words.flatMap((word) => /^--[a-z][a-z-]*/.exec(word)?.[0] ?? []) };
}

describe("pages", () => {
  it.each(PAGES)("%s names commands and options that there are", (page) => {
    const wrong = usesIn(page).flatMap((use) => {
      const { name, options } = read(use);
      const command = commands.get(name);
      if (command === undefined) return [`${use}: no command ${name}`];
      const known = [...command.options.map(({ long }) => long), "--help"];
      return options.filter((option) => !known.includes(option)).map((option) => `${use}: no option ${option}`);
    });
    expect(wrong).toEqual([]);
  });

  it("are looked at: most of them show commands", () => {
    expect(PAGES.flatMap(usesIn).length).toBeGreaterThan(150);
  });

  it("plugins.md lists the commands that take a plugin, and no others", () => {
    const [, list] = /It works with ([^.]*)\./.exec(readFileSync("docs/plugins.md", "utf8"))!;
    const told = [...list!.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name!);
    const taking = [...commands].flatMap(([name, { options }]) =>
      options.some(({ long }) => long === "--plugin") ? [name] : [],
    );
    expect(told.sort()).toEqual(taking.sort());
  });

  it("cli.md has a row for every command, and for every option of those that it explains", () => {
    const text = readFileSync("docs/cli.md", "utf8");
    const [overview] = text.split("\n## ");
    const top = [...commands.keys()].filter((name) => !name.includes(" "));
    expect(top.filter((name) => !overview!.includes(`| \`bide ${name}`))).toEqual([]);
    for (const name of ["run", "compare", "regress", "check-scheduler"]) {
      const section = text.split(`\n## bide ${name}\n`)[1]!.split("\n## ")[0]!;
      const untold = commands.get(name)!.options.flatMap(({ long }) => (section.includes(`\`${long!}`) ? [] : [long]));
      expect(untold, name).toEqual([]);
    }
  });
});
