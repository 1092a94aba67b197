/** The table of docs/bench.md: what `npm run check:nodes -- --save` measured on each Node. Prints Markdown. */
import { readFileSync } from "node:fs";
import { fixed, markdownTable } from "../dist/report/index.js";

const { machine, runs, cases, nodes } = JSON.parse(readFileSync(new URL("nodes.json", import.meta.url), "utf8"));
const heads = ["Node", ...cases.map((name) => `${name}, CPU s`)];
const rows = nodes.map(({ version, cpuSeconds }) => [version, ...cpuSeconds.map((seconds) => fixed(seconds, 2))]);
console.log(markdownTable(heads, rows));
console.log(`\n${machine}; medians of ${String(runs)} runs of each, in turn.`);
