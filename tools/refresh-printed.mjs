/**
 * Keeps what documents show of commands true. A document says
 *
 *   <!-- printed by: npx bide schedulers -->
 *   (a code block)
 *   <!-- end -->
 *
 * or, for what is Markdown itself, `made by: node bench/performance-table.mjs`, with arguments if it takes some, in
 * place of the first line and no code block, and this runs the command and replaces what is between. Lines that tell of
 * the machine are left out, for they differ from run to run; `| head -n N` at the end of a command cuts what is left. A
 * command may follow another, `&& npx bide results results/NAME`, and read what that wrote; what the last one prints is
 * shown.
 *
 *   node tools/refresh-printed.mjs           rewrite README.md and docs/ (after `npm run build`)
 *   node tools/refresh-printed.mjs --check   only compare; exit 1 when something is out of date
 *   node tools/refresh-printed.mjs --check --but-dear without the commands and scripts of DEAR: those are compared
 *   every night
 *
 * Followed by names of documents (docs/bench.md): only these.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BLOCK = /(<!-- printed by: npx bide (.+?) -->\n)[\s\S]*?(<!-- end -->)/g;
const MADE = /(<!-- made by: node (\S+\.mjs(?: \S+)*?) -->\n)[\s\S]*?(<!-- end -->)/g;
/** Such a line, and the lines it runs on into. */
const OF_THE_MACHINE = /^(Placement|Cost|Frames|Results|CPU time)\b.*\n( {16}.*\n)*/gm;
/** A table of a comparison that does. */
const TABLE_OF_THE_MACHINE = /^Cost on this machine\n(.+\n)*\n?/gm;

/** What commands read of the repository. */
const READ = ["bench", "scenarios"];
/** Words in double quotes are one. */
const WORD = /"[^"]*"|\S+/g;

/**
 * Most of the time of all commands and scripts. What commands print follows from results that the golden tests have.
 */
const DEAR = ["compare ", "sweep ", "tune ", "bench/figure-7.mjs", "tools/mumak.mjs", "tools/what-if-truth.mjs"];

/** Commands that run at a time: some use one thread, some all. */
const AT_A_TIME = 2;

/**
 * What the command prints, as a document shows it. It runs in a folder of its own, in which it may leave what it likes.
 */
async function printed(command) {
  const [words, most] = command.split(" | head -n ");
  const scratch = mkdtempSync(join(tmpdir(), "bide-printed-"));
  for (const name of READ) symlinkSync(join(ROOT, name), join(scratch, name), "junction");
  let text = "";
  for (const one of words.split(" && npx bide ")) text = await outputOf(one.match(WORD).flatMap(namesOf), scratch);
  rmSync(scratch, { recursive: true });
  const lines = text.replace(TABLE_OF_THE_MACHINE, "").replace(OF_THE_MACHINE, "").trimEnd().split("\n");
  return lines.slice(0, most === undefined ? Infinity : Number(most));
}

/** What the shell makes of a word: quotes go, and `FOLDER/*.END` is all such files in their order. */
function namesOf(word) {
  const [, folder, end] = /^([^"*]+)\/\*(\.\w+)$/.exec(word) ?? [];
  if (folder === undefined) return [word.replaceAll('"', "")];
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(end));
  return names.sort().map((name) => `${folder}/${name}`);
}

async function outputOf(words, folder) {
  const args = [...words];
  if (args[0] === "run" && !args.includes("--log")) args.push("--no-tables");
  if (args[0] === "sweep") args.push("--quiet");
  return outputOfNode([join(ROOT, "bin/bide.js"), ...args], folder);
}

/** @throws if it fails, with the command and what it says on stderr. */
async function outputOfNode(args, cwd = ROOT) {
  const options = { cwd, env: { ...process.env, NO_COLOR: "1" }, maxBuffer: Infinity };
  return (await promisify(execFile)(process.execPath, args, options)).stdout;
}

/** Tables of settings are many and small: they are made in this process. */
async function madeBy([script, ...words]) {
  if (script !== "tools/settings-table.mjs") return (await outputOfNode([script, ...words])).trimEnd();
  const { settingsTable } = await import("./settings-table.mjs");
  return settingsTable(words);
}

/** Does all the work, so much of it at a time. */
async function inParallel(work) {
  const left = [...work];
  const next = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await one();
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, next));
}

/** A table is as wide as its widest cell, and that may be one that is left out. */
function squeezed(text) {
  return text.replace(/ +/g, " ");
}

const all = ["README.md", ...readdirSync(join(ROOT, "docs"), { recursive: true }).map((path) => `docs/${path}`)];
const OPTIONS = ["--check", "--but-dear"];
const named = process.argv.slice(2).filter((argument) => !OPTIONS.includes(argument));
const unknown = named.find((name) => !all.includes(name));
if (unknown !== undefined) throw new Error(`there is no document ${unknown}`);
const documents = named.length === 0 ? all : named;
const pages = documents
  .filter((name) => name.endsWith(".md"))
  .map((path) => ({ path, before: readFileSync(join(ROOT, path), "utf8") }));

/** A block without an end would take all that follows it, up to the end of the next one. */
const MARK = /<!-- (?:(?:printed|made|written|measured) by: .+|end) -->/g;
for (const { path, before } of pages) {
  const marks = before.match(MARK) ?? [];
  const wrong = marks.find((mark, i) => (mark === "<!-- end -->") !== (i % 2 === 1));
  const open = wrong ?? (marks.length % 2 === 1 ? marks.at(-1) : undefined);
  if (open !== undefined) throw new Error(`${path}: beginnings and ends of blocks take turns, but not at ${open}`);
}

/** By command or script, what goes into its block. A command that two pages show is run once. */
const scripts = new Set(pages.flatMap(({ before }) => [...before.matchAll(MADE)].map(([, , script]) => script)));
const commands = new Set(pages.flatMap(({ before }) => [...before.matchAll(BLOCK)].map(([, , command]) => command)));
const isDear = (command) => DEAR.some((dear) => command.startsWith(dear));
if (named.length === 0 && !DEAR.every((dear) => [...commands, ...scripts].some((one) => one.startsWith(dear)))) {
  throw new Error("DEAR has a command that no page shows");
}
const left = (all) =>
  [...all].filter((one) => !process.argv.includes("--but-dear") || !isDear(one)).map((one) => [one, ""]);
const [made, shown] = [new Map(left(scripts)), new Map(left(commands))];
await inParallel([
  ...[...made.keys()].map((script) => async () => made.set(script, await madeBy(script.split(" ")))),
  ...[...shown.keys()].map((command) => async () => shown.set(command, (await printed(command)).join("\n"))),
]);

let outOfDate = 0;
for (const { path, before } of pages) {
  const withMade = before.replace(MADE, (block, head, script, end) => {
    return made.has(script) ? `${head}\n${made.get(script)}\n\n${end}` : block;
  });
  const after = withMade.replace(BLOCK, (block, head, command, end) => {
    if (!shown.has(command)) return block;
    const now = `${head}\`\`\`\n${shown.get(command)}\n\`\`\`\n${end}`;
    return squeezed(now) === squeezed(block) ? block : now;
  });
  if (after === before) continue;
  outOfDate++;
  console.log(path);
  if (!process.argv.includes("--check")) writeFileSync(join(ROOT, path), after);
}
if (process.argv.includes("--check") && outOfDate > 0) {
  console.error("These are out of date: node tools/refresh-printed.mjs");
  process.exit(1);
}
