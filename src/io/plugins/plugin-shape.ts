import { SCHEDULER_KINDS } from "../../core/scenario/index.js";
import {
  isLiteral,
  misspeltKey,
  shownValue,
  thrownWords,
  unknownKey,
  type SchedulerPlugin,
} from "../../core/platforms/hadoop/index.js";
import { InputError } from "../input-error.js";
import { printable } from "../scenario/show.js";

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const NAME_ALLOWED = "1 to 40 small letters, digits and hyphens, the first a letter";
const LONGEST_SUMMARY = 200;

/** Returns why a value is no scheduler plugin, as "expected ..., found ..."; null: it is one. */
export function pluginProblem(value: unknown): string | null {
  try {
    return shapeProblem(value);
  } catch (thrown) {
    return `the object throws when its properties are read: ${thrownWords(thrown)}`;
  }
}

function shapeProblem(value: unknown): string | null {
  if (typeof value !== "object" || value === null) {
    return `expected an object with name, summary and create, found ${shownValue(value)}`;
  }
  const { name, summary, create, checkOptions, mayStarve, waitsForData } = value as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || !NAME.test(name))
    return `expected ${NAME_ALLOWED}, found ${shownValue(name)} for name`;
  if (SCHEDULER_KINDS.some((kind) => kind.name === name)) {
    return `the name "${name}" is that of a built-in scheduler; choose another`;
  }
  if (typeof summary !== "string" || summary === "" || summary.length > LONGEST_SUMMARY) {
    return `expected a line of up to ${LONGEST_SUMMARY} characters, found ${shownValue(summary)} for summary`;
  }
  if (typeof create !== "function")
    return `expected a function (cluster, options), found ${shownValue(create)} for create`;
  if (checkOptions !== undefined && typeof checkOptions !== "function") {
    return `expected a function (options) or nothing, found ${shownValue(checkOptions)} for checkOptions`;
  }
  for (const [key, flag] of Object.entries({ mayStarve, waitsForData })) {
    if (flag !== undefined && typeof flag !== "boolean")
      return `expected true or false, found ${shownValue(flag)} for ${key}`;
  }
  return isLiteral(value) ? unknownKey(value, [...FUNCTIONS, ...VALUES]) : misspeltKey(value, KEYS);
}

const FUNCTIONS = ["create", "checkOptions"] as const satisfies readonly (keyof SchedulerPlugin)[];
const VALUES = ["name", "summary", "waitsForData", "mayStarve"] as const satisfies readonly (keyof SchedulerPlugin)[];
const KEYS = { functions: FUNCTIONS, values: VALUES };

/**
 * Plugins that a program hands over.
 * @throws InputError unless each is one and has a name of its own.
 */
export function checkPlugins(plugins: readonly SchedulerPlugin[]): void {
  const seen = new Set<string>();
  for (const [i, plugin] of plugins.entries()) {
    const problem = pluginProblem(plugin) ?? (seen.has(plugin.name) ? sameName(plugin.name) : null);
    if (problem !== null) throw pluginError(`plugin ${i + 1}`, problem);
    seen.add(plugin.name);
  }
}

export function sameName(name: string): string {
  return `the name "${name}" is that of another plugin; choose another`;
}

/** @param file the plugin as the user named it. */
export function pluginError(file: string, message: string, line = 0, column = 0): InputError {
  return new InputError([{ file, line, column, message: printable(message) }]);
}
