import { formatTime } from "../core/kernel/time.js";
import type { RegressRun } from "../experiments/regress/regress-plan.js";
import type { Baseline } from "../experiments/regress/regress-report.js";
import type { SuiteStep } from "../lab/regress/measure-suite.js";
import { tell } from "./terminal.js";

/**
 * A line on stderr before each measurement, with the time left: by the pace so far, and by what each run cost when the baseline
 * was written, if it knows all of them.
 */
export function suiteProgress(
  runs: readonly RegressRun[],
  baseline: Baseline,
): (steps: readonly SuiteStep[], at: number) => void {
  const startMs = performance.now();
  const costs = runs.map(({ name }) => costOf(baseline, name));
  const known = costs.every((cost) => cost !== null) ? costs : runs.map(() => 1);
  return (steps, at) => {
    const { run, seed, repeat } = steps[at];
    const sum = (some: readonly SuiteStep[]): number => some.reduce((all, step) => all + known[step.run], 0);
    const leftMs = ((performance.now() - startMs) * sum(steps.slice(at))) / sum(steps.slice(0, at));
    const eta = at === 0 ? "" : `, ETA ${formatTime(Math.max(1, Math.ceil(leftMs / 1000)) * 1_000_000)}`;
    const { name, seeds } = runs[run];
    const ofSeed = seeds.length > 1 ? `, seed ${seeds[seed]}` : "";
    const again = repeat > 0 ? `, measurement ${String(repeat + 1)}` : "";
    tell(`${String(at + 1)} of ${String(steps.length)}: ${name}${ofSeed}${again}${eta}\n`);
  };
}

/** CPU time of one replication and the calibration beside it; null: nobody knows. */
function costOf({ runs }: Baseline, name: string): number | null {
  const stored = runs.find((run) => run.name === name);
  if (stored === undefined || stored.speed === null) return null;
  return stored.speed.cpuSeconds / stored.replications.length + stored.speed.calibrationSeconds;
}
