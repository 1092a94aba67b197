import { US_PER_SECOND, formatTime } from "../core/kernel/time.js";
import type { SweepPlan } from "../experiments/sweep/sweep-plan.js";
import { entry, type Paint } from "./layout.js";
import { counted, fixed, grouped } from "./numbers.js";

/** What a process has done of a sweep. */
export interface SweepEndFigures {
  readonly plan: SweepPlan;
  readonly folder: string;
  /** Runs: ended in all, of these failed, and ended in this process. */
  readonly ended: number;
  readonly failed: number;
  readonly endedHere: number;
  /** What did them: `2 threads`. */
  readonly where: string;
  /** From the first run to the last, and of all runs of this process added up. */
  readonly wallSeconds: number;
  readonly runSeconds: number;
  /** What is told of runs without jobs that no pool took. */
  readonly refused: readonly string[];
}

/** How a sweep went, and what to type next. */
export function sweepEndReport(figures: SweepEndFigures, paint: Paint): string {
  const { plan, folder, ended, failed, endedHere, refused } = figures;
  const before = ended - endedHere;
  const lines = [
    ...entry("Sweep", `${plan.name}: ${counted(plan.points.length, "point")}, ${counted(ended, "run")}`, paint),
    ...entry(
      "Runs",
      `${grouped(ended - failed)} done, ${grouped(failed)} failed${before > 0 ? `; ${grouped(before)} were there` : ""}`,
      paint,
    ),
    ...refused.flatMap((line, at) => entry(at === 0 ? "Refused" : "", line, paint)),
    ...(endedHere === 0 ? [] : entry("Wall time", costOf(figures), paint)),
    ...entry("Results", folder, paint),
    ...entry("Next", `bide results ${folder}`, paint),
  ];
  return `${lines.join("\n")}\n`;
}

function costOf({ endedHere, where, wallSeconds, runSeconds }: SweepEndFigures): string {
  const rate = `${fixed(endedHere / wallSeconds, 1)} runs/s on ${where}`;
  const atOnce = `${fixed(runSeconds / wallSeconds, 2)} runs at once on average`;
  return `${formatTime(Math.round(wallSeconds * US_PER_SECOND))}, ${rate}, ${atOnce}`;
}
