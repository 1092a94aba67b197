import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "vitest";

/**
 * Compares a transcript, named from the root of the repository, with what its cases give today. A transcript is a text
 * file of blocks between empty lines: the lines that begin with `> ` are a case, those below are its result, and `= `
 * begins what all cases up to the next such block share. To add a case, write its lines and run the test with
 * `--update`, which writes the results.
 */
export async function expectTranscript(
  file: string,
  resultOf: (input: string, shared: string) => Promise<string> | string,
): Promise<void> {
  let shared = "";
  const blocks: string[] = [];
  for (const block of readFileSync(file, "utf8").trimEnd().split(/\n\n+/)) {
    const input = linesAfter("> ", block);
    if (input === "") shared = linesAfter("= ", block) || shared;
    blocks.push(input === "" ? block : [marked(input), await resultOf(input, shared)].join("\n"));
  }
  await expect(`${blocks.join("\n\n")}\n`).toMatchFileSnapshot(resolve(file));
}

const linesAfter = (mark: string, block: string): string =>
  block
    .split("\n")
    .filter((line) => line.startsWith(mark))
    .map((line) => line.slice(mark.length))
    .join("\n");

const marked = (input: string): string => input.replace(/^/gm, "> ");
