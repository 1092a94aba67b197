import type { Piscina } from "piscina";
import { afterAll } from "vitest";

/**
 * Rack threads that the runs of a test file hand on to each other, for `simulate`: to start one costs ten times as much
 * as a small run on it. They end with the file.
 */
export function threadsOfFile(): Piscina[] {
  const idleThreads: Piscina[] = [];
  afterAll(async () => {
    await Promise.all(idleThreads.map(async (thread) => thread.destroy()));
  });
  return idleThreads;
}
