import type { BenchMachine } from "../metrics/bench-report.js";
import type { ReplicationFigures } from "./run-figures.js";

/** What a sitting found: what `bide regress --json` prints. */
export interface RegressReport {
  readonly format: "bide-regress";
  readonly version: 1;
  readonly name: string;
  readonly why: string;
  /** As the user named it. */
  readonly file: string;
  /** As messages name it. */
  readonly baseline: string;
  readonly machine: BenchMachine;
  readonly passed: boolean;
  readonly runs: readonly ComparedRun[];
  readonly notes: readonly string[];
}

export interface ComparedRun {
  readonly name: string;
  /** What a shell takes to see this run again, and it alone. */
  readonly command: string;
  readonly passed: boolean;
  /** What the file asks for, whatever comes of it: `run`, then `fingerprint`, `counts` or `speed`, say. See `caseOf`. */
  readonly cases: readonly string[];
  readonly comparisons: readonly Compared[];
  /** Wall time of all that was done for it, calibration included. */
  readonly wallSeconds: number;
  /** Told beside it; not judged. */
  readonly notes: readonly string[];
  /** Of this sitting; empty when the run failed. */
  readonly replications: readonly ReplicationFigures[];
}

/**
 * What becomes of a figure. same: equal to the last digit. within: not equal, and not beyond what the file allows. better: costs less than it allows the
 * other way. told: not judged. Those pass. changed: another result. worse: costs too much. new: the baseline has nothing to compare with. failed:
 * there is nothing to compare. These do not.
 */
export type Verdict = "same" | "within" | "better" | "told" | "changed" | "worse" | "new" | "failed";

export const PASSING: ReadonlySet<Verdict> = new Set<Verdict>(["same", "within", "better", "told"]);

/** One figure, or all of one kind, beside that of the baseline. */
export interface Compared {
  readonly kind: "run" | "exact" | "statistic" | "speed" | "memory";
  /** `fingerprint`, `counts.mapsEnded`, `nodeLocalSmall`, `speed`; unique within the run. */
  readonly what: string;
  readonly verdict: Verdict;
  /** Exact figures: of the first seed that differs. Statistics: means. Speed: ratios. Memory: MiB. null: there is none. */
  readonly baseline: string | number | null;
  readonly now: string | number | null;
  /** Why, in words; empty where both values say it. */
  readonly detail: string;
}

/** The one of `ComparedRun.cases` that a comparison belongs to: `run` holds all that is not of one figure, `counts` every count. */
export function caseOf({ kind, what }: Compared): string {
  if (kind === "run") return "run";
  return kind === "exact" && what.startsWith("counts.") ? "counts" : what;
}
