import { labelsOf } from "../core/kernel/index.js";
import { capital, heldUnit, localTask } from "../core/record/index.js";
import type { RunPicture } from "../io/index.js";
import { number, plotText, plotTexts } from "./axes.js";
import { distributionChart, heldLines, overTimeChart } from "./charts.js";
import { drawFigure, type FigureLook } from "./figure.js";

/** The plots of a run. */
export const RUN_PLOTS = ["cdf", "cdf,size", "cdf,pool", "timeline"] as const;

export type RunPlot = (typeof RUN_PLOTS)[number];

const SIZE = { width: 560, height: 340, row: 70 };

/** A run as an SVG document. Equal results give equal bytes. */
export async function drawRun(picture: RunPicture, plot: RunPlot, look: FigureLook = {}): Promise<string> {
  return plot === "timeline" ? drawTimeline(picture, look) : drawDistribution(picture, plot, look);
}

/** Draws the distribution of all jobs, or one for each size or pool. */
async function drawDistribution(
  { responses, summary }: RunPicture,
  plot: Exclude<RunPlot, "timeline">,
  look: FigureLook,
): Promise<string> {
  const { all: ofAllJobs, size, group } = responses;
  const { words } = summary;
  const by = plot === "cdf" ? null : plot === "cdf,size" ? `${localTask(words).many} per job` : words.group.one;
  const curves = by === null ? [ofAllJobs] : plot === "cdf,size" ? size : group;
  const labels = plotTexts(labelsOf(curves));
  const chart = distributionChart(curves.map((curve, place) => ({ ...curve, label: labels[place] })));
  const { width = SIZE.width, height = SIZE.height } = look;
  const title = "Response times";
  const subtitle = subtitleOf({ summary });
  return drawFigure([{ chart, width, height }], {
    title: look.title ?? title,
    subtitles: [subtitle],
    description: `${title} of ${subtitle}.`,
    ...(by === null ? {} : { legend: `${by} (jobs)` }),
  });
}

/** A row per group: what it held of the first resource as an area, its fair share as a line. */
async function drawTimeline({ timeline, summary }: RunPicture, look: FigureLook): Promise<string> {
  const { at: times, groups } = timeline;
  const { words } = summary;
  const labels = plotTexts(labelsOf(groups));
  const { width = SIZE.width } = look;
  const height = look.height === undefined ? SIZE.row : look.height / Math.max(1, labels.length);
  const panels = groups.map(({ resources: [shares] }, place) => {
    const chart = overTimeChart(times, heldLines(shares), heldUnit(words).many, number);
    const yAxis = { ...(chart.option["yAxis"] as object), splitNumber: 3 };
    const isJoined = place < groups.length - 1;
    const option = { ...chart.option, yAxis };
    return { chart: { ...chart, option }, width, height, label: labels[place], isJoined };
  });
  const title = `${capital(words.resources[0].many)} held by ${words.group.one}`;
  const subtitle = subtitleOf({ summary });
  return drawFigure(panels, {
    title: look.title ?? title,
    subtitles: [subtitle],
    description: `${title} of ${subtitle}.`,
    legend: heldUnit(words).many,
  });
}

function subtitleOf({ summary }: Pick<RunPicture, "summary">): string {
  return plotText(`${summary.scenario}, ${summary.scheduler}, seed ${summary.seed}`);
}
