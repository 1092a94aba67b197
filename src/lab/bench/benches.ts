import type { Bench } from "./machine.js";

export interface BenchEntry {
  /** As typed after `bide bench`. */
  readonly name: string;
  /** A phrase for help. */
  readonly summary: string;
  /** Options that it takes beside those of all. */
  readonly takes: readonly ("span" | "only" | "frames")[];
  /** Loads what measures; until then a benchmark costs nothing. */
  readonly load: () => Promise<Bench>;
}

/** In the order of help and documents. */
export const BENCHES: readonly BenchEntry[] = [
  {
    name: "decisions",
    summary: "how long a scheduler takes to decide, by heartbeat",
    takes: ["span", "only"],
    load: async () => (await import("./decisions.js")).benchDecisions,
  },
  {
    name: "day",
    summary: "whole runs: a Facebook day, and 1,000 jobs at once",
    takes: ["span", "only"],
    load: async () => (await import("./simulated.js")).benchDay,
  },
  {
    name: "scale",
    summary: "the cost of a task on 620, 6,200 and 62,000 nodes",
    takes: ["span", "only"],
    load: async () => (await import("./simulated.js")).benchScale,
  },
  {
    name: "threads",
    summary: "runs without threads, on 2 threads, and per rack",
    takes: ["span", "only"],
    load: async () => (await import("./simulated.js")).benchThreads,
  },
  {
    name: "transport",
    summary: "messages between two threads",
    takes: ["frames"],
    load: async () => (await import("./transport.js")).benchTransport,
  },
  {
    name: "sweep",
    summary: "independent runs on one thread and on two",
    takes: ["span"],
    load: async () => (await import("./sweep.js")).benchSweep,
  },
];
