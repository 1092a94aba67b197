import type { AnyScenario } from "../core/scenario/index.js";
import { platformNamed } from "../io/index.js";
import type { OwnRunOptions, RunResult } from "./run.js";

/** One run of a platform that is one sequential simulation. */
export async function runAlone(scenario: AnyScenario, directory: string, options: OwnRunOptions): Promise<RunResult> {
  const simulation = await platformNamed(scenario.platform)?.build?.(scenario, directory);
  options.signal?.throwIfAborted();
  throw new Error(`cannot run ${scenario.platform}: ${String(simulation)}`);
}
