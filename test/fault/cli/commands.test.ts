import { cpSync, readdirSync } from "node:fs";
import { afterEach, it } from "vitest";
import { expectTranscript } from "../../support/transcript.js";
import { type Ended, Place } from "./command.js";

/** What commands print, their exit codes and what they leave: for their usual uses and for bad ones. */

const FOLDER = "test/golden/commands";

let place: Place | undefined;
afterEach(() => {
  place?.remove();
});

/** Words of a line, of which those with blanks stand in quotes. */
const wordsOf = (line: string): string[] =>
  (line.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));

/** Without what differs from run to run, version to version and machine to machine. */
const steady = (text: string): string =>
  text
    .replaceAll(`${place!.path}/`, "")
    .replaceAll(`${process.cwd()}/`, "")
    .replace(/^.*us\/(heartbeat|task|decision).*\n(.+\n?)*/gm, "(costs)\n")
    .replace(/^Cost .*$|^.*,cost,.*$|^\(?.*\bwall\b.*$/gm, "(costs)")
    .replace(/^(Machine|Bide) {2,}.*$/gm, "($1)")
    .replace(/^(Time|Wall time) .*(\n {10}.*)*/gm, "(times)")
    .replace(/\d{8}-\d{6}/g, "(time)")
    .replace(/\b[0-9a-f]{32}\b/g, "(hash)")
    .replace(/[ \t]+$/gm, "")
    .replace(/^$/gm, "~");

const told = ({ code, stdout, stderr }: Ended): string =>
  steady([`exit ${String(code)}`, stdout.trimEnd(), stderr.trimEnd()].filter((text) => text !== "").join("\n"));

/** Commands of Bide run in this process, all others in a shell, and say nothing. */
async function outcomeOf(input: string): Promise<string> {
  const said: string[] = [];
  for (const line of input.split("\n")) {
    if (!line.startsWith("bide ")) {
      const { code, stderr } = await place!.shell(line);
      if (code !== 0) throw new Error(`${line}: ${stderr}`);
      continue;
    }
    const before = new Set(place!.left());
    said.push(told(await place!.bide(...wordsOf(line).slice(1))));
    const made = place!.left().filter((name) => !before.has(name));
    if (made.length > 0) said.push(`left ${made.join(", ")}`);
  }
  return said.join("\n") || "done";
}

it.each(readdirSync(FOLDER).filter((name) => name.endsWith(".txt")))(
  "%s",
  async (name) => {
    place = new Place();
    cpSync(`${FOLDER}/files`, place.path, { recursive: true });
    await expectTranscript(`${FOLDER}/${name}`, outcomeOf);
  },
  400_000,
);
