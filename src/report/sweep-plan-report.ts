import { US_PER_SECOND, formatTime } from "../core/kernel/time.js";
import type { SweepEstimate, TriedRun } from "../experiments/sweep/sweep-estimate.js";
import type { SweepAxis, SweepPlan, SweepPoint } from "../experiments/sweep/sweep-plan.js";
import { entry, type Paint } from "./layout.js";
import { counted, grouped, significant } from "./numbers.js";
import { textTable } from "./text-table.js";

/** Points of a longer plan are shown from its beginning and its end, so many each. */
const SHOWN = 15;

/** What a sweep would run, and how long that would take: `bide sweep FILE --dry-run`. */
export function sweepPlanReport(plan: SweepPlan, estimate: SweepEstimate, paint: Paint): string {
  const { name, why, axes, points } = plan;
  const lines = [
    ...entry("Sweep", name, paint),
    ...(why === "" ? [] : entry("Question", why.trim().replace(/\s+/g, " "), paint)),
    ...axes.flatMap((axis, i) => entry(i === 0 ? "Axes" : "", axisWords(axis), paint)),
    ...entry("Runs", runWords(plan), paint),
    ...entry("Keeps", keptWords(plan), paint),
    ...entry("Time", timeWords(estimate), paint),
    ...entry("", triedWords(plan, estimate), paint),
    ...failureLines(plan, estimate, paint),
    "",
    ...pointTable(axes, points).map((line, i) => (i === 0 ? paint.bold(line) : line)),
  ];
  return `${lines.join("\n")}\n`;
}

/** `W1: 20 values, 0s to 30s` */
function axisWords({ name, steps }: SweepAxis): string {
  const labels = steps.map(({ label }) => label);
  if (labels.length <= 4) return `${name}: ${labels.join(", ")}`;
  return `${name}: ${grouped(labels.length)} values, ${labels[0]} to ${labels[labels.length - 1]}`;
}

function runWords({ points, axes, replications, until, seeds }: SweepPlan): string {
  const all = axes.reduce((product, { steps }) => product * steps.length, 1);
  const of = all === points.length ? "" : ` of ${grouped(all)} combinations`;
  const first = `${counted(points.length, "point")}${of}, ${counted(replications, "run")} each: ${grouped(points.length * replications)}`;
  const last = seeds[seeds.length - 1];
  const seeded = seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${last}`;
  if (until === null) return `${first}; ${seeded}`;
  const { measure, relativeHalfWidth, most } = until;
  const width = significant(relativeHalfWidth * 100);
  return `${first}, and up to ${grouped(most)} each until ${measure} is known within ${width} %; ${seeded}`;
}

function keptWords({ measures, warmUp, series }: SweepPlan): string {
  const kept = measures.length <= 6 ? measures.join(", ") : counted(measures.length, "measure");
  const cut =
    warmUp.kind === "cut" ? `jobs from ${formatTime(warmUp.untilUs)} on` : "jobs after a warm-up that is found";
  return `${kept}${warmUp.kind === "none" ? "" : ` of ${cut}`}${series ? ", and samples" : ""}`;
}

function timeWords({ wallSeconds, isLowerBound, threads }: SweepEstimate): string {
  const where = `on ${counted(threads, "thread")} of this machine`;
  if (wallSeconds === null) return `unknown ${where}: no run could be tried`;
  const { mean, least, most } = wallSeconds;
  if (isLowerBound) return `more than ${inTime(least)} ${where}`;
  return `about ${inTime(mean)} ${where}; ${inTime(least)} at the speed of the quickest run tried, ${inTime(most)} at that of the slowest`;
}

function triedWords({ points, seeds }: SweepPlan, { tried, atOnce }: SweepEstimate): string {
  const words = tried.map((run) => `${points[run.point].label} ${secondsWords(run)}`);
  return `tried ${grouped(atOnce)} at a time with seed ${seeds[0]}: ${words.join("; ")}`;
}

function secondsWords({ seconds, isCutOff, error }: TriedRun): string {
  if (error !== null) return "failed";
  return isCutOff ? `cut off after ${significant(seconds)} s` : `${significant(seconds)} s`;
}

function failureLines({ points }: SweepPlan, { tried }: SweepEstimate, paint: Paint): string[] {
  return tried.flatMap(({ point, error }) =>
    error === null ? [] : entry("Fails", `${points[point].label}: ${error.split("\n")[0]}`, paint),
  );
}

function inTime(seconds: number): string {
  return formatTime(Math.ceil(seconds) * US_PER_SECOND);
}

function pointTable(axes: readonly SweepAxis[], points: readonly SweepPoint[]): string[] {
  const row = ({ index, steps }: SweepPoint): string[] => [
    grouped(index),
    ...axes.map((axis, i) => axis.steps[steps[i]].label),
  ];
  const head = ["Point", ...axes.map(({ name }) => name)];
  const isLong = points.length > 2 * SHOWN + 1;
  if (!isLong) return textTable([head, ...points.map(row)]);
  const left = points.length - 2 * SHOWN;
  const gap = [`(${grouped(left)} more)`, ...axes.map(() => "")];
  return textTable([head, ...points.slice(0, SHOWN).map(row), gap, ...points.slice(-SHOWN).map(row)]);
}
