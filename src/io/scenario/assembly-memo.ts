import { filePlaces, readImports, type Imports } from "./imports.js";
import { type Plain, plainTree, type YamlDocument } from "./yaml-document.js";
import type { ScenarioFile, scenarioSchema } from "./scenario-schema.js";

type Schema = typeof scenarioSchema;
type Parsed = ReturnType<Schema["safeParse"]>;
type Section = keyof ScenarioFile;

/** What whoever assembles one file again and again, with other changes but the same plugins, need not do each time. */
export class AssemblyMemo {
  private readonly base: Plain;
  /** What the schema makes of sections of `base`. */
  private readonly valid = new Map<string, unknown>();
  /** By the sections that are left out. */
  private readonly schemas = new Map<string, Pick<Schema, "safeParse">>();
  private imports: { readonly key: string; readonly imports: Imports } | undefined;

  /** @throws InputError as `plainTree` does. */
  constructor(yaml: YamlDocument) {
    this.base = plainTree(yaml);
  }

  /** The file's tree, to be changed at these paths and nowhere else. */
  treeFor(paths: readonly (readonly string[])[]): Plain {
    if (!isMapping(this.base)) return this.base;
    const tree = { ...this.base };
    for (const [section] of paths) {
      if (Object.hasOwn(tree, section) && tree[section] === this.base[section]) {
        tree[section] = structuredClone(tree[section]);
      }
    }
    return tree;
  }

  /** `schema.safeParse(tree)`, of a tree that `treeFor` gave. */
  parse(schema: Schema, tree: Plain): Parsed {
    if (!isMapping(tree)) return schema.safeParse(tree);
    const known = Object.keys(tree).filter((name) => this.valid.has(name) && this.isUnchanged(tree, name));
    const rest = Object.fromEntries(Object.entries(tree).filter(([name]) => !known.includes(name)));
    const parsed = this.without(schema, known).safeParse(rest);
    // The whole says what is allowed beside what.
    if (!parsed.success) return schema.safeParse(tree);
    const sections: Record<string, unknown> = { ...parsed.data };
    for (const name of Object.keys(rest)) if (this.isUnchanged(tree, name)) this.valid.set(name, sections[name]);
    for (const name of known) sections[name] = this.valid.get(name);
    return { success: true, data: sections as ScenarioFile };
  }

  /** `readImports(tree, file)`; files that are named again are not read again. */
  importsOf(tree: Plain, file: string): Imports {
    const key = JSON.stringify(filePlaces(tree).map(({ path, file: named }) => [path, named]));
    if (this.imports?.key !== key) this.imports = { key, imports: readImports(tree, file) };
    return this.imports.imports;
  }

  private isUnchanged(tree: { readonly [key: string]: Plain }, name: string): boolean {
    return isMapping(this.base) && this.base[name] === tree[name] && isMapping(tree[name]);
  }

  private without(schema: Schema, sections: readonly string[]): Pick<Schema, "safeParse"> {
    if (sections.length === 0) return schema;
    const key = sections.join(" ");
    const found = this.schemas.get(key) ?? (schema.omit(maskOf(sections)) as unknown as Pick<Schema, "safeParse">);
    this.schemas.set(key, found);
    return found;
  }
}

function maskOf(sections: readonly string[]): { [K in Section]?: true } {
  return Object.fromEntries(sections.map((name) => [name, true]));
}

function isMapping(value: Plain): value is { [key: string]: Plain } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
