import { capital, heldUnit, localTask } from "../core/record/index.js";
import type { Curve, RunPicture } from "../io/index.js";
import { PALETTE, seriesColours } from "./colours.js";
import {
  axisTitle,
  drawSpec,
  type FigureLook,
  framed,
  legendColumns,
  plotText,
  plotTexts,
  type Spec,
} from "./figure.js";

/** What is drawn of a run. */
export const RUN_PLOTS = ["cdf", "cdf,size", "cdf,pool", "timeline"] as const;

export type RunPlot = (typeof RUN_PLOTS)[number];

/** A run as an SVG document. Equal results give equal bytes. */
export async function drawRun(picture: RunPicture, plot: RunPlot, look: FigureLook = {}): Promise<string> {
  const spec = plot === "timeline" ? timelineSpec(picture, look) : cdfSpec(picture, plot, look);
  const what = plot === "timeline" ? timelineTitle(picture) : CDF;
  return drawSpec(spec, look.title ?? what, `${what} of ${subtitleOf(picture)}.`);
}

const CDF = "Response times";

function timelineTitle({ summary: { words } }: Pick<RunPicture, "summary">): string {
  return `${capital(words.resources[0].many)} held by ${words.group.one}`;
}

const SIZE = { width: 560, height: 340, row: 70 };

const SECONDS = "response time (s)";

const ENDED = "jobs that have ended (%)";

/** Share of jobs that have ended within a time, of all jobs or of each size or pool, over a log axis as papers have it. */
export function cdfSpec(picture: RunPicture, plot: Exclude<RunPlot, "timeline">, look: FigureLook): Spec {
  const { all, size, group } = picture.responses;
  const { words } = picture.summary;
  const by = plot === "cdf" ? null : plot === "cdf,size" ? `${localTask(words).many} per job` : words.group.one;
  const curves = (by === null ? [all] : plot === "cdf,size" ? size : group).filter(({ jobs }) => jobs > 0);
  const labels = plotTexts(curves.map(({ label, jobs }) => `${label} (${String(jobs)})`));
  const values = curves.flatMap((curve, place) => stepsOf(curve).map((step) => ({ ...step, curve: labels[place] })));
  const { width = SIZE.width, height = SIZE.height } = look;
  const scale = { domain: labels, range: seriesColours(labels.length) };
  const legend = { ...LINES, columns: legendColumns(labels.length, height) };
  return framed(look.title ?? CDF, [subtitleOf(picture)], width, {
    ...{ width, height, data: { values } },
    mark: { type: "line", strokeWidth: 2, color: PALETTE[0], interpolate: "step-after" },
    encoding: {
      x: {
        field: "seconds",
        type: "quantitative",
        title: axisTitle(SECONDS, width),
        scale: { type: "log", nice: false },
        axis: { format: "~s" },
      },
      y: { field: "share", type: "quantitative", title: axisTitle(ENDED, height), scale: { domain: [0, 100] } },
      order: { field: "share", type: "quantitative" },
      ...(by === null ? {} : { color: { field: "curve", type: "nominal", title: `${by} (jobs)`, scale, legend } }),
    },
  });
}

/** Lines in the legend, as they are in the figure. */
const LINES = { symbolType: "stroke", symbolStrokeWidth: 3 };

/** A log axis has no 0: what took less than a millisecond is drawn there. */
const LEAST_SECONDS = 0.001;

function stepsOf({ values }: Curve): { seconds: number; share: number }[] {
  const all = values.length === 1 ? [values[0], values[0]] : values;
  return all.map((seconds, i) => ({ seconds: Math.max(LEAST_SECONDS, seconds), share: (100 * i) / (all.length - 1) }));
}

/** Where the names of pools end, left of the numbers. */
const NAME_X = -44;

/** A row per group: what it held of the first resource as an area, its fair share as a line. */
export function timelineSpec({ timeline, summary }: RunPicture, look: FigureLook): Spec {
  const labels = plotTexts(timeline.groups.map(({ label }) => label));
  const height = look.height === undefined ? SIZE.row : look.height / Math.max(1, labels.length);
  const rows = timeline.groups.map(({ resources: [shares] }, place) => {
    const values = timeline.at.map((at, i) => ({ at: at / 60, held: shares.held[i], fair: shares.fairShare[i] }));
    const isLast = place === labels.length - 1;
    const axis = { title: isLast ? "virtual time (min)" : null, labels: isLast };
    const x = { field: "at", type: "quantitative", axis, scale: { nice: false } };
    const y = {
      type: "quantitative",
      title: labels[place],
      axis: { tickCount: 3, titleAngle: 0, titleAlign: "right", titleX: NAME_X },
    };
    return {
      ...{
        width: look.width ?? SIZE.width,
        height,
        data: { values },
        encoding: { x },
      },
      layer: [
        {
          mark: { type: "area", color: PALETTE[4], interpolate: "step-after" },
          encoding: { y: { ...y, field: "held" } },
        },
        {
          mark: { type: "line", color: PALETTE[1], strokeWidth: 1.5, interpolate: "step-after" },
          encoding: { y: { ...y, field: "fair" } },
        },
      ],
    };
  });
  const said = [subtitleOf({ summary }), `area: ${heldUnit(summary.words)}s held; line: fair share`];
  return framed(look.title ?? timelineTitle({ summary }), said, look.width ?? SIZE.width, {
    vconcat: rows,
    spacing: 8,
  });
}

function subtitleOf({ summary }: Pick<RunPicture, "summary">): string {
  return plotText(`${summary.scenario}, ${summary.scheduler}, seed ${summary.seed}`);
}
