/**
 * Draws the picture of the README from a comparison that it runs: docs/figures/benchmark.svg. The same code and
 * scenario give the same picture, byte for byte.
 *
 *   node tools/draw-readme-figure.mjs           draw it (after `npm run build`)
 *   node tools/draw-readme-figure.mjs --check   only compare; exit 1 when the picture is out of date
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PICTURE = `${ROOT}/docs/figures/benchmark.svg`;
const COMMAND = ["bin/bide.js", "compare", "scenarios/benchmark.yaml", "--seeds", "5", "--json", "--quiet"];

const WIDTH = 760;
const ROW = 34;
const FIRST_ROW = 74;
const PANELS = [
  {
    title: "Maps that ran on a node with their block",
    measure: "nodeLocalSmall",
    x: 70,
    scale: 100,
    label: (v) => `${v.toFixed(0)} %`,
  },
  {
    title: "Response time, 95th percentile",
    measure: "responseP95Small",
    x: 440,
    scale: 1,
    label: (v) => `${v.toFixed(0)} s`,
  },
];
const BAR_ROOM = 210;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #6e7781; }
  .head { font-size: 15px; font-weight: 600; }
  .bar { fill: #4a8f6d; }
  .greedy { fill: #c27d38; }
  .spread { stroke: #6e7781; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #9aa4af; }
    .spread { stroke: #9aa4af; }
  }`;

/** One panel: a bar for each scheduler's mean, a thin line for its 95 % interval. */
function panel({ title, measure, x, scale, label }, systems) {
  const highest = Math.max(...systems.map(({ measures }) => measures[measure].mean + measures[measure].halfWidth));
  const longest = scale === 100 ? 1 : highest;
  const lengthOf = (value) => Math.max(0, Math.min(1, value / longest)) * BAR_ROOM;
  const rows = systems.map(({ kind, waits, measures }, row) => {
    const { mean, halfWidth } = measures[measure];
    const y = FIRST_ROW + row * ROW;
    const [from, to] = [mean - halfWidth, mean + halfWidth].map(lengthOf);
    const length = lengthOf(mean);
    const look = waits === "no wait" ? "bar greedy" : "bar";
    return [
      `<text x="${x - 8}" y="${y + 15}" text-anchor="end">${kind}</text>`,
      `<rect class="${look}" x="${x}" y="${y}" width="${length.toFixed(1)}" height="22" rx="2"/>`,
      `<line class="spread" x1="${(x + from).toFixed(1)}" y1="${y + 11}" x2="${(x + to).toFixed(1)}" y2="${y + 11}"/>`,
      `<text x="${(x + Math.max(length, to) + 8).toFixed(1)}" y="${y + 15}">${label(mean * scale)}</text>`,
    ].join("\n");
  });
  return [`<text x="${x}" y="${FIRST_ROW - 14}">${title}</text>`, ...rows].join("\n");
}

function draw({ systems, seeds }) {
  const height = FIRST_ROW + systems.length * ROW + 54;
  const said = PANELS.map(({ title, measure, scale, label }) => {
    const values = systems.map(({ kind, measures }) => `${kind} ${label(measures[measure].mean * scale)}`);
    return `${title}: ${values.join(", ")}.`;
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>Small jobs on the benchmark schedule under four schedulers</title>`,
    `<desc>${said.join(" ")}</desc>`,
    `<style>${STYLE}\n</style>`,
    `<text class="head" x="20" y="26">Jobs of 1 to 20 maps on the benchmark schedule</text>`,
    ...PANELS.map((one) => panel(one, systems)),
    `<text x="20" y="${height - 32}">Mean of ${seeds.length} seeds; thin lines: 95 % confidence. Orange takes any slot at once, green waits for local data.</text>`,
    `<text x="20" y="${height - 12}">Every map away from its block takes twice as long here: small jobs gain more than in the paper.</text>`,
    `</svg>`,
  ].join("\n")}\n`;
}

const picture = draw(JSON.parse(execFileSync(process.execPath, COMMAND, { cwd: ROOT, encoding: "utf8" })));
const isCurrent = existsSync(PICTURE) && readFileSync(PICTURE, "utf8") === picture;
if (!process.argv.includes("--check")) writeFileSync(PICTURE, picture);
else if (!isCurrent) {
  console.error("docs/figures/benchmark.svg is out of date: node tools/draw-readme-figure.mjs");
  process.exit(1);
}
