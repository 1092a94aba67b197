import { RULES } from "../../dist/core/platforms/hadoop/index.js";
import { FUNCTION_KINDS } from "./function-kinds.mjs";
import { RUN_VARIANTS } from "./read-suite.mjs";
import { runSpark } from "./spark.mjs";
import { runTimeline } from "./timeline.mjs";
import { correctionOf, runYarn } from "./yarn.mjs";

/**
 * Runs sound cases, each under every rule set that it names.
 *
 * @returns {{results: {id: string, variant: string, failures: object[]}[], leftOut: string[], corrected: object[]}}
 *   `leftOut` holds the
 *   rule set of every pair that is not run here, `corrected` what cases derive and the source has otherwise
 *   (corrections.mjs)
 */
export function runSuite(scenarios) {
  const results = [];
  const leftOut = [];
  for (const scenario of scenarios) {
    for (const variant of scenario.variants) {
      if (!isRun(scenario, variant)) leftOut.push(variant);
      else results.push({ id: scenario.id, variant, failures: failuresOf(scenario, variant) });
    }
  }
  const corrected = scenarios.flatMap(({ steps = [], ...scenario }) =>
    steps.flatMap((_, i) => correctionOf({ ...scenario, steps }, i + 1) ?? []),
  );
  return { results, leftOut, corrected };
}

const isRun = ({ kind }, variant) => /^(spark|yarn)\./.test(kind) || RUN_VARIANTS.includes(variant);

/** Expectations of a case that failed under a rule set: where, what was expected, what was found. */
export function failuresOf(scenario, variant) {
  if (scenario.kind.startsWith("spark.")) return runSpark(scenario, variant);
  if (scenario.kind.startsWith("yarn.")) return runYarn(scenario);
  if (scenario.kind === "timeline") return runTimeline(scenario, variant);
  const failures = [];
  const fail = (index, path, expected, got) =>
    failures.push({ step: index + 1, op: scenario.kind, path, expected, got });
  try {
    FUNCTION_KINDS.get(scenario.kind).run(scenario, RULES[variant], fail);
  } catch (error) {
    fail(0, "", "no error", String(error));
  }
  return failures;
}
