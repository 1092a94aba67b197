import { sampleOf } from "../measures/samples.js";
import { CONFIDENCE, momentsOf, excludesZero } from "../statistics/estimates.js";
import { compareSamples, type SampleComparison, type SeededSample } from "../statistics/tests.js";
import type { ExactFigure, MemoryRule, RegressRun, SpeedRule } from "./regress-plan.js";
import type { Baseline, Compared, ReplicationFigures, RunFigures, SpeedFigures } from "./regress-report.js";

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
    return [unknown("run", "baseline", null, "the baseline has no such run")];
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
  const seeded = ({ replications }: RunFigures): SeededSample => ({
    seeds: replications.map(({ seed }) => seed),
    values: sampleOf(replications, key).values,
  });
  if (!baseline.replications.every(({ values }) => Object.hasOwn(values, key))) {
    return unknown("statistic", key, null, "the baseline has no such measure");
  }
  // Older baselines know of no grids; one and the same measure lies on the same now.
  const { step } = sampleOf(now.replications, key);
  return compareStatistic(key, tolerance, seeded(baseline), seeded(now), step);
}

function compareSpeed(rule: SpeedRule, baseline: SpeedFigures | null, now: SpeedFigures): Compared {
  const [kind, figureName] = ["speed", "speed"] as const;
  if (baseline === null) return unknown(kind, figureName, now.ratio, "the baseline has no speed");
  if (baseline.calibration !== now.calibration) {
    return unknown(kind, figureName, now.ratio, "the baseline has another calibration loop: nothing can be compared");
  }
  return {
    kind,
    what: figureName,
    baseline: baseline.ratio,
    now: now.ratio,
    ...costJudged(now.ratio / baseline.ratio, rule),
  };
}

/** The verdict on a figure that the baseline does not have. */
function unknown(kind: Compared["kind"], figureName: string, now: Figure, detail: string): Compared {
  return { kind, what: figureName, verdict: "new", baseline: null, now, detail };
}

function compareMemory(rule: MemoryRule | null, baseline: number | null, now: number | null): Compared[] {
  if (now === null) return [];
  const figure = { kind: "memory", what: "peak memory", baseline, now } as const;
  const times = baseline === null ? null : now / baseline;
  if (rule === null) {
    const detail = times === null ? "" : `${times.toFixed(2)} times the baseline`;
    return [{ ...figure, verdict: "told", detail }];
  }
  if (times === null) return [unknown(figure.kind, figure.what, now, "the baseline has no memory")];
  return [{ ...figure, ...costJudged(times, rule) }];
}

/**
 * As many times the cost of the baseline, against a tolerance T: more than T is worse, less than 1/T means that the
 * baseline is stale. From where it is now a cost may grow by T / times before it fails, so by less than T squared while
 * the baseline is not stale.
 */
function costJudged(
  times: number,
  { tolerance }: SpeedRule | MemoryRule,
): Pick<Compared, "verdict" | "detail" | "room"> {
  const cost = `${times.toFixed(2)} times the cost`;
  const room = tolerance / times;
  if (times > tolerance) return { verdict: "worse", detail: `${cost}, allowed ${tolerance}`, room };
  if (times >= 1 / tolerance) return { verdict: "within", detail: `${cost}, allowed ${tolerance}`, room };
  const hidden = `${room.toFixed(2)} times as much as now would pass; --update stores what it costs now`;
  return { verdict: "stale", detail: `${cost}, less than 1/${tolerance}: ${hidden}`, room };
}

type Figure = string | number | null;

/**
 * Replications of the same seeds, in the same order, to the last digit. Equal counts are one comparison, each other
 * count is one.
 */
function compareExact(
  figures: readonly ExactFigure[],
  baseline: readonly ReplicationFigures[],
  now: readonly ReplicationFigures[],
): Compared[] {
  return figures.flatMap((figure) => {
    if (figure === "counts") return compareCounts(baseline, now);
    return [compareOne(figure, baseline, now, (replication) => replication[figure])];
  });
}

/** Compares one figure of each replication; the first that differs is shown. */
function compareOne(
  name: string,
  baseline: readonly ReplicationFigures[],
  now: readonly ReplicationFigures[],
  figureOf: (replication: ReplicationFigures) => Figure,
): Compared {
  const differing = now.flatMap((replication, i) => (figureOf(replication) === figureOf(baseline[i]) ? [] : [i]));
  const seedIndex = differing[0] ?? 0;
  const values = { baseline: figureOf(baseline[seedIndex]), now: figureOf(now[seedIndex]) };
  const isSame = differing.length === 0;
  const seed = isSame || now.length === 1 ? "" : ` (shown: seed ${now[seedIndex].seed})`;
  const detail = `${ofSeeds(isSame ? now.length : differing.length, now.length)}${seed}`;
  return { kind: "exact", what: name, verdict: isSame ? "same" : "changed", ...values, detail };
}

function compareCounts(baseline: readonly ReplicationFigures[], now: readonly ReplicationFigures[]): Compared[] {
  const keys = new Set([...baseline, ...now].flatMap(({ counts }) => Object.keys(counts)));
  const comparisons = [...keys].map((key) =>
    compareOne(`counts.${key}`, baseline, now, ({ counts }) => counts[key] ?? null),
  );
  const changed = comparisons.filter(({ verdict }) => verdict === "changed");
  if (changed.length > 0) return changed;
  const allKeys = `all ${keys.size}`;
  const detail = ofSeeds(now.length, now.length);
  return [{ kind: "exact", what: "counts", verdict: "same", baseline: allKeys, now: allKeys, detail }];
}

/** Nothing to say where there is one seed. */
function ofSeeds(count: number, total: number): string {
  if (total === 1) return "";
  return count === total ? `all ${total} seeds` : `${count} of ${total} seeds`;
}

/**
 * The mean of a measure beside that of the baseline. It has changed when the 95 % interval of the difference excludes 0
 * (seed by seed where the seeds are the same, else by Welch's test) and the difference is more than `tolerance` of the
 * baseline's mean, and more than a step of the grid on which values of single runs lie; or when another number of seeds
 * has a value at all.
 */
function compareStatistic(
  name: string,
  tolerance: number,
  baseline: SeededSample,
  now: SeededSample,
  step = 0,
): Compared {
  const [before, after] = [momentsOf(baseline.values), momentsOf(now.values)];
  const means = { kind: "statistic", what: name, baseline: before.mean, now: after.mean } as const;
  if (isSame(baseline, now)) return { ...means, verdict: "same", detail: "" };
  const [missingBefore, missingNow] = [baseline.values.length - before.n, now.values.length - after.n];
  if (missingBefore !== missingNow && (missingBefore === baseline.values.length || missingNow === now.values.length)) {
    return { ...means, verdict: "changed", detail: "only one side has values" };
  }
  const comparison = compareSamples(baseline, now, step);
  const change = Math.abs(comparison.difference ?? 0);
  const isLarge = change > tolerance * Math.abs(before.mean ?? 0);
  const detail = `${differenceWords(comparison)}, ${share(change, before.mean)}, allowed ${percent(tolerance)}`;
  const isWithinStep = change <= step;
  if (isLarge && !isWithinStep && excludesZero({ mean: comparison.difference, halfWidth: comparison.halfWidth }))
    return { ...means, verdict: "changed", detail };
  const why = !isLarge ? "small enough" : isWithinStep ? `within ${short(step)}, a step of the grid` : "may be chance";
  return { ...means, verdict: "within", detail: `${detail}: ${why}` };
}

function isSame(baseline: SeededSample, now: SeededSample): boolean {
  const equal = <T>(a: readonly T[], b: readonly T[]): boolean =>
    a.length === b.length && a.every((value, i) => value === b[i]);
  return equal(baseline.seeds, now.seeds) && equal(baseline.values, now.values);
}

function differenceWords({ method, difference, halfWidth }: SampleComparison): string {
  const sign = (difference ?? 0) > 0 ? "+" : "";
  const how = method === "paired" ? "seed by seed" : "other seeds, by Welch's test";
  return `difference ${sign}${short(difference)} ± ${short(halfWidth)} (${CONFIDENCE * 100} %, ${how})`;
}

function share(change: number, before: number | null): string {
  return before === null || before === 0 ? "from 0" : `${percent(change / Math.abs(before))} of the baseline`;
}

function percent(part: number): string {
  return `${short(part * 100)} %`;
}

function short(value: number | null): string {
  return value === null ? "?" : String(Number(value.toPrecision(3)));
}

interface UpdatedBaseline {
  readonly baseline: Baseline;
  /** Names of runs that the former one had and the plan has not. */
  readonly dropped: readonly string[];
}

/**
 * A baseline of the runs of a plan, in their order: measured ones as they are now, the others as they were. A run whose
 * speed was not measured keeps that of before, with the machine it is of, if it has the same seeds.
 * @param names of all runs of the plan.
 */
export function updatedBaseline(
  former: Baseline,
  names: readonly string[],
  measured: readonly RunFigures[],
): UpdatedBaseline {
  const before = new Map(former.runs.map((run) => [run.name, run]));
  const now = new Map(measured.map((run) => [run.name, run]));
  const runs = names.flatMap((name) => {
    const [old, fresh] = [before.get(name), now.get(name)];
    const run = fresh === undefined ? old : withSpeedOf(old, fresh);
    return run === undefined ? [] : [run];
  });
  return { baseline: { runs }, dropped: [...before.keys()].filter((name) => !names.includes(name)) };
}

function withSpeedOf(old: RunFigures | undefined, fresh: RunFigures): RunFigures {
  const wasMeasured = fresh.speed !== null || fresh.peakMemoryMiB !== null;
  if (old === undefined || wasMeasured || seedsOf(old) !== seedsOf(fresh)) return fresh;
  const { speed, peakMemoryMiB, machine } = old;
  return { ...fresh, speed, peakMemoryMiB, machine };
}

function seedsOf({ replications }: RunFigures): string {
  return replications.map(({ seed }) => seed).join(" ");
}
