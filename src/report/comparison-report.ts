import { labelsOf } from "../core/kernel/index.js";
import { capital, type GroupKind, localTask, type RecordWords } from "../core/record/index.js";
import {
  type ComparedSystem,
  type Comparison,
  platformMeasures,
  groupKey,
  wordsOfMeasure,
  excludesZero,
  FEWEST_FOR_REGRESSION,
  isBeyondStep,
  isFixed,
  type MeasureWords,
} from "../experiments/index.js";
import { tableReport, type ReportTable, type TableFormat } from "./table-report.js";
import {
  counted,
  type Cell,
  entries,
  type Entry,
  noteLines,
  NOTHING,
  type Paint,
  shortened,
  WIDTH,
  wrap,
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
  withoutPoint,
} from "./words.js";

/** Returns the legend: facts that neither cells nor head state. */
function reading(words: RecordWords): string {
  const elsewhere = `one ${localTask(words).one} on another node`;
  const change = words.has.includes("heartbeats") ? `one job a heartbeat later, or ${elsewhere},` : elsewhere;
  return `-: no value. Grid step: what ${change} changes`;
}

/** Systems side by side: a table for each thing they are compared by, with a row per system. */
export function comparisonText(comparison: Comparison, format: TableFormat, paint: Paint): string {
  const notes = noteLines(comparison.notes, paint.allNotes).map((note): Entry => ["Note", note]);
  const tables = comparisonTables(comparison);
  const over = overWords(comparison, tables);
  return tableReport(
    {
      name: comparison.scenario,
      head: comparisonHead(comparison, over),
      tables: tables.map((table) => ({ ...table, captions: [over, ...captionsOf(comparison, table)] })),
      foot: [
        ...heldWords(comparison).flatMap((line) => wrap(line, paint.widthColumns ?? WIDTH)),
        "",
        reading(comparison.words),
        ...entries(notes, paint),
      ],
      csv: () => csvRows(comparison),
      json: () => comparison,
    },
    format,
    paint,
  );
}

/** Returns the entries above the tables, by label. */
function comparisonHead(comparison: Comparison, over: string): Entry[] {
  const { scenario, systems, seeds, stuck = [], refused = [], modelError } = comparison;
  const baselines = baselinesOf(systems);
  const waitWords = systems.map((system) => `${withoutPoint(system)}: ${system.waits}`);
  const isMarked = seeds.length > 1 && !isAllFixed(comparison);
  const hasBaseline = baselines !== "" && (modelError !== undefined || isMarked);
  return [
    ["Scenario", `${scenario}; ${over}`],
    ["Waits", [...new Set(waitWords)].join("; ")],
    ["Baseline", hasBaseline ? `${baselines}${modelError === undefined ? `; * ${markWords("it")}` : ""}` : []],
    ["Band", hasBaseline && modelError !== undefined ? bandWords(modelError, seeds.length) : []],
    ...stuck.map(({ system, seed, why: [first, ...more] }): Entry => [
      "Stuck",
      [`${system}, seed ${seed}: ${first.replace(/^stuck: /, "")}`, ...more],
    ]),
    ["Refused", refusedLines(refused)],
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
function overWords(comparison: Comparison, tables: readonly ComparisonTable[]): string {
  const { seeds, modelError } = comparison;
  if (seeds.length < 2) return `seed ${seeds[0]}`;
  if (modelError !== undefined) return `mean over ${seeds.length} draws (seeds ${seedSpan(seeds)})`;
  if (isAllFixed(comparison)) {
    return `the same with each of ${seeds.length} seeds (${seedSpan(seeds)}), which change nothing: there is no interval and nothing to test`;
  }
  const cells = tables.flatMap(cellsOf);
  const fixed = cells.some((cell) => WITHOUT_INTERVAL.test(cell)) ? "; without ±: the same with every seed" : "";
  const fewRuns = cells.some((cell) => cell.includes(FEW_RUNS)) ? `; ${FEW_RUNS_WORDS}` : "";
  return `mean over ${seeds.length} seeds (${seedSpan(seeds)}) ± 95 % half-width${fixed}${fewRuns}`;
}

/** Empty: there are none. */
function baselinesOf(systems: readonly ComparedSystem[]): string {
  return [
    ...new Set(
      systems.flatMap(({ baseline, point }) => (baseline === null ? [] : withoutPoint({ name: baseline, point }))),
    ),
  ].join(", ");
}

function markWords(baseline: string): string {
  return `marks a difference to ${baseline}, seed by seed, that is more than a grid step and whose 95 % interval excludes 0`;
}

/** A line per system: the first of its runs, and how many others there are like it. */
function refusedLines(refused: NonNullable<Comparison["refused"]>): string[] {
  return [...new Set(refused.map(({ system }) => system))].map((name) => {
    const [{ seed, why }, ...furtherRuns] = refused.filter(({ system }) => system === name);
    const also =
      furtherRuns.length === 0 ? "" : `; jobs were also refused with ${counted(furtherRuns.length, "other seed")}`;
    return `${name}, seed ${seed}: ${why}${also}. The figures are of the other jobs`;
  });
}

/** Returns the captions of a table in a paper, about its cells. */
function captionsOf({ systems, modelError, seeds }: Comparison, table: ComparisonTable): string[] {
  const baselines = baselinesOf(systems);
  const cells = cellsOf(table);
  return [
    ...(modelError !== undefined && cells.some((cell) => cell.includes(" to "))
      ? [`differences to ${baselines}; ${bandWords(modelError, seeds.length)}`]
      : []),
    ...(cells.some((cell) => cell.endsWith("*")) ? [`* ${markWords(baselines)}`] : []),
    ...(cells.includes("") ? [`the baseline is ${baselines}`] : []),
  ];
}

function cellsOf({ rows: [, ...rows] }: ComparisonTable): string[] {
  return rows.flatMap(([, ...cells]) => cells);
}

const COLUMNS = [
  ...["system", "point", "kind", "group", "measure", "unit", "mean", "half_width", "seeds"],
  ...["baseline", "difference", "difference_half_width", "differs"],
];

const OF_BAND = ["band_low", "band_high", "verdict"];

/** Every measure of every system, one per line. */
function csvRows({ systems, words, modelError }: Comparison): readonly (readonly Cell[])[] {
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
  return [hasBands ? [...COLUMNS, ...OF_BAND] : COLUMNS, ...rows];
}

/** All that the systems have values of, those of pools after the others. */
function measuresIn([{ measures }]: readonly ComparedSystem[], words: RecordWords): MeasureWords[] {
  return Object.keys(measures).flatMap((key) => wordsOfMeasure(key, words) ?? []);
}

type ComparisonTable = Omit<ReportTable, "captions">;

interface ComparisonColumn {
  readonly label: string;
  /** By system; each ends in its mark, or a blank, where the column has marks. */
  readonly cells: readonly string[];
}

const MAKESPAN = "makespanSeconds";

/** The measures whose differences to the baseline are shown; those of others are in the JSON. */
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
const HEADLINES_OF_IMPORTS: typeof HEADLINES = [[MAKESPAN, "makespan, s"], ...HEADLINES];

/** The tables that have anything to show, in their order: a row per system. */
export function comparisonTables(comparison: Comparison): ComparisonTable[] {
  const { systems, words, chosen = [] } = comparison;
  const columnsOf = (measure: MeasureWords) => [
    columnOf(systems, measure),
    ...(measure.key === MAKESPAN ? recordedColumn(comparison) : []),
  ];
  const listed = groupTitles(words).map(([group, title]) => {
    const measures = platformMeasures(words).listed.filter(
      (measure) => measure.group === group && isWorthAColumn(systems, measure),
    );
    return { title, columns: measures.flatMap(columnsOf) };
  });
  const columns = chosen
    .flatMap((key) => wordsOfMeasure(key, words) ?? [])
    .flatMap((measure) => columnsOf({ ...measure, label: columnTitle(measure) }));
  const tables =
    chosen.length > 0
      ? [{ title: "Measures", columns }]
      : [...listed, ...groupTables(comparison, "pool"), ...groupTables(comparison, "user")];
  return [...tables, differenceTable(comparison)]
    .filter((table) => table.columns.length > 0)
    .map((table) => ({
      title: table.title,
      legend: "",
      rows: [
        ["", ...labelsOf(table.columns)],
        ...systems.map(({ name }, system) => [name, ...table.columns.map(({ cells }) => cells[system])]),
      ],
      leading: 1,
      isSparse: true,
    }));
}

interface TitledColumns {
  readonly title: string;
  readonly columns: readonly ComparisonColumn[];
}

/** Of a comparison with more pools, or users, those that used most slots have tables. */
const MOST_GROUPS = 5;

const NAME_WIDTH = 40;

/** Returns a table for each pool, or user, with a row per system. */
function groupTables({ systems, words, pools = [], users = [] }: Comparison, kind: GroupKind): TitledColumns[] {
  const names = kind === "pool" ? pools : users;
  const more = names.length - MOST_GROUPS;
  return names.slice(0, MOST_GROUPS).map((name, index) => {
    const columns = GROUP_COLUMNS.flatMap(([key, label]) => {
      const measure = wordsOfMeasure(groupKey(key, { kind, name }, words), words);
      if (measure === undefined || !isWorthAColumn(systems, measure)) return [];
      return [columnOf(systems, { ...measure, label })];
    });
    const hiddenWords =
      index === MOST_GROUPS - 1 && more > 0
        ? `; ${counted(more, `more ${kind === "pool" ? words.group.one : kind}`)} in the JSON`
        : "";
    return {
      title: `${kind === "pool" ? capital(words.group.one) : "User"} ${shortened(name, NAME_WIDTH)}${hiddenWords}`,
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

/** The makespan of the log; null: it is not known, or no system has the settings of the log. */
function recordedWords({ systems, modelError, asRecorded }: Comparison): string | null {
  const mean = modelError?.recordedSeconds ?? null;
  if (asRecorded === undefined || mean === null) return null;
  return estimateWords({ mean, halfWidth: null, values: [] }, shownUnit(systems, { key: MAKESPAN, unit: "seconds" }));
}

/** Returns the column beside that of makespans. */
function recordedColumn(comparison: Comparison): ComparisonColumn[] {
  const words = recordedWords(comparison);
  if (words === null) return [];
  const cells = comparison.systems.map(({ name }) => (name === comparison.asRecorded ? words : NOTHING));
  return [{ label: "recorded", cells }];
}

/** Says why the differences of an import are not those of the means above them; empty: they are. */
function heldWords(comparison: Comparison): string[] {
  const { systems, seeds, asRecorded = "" } = comparison;
  const words = recordedWords(comparison);
  const values = systems.find(({ name }) => name === asRecorded)?.measures[MAKESPAN].values;
  if (words === null || seeds.length < FEWEST_FOR_REGRESSION || new Set(values).size < 2) return [];
  return [
    `Differences are held to the recorded makespan: as if every draw of ${asRecorded} took ${words} s, so not those of the means above`,
  ];
}

/** One decimal would not tell makespans of a few seconds apart. */
function shownUnit(systems: readonly ComparedSystem[], { key, unit }: Pick<MeasureWords, "key" | "unit">) {
  const isShort = key === MAKESPAN && systems.some(({ measures }) => (measures[key].mean ?? Infinity) < SHORT_SECONDS);
  return isShort ? "short-seconds" : unit;
}

const SHORT_SECONDS = 10;

function columnOf(systems: readonly ComparedSystem[], measure: MeasureWords): ComparisonColumn {
  const { key, label } = measure;
  const unit = shownUnit(systems, measure);
  const cells = systems.map(({ measures }) => estimateWords(measures[key], unit));
  const marks = systems.map(({ differences }) => markOf(differences?.[key], unit));
  const hasMarks = unit !== "machine-seconds" && unit !== "machine-microseconds" && marks.includes("*");
  return { label, cells: hasMarks ? cells.map((cell, index) => cell + marks[index]) : cells };
}

/** Over one seed they say no more than the tables do. */
function differenceTable({ systems, seeds, words, modelError, chosen = [] }: Comparison): TitledColumns {
  const title = `Differences to the baseline, ${modelError === undefined ? "seed by seed" : "draw by draw"}`;
  const usual = modelError === undefined ? HEADLINES : HEADLINES_OF_IMPORTS;
  if (seeds.length < 2 || systems.every(({ differences }) => differences === null)) return { title, columns: [] };
  const headlines = chosen.length === 0 ? usual : chosen.map((key) => [key, null] as const);
  const columns = headlines.flatMap(([key, label]) => {
    const measure = wordsOfMeasure(key, words);
    if (measure === undefined || !isWorthAColumn(systems, measure)) return [];
    const unit = shownUnit(systems, measure);
    const cells = systems.map(({ differences, baseline }) =>
      differences === null
        ? ""
        : differenceWords(differences[key], unit, meanOf(systems, baseline, key)) + markOf(differences[key], unit),
    );
    return [{ label: label ?? columnTitle(measure), cells }];
  });
  return { title, columns };
}

function meanOf(systems: readonly ComparedSystem[], system: string | null, key: string): number | null {
  return systems.find(({ name }) => name === system)?.measures[key].mean ?? null;
}

function isWorthAColumn(systems: readonly ComparedSystem[], { key, unit }: MeasureWords): boolean {
  const means = systems.map(({ measures }) => measures[key].mean);
  // That jobs are unfinished, attempts were killed or bytes moved matters only when some are.
  return unit === "count" || unit === "gigabytes"
    ? means.some((mean) => mean !== 0 && mean !== null)
    : means.some((mean) => mean !== null);
}
