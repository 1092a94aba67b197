import { dirname, posix } from "node:path";
import ts from "typescript";
import type { ProjectFile } from "./project-files.js";

/** `path:line: text` of every line that matches. */
export function linesMatching(file: ProjectFile, pattern: RegExp): string[] {
  return file.text
    .split("\n")
    .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : []));
}

/** Identifiers of a TypeScript file that contain one of the words, whatever their case; strings and comments aside. */
export function identifiersWith(file: ProjectFile, words: readonly string[]): string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const name = node.text.toLowerCase();
      if (words.some((word) => name.includes(word))) found.add(`${file.path}: ${node.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found];
}

/** A declared name of a TypeScript file. */
export interface DeclaredName {
  readonly name: string;
  /** A member, or a variable that takes one out of an object under its own name. */
  readonly isProperty: boolean;
  /** `path:line` */
  readonly place: string;
}

/** The declarations of a TypeScript file whose whole name is one of the words. */
export function declaredAs(file: ProjectFile, words: ReadonlySet<string>): DeclaredName[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const declared: DeclaredName[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as Partial<ts.NamedDeclaration>;
    if (isDeclaration(node) && name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
      const text = name.text.replace("#", "");
      const isTakenOut = ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.propertyName;
      const isProperty = isTakenOut || ts.isClassElement(node) || ts.isTypeElement(node);
      const { line } = source.getLineAndCharacterOfPosition(name.getStart(source));
      if (words.has(text)) declared.push({ name: text, isProperty, place: `${file.path}:${line + 1}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return declared;
}

const DECLARATIONS = [
  ts.isVariableDeclaration,
  ts.isParameter,
  ts.isBindingElement,
  ts.isFunctionLike,
  ts.isPropertySignature,
  ts.isPropertyDeclaration,
  ts.isTypeParameterDeclaration,
];

function isDeclaration(node: ts.Node): boolean {
  return DECLARATIONS.some((isKind) => isKind(node));
}

/** `path:line: text` of every comment that opens with one of the words; the second line of a comment opens none. */
export function commentsOpeningWith(file: ProjectFile, words: readonly string[]): string[] {
  const opening = `(?:/[*]{2}(?:\\s*\\n\\s*[*])? |(?<!//.*\\n\\s*)// )(?:${words.join("|")})\\b.*`;
  return [...file.text.matchAll(new RegExp(opening, "g"))].map(({ 0: text, index }) => {
    const line = file.text.slice(0, index).split("\n").length;
    return `${file.path}:${line}: ${text.replace(/\s+/g, " ")}`;
  });
}

/** Members of the classes of a TypeScript file, as in `Pools.weight`. */
export function classMembers(file: ProjectFile): string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest);
  return source.statements.filter(ts.isClassDeclaration).flatMap((declared) =>
    declared.members.flatMap((member) => {
      const names = ts.isConstructorDeclaration(member) ? propertyNames(member) : [member.name];
      return names.flatMap((name) => (name && ts.isIdentifier(name) ? [`${declared.name?.text}.${name.text}`] : []));
    }),
  );
}

function propertyNames(made: ts.ConstructorDeclaration): ts.BindingName[] {
  return made.parameters.filter((each) => ts.isParameterPropertyDeclaration(each, made)).map(({ name }) => name);
}

/** Members of classes that a text names in code marks. */
export function membersNamed(text: string): string[] {
  return [...text.matchAll(/`([A-Z]\w*[a-z]\w*[.][a-z]\w*)`/g)].map(([, member]) => member!);
}

/** Relative link targets of a Markdown text, without anchors; code is not prose and is left out. */
export function relativeLinks(markdown: string): string[] {
  const prose = markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const references = [...prose.matchAll(/^\s*\[[^\]]+\]:\s+<?([^\s>]+)>?/gm)];
  return [...inline, ...references]
    .map((match) => match[1]!)
    .filter((target) => !/^(?:[a-z][a-z\d+.-]*:|#|\/\/)/i.test(target))
    .map((target) => decodeURI(target.replace(/[#?].*$/, "")));
}

/** Links of a Markdown file whose target is not there; a target from the root (`/x`) cannot work in a clone. */
export function brokenLinks(file: ProjectFile, exists: (path: string) => boolean): string[] {
  return relativeLinks(file.text).flatMap((target) => {
    const path = posix.join(dirname(file.path), target);
    return target.startsWith("/") || path.startsWith("..") || !exists(path) ? [`${file.path}: ${target}`] : [];
  });
}

/**
 * Files and folders that a text names in code marks, as in `core/platforms/hadoop/master/master.ts`: from the root, or
 * from `src`.
 */
export function pathsNamed(text: string): string[] {
  const rooms = "core|experiments|messages|actors|io|lab|report|cli";
  const named = [...text.matchAll(new RegExp(`\`(src/|test/|bench/|tools/|(?:${rooms})/)([\\w./-]*)\``, "g"))];
  return named.map(([, room, rest]) => `${new RegExp(`^(?:${rooms})/$`).test(room!) ? "src/" : ""}${room}${rest}`);
}

/**
 * Numbers of decisions that a text refers to: `DECISIONS 4`, `DECISIONS.md, 4`, `DECISIONS #4`, `DECISIONS.md section
 * 4`.
 */
export function decisionsReferredTo(text: string): number[] {
  const reference = /\bDECISIONS(?:\.md)?[`)\]]?,?\s*(?:#|§\s*|no\.\s*|number\s+|section\s+)?(\d+)/g;
  return [...text.matchAll(reference)].map((match) => Number(match[1]));
}

/** Numbers of the decisions that DECISIONS.md records: its numbered headings. */
export function decisionsRecorded(text: string): number[] {
  return [...text.matchAll(/^#{1,6}\s+(\d+)\b/gm)].map((match) => Number(match[1]));
}

/** Numbers of the headings of a text, such as 9 and 9.4. */
export function sectionNumbers(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (\d+(?:[.]\d+)?)[.]? /gm)].map(([, number]) => number!);
}

/**
 * Sections that a text cites of docs/semantics.md, as in "semantics section 9.4" or "semantics sections 2.3, 2.4 and
 * 9".
 */
export function semanticsCited(text: string): string[] {
  const flat = text.replace(/\n\s*(?:[*]|\/\/)?\s*/g, " ");
  return [...flat.matchAll(/semantics,? sections? ((?:\d+(?:[.]\d+)?[a-z]?(?:, | and | to )?)+)/gi)].flatMap(
    ([, list]) => [...list!.matchAll(/\d+(?:[.]\d+)?[a-z]?/g)].map(([number]) => number),
  );
}
