import { formatTime, mismatch } from "../../../../kernel/index.js";

/** A plugin broke the contract, or threw, in the midst of a run. */
export class PluginError extends Error {
  override readonly name = "PluginError";

  /**
   * @param plugin the name of its scheduler.
   * @param hook the function of the plugin that was called.
   * @param problem what was expected and what was found.
   */
  constructor(
    readonly plugin: string,
    readonly hook: string,
    readonly atUs: number,
    problem: string,
    options?: { readonly cause: unknown },
  ) {
    super(`scheduler ${plugin}, ${hook} at ${formatTime(atUs)} of virtual time: ${problem}`, options);
  }
}

/** Returns in words what a plugin's code threw, with the place in a file that the trace names first. */
export function thrownWords(thrown: unknown): string {
  if (!(thrown instanceof Error)) return shownValue(thrown);
  const place = /(?:\(|at |async )((?:file:\/\/)?\/[^\s()]+:\d+:\d+)/.exec(thrown.stack ?? "")?.[1];
  const message = thrown.message.replace(/\s+/g, " ").slice(0, 300);
  return `${thrown.name}: ${message}${place === undefined ? "" : ` (${place})`}`;
}

/** Returns a value of a plugin's code in words, short and on one line. */
export function shownValue(value: unknown): string {
  if (value === undefined) return "nothing (undefined)";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "symbol") return value.toString();
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "a number of another kind";
  if (isThenable(value)) return "a promise";
  try {
    const keys = Object.keys(value).slice(0, 5);
    return keys.length === 0 ? "an object without keys" : `an object with the keys ${keys.join(", ")}`;
  } catch {
    return "an object that throws when its properties are read";
  }
}

/** A promise, or an object that acts like one: the function that returned it is asynchronous. */
export function isThenable(value: object): boolean {
  try {
    return typeof (value as { then?: unknown }).then === "function";
  } catch {
    return false;
  }
}

/** Functions that `create` may return. */
export const HOOKS = [
  "choose",
  "order",
  "jobAdded",
  "jobReady",
  "jobEnded",
  "launched",
  "attemptEnded",
  "update",
  "kills",
] as const;

/** Calls of the functions of one plugin: every error there is reported as its fault, with the place and the instant. */
export class HookCalls {
  constructor(readonly plugin: string) {}

  /** Returns the value of the hook. */
  value(hook: string, nowUs: number, call: () => unknown): unknown {
    try {
      return call();
    } catch (thrown) {
      if (thrown instanceof PluginError) throw thrown;
      throw new PluginError(this.plugin, hook, nowUs, `it threw ${thrownWords(thrown)}`, { cause: thrown });
    }
  }

  /** A hook that only listens. */
  tell(hook: string, nowUs: number, call: () => unknown): void {
    const returned = this.value(hook, nowUs, call);
    if (typeof returned === "object" && returned !== null && isThenable(returned)) {
      throw this.wrong(hook, nowUs, "a promise", "no async function; a scheduler decides at once");
    }
  }

  /** The list that a hook returns. */
  list(hook: string, nowUs: number, call: () => unknown, elements: string): readonly unknown[] {
    const returned = this.value(hook, nowUs, call);
    if (!Array.isArray(returned)) throw this.wrong(hook, nowUs, shownValue(returned), `a list of ${elements}`);
    return returned as readonly unknown[];
  }

  wrong(hook: string, nowUs: number, actual: string, allowed: string): PluginError {
    return this.problem(hook, nowUs, mismatch(actual, allowed));
  }

  /** @param problem what is wrong. */
  problem(hook: string, nowUs: number, problem: string): PluginError {
    return new PluginError(this.plugin, hook, nowUs, problem);
  }
}
