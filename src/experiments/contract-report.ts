/** The checks of the contract of schedulers, in the order of a report; docs/plugins.md explains each. */
export const CONTRACT_CHECK_KEYS = [
  "plans",
  "work",
  "ends",
  "small-job",
  "waits",
  "again",
  "heartbeats",
  "placement",
  "threads",
] as const;

export type ContractCheckKey = (typeof CONTRACT_CHECK_KEYS)[number];

/** `waived`: there are findings, and they do not count. `not asked`: no scenario came as far as to make the check. */
type ContractVerdict = "ok" | "failed" | "waived" | "not asked";

/** A scenario that was to make a check and did not. */
export interface ContractGap {
  readonly scenario: string;
  readonly reason: string;
}

/** One thing that went wrong, in one of the scenarios of the kit. */
export interface ContractFinding {
  /** Name of the scenario: `--case` runs it alone. */
  readonly scenario: string;
  /** The finding, and what is allowed. */
  readonly message: string;
}

export interface ContractCheck {
  readonly key: ContractCheckKey;
  /** The requirement. */
  readonly asks: string;
  readonly verdict: ContractVerdict;
  /** The scheduler states that it does not promise this: findings do not count. */
  readonly waived: boolean;
  /** There is no finding that counts; also true of a check that no scenario made. */
  readonly passed: boolean;
  readonly findings: readonly ContractFinding[];
  /** Names of the scenarios that made the check. */
  readonly askedIn: readonly string[];
  /** Those of the scenarios run that would have, had the scheduler not failed before. */
  readonly notAskedIn: readonly ContractGap[];
  /** Why no scenario made the check; null if one did. */
  readonly whyNot: string | null;
}

/** Results of a scheduler in the conformance kit: `bide check-scheduler --json` prints them. */
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
   * Share of the offered map slots that stayed free while a map waited that the node would have taken. No fault: a
   * scheduler may wait for locality, or keep promises.
   */
  readonly leftFree: number;
}
