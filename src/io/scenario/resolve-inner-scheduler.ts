import type { z } from "zod";
import { assert } from "../../core/kernel/assert.js";
import type { InnerSchedulerSpec } from "../../core/scenario/inner-scheduler-spec.js";
import { SCHEDULER_KINDS } from "../../core/scheduler/kinds.js";
import { RULES } from "../../core/scheduler/rules.js";
import type { innerSchema } from "./inner-scheduler-schema.js";
import { resolveWait } from "./resolve-wait.js";
import type { SchedulerSettings } from "./scheduler-schema.js";

export type InnerFile = z.output<typeof innerSchema>;

/** What an inner scheduler leaves open is as the outer one says, or else as is usual for its kind. */
export function resolveInner(file: InnerFile, outer: SchedulerSettings): InnerSchedulerSpec {
  const given = typeof file === "string" ? { kind: file, wait: undefined } : file;
  const kind = SCHEDULER_KINDS.find(({ name }) => name === given.kind);
  assert(kind !== undefined, "an inner kind that the schema allows is not in the registry");
  return {
    kind: given.kind,
    wait: resolveWait(given.wait ?? outer.wait, kind, RULES.paper),
    updateIntervalUs: outer.updateInterval ?? kind.defaultUpdateIntervalUs,
  };
}
