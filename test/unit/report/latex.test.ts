import fc from "fast-check";
import { expect, it } from "vitest";
import { latex, latexTables } from "../../../dist/report/index.js";

/** What TeX would print of words without markup: the reverse of the escapes, written anew. */
function printed(text: string): string {
  return text
    .replace(/\\text(backslash|asciitilde|asciicircum|less|greater|bar|quotedbl)\{\}/g, (_, name: string) => {
      return { backslash: "\0", asciitilde: "~", asciicircum: "^", less: "<", greater: ">", bar: "|", quotedbl: '"' }[
        name
      ]!;
    })
    .replaceAll("$\\pm$", "±")
    .replace(/\\([&%$#_{}])/g, "$1")
    .replaceAll("\0", "\\");
}

it("Text is printed by LaTeX as it was, whatever it is", () => {
  const texts = fc.string({ unit: fc.constantFrom(...String.raw`ab \{}%&$#_^~<>|"±-`) });
  fc.assert(
    fc.property(texts, (text) => {
      expect(printed(latex(text))).toBe(text);
    }),
  );
});

it("Tables in LaTeX have labels of their own, whatever they are called", () => {
  const titles = ["Pool a.b", "Pool a_b", "Pool a-b; 3 more", String.raw`}\input{x}%`, "\u6771\u4eac", "x".repeat(500)];
  const tables = titles.map((title) => ({ title, caption: title, heads: ["a"], rows: [] }));
  const text = latexTables("", [], tables);
  const labels = [...text.matchAll(/\\label\{([^}]*)\}/g)].map(([, label]) => label!);
  expect(new Set(labels).size).toBe(titles.length);
  for (const label of labels) expect(label).toMatch(/^tab:[a-z0-9-]{1,63}$/);
});
