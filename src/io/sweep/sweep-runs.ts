import type { SweepPlan } from "../../experiments/sweep/sweep-plan.js";
import { OWN_MEASURES } from "../../experiments/measures/all-measures.js";
import { ENOUGH_RUNS } from "../../experiments/statistics/estimates.js";
import { seedSeries } from "../../core/scenario/seeds.js";
import type { Problem } from "../scenario/diagnose.js";
import { quote, show } from "../scenario/show.js";
import { unknownName, wrong } from "./sweep-problems.js";
import type { SweepFile } from "./sweep-schema.js";

/** What is about every point alike. */
export type Runs = Pick<SweepPlan, "replications" | "until" | "measures" | "warmUp" | "series"> & {
  /** Replications of a point at most. */
  readonly most: number;
  /** The first `most` of those that the file names; undefined: a series from `seed`. */
  readonly seeds: readonly string[] | undefined;
};

/** Keys of all measures that a sweep can keep. What is about the machine would differ from run to run. */
export const SWEEP_MEASURES: readonly string[] = OWN_MEASURES.filter(({ group }) => group !== "cost").map(
  ({ key }) => key,
);

/** How often a point is run and what is kept, and what is wrong with it. @param replications in place of the file's. */
export function readRuns(file: SweepFile, replications: number | undefined): { runs: Runs; problems: Problem[] } {
  const problems: Problem[] = [];
  const until = file.until ?? null;
  const wanted = replications ?? file.replications ?? file.seeds?.length;
  const first = wanted ?? Math.min(ENOUGH_RUNS, until?.most ?? Infinity);
  const most = until === null ? first : until.most;
  problems.push(...seedProblems(file, most));
  problems.push(...measureProblems(file));
  if (until !== null && first > until.most) {
    problems.push(
      wrong(["until", "most"], show(until.most), `at least the ${String(first)} replications that a point starts with`),
    );
  }
  if (until !== null && first < 2) {
    problems.push(wrong(["until"], "one replication to start with", "at least 2: an interval needs them"));
  }
  const { warmUp, series } = file;
  const kept = new Set(file.measures ?? SWEEP_MEASURES);
  return {
    runs: {
      ...{ replications: first, most, until, series },
      seeds: file.seeds?.slice(0, most),
      measures: SWEEP_MEASURES.filter((key) => kept.has(key)),
      warmUp: typeof warmUp === "number" ? { kind: "cut", untilUs: warmUp } : { kind: warmUp },
    },
    problems,
  };
}

/** The seeds of all replications. @param first of the series, if the file names none of them. */
export function seedsOf({ seeds, most }: Runs, first: string): readonly string[] {
  return seeds ?? seedSeries(first, most);
}

function seedProblems({ seed, seeds }: SweepFile, most: number): Problem[] {
  if (seeds === undefined) return [];
  const problems: Problem[] = [];
  if (seed !== undefined) problems.push(wrong(["seed"], `${quote(seed)} beside seeds`, "one of them"));
  if (seeds.length < most) {
    problems.push(wrong(["seeds"], show(seeds), `at least ${String(most)}, one for each replication of a point`));
  }
  const before = new Set<string>();
  for (const [i, each] of seeds.entries()) {
    if (before.has(each)) problems.push(wrong(["seeds", i], `${quote(each)} again`, "seeds that differ"));
    before.add(each);
  }
  return problems;
}

function measureProblems({ measures, until }: SweepFile): Problem[] {
  const problems = (measures ?? []).flatMap((key, i) =>
    SWEEP_MEASURES.includes(key) ? [] : [unknownName(["measures", i], key, SWEEP_MEASURES)],
  );
  const kept = measures ?? SWEEP_MEASURES;
  if (until !== undefined && !kept.includes(until.measure)) {
    problems.push(unknownName(["until", "measure"], until.measure, kept));
  }
  return problems;
}
