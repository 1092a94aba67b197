/**
 * Draws the picture of the README from runs that it makes: docs/figures/benchmark.svg. The same code and scenario give
 * the same picture, byte for byte.
 *
 *   node tools/draw-readme-figure.mjs           draw it (after `npm run build`)
 *   node tools/draw-readme-figure.mjs --check   only compare; exit 1 when the picture is out of date
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { estimate } from "../dist/experiments/index.js";
import { loadScenario } from "../dist/io/index.js";
import { runScenario } from "../dist/lab/index.js";

const PICTURE = fileURLToPath(new URL("../docs/figures/benchmark.svg", import.meta.url));
const SCENARIO = fileURLToPath(new URL("../scenarios/benchmark.yaml", import.meta.url));
const SEEDS = Array.from({ length: 10 }, (_, index) => String(index + 1));

const SYSTEMS = [
  { kind: "fifo", says: "fifo", look: "greedy", dash: "5 4" },
  { kind: "fair", says: "fair: naive fair sharing", look: "greedy", dash: "none" },
  { kind: "delay", says: "delay: delay scheduling", look: "patient", dash: "5 4" },
  { kind: "hfs", says: "hfs: Hadoop Fair Scheduler", look: "patient", dash: "none" },
];
const WIDTH = 760;
const HEIGHT = 404;
const [TOP, BOTTOM] = [112, 304];
const PANEL_WIDTH = 310;
const PANELS = [
  {
    title: "Maps that ran on a node with their block, %",
    left: 52,
    ticks: [0, 25, 50, 75, 100],
    valueOf: (bin) => 100 * bin.locality.shares.node,
    heightOf: (percent) => Math.max(0, Math.min(1, percent / 100)),
  },
  {
    title: "Mean response time, s (log scale)",
    left: 432,
    ticks: [20, 50, 100, 200],
    valueOf: (bin) => bin.responseSeconds.mean,
    heightOf: (seconds) => Math.max(0, Math.log(seconds / 18) / Math.log(280 / 18)),
  },
];

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #6e7781; }
  .head { font-size: 15px; font-weight: 600; }
  .title { font-size: 13px; }
  .grid { stroke: #6e7781; stroke-opacity: 0.25; }
  .curve { fill: none; stroke-width: 2; }
  .spread { stroke-opacity: 0.5; }
  .greedy { stroke: #c27d38; }
  .patient { stroke: #4a8f6d; }
  .dot.greedy { fill: #c27d38; }
  .dot.patient { fill: #4a8f6d; }
  @media (prefers-color-scheme: dark) {
    text { fill: #9aa4af; }
    .grid { stroke: #9aa4af; }
  }`;

/** The bins of each seed's run under a scheduler. */
async function binsBySeed(kind) {
  const runs = [];
  for (const seed of SEEDS) {
    const { scenario, directory } = loadScenario(SCENARIO, {
      set: kind === "hfs" ? [] : [`scheduler=${kind}`],
      seed,
    });
    const { summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
    runs.push(summary.bins);
  }
  return runs;
}

/** One panel: a curve for each scheduler over the sizes of jobs, a thin line for each 95 % interval. */
function panel({ title, left, ticks, valueOf, heightOf }, systems, sizes) {
  const step = PANEL_WIDTH / sizes.length;
  const yOf = (value) => BOTTOM - heightOf(value) * (BOTTOM - TOP);
  const lines = [`<text class="title" x="${left - 32}" y="${TOP - 16}">${title}</text>`];
  for (const tick of ticks) {
    const y = yOf(tick).toFixed(1);
    lines.push(
      `<line class="grid" x1="${left}" y1="${y}" x2="${left + PANEL_WIDTH}" y2="${y}"/>`,
      `<text x="${left - 6}" y="${(yOf(tick) + 4).toFixed(1)}" text-anchor="end">${tick}</text>`,
    );
  }
  for (const [index, size] of sizes.entries()) {
    const x = (left + (index + 0.5) * step).toFixed(1);
    lines.push(`<text x="${x}" y="${BOTTOM + 18}" text-anchor="middle">${size}</text>`);
  }
  lines.push(`<text x="${left + PANEL_WIDTH / 2}" y="${BOTTOM + 36}" text-anchor="middle">Maps per job</text>`);
  for (const [number, { look, dash, runs }] of systems.entries()) {
    const points = sizes.map((_, index) => {
      const { mean, halfWidth } = estimate(runs.map((bins) => valueOf(bins[index])));
      // Schedulers stand beside each other, so that none hides another.
      const x = (left + (index + 0.5) * step + 3 * (number - 1.5)).toFixed(1);
      return {
        x,
        y: yOf(mean).toFixed(1),
        from: yOf(mean - halfWidth).toFixed(1),
        to: yOf(mean + halfWidth).toFixed(1),
      };
    });
    lines.push(
      `<polyline class="curve ${look}" stroke-dasharray="${dash}" points="${points.map(({ x, y }) => `${x},${y}`).join(" ")}"/>`,
      ...points.flatMap(({ x, y, from, to }) => [
        `<line class="spread ${look}" x1="${x}" y1="${from}" x2="${x}" y2="${to}"/>`,
        `<circle class="dot ${look}" cx="${x}" cy="${y}" r="2.5"/>`,
      ]),
    );
  }
  return lines.join("\n");
}

/** The scheduler's line and name. */
function legend({ says, look, dash }, index) {
  const x = [20, 104, 298, 492][index];
  return [
    `<line class="curve ${look}" stroke-dasharray="${dash}" x1="${x}" y1="52" x2="${x + 26}" y2="52"/>`,
    `<text x="${x + 32}" y="56">${says}</text>`,
  ].join("\n");
}

function draw(systems) {
  const sizes = systems[0].runs[0].map(({ locality, jobs }) => locality.tasks / jobs.ended);
  const described = PANELS.map(({ title, valueOf }) => {
    const values = systems.map(({ kind, runs }) => {
      const means = sizes.map((_, index) => estimate(runs.map((bins) => valueOf(bins[index]))).mean.toFixed(0));
      return `${kind} ${means.join(" ")}`;
    });
    return `${title}, for jobs of ${sizes.join(", ")} maps: ${values.join("; ")}.`;
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>Jobs of the benchmark schedule under four schedulers, by size</title>`,
    `<desc>${described.join(" ")}</desc>`,
    `<style>${STYLE}\n</style>`,
    `<text class="head" x="20" y="26">Locality and response time by size of job</text>`,
    ...systems.map(legend),
    ...PANELS.map((one) => panel(one, systems, sizes)),
    `<text x="20" y="${HEIGHT - 32}">Mean of ${SEEDS.length} seeds; thin lines: 95 % confidence. Orange takes any free slot at once, green waits for local data.</text>`,
    `<text x="20" y="${HEIGHT - 12}">Every map away from its block takes twice as long here: small jobs gain more than in the paper.</text>`,
    `</svg>`,
  ].join("\n")}\n`;
}

const systems = [];
for (const system of SYSTEMS) systems.push({ ...system, runs: await binsBySeed(system.kind) });
const picture = draw(systems);
const isCurrent = existsSync(PICTURE) && readFileSync(PICTURE, "utf8") === picture;
if (!process.argv.includes("--check")) writeFileSync(PICTURE, picture);
else if (!isCurrent) {
  console.error("docs/figures/benchmark.svg is out of date: node tools/draw-readme-figure.mjs");
  process.exit(1);
}
