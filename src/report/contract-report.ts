import type { ContractCheck, ContractGap, ContractReport } from "../experiments/index.js";
import { joined, counted, entries, type Entry, type Paint, percent } from "./tables.js";

/**
 * A line for each check, and below it its findings, the command that repeats them, and the scenarios that did not make
 * the check, with the reason.
 * @param again the command that runs a scenario of the kit alone.
 */
export function contractReport(report: ContractReport, again: (scenario: string) => string, paint: Paint): string {
  const { scheduler, seed, scenarios, runs, checks, leftFree } = report;
  const made = `${counted(scenarios.length, "scenario")}, ${counted(runs, "run")}`;
  const free = `${percent(leftFree)} % of the map slots offered while a map waited for one (no fault)`;
  const head: Entry[] = [
    ["Scheduler", `${scheduler}, seed ${seed}: ${made}`],
    ["Left free", free],
  ];
  return joined([entries(head, paint), checks.flatMap((check) => checkLines(check, again, paint))], paint);
}

const LABEL = 11;

function checkLines(check: ContractCheck, again: (scenario: string) => string, paint: Paint): string[] {
  const { asks, verdict, passed, findings, notAskedIn, whyNot } = check;
  const label = (verdict === "failed" ? "FAILED" : verdict).padEnd(LABEL);
  const indent = " ".repeat(LABEL);
  return [
    `${(verdict === "ok" ? paint.dim : paint.bold)(label)}${asks}`,
    ...findings.flatMap(({ scenario, message }) => [
      `${indent}in ${scenario}: ${message}`,
      ...(passed ? [] : [`${indent}  ${again(scenario)}`]),
    ]),
    ...(whyNot !== null && notAskedIn.length === 0 ? [`${indent}${whyNot}`] : []),
    ...gapLines(notAskedIn).map((line) => `${indent}${line}`),
  ];
}

/** A line for each reason. */
function gapLines(gaps: readonly ContractGap[]): string[] {
  return [...new Set(gaps.map(({ reason }) => reason))].map((reason) => {
    const scenarios = gaps.filter((gap) => gap.reason === reason).map(({ scenario }) => scenario);
    return `not asked in ${scenarios.join(", ")}: ${reason}`;
  });
}
