import { runInThisContext } from "node:vm";

/**
 * What `work` returns, or throws when it takes longer than `limitMs`: even a loop without end is ended, which a test
 * runner cannot do. `work` must not wait for anything.
 */
export function withinTime<T>(limitMs: number, work: () => T): T {
  const run = runInThisContext("(work) => { globalThis.limitedWork = work; }") as (work: () => T) => void;
  run(work);
  return runInThisContext("globalThis.limitedWork()", { timeout: limitMs }) as T;
}
