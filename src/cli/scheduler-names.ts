import { SCHEDULER_KINDS } from "../core/scheduler/kinds.js";
import type { SchedulerPlugin } from "../core/scheduler/plugin/plugin-face.js";
import { allowedNames, quote } from "../io/scenario/show.js";

/** Built-in kinds, then plugins. */
export function schedulerNames(plugins: readonly SchedulerPlugin[]): string[] {
  return [...SCHEDULER_KINDS, ...plugins].map(({ name }) => name);
}

/** What is wrong with the names that were asked for; null if each is that of a built-in kind or of a plugin. */
export function unknownScheduler(asked: readonly string[], plugins: readonly SchedulerPlugin[]): string | null {
  const known = schedulerNames(plugins);
  const unknown = asked.find((name) => !known.includes(name));
  return unknown === undefined ? null : `Found ${quote(unknown)}, allowed ${allowedNames(known, unknown)}`;
}
