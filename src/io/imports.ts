import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { AnyScenario } from "../core/scenario/index.js";
import type { Override } from "./scenario/overrides.js";
import { platformNamed } from "./scenario/platforms.js";

/** Files that `bide import` wrote beside a table of tasks, as absolute paths. */
export interface ImportedLog {
  /** The scenario with the settings of the log. */
  readonly scenario: string;
  readonly recorded: string;
}

/** Names that `bide import` gives to a table, and what ends those beside it. */
const TABLE = /^(?:stages|tasks)(.*)[.]csv$/;

/**
 * Returns the files beside the workload of a scenario that an import wrote; null: it is of another workload.
 * @param directory folder to which `workload.file` is relative.
 */
export function importedLog({ workload }: Pick<AnyScenario, "workload">, directory: string): ImportedLog | null {
  const { file } = workload;
  const part = file === undefined ? undefined : TABLE.exec(basename(file))?.[1];
  if (file === undefined || part === undefined) return null;
  const folder = dirname(resolve(directory, file));
  const [scenario, recorded] = [`scenario${part}.yaml`, `recorded${part}.json`].map((name) => join(folder, name));
  return existsSync(scenario) && existsSync(recorded) ? { scenario, recorded } : null;
}

/** Returns the scenario with draws of the values that its log leaves open; unchanged if its platform has no draws. */
export function drawn<S extends AnyScenario>(scenario: S): S {
  if (platformNamed(scenario.platform)?.knowsLogs !== true) return scenario;
  const { runtime = {} } = scenario as { readonly runtime?: object };
  return { ...scenario, runtime: { ...runtime, draw: true } };
}

/** Whether changes of a scenario ask for the estimates of an import, in place of draws. */
export function holdsEstimates(changes: readonly Pick<Override, "path" | "value">[]): boolean {
  return changes.some(({ path, value }) => path.join(".") === "runtime.draw" && value === false);
}

/** Whether a scenario draws the values that its log leaves open. */
export function isDrawn(scenario: AnyScenario): boolean {
  return (scenario as { readonly runtime?: { readonly draw?: boolean } }).runtime?.draw === true;
}

/** Returns the scenario in which a stage gets copied values of other stages; null: its platform copies nothing. */
export function heldOut<S extends AnyScenario>(scenario: S): S | null {
  if (platformNamed(scenario.platform)?.knowsLogs !== true) return null;
  return { ...scenario, workload: { ...scenario.workload, copied: "heldOut" } };
}
