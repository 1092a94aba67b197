import { printable, ascending } from "../core/kernel/index.js";
import { allowedRange, isCounted, type RowUnit } from "../experiments/index.js";
import type { ScorecardRow } from "../io/index.js";
import {
  allowedWords,
  measuredWords,
  nullWords,
  publishedWords,
  singleRunWords,
  summaryWords,
  verdictWords,
} from "./scorecard-report.js";
import { oneLine } from "./tables.js";

/** A scorecard on a page: a picture for each figure of the papers, and all rows. */
export type ScorecardPicture = ReturnType<typeof scorecardPicture>;

export type PicturedRow = ReturnType<typeof pictured>;

export type ScorecardFigure = ReturnType<typeof figuresOf>[number];

/** `fitted` and `variant` do not count, whatever came of them; neither does `missing`. */
type Standing = "within" | "missed" | "undecided" | "fitted" | "variant" | "missing";

/**
 * `curve`: values over a number. `bars`: values by bin or size. `quantiles`: of each curve the times below which a
 * share of the jobs ended. `ratios`: measured over published, a row of the picture for each row.
 */
type Shape = "curve" | "bars" | "quantiles" | "ratios";

interface PaperFigure {
  readonly title: string;
  /** The unit of the numbers in ids of the form `n10` or `bin3`. */
  readonly axis?: string;
  readonly shape?: "curve" | "bars";
  /** A word for each place, where ids have neither numbers nor quantiles; the others are the series. */
  readonly places?: readonly string[];
  /** Names for words of its ids, where they differ from the usual ones. */
  readonly words?: Readonly<Record<string, string>>;
}

const BINS = "bin of job sizes";

/** The look of the papers' figures. An experiment that is not here is drawn by the words of its ids alone. */
const PAPER_FIGURES: Readonly<Record<string, PaperFigure>> = {
  law: { title: "Laws of queues" },
  "3.2": { title: "Section 3.2" },
  "3.3.2": { title: "Section 3.3.2: sticky slots" },
  "3.5": { title: "Section 3.5" },
  "3.5.1": { title: "Section 3.5.1" },
  "3.6": { title: "Section 3.6: racks" },
  "4.1": { title: "Section 4.1" },
  "5.4": { title: "Section 5.4: scheduler overhead" },
  fig1: { title: "Figure 1: a day at Facebook" },
  fig2: { title: "Figure 2: locality of small jobs at Facebook" },
  fig3: { title: "Figure 3: locality under naive fair sharing", axis: "concurrent jobs", shape: "curve" },
  fig5: { title: "Figure 5: response times, IO-heavy" },
  fig6: { title: "Figure 6: locality by bin, IO-heavy", axis: BINS },
  fig7: { title: "Figure 7: gain over naive fair sharing by bin", axis: BINS },
  fig8: { title: "Figure 8: response times, CPU-heavy", axis: BINS },
  fig9: { title: "Figure 9: response times, mixed", axis: BINS },
  fig10: { title: "Figure 10: gain over FIFO by bin, mixed", axis: BINS },
  fig11: {
    title: "Figure 11: pools reach their shares",
    places: ["half", "third"],
    words: { half: "50 %", third: "33 %" },
  },
  fig12: { title: "Figure 12: shares in three levels" },
  fig13: { title: "Figure 13: locality of concurrent scans", axis: "concurrent jobs", words: { "": "naive fair" } },
  fig14: { title: "Figure 14: throughput gain of concurrent scans", axis: "concurrent jobs" },
  fig15: {
    title: "Figure 15: locality by wait",
    axis: "maps of a job",
    words: { "0": "no wait", "1": "W1 = 1 s", "10": "W1 = 10 s" },
  },
  tab4: { title: "Table 4: small jobs", axis: "maps of a job" },
  mesos: { title: "Mesos: 16 Hadoops", places: ["private", "accept", "wait-1s", "wait-5s"] },
  quincy: { title: "Quincy" },
  dsbra: { title: "DSBRA" },
  dsfs: { title: "DSFS" },
  report: { title: "The technical report" },
  headline: { title: "The abstract" },
};

const WORDS: Readonly<Record<string, string>> = {
  fifo: "FIFO",
  fair: "naive fair",
  naive: "naive fair",
  hfs: "fair with a wait",
  delay: "fair with a wait",
  wait: "with a wait",
  one: "one map a heartbeat",
  block: "maps read their block",
  slow: "heartbeats of 3 s",
  rack: "node or rack",
  time: "time over private clusters",
  small: "bins 1-3",
  medium: "bins 4-8",
  large: "bin 9",
  "wait-1s": "wait of 1 s",
  "wait-5s": "wait of 5 s",
};

const SYSTEMS = new Set(["fifo", "fair", "naive", "hfs", "delay", "wait"]);

const LONGEST = { id: 60, what: 200, why: 2000 };

const cut = (text: string, limit: number) => {
  const shown = printable(oneLine(text).slice(0, limit));
  return text.length > limit ? `${shown}…` : shown;
};

/** null: there is no such end. */
const endOf = (end: number) => (Number.isFinite(end) ? end : null);

function pictured(row: ScorecardRow) {
  const { kind, verdict, unit, published, measured, halfWidth, singleRun, nullModel } = row;
  const judged = { ...row, ourBound: row.ourBound ?? undefined };
  const [low, high] = allowedRange(judged);
  const { atLeast = null, atMost = null } = judged.ourBound ?? published;
  const standing: Standing = isCounted(kind) ? verdict : (kind as "fitted" | "variant" | "missing");
  return {
    id: cut(row.id, LONGEST.id),
    kind,
    unit,
    what: cut(row.what, LONGEST.what),
    why: cut(row.why, LONGEST.why),
    standing,
    isWithin: verdict === "within",
    source: `${cut(row.source, LONGEST.what)} (${row.confidence}/5)`,
    /** For tables. */
    words: {
      published: publishedWords(published, unit),
      measured: measuredWords(measured, halfWidth, unit),
      allowed: allowedWords(judged),
      verdict: verdictWords(kind, verdict),
      singleRun: singleRunWords(singleRun, unit),
      nullModel: nullWords(nullModel, unit),
    },
    /** A published value; drawn even where a bound of our own judges the row. */
    value: published.value ?? null,
    /** The value judges the row. */
    isValue: row.judgedBy === "value",
    /** Bounds that judge the row, published or our own. */
    atLeast,
    atMost,
    /** From where to where a mean is within; null: there is no such end. */
    low: endOf(low),
    high: endOf(high),
    mean: measured,
    half: halfWidth,
    /** The range of one more run; null: there are too few. */
    singleRun,
    isPassedByNull: nullModel?.verdict === "within",
  };
}

/** A row with what its id says. */
interface Place {
  readonly row: number;
  readonly unit: RowUnit;
  readonly shape: "numbers" | "quantiles" | "places" | "ratios";
  readonly position: number;
  /** Figures of an experiment. */
  readonly panel: string;
  readonly series: string;
}

/** `fig5.hfs-small-p95`: quantile 0.95 of `hfs` in the panel `small`. `tab4.n3-fair-rack`: number 3 of `fair-rack`. */
function placeOf(
  row: number,
  experiment: string,
  { id, unit }: ScorecardRow,
  { places = [], words = {} }: PaperFigure,
): Place {
  const localId = id.startsWith(`${experiment}.`) ? id.slice(experiment.length + 1) : id;
  const common = { row, unit, panel: "" };
  const place = places.findIndex((word) => localId === word || localId.startsWith(`${word}-`));
  if (place >= 0) {
    const series = localId.slice(places[place].length + 1);
    return { ...common, shape: "places", position: place, series: worded(series, words) };
  }
  const parts = localId.split(/[.-]/);
  const number = parts.map((part) => /^(?:n|bin)(\d{1,9})$/.exec(part)).find((match) => match !== null);
  const quantile = parts.map((part) => /^(?:p(\d{1,2})|max)$/.exec(part)).find((match) => match !== null);
  const otherParts = parts.filter((part) => part !== number?.[0] && part !== quantile?.[0]);
  if (quantile !== undefined) {
    const systems = otherParts.filter((part) => SYSTEMS.has(part));
    const panel = [...otherParts.filter((part) => !SYSTEMS.has(part)), ...(number === undefined ? [] : [number[0]])];
    const share = quantile[0] === "max" ? 1 : Number(quantile[1]) / 100;
    return {
      ...common,
      shape: "quantiles",
      position: share,
      panel: worded(panel.join("-"), words),
      series: worded(systems.join("-"), words),
    };
  }
  if (number !== undefined) {
    return { ...common, shape: "numbers", position: Number(number[1]), series: worded(otherParts.join("-"), words) };
  }
  return { ...common, shape: "ratios", position: 0, series: "" };
}

/** Words of ids as people call them. */
function worded(key: string, paperWords: Readonly<Record<string, string>>): string {
  const known = (word: string) =>
    Object.hasOwn(paperWords, word) ? paperWords[word] : Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  const words = known(key) ?? (key === "" ? "" : key.split("-").map((word) => known(word) ?? word).join(", ")); // prettier-ignore
  return cut(words, LONGEST.id);
}

const SHAPE_NOTES: Readonly<Record<Shape, string>> = {
  curve: "Dashed lines: published. Full lines: measured.",
  bars: "Hollow dots: published. Full dots: measured.",
  quantiles:
    "Share of the jobs that ended within a time, where it is published. Dashed lines: published. Full lines: measured.",
  ratios: "Measured over published; over the bound where only that is published. Grey: within tolerance.",
};

const UNIT_WORDS: Readonly<Record<RowUnit, string>> = { share: "shares", seconds: "times", ratio: "ratios", count: "" };

function figuresOf(experiment: string, rows: readonly ScorecardRow[], indices: readonly number[]) {
  const paper = Object.hasOwn(PAPER_FIGURES, experiment) ? PAPER_FIGURES[experiment] : { title: experiment };
  const drawn = indices.filter((index) => rows[index].measured !== null);
  const groups = new Map<string, Place[]>();
  for (const index of drawn) {
    const place = placeOf(index, experiment, rows[index], paper);
    const key = place.shape === "ratios" ? "" : JSON.stringify([place.shape, place.unit, place.panel]);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  // One mark alone is no picture of its own.
  const alone = [...groups].filter(([key, places]) => key !== "" && places.length < 2);
  for (const [key, places] of alone) {
    groups.delete(key);
    groups.set("", [...(groups.get("") ?? []), ...places]);
  }
  const pictures = [...groups].filter(([key]) => key !== "").length;
  return [...groups].map(([key, places], index) => {
    const [{ shape: kind, unit, panel }] = places;
    const shape: Shape =
      key === "" ? "ratios" : kind === "numbers" ? (paper.shape ?? "bars") : kind === "places" ? "bars" : kind;
    const scored = places.filter(({ row }) => isCounted(rows[row].kind));
    const within = scored.filter(({ row }) => rows[row].verdict === "within").length;
    const score = scored.length === 0 ? "" : ` ${within} of ${scored.length} rows are within tolerance.`;
    const names = [...new Set(places.map(({ series }) => series))];
    const numbers = [...new Set(places.map(({ position }) => position))].sort(ascending);
    const isPlaces = kind === "places";
    const fallbackName = key !== "" ? "" : pictures > 0 ? "other rows" : "";
    // Two pictures of one figure differ in the panel, or else in what is measured.
    const qualifier = key === "" || panel !== "" || pictures < 2 ? panel : UNIT_WORDS[unit];
    const hasBounds = shape !== "ratios" && places.some(({ row }) => rows[row].judgedBy !== "value");
    return {
      id: `${experiment.replace(/[^a-z0-9]/g, "-").slice(0, 40)}-${index + 1}`,
      title: [cut(paper.title, LONGEST.id), key === "" ? fallbackName : qualifier]
        .filter((part) => part !== "")
        .join(", "),
      note: `${SHAPE_NOTES[shape]}${hasBounds ? " A triangle: a bound." : ""}${score}`,
      shape,
      unit,
      /** The name of the x axis. */
      axis: shape === "ratios" ? "measured / published" : shape === "quantiles" ? "response time" : (paper.axis ?? ""),
      /** The places of bars on the x axis. */
      places:
        shape !== "bars"
          ? []
          : numbers.map((position) =>
              isPlaces ? worded(paper.places?.[position] ?? "", paper.words ?? {}) : String(position),
            ),
      /** `at` is a place of bars, the number of a curve, the share of a quantile; `row` an index into `rows`. */
      series:
        shape === "ratios"
          ? [{ name: "", points: places.map(({ row }) => ({ at: 0, row })).sort((a, b) => a.row - b.row) }]
          : names.map((name) => ({
              name,
              points: places
                .filter(({ series }) => series === name)
                .map(({ position, row }) => ({ at: shape === "bars" ? numbers.indexOf(position) : position, row }))
                .sort((a, b) => a.at - b.at),
            })),
    };
  });
}

/** Figure 3 before Figure 13. */
const order = new Intl.Collator("en", { numeric: true });

/** `3.5` of `3.5.skips`, `fig7` of `fig7.one.bin3`. */
function figureName({ id, experiment }: ScorecardRow): string {
  return /^\d+(?:\.\d+)+(?=\.)/.exec(id)?.[0] ?? experiment;
}

/** The pictures follow from the ids of the rows, so that a file of one's own gets some, too. */
export function scorecardPicture(rows: readonly ScorecardRow[]) {
  const judged = rows.map((row) => ({ ...row, row: { ...row, ourBound: row.ourBound ?? undefined } }));
  const experiments = [...new Set(rows.map(figureName))];
  const indicesOf = (experiment: string) =>
    rows.flatMap((row, index) => (figureName(row) === experiment ? [index] : []));
  return {
    summary: summaryWords(judged),
    rows: rows.map(pictured),
    figures: experiments
      .flatMap((experiment) => figuresOf(experiment, rows, indicesOf(experiment)))
      .sort((a, b) => Number(a.shape === "ratios") - Number(b.shape === "ratios") || order.compare(a.id, b.id)),
  };
}
