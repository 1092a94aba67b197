import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import { workerData } from "node:worker_threads";
import { formatTime } from "../core/kernel/index.js";
import type { HangingPluginTask } from "./hanging-plugins.js";

/**
 * Looks at the calls of a plugin from a thread of its own, and says which does not return. Ends with the thread that
 * started it.
 */
const { plugin, hooks, words, nowUs, patienceMs } = workerData as HangingPluginTask;
const STDERR = 2;
/** A machine that slept is not taken for a plugin that hangs: looks are counted, not time. */
const LOOKS = 10;
let seen = 0;
let looks = 0;

setInterval(() => {
  const calls = Atomics.load(words, 0);
  const isSame = calls === seen && (calls & 1) === 1;
  looks = isSame ? looks + 1 : 0;
  seen = calls;
  if (looks !== LOOKS) return;
  const found = `${hooks[words[1]]} at ${formatTime(nowUs[0])} of virtual time`;
  const since = `it has not returned for ${String(patienceMs / 1000)} s`;
  // Below a line of progress, which is not ended.
  const start = isatty(STDERR) ? "\n" : "";
  tell(`${start}note: scheduler ${plugin}, ${found}: ${since}; kill -9 ${String(process.pid)} ends an endless loop\n`);
}, patienceMs / LOOKS);

/** The stream of Node would wait for the other thread. */
function tell(text: string): void {
  try {
    writeSync(STDERR, text);
  } catch {
    // Nobody reads it.
  }
}
