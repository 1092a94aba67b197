import type { SweepAxis } from "../../core/sweep/sweep-plan.js";
import { inputError } from "../scenario/diagnose.js";
import type { YamlDocument } from "../scenario/yaml-document.js";
import { wrong } from "./sweep-problems.js";

/** Whether a combination of steps meets all constraints. @throws InputError */
export function constraintsOf(
  constraints: readonly string[],
  _axes: readonly SweepAxis[],
  yaml: YamlDocument,
): (steps: readonly number[]) => boolean {
  if (constraints.length > 0) throw inputError([wrong(["constraints", 0], "a constraint", "none")], yaml, []);
  return () => true;
}
