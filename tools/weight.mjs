/**
 * Weighs the code: syntax tokens (leaves of TypeScript's syntax tree, without comments, imports and re-exports) and
 * exported names, by room, against weight.json. Formatting, names and line width do not change a token count.
 *
 *   node tools/weight.mjs           compares; fails if a number differs from weight.json
 *   node tools/weight.mjs --write   writes the numbers of today into weight.json
 *
 * A change that raises a number adds one sentence to `promises` of weight.json: which promise the rise buys.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = join(root, "weight.json");
const CODE = /\.(ts|mjs|js)$/;

/** The room of a file: its folder below src, two deep in core and io, one deep elsewhere. */
function roomOf(path) {
  const parts = path.split("/").slice(0, -1);
  if (parts[0] !== "src") return parts[0];
  const isDeep = parts[1] === "core" || parts[1] === "io";
  const depth = parts[2] === "platforms" ? 4 : isDeep ? 3 : 2;
  return parts.slice(0, depth).join("/");
}

function weigh(path) {
  const text = readFileSync(join(root, path), "utf8");
  const kind = path.endsWith(".ts") ? ts.ScriptKind.TS : ts.ScriptKind.JS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const weight = { tokens: 0, exports: 0 };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isJSDoc(node)) return;
    if (ts.isExportDeclaration(node)) {
      // What an entry file hands on is counted where it is declared.
      if (node.moduleSpecifier === undefined && node.exportClause !== undefined && ts.isNamedExports(node.exportClause))
        weight.exports += node.exportClause.elements.length;
      return;
    }
    if (node.kind === ts.SyntaxKind.ExportKeyword) weight.exports += namesOf(node.parent);
    const children = node.getChildren(source);
    if (children.length === 0) weight.tokens += node.getWidth(source) > 0 ? 1 : 0;
    for (const child of children) visit(child);
  };
  visit(source);
  return weight;
}

function namesOf(declaration) {
  return ts.isVariableStatement(declaration) ? declaration.declarationList.declarations.length : 1;
}

function weighed() {
  const rooms = {};
  for (const top of ["src", "test", "tools", "bench"]) {
    const files = readdirSync(join(root, top), { recursive: true }).map((name) => `${top}/${String(name)}`);
    for (const path of files.filter((name) => CODE.test(name)).sort()) {
      const { tokens, exports } = weigh(path);
      const total = (rooms[roomOf(path)] ??= { tokens: 0, exports: 0 });
      total.tokens += tokens;
      total.exports += exports;
    }
  }
  return Object.fromEntries(Object.entries(rooms).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sumOf(rooms, isIn) {
  const of = Object.entries(rooms).filter(([room]) => isIn(room));
  return of.reduce((sum, [, { tokens }]) => sum + tokens, 0);
}

const rooms = weighed();
const { promises, rooms: stated } = JSON.parse(readFileSync(file, "utf8"));
const source = sumOf(rooms, (room) => room.startsWith("src"));
const tests = sumOf(rooms, (room) => room === "test");
console.log(`weight: ${source} syntax tokens of source, ${tests} of tests`);
if (process.argv.includes("--write")) {
  writeFileSync(file, `${JSON.stringify({ promises, rooms }, null, 2)}\n`);
} else {
  for (const room of new Set([...Object.keys(stated), ...Object.keys(rooms)])) {
    for (const unit of ["tokens", "exports"]) {
      const [was, is] = [stated[room]?.[unit] ?? 0, rooms[room]?.[unit] ?? 0];
      if (was === is) continue;
      process.exitCode = 1;
      console.log(`${room}: ${is} ${unit}, weight.json says ${was}`);
    }
  }
  if (process.exitCode === 1)
    console.log("Run node tools/weight.mjs --write; if a number rose, say in `promises` what the rise buys.");
}
