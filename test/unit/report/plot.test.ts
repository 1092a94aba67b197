import { SaxesParser } from "saxes";
import { expect, it } from "vitest";
import { type SweepRecord, sweepResults, measureNamed, USUAL_WORDS } from "../../../dist/experiments/index.js";
import {
  type FigureLook,
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

/** Lines of curves: of the lines, those that are joined. */
const linesOf = ({ paths }: Drawn): Attributes[] =>
  paths.filter(({ fill, ...path }) => fill === "none" && path["stroke-linejoin"] === "bevel");

const [locality] = listed(["nodeLocalSmall"], USUAL_WORDS);
const [response] = listed(["responseP95"], USUAL_WORDS);
const grid = sweepPlan([secondsAxis("W1", 0, 1, 5, 10), secondsAxis("W2", 0, 2, 4)]);

/** All is there but W1=1s W2=2s, which failed, and W1=5s W2=4s, which is missing. */
const record = sweepRecord(grid, ({ index }, replication) => {
  if (index === 4) return failedRun("no room");
  return index === 8 ? null : doneRun({ nodeLocalSmall: index / 11, responseP95: 100 + index + replication });
});

/** What can be seen of a picture, without its pixels: its texts, and how many shapes of a look it has. */
function digest({ texts, paths }: Drawn): object {
  const shapes: Record<string, number> = {};
  for (const { fill = "-", stroke = "-", ...path } of paths) {
    const look = `fill ${fill} ${path["fill-opacity"] ?? ""}, stroke ${stroke}`;
    shapes[look] = (shapes[look] ?? 0) + 1;
  }
  return { texts, shapes };
}

const CURVES = { kind: "curves", x: 0, series: 1, measure: response! } as const;
const ALONE = { ...CURVES, series: null } as const;
const HEAT = { kind: "heat-map", x: 0, y: 1, measure: locality! } as const;
const over = (...steps: number[]) => sweepPlan([secondsAxis("W1", ...steps)]);
const many = Array.from({ length: 30 }, (_, i) => i);

it.each<[what: string, record: SweepRecord, choice: PlotChoice, look?: FigureLook]>([
  ["a curve for each step of the series, broken where a point is missing", record, CURVES],
  ["ticks to the last digit", sweepRecord(over(0, 2.5, 5, 10), () => doneRun({ responseP95: 1 })), ALONE],
  [
    "equal curves, which are all seen",
    sweepRecord(grid, ({ steps }) => doneRun({ responseP95: 100 * steps[0]! })),
    CURVES,
  ],
  [
    "a legend without steps that have no value",
    sweepRecord(grid, ({ steps }) => (steps[1] === 1 ? failedRun("no room") : doneRun({ responseP95: 1 }))),
    CURVES,
  ],
  ["a small figure", record, CURVES, { width: 300, height: 200 }],
  [
    "points with bars where the axis has words",
    sweepRecord(sweepPlan([wordAxis("system", "fair", "hfs"), wordAxis("rules", "a", "b")]), (point, replication) =>
      doneRun({ responseP95: point.index + replication }),
    ),
    CURVES,
  ],
  [
    "a curve alone with its band, in pieces",
    sweepRecord(over(0, 1, 2, 3, 4), ({ index }, replication) =>
      index === 2 ? null : doneRun({ responseP95: 100 + index + replication }),
    ),
    ALONE,
  ],
  ["a log axis", sweepRecord(over(1, 10, 100), () => doneRun({ responseP95: 1 })), ALONE],
  [
    "one replication",
    sweepRecord(sweepPlan([secondsAxis("W1", 0, 5)], { replications: 1 }), () => doneRun({ nodeLocalSmall: 1 })),
    { ...ALONE, measure: locality! },
  ],
  ["nothing", sweepRecord(grid, () => null), CURVES],
  ["a heat map, grey where runs failed or are missing", record, HEAT],
  ["a heat map of equal values", sweepRecord(grid, () => doneRun({ nodeLocalSmall: 0.5 })), HEAT],
  [
    "a large heat map",
    sweepRecord(sweepPlan([secondsAxis("W1", ...many), secondsAxis("W2", ...many)]), () =>
      doneRun({ nodeLocalSmall: 0.5 }),
    ),
    HEAT,
  ],
])("A picture of %s", async (_, drawnOf, choice, look) => {
  const picture = await drawn(drawnOf, choice, look);
  expect(digest(picture)).toMatchSnapshot();
  // The same byte for byte.
  expect((await drawn(drawnOf, choice, look)).svg).toBe(picture.svg);
});

it("A picture is of the steps that are chosen", async () => {
  const all = sweepResults(record);
  const chosen = { ...all, points: all.points.filter(({ point }) => point.steps[1] !== 1) };
  for (const choice of [CURVES, HEAT]) expect(digest(parsed(await drawPlot(chosen, choice)))).toMatchSnapshot();
});

it("Values of a curve stand where they are: twice as far is twice as much", async () => {
  const line = sweepRecord(over(0, 5, 10), ({ index }) => doneRun({ responseP95: 100 * index }));
  const [path] = linesOf(await drawn(line, ALONE));
  const [[x0, y0], [x1, y1], [x2, y2]] = path!
    .d!.slice(1)
    .split("L")
    .map((point) => point.split(" ").map(Number)) as number[][];
  // To the tenth of a pixel that the file has.
  expect(Math.abs(x2! - x0! - 2 * (x1! - x0!))).toBeLessThan(0.31);
  expect(Math.abs(y2! - y0! - 2 * (y1! - y0!))).toBeLessThan(0.31);
  expect(y2).toBeLessThan(y0!);
});

it("Intervals end where shares do, if no share can be more", () => {
  const interval = (key: string, mean = 95, half = 100) => ends({ mean, half }, pictured(measureNamed(key)!).bounds);
  expect(interval("nodeLocalSmall")).toEqual([0, 100]);
  expect(interval("heldOfFairShare of a")).toEqual([0, 195]);
  expect(interval("jain", 0.95, 1)[0]).toBeCloseTo(-0.05);
});

it.each([
  [[1, 2, 4, 8], true],
  [[1, 3.16, 10, 31.6], true],
  [[1, 2, 5, 10, 20], true],
  [[0, 1, 2, 5, 10], false],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], false],
  [[1, 10], false],
  [[-1, 1, 10], false],
  [[3, 3, 3], false],
])("The scale of an axis of %j is that of a log range: %s", (quantities, isLog) => {
  expect(isLogRange(quantities)).toBe(isLog);
});
