import type { TuneProblem } from "./tune-problem.js";

/** A run of a point; replications of a point are run in their order, from 0. */
export interface RunRequest {
  readonly point: number;
  readonly replication: number;
}

/** By key of a measure; null: the run has no such value. As a whole null: the run failed. */
export type RunValues = Readonly<Record<string, number | null>> | null;

/** What is known of every point so far. */
export class KnownRuns {
  private readonly runs: RunValues[][];
  /** Over all points. */
  total = 0;

  constructor(private readonly problem: Pick<TuneProblem, "points" | "replications">) {
    this.runs = problem.points.map(() => []);
  }

  /** Runs of one point come in the order of their replications. */
  add({ point, replication }: RunRequest, values: RunValues): void {
    if (replication !== this.runs[point].length) throw new RangeError("replications of a point come in their order");
    this.runs[point].push(values);
    this.total++;
  }

  /** Replications of the point that have been run. */
  countOf(point: number): number {
    return this.runs[point].length;
  }

  hasFailed(point: number): boolean {
    return this.runs[point].includes(null);
  }

  /** Nothing more is to be learnt: all replications are there, or one failed, so that the point is out. */
  isFull(point: number): boolean {
    return this.countOf(point) === this.problem.replications || this.hasFailed(point);
  }

  /** By replication; null: no such value. */
  valuesOf(point: number, measure: string): (number | null)[] {
    return this.runs[point].map((values) => values?.[measure] ?? null);
  }

  /** Over what has been run; NaN: no value, or a run failed. */
  meanOf(point: number, measure: string): number {
    if (this.hasFailed(point)) return NaN;
    const known = this.valuesOf(point, measure).filter((value) => value !== null);
    return known.reduce((sum, value) => sum + value, 0) / known.length;
  }
}
