import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../io/bide-version.js";
import { ATTEMPT_WORDS, MOST, type RunPicture } from "../io/results/run-picture.js";

/** What the page holds as JSON. */
export interface PageData {
  readonly runs: readonly RunPicture[];
  readonly words: typeof ATTEMPT_WORDS;
  readonly most: typeof MOST;
}

/** One HTML document that needs nothing beside it. @throws Error when the package was not built whole. */
export function htmlReport(runs: readonly RunPicture[]): string {
  const part = (name: string): string => readFileSync(join(PACKAGE_ROOT, "bundle/report", name), "utf8");
  const data: PageData = { runs, words: ATTEMPT_WORDS, most: MOST };
  const title = runs.map(({ summary }) => summary.scenario.slice(0, 60)).join(", ");
  // No network whatever a name says: scripts and styles are those of the page.
  const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeHtml(title.slice(0, 200))} · Bide</title>
<style>${part("page.css")}</style>
</head>
<body>
<noscript>This report draws its figures with JavaScript.</noscript>
<main id="report"></main>
<script type="application/json" id="data">${embeddedJson(data)}</script>
<script>${part("page.js").replace(/<\/(script)/gi, "<\\/$1")}</script>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

/** JSON in which no name ends the script element or begins a comment. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, "\\u003c")
    .replace(/>/g, "\\u003e")
    .replace(/&/g, "\\u0026")
    .replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
