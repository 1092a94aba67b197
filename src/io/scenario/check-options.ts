import { isThenable, shownValue, thrownWords } from "../../core/scheduler/plugin/plugin-error.js";
import type { OptionProblem, PluginOptions, SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import { settingsOf } from "./allocation-places.js";
import { valueProblem } from "./check-cluster.js";
import type { Problem } from "./diagnose.js";
import { frozen } from "./yaml-document.js";
import { isBuiltIn } from "./resolve-scheduler.js";
import type { SchedulerFile } from "./scheduler-schema.js";
import { printable } from "./show.js";

const PATH = ["scheduler", "options"];

/** What is wrong with `scheduler.options`: a built-in kind has none, a plugin checks its own. */
export function optionProblems(file: SchedulerFile, plugins: readonly SchedulerPlugin[]): Problem[] {
  const { kind, options } = settingsOf(file);
  if (isBuiltIn(kind)) {
    if (options === undefined) return [];
    return [valueProblem(PATH, `scheduler.options for ${kind}`, "them only for a scheduler of --plugin")];
  }
  const plugin = plugins.find(({ name }) => name === kind);
  return plugin === undefined ? [] : problemsBy(plugin, frozen(options ?? {}));
}

function problemsBy(plugin: SchedulerPlugin, options: PluginOptions): Problem[] {
  const { name } = plugin;
  if (plugin.checkOptions === undefined) {
    const keys = Object.keys(options);
    return keys.map((key) => ({ path: [...PATH, key], atKey: true, message: `found an option, ${name} takes none` }));
  }
  let given: unknown;
  try {
    given = plugin.checkOptions(options);
  } catch (thrown) {
    return [at(`checkOptions of ${name} threw ${printable(thrownWords(thrown))}`)];
  }
  const isList = Array.isArray(given) && given.every((one) => typeof one === "string" || isProblem(one));
  if (isList) return (given as (string | OptionProblem)[]).map((one) => problemOf(one, name));
  const found = typeof given === "object" && given !== null && isThenable(given) ? "a promise" : shownValue(given);
  return [at(`checkOptions of ${name} gave ${printable(found)}, allowed a list of texts or of { key, message }`)];
}

function isProblem(one: unknown): one is OptionProblem {
  if (typeof one !== "object" || one === null) return false;
  const { key, message } = one as Partial<Record<string, unknown>>;
  return typeof key === "string" && typeof message === "string";
}

function problemOf(one: string | OptionProblem, plugin: string): Problem {
  if (typeof one === "string") return at(`${plugin}: ${printable(one)}`);
  return { path: [...PATH, one.key], atKey: false, message: `${plugin}: ${printable(one.message)}` };
}

function at(message: string): Problem {
  return { path: PATH, atKey: false, message };
}
