import { type AnyScenario, isHadoop, type Scenario } from "../../dist/core/scenario/index.js";

/** The scenario, which is one of Hadoop. */
export function ofHadoop(scenario: AnyScenario): Scenario {
  if (!isHadoop(scenario)) throw new Error(`a scenario of ${scenario.platform}`);
  return scenario;
}
