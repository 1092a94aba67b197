import { assert } from "../core/kernel/index.js";
import type { AnyScenario } from "../core/scenario/index.js";
import { platformNamed } from "../io/index.js";
import type { OwnRunOptions, RunResult } from "./run.js";

/** One run of a platform that is one sequential simulation. */
export async function runAlone(scenario: AnyScenario, directory: string, options: OwnRunOptions): Promise<RunResult> {
  const build = platformNamed(scenario.platform)?.build;
  assert(build !== undefined, "a platform that runs by itself is not built");
  const simulation = await build(scenario, directory);
  options.signal?.throwIfAborted();
  throw new Error(`not yet: ${String(simulation.nextUs())}`);
}
