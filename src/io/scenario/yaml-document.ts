import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  type ParsedNode,
  Parser,
  type YAMLError,
} from "yaml";
import { assert, mismatch } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { type Diagnostic, fileProblem, InputError } from "../input-error.js";
import { quote } from "./show.js";

/** A YAML (or JSON) text that has been read without error. */
export interface YamlDocument {
  /** Its name in diagnostics. */
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
  if (text.length > LIMITS.fileBytes) throw tooLarge(file, `${text.length} characters`);
  const lines = lineStarts(text);
  const document = compose(text, file, lines);
  const problems: Diagnostic[] = [...document.errors, ...document.warnings].map((error) =>
    syntaxProblem(error, file, lines),
  );
  if (document.directives.yaml.version !== "1.2") {
    const message = `expected %YAML 1.2, found %YAML ${document.directives.yaml.version}`;
    problems.push({ file, line: 1, column: 1, message });
  }
  if (problems.length > 0) throw new InputError(problems.slice(0, LIMITS.problems));
  return { file, document, lines, targets: aliasTargets(document) };
}

/** @param actual how large it is, in words. */
export function tooLarge(file: string, actual: string): InputError {
  const allowed = `at most ${LIMITS.fileBytes} bytes; long job lists go into a file of their own (workload kind tasks)`;
  return fileProblem(file, mismatch(actual, allowed));
}

/**
 * Lexer, parser and composer one after the other, because the composer is recursive: on hostile nesting it exhausts the
 * stack, which can end the process. The parser keeps its own stack, so its depth can be watched. The composer's own
 * search for duplicate keys is quadratic; `plainTree` does it instead.
 */
function compose(text: string, file: string, lines: LineCounter): Document.Parsed {
  const parser = new Parser();
  const composer = new Composer<ParsedNode>({ uniqueKeys: false, prettyErrors: false, logLevel: "error" });
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > LIMITS.yamlDepth) {
      const message = `nested deeper than ${LIMITS.yamlDepth} levels`;
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
    const message = "expected one scenario per file, found a second YAML document";
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
  const message = `expected well-formed ${language}: ${error.message.replace(/\s+/g, " ").slice(0, 200)}`;
  return { file, ...position(lines, error.pos[0]), message };
}

/** Line and column, from 1, of an offset into the text. */
function position(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** The text of a mapping's key; undefined when the key is not a plain word or number. */
function keyText(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  if (typeof key.value === "string") return key.value;
  return typeof key.value === "number" ? (key.source ?? String(key.value)) : undefined;
}

/** The target of each alias: the last node with its anchor before it. One pass; an alias may lead into itself. */
function aliasTargets(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const visit = (node: unknown): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
      return;
    }
    if (isPair(node)) {
      visit(node.key);
      visit(node.value);
      return;
    }
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) anchors.set(anchor, node as Node);
    if (isMap(node) || isSeq(node)) node.items.forEach(visit);
  };
  visit(document.contents);
  return targets;
}

/** A YAML value that scenarios use. No two places share an object, so that one can be changed alone. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

/**
 * The document as plain values, aliases expanded.
 * @throws InputError with every duplicate or unusable key, or when aliases expand to more than LIMITS.values.
 */
export function plainTree(yaml: YamlDocument): Plain {
  const reader = new TreeReader(yaml);
  const tree = reader.read(yaml.document.contents, 0);
  if (reader.problems.length > 0) throw new InputError(reader.problems);
  return tree;
}

class TreeReader {
  readonly problems: Diagnostic[] = [];
  private values = 0;

  constructor(private readonly yaml: YamlDocument) {}

  read(node: unknown, depth: number): Plain {
    if (++this.values > LIMITS.values) throw this.tooMuch(node, `more than ${LIMITS.values} values`);
    if (depth > LIMITS.yamlDepth) throw this.tooMuch(node, `aliases nested deeper than ${LIMITS.yamlDepth} levels`);
    if (isAlias(node)) return this.readAlias(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.read(item, depth + 1));
    if (isMap(node)) return this.readMap(node.items, depth);
    return isScalar(node) ? this.readScalar(node.value, node) : null;
  }

  private readAlias(alias: Alias, depth: number): Plain {
    const target = this.yaml.targets.get(alias);
    if (target !== undefined) return this.read(target, depth + 1);
    this.report(alias, `the alias ${quote(alias.source)} has no anchor further up`);
    return null;
  }

  private readMap(pairs: readonly Pair[], depth: number): Plain {
    const result: { [key: string]: Plain } = {};
    for (const { key, value } of pairs) {
      const name = keyText(key);
      // Object.prototype has a setter of this name: assigning it would not make a key.
      if (name === undefined || name === "__proto__") {
        this.report(key, "expected plain words as keys, found something else");
      } else if (Object.hasOwn(result, name)) {
        this.report(key, `the key ${quote(name)} stands twice`);
      } else {
        result[name] = this.read(value, depth + 1);
      }
    }
    return result;
  }

  private readScalar(value: unknown, node: Node): Plain {
    if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      return value;
    this.report(node, "expected text, numbers, true, false, lists or mappings, found a value with a special type");
    return null;
  }

  private report(node: unknown, message: string): void {
    if (this.problems.length < LIMITS.problems) this.problems.push(this.diagnostic(node, message));
  }

  private tooMuch(node: unknown, actual: string): InputError {
    return new InputError([this.diagnostic(node, actual)]);
  }

  private diagnostic(node: unknown, message: string): Diagnostic {
    const offset = (node as Partial<Node> | null)?.range?.[0] ?? 0;
    return { file: this.yaml.file, ...position(this.yaml.lines, offset), message };
  }
}

/** The tree, made unchangeable. */
export function frozen<T>(tree: T): T {
  if (typeof tree !== "object" || tree === null) return tree;
  for (const value of Object.values(tree)) frozen<unknown>(value);
  return Object.freeze(tree);
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * The place of the value at `path`. Where the file has no such value: the place of the key (or list item) of the
 * innermost part of the path that it has, or 1:1.
 * @param wantsKey the place of the last key instead of its value.
 */
export function locate(yaml: YamlDocument, path: readonly PropertyKey[], wantsKey = false): Place {
  let node: unknown = yaml.document.contents;
  let keyOffset = 0;
  let reached = 0;
  for (const part of path) {
    for (let hops = 0; isAlias(node) && hops < LIMITS.yamlDepth; hops++) node = yaml.targets.get(node);
    if (isSeq(node)) {
      node = node.items[Number(part)];
      if (isNode(node)) keyOffset = node.range?.[0] ?? keyOffset;
    } else if (isMap(node)) {
      const pair = node.items.find(({ key }) => keyText(key) === part);
      if (pair !== undefined && isNode(pair.key)) keyOffset = pair.key.range?.[0] ?? keyOffset;
      node = pair?.value;
      if (pair !== undefined && wantsKey && reached === path.length - 1) break;
    } else {
      node = undefined;
    }
    if (!isNode(node)) break;
    reached++;
  }
  const valueOffset = isNode(node) && reached === path.length ? node.range?.[0] : undefined;
  return position(yaml.lines, valueOffset ?? keyOffset);
}
