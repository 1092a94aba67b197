import { capital, type GroupKind, localTask, type RecordWords } from "../core/record/index.js";
import {
  type ComparedSystem,
  type Comparison,
  platformMeasures,
  groupKey,
  wordsOfMeasure,
  excludesZero,
  isBeyondStep,
  isFixed,
  type MeasureWords,
} from "../experiments/index.js";
import { jsonText } from "../io/index.js";
import { latexTables } from "./latex.js";
import {
  columnSets,
  counted,
  csvText,
  entry,
  escaped,
  fitted,
  markdownTable,
  noteLines,
  type Paint,
  shortened,
  TABLE_WIDTH,
  textTable,
} from "./tables.js";
import {
  bandWords,
  columnTitle,
  differenceWords,
  estimateWords,
  FEW_RUNS,
  FEW_RUNS_WORDS,
  groupTitles,
  markOf,
  seedSpan,
} from "./words.js";

/** What the cells and the head do not say themselves. */
function reading(words: RecordWords): string {
  const elsewhere = `one ${localTask(words).one} on another node`;
  const what = words.has.includes("heartbeats") ? `one job a heartbeat later, or ${elsewhere},` : elsewhere;
  return `-: no value. Grid step: what ${what} changes`;
}

/** A cell without a value, or with 0. */
const NOTHING = /^(-|0|0±0\??|)$/;

/** Systems side by side for people: a table for each thing they are compared by, with a row per system. */
export function comparisonReport(comparison: Comparison, paint: Paint): string {
  const head = comparisonHead(comparison).flatMap(([label, text]) => entry(label, text, paint));
  const names = comparison.systems.map(({ name }) => name);
  const tables = comparisonTables(comparison).flatMap((table) => textTables(names, table, paint));
  const notes = noteLines(comparison.notes, paint.allNotes).flatMap((note) => entry("Note", note, paint));
  return fitted(`${[...head, ...tables, "", reading(comparison.words), ...notes].join("\n")}\n`, paint.widthColumns);
}

/** What must be known to read the tables, by label. */
function comparisonHead(comparison: Comparison): (readonly [string, string])[] {
  const { scenario, systems, seeds, stuck = [], refused = [], modelError } = comparison;
  const baselines = baselinesOf(systems);
  const found = systems.map(({ name, point, waits }) => `${own(name, point)}: ${waits}`);
  const isMarked = modelError === undefined && seeds.length > 1 && baselines !== "" && !isAllFixed(comparison);
  return [
    ["Scenario", `${scenario}; ${overWords(comparison)}`],
    ["Waits", [...new Set(found)].join("; ")],
    ...(isMarked ? [["Baseline", `${baselines}; * ${markWords("it")}`] as const] : []),
    ...(modelError !== undefined && baselines !== ""
      ? ([["Baseline", baselines] as const, ["Band", bandWords(modelError, seeds.length)] as const] as const)
      : []),
    ...stuck.flatMap(({ system, seed, why }) =>
      why.map((line, i) =>
        i === 0
          ? (["Stuck", `${system}, seed ${seed}: ${line.replace(/^stuck: /, "")}`] as const)
          : (["", line] as const),
      ),
    ),
    ...refusedLines(refused).map((line, i) => [i === 0 ? "Refused" : "", line] as const),
  ];
}

/** Every figure is the same with each of several seeds, but for those of this machine. */
function isAllFixed({ systems, words }: Comparison): boolean {
  const keys = measuresIn(systems, words).flatMap(({ key, group }) => (group === "cost" ? [] : [key]));
  const spread = systems.flatMap(({ measures }) =>
    keys.map((key) => measures[key]).filter(({ halfWidth }) => halfWidth !== null),
  );
  return spread.length > 0 && spread.every(isFixed);
}

/** A cell with a value other than 0, and without its interval. */
const WITHOUT_INTERVAL = /^[-+]?[\d,.]*[1-9][\d,.]* *$/;

/** `mean over 10 seeds (1 to 10) ± 95 % half-width`. */
function overWords(comparison: Comparison): string {
  const { seeds, modelError } = comparison;
  if (seeds.length < 2) return `seed ${seeds[0]}`;
  if (modelError !== undefined) return `mean over ${String(seeds.length)} draws (seeds ${seedSpan(seeds)})`;
  if (isAllFixed(comparison)) {
    return `the same with each of ${String(seeds.length)} seeds (${seedSpan(seeds)}), which change nothing: there is no interval and nothing to test`;
  }
  const cells = comparisonTables(comparison).flatMap(({ columns }) => columns.flatMap((column) => column.cells));
  const fixed = cells.some((cell) => WITHOUT_INTERVAL.test(cell)) ? "; without ±: the same with every seed" : "";
  const fewRuns = cells.some((cell) => cell.includes(FEW_RUNS)) ? `; ${FEW_RUNS_WORDS}` : "";
  return `mean over ${String(seeds.length)} seeds (${seedSpan(seeds)}) ± 95 % half-width${fixed}${fewRuns}`;
}

/** A system without the point that it stands at. */
function own(name: string, point: string): string {
  return point === "" ? name : name.slice(0, -1 - point.length);
}

/** Empty: there are none. */
function baselinesOf(systems: readonly ComparedSystem[]): string {
  return [...new Set(systems.flatMap(({ baseline, point }) => (baseline === null ? [] : own(baseline, point))))].join(
    ", ",
  );
}

function markWords(baseline: string): string {
  return `marks a difference to ${baseline}, seed by seed, that is more than a grid step and whose 95 % interval excludes 0`;
}

/** A line per system: the first of its runs, and how many others there are like it. */
function refusedLines(refused: NonNullable<Comparison["refused"]>): string[] {
  return [...new Set(refused.map(({ system }) => system))].map((name) => {
    const [{ seed, why }, ...others] = refused.filter(({ system }) => system === name);
    const also = others.length === 0 ? "" : `; jobs were also refused with ${counted(others.length, "other seed")}`;
    return `${name}, seed ${seed}: ${why}${also}. The figures are of the other jobs`;
  });
}

function textTables(names: readonly string[], { title, columns }: ComparisonTable, paint: Paint): string[] {
  const { widthColumns = TABLE_WIDTH } = paint;
  const all = [
    ["", ...columns.map(({ label }) => label)],
    ...names.map((name, at) => [name, ...columns.map(({ cells }) => cells[at])]),
  ];
  return columnSets(all, 1, widthColumns).flatMap((some, i) => {
    const [heads, ...rows] = all.map((row) => some.map((column) => row[column]));
    const telling = rows.filter(([, ...cells]) => !cells.every((cell) => NOTHING.test(cell.trim())));
    // Most systems kill nobody and copy nothing; where many do, a row of zeros is no bother.
    const shown = telling.length > 0 && rows.length > 2 && telling.length <= rows.length / 2 ? telling : rows;
    const lines = textTable([heads, ...shown], undefined, paint.widthColumns);
    const rest = shown.length < rows.length ? ["all others: none"] : [];
    return ["", paint.bold(i === 0 ? title : `${title} (continued)`), ...lines, ...rest];
  });
}

/** The tables in Markdown. */
export function comparisonMarkdown(comparison: Comparison): string {
  const names = comparison.systems.map(({ name }) => name);
  const head = comparisonHead(comparison).map(([label, text]) => `- ${label}: ${escaped(text)}`);
  const tables = comparisonTables(comparison).map(({ title, columns }) => {
    const heads = ["", ...columns.map(({ label }) => label)];
    const rows = names.map((name, at) => [name, ...columns.map(({ cells }) => cells[at])]);
    return [`### ${escaped(title)}`, "", markdownTable(heads, rows)].join("\n");
  });
  return `${[head.join("\n"), ...tables].join("\n\n")}\n`;
}

/** The tables in LaTeX. */
export function comparisonLatex(comparison: Comparison): string {
  const { scenario, systems } = comparison;
  const baselines = baselinesOf(systems);
  const tables = comparisonTables(comparison).map(({ title, columns }) => {
    const cells = columns.flatMap((column) => column.cells.map((cell) => cell.trim()));
    const caption = [
      `${title}. Of ${scenario}: ${overWords(comparison)}`,
      ...(comparison.modelError !== undefined && cells.some((cell) => cell.includes(" to "))
        ? [`differences to ${baselines}; ${bandWords(comparison.modelError, comparison.seeds.length)}`]
        : []),
      ...(cells.some((cell) => cell.endsWith("*")) ? [`* ${markWords(baselines)}`] : []),
      ...(cells.some((cell) => cell === "") ? [`the baseline is ${baselines}`] : []),
      ...(cells.some((cell) => cell === "-") ? ["--: no value"] : []),
    ];
    return {
      title,
      caption: `${caption.join("; ")}.`,
      heads: ["system", ...columns.map(({ label }) => label)],
      rows: systems.map(({ name }, at) => [name, ...columns.map((column) => column.cells[at])]),
    };
  });
  return latexTables(scenario, comparisonHead(comparison), tables);
}

const COLUMNS = [
  ...["system", "point", "kind", "group", "measure", "unit", "mean", "half_width", "seeds"],
  ...["baseline", "difference", "difference_half_width", "differs"],
];

const OF_BAND = ["band_low", "band_high", "verdict"];

/** Every measure of every system, one per line. */
export function comparisonCsv({ systems, words, modelError }: Comparison): string {
  const hasBands = modelError !== undefined;
  const rows = systems.flatMap(({ name, point, kind, baseline, measures, differences }) =>
    measuresIn(systems, words).map(({ key, group, unit }) => {
      const { mean, halfWidth, values } = measures[key];
      const difference = differences?.[key];
      const known = values.filter((value) => value !== null).length;
      const differs =
        typeof difference?.halfWidth === "number" && !isFixed(difference)
          ? String(excludesZero(difference) && isBeyondStep(difference))
          : null;
      const band = difference?.band;
      return [
        ...[name, point, kind, group, key, unit, mean, halfWidth, known],
        ...[baseline, difference?.mean ?? null, difference?.halfWidth ?? null, differs],
        ...(hasBands ? [band?.low ?? null, band?.high ?? null, band?.verdict ?? null] : []),
      ];
    }),
  );
  return csvText([hasBands ? [...COLUMNS, ...OF_BAND] : COLUMNS, ...rows]);
}

/** All that the systems have values of, those of pools after the others. */
function measuresIn([{ measures }]: readonly ComparedSystem[], words: RecordWords): MeasureWords[] {
  return Object.keys(measures).flatMap((key) => wordsOfMeasure(key, words) ?? []);
}

/** A comparison in one of the formats of tables. */
export function comparisonText(
  comparison: Comparison,
  format: "text" | "md" | "latex" | "csv" | "json",
  paint: Paint,
): string {
  switch (format) {
    case "text":
      return comparisonReport(comparison, paint);
    case "md":
      return comparisonMarkdown(comparison);
    case "latex":
      return comparisonLatex(comparison);
    case "csv":
      return comparisonCsv(comparison);
    case "json":
      return jsonText(comparison);
  }
}

/** A table of a comparison: a row per system. */
interface ComparisonTable {
  readonly title: string;
  readonly columns: readonly ComparisonColumn[];
}

interface ComparisonColumn {
  readonly label: string;
  /** By system; each ends in its mark, or a blank, where the column has marks. */
  readonly cells: readonly string[];
}

/** What the differences to the baseline are shown of; of all others they are in the JSON. */
const HEADLINES: readonly (readonly [key: string, label: string])[] = [
  ["nodeLocalAll", "node, %"],
  ["responseMean", "response, s"],
  ["responseP95Small", "p95 1-20, s"],
  ["slowdownMean", "slowdown"],
  ["mapsPerSecond", "maps/s"],
  ["belowFairShare", "below, %"],
  ["inputMoved", "moved, GB"],
];

/** Of an import; where there are many jobs in one application, how long that takes is what is asked. */
const HEADLINES_OF_IMPORTS: typeof HEADLINES = [["makespanSeconds", "makespan, s"], ...HEADLINES];

/** The tables that have anything to show, in their order. */
export function comparisonTables(comparison: Comparison): ComparisonTable[] {
  const { systems, words, chosen = [] } = comparison;
  if (chosen.length > 0) {
    const measures = chosen.flatMap((key) => wordsOfMeasure(key, words) ?? []);
    const columns = measures.map((measure) => columnOf(systems, { ...measure, label: columnTitle(measure) }));
    return [{ title: "Measures", columns }, differenceTable(comparison)].filter((table) => table.columns.length > 0);
  }
  const tables = groupTitles(words).map(([group, title]) => {
    const measures = platformMeasures(words).listed.filter(
      (measure) => measure.group === group && isWorthAColumn(systems, measure),
    );
    return { title, columns: measures.map((measure) => columnOf(systems, measure)) };
  });
  const ofGroups = [...groupTables(comparison, "pool"), ...groupTables(comparison, "user")];
  return [...tables, ...ofGroups, differenceTable(comparison)].filter(({ columns }) => columns.length > 0);
}

/** Of a comparison with more pools, or users, those that used most slots have tables. */
const MOST_GROUPS = 5;

const NAME_WIDTH = 40;

/** What each pool, or user, saw under each system. */
function groupTables({ systems, words, pools = [], users = [] }: Comparison, kind: GroupKind): ComparisonTable[] {
  const names = kind === "pool" ? pools : users;
  const more = names.length - MOST_GROUPS;
  return names.slice(0, MOST_GROUPS).map((name, at) => {
    const columns = GROUP_COLUMNS.flatMap(([key, label]) => {
      const measure = wordsOfMeasure(groupKey(key, { kind, name }, words), words);
      if (measure === undefined || !isWorthAColumn(systems, measure)) return [];
      return [columnOf(systems, { ...measure, label })];
    });
    const rest =
      at === MOST_GROUPS - 1 && more > 0
        ? `; ${counted(more, `more ${kind === "pool" ? words.group.one : kind}`)} in the JSON`
        : "";
    return {
      title: `${kind === "pool" ? capital(words.group.one) : "User"} ${shortened(name, NAME_WIDTH)}${rest}`,
      columns,
    };
  });
}

/** The others that are kept of them are in the JSON. */
const GROUP_COLUMNS: readonly (readonly [key: string, label: string])[] = [
  ["responseP50", "response p50, s"],
  ["responseP95", "p95, s"],
  ["nodeLocalAll", "node, %"],
  ["heldOfFairShare", "held of fair share, %"],
  ["belowPromise", "below promise, %"],
  ["unfinishedJobs", "unfinished jobs"],
  ["deadlinesMissed", "deadlines missed"],
  ["kills", "killed"],
  ["killsCaused", "took"],
];

function columnOf(systems: readonly ComparedSystem[], { key, label, unit }: MeasureWords): ComparisonColumn {
  const cells = systems.map(({ measures }) => estimateWords(measures[key], unit));
  const marks = systems.map(({ differences }) => markOf(differences?.[key], unit));
  const hasMarks = unit !== "machine-seconds" && unit !== "machine-microseconds" && marks.includes("*");
  return { label, cells: hasMarks ? cells.map((cell, at) => cell + marks[at]) : cells };
}

/** Over one seed they say no more than the tables do. */
function differenceTable({ systems, seeds, words, modelError, chosen = [] }: Comparison): ComparisonTable {
  const title = `Differences to the baseline, ${modelError === undefined ? "seed by seed" : "draw by draw"}`;
  const usual = modelError === undefined ? HEADLINES : HEADLINES_OF_IMPORTS;
  if (seeds.length < 2 || systems.every(({ differences }) => differences === null)) return { title, columns: [] };
  const headlines = chosen.length === 0 ? usual : chosen.map((key) => [key, null] as const);
  const columns = headlines.flatMap(([key, label]) => {
    const measure = wordsOfMeasure(key, words);
    if (measure === undefined || !isWorthAColumn(systems, measure)) return [];
    const cells = systems.map(({ differences }) =>
      differences === null
        ? ""
        : differenceWords(differences[key], measure.unit) + markOf(differences[key], measure.unit),
    );
    return [{ label: label ?? columnTitle(measure), cells }];
  });
  return { title, columns };
}

function isWorthAColumn(systems: readonly ComparedSystem[], { key, unit }: MeasureWords): boolean {
  const means = systems.map(({ measures }) => measures[key].mean);
  // That jobs are unfinished, attempts were killed or bytes moved matters only when some are.
  return unit === "count" || unit === "gigabytes"
    ? means.some((mean) => mean !== 0 && mean !== null)
    : means.some((mean) => mean !== null);
}
