import { isThenable, PluginError, shownValue, thrownWords } from "./plugin-error.js";

/** Calls of the functions of one plugin: whatever goes wrong there is told as its fault, with the place and the instant. */
export class HookCalls {
  constructor(readonly plugin: string) {}

  /** What the hook returns. */
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
    const given = this.value(hook, nowUs, call);
    if (typeof given === "object" && given !== null && isThenable(given)) {
      throw this.wrong(hook, nowUs, "a promise", "no async function: a scheduler decides at once");
    }
  }

  /** The list that a hook returns. */
  list(hook: string, nowUs: number, call: () => unknown, of: string): readonly unknown[] {
    const given = this.value(hook, nowUs, call);
    if (!Array.isArray(given)) throw this.wrong(hook, nowUs, shownValue(given), `a list of ${of}`);
    return given as readonly unknown[];
  }

  wrong(hook: string, nowUs: number, found: string, allowed: string): PluginError {
    return new PluginError(this.plugin, hook, nowUs, `found ${found}, allowed ${allowed}`);
  }
}
