import { expect, it } from "vitest";
import { embeddedJson, escapeHtml } from "../../../dist/report/index.js";

const HOSTILE = [
  "</script><script>alert(1)</script>",
  "<!--",
  "]]>",
  "a & b",
  "\u2028\u2029",
  `"'`,
  "\u202E",
  "\ud800",
];

it("JSON in a page ends no element and is what it was", () => {
  const text = embeddedJson(HOSTILE);
  expect(text).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(text)).toEqual(HOSTILE);
});

it("text in a page is neither element nor attribute", () => {
  for (const name of HOSTILE) expect(escapeHtml(name)).not.toMatch(/[<>"']|&(?!#\d+;)/);
});
