import { describe, expect, it } from "vitest";
import * as find from "./findings.js";

const file = (text: string, path = "docs/here.md") => ({ path, text });

describe("what the tidy tests look with", () => {
  it("names the line of a match", () => {
    expect(find.linesMatching(file("one\n  two // later\n"), /later/)).toEqual(["docs/here.md:2: two // later"]);
    expect(find.linesMatching(file("one\ntwo\n"), /later/)).toEqual([]);
  });

  it("finds words in identifiers and nowhere else", () => {
    const text = `// a worker\nconst says = "worker"; class WorkerNode { #coWorker = says; }\n`;
    expect(find.identifiersWith(file(text, "a.ts"), ["worker"])).toEqual(["a.ts: WorkerNode", "a.ts: #coWorker"]);
  });

  it("finds declared names of every kind, whole ones alone, and says which are properties", () => {
    const text = [
      "function told<held>(who: number, { at, rest: kept, ...left }: T) { const [own, [each]] = [1, [at]]; }",
      "class A { what = 1; #here = 2; most() {} get many() { return asked; } constructor(readonly all: number) {} }",
      "interface T { at: number; some(other: string): void }",
      "const found = { of: 1, foundAt: 2, one() {} }; for (const there of found.same) there.heard();",
    ].join("\n");
    const words =
      "told,held,who,at,rest,left,own,each,what,here,most,many,all,some,other,found,of,one,there,same,heard";
    const declared = find.declaredAs(file(text, "a.ts"), new Set([...words.split(","), "asked", "foundA"]));
    const named = (isWanted: boolean, line: number) =>
      declared
        .filter(({ isProperty, place }) => isProperty === isWanted && place === `a.ts:${line}`)
        .map(({ name }) => name);
    expect(named(false, 1)).toEqual(["told", "held", "who", "own", "each"]);
    expect(named(true, 1)).toEqual(["at", "left"]);
    expect(named(true, 2)).toEqual(["what", "here", "most", "many"]);
    expect(named(false, 2)).toEqual(["all"]);
    expect(named(true, 3)).toEqual(["at", "some"]);
    expect(named(false, 3)).toEqual(["other"]);
    expect(named(false, 4)).toEqual(["found", "there"]);
    expect(named(true, 4)).toEqual(["one"]);
  });

  it("finds how comments open, and not how their lines do", () => {
    const text = [
      "/** What it is. */",
      "/**",
      " * So many of them,",
      " * Who knows. */",
      "const a = 1; // Where it is",
      "// The place",
      "// Where it is not. What",
      "/** Whatever, Somany; `// What` */",
    ].join("\n");
    expect(find.commentsOpeningWith(file(text, "a.ts"), ["What", "Who", "Where", "So many"])).toEqual([
      "a.ts:1: /** What it is. */",
      "a.ts:2: /** * So many of them,",
      "a.ts:5: // Where it is",
      "a.ts:8: // What` */",
    ]);
  });

  it("finds relative links, not addresses, anchors or code", () => {
    const text = [
      "[a](a.md#part) ![b](../img/b.png) [c](https://example.org/c) [d](#d) [e](<e f.md>)",
      "`[no](no.md)`",
      "```",
      "[no](no.md)",
      "```",
      '[f]: f.md "title"',
      '[g](g.md "title") [h](mailto:h@example.org)',
    ].join("\n");
    expect(find.relativeLinks(text)).toEqual(["a.md", "../img/b.png", "g.md", "f.md"]);
  });

  it("resolves a link from the folder of its file and refuses to leave the project", () => {
    const exists = (path: string) => path === "README.md" || path === "docs/there.md";
    const text = "[a](there.md) [b](../README.md) [c](README.md) [d](../../README.md) [e](/README.md)";
    expect(find.brokenLinks(file(text), exists)).toEqual([
      "docs/here.md: README.md",
      "docs/here.md: ../../README.md",
      "docs/here.md: /README.md",
    ]);
  });

  it("reads references to decisions and their headings", () => {
    const text = "DECISIONS 4, see `DECISIONS.md` 5 and DECISIONS.md, section 6 (DECISIONS #7); no DECISIONS here, 8";
    expect(find.decisionsReferredTo(text)).toEqual([4, 5, 6, 7]);
    expect(find.decisionsRecorded("# Decisions\n\n## 4. Four\ntext 5\n### 12 Twelve\n")).toEqual([4, 12]);
  });

  it("reads the members of classes, and those that a text names in code marks", () => {
    const text =
      "class A { x = 1; #y = 2; constructor(v: number, readonly z: number) {} get w() { return 3; } m() {} }\nconst B = { n: 1 };";
    expect(find.classMembers(file(text, "a.ts"))).toEqual(["A.x", "A.z", "A.w", "A.m"]);
    expect(find.membersNamed("`A1.x`, `Aa.x` and `Ab.y`, `README.txt`, Ac.z, `ad.e`")).toEqual(["Aa.x", "Ab.y"]);
  });

  it("reads names of files in code marks, from the root or from src", () => {
    const text =
      "see `core/platforms/hadoop/master/master.ts`, `test/support`, `cli/run.ts` and `lab`; core/x.ts, `other/y.ts`";
    expect(find.pathsNamed(text)).toEqual([
      "src/core/platforms/hadoop/master/master.ts",
      "test/support",
      "src/cli/run.ts",
    ]);
  });

  it("knows numbered sections, and citations of them over line ends", () => {
    expect(find.sectionNumbers("# A\n## 1. B\n### 9.4 C\n2. no heading\n")).toEqual(["1", "9.4"]);
    expect(find.semanticsCited("by semantics sections 2.3, 2.4 and\n * 9; Semantics section 10, step 0")).toEqual([
      "2.3",
      "2.4",
      "9",
      "10",
    ]);
  });
});
