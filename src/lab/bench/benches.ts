import type { Bench } from "./bench-options.js";

export interface BenchEntry {
  /** As typed after `bide bench`. */
  readonly name: string;
  /** A phrase for help. */
  readonly summary: string;
  /** Loads what measures; until then a benchmark costs nothing. */
  readonly load: () => Promise<Bench>;
}

/** In the order of help and documents. */
export const BENCHES: readonly BenchEntry[] = [
  {
    name: "decisions",
    summary: "what the decisions of a scheduler take, heartbeat by heartbeat",
    load: async () => (await import("./decisions.js")).benchDecisions,
  },
  {
    name: "day",
    summary: "whole days of the Facebook cluster, and 1,000 jobs always active",
    load: async () => (await import("./day.js")).benchDay,
  },
];
