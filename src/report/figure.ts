import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type Pdf from "pdfkit";
import type { Chart, Mark } from "./charts.js";
import { widthOf, wrap } from "./tables.js";

/** Pictures as files: charts below each other, with their titles and legend. */

/** Options of any figure. Sizes in pixels, within the axes. */
export interface FigureLook {
  /** In place of the name of the measure. */
  readonly title?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** The file formats of a figure. */
export const FIGURE_ENDINGS = ["svg", "png", "pdf"] as const;

export type FigureEnding = (typeof FIGURE_ENDINGS)[number];

/** One chart of a figure. Sizes in pixels, of what its axes enclose. */
interface Panel {
  readonly chart: Chart;
  readonly width: number;
  readonly height: number;
  /** The words left of it, in place of the title of its y axis. */
  readonly label?: string;
  /** Its x axis is that of the panel below. */
  readonly isJoined?: boolean;
}

export interface Frame {
  readonly title: string;
  readonly subtitles: readonly string[];
  /** The description for readers who cannot see the picture. */
  readonly description: string;
  /** Over the legend, or over the scale of colours. */
  readonly legend?: string;
}

const FONT = "Helvetica, Arial, sans-serif";

const INK = "#24292f";

const QUIET = "#57606a";

const GRID = "#e6e8eb";

/** In pixels: of letters, of their lines, of what is between parts, and of what is around the picture. */
const SIZES = { title: 15, subtitle: 12, axis: 13, legend: 12, tick: 12 };
const LINES = { title: 18, subtitle: 15, axis: 15, legend: 17 };
const GAPS = { title: 9, axis: 24, panels: 24, joined: 14, legend: 16, label: 48, around: 12 };

/** Narrower figures have titles of this width, and shorter axes titles of that. */
const LEAST = { title: 280, axis: 90 };

/** Room to the left of and above all charts; the empty part of it is cut off. */
const ROOM = 1000;

/**
 * A figure as an SVG document: equal charts give equal bytes. Loads only the drawing library: all data
 * are in the figure.
 */
export async function drawFigure(panels: readonly Panel[], frame: Frame): Promise<string> {
  const { echarts } = await import("./engine.js");
  // The library's own widths are those of a canvas, where there is one, or a guess.
  echarts.setPlatformAPI({
    measureText: (text: string, font = "") => ({
      width: textWidth(text, Number(/([\d.]+)px/.exec(font)?.[1] ?? SIZES.tick)),
    }),
  });
  const tops = topsOf(panels);
  // A figure without panels still has a title.
  const width = panels.length === 0 ? LEAST.title : Math.max(...panels.map((panel) => panel.width));
  const sheet = { width: width + 3 * ROOM, height: tops[panels.length] + 2 * ROOM };
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, ...sheet });
  try {
    chart.setOption(optionOf(panels, tops, width, frame));
    const svg = chart.renderToSVGString();
    const drawn = chart.getZr().storage.getDisplayList(true) as unknown as readonly Drawn[];
    return finished(svg, boxOf(drawn), frame);
  } finally {
    chart.dispose();
  }
}

/** The top of each panel, and of a further one below the last. */
function topsOf(panels: readonly Panel[]): number[] {
  const tops = [ROOM];
  for (const { chart, width, height, isJoined = false } of panels) {
    const titles = axisTitle(nameOf(chart, "xAxis"), width).length;
    const below = isJoined ? GAPS.joined : GAPS.axis + titles * LINES.axis + GAPS.panels;
    tops.push((tops.at(-1) ?? 0) + height + below);
  }
  return tops;
}

type AxisKey = "xAxis" | "yAxis";

function nameOf({ option }: Chart, key: AxisKey): string {
  return (option[key] as { readonly name?: string }).name ?? "";
}

function optionOf(
  panels: readonly Panel[],
  tops: readonly number[],
  width: number,
  frame: Frame,
): Record<string, unknown> {
  const [first] = panels as readonly [Panel?, ...Panel[]];
  const marks = first?.chart.marks ?? [];
  const visual = panels.find(({ chart }) => chart.option["visualMap"] !== undefined)?.chart.option["visualMap"];
  const hasLegend = marks.length > 0 && (marks.length > 1 || frame.legend !== undefined);
  const beside = { left: ROOM + width + GAPS.legend, top: ROOM };
  const below = beside.top + (frame.legend === undefined ? 0 : LINES.legend + 4);
  return {
    animation: false,
    backgroundColor: "#ffffff",
    textStyle: { fontFamily: FONT, color: INK },
    title: [
      titleOf(frame, width),
      ...(frame.legend === undefined || first === undefined
        ? []
        : [{ ...beside, text: frame.legend, padding: 0, textStyle: plain(SIZES.legend) }]),
    ],
    grid: panels.map((panel, index) => ({
      left: ROOM,
      top: tops[index],
      width: panel.width,
      height: panel.height,
      containLabel: false,
      outerBoundsMode: "none",
    })),
    xAxis: panels.map((panel, index) => axisOf(panel, "xAxis", index)),
    yAxis: panels.map((panel, index) => axisOf(panel, "yAxis", index)),
    series: panels.flatMap(({ chart }, index) =>
      (chart.option["series"] as object[]).map((series) => ({
        ...series,
        xAxisIndex: index,
        yAxisIndex: index,
      })),
    ),
    ...(first !== undefined && hasLegend && visual === undefined
      ? { legend: legendOf(marks, { ...beside, top: below }, tops, first) }
      : {}),
    ...(first === undefined || visual === undefined
      ? {}
      : { visualMap: scaleOf(visual, { ...beside, top: below }, first) }),
  };
}

const plain = (fontSize: number): object => ({ fontFamily: FONT, fontSize, fontWeight: "normal", color: INK });

/** Above the charts, as wide as they are. */
function titleOf({ title, subtitles }: Frame, width: number): object {
  const wide = Math.max(width, LEAST.title);
  const lines = textLines(title, SIZES.title, wide);
  const small = subtitles.flatMap((text) => textLines(text, SIZES.subtitle, wide));
  const height = lines.length * LINES.title + 4 + small.length * LINES.subtitle;
  return {
    text: lines.join("\n"),
    subtext: small.join("\n"),
    itemGap: 4,
    padding: 0,
    left: ROOM,
    top: ROOM - GAPS.title - height,
    textStyle: { ...plain(SIZES.title), fontWeight: "bold", lineHeight: LINES.title },
    subtextStyle: { ...plain(SIZES.subtitle), color: QUIET, lineHeight: LINES.subtitle },
  };
}

interface OwnAxis {
  readonly axisLabel?: object;
  readonly axisLine?: object;
  readonly axisTick?: object;
  readonly splitLine?: object;
}

function axisOf({ chart, width, height, label, isJoined = false }: Panel, key: AxisKey, gridIndex: number): object {
  const axis = chart.option[key] as OwnAxis;
  const isX = key === "xAxis";
  const name = isX && isJoined ? "" : axisTitle(nameOf(chart, key), isX ? width : height).join("\n");
  const isLabelled = !isX && label !== undefined;
  return {
    ...axis,
    gridIndex,
    name: isLabelled ? label : name,
    nameLocation: "middle",
    nameGap: isLabelled ? GAPS.label : isX ? GAPS.axis : GAPS.legend,
    nameTextStyle: {
      ...plain(SIZES.axis),
      lineHeight: LINES.axis,
      ...(isLabelled ? { align: "right", verticalAlign: "middle" } : {}),
    },
    ...(isLabelled ? { nameRotate: 0, nameMoveOverlap: false } : {}),
    axisLine: { ...axis.axisLine, show: true, lineStyle: { color: QUIET } },
    axisTick: { show: true, ...axis.axisTick, lineStyle: { color: QUIET } },
    splitLine: { ...axis.splitLine, lineStyle: { color: GRID } },
    axisLabel: {
      ...plain(SIZES.tick),
      hideOverlap: true,
      width: 180,
      overflow: "truncate",
      ...axis.axisLabel,
      ...(isX && isJoined ? { show: false } : {}),
      ...(isX ? turned(axis, width) : {}),
    },
  };
}

/** Words that would not fit beside each other stand aslant. */
function turned(axis: OwnAxis & { readonly data?: readonly string[] }, width: number): object {
  const { customValues, formatter } = (axis.axisLabel ?? {}) as {
    readonly customValues?: readonly number[];
    readonly formatter?: (value: number) => string;
  };
  const isOfWords = axis.axisTick !== undefined && (axis.axisTick as { show?: boolean }).show === false;
  if (!isOfWords) return {};
  const words = axis.data ?? customValues?.map((value) => formatter?.(value) ?? "") ?? [];
  const widest = Math.max(0, ...words.map((word) => textWidth(word, SIZES.tick)));
  return widest + 8 > width / Math.max(1, words.length) ? { rotate: 35, hideOverlap: false, interval: 0 } : {};
}

/** In as many columns as it takes to be no higher than the charts. */
function legendOf(marks: readonly Mark[], place: Place, tops: readonly number[], first: Panel): object {
  // Between dots a line would be none.
  const hasLines = (first.chart.option["series"] as { readonly type: string }[]).some(({ type }) => type === "line");
  const whole = tops.length === 2 ? first.height : (tops.at(-1) ?? 0) - ROOM;
  return {
    ...place,
    orient: "vertical",
    align: "left",
    padding: 0,
    itemGap: 5,
    itemWidth: hasLines ? 20 : 10,
    itemHeight: 10,
    height: Math.max(LINES.legend, whole - (place.top - ROOM)),
    data: marks.map(({ name, symbol }) => ({ name, ...(symbol === undefined ? { itemStyle: { opacity: 0 } } : {}) })),
    textStyle: { ...plain(SIZES.legend), width: 220, overflow: "truncate" },
  };
}

interface Place {
  readonly left: number;
  readonly top: number;
}

/** The scale of colours. */
function scaleOf(visual: unknown, place: Place, { height }: Panel): object {
  return {
    ...(visual as object),
    ...place,
    orient: "vertical",
    padding: 0,
    itemWidth: 14,
    textGap: 6,
    itemHeight: Math.min(150, Math.max(60, height - 60)),
    calculable: false,
    textStyle: plain(SIZES.legend),
  };
}

/** The shapes that ECharts has drawn, as far as their places are needed. */
interface Drawn {
  readonly invisible?: boolean;
  readonly getBoundingRect: () => { readonly clone: () => Box & { applyTransform: (by: unknown) => void } };
  readonly getComputedTransform: () => unknown;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Around all that was drawn, in whole pixels. */
function boxOf(drawn: readonly Drawn[]): Box {
  let [leftX, top, right, bottom] = [ROOM, ROOM, ROOM, ROOM];
  for (const shape of drawn) {
    if (shape.invisible === true) continue;
    const box = shape.getBoundingRect().clone();
    box.applyTransform(shape.getComputedTransform());
    [leftX, top] = [Math.min(leftX, box.x), Math.min(top, box.y)];
    [right, bottom] = [Math.max(right, box.x + box.width), Math.max(bottom, box.y + box.height)];
  }
  const [x, y] = [Math.floor(leftX) - GAPS.around, Math.floor(top) - GAPS.around];
  return { x, y, width: Math.ceil(right) + GAPS.around - x, height: Math.ceil(bottom) + GAPS.around - y };
}

/**
 * The visible picture alone, with a title and a description. Elements for a pointer are left out, and names do not
 * count what the process has drawn before: they are found in tags only, for texts have their brackets escaped.
 */
function finished(svg: string, { x, y, width, height }: Box, { title, description }: Frame): string {
  const still = svg.replace(/<style ><!\[CDATA\[[^<]*\]\]>\s*<\/style>\n?/, "").replace(/<[a-zA-Z][^<>]*>/g, (tag) =>
    tag
      .replace(/ (?:ecmeta_\w+|pointer-events)="[^"]*"/g, "")
      .replace(/ class="zr\d+-cls-\d+"/g, "")
      .replace(/(id="|url\(#)zr\d+-/g, "$1plot-"),
  );
  const end = still.indexOf(">");
  const head =
    `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="${width}" height="${height}" ` +
    `viewBox="${[x, y, width, height].join(" ")}" role="img" aria-labelledby="plot-title plot-description">`;
  const words = `<title id="plot-title">${xml(title)}</title><desc id="plot-description">${xml(description)}</desc>`;
  return `${head}${words}${still.slice(end + 1).trim()}\n`;
}

function xml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/* ---------- widths of text ---------- */

const require = createRequire(import.meta.url);

const FONT_FILE = "dejavu-fonts-ttf/ttf/DejaVuSans.ttf";

/** Widths in parts of the font size, by text. */
const WIDTHS = new Map<string, number>();

let ruler: InstanceType<typeof Pdf> | undefined;

/**
 * Pixels that a text takes in DejaVu Sans, whose letters are wider than those of the fonts of SVG. The same on every
 * machine.
 */
function textWidth(text: string, fontSize: number): number {
  let width = WIDTHS.get(text);
  if (width === undefined) {
    // A letter that the font has not is as wide as in a terminal.
    width = Math.max(rulerOf().widthOfString(text), widthOf(text) / 2);
    WIDTHS.set(text, width);
  }
  return width * fontSize;
}

function rulerOf(): InstanceType<typeof Pdf> {
  ruler ??= new (require("pdfkit") as typeof Pdf)({ autoFirstPage: false })
    .font(require.resolve(FONT_FILE))
    .fontSize(1);
  return ruler;
}

/** Lines of whole words, each of them at most so many pixels wide, but for longer words. */
function textLines(text: string, fontSize: number, width: number): string[] {
  return wrap(text, width, (line) => textWidth(line, fontSize));
}

/** The title of an axis that is so many pixels long. */
function axisTitle(text: string, length: number): string[] {
  return text === "" ? [] : textLines(text, SIZES.axis, Math.max(length, LEAST.axis));
}

/* ---------- files ---------- */

/** An SVG document as the bytes of a file. Letters of PNG and PDF are those of DejaVu Sans, which comes with Bide. */
export async function figureFile(svg: string, ending: FigureEnding): Promise<string | Uint8Array> {
  if (ending === "svg") return svg;
  const { resolve } = require;
  const font = readFileSync(resolve(FONT_FILE));
  return ending === "png" ? asPng(svg, font, resolve("@resvg/resvg-wasm/index_bg.wasm")) : asPdf(svg, font);
}

interface Letters {
  readonly hasGlyphForCodePoint: (code: number) => boolean;
}

/**
 * Letters in the figure that PNG and PDF show as boxes, as DejaVu Sans has none for them; those of an SVG come from the
 * program that opens it.
 */
export function lettersWithoutShape(svg: string): string {
  // Its types lack fontkit's view of the font.
  const { _font } = rulerOf() as unknown as { readonly _font: { readonly font: Letters } };
  const letters = new Set(svg.replace(/<[^>]*>/g, ""));
  return [...letters]
    .filter((letter) => /\S/u.test(letter) && !_font.font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0))
    .join("");
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
