import { type Chart, COLOUR_MAP, duration, type Mark, type PageData, timeStep } from "../index.js";
import { echarts } from "../engine.js";

/**
 * A figure of a report: its chart, its choices, its legend, its zoom, and its downloads. Names are user data: they
 * reach the page as text of nodes and of drawn labels, never as HTML.
 */

export const LEVEL_COLOURS = ["#009E73", "#E69F00", "#56B4E9", "#D55E00", "#CC79A7"];
export const NO_LEVEL_COLOUR = "#8A8F98";

export const data = JSON.parse(byId("data").textContent) as PageData;

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element;
}

export function element(name: string, text = "", className = ""): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== "") made.className = className;
  return made;
}

export type Cell = string | number;

export interface Drawing extends Chart {
  /** The content of the figure, first row names. */
  readonly table: readonly (readonly Cell[])[];
  /** In pixels, where the usual height does not fit. */
  readonly height?: number;
}

export interface Choice {
  readonly label: string;
  readonly options: readonly string[];
  /** Figures with the same word make this choice together. */
  readonly together?: string;
  /** Whether it matters, beside what else is chosen. */
  readonly matters?: (chosen: readonly number[]) => boolean;
  /** The option that is chosen at first. */
  readonly first?: number;
}

export interface Figure {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly choices?: readonly Choice[];
  readonly isWide?: boolean;
  readonly isTall?: boolean;
  /** Time is on its x axis: it zooms with the others. */
  readonly isTime?: boolean;
  /** @param chosen an index for each of the choices. */
  readonly draw: (chosen: readonly number[]) => Drawing;
}

/** A tooltip as nodes, so that no name is read as HTML. */
export function tip(lines: readonly string[]): HTMLElement {
  const box = element("div", "", "tip");
  for (const line of lines) box.append(element("div", line));
  return box;
}

export interface Hover {
  readonly seriesName: string;
  readonly value: readonly number[];
  readonly dataIndex: number;
}

/** A tooltip of one datum. */
export function itemTip(linesOf: (hovered: Hover) => readonly string[]): Record<string, unknown> {
  return { trigger: "item", formatter: (hovered: Hover) => tip(linesOf(hovered)) };
}

/** The place of a scale of colours: below its chart. */
export const SCALE_BELOW = { orient: "horizontal", left: "center", bottom: 0, itemHeight: 160 };

export function axisTip(format: (value: number) => string): Record<string, unknown> {
  return {
    trigger: "axis",
    formatter: (hovered: readonly Hover[]) =>
      tip([
        duration(hovered[0]?.value[0] ?? 0),
        ...hovered.map(({ seriesName, value }) => `${seriesName}: ${format(value[1])}`),
      ]),
  };
}

/* ---------- how figures are shown ---------- */

export const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");

/** The theme-dependent part of a series. */
interface Themed {
  readonly lineStyle?: object;
  /** Its line has the colour of the text. */
  readonly isInk?: boolean;
}

/** The chart's own words and lines in the colours of the page. */
function themed(option: Record<string, unknown>, isDark: boolean): Record<string, unknown> {
  const ink = isDark ? "#e8eaed" : "#1b1f24";
  const soft = isDark ? "#a3acb7" : "#59636e";
  const line = isDark ? "#3a414a" : "#d5dae0";
  const axis = (key: "xAxis" | "yAxis"): object => {
    const axis = option[key] as { axisLabel?: object; splitLine?: object } & Record<string, unknown>;
    const place =
      key === "xAxis" ? { nameLocation: "middle", nameGap: 28 } : { nameTextStyle: { color: soft, align: "left" } };
    return {
      ...place,
      axisLine: { lineStyle: { color: soft } },
      ...axis,
      splitLine: { lineStyle: { color: line }, ...axis.splitLine },
      axisLabel: { color: soft, hideOverlap: true, ...axis.axisLabel },
    };
  };
  const visual = option["visualMap"] as object | undefined;
  return {
    animation: false,
    textStyle: { color: ink, fontFamily: "system-ui, sans-serif" },
    grid: { left: 64, right: 24, top: 34, bottom: 48 },
    ...option,
    xAxis: axis("xAxis"),
    yAxis: axis("yAxis"),
    tooltip: {
      confine: true,
      backgroundColor: isDark ? "#1d2127" : "#ffffff",
      borderColor: line,
      ...(option["tooltip"] as object),
    },
    series: (option["series"] as Themed[]).map((series) => ({
      ...series,
      ...(series.isInk === true ? { lineStyle: { ...series.lineStyle, color: ink } } : {}),
    })),
    ...(visual === undefined
      ? {}
      : {
          visualMap: { ...visual, inRange: { color: COLOUR_MAP }, textStyle: { color: soft }, calculable: false },
        }),
  };
}

export function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, 10_000);
}

/** Quoted where it must be; a text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csv(rows: readonly (readonly Cell[])[]): string {
  const field = (cell: Cell) => {
    if (typeof cell === "number") return String(cell);
    const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${rows.map((row) => row.map(field).join(",")).join("\r\n")}\r\n`;
}

export function button(text: string, onPress: () => void, label = text): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", onPress);
  return made;
}

/** A label with a select inside. */
export function selectOf({ label, options, first = 0 }: Choice, onChoice: (index: number) => void): HTMLElement {
  const made = document.createElement("select");
  for (const text of options) made.append(new Option(text));
  made.selectedIndex = first;
  made.addEventListener("change", () => {
    onChoice(made.selectedIndex);
  });
  const named = element("label", `${label} `);
  named.append(made);
  return named;
}

const svgElement = (name: string): SVGElement =>
  document.createElementNS<"svg">("http://www.w3.org/2000/svg", name as "svg");

const SHAPES: Readonly<Record<string, string>> = {
  circle: "M7 5a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
  rect: "M7 1h8v8h-8z",
  triangle: "M11 0l5 9h-10z",
  diamond: "M11 0l5 5l-5 5l-5 -5z",
  cross: "M7 1l8 8M15 1l-8 8",
};

function swatch({ colour, dash, symbol, isHollow }: Mark): SVGElement {
  const picture = svgElement("svg");
  const line = svgElement("line");
  const shape = {
    x1: "0",
    x2: "22",
    y1: "5",
    y2: "5",
    stroke: colour,
    "stroke-width": symbol === undefined ? "4" : "2",
  };
  for (const [key, value] of Object.entries(shape)) line.setAttribute(key, value);
  if (dash !== "solid") line.setAttribute("stroke-dasharray", dash === "dashed" ? "6 3" : "2 3");
  picture.setAttribute("width", "22");
  picture.setAttribute("height", "10");
  picture.setAttribute("aria-hidden", "true");
  picture.append(line);
  if (symbol !== undefined) {
    const shape = svgElement("path");
    const path = symbol.startsWith("path://") ? symbol.slice("path://".length) : null;
    shape.setAttribute("d", path ?? SHAPES[symbol]);
    if (path !== null) shape.setAttribute("transform", "translate(6 0)");
    shape.setAttribute("fill", isHollow === true ? "none" : colour);
    shape.setAttribute("stroke", colour);
    shape.setAttribute("stroke-width", symbol === "cross" ? "2.5" : "1.5");
    picture.append(shape);
  }
  return picture;
}

export interface Shown {
  readonly chart: echarts.ECharts;
  readonly restyle: () => void;
  readonly choose: (together: string, index: number) => void;
}

export const shown: Shown[] = [];

/** Part of the time axis that is seen, in percent; the same in all figures over time. */
export function zoom(chart: echarts.ECharts, step: (from: number, to: number) => [number, number]): void {
  const [zoom] = (chart.getOption() as { dataZoom?: { start: number; end: number }[] }).dataZoom ?? [];
  if (zoom === undefined) return;
  const [start, end] = step(zoom.start, zoom.end);
  chart.dispatchAction({ type: "dataZoom", start: Math.max(0, start), end: Math.min(100, end) });
}

const ZOOMS: readonly (readonly [string, string, (from: number, to: number) => [number, number]])[] = [
  ["+", "zoom in", (from, to) => [from + (to - from) / 4, to - (to - from) / 4]],
  ["−", "zoom out", (from, to) => [from - (to - from) / 2, to + (to - from) / 2]],
  ["◀", "earlier", (from, to) => [from - Math.min(from, (to - from) / 3), to - Math.min(from, (to - from) / 3)]],
  ["▶", "later", (from, to) => [from + Math.min(100 - to, (to - from) / 3), to + Math.min(100 - to, (to - from) / 3)]],
  ["all", "whole time", () => [0, 100]],
];

export function addFigure(figure: Figure, into: HTMLElement): void {
  const box = element("figure", "", figure.isWide === true ? "wide" : "");
  box.id = `figure-${figure.id}`;
  const controls = element("div", "", "controls");
  const legend = element("div", "", "legend");
  const surface = element("div", "", figure.isTall === true ? "chart tall" : "chart");
  surface.setAttribute("role", "img");
  surface.setAttribute("aria-label", `${figure.title}. ${figure.note}`);
  box.append(element("h2", figure.title), element("p", figure.note), controls, surface, legend);
  into.append(box);

  /** Ticks for the part of the time that is seen. */
  const retick = () => {
    const { min = 0, max = 1 } = drawing.option["xAxis"] as { min?: number; max?: number };
    const [seen] = (chart.getOption() as { dataZoom?: { start: number; end: number }[] }).dataZoom ?? [];
    const part = seen === undefined ? 1 : (seen.end - seen.start) / 100;
    chart.setOption({ xAxis: { interval: timeStep((max - min) * part * (surface.clientWidth < 500 ? 2 : 1)) } });
  };
  const choices = figure.choices ?? [];
  const chosen = choices.map(({ first = 0 }) => first);
  const chart = echarts.init(surface, null, { renderer: "svg" });
  const hidden = new Set<string>();
  let drawing = figure.draw(chosen);
  const optionOf = (isDark: boolean): Record<string, unknown> => ({
    ...themed(drawing.option, isDark),
    legend: { show: false, selected: Object.fromEntries([...hidden].map((name) => [name, false])) },
    ...(figure.isTime === true
      ? { dataZoom: [{ type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseMove: true }] }
      : {}),
  });
  const restyle = () => {
    chart.setOption(optionOf(darkScheme.matches), { notMerge: true });
    if (figure.isTime === true) retick();
  };
  const redraw = () => {
    drawing = figure.draw(chosen);
    hidden.clear();
    surface.style.height = drawing.height === undefined ? "" : `${drawing.height}px`;
    chart.resize();
    restyle();
    selects.forEach((select, place) => {
      select.hidden = choices[place].matters?.(chosen) === false;
    });
    legend.replaceChildren(
      ...drawing.marks.map((mark) => {
        const key = button(mark.name, () => {
          if (!hidden.delete(mark.name)) hidden.add(mark.name);
          key.setAttribute("aria-pressed", String(!hidden.has(mark.name)));
          chart.dispatchAction({ type: "legendToggleSelect", name: mark.name });
        });
        key.setAttribute("aria-pressed", "true");
        key.prepend(swatch(mark));
        return key;
      }),
    );
  };
  const svg = () => {
    const still = echarts.init(null, null, { renderer: "svg", ssr: true, width: 960, height: drawing.height ?? 560 });
    const names = drawing.marks.map(({ name, colour, isHollow }) =>
      isHollow === true
        ? { name, itemStyle: { color: "transparent", borderColor: colour, borderWidth: 1.5 } }
        : { name },
    );
    const grid = { left: 80, right: 32, top: 96, bottom: 64 };
    still.setOption({
      ...optionOf(false),
      dataZoom: [],
      backgroundColor: "#ffffff",
      title: { text: figure.title, left: 16, top: 8, textStyle: { fontSize: 16 } },
      legend: { ...(optionOf(false)["legend"] as object), show: names.length > 0, data: names, top: 38, type: "plain" },
      grid: drawing.option["visualMap"] === undefined ? grid : { ...grid, left: 110, bottom: 90 },
    });
    const text = still.renderToSVGString();
    still.dispose();
    return text;
  };
  const choose = (together: string, index: number): void => {
    const place = choices.findIndex((choice) => choice.together === together);
    if (place < 0 || chosen[place] === index) return;
    chosen[place] = index;
    const select = selects[place].querySelector("select");
    if (select !== null) select.selectedIndex = index;
    redraw();
  };
  const selects = choices.map((choice, place) =>
    selectOf(choice, (index) => {
      chosen[place] = index;
      redraw();
      const { together } = choice;
      if (together !== undefined) for (const control of shown) control.choose(together, index);
    }),
  );
  controls.append(...selects);
  if (figure.isTime === true) {
    for (const [text, label, step] of ZOOMS) {
      controls.append(
        button(
          text,
          () => {
            zoom(chart, step);
          },
          `${figure.title}: ${label}`,
        ),
      );
    }
  }
  const save = (kind: "SVG" | "CSV") =>
    button(
      kind,
      () => {
        if (kind === "SVG") download(`${figure.id}.svg`, "image/svg+xml", svg());
        else download(`${figure.id}.csv`, "text/csv", csv(drawing.table));
      },
      `${figure.title}: download as ${kind}`,
    );
  controls.append(save("SVG"), save("CSV"));
  redraw();
  // The attempts of a job have a time axis of their own.
  if (figure.isTime === true) {
    chart.on("datazoom", () => {
      setTimeout(retick);
    });
  }
  if (figure.isTime === true && figure.id !== "gantt") chart.group = "time";
  shown.push({ chart, restyle, choose });
  new ResizeObserver(() => {
    chart.resize();
  }).observe(surface);
}

export function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Rows of text: the first names the columns, the first cell of each names the row. */
export function tableOf(label: string, rows: readonly (readonly string[])[], kind = ""): HTMLElement {
  const table = element("table", "", kind);
  const head = element("thead");
  const body = element("tbody");
  rows.forEach(([name, ...cells], place) => {
    const row = element("tr");
    row.append(element("th", name), ...cells.map((cell) => element(place === 0 ? "th" : "td", cell)));
    (place === 0 ? head : body).append(row);
  });
  table.append(head, body);
  const frame = element("div", "", "table");
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", label);
  frame.append(table);
  return frame;
}

/** Columns of a table that has room for one beside it. */
const MOST_NARROW = 4;

/** A table among the figures. @param whole what its CSV has. */
export function addTable(
  { id, title, note }: Pick<Figure, "id" | "title" | "note">,
  rows: readonly (readonly string[])[],
  whole: readonly (readonly Cell[])[],
  into: HTMLElement,
): void {
  const box = element("figure", "", rows[0].length > MOST_NARROW ? "wide" : "");
  box.id = `figure-${id}`;
  const controls = element("div", "", "controls");
  const save = () => {
    download(`${id}.csv`, "text/csv", csv(whole));
  };
  controls.append(button("CSV", save, `${title}: download as CSV`));
  box.append(element("h2", title), element("p", note), controls, tableOf(title, rows));
  if (note === "") box.querySelector("p")?.remove();
  into.append(box);
}
