import type { DecisionChoices } from "../lab/bench/bench-options.js";
import { decisionPoint } from "../lab/bench/decision-case.js";
import type { DecisionCommandOptions } from "./options/decisions.js";

/** @throws InputError when the options together are no experiment. */
export function decisionChoices(options: DecisionCommandOptions): DecisionChoices {
  const { grid, warmups, seed, hgrm, force, slots: ofNodes = {} } = options;
  const { nodes, jobs, pools, maps, reduces, kind, wait: waitSpec, tasksPerHeartbeat, assignments } = options;
  const given = { nodes, jobs, pools, maps, reduces, kind, wait: waitSpec, tasksPerHeartbeat, assignments };
  const changes = { ...given, ...ofNodes, updateIntervalUs: options.updateInterval };
  return {
    ...present({ grid, warmups, seed, hgrm, force }),
    ...(grid === true ? {} : { point: decisionPoint(present(changes)) }),
  };
}

/** Without what is undefined. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
