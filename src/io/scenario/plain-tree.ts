import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Pair } from "yaml";
import { InputError, type Diagnostic } from "../input-error.js";
import { LIMITS } from "./limits.js";
import { quote } from "./show.js";
import { keyText, position, type YamlDocument } from "./yaml-document.js";

/** What YAML can hold and scenarios use. No two places share an object, so that one can be changed alone. */
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
    if (++this.values > LIMITS.values) throw this.tooMuch(node, `more than ${String(LIMITS.values)} values`);
    if (depth > LIMITS.yamlDepth)
      throw this.tooMuch(node, `aliases nested deeper than ${String(LIMITS.yamlDepth)} levels`);
    if (isAlias(node)) return this.readAlias(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.read(item, depth + 1));
    if (isMap(node)) return this.readMap(node.items, depth);
    return isScalar(node) ? this.readScalar(node.value, node) : null;
  }

  private readAlias(alias: Alias, depth: number): Plain {
    const target = this.yaml.targets.get(alias);
    if (target !== undefined) return this.read(target, depth + 1);
    this.report(alias, `found the alias ${quote(alias.source)} without its anchor, allowed anchors further up`);
    return null;
  }

  private readMap(pairs: readonly Pair[], depth: number): Plain {
    const result: { [key: string]: Plain } = {};
    for (const { key, value } of pairs) {
      const name = keyText(key);
      // Object.prototype has a setter of this name: assigning it would not make a key.
      if (name === undefined || name === "__proto__") {
        this.report(key, "found a key that is no plain word, allowed words");
      } else if (Object.hasOwn(result, name)) {
        this.report(key, `found the key ${quote(name)} a second time, allowed once`);
      } else {
        result[name] = this.read(value, depth + 1);
      }
    }
    return result;
  }

  private readScalar(value: unknown, node: Node): Plain {
    if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      return value;
    this.report(node, "found a value with a special type, allowed text, numbers, true, false, lists and mappings");
    return null;
  }

  private report(node: unknown, message: string): void {
    if (this.problems.length < LIMITS.problems) this.problems.push(this.diagnostic(node, message));
  }

  private tooMuch(node: unknown, found: string): InputError {
    return new InputError([this.diagnostic(node, `found ${found}, allowed less`)]);
  }

  private diagnostic(node: unknown, message: string): Diagnostic {
    const offset = (node as Partial<Node> | null)?.range?.[0] ?? 0;
    return { file: this.yaml.file, ...position(this.yaml.lines, offset), message };
  }
}

/** The values, so that nobody who gets them can change them. */
export function frozen<T>(tree: T): T {
  if (typeof tree !== "object" || tree === null) return tree;
  for (const value of Object.values(tree)) frozen<unknown>(value);
  return Object.freeze(tree);
}
