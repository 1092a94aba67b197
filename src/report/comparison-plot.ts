import { type ComparedSystem, type Comparison, type Measure, measureNamed } from "../experiments/index.js";
import { seriesColours } from "./colours.js";
import { axisTitle, drawSpec, type FigureLook, framed, plotText, plotTexts, SHAPES, type Spec } from "./figure.js";
import { shownInterval, shownValue, valueTitle } from "./plot.js";
import { counted } from "./tables.js";
import { intervalWords } from "./words.js";

/**
 * A comparison as an SVG document: for each measure a panel, in it a dot with its 95 % interval for each system, grouped by
 * point where values are varied. Equal comparisons give equal bytes.
 */
export async function drawComparison(
  comparison: Comparison,
  keys: readonly string[],
  look: FigureLook = {},
): Promise<string> {
  const measures = keys.map((key) => measureNamed(key, comparison.words)).filter((measure) => measure !== undefined);
  const title = look.title ?? plotText(comparison.scenario);
  return drawSpec(comparisonSpec(comparison, measures, look), title, descriptionOf(comparison, measures));
}

/** Of what the axes of a panel enclose. */
const SIZE = { width: 420, row: 24 };

/** Pixels between the systems of one point. */
const APART = 11;

export function comparisonSpec(comparison: Comparison, measures: readonly Measure[], look: FigureLook = {}): Spec {
  const { systems } = comparison;
  const points = [...new Set(systems.map(({ point }) => point))];
  const kinds = [...new Set(systems.map(kindOf))];
  const isGrouped = points.length > 1;
  // With points, rows are points and colours are systems; without, each system has its row.
  const rows = plotTexts(isGrouped ? points.map((point) => (point === "" ? "as given" : point)) : kinds);
  const names = plotTexts(kinds);
  const { width = SIZE.width } = look;
  const height = look.height ?? rows.length * Math.max(SIZE.row, isGrouped ? APART * (kinds.length + 1) : 0);
  const row = { field: "row", type: "nominal", title: null, scale: { domain: rows }, axis: { grid: isGrouped } };
  const legend = isGrouped ? {} : { legend: null };
  const scale = { domain: names, range: seriesColours(names.length) };
  const colour = { field: "system", type: "nominal", title: "system", scale, ...legend };
  const shapes =
    names.length > SHAPES.length
      ? {}
      : { shape: { ...colour, scale: { domain: names, range: SHAPES.slice(0, names.length) } } };
  const panels = measures.map((measure) => {
    const x = {
      type: "quantitative",
      title: axisTitle(plotText(valueTitle(measure)), width),
      scale: { zero: false, nice: true },
      axis: { tickCount: 6 },
    };
    const values = systems.map((system) => {
      const found = system.measures[measure.key] ?? { mean: null, halfWidth: null };
      const kind = kinds.indexOf(kindOf(system));
      return {
        ...{ row: rows[isGrouped ? points.indexOf(system.point) : kind], system: names[kind], kind },
        ...{ mean: shownValue(found.mean, measure), ...shownInterval(found, measure) },
      };
    });
    const layers = kinds.flatMap((_, kind) => {
      const yOffset = isGrouped ? (kind - (kinds.length - 1) / 2) * APART : 0;
      const transform = [{ filter: `datum.kind === ${String(kind)}` }];
      return [
        {
          transform,
          mark: { type: "rule", strokeWidth: 2, opacity: 0.6, yOffset },
          encoding: { x: { ...x, field: "low" }, x2: { field: "high" } },
        },
        {
          transform,
          mark: { type: "point", filled: true, size: 70, opacity: 1, yOffset },
          encoding: { x: { ...x, field: "mean" }, ...shapes },
        },
      ];
    });
    return {
      ...{ width, height, data: { values } },
      encoding: { y: row, color: colour },
      layer: layers,
    };
  });
  return framed(look.title ?? plotText(comparison.scenario), [subtitleOf(comparison)], width, {
    vconcat: panels,
    spacing: 24,
  });
}

/** The system without the point that it stands at. */
function kindOf({ name, point }: ComparedSystem): string {
  return point !== "" && name.endsWith(` ${point}`) ? name.slice(0, -point.length - 1) : name;
}

function subtitleOf({ seeds }: Comparison): string {
  return seeds.length < 2 ? `one seed` : `mean over ${counted(seeds.length, "seed")}${intervalWords(seeds.length)}`;
}

function descriptionOf(comparison: Comparison, measures: readonly Measure[]): string {
  const names = comparison.systems.map(({ name }) => plotText(name)).join(", ");
  return `${measures.map(({ title }) => title).join("; ")}: of ${names}. ${subtitleOf(comparison)}.`;
}
