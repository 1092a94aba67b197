import {
  Composer,
  Lexer,
  LineCounter,
  Parser,
  isScalar,
  type Alias,
  type Document,
  type Node,
  type ParsedNode,
  type YAMLError,
} from "yaml";
import { assert } from "../../core/kernel/assert.js";
import { InputError, type Diagnostic } from "../input-error.js";
import { aliasTargets } from "./aliases.js";
import { LIMITS } from "./limits.js";

/** A YAML (or JSON) text that has been read without error. */
export interface YamlDocument {
  /** How diagnostics call it. */
  readonly file: string;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly targets: ReadonlyMap<Alias, Node>;
}

/**
 * Reads one YAML 1.2 document.
 * @throws InputError with all syntax errors, or when the text is too large, too deep or holds several documents.
 */
export function readYaml(text: string, file: string): YamlDocument {
  if (text.length > LIMITS.fileBytes) throw tooLarge(file, `${String(text.length)} characters`);
  const lines = lineStarts(text);
  const document = compose(text, file, lines);
  const problems: Diagnostic[] = [...document.errors, ...document.warnings].map((error) =>
    syntaxProblem(error, file, lines),
  );
  if (document.directives.yaml.version !== "1.2") {
    const message = `found %YAML ${document.directives.yaml.version}, allowed 1.2`;
    problems.push({ file, line: 1, column: 1, message });
  }
  if (problems.length > 0) throw new InputError(problems.slice(0, LIMITS.problems));
  return { file, document, lines, targets: aliasTargets(document) };
}

/** @param found how large it is, in words. */
export function tooLarge(file: string, found: string): InputError {
  const allowed = `at most ${String(LIMITS.fileBytes)} bytes; long job lists go into a file of their own (workload kind tasks)`;
  return new InputError([{ file, line: 0, column: 0, message: `found ${found}, allowed ${allowed}` }]);
}

/**
 * Lexer, parser and composer one after the other, because the composer is recursive: on hostile nesting it exhausts the stack,
 * which can end the process. The parser keeps its own stack, so its depth can be watched. The composer's own
 * search for duplicate keys is quadratic; `plainTree` does it instead.
 */
function compose(text: string, file: string, lines: LineCounter): Document.Parsed {
  const parser = new Parser();
  const composer = new Composer<ParsedNode>({ uniqueKeys: false, prettyErrors: false, logLevel: "error" });
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > LIMITS.yamlDepth) {
      const message = `found nesting deeper than ${String(LIMITS.yamlDepth)} levels, allowed less`;
      throw new InputError([{ file, ...position(lines, parser.offset), message }]);
    }
  }
  tokens.push(...parser.end());
  let first: Document.Parsed | undefined;
  for (const document of composer.compose(tokens, true, text.length)) {
    if (first === undefined) {
      first = document;
      continue;
    }
    const message = "found a second document, allowed one scenario per file";
    throw new InputError([{ file, ...position(lines, document.range[0]), message }]);
  }
  assert(first !== undefined, "the YAML composer gave no document");
  return first;
}

/** The parser's own count misses lines after some errors. */
function lineStarts(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) lines.addNewLine(end + 1);
  return lines;
}

function syntaxProblem(error: YAMLError, file: string, lines: LineCounter): Diagnostic {
  const language = file.toLowerCase().endsWith(".json") ? "JSON" : "YAML";
  const message = `found broken ${language} (${error.message.replace(/\s+/g, " ").slice(0, 200)}), allowed YAML 1.2 or JSON`;
  return { file, ...position(lines, error.pos[0]), message };
}

/** Line and column, from 1, of an offset into the text. */
export function position(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** The text of a mapping's key; undefined when the key is not a plain word or number. */
export function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  if (typeof key.value === "string") return key.value;
  return typeof key.value === "number" ? (key.source ?? String(key.value)) : undefined;
}
