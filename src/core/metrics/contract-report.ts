/** What the contract of schedulers asks; docs/plugins.md explains each. */
export type ContractCheckKey = "plans" | "work" | "ends" | "small-job" | "again" | "heartbeats" | "placement";

/** One thing that went wrong, in one of the scenarios of the kit. */
export interface ContractFinding {
  /** Name of the scenario: `--case` runs it alone. */
  readonly scenario: string;
  /** What was found and what is allowed. */
  readonly message: string;
}

export interface ContractCheck {
  readonly key: ContractCheckKey;
  /** What is asked. */
  readonly asks: string;
  /** The scheduler states that it does not promise this: findings do not count. */
  readonly waived: boolean;
  readonly passed: boolean;
  readonly findings: readonly ContractFinding[];
}

/** How a scheduler stood up to the conformance kit: what `bide check-scheduler --json` prints. */
export interface ContractReport {
  readonly format: "bide-contract";
  readonly version: 1;
  readonly scheduler: string;
  readonly seed: string;
  readonly scenarios: readonly string[];
  /** Simulations that were made. */
  readonly runs: number;
  readonly passed: boolean;
  readonly checks: readonly ContractCheck[];
  /**
   * Of the map slots that were offered while a map waited which the node would have taken, the share that stayed free. No
   * fault: a scheduler may wait for locality, or keep promises.
   */
  readonly leftFree: number;
}
