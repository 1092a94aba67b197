/**
 * How often intervals hold what they say: runs shipped scenarios with many seeds once, then draws 3, 5, 10 and 20 of
 * them again and again and counts. The truth is the mean over all those seeds of the value of a single run. Prints the
 * tables and writes them into docs/statistics.md.
 *
 *   npm run bench:coverage [-- --seeds N] [--processes 1|2] [--only tiny,benchmark]
 *
 * Takes some minutes with the 200 seeds that it has by default; with `--only` the page is left as it is.
 */
import { fork } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import seedrandom from "seedrandom";
import {
  ENOUGH_RUNS,
  estimate,
  excludesZero,
  isBeyondStep,
  holmAdjusted,
  pairedTest,
  enoughReplications,
} from "../dist/experiments/index.js";
import { planComparison, measureHere, runScenario } from "../dist/lab/index.js";

const CASES = [
  { scenario: "tiny", kinds: ["fair", "hfs"] },
  { scenario: "benchmark", kinds: ["fair", "hfs"] },
  { scenario: "io-heavy", kinds: ["fair", "hfs"] },
  { scenario: "weighted-pools", kinds: ["fair", "hfs"] },
  { scenario: "production-pool", kinds: ["fair", "hfs"] },
  { scenario: "copy-compute", kinds: ["fair", "hfs"] },
  { scenario: "dsfs", kinds: ["fair", "dsfs"] },
  { scenario: "compare-all", systems: ["fair", "hfs"] },
];
const MEASURES = [
  ["responseP50", "p50 of response times"],
  ["responseP95", "p95 of response times"],
  ["nodeLocalAll", "locality, node"],
  ["makespanSeconds", "makespan"],
];
const SIZES = [3, 5, 10, 20];
const SAMPLES = 500;
/** Of what is slow. */
const FEW_SAMPLES = 100;
const RESAMPLES = 200;
/** Differences that one table tests together. */
const FAMILY = 5;
const PAGE = new URL("../docs/statistics.md", import.meta.url);
const BLOCK = /(<!-- measured by: npm run bench:coverage -->\n)[\s\S]*?(<!-- end -->)/;

const { values: options } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    processes: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    case: { type: "string" },
  },
});
const seeds = Number(options.seeds);
if (!/^\d+$/.test(options.seeds) || seeds < 100 || seeds > 1000 || !/^[12]$/.test(options.processes)) {
  console.error("--seeds: allowed 100 to 1000; --processes: allowed 1 or 2");
  process.exit(2);
}

/** Every run of a case: by system, per seed, what a comparison keeps of it. */
async function runsOf({ scenario, kinds, systems }) {
  const file = fileURLToPath(new URL(`../scenarios/${scenario}.yaml`, import.meta.url));
  const planned = planComparison({ file, set: [], seed: undefined, seeds, kinds, systems, lenient: false });
  const measure = measureHere(runScenario, 0);
  const found = [];
  for (const { name, scenario: own } of planned.systems) {
    const runs = [];
    for (const seed of planned.seeds) {
      const { values, steps, times } = await measure({ ...own, run: { ...own.run, seed } }, planned.directory, {});
      const of = (from) => Object.fromEntries(MEASURES.map(([key]) => [key, from[key] ?? null]));
      const jobs = [...times.responseUs].filter((us) => us >= 0).map((us) => us / 1e6);
      runs.push({ values: of(values), steps: of(steps), jobs });
    }
    found.push({ name, runs });
  }
  return { scenario, systems: found };
}

const inProcess = (name) =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), ["--case", name, "--seeds", String(seeds)]);
    child.on("message", (message) => {
      console.error(`${name}: ${seeds} seeds done`);
      resolve(message);
    });
    child.on("exit", (code) => reject(new Error(`${name}: ended with ${code}`)));
  });

async function allRuns(cases) {
  const found = [];
  const left = [...cases.keys()];
  const one = async () => {
    for (let at = left.shift(); at !== undefined; at = left.shift()) found[at] = await inProcess(cases[at].scenario);
  };
  await Promise.all(Array.from({ length: Number(options.processes) }, one));
  return found;
}

const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * What is estimated: a measure of a system, or its difference between two systems. Those that never vary are left out.
 */
function quantitiesOf(found, key) {
  return found.flatMap(({ scenario, systems: [a, b] }) => {
    const of = ({ runs }) => runs.map(({ values }) => values[key]);
    const step = Math.max(...[a, b].flatMap(({ runs }) => runs.map(({ steps }) => steps[key] ?? 0)));
    const [first, second] = [of(a), of(b)];
    const both = first.map((value, i) => (value === null || second[i] === null ? null : second[i] - value));
    return [
      { kind: "value", name: `${scenario}, ${a.name}`, values: first, runs: a.runs, step },
      { kind: "value", name: `${scenario}, ${b.name}`, values: second, runs: b.runs, step },
      { kind: "difference", name: `${scenario}, ${b.name} - ${a.name}`, values: both, runs: null, step },
    ].flatMap((one) => {
      const known = one.values.filter((value) => value !== null);
      if (known.length < seeds / 2 || known.every((value) => value === known[0])) return [];
      const runs = one.runs?.filter((_, i) => one.values[i] !== null) ?? null;
      return [{ ...one, runs, values: known, truth: meanOf(known) }];
    });
  });
}

/** Places of `n` different runs. */
function drawn(random, count, n) {
  const places = new Set();
  while (places.size < n) places.add(Math.floor(random() * count));
  return [...places];
}

function resampledMeans(values, random, weigh) {
  return Float64Array.from({ length: RESAMPLES }, () => weigh(values, random)).sort();
}
const again = (values, random) => meanOf(values.map(() => values[Math.floor(random() * values.length)]));
/** Weights as gaps between uniform numbers have them (Rubin 1981). */
function weighed(values, random) {
  const weights = values.map(() => -Math.log(1 - random()));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return values.reduce((sum, value, i) => sum + value * weights[i], 0) / all;
}
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.floor(share * sorted.length)))];
const middle = (sorted) => [at(sorted, 0.025), at(sorted, 0.975)];

/** Normal distribution function (Abramowitz & Stegun 26.2.17) and its inverse by halving. */
function normalBelow(z) {
  const k = 1 / (1 + 0.2316419 * Math.abs(z));
  const series = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const above = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return z >= 0 ? 1 - above : above;
}
function normalQuantile(share) {
  let [low, high] = [-8, 8];
  for (let i = 0; i < 50; i++) {
    const half = (low + high) / 2;
    if (normalBelow(half) < share) low = half;
    else high = half;
  }
  return low;
}
/** Efron & Tibshirani 1993, 14.3. */
function bca(values, random) {
  const sorted = resampledMeans(values, random, again);
  const mean = meanOf(values);
  const below = sorted.filter((value) => value < mean).length / RESAMPLES;
  if (below === 0 || below === 1) return middle(sorted);
  const bias = normalQuantile(below);
  const without = values.map((value) => (mean * values.length - value) / (values.length - 1));
  const centre = meanOf(without);
  const squares = without.reduce((sum, value) => sum + (centre - value) ** 2, 0);
  const cubes = without.reduce((sum, value) => sum + (centre - value) ** 3, 0);
  const acceleration = squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
  return [0.025, 0.975].map((share) => {
    const z = bias + normalQuantile(share);
    return at(sorted, normalBelow(bias + z / (1 - acceleration * z)));
  });
}

/** The quantile of all jobs of the runs in one heap, with runs drawn again. */
function pooled(runs, share, random) {
  const quantiles = Float64Array.from({ length: RESAMPLES / 8 }, () => {
    const jobs = Float64Array.from(runs.flatMap(() => runs[Math.floor(random() * runs.length)].jobs)).sort();
    return jobs[Math.max(0, Math.ceil(share * jobs.length) - 1)];
  }).sort();
  return middle(quantiles);
}

const aroundMean = ({ mean, halfWidth }) => [mean - halfWidth, mean + halfWidth];
const METHODS = {
  "Student's t, no grid": ({ values }) => aroundMean(estimate(values)),
  "Student's t on the grid (Bide's)": ({ values, step }) => aroundMean(estimate(values, step)),
  "bootstrap, percentiles": ({ values }, random) => middle(resampledMeans(values, random, again)),
  "bootstrap, BCa": ({ values }, random) => bca(values, random),
  "Bayesian bootstrap": ({ values }, random) => middle(resampledMeans(values, random, weighed)),
  "lowest to highest value": ({ values }) => [Math.min(...values), Math.max(...values)],
  "bootstrap of pooled jobs by seed": ({ runs, share }, random) => pooled(runs, share, random),
};
const isSlow = (method) => /boot/.test(method);

/** Share of samples of n runs whose interval holds the truth. */
function coverage(method, quantity, n, share) {
  const random = seedrandom(`${method} ${quantity.name} ${n}`);
  const samples = isSlow(method) ? FEW_SAMPLES : SAMPLES;
  let held = 0;
  for (let i = 0; i < samples; i++) {
    const places = drawn(random, quantity.values.length, n);
    const values = places.map((place) => quantity.values[place]);
    const runs = quantity.runs === null ? null : places.map((place) => quantity.runs[place]);
    const [low, high] = METHODS[method]({ values, runs, share, step: quantity.step }, random);
    const slack = 1e-9 * Math.max(1, Math.abs(quantity.truth));
    if (low - slack <= quantity.truth && quantity.truth <= high + slack) held++;
  }
  return held / samples;
}

const percent = (share) => (100 * share).toFixed(0);
/** Mean of all, and the worst. */
const meanAndLeast = (shares) => `${percent(meanOf(shares))} (${percent(Math.min(...shares))})`;

function table(heads, rows) {
  const lines = [heads, heads.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function coverageTable(found) {
  const rows = MEASURES.flatMap(([key, title]) => {
    const all = quantitiesOf(found, key);
    return ["value", "difference"].flatMap((kind) => {
      const own = all.filter((quantity) => quantity.kind === kind);
      if (own.length === 0) return [];
      const cells = (method) => SIZES.map((n) => meanAndLeast(own.map((quantity) => coverage(method, quantity, n))));
      const name = `${title}${kind === "value" ? "" : ", differences"} (${own.length})`;
      return [[name, ...cells("Student's t on the grid (Bide's)"), ...cells("Student's t, no grid")]];
    });
  });
  const heads = ["of, in so many cases", ...SIZES.map((n) => `${n} seeds`), ...SIZES.map((n) => `no grid, ${n}`)];
  return table(heads, rows);
}

function worstCases(found) {
  const all = MEASURES.flatMap(([key, title]) => quantitiesOf(found, key).map((quantity) => ({ title, quantity })));
  const rows = all
    .map(({ title, quantity }) => {
      const shares = SIZES.map((n) => coverage("Student's t on the grid (Bide's)", quantity, n));
      return { title, quantity, shares };
    })
    .filter(({ shares }) => shares[2] < 0.93)
    .sort((a, b) => a.shares[2] - b.shares[2])
    .map(({ title, quantity, shares }) => [`${title}: ${quantity.name}`, ...shares.map(percent)]);
  return table(["below 93 % with 10 seeds", ...SIZES.map((n) => `${n} seeds`)], rows);
}

function methodTable(found) {
  const quantiles = [
    ["responseP50", 0.5],
    ["responseP95", 0.95],
  ];
  const rows = Object.keys(METHODS).map((method) => [
    method,
    ...quantiles.flatMap(([key, share]) => {
      const own = quantitiesOf(found, key).filter(({ kind }) => kind === "value");
      return SIZES.map((n) => meanAndLeast(own.map((quantity) => coverage(method, quantity, n, share))));
    }),
  ]);
  return table(["method", ...SIZES.map((n) => `p50, ${n}`), ...SIZES.map((n) => `p95, ${n}`)], rows);
}

function stoppingTable(found) {
  const all = MEASURES.flatMap(([key]) => quantitiesOf(found, key)).filter(({ kind }) => kind === "value");
  const rows = [0.1, 0.05].flatMap((relativeHalfWidth) =>
    [3, 5, ENOUGH_RUNS].map((least) => {
      const shares = [];
      let runs = 0;
      for (const { values, truth, step, name } of all) {
        const random = seedrandom(`stop ${relativeHalfWidth} ${least} ${name}`);
        const rule = { measure: "", relativeHalfWidth, most: 100 };
        let held = 0;
        for (let i = 0; i < FEW_SAMPLES; i++) {
          const drawnValues = drawn(random, values.length, rule.most).map((place) => values[place]);
          const enough =
            enoughReplications(
              drawnValues,
              rule,
              least,
              drawnValues.map(() => step),
            ) ?? rule.most;
          const { mean, halfWidth } = estimate(drawnValues.slice(0, enough), step);
          runs += enough;
          if (Math.abs(mean - truth) <= halfWidth * (1 + 1e-9)) held++;
        }
        shares.push(held / FEW_SAMPLES);
      }
      return [
        `${percent(relativeHalfWidth)} %`,
        String(least),
        meanAndLeast(shares),
        `${shares.filter((share) => share < 0.93).length} of ${all.length}`,
        (runs / all.length / FEW_SAMPLES).toFixed(1),
      ];
    }),
  );
  return table(["stops at", "from so many", "holds, %", "cases below 93 %", "mean replications"], rows);
}

/** Pairs of different runs of one system differ by nothing but chance: what do tests make of them? */
function falseFindings(found) {
  const all = MEASURES.flatMap(([key]) => quantitiesOf(found, key)).filter(({ kind }) => kind === "value");
  const rows = SIZES.map((n) => {
    const [small, starred, families] = [0, 0, 0].map(() => []);
    for (const { values, step, name } of all) {
      const random = seedrandom(`none ${n} ${name}`);
      let [ofP, ofStars, ofFamilies] = [0, 0, 0];
      for (let i = 0; i < FEW_SAMPLES; i++) {
        const tests = Array.from({ length: FAMILY }, () => {
          const places = drawn(random, values.length, 2 * n);
          const side = (from) => places.slice(from, from + n).map((place) => values[place]);
          return pairedTest(side(0), side(n), step);
        });
        const isFinding = ({ difference }) => excludesZero(difference) && isBeyondStep(difference);
        if (tests[0].pValue < 0.05) ofP++;
        if (isFinding(tests[0])) ofStars++;
        const adjusted = holmAdjusted(tests.map(({ pValue }) => pValue));
        if (tests.some((test, at) => adjusted[at] < 0.05 && isFinding(test))) ofFamilies++;
      }
      small.push(ofP / FEW_SAMPLES);
      starred.push(ofStars / FEW_SAMPLES);
      families.push(ofFamilies / FEW_SAMPLES);
    }
    const meanAndMost = (shares) => `${(100 * meanOf(shares)).toFixed(1)} (${(100 * Math.max(...shares)).toFixed(1)})`;
    return [`${n} seeds`, ...[small, starred, families].map(meanAndMost)];
  });
  return table(["of no difference", "p below 0.05", "a star", `any star of ${FAMILY}, by Holm`], rows);
}

if (options.case !== undefined) {
  process.send(await runsOf(CASES.find(({ scenario }) => scenario === options.case)), () => process.exit(0));
} else {
  const only = options.only === "" ? null : options.only.split(",");
  const cases = CASES.filter(({ scenario }) => only?.includes(scenario) ?? true);
  const found = await allRuns(cases);
  const text = [
    `${seeds} seeds each of ${cases.map(({ scenario }) => `\`${scenario}\``).join(", ")}, under two schedulers. Per cent of samples whose 95 % interval`,
    "holds the truth: mean over the cases, and in brackets the worst case.",
    "",
    coverageTable(found),
    "",
    worstCases(found),
    "",
    "Candidates, for the quantiles of single systems:",
    "",
    methodTable(found),
    "",
    "Stopping rules, at most 100 replications:",
    "",
    stoppingTable(found),
    "",
    "Findings where there are none, per cent (two samples of one system, paired at random; in brackets the worst case):",
    "",
    falseFindings(found),
  ].join("\n");
  console.log(text);
  if (only === null) {
    const page = readFileSync(PAGE, "utf8");
    if (!BLOCK.test(page)) throw new Error("docs/statistics.md has no place for the tables");
    writeFileSync(
      PAGE,
      page.replace(BLOCK, (_, head, end) => `${head}\n${text}\n\n${end}`),
    );
  }
}
