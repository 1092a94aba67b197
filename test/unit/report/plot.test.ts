import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { type SweepRecord, sweepResults, measureNamed, USUAL_WORDS } from "../../../dist/experiments/index.js";
import {
  COLOUR_MAP,
  PALETTE,
  type FigureLook,
  axisScale,
  drawPlot,
  isLogRange,
  type PlotChoice,
  ends,
  pictured,
  listed,
} from "../../../dist/report/index.js";
import { doneRun, failedRun, secondsAxis, sweepPlan, sweepRecord, wordAxis } from "../../support/hand-made-sweeps.js";

type Attributes = Readonly<Record<string, string>>;

interface Drawn {
  readonly svg: string;
  /** Text of every text element, title and desc. */
  readonly texts: readonly string[];
  /** Attributes of all paths and polygons, in the order in which they are painted, but for those of clips. */
  readonly paths: readonly Attributes[];
}

/** The picture, which must be well-formed XML without a number that is none. */
async function drawn(record: SweepRecord, choice: PlotChoice, look?: FigureLook): Promise<Drawn> {
  return parsed(await drawPlot(sweepResults(record), choice, look));
}

function parsed(svg: string): Drawn {
  const texts: string[] = [];
  const paths: Attributes[] = [];
  const within: string[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    within.push(name);
    if (/^(path|polygon)$/.test(name) && !within.includes("defs")) paths.push(attributes as Attributes);
  });
  parser.on("closetag", () => within.pop());
  parser.on("text", (text) => {
    if (text.trim() !== "") texts.push(text);
  });
  parser.write(svg).close();
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  return { svg, texts, paths };
}

const isOfSeries = (colour: string | undefined): boolean => colour !== undefined && PALETTE.includes(colour);

/** Lines of curves: of the lines, those that are joined. */
const linesOf = ({ paths }: Drawn): Attributes[] =>
  paths.filter(({ stroke, fill, ...path }) => isOfSeries(stroke) && fill === "none" && path["stroke-linejoin"]);

/**
 * Whiskers with their two caps, and nothing else, are two points in the colour of a series. The legend's lines are put
 * in place.
 */
const whiskersOf = ({ paths }: Drawn): Attributes[] =>
  paths.filter(
    ({ stroke, d, transform, ...path }) =>
      isOfSeries(stroke) && transform === undefined && !path["stroke-linejoin"] && /^M[^ML]*L[^ML]*$/.test(d ?? ""),
  );

/** Opacity of the band of a single curve. */
const BAND = "0.15";

/** Where the legend begins is right of what axes enclose. */
const AXES_END = 1000 + 560;

/** Points of curves are shapes that are put in place, here by x. */
function pointsOf({ paths }: Drawn): (Attributes & { readonly at: string })[] {
  return paths.flatMap((path) => {
    const at = /^(?:matrix\([^,]*,[^,]*,[^,]*,[^,]*,|translate\()([0-9.]+)/.exec(path.transform ?? "")?.[1];
    return at !== undefined && Number(at) < AXES_END && isOfSeries(path.fill) ? [{ ...path, at }] : [];
  });
}

/** Cells are rectangles with a white edge. */
const cellsOf = ({ paths }: Drawn): Attributes[] =>
  paths.filter(({ stroke, fill }) => stroke === "#ffffff" && fill !== "none");

const [locality] = listed(["nodeLocalSmall"], USUAL_WORDS);
const [response] = listed(["responseP95"], USUAL_WORDS);
const grid = sweepPlan([secondsAxis("W1", 0, 1, 5, 10), secondsAxis("W2", 0, 2, 4)]);

/** All is there but W1=1s W2=2s, which failed, and W1=5s W2=4s, which is missing. */
const record = sweepRecord(grid, ({ index }, replication) => {
  if (index === 4) return failedRun("no room");
  return index === 8 ? null : doneRun({ nodeLocalSmall: index / 11, responseP95: 100 + index + replication });
});

/** How many pieces a path has. */
const pieces = (path: Record<string, string> | undefined): number => (path?.d ?? "").split(/M[^M]*L/).length - 1;

describe("curves", () => {
  it("are one for each step of the series, each with its whiskers, its legend, and broken where a point is missing", async () => {
    const picture = await drawn(record, { kind: "curves", x: 0, series: 1, measure: response! });
    const { paths, texts } = picture;
    const [lines, points] = [linesOf(picture), pointsOf(picture)];
    expect(lines.map(pieces)).toEqual([1, 1, 1]);
    expect(lines.map(({ d }) => d!.match(/[ML]/g)?.length)).toEqual([4, 3, 3]);
    expect(new Set(lines.map(({ stroke }) => stroke)).size).toBe(3);
    // Bands of several curves would hide each other.
    expect(paths.some((path) => path["fill-opacity"] === BAND)).toBe(false);
    expect(whiskersOf(picture)).toHaveLength(3 * 10);
    expect(points).toHaveLength(10);
    expect(texts).toEqual(
      expect.arrayContaining(["W1 (s)", "Response time, p95, all jobs (s)", "W2", "0s", "2s", "4s"]),
    );
    expect(texts).toEqual(expect.arrayContaining(["0", "1", "5", "10", "2 runs failed; 2 runs not there yet"]));
  });

  it("have ticks that say the steps to the last digit, also beside wider ones", async () => {
    const uneven = sweepRecord(sweepPlan([secondsAxis("W1", 0, 2.5, 5, 10)]), () => doneRun({ responseP95: 1 }));
    const { texts } = await drawn(uneven, { kind: "curves", x: 0, series: null, measure: response! });
    expect(texts).toEqual(expect.arrayContaining(["0", "2.5", "5", "10"]));
  });

  it("stand where their values are: twice as far is twice as much", async () => {
    const line = sweepRecord(sweepPlan([secondsAxis("W1", 0, 5, 10)]), ({ index }) =>
      doneRun({ responseP95: 100 * index }),
    );
    const picture = await drawn(line, { kind: "curves", x: 0, series: null, measure: response! });
    const [path] = linesOf(picture);
    expect(pointsOf(picture)).toHaveLength(3);
    const [[x0, y0], [x1, y1], [x2, y2]] = path!
      .d!.slice(1)
      .split("L")
      .map((point) => point.split(" ").map(Number)) as number[][];
    // To the tenth of a pixel that the file has.
    expect(Math.abs(x2! - x0! - 2 * (x1! - x0!))).toBeLessThan(0.31);
    expect(Math.abs(y2! - y0! - 2 * (y1! - y0!))).toBeLessThan(0.31);
    expect(x2! - x0!).toBeGreaterThan(400);
    expect(y2).toBeLessThan(y0!);
  });

  it("of a series stand where their numbers are, too, and equal ones are seen: the later is the thinner", async () => {
    const equal = sweepRecord(grid, ({ steps }) => doneRun({ responseP95: 100 * steps[0]! }));
    const picture = await drawn(equal, { kind: "curves", x: 0, series: 1, measure: response! });
    const lines = linesOf(picture);
    expect(lines).toHaveLength(3);
    expect(new Set(lines.map(({ d }) => d)).size).toBe(1);
    expect(lines.every((line) => line.transform === undefined)).toBe(true);
    const widths = lines.map((line) => Number(line["stroke-width"]));
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
    expect(new Set(widths).size).toBe(3);
    const points = pointsOf(picture);
    // Four points of each of three curves, at four places.
    expect(points).toHaveLength(12);
    // A shape in the middle of which is not where it begins is put in place by its corner.
    const places = [...new Set(points.map(({ at }) => Math.round(Number(at) / 10)))];
    expect(places.length).toBe(4);
  });

  it("and their legend are of the steps that are chosen, or have a value", async () => {
    const all = sweepResults(record);
    const chosen = { ...all, points: all.points.filter(({ point }) => point.steps[1] !== 1) };
    const { texts } = parsed(await drawPlot(chosen, { kind: "curves", x: 0, series: 1, measure: response! }));
    expect(texts).toEqual(expect.arrayContaining(["0s", "4s"]));
    expect(texts).not.toContain("2s");
    const failed = sweepRecord(grid, ({ steps }) =>
      steps[1] === 1 ? failedRun("no room") : doneRun({ responseP95: 1 }),
    );
    const { texts: others } = await drawn(failed, { kind: "curves", x: 0, series: 1, measure: response! });
    expect(others).toEqual(expect.arrayContaining(["0s", "4s", "8 runs failed"]));
    expect(others).not.toContain("2s");
  });

  it("of a small figure have no blank band: titles that are too long have several lines", async () => {
    const choice = { kind: "curves", x: 0, series: 1, measure: response! } as const;
    const { svg, texts } = await drawn(record, choice, { width: 300, height: 200 });
    const [, width, height] = /^<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg)!.map(Number);
    // Beside the axes: titles, ticks, the legend.
    expect(width).toBeLessThan(300 + 150);
    expect(height).toBeLessThan(200 + 140);
    expect(texts.slice(2).join(" ")).toContain("Response time, p95, all jobs (s)");
  });

  it("are points with bars where the axis has words", async () => {
    const words = sweepRecord(
      sweepPlan([wordAxis("system", "fair", "hfs"), wordAxis("rules", "a", "b")]),
      (point, replication) => doneRun({ responseP95: point.index + replication }),
    );
    const picture = await drawn(words, { kind: "curves", x: 0, series: 1, measure: response! });
    const { texts } = picture;
    expect(linesOf(picture)).toEqual([]);
    expect(whiskersOf(picture)).toHaveLength(3 * 4);
    // Beside each other: no two at one place.
    expect(new Set(whiskersOf(picture).map(({ d }) => d)).size).toBe(3 * 4);
    expect(pointsOf(picture)).toHaveLength(4);
    expect(texts).toEqual(expect.arrayContaining(["system", "fair", "hfs", "rules"]));
  });

  it("have a band if they are alone, in pieces where they break", async () => {
    const broken = sweepRecord(sweepPlan([secondsAxis("W1", 0, 1, 2, 3, 4)]), ({ index }, replication) =>
      index === 2 ? null : doneRun({ responseP95: 100 + index + replication }),
    );
    const picture = await drawn(broken, { kind: "curves", x: 0, series: null, measure: response! });
    const bands = picture.paths.filter((path) => path["fill-opacity"] === BAND);
    expect(bands.map(({ fill }) => fill)).toEqual([PALETTE[0], PALETTE[0]]);
    // Two points above, and two below.
    expect(bands.map(({ points }) => points!.trim().split(/\s+/).length)).toEqual([2 * 4, 2 * 4]);
    expect(linesOf(picture).map(pieces)).toEqual([2]);
    expect(whiskersOf(picture)).toHaveLength(3 * 4);
  });

  it("stand over a log axis if the steps are those of a log range", async () => {
    const even = sweepRecord(sweepPlan([secondsAxis("W1", 1, 10, 100)]), () => doneRun({ responseP95: 1 }));
    const picture = await drawn(even, { kind: "curves", x: 0, series: null, measure: response! });
    const [x0, x1, x2] = pointsOf(picture).map(({ at }) => Number(at));
    expect(x2! - x1!).toBeCloseTo(x1! - x0!, 2);
    expect(picture.texts).toEqual(expect.arrayContaining(["1", "10", "100"]));
  });

  it("draw neither a band of one run, nor a share beyond 100 %", async () => {
    const once = sweepRecord(sweepPlan([secondsAxis("W1", 0, 5)], { replications: 1 }), () =>
      doneRun({ nodeLocalSmall: 1 }),
    );
    expect((await drawn(once, { kind: "curves", x: 0, series: null, measure: locality! })).texts).toContain(
      "small: one replication",
    );
    const wide = sweepRecord(sweepPlan([secondsAxis("W1", 0, 5)]), (_, replication) =>
      doneRun({ nodeLocalSmall: 0.9 + replication / 10 }),
    );
    const { texts } = await drawn(wide, { kind: "curves", x: 0, series: null, measure: locality! });
    expect(texts.map(Number).filter((tick) => tick > 100)).toEqual([]);
  });

  it("have intervals that end where shares do, if no share can be more", () => {
    const interval = (key: string, mean = 95, half = 100) => ends({ mean, half }, pictured(measureNamed(key)!).bounds);
    expect(interval("nodeLocalSmall")).toEqual([0, 100]);
    expect(interval("belowFairShare of a")).toEqual([0, 100]);
    expect(interval("heldOfFairShare of a")).toEqual([0, 195]);
    expect(interval("maxExtraStorage")).toEqual([0, 195]);
    expect(interval("jain", 0.95, 1)[0]).toBeCloseTo(-0.05);
  });

  it("are a picture also of nothing", async () => {
    const nothing = sweepRecord(grid, () => null);
    const { texts } = await drawn(nothing, { kind: "curves", x: 0, series: 1, measure: response! });
    expect(texts.join("\n")).toContain("24 runs not there yet");
  });
});

describe("heat maps", () => {
  it("have a cell with its number for each point; grey ones for what failed or is missing", async () => {
    const picture = await drawn(record, { kind: "heat-map", x: 0, y: 1, measure: locality! });
    const { texts } = picture;
    const cells = cellsOf(picture);
    expect(cells).toHaveLength(12);
    expect(cells.filter(({ fill }) => fill === "#d0d7de")).toHaveLength(2);
    expect(texts).toEqual(expect.arrayContaining(["0.0", "9.1", "100.0", "×", "…", "100 %", "0 %", "W1", "W2"]));
    // Over cells as few as these it has two lines.
    expect(texts.join(" ")).toContain("2 runs failed; 2 runs not there yet; ×: failed, …: not there yet");
  });

  it("have the colours of the pages, from the lowest value to the highest, and the steps that are chosen", async () => {
    const cells = cellsOf(await drawn(record, { kind: "heat-map", x: 0, y: 1, measure: locality! }));
    const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(",")})`;
    expect(cells.map(({ fill }) => fill)).toEqual(
      expect.arrayContaining([rgb(COLOUR_MAP[0]!), rgb(COLOUR_MAP.at(-1)!)]),
    );
    const all = sweepResults(record);
    const chosen = { ...all, points: all.points.filter(({ point }) => point.steps[0] < 2) };
    const some = parsed(await drawPlot(chosen, { kind: "heat-map", x: 0, y: 1, measure: locality! }));
    expect(some.texts).not.toContain("5s");
    expect(cellsOf(some)).toHaveLength(6);
  });

  it("bear equal values and large maps", async () => {
    const equal = sweepRecord(grid, () => doneRun({ nodeLocalSmall: 0.5 }));
    await drawn(equal, { kind: "heat-map", x: 0, y: 1, measure: locality! });
    const steps = Array.from({ length: 30 }, (_, i) => i);
    const large = sweepRecord(sweepPlan([secondsAxis("W1", ...steps), secondsAxis("W2", ...steps)]), () =>
      doneRun({ nodeLocalSmall: 0.5 }),
    );
    const { texts } = await drawn(large, { kind: "heat-map", x: 0, y: 1, measure: locality! });
    expect(texts).not.toContain("50.0");
  });
});

describe("a picture", () => {
  it("has a title and a description, and is the same byte for byte", async () => {
    const choice = { kind: "curves", x: 0, series: 1, measure: response! } as const;
    const first = await drawn(record, choice);
    expect(first.svg).toMatch(
      /^<svg [^>]*role="img" aria-labelledby="plot-title plot-description"><title id="plot-title">Response/,
    );
    expect(first.texts[1]).toBe(
      "Response time, p95, all jobs (s) over W1, a curve for each W2. 12 points, means from 100.5 to 111.5. small: mean of 2 replications with its 95 % interval; fewer than 10 runs are too few for 95 %.",
    );
    expect((await drawn(record, choice)).svg).toBe(first.svg);
  });

  it("shows names of others as they are, and is never made of them", async () => {
    const evil = [
      '<b>&"x"</b>',
      "\\u0041'+datum+'",
      "a\u001b[2J\nb",
      "\ud800\uffff",
      "x".repeat(300),
      "x".repeat(301),
      "datum.x.y[0]",
      "</svg><script>alert(1)</script>",
    ];
    const hostile = sweepRecord(
      sweepPlan([wordAxis('sys"]; evil.<i>\\u0042', ...evil), wordAxis("\u0007{{z}}", ...evil)], { name: "<x>&" }),
      (point, replication) => doneRun({ responseP95: point.index + replication }),
    );
    for (const choice of [
      { kind: "curves", x: 0, series: 1, measure: response! },
      { kind: "heat-map", x: 0, y: 1, measure: response! },
    ] as const) {
      const { svg, texts } = await drawn(hostile, choice);
      expect(svg).not.toMatch(/<(b|i|script)\b/);
      const all = texts.join("\n");
      for (const text of [
        '<b>&"x"</b>',
        "\\u0041'+datum+'",
        "a\\u001b[2J\\u000ab",
        "datum.x.y[0]",
        'sys"]; evil.<i>\\u0042',
        "\\u0007{{z}}",
        "<x>&",
      ]) {
        expect(all).toContain(text);
      }
    }
  });
});

describe("the scale of an axis", () => {
  it.each([
    [[1, 2, 4, 8], true],
    [[0.5, 5, 50], true],
    [[1, 3.16, 10, 31.6], true],
    [[1, 2, 5, 10, 20], true],
    [[0, 1, 2, 5, 10], false],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], false],
    [[5, 10, 15, 20], false],
    [[1, 10], false],
    [[-1, 1, 10], false],
    [[3, 3, 3], false],
  ])("of %j is that of a log range: %s", (quantities, isLog) => {
    expect(isLogRange(quantities)).toBe(isLog);
  });

  it("is in a unit that people read", () => {
    expect(axisScale(secondsAxis("beat", 0.1, 0.5))).toMatchObject({ unit: "ms", quantities: [100, 500] });
    const bytes = (...quantities: number[]) =>
      axisScale({
        name: "block",
        unit: "bytes",
        steps: quantities.map((quantity) => ({ label: String(quantity), quantity, settings: [] })),
      });
    expect(bytes(1 << 26, 1 << 27)).toMatchObject({ unit: "MiB", quantities: [64, 128] });
    expect(bytes(64e6)).toMatchObject({ unit: "MB", quantities: [64] });
  });

  it("is words where a step is none", () => {
    const { steps } = secondsAxis("wait", 5);
    const mixed = axisScale({
      name: "wait",
      unit: "seconds",
      steps: [...steps, { label: "none", quantity: null, settings: [] }],
    });
    expect(mixed).toMatchObject({ unit: "", quantities: null, labels: ["5s", "none"] });
  });
});
