import type { Curve, JobAttempts, PoolSlots, RunPicture } from "../../io/results/run-picture.js";
import { BarChart, CustomChart, HeatmapChart, LineChart } from "echarts/charts";
import {
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import * as echarts from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

/** The script of a report. Names are user data: they reach the page as text of nodes and of drawn labels, never as HTML. */

echarts.use([
  BarChart,
  CustomChart,
  HeatmapChart,
  LineChart,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
  SVGRenderer,
]);

interface PageData {
  readonly runs: readonly RunPicture[];
  readonly words: { readonly kind: string[]; readonly level: string[]; readonly outcome: string[] };
  readonly most: Readonly<Record<string, number>>;
}

/** Okabe and Ito: told apart with any colour vision. The first is the colour of the text. */
const COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#B8A800"];
const DASHES = ["solid", "dashed", "dotted"] as const;
const LEVEL_COLOURS = ["#009E73", "#E69F00", "#56B4E9", "#D55E00", "#8A8F98"];

const { runs, words, most } = JSON.parse(byId("data").textContent) as PageData;

function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
}

function element(name: string, text = "", className = ""): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== "") made.className = className;
  return made;
}

type Cell = string | number;

/** A series as the legend shows it. */
interface Mark {
  readonly name: string;
  readonly colour: string;
  readonly dash: (typeof DASHES)[number];
}

interface Drawing {
  /** ECharts' own options, without colours of text and lines. */
  readonly option: Record<string, unknown>;
  readonly marks: readonly Mark[];
  /** What the figure shows, first row names. */
  readonly table: readonly (readonly Cell[])[];
}

interface Choice {
  readonly label: string;
  readonly options: readonly string[];
}

interface Figure {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly choices?: readonly Choice[];
  readonly isWide?: boolean;
  /** Time is on its x axis: it zooms with the others. */
  readonly isTime?: boolean;
  /** @param chosen an index for each of the choices. */
  readonly draw: (chosen: readonly number[]) => Drawing;
}

function mark(name: string, index: number): Mark {
  return {
    name,
    colour: COLOURS[index % COLOURS.length],
    dash: DASHES[Math.floor(index / COLOURS.length) % DASHES.length],
  };
}

function number(value: number): string {
  if (value === 0) return "0";
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}

function duration(seconds: number): string {
  if (seconds < 60) return `${number(seconds)} s`;
  if (seconds < 3600) return `${number(seconds / 60)} min`;
  return `${number(seconds / 3600)} h`;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** A tooltip as nodes, so that no name is read as HTML. */
function tip(lines: readonly string[]): HTMLElement {
  const box = element("div", "", "tip");
  for (const line of lines) box.append(element("div", line));
  return box;
}

interface Hover {
  readonly seriesName: string;
  readonly value: readonly number[];
  readonly dataIndex: number;
}

const TIME_AXIS = { type: "value", name: "time", min: 0, axisLabel: { formatter: duration } };

function axisTip(format: (value: number) => string): Record<string, unknown> {
  return {
    trigger: "axis",
    formatter: (hovered: readonly Hover[]) =>
      tip([
        duration(hovered[0]?.value[0] ?? 0),
        ...hovered.map(({ seriesName, value }) => `${seriesName}: ${format(value[1])}`),
      ]),
  };
}

function lineOf({ name, colour, dash }: Mark, data: readonly (readonly number[])[], more = {}): object {
  return {
    type: "line",
    name,
    data,
    showSymbol: data.length === 1,
    symbolSize: 7,
    color: colour,
    lineStyle: { width: 2, type: dash, color: colour },
    emphasis: { focus: "series" },
    ...more,
  };
}

/* ---------- distributions ---------- */

function distribution(curves: readonly Curve[]): Drawing {
  const drawn = curves.filter(({ values }) => values.length > 0);
  const marks = drawn.map(({ label, jobs }, index) => mark(`${label} (${number(jobs)})`, index));
  const at = ({ values }: Curve): number[][] =>
    values.map((value, index) => [Math.max(value, 0.1), (index + 1) / values.length]);
  const option = {
    tooltip: {
      trigger: "item",
      formatter: ({ seriesName, value }: Hover) =>
        tip([seriesName, `${percent(value[1])} of the jobs took at most ${duration(value[0])}`]),
    },
    xAxis: { type: "log", name: "response time", axisLabel: { formatter: duration } },
    yAxis: { type: "value", name: "share of jobs", min: 0, max: 1, axisLabel: { formatter: percent } },
    series: drawn.map((curve, index) =>
      lineOf(marks[index], at(curve), { step: "end", showSymbol: true, symbolSize: curve.values.length === 1 ? 8 : 3 }),
    ),
  };
  const rows = drawn.flatMap((curve) => at(curve).map(([seconds, share]) => [curve.label, seconds, share]));
  return { option, marks, table: [["group", "response_s", "share_of_jobs"], ...rows] };
}

function responseFigure(run: RunPicture): Figure {
  return {
    id: "responses",
    title: "Response time",
    note: `Share of jobs that ended within a time after submission. A curve of many jobs has ${String(most["quantiles"])} points, at equal shares.`,
    choices: [{ label: "by", options: ["size", "pool"] }],
    draw: ([by]) => distribution(by === 0 ? run.responses.size : run.responses.pool),
  };
}

/** The same group of jobs in several runs. */
function runsFigure(labels: readonly string[]): Figure {
  const groups = [{ kind: "all", label: "all jobs" }];
  for (const kind of ["size", "pool"] as const) {
    const names = new Set(runs.flatMap(({ responses }) => responses[kind].map(({ label }) => label)));
    for (const label of names) groups.push({ kind, label });
  }
  const curveOf = ({ responses }: RunPicture, { kind, label }: { kind: string; label: string }): Curve | undefined =>
    kind === "all" ? responses.all : responses[kind as "size" | "pool"].find((curve) => curve.label === label);
  return {
    id: "runs",
    title: "Response time, run by run",
    note: "Share of jobs that ended within a time after submission, for one group of jobs in every run.",
    choices: [{ label: "jobs", options: groups.map(({ kind, label }) => (kind === "pool" ? `pool ${label}` : label)) }],
    isWide: true,
    draw: ([group]) =>
      distribution(
        runs.flatMap((run, index) => {
          const curve = curveOf(run, groups[group]);
          return curve === undefined ? [] : [{ ...curve, label: labels[index] }];
        }),
      ),
  };
}

/* ---------- bars ---------- */

function localityFigure({ summary }: RunPicture): Figure {
  const bins = summary.bins.filter(({ locality }) => locality.maps > 0);
  return {
    id: "locality",
    title: "Locality by job size",
    note: "Share of maps that read their input from the node, from the rack, and from further away.",
    draw: () => {
      const named = [
        ["node", "node", 0],
        ["rack", "rack", 1],
        ["row", "row", 2],
        ["offRack", "off-rack", 3],
      ] as const;
      const share = (bin: (typeof bins)[number], key: string): number =>
        (bin.locality as unknown as Record<string, number | undefined>)[key] ?? 0;
      const levels = named.filter(([key]) => key !== "row" || bins.some((bin) => share(bin, key) > 0));
      const marks = levels.map(([, name, colour]) => ({ name, colour: LEVEL_COLOURS[colour], dash: "solid" as const }));
      const option = {
        tooltip: {
          trigger: "axis",
          axisPointer: { type: "shadow" },
          formatter: (hovered: readonly (Omit<Hover, "value"> & { value: number })[]) => {
            const bin = bins[hovered[0]?.dataIndex ?? 0];
            return tip([
              `${bin.label} maps: ${number(bin.locality.maps)} maps`,
              ...hovered.map(({ seriesName, value }) => `${seriesName}: ${percent(value)}`),
            ]);
          },
        },
        xAxis: { type: "category", name: "maps per job", data: bins.map(({ label }) => label) },
        yAxis: { type: "value", name: "share of maps", min: 0, max: 1, axisLabel: { formatter: percent } },
        series: levels.map(([key, name], index) => ({
          type: "bar",
          name,
          stack: "locality",
          color: marks[index].colour,
          data: bins.map((bin) => share(bin, key)),
        })),
      };
      const rows = bins.map((bin) => [bin.label, bin.locality.maps, ...levels.map(([key]) => share(bin, key))]);
      return { option, marks, table: [["maps_per_job", "maps", ...levels.map(([, name]) => name)], ...rows] };
    },
  };
}

function waitFigure({ waits }: RunPicture): Figure {
  return {
    id: "waits",
    title: "Wait for the first task",
    note: "Jobs by the time from submission to the launch of their first task. The intervals double.",
    draw: () => {
      const labels = waits.upTo.map((end, index) => `${index === 0 ? "0" : duration(end / 2)}–${duration(end)}`);
      const one = mark("jobs", 0);
      const option = {
        tooltip: {
          trigger: "item",
          formatter: ({ dataIndex }: Hover) => tip([labels[dataIndex], `${number(waits.jobs[dataIndex])} jobs`]),
        },
        xAxis: { type: "category", name: "wait", data: labels },
        yAxis: { type: "value", name: "jobs" },
        series: [{ type: "bar", name: "jobs", color: one.colour, barCategoryGap: "8%", data: waits.jobs }],
      };
      return { option, marks: [], table: [["up_to_s", "jobs"], ...waits.upTo.map((end, i) => [end, waits.jobs[i]])] };
    },
  };
}

/* ---------- over time ---------- */

interface Named {
  readonly name: string;
  readonly values: readonly number[];
}

function overTime(
  at: readonly number[],
  named: readonly Named[],
  axis: string,
  format: (value: number) => string,
  more: (index: number) => object = () => ({}),
): Drawing {
  const marks = named.map(({ name }, index) => mark(name, index));
  const option = {
    tooltip: axisTip(format),
    xAxis: TIME_AXIS,
    yAxis: { type: "value", name: axis, min: 0, axisLabel: { formatter: format } },
    series: named.map(({ values }, index) =>
      lineOf(
        marks[index],
        at.map((time, place) => [time, values[place]]),
        { step: "end", ...more(index) },
      ),
    ),
  };
  const table = [
    ["time_s", ...named.map(({ name }) => name)],
    ...at.map((t, i) => [t, ...named.map((n) => n.values[i])]),
  ];
  return { option, marks, table };
}

function poolsFigure({ timeline }: RunPicture): Figure {
  const { pools, at } = timeline;
  return {
    id: "pools",
    title: "Slots of pools",
    note: `Means over ${duration(timeline.intervalSeconds)}. The ${String(most["pools"])} pools that hold most slots are drawn by themselves. Choose a pool to see its fair share and its demand.`,
    choices: [
      { label: "pool", options: ["all, stacked", ...pools.map(({ label }) => label)] },
      { label: "slots of", options: ["maps", "reduces"] },
    ],
    isWide: true,
    isTime: true,
    draw: ([pool, kind]) => {
      const slots = (index: number): PoolSlots => (kind === 0 ? pools[index].maps : pools[index].reduces);
      if (pool > 0) {
        const { held, fairShare, demand } = slots(pool - 1);
        const named = [
          { name: "held", values: held },
          { name: "fair share", values: fairShare },
          { name: "demand", values: demand },
        ];
        return overTime(at, named, "slots", number, (index) => (index === 0 ? { areaStyle: { opacity: 0.25 } } : {}));
      }
      const named = pools.map(({ label }, index) => ({ name: label, values: slots(index).held }));
      return overTime(at, named, "slots held", number, () => ({
        stack: "slots",
        areaStyle: { opacity: 0.75 },
        lineStyle: { width: 0.5 },
      }));
    },
  };
}

function useFigure({ timeline, summary }: RunPicture): Figure {
  const { mapSlots, reduceSlots } = summary.cluster;
  const of = (values: readonly number[], slots: number): number[] => values.map((value) => value / Math.max(slots, 1));
  return {
    id: "utilisation",
    title: "Utilisation",
    note: `Share of slots that run a task; and, of all slots, those that pools with demand lack to their fair share. Means over ${duration(timeline.intervalSeconds)}.`,
    isTime: true,
    draw: () =>
      overTime(
        timeline.at,
        [
          { name: "map slots", values: of(timeline.runningMaps, mapSlots) },
          { name: "reduce slots", values: of(timeline.runningReduces, reduceSlots) },
          { name: "map slots lacking to fair shares", values: of(timeline.missingMaps, mapSlots) },
          { name: "reduce slots lacking to fair shares", values: of(timeline.missingReduces, reduceSlots) },
        ],
        "share of slots",
        percent,
      ),
  };
}

function backlogFigure({ timeline }: RunPicture): Figure {
  return {
    id: "backlog",
    title: "Backlog",
    note: `Tasks that wait for a slot, and jobs that have not ended. Means over ${duration(timeline.intervalSeconds)}.`,
    isTime: true,
    draw: () =>
      overTime(
        timeline.at,
        [
          { name: "pending maps", values: timeline.pendingMaps },
          { name: "pending reduces", values: timeline.pendingReduces },
          { name: "active jobs", values: timeline.activeJobs },
        ],
        "tasks, jobs",
        number,
      ),
  };
}

/* ---------- attempts ---------- */

function heatFigure(run: RunPicture): Figure | null {
  if (run.attempts === null) return null;
  const { heat } = run.attempts;
  const { nodesPerRow, intervalSeconds, rows } = heat;
  const nodes = run.summary.cluster.nodes;
  const nameOf = (row: number): string => {
    const last = Math.min(nodes, (row + 1) * nodesPerRow) - 1;
    return nodesPerRow === 1 ? `node ${String(row)}` : `nodes ${String(row * nodesPerRow)}–${String(last)}`;
  };
  const sizeOf = (row: number): number => Math.min(nodesPerRow, nodes - row * nodesPerRow);
  return {
    id: "heat",
    title: "Busy slots by node",
    note: `Running attempts per node, mean over ${duration(intervalSeconds)}${nodesPerRow === 1 ? "" : ` and over ${String(nodesPerRow)} nodes with neighbouring numbers`}.`,
    isWide: true,
    draw: () => {
      const cells = rows.flatMap((row, y) => row.map((busy, x) => [x, y, Number((busy / sizeOf(y)).toFixed(2))]));
      const top = cells.reduce((highest, [, , busy]) => Math.max(highest, busy), 1);
      const option = {
        tooltip: {
          trigger: "item",
          formatter: ({ value: [x, y, busy] }: Hover) =>
            tip([nameOf(y), `from ${duration(x * intervalSeconds)}`, `${number(busy)} attempts per node`]),
        },
        xAxis: {
          type: "category",
          name: "time",
          data: rows[0]?.map((_, x) => duration(x * intervalSeconds)) ?? [],
        },
        yAxis: { type: "category", name: "nodes", data: rows.map((_, row) => nameOf(row)), inverse: true },
        visualMap: {
          min: 0,
          max: top,
          orient: "horizontal",
          left: "center",
          bottom: 0,
          itemHeight: 160,
          text: [number(top), "0"],
        },
        grid: { left: 96, right: 16, top: 30, bottom: 84 },
        series: [{ type: "heatmap", data: cells, progressive: 0 }],
      };
      const table = cells.map(([x, y, busy]) => [x * intervalSeconds, y * nodesPerRow, busy]);
      return { option, marks: [], table: [["time_s", "first_node", "busy_per_node"], ...table] };
    },
  };
}

/** Rows for bars that overlap in time: each goes into the first row that is free. */
function rowsFor(attempts: readonly (readonly number[])[]): number[] {
  const freeAt: number[] = [];
  return attempts.map(([launch, finish]) => {
    const free = freeAt.findIndex((time) => time <= launch);
    const row = free < 0 ? freeAt.length : free;
    freeAt[row] = finish;
    return row;
  });
}

interface CustomApi {
  readonly value: (dimension: number) => number;
  readonly coord: (point: readonly number[]) => readonly number[];
  readonly size: (point: readonly number[]) => readonly number[];
}

function ganttFigure({ attempts }: RunPicture): Figure | null {
  if (attempts === null || attempts.jobs.length === 0) return null;
  const { jobs, total } = attempts;
  const pools = [...new Set(jobs.map(({ pool }) => pool))];
  const drawnOf = (one: JobAttempts): number => one.attempts.length;
  const embedded = jobs.reduce((sum, job) => sum + drawnOf(job), 0);
  const order = jobs.map((_, index) => index).sort((a, b) => drawnOf(jobs[b]) - drawnOf(jobs[a]));
  const whose = [
    ...order.map((index) => ({
      label: `job ${jobs[index].label} (${number(drawnOf(jobs[index]))})`,
      members: [jobs[index]],
    })),
    ...pools.map((pool) => ({ label: `pool ${pool}`, members: jobs.filter((job) => job.pool === pool) })),
  ];
  return {
    id: "gantt",
    title: "Attempts",
    note:
      embedded === total
        ? "A bar is an attempt, from launch to finish, in a row that was free then."
        : `A bar is an attempt, from launch to finish, in a row that was free then. The page holds ${number(embedded)} of ${number(total)} attempts: whole jobs, the slowest of each size first.`,
    choices: [{ label: "of", options: whose.map(({ label }) => label) }],
    isWide: true,
    isTime: true,
    draw: ([choice]) => {
      const bars = whose[choice].members
        .flatMap((job) => job.attempts.map((attempt) => ({ job: job.label, attempt })))
        .sort((a, b) => a.attempt[0] - b.attempt[0]);
      const rows = rowsFor(bars.map(({ attempt }) => attempt));
      const marks = words.level.map((name, level) => ({ name, colour: LEVEL_COLOURS[level], dash: "solid" as const }));
      const used = marks.filter((_, level) => bars.some(({ attempt }) => attempt[4] === level));
      const series = used.map(({ name, colour }) => ({
        type: "custom",
        name,
        color: colour,
        encode: { x: [0, 1], y: 2 },
        data: bars.flatMap(({ attempt }, index) =>
          words.level[attempt[4]] === name ? [[attempt[0], attempt[1], rows[index], index]] : [],
        ),
        renderItem: (_: unknown, api: CustomApi) => {
          const [x, y] = api.coord([api.value(0), api.value(2)]);
          const [end] = api.coord([api.value(1), api.value(2)]);
          const height = Math.max(1, api.size([0, 1])[1] * 0.8);
          const outcome = bars[api.value(3)].attempt[5];
          return {
            type: "rect",
            shape: { x, y: y - height / 2, width: Math.max(1, end - x), height },
            style: { fill: colour, opacity: outcome === 0 ? 1 : 0.45 },
          };
        },
        clip: true,
      }));
      const from = bars.reduce((least, { attempt }) => Math.min(least, attempt[0]), Infinity);
      const until = bars.reduce((latest, { attempt }) => Math.max(latest, attempt[1]), 0);
      const option = {
        tooltip: {
          trigger: "item",
          formatter: ({ value }: Hover) => {
            const { job, attempt } = bars[value[3]];
            const [launch, finish, node, kind, level, outcome] = attempt;
            return tip([
              `${job}, ${words.kind[kind]}, ${words.level[level]}`,
              `node ${String(node)}, ${words.outcome[outcome]}`,
              `${duration(launch)} to ${duration(finish)}: ${duration(finish - launch)}`,
            ]);
          },
        },
        xAxis: { ...TIME_AXIS, min: Math.floor(from), max: Math.ceil(until) },
        yAxis: { type: "value", name: "running at once", minInterval: 1 },
        series,
      };
      const table = bars.map(({ job, attempt: [launch, finish, node, kind, level, outcome] }) => [
        ...[job, words.kind[kind], launch, finish, node],
        ...[words.level[level], words.outcome[outcome]],
      ]);
      return {
        option,
        marks: used,
        table: [["job", "type", "launch_s", "finish_s", "node", "level", "outcome"], ...table],
      };
    },
  };
}

/* ---------- the page ---------- */

const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");

/** The chart's own words and lines in the colours of the page. */
function themed(option: Record<string, unknown>, isDark: boolean): Record<string, unknown> {
  const ink = isDark ? "#e8eaed" : "#1b1f24";
  const soft = isDark ? "#a3acb7" : "#59636e";
  const line = isDark ? "#3a414a" : "#d5dae0";
  const axis = (key: "xAxis" | "yAxis"): object => {
    const own = option[key] as { axisLabel?: object } & Record<string, unknown>;
    const place =
      key === "xAxis" ? { nameLocation: "middle", nameGap: 28 } : { nameTextStyle: { color: soft, align: "left" } };
    return {
      ...place,
      splitLine: { lineStyle: { color: line } },
      axisLine: { lineStyle: { color: soft } },
      ...own,
      axisLabel: { color: soft, hideOverlap: true, ...own.axisLabel },
    };
  };
  const visual = option["visualMap"] as object | undefined;
  const scale = isDark ? ["#1d2733", "#0072B2", "#56B4E9", "#F0E442"] : ["#eef3f7", "#56B4E9", "#0072B2", "#14202b"];
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
    ...(visual === undefined
      ? {}
      : { visualMap: { ...visual, inRange: { color: scale }, textStyle: { color: soft }, calculable: false } }),
  };
}

function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, 10_000);
}

/** Quoted where it must be; a text that a spreadsheet would take for a formula begins with an apostrophe. */
function csv(rows: readonly (readonly Cell[])[]): string {
  const field = (cell: Cell): string => {
    if (typeof cell === "number") return String(cell);
    const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${rows.map((row) => row.map(field).join(",")).join("\r\n")}\r\n`;
}

function button(text: string, onPress: () => void, label = text): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", onPress);
  return made;
}

function selectOf({ label, options }: Choice, onChoice: (index: number) => void): HTMLElement {
  const made = document.createElement("select");
  for (const text of options) made.append(new Option(text));
  made.addEventListener("change", () => {
    onChoice(made.selectedIndex);
  });
  const named = element("label", `${label} `);
  named.append(made);
  return named;
}

function swatch({ colour, dash }: Mark): SVGElement {
  const of = (name: string): SVGElement => document.createElementNS<"svg">("http://www.w3.org/2000/svg", name as "svg");
  const picture = of("svg");
  const line = of("line");
  const shape = { x1: "0", x2: "22", y1: "5", y2: "5", stroke: colour, "stroke-width": "4" };
  for (const [key, value] of Object.entries(shape)) line.setAttribute(key, value);
  if (dash !== "solid") line.setAttribute("stroke-dasharray", dash === "dashed" ? "6 3" : "2 3");
  picture.setAttribute("width", "22");
  picture.setAttribute("height", "10");
  picture.setAttribute("aria-hidden", "true");
  picture.append(line);
  return picture;
}

interface Shown {
  readonly chart: echarts.ECharts;
  readonly isTime: boolean;
  readonly restyle: () => void;
}

const shown: Shown[] = [];

/** Part of the time axis that is seen, in percent; the same in all figures over time. */
function zoom(chart: echarts.ECharts, step: (from: number, to: number) => [number, number]): void {
  const [own] = (chart.getOption() as { dataZoom?: { start: number; end: number }[] }).dataZoom ?? [];
  if (own === undefined) return;
  const [start, end] = step(own.start, own.end);
  chart.dispatchAction({ type: "dataZoom", start: Math.max(0, start), end: Math.min(100, end) });
}

const ZOOMS: readonly (readonly [string, string, (from: number, to: number) => [number, number]])[] = [
  ["+", "zoom in", (from, to) => [from + (to - from) / 4, to - (to - from) / 4]],
  ["−", "zoom out", (from, to) => [from - (to - from) / 2, to + (to - from) / 2]],
  ["◀", "earlier", (from, to) => [from - Math.min(from, (to - from) / 3), to - Math.min(from, (to - from) / 3)]],
  ["▶", "later", (from, to) => [from + Math.min(100 - to, (to - from) / 3), to + Math.min(100 - to, (to - from) / 3)]],
  ["all", "whole time", () => [0, 100]],
];

function addFigure(figure: Figure, into: HTMLElement): void {
  const box = element("figure", "", figure.isWide === true ? "wide" : "");
  box.id = `figure-${figure.id}`;
  const controls = element("div", "", "controls");
  const legend = element("div", "", "legend");
  const surface = element("div", "", figure.id === "gantt" || figure.id === "heat" ? "chart tall" : "chart");
  surface.setAttribute("role", "img");
  surface.setAttribute("aria-label", `${figure.title}. ${figure.note}`);
  box.append(element("h2", figure.title), element("p", figure.note), controls, surface, legend);
  into.append(box);

  const chosen = (figure.choices ?? []).map(() => 0);
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
  const restyle = (): void => {
    chart.setOption(optionOf(darkScheme.matches), { notMerge: true });
  };
  const redraw = (): void => {
    drawing = figure.draw(chosen);
    hidden.clear();
    restyle();
    legend.replaceChildren(
      ...drawing.marks.map((one) => {
        const key = button(one.name, () => {
          if (!hidden.delete(one.name)) hidden.add(one.name);
          key.setAttribute("aria-pressed", String(!hidden.has(one.name)));
          chart.dispatchAction({ type: "legendToggleSelect", name: one.name });
        });
        key.setAttribute("aria-pressed", "true");
        key.prepend(swatch(one));
        return key;
      }),
    );
  };
  const svg = (): string => {
    const still = echarts.init(null, null, { renderer: "svg", ssr: true, width: 960, height: 560 });
    const names = drawing.marks.map(({ name }) => name);
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
  (figure.choices ?? []).forEach((choice, place) => {
    controls.append(
      selectOf(choice, (index) => {
        chosen[place] = index;
        redraw();
      }),
    );
  });
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
  const save = (kind: "SVG" | "CSV"): HTMLButtonElement =>
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
  if (figure.isTime === true && figure.id !== "gantt") chart.group = "time";
  shown.push({ chart, isTime: figure.isTime === true, restyle });
  new ResizeObserver(() => {
    chart.resize();
  }).observe(surface);
}

function headline(labels: readonly string[]): HTMLElement {
  const share = (value: number | null): string => (value === null ? "–" : percent(value));
  const time = (value: number | null): string => (value === null ? "–" : duration(value));
  const rows: readonly (readonly [string, (run: RunPicture) => string])[] = [
    ["scheduler", ({ summary }) => summary.scheduler],
    ["seed", ({ summary }) => summary.seed],
    ["virtual time", ({ summary }) => duration(summary.virtualSeconds)],
    ["stopped", ({ summary }) => summary.stopped],
    [
      "nodes, map slots, reduce slots",
      ({ summary: { cluster: c } }) => [c.nodes, c.mapSlots, c.reduceSlots].map(number).join(", "),
    ],
    ["jobs ended, of", ({ summary: { jobs } }) => `${number(jobs.ended)}, ${number(jobs.submitted)}`],
    ["response time, mean", ({ summary }) => time(summary.responseSeconds.mean)],
    ["response time, median", ({ summary }) => time(summary.responseSeconds.p50)],
    ["response time, p95", ({ summary }) => time(summary.responseSeconds.p95)],
    ["wait for the first task, median", ({ summary }) => time(summary.timeToFirstTaskSeconds.p50)],
    ["maps node-local", ({ summary }) => share(summary.locality.node)],
    [
      "maps node- or rack-local",
      ({ summary: { locality: l } }) => share(l.node === null || l.rack === null ? null : l.node + l.rack),
    ],
    ["below fair share", ({ summary }) => share(summary.fairness.belowFairShare)],
    ["kills by preemption", ({ summary }) => number(summary.tasks.kills)],
    ["fingerprint", ({ summary }) => summary.fingerprint.slice(0, 12)],
  ];
  const table = element("table");
  const head = element("tr");
  head.append(element("th"), ...labels.map((label) => element("th", label)));
  const body = element("tbody");
  for (const [name, of] of rows) {
    const row = element("tr");
    row.append(element("th", name), ...runs.map((run) => element("td", of(run))));
    body.append(row);
  }
  const top = element("thead");
  top.append(head);
  table.append(top, body);
  const frame = element("div", "", "table");
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", "headline figures");
  frame.append(table);
  return frame;
}

function main(): void {
  const page = byId("report");
  const labels = runs.map(({ folder }) => folder);
  page.append(
    element("h1", [...new Set(runs.map(({ summary }) => shortened(summary.scenario)))].join(", ")),
    element(
      "p",
      "Results of Bide. Times are virtual. Figures over time zoom together: buttons, or Ctrl and the wheel.",
    ),
    headline(labels),
  );
  const grid = element("div", "", "grid");
  const ofRun = element("div", "", "grid");
  const showRun = (index: number): void => {
    for (const { chart } of shown.splice(isSeveral ? 1 : 0)) chart.dispose();
    ofRun.replaceChildren();
    const run = runs[index];
    const figures = [
      responseFigure,
      localityFigure,
      poolsFigure,
      useFigure,
      backlogFigure,
      waitFigure,
      heatFigure,
      ganttFigure,
    ];
    for (const make of figures) {
      const figure = make(run);
      if (figure !== null) addFigure(figure, ofRun);
    }
    if (run.attempts === null) {
      ofRun.append(element("p", "With bide run --tasks there are two figures more: busy slots by node, and attempts."));
    }
    echarts.connect("time");
  };
  const isSeveral = runs.length > 1;
  page.append(grid);
  if (isSeveral) {
    addFigure(runsFigure(labels), grid);
    const controls = element("div", "", "controls");
    controls.append(selectOf({ label: "figures of", options: labels }, showRun));
    page.append(controls);
  }
  page.append(ofRun);
  showRun(0);
  darkScheme.addEventListener("change", () => {
    for (const { restyle } of shown) restyle();
  });
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

main();
