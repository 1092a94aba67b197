import { getEnvironmentData, setEnvironmentData, Worker } from "node:worker_threads";
import { HOOKS, type HookWatch } from "../core/platforms/hadoop/index.js";

/** What a thread that waits for plugins is started with. */
export interface HangingPluginTask {
  readonly plugin: string;
  /** Functions by number. */
  readonly hooks: readonly string[];
  /** Shared: how many calls have begun and ended, so odd within one; and the number of the function. */
  readonly words: Int32Array;
  /** Shared: the virtual time of the call. */
  readonly nowUs: Float64Array;
  readonly patienceMs: number;
}

const CALLED = ["create", ...HOOKS];
const PATIENCE_MS = 10_000;

/** Data that all threads of a process have in common. */
const SETTING = "bide: milliseconds until a plugin that does not return is told of";

const watches = new Map<string, HookWatch>();

/**
 * From now on this process, on whichever of its threads a scheduler of a user runs, says on stderr which function of it
 * does not return. For commands: a library prints nothing.
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
  const words = new Int32Array(new SharedArrayBuffer(8));
  const nowUs = new Float64Array(new SharedArrayBuffer(8));
  const task: HangingPluginTask = { plugin, hooks: CALLED, words, nowUs, patienceMs };
  // This thread cannot tell: it does not return from the call.
  new Worker(new URL("./hanging-plugins-thread.js", import.meta.url), { workerData: task }).unref();
  const watch = {
    begins: (hook: string, atUs: number) => {
      words[1] = CALLED.indexOf(hook);
      nowUs[0] = atUs;
      Atomics.add(words, 0, 1);
    },
    ends: () => {
      Atomics.add(words, 0, 1);
    },
  };
  watches.set(plugin, watch);
  return watch;
}
