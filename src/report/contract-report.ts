import type { ContractCheck, ContractReport } from "../core/metrics/contract-report.js";
import { entry, type Paint } from "./layout.js";
import { counted, percent } from "./numbers.js";

/**
 * A line for each check, and below those that failed what was found, and how to see it again.
 * @param again the command that runs a scenario of the kit alone.
 */
export function contractReport(report: ContractReport, again: (scenario: string) => string, paint: Paint): string {
  const { scheduler, seed, scenarios, runs, checks, leftFree } = report;
  const made = `${counted(scenarios.length, "scenario")}, ${counted(runs, "run")}`;
  const free = `${percent(leftFree)} % of the map slots offered while a map waited for one (no fault)`;
  const lines = [
    ...entry("Scheduler", `${scheduler}, seed ${seed}: ${made}`, paint),
    ...entry("Left free", free, paint),
    "",
    ...checks.flatMap((check) => checkLines(check, again, paint)),
  ];
  return `${lines.join("\n")}\n`;
}

const LABEL = 8;

function checkLines(check: ContractCheck, again: (scenario: string) => string, paint: Paint): string[] {
  const { asks, waived, passed, findings } = check;
  const verdict = waived && findings.length > 0 ? "waived" : passed ? "ok" : "FAILED";
  const head = `${(passed ? paint.dim : paint.bold)(verdict.padEnd(LABEL))}${asks}`;
  if (passed && !waived) return [head];
  const indent = " ".repeat(LABEL);
  return [
    head,
    ...findings.flatMap(({ scenario, message }) => [
      `${indent}in ${scenario}: ${message}`,
      ...(passed ? [] : [`${indent}  ${again(scenario)}`]),
    ]),
  ];
}
