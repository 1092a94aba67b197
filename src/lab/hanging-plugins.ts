import { getEnvironmentData, setEnvironmentData, Worker } from "node:worker_threads";
import type { HookWatch } from "../core/scheduler/plugin/plugin-error.js";
import { HOOKS } from "../core/scheduler/plugin/plugin-scheduler.js";

/** What a thread that waits for plugins is started with. */
export interface HangingPluginTask {
  readonly plugin: string;
  /** Functions by number. */
  readonly hooks: readonly string[];
  readonly memory: SharedArrayBuffer;
  readonly patienceMs: number;
}

/** Of the memory, as whole numbers: how many calls have begun and ended, so odd within one; and which function is called. */
export const CALLS = 0;
export const HOOK = 1;
/** As a double: the virtual time of the call, in microseconds. */
export const NOW_US = 1;

const CALLED = ["create", ...HOOKS];
const PATIENCE_MS = 10_000;

/** Data that all threads of a process have in common. */
const SETTING = "bide: milliseconds until a plugin that does not return is told of";

const watches = new Map<string, HookWatch>();

/**
 * From now on this process, on whichever of its threads a scheduler of a user runs, says on stderr which function of it does not return.
 * For commands: a library prints nothing.
 */
export function tellOfHangingPlugins(patienceMs = PATIENCE_MS): void {
  setEnvironmentData(SETTING, patienceMs);
}

/** Who tells that a function of the plugin does not return; null: nobody is to. */
export function watchOf(plugin: string): HookWatch | null {
  const patienceMs = getEnvironmentData(SETTING);
  if (typeof patienceMs !== "number") return null;
  const known = watches.get(plugin);
  if (known !== undefined) return known;
  const memory = new SharedArrayBuffer(16);
  const words = new Int32Array(memory);
  const times = new Float64Array(memory);
  const task: HangingPluginTask = { plugin, hooks: CALLED, memory, patienceMs };
  // This thread cannot tell: it does not return from the call.
  new Worker(new URL("./hanging-plugins-thread.js", import.meta.url), { workerData: task }).unref();
  const watch = {
    begins: (hook: string, nowUs: number) => {
      words[HOOK] = CALLED.indexOf(hook);
      times[NOW_US] = nowUs;
      Atomics.add(words, CALLS, 1);
    },
    ends: () => {
      Atomics.add(words, CALLS, 1);
    },
  };
  watches.set(plugin, watch);
  return watch;
}
