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
