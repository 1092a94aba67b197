/** A table of figures. */
export interface BenchTable {
  readonly columns: readonly BenchColumn[];
  /** A row per case, by column key; null: not applicable. */
  readonly rows: readonly BenchRow[];
}

/** The output of a benchmark: its table, and everything that is needed to repeat it. */
export interface BenchReport extends BenchTable {
  /** As typed after `bide bench`. */
  readonly bench: string;
  /** The question that the table answers, a sentence. */
  readonly question: string;
  /** The runs and the method, warm-up and subtractions included; no figure is given without it. */
  readonly setup: Readonly<Record<string, string | number>>;
  readonly machine: BenchMachine;
  /** Parts of the cost of some cases, one per column; undefined: not measured. */
  readonly breakdown?: BenchTable;
  /** Figures that the noise of a machine spares, by name: ratios of two rows of the same measurement session. */
  readonly ratios: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

export type BenchRow = Readonly<Record<string, string | number | null>>;

export interface BenchColumn {
  readonly key: string;
  /** Heading, with the unit. */
  readonly title: string;
  /** The way in which two sessions are compared by it. */
  readonly kind: "name" | "cost" | "rate" | "count";
  readonly decimals?: number;
}

export interface BenchMachine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly platform: string;
  /** Version of Bide, and commit where there is one. */
  readonly bide: string;
}
