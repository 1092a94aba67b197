import { titlesOf } from "../core/kernel/index.js";
import { type Comparison, type Measure, measureNamed } from "../experiments/index.js";
import { plotText, plotTexts } from "./axes.js";
import { dotsChart, symbolMark } from "./charts.js";
import { drawFigure, type FigureLook } from "./figure.js";
import { estimated, pictured } from "./measure-pictures.js";
import { counted } from "./tables.js";
import { intervalWords, withoutPoint } from "./words.js";

/** The size of a panel within its axes. */
const SIZE = { width: 420, row: 24 };

/** Pixels between the systems of one point. */
const APART = 11;

/**
 * A comparison as an SVG document: for each measure a panel, in it a dot with its 95 % interval for each system,
 * grouped by point where values are varied. Equal comparisons give equal bytes.
 */
export async function drawComparison(
  comparison: Comparison,
  keys: readonly string[],
  look: FigureLook = {},
): Promise<string> {
  const measures = keys.map((key) => measureNamed(key, comparison.words)).filter((measure) => measure !== undefined);
  const { systems } = comparison;
  const points = [...new Set(systems.map(({ point }) => point))];
  const kinds = [...new Set(systems.map(withoutPoint))];
  const isGrouped = points.length > 1;
  // With points, rows are points and colours are systems; without, each system has its row.
  const rows = plotTexts(isGrouped ? points.map((point) => (point === "" ? "as given" : point)) : kinds);
  const names = plotTexts(kinds);
  const { width = SIZE.width } = look;
  const height = look.height ?? rows.length * Math.max(SIZE.row, isGrouped ? APART * (kinds.length + 1) : 0);
  const panels = measures.map((measure) => {
    const groups = names.map((name, kind) => ({
      mark: symbolMark(name, kind, names.length),
      dots: systems.flatMap((system) => {
        const estimate = withoutPoint(system) === kinds[kind] ? estimated(system.measures[measure.key], measure) : null;
        return estimate === null ? [] : [{ estimate, row: isGrouped ? points.indexOf(system.point) : kind }];
      }),
    }));
    const chart = dotsChart(rows, groups, pictured(measure), { isShared: isGrouped });
    return { chart: isGrouped ? chart : { ...chart, marks: [] }, width, height };
  });
  const title = look.title ?? plotText(comparison.scenario);
  return drawFigure(panels, {
    title,
    subtitles: [subtitleOf(comparison)],
    description: descriptionOf(comparison, measures),
    ...(isGrouped ? { legend: "system" } : {}),
  });
}

function subtitleOf({ seeds, modelError }: Comparison): string {
  if (modelError !== undefined) return `mean over ${counted(seeds.length, "draw")} of what the log does not tell`;
  return seeds.length < 2 ? `one seed` : `mean over ${counted(seeds.length, "seed")}${intervalWords(seeds.length)}`;
}

function descriptionOf(comparison: Comparison, measures: readonly Measure[]): string {
  const names = comparison.systems.map(({ name }) => plotText(name)).join(", ");
  return `${titlesOf(measures).join("; ")}: of ${names}. ${subtitleOf(comparison)}.`;
}
