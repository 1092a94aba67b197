import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type Pdf from "pdfkit";
import type { Loader, LoggerInterface } from "vega";
import type { TopLevelSpec } from "vega-lite";
import { printable } from "../core/kernel/index.js";
import { widthOf, wrap } from "./tables.js";

/** What a user may say of any figure. Sizes in pixels, of what axes enclose. */
export interface FigureLook {
  /** In place of the name of the measure. */
  readonly title?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** What a figure can be written as. */
export const FIGURE_ENDINGS = ["svg", "png", "pdf"] as const;

export type FigureEnding = (typeof FIGURE_ENDINGS)[number];

/**
 * A figure as an SVG document: equal specifications give equal bytes. Loads the plotting library, some 25 MB, and nothing
 * else: all data are in the figure, and whatever else it might want to load is refused.
 */
export async function drawSpec(spec: Spec, title: string, description: string): Promise<string> {
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  const { spec: compiled } = compile(spec as unknown as TopLevelSpec, { logger: SILENT });
  // Vega's own widths are those of a canvas, where somebody has one, or a guess that is half too wide.
  (
    vega as unknown as { textMetrics: { width: (item: TextItem, text: string | number | null) => number } }
  ).textMetrics.width = ({ fontSize = 11, limit = 0 }, text) =>
    Math.min(textWidth(String(text ?? ""), fontSize), limit > 0 ? limit : Infinity);
  vega.resetSVGDefIds();
  const view = new vega.View(vega.parse(compiled), { renderer: "none", loader: NOTHING, logger: SILENT });
  const svg = await view.toSVG();
  view.finalize();
  return `${described(svg, title, description)}\n`;
}

/** What Vega says of a text that it measures. */
interface TextItem {
  readonly fontSize?: number;
  readonly limit?: number;
}

const require = createRequire(import.meta.url);

const FONT_FILE = "dejavu-fonts-ttf/ttf/DejaVuSans.ttf";

/** Widths in parts of the font size, by text. */
const WIDTHS = new Map<string, number>();

let ruler: InstanceType<typeof Pdf> | undefined;

/** Pixels that a text takes in DejaVu Sans, whose letters are wider than those of the fonts of SVG. */
function textWidth(text: string, fontSize: number): number {
  let width = WIDTHS.get(text);
  if (width === undefined) {
    ruler ??= new (require("pdfkit") as typeof Pdf)({ autoFirstPage: false })
      .font(require.resolve(FONT_FILE))
      .fontSize(1);
    // A letter that the font has not is as wide as in a terminal.
    width = Math.max(ruler.widthOfString(text), widthOf(text) / 2);
    WIDTHS.set(text, width);
  }
  return width * fontSize;
}

/** Lines of whole words, each of them at most so many pixels wide, but for longer words. */
function textLines(text: string, fontSize: number, width: number): string[] {
  return wrap(text, width, (line) => textWidth(line, fontSize));
}

/** An SVG document as the bytes of a file. Letters of PNG and PDF are those of DejaVu Sans, which comes with Bide. */
export async function figureFile(svg: string, ending: FigureEnding): Promise<string | Uint8Array> {
  if (ending === "svg") return svg;
  const { resolve } = require;
  const font = readFileSync(resolve(FONT_FILE));
  return ending === "png" ? asPng(svg, font, resolve("@resvg/resvg-wasm/index_bg.wasm")) : asPdf(svg, font);
}

/** Pixels of a PNG for each of the SVG: sharp in print and on any screen. */
const PNG_ZOOM = 2;

let isResvgReady = false;

async function asPng(svg: string, font: Uint8Array, engine: string): Promise<Uint8Array> {
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
  if (!isResvgReady) await initWasm(readFileSync(engine));
  isResvgReady = true;
  const options = { fontBuffers: [font], defaultFontFamily: "DejaVu Sans", sansSerifFamily: "DejaVu Sans" };
  return new Resvg(svg, { fitTo: { mode: "zoom", value: PNG_ZOOM }, font: options }).render().asPng();
}

/** Points of a page for each pixel of the SVG. */
const POINTS = 0.75;

async function asPdf(svg: string, font: Uint8Array): Promise<Uint8Array> {
  const [{ default: Document }, { default: addSvg }] = await Promise.all([import("pdfkit"), import("svg-to-pdfkit")]);
  const [width, height] = ["width", "height"].map((name) => {
    return Number(new RegExp(`^<svg[^>]* ${name}="([0-9.]+)"`).exec(svg)?.[1]) * POINTS;
  });
  // The same figure gives the same file: no clock.
  const pdf = new Document({ size: [width, height], margin: 0, info: { CreationDate: new Date(0), Producer: "Bide" } });
  pdf.registerFont("figure", Buffer.from(font));
  const pieces: Buffer[] = [];
  pdf.on("data", (piece: Buffer) => pieces.push(piece));
  const ended = once(pdf, "end");
  addSvg(pdf, svg, 0, 0, { width, height, fontCallback: () => "figure" });
  pdf.end();
  await ended;
  return Buffer.concat(pieces);
}

/** With a title, and a description for readers who cannot see the picture. */
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

/** A part of a Vega-Lite specification. Names and labels of users are values in it, never fields or expressions. */
export type Spec = Readonly<Record<string, unknown>>;

const FONT = "Helvetica, Arial, sans-serif";

export const INK = "#24292f";

const QUIET = "#57606a";

const GRID = "#e6e8eb";

const SIZES = { title: 15, subtitle: 12, axis: 13, legend: 12 };

/** Narrower figures have titles of this width, and shorter axes titles of that. */
const LEAST = { title: 280, axis: 90 };

/** The title of an axis that is so many pixels long. */
export function axisTitle(text: string, length: number): string[] {
  return textLines(text, SIZES.axis, Math.max(length, LEAST.axis));
}

/** Pixels from one line of a legend to the next. */
const LEGEND_LINE = 17;

/** In so many columns the entries of a legend are no higher than the figure. */
export function legendColumns(entries: number, height: number): number {
  return Math.ceil((entries * LEGEND_LINE) / Math.max(LEGEND_LINE, height - LEGEND_LINE));
}

/** What all pictures have in common: titles, as wide as what the axes enclose, and fonts. */
export function framed(title: string, subtitles: readonly string[], width: number, parts: Spec): Spec {
  const lines = (text: string, size: number): string[] => textLines(text, size, Math.max(width, LEAST.title));
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    ...{ background: "white", padding: 12 },
    title: {
      ...{ text: lines(title, SIZES.title), subtitle: subtitles.flatMap((text) => lines(text, SIZES.subtitle)) },
      ...{ anchor: "start", frame: "group", offset: 10, limit: 900 },
      ...{
        fontSize: SIZES.title,
        subtitleFontSize: SIZES.subtitle,
        subtitlePadding: 6,
        color: INK,
        subtitleColor: QUIET,
      },
    },
    ...parts,
    config: {
      font: FONT,
      // Descriptions of single marks would be made by expressions from names of users.
      aria: false,
      view: { stroke: null },
      axis: {
        ...{
          labelFontSize: 12,
          titleFontSize: SIZES.axis,
          titleFontWeight: "normal",
          titlePadding: 10,
          labelColor: INK,
        },
        ...{ titleColor: INK, gridColor: GRID, domainColor: QUIET, tickColor: QUIET, labelOverlap: true },
        ...{ labelLimit: 180, titleLimit: 600 },
      },
      legend: {
        ...{
          labelFontSize: SIZES.legend,
          titleFontSize: SIZES.legend,
          titleFontWeight: "normal",
          labelColor: INK,
          titleColor: INK,
        },
        ...{ labelLimit: 220, titleLimit: 220, symbolLimit: 60 },
        ...{ symbolOpacity: 1, symbolStrokeWidth: 0 },
      },
    },
  };
}

export const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right"];

/** Longest text of a user in a picture. */
const LONGEST = 60;

/** Text of a user as a picture can show it: on one line, not too long, and allowed in XML. */
export function plotText(text: string, longest = LONGEST): string {
  const letters = [...printable(text).replace(/[\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : letters.join("");
}

/** The same of the steps of an axis, of which no two are to look alike. */
export function plotTexts(labels: readonly string[]): string[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    const own = plotText(label);
    let text = own;
    for (let i = 2; taken.has(text); i++) text = `${own} (${String(i)})`;
    taken.add(text);
    return text;
  });
}
