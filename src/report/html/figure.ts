import { namesOf } from "../../core/kernel/index.js";
import { type Cell, type Chart, COLOUR_MAP, csvText, type Datum, instant, ITEM_TIP, type PageData } from "../index.js";
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
  readonly draw: (chosen: readonly number[]) => Chart;
}

/** The place of a scale of colours: below its chart. */
export const SCALE_BELOW = {
  orient: "horizontal",
  left: "center",
  bottom: 0,
  itemHeight: 160,
  inRange: { color: COLOUR_MAP },
};

/* ---------- how figures are shown ---------- */

export const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");

const theme = () => (darkScheme.matches ? "dark" : "default");

/** Room around a chart, and for what stands above and below it. */
const ROOM = { edge: 4, legend: 28, zoom: 34, scale: 30 };

/** A chart with the legend, zoom and tooltip of the library. */
function optionOf(
  { option, marks }: Chart,
  isTime: boolean,
): Record<string, unknown> & { legend: object; grid: object } {
  const [hasLegend, hasScale] = [marks.length > 0, option["visualMap"] !== undefined];
  const inside = { type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl" };
  const slider = { type: "slider", filterMode: "none", height: 16, bottom: 8, showDataShadow: false };
  const axis = (key: string, place: object): object => {
    const { axisLabel, ...more } = option[key] as { axisLabel?: object };
    return { ...place, ...more, axisLabel: { hideOverlap: true, width: 118, overflow: "truncate", ...axisLabel } };
  };
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: "system-ui, sans-serif" },
    ...option,
    useUTC: true,
    grid: {
      left: ROOM.edge,
      right: 5 * ROOM.edge,
      top: ROOM.edge + (hasLegend ? ROOM.legend : 0),
      outerBoundsMode: "same",
      bottom: ROOM.edge + (isTime ? ROOM.zoom : 0) + (hasScale ? ROOM.scale : 0),
    },
    xAxis: axis("xAxis", { nameLocation: "middle", nameGap: 26 }),
    yAxis: axis("yAxis", { nameTextStyle: { align: "left" } }),
    legend: { show: hasLegend, type: "scroll", left: 0, top: 0, data: namesOf(marks) },
    tooltip: {
      confine: true,
      className: "tip",
      // As nodes, so that no name is read as HTML.
      ...(option["tooltip"] === ITEM_TIP
        ? { formatter: ({ data: { tip } }: { data: Datum }) => tip.map((line) => element("div", line)) }
        : {}),
      ...(option["tooltip"] as object),
    },
    dataZoom: isTime ? [inside, { ...slider, labelFormatter: instant }] : [],
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

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function downloadCsv(id: string, rows: readonly (readonly Cell[])[]): void {
  const guarded = (cell: Cell) => (typeof cell === "string" && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);
  download(`${id}.csv`, "text/csv", csvText(rows.map((row) => row.map(guarded))));
}

export function saveButton(kind: "SVG" | "CSV", title: string, save: () => void): HTMLElement {
  const made = element("button", kind) as HTMLButtonElement;
  made.type = "button";
  made.setAttribute("aria-label", `${title}: download as ${kind}`);
  made.addEventListener("click", save);
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

export interface Shown {
  readonly chart: echarts.ECharts;
  readonly choose: (together: string, index: number) => void;
}

export const shown: Shown[] = [];

darkScheme.addEventListener("change", () => {
  for (const { chart } of shown) chart.setTheme(theme());
});

/** An empty figure, with room for its controls. */
export function frameOf(
  { id, title, note }: Pick<Figure, "id" | "title" | "note">,
  isWide: boolean,
  into: HTMLElement,
): readonly [frame: HTMLElement, controls: HTMLElement] {
  const frame = element("figure", "", isWide ? "wide" : "");
  frame.id = `figure-${id}`;
  const controls = element("div", "", "controls");
  frame.append(element("h2", title), ...(note === "" ? [] : [element("p", note)]), controls);
  into.append(frame);
  return [frame, controls];
}

export function addFigure(figure: Figure, into: HTMLElement): void {
  const { id, title, isTime = false, choices = [] } = figure;
  const [frame, controls] = frameOf(figure, figure.isWide === true, into);
  const surface = element("div", "", figure.isTall === true ? "chart tall" : "chart");
  surface.setAttribute("role", "img");
  surface.setAttribute("aria-label", `${title}. ${figure.note}`);
  frame.append(surface);
  const chosen = choices.map(({ first = 0 }) => first);
  const chart = echarts.init(surface, theme(), { renderer: "svg" });
  let drawing = figure.draw(chosen);
  const redraw = () => {
    drawing = figure.draw(chosen);
    surface.style.height = drawing.height === undefined ? "" : `${drawing.height}px`;
    chart.resize();
    chart.setOption(optionOf(drawing, isTime), { notMerge: true });
    selects.forEach((select, place) => {
      select.hidden = choices[place].matters?.(chosen) === false;
    });
  };
  const svg = () => {
    const still = echarts.init(null, null, { renderer: "svg", ssr: true, width: 960, height: drawing.height ?? 560 });
    const { legend, grid, ...option } = optionOf(drawing, false);
    still.setOption({
      ...option,
      backgroundColor: "#ffffff",
      title: { text: title, left: 16, top: 8 },
      legend: { ...legend, top: 38, type: "plain" },
      grid: { ...grid, top: 96 },
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
  controls.append(
    ...selects,
    saveButton("SVG", title, () => {
      download(`${id}.svg`, "image/svg+xml", svg());
    }),
    saveButton("CSV", title, () => {
      downloadCsv(id, drawing.table);
    }),
  );
  redraw();
  // The attempts of a job have a time axis of their own.
  if (isTime && id !== "gantt") chart.group = "time";
  shown.push({ chart, choose });
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
  figure: Pick<Figure, "id" | "title" | "note">,
  rows: readonly (readonly string[])[],
  whole: readonly (readonly Cell[])[],
  into: HTMLElement,
): void {
  const [frame, controls] = frameOf(figure, rows[0].length > MOST_NARROW, into);
  const save = () => {
    downloadCsv(figure.id, whole);
  };
  controls.append(saveButton("CSV", figure.title, save));
  frame.append(tableOf(figure.title, rows));
}
