import { compareExact } from "./compare-exact.js";
import { compareStatistic } from "./compare-statistic.js";
import type { MemoryRule, RegressRun, SpeedRule } from "./regress-plan.js";
import type { Compared } from "./regress-report.js";
import type { RunFigures, SpeedFigures } from "./run-figures.js";
import type { SeededSample } from "../statistics/sample-comparison.js";

/** What is compared of a run by its plan: the same whether it passes, fails or cannot be compared. See `ComparedRun.cases`. */
export function casesOf({ exact, statistics, speed, memory }: RegressRun, withSpeed: boolean): string[] {
  const costs = withSpeed ? [...(speed === null ? [] : ["speed"]), ...(memory === null ? [] : ["peak memory"])] : [];
  return ["run", ...exact, ...statistics.measures, ...costs];
}

/**
 * Everything that a plan says of a run, beside its baseline.
 * @param baseline null: there is none; that does not pass.
 * @param withSpeed false: speed and memory are not compared.
 */
export function compareRun(
  run: RegressRun,
  baseline: RunFigures | null,
  now: RunFigures,
  withSpeed: boolean,
): Compared[] {
  if (baseline === null) {
    return [
      {
        kind: "run",
        what: "baseline",
        verdict: "new",
        baseline: null,
        now: null,
        detail: "the baseline has no such run",
      },
    ];
  }
  const { seeds, statistics } = run;
  const seedsBefore = baseline.replications.map(({ seed }) => seed);
  const haveSameSeeds = seeds.length === seedsBefore.length && seeds.every((seed, i) => seed === seedsBefore[i]);
  const compared: Compared[] = [];
  if (haveSameSeeds) compared.push(...compareExact(run.exact, baseline.replications, now.replications));
  else if (run.exact.length > 0 || (withSpeed && run.speed !== null)) compared.push(otherSeeds(seedsBefore, seeds));
  compared.push(...statistics.measures.map((key) => statistic(key, statistics.tolerance, baseline, now)));
  if (!withSpeed) return compared;
  if (haveSameSeeds && run.speed !== null && now.speed !== null) {
    compared.push(compareSpeed(run.speed, baseline.speed, now.speed));
  }
  return [...compared, ...compareMemory(run.memory, baseline.peakMemoryMiB, now.peakMemoryMiB)];
}

function otherSeeds(baseline: readonly string[], now: readonly string[]): Compared {
  const detail = "the baseline has other seeds: neither exact figures nor speed can be compared";
  return { kind: "run", what: "seeds", verdict: "changed", baseline: baseline.join(" "), now: now.join(" "), detail };
}

function statistic(key: string, tolerance: number, baseline: RunFigures, now: RunFigures): Compared {
  const sampleOf = ({ replications }: RunFigures): SeededSample => ({
    seeds: replications.map(({ seed }) => seed),
    values: replications.map(({ values }) => values[key] ?? null),
  });
  if (!baseline.replications.every(({ values }) => Object.hasOwn(values, key))) {
    const detail = "the baseline has no such measure";
    return { kind: "statistic", what: key, verdict: "new", baseline: null, now: null, detail };
  }
  // Older baselines know of no grids; one and the same measure lies on the same now.
  const step = now.replications.reduce((most, { steps }) => Math.max(most, steps?.[key] ?? 0), 0);
  return compareStatistic(key, tolerance, sampleOf(baseline), sampleOf(now), step);
}

function compareSpeed(rule: SpeedRule, baseline: SpeedFigures | null, now: SpeedFigures): Compared {
  const kind = "speed";
  const what = "speed";
  if (baseline === null) {
    return { kind, what, verdict: "new", baseline: null, now: now.ratio, detail: "the baseline has no speed" };
  }
  if (baseline.calibration !== now.calibration) {
    const detail = "the baseline has another calibration loop: nothing can be compared";
    return { kind, what, verdict: "new", baseline: null, now: now.ratio, detail };
  }
  const times = now.ratio / baseline.ratio;
  const detail = `${times.toFixed(2)} times the cost, allowed ${String(rule.tolerance)}`;
  const verdict = times > rule.tolerance ? "worse" : times < 1 / rule.tolerance ? "better" : "within";
  return { kind, what, verdict, baseline: baseline.ratio, now: now.ratio, detail };
}

function compareMemory(rule: MemoryRule | null, baseline: number | null, now: number | null): Compared[] {
  if (now === null) return [];
  const figure = { kind: "memory", what: "peak memory", baseline, now } as const;
  if (baseline === null) {
    if (rule === null) return [{ ...figure, verdict: "told", detail: "" }];
    return [{ ...figure, verdict: "new", detail: "the baseline has no memory" }];
  }
  const times = now / baseline;
  if (rule === null) return [{ ...figure, verdict: "told", detail: `${times.toFixed(2)} times the baseline` }];
  const detail = `${times.toFixed(2)} times the baseline, allowed ${String(rule.tolerance)}`;
  const verdict = times > rule.tolerance ? "worse" : times < 1 / rule.tolerance ? "better" : "within";
  return [{ ...figure, verdict, detail }];
}
