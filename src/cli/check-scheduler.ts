import { counted } from "../core/kernel/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import type { ContractReport } from "../experiments/index.js";
import { jsonText, allowedNames, quote, fileProblem, mismatch } from "../io/index.js";
import { contractCaseNames } from "../lab/index.js";
import { contractReport } from "../report/index.js";
import { interruptible } from "./interrupt.js";
import { shellWord } from "./option-values.js";
import { print, stdoutPaint } from "./printing.js";
import { tell } from "./terminal.js";

export interface CheckCommandOptions {
  readonly plugin: readonly string[];
  readonly set: readonly string[];
  readonly case: readonly string[];
  readonly seed: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * `bide check-scheduler`: the findings of the conformance kit, with a command for each that shows it again.
 * @throws InputError when a check has failed, after all are printed.
 */
export async function checkScheduler(
  name: string,
  options: CheckCommandOptions,
  plugins: readonly SchedulerPlugin[],
): Promise<void> {
  const kit = await import("../lab/contract/check-scheduler.js");
  refuseUnknownCases(options.case, contractCaseNames());
  const report = await interruptible((signal) =>
    kit.checkScheduler(name, {
      plugins,
      set: options.set,
      seed: options.seed,
      signal,
      ...(options.case.length === 0 ? {} : { only: options.case }),
      onProgress: (scenario) => {
        if (options.quiet !== true) tell(`checking ${scenario}\n`);
      },
    }),
  );
  const again = (scenario: string) => commandFor(name, options, scenario);
  await print(
    options.json === true ? jsonText(withCommands(report, again)) : contractReport(report, again, stdoutPaint()),
  );
  const failed = report.checks.filter(({ passed }) => !passed).length;
  if (failed === 0) return;
  throw fileProblem(
    `scheduler ${name}`,
    `does not obey the rules for schedulers: ${failed} of ${counted(report.checks.length, "check")} failed`,
  );
}

function refuseUnknownCases(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw fileProblem("--case", mismatch(quote(unknown), allowedNames(known, unknown)));
}

/** The command that repeats this scenario alone. */
function commandFor(name: string, { plugin, set, seed }: CheckCommandOptions, scenario: string): string {
  const options = [
    ...plugin.map((file) => `--plugin ${shellWord(file)}`),
    ...set.map((change) => `--set ${shellWord(change)}`),
  ];
  if (seed !== "1") options.push(`--seed ${shellWord(seed)}`);
  return ["npx bide check-scheduler", name, ...options, `--case ${scenario}`].join(" ");
}

function withCommands(report: ContractReport, again: (scenario: string) => string): object {
  const checks = report.checks.map((check) => ({
    ...check,
    findings: check.findings.map((finding) => ({ ...finding, command: again(finding.scenario) })),
  }));
  return { ...report, checks };
}
