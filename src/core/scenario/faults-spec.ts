/** What goes wrong: at given times, at random by rates, or in attempts. A pure function of scenario and seed. */
export interface FaultsSpec {
  /** In any order; faults of one target may overlap. */
  readonly events: readonly FaultEventSpec[];
  readonly rates: FaultRatesSpec;
  /** Probability that an attempt fails, at a random point of its work. */
  readonly mapFailure: number;
  readonly reduceFailure: number;
  /** Probability that an attempt computes `stragglerFactor` times as long. */
  readonly stragglers: number;
  readonly stragglerFactor: number;
}

/**
 * `crash`: a node stops with all it runs, and comes back empty-handed, blocks kept. `switch`: nobody hears a rack's nodes,
 * which run on. `slow-disk`, `slow-node`: bandwidth, or speed, is divided by `factor`.
 */
export interface FaultEventSpec {
  readonly kind: "crash" | "switch" | "slow-disk" | "slow-node";
  /** Index of the rack. */
  readonly rack: number;
  /** Index of the node in its rack; 0 for `switch`. */
  readonly node: number;
  readonly atUs: number;
  /** Infinity: for ever. */
  readonly forUs: number;
  /** 1 or more; 1 for `crash` and `switch`. */
  readonly factor: number;
}

/** Mean times of exponential draws, per node (per rack for `switch`). `everyUs` Infinity: never. */
export interface FaultRatesSpec {
  readonly crash: FaultRateSpec;
  readonly switch: FaultRateSpec;
  readonly slowDisk: FaultRateSpec;
  readonly slowNode: FaultRateSpec;
}

export interface FaultRateSpec {
  /** From the end of one to the start of the next. */
  readonly everyUs: number;
  readonly forUs: number;
  readonly factor: number;
  /** No fault starts at or after this. */
  readonly untilUs: number;
}
