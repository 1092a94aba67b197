import type { Loader, LoggerInterface } from "vega";
import type { TopLevelSpec } from "vega-lite";
import type { SweepResults } from "../../core/sweep/sweep-results.js";
import { measureTitle } from "../measure-titles.js";
import { curveSpec } from "./curve-spec.js";
import { heatMapSpec } from "./heat-map-spec.js";
import type { PlotChoice } from "./plot-choice.js";
import { descriptionOf } from "./plot-words.js";

/**
 * A picture as an SVG document: equal results give equal bytes. Loads the plotting library, some 25 MB, and nothing else: all
 * data are in the picture, and whatever else it might want to load is refused.
 */
export async function drawPlot(results: SweepResults, choice: PlotChoice): Promise<string> {
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  const spec = choice.kind === "curves" ? curveSpec(results, choice) : heatMapSpec(results, choice);
  const { spec: compiled } = compile(spec as unknown as TopLevelSpec, { logger: SILENT });
  // Widths of letters are estimated, as there is no canvas; where somebody has one, the picture would be another.
  (vega as unknown as { textMetrics: { canvas: (isUsed: boolean) => void } }).textMetrics.canvas(false);
  vega.resetSVGDefIds();
  const view = new vega.View(vega.parse(compiled), { renderer: "none", loader: NOTHING, logger: SILENT });
  const svg = await view.toSVG();
  view.finalize();
  return `${described(svg, measureTitle(choice.measure), descriptionOf(results, choice))}\n`;
}

/** With a title and a description for those who cannot see it. */
function described(svg: string, title: string, description: string): string {
  const end = svg.indexOf(">");
  const head = `${svg.slice(0, end)} role="img" aria-labelledby="plot-title plot-description">`;
  const words = `<title id="plot-title">${xml(title)}</title><desc id="plot-description">${xml(description)}</desc>`;
  return head + words + svg.slice(end + 1);
}

function xml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

const refuse = async (): Promise<never> => Promise.reject(new Error("a plot loads nothing"));
const NOTHING = { load: refuse, sanitize: refuse, http: refuse, file: refuse } as unknown as Loader;

const SILENT: LoggerInterface = {
  level: () => SILENT,
  error: () => SILENT,
  warn: () => SILENT,
  info: () => SILENT,
  debug: () => SILENT,
};
