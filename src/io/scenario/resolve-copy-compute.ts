import type { CopyComputeSpec } from "../../core/scenario/copy-compute-spec.js";
import type { ScenarioFile } from "./scenario-schema.js";

/** Copy-compute splitting of a valid file; null: none. */
export function resolveCopyCompute(file: ScenarioFile["runtime"]["copyCompute"]): CopyComputeSpec | null {
  if (file === undefined || file === "off") return null;
  const computing = file.computing ?? Infinity;
  return { computing, perJob: file.perJob ?? computing, order: file.order ?? "waiting" };
}
