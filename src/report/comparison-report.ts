import type { ComparedScheduler, Comparison, Estimate } from "../core/metrics/comparison.js";
import { MEASURES, type Measure, type MeasureUnit } from "../core/metrics/measures.js";
import { entry, type Paint } from "./layout.js";
import { NOTHING, percent, plain, significant } from "./numbers.js";
import { waitWords } from "./scheduler-words.js";
import { textTable } from "./text-table.js";

const UNIT_WORDS: Readonly<Record<MeasureUnit, string>> = {
  share: ", %",
  seconds: ", s",
  "machine-seconds": ", s",
  "per-second": "",
  index: "",
  count: "",
};

const WRITERS: Readonly<Record<MeasureUnit, (value: number | null) => string>> = {
  share: percent,
  seconds: plain,
  "machine-seconds": significant,
  "per-second": significant,
  index: significant,
  count: (value) => (Number.isInteger(value) ? String(value) : plain(value)),
};

/** Schedulers side by side: a column each, a row per measure that has a value; mean and half-width where there are several seeds. */
export function comparisonReport(comparison: Comparison, paint: Paint): string {
  const { schedulers, seeds } = comparison;
  const several = seeds.length > 1;
  const measures = MEASURES.filter((measure) => isWorthARow(comparison, measure));
  const columns = schedulers.map(({ kind, measures: found }) => {
    const estimates = measures.map(({ key, unit }) => estimateWords(found[key], unit));
    return [kind, ...(several ? aligned(estimates) : estimates.map(({ mean }) => mean))];
  });
  const labels = ["", ...measures.map(({ label, unit }) => label + UNIT_WORDS[unit])];
  const lines = textTable(labels.map((label, row) => [label, ...columns.map((column) => column[row])]));
  const over = several
    ? `mean over ${String(seeds.length)} seeds (${seedWords(seeds)}) ± 95 % half-width`
    : `seed ${seeds[0]}`;
  const head = [
    ...entry("Scenario", `${comparison.scenario}; ${over}`, paint),
    ...entry("Waits", schedulers.map(waitOf).join("; "), paint),
    ...comparison.notes.flatMap((note) => entry("Note", note, paint)),
  ];
  return `${[...head, "", paint.bold(lines[0]), ...lines.slice(1)].join("\n")}\n`;
}

function isWorthARow({ schedulers }: Comparison, { key, unit }: Measure): boolean {
  const means = schedulers.map(({ measures }) => measures[key].mean);
  // That jobs are unfinished, or attempts were killed, matters only when some are.
  return unit === "count" ? means.some((mean) => mean !== 0) : means.some((mean) => mean !== null);
}

interface EstimateWords {
  readonly mean: string;
  readonly halfWidth: string;
}

function estimateWords({ mean, halfWidth }: Estimate, unit: MeasureUnit): EstimateWords {
  const write = WRITERS[unit];
  return { mean: write(mean), halfWidth: halfWidth === null ? NOTHING : likeMean(write(mean), halfWidth, unit) };
}

/** A half-width has as many decimals as its mean. */
function likeMean(mean: string, halfWidth: number, unit: MeasureUnit): string {
  const decimals = (mean.split(".")[1] ?? "").length;
  return (unit === "share" ? halfWidth * 100 : halfWidth).toFixed(decimals);
}

/** `98.2 ± 0.3` with the signs below each other. */
function aligned(estimates: readonly EstimateWords[]): string[] {
  const width = Math.max(...estimates.map(({ halfWidth }) => halfWidth.length));
  return estimates.map(({ mean, halfWidth }) =>
    mean === NOTHING ? NOTHING : `${mean} ± ${halfWidth.padStart(width)}`,
  );
}

function seedWords(seeds: readonly string[]): string {
  return seeds.length <= 3 ? seeds.join(", ") : `${seeds[0]} to ${seeds[seeds.length - 1]}`;
}

function waitOf({ kind, wait, isPlugin }: ComparedScheduler): string {
  return `${kind}: ${isPlugin === true ? "its own" : waitWords(wait)}`;
}
