import type { RegressRun } from "../../experiments/regress/regress-plan.js";

/** One measured process. */
export interface SuiteStep {
  /** Place in the list of runs. */
  readonly run: number;
  /** Place among its seeds. */
  readonly seed: number;
  /** From 0. */
  readonly repeat: number;
}

/**
 * In turns: every run is measured once before any is measured again, so that a slow spell of the machine falls on all of them and
 * not on all measurements of one.
 * @param withSpeed false: nothing is measured twice.
 */
export function suiteSteps(runs: readonly Pick<RegressRun, "seeds" | "speed">[], withSpeed: boolean): SuiteStep[] {
  const repeats = runs.map(({ speed }) => (withSpeed ? (speed?.repeats ?? 1) : 1));
  const steps: SuiteStep[] = [];
  for (let repeat = 0; repeat < Math.max(0, ...repeats); repeat++) {
    for (const [run, { seeds }] of runs.entries()) {
      if (repeat >= repeats[run]) continue;
      for (const seed of seeds.keys()) steps.push({ run, seed, repeat });
    }
  }
  return steps;
}
