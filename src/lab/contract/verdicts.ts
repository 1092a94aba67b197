import {
  CONTRACT_CHECK_KEYS,
  type ContractCheck,
  type ContractCheckKey,
  type ContractFinding,
  type ContractGap,
} from "../../experiments/contract-report.js";
import { contractCases, type ContractCase } from "./contract-cases.js";

const ASKS: Readonly<Record<ContractCheckKey, string>> = {
  plans: "launches and kills only what may be launched and killed",
  work: "every attempt ends once, every task is done once",
  ends: "every job of a finite workload ends",
  "small-job": "a small job amid a stream of others starts within two minutes",
  waits: "a job waits for its data as long after its set-up as without one",
  again: "the same run twice has one fingerprint",
  heartbeats: "nothing happens on heartbeats that it does not want to see",
  placement: "one fingerprint in any slices",
  threads: "one fingerprint on any threads",
};

/** What the scenarios of the kit have shown so far, by check. What a scenario was not asked is on record as well. */
export class Verdicts {
  private readonly askedIn = new Map<ContractCheckKey, string[]>();
  private readonly findings = new Map<ContractCheckKey, ContractFinding[]>();
  private readonly gaps = new Map<ContractCheckKey, ContractGap[]>();

  /** The check is made in the scenario; what it finds, if it does, is told by `find`. */
  ask(key: ContractCheckKey, { name }: ContractCase): void {
    push(this.askedIn, key, name);
  }

  find(key: ContractCheckKey, { name: scenario }: ContractCase, message: string): void {
    push(this.findings, key, { scenario, message });
  }

  /** The scenario is over: why the checks that belong to it and were not made were not. */
  leave(one: ContractCase, reason: string): void {
    for (const key of CONTRACT_CHECK_KEYS) {
      if (!belongs(key, one) || this.askedIn.get(key)?.includes(one.name) === true) continue;
      push(this.gaps, key, { scenario: one.name, reason });
    }
  }

  /** @param mayStarve the scheduler does not promise that small jobs start soon. */
  checks(mayStarve: boolean): ContractCheck[] {
    return CONTRACT_CHECK_KEYS.map((key) => {
      const findings = this.findings.get(key) ?? [];
      const askedIn = this.askedIn.get(key) ?? [];
      const notAskedIn = this.gaps.get(key) ?? [];
      const waived = mayStarve && key === "small-job";
      const passed = waived || findings.length === 0;
      const verdict = !passed ? "failed" : askedIn.length === 0 ? "not asked" : findings.length > 0 ? "waived" : "ok";
      const whyNot = askedIn.length > 0 ? null : (notAskedIn[0]?.reason ?? `asked only in ${homesOf(key)}`);
      return { key, asks: ASKS[key], verdict, waived, passed, findings, askedIn, notAskedIn, whyNot };
    });
  }
}

/** Whether the check is one of those that the scenario is for. */
function belongs(key: ContractCheckKey, { soon, onThreads, waits }: ContractCase): boolean {
  if (key === "waits") return waits === true;
  if (key === "small-job") return soon !== undefined;
  return key !== "threads" || onThreads;
}

/** The scenarios that would make the check. */
function homesOf(key: ContractCheckKey): string {
  const homes = contractCases("1").filter((one) => belongs(key, one));
  return homes.map(({ name }) => name).join(" and ");
}

function push<T>(lists: Map<ContractCheckKey, T[]>, key: ContractCheckKey, entry: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}
