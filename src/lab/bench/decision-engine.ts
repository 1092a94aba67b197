import { setImmediate as turn } from "node:timers/promises";
import { counterHash, scaled } from "../../core/kernel/index.js";
import { HEARTBEAT_US } from "./decision-case.js";
import type { MillisecondClock } from "./machine.js";

// What the cases of Spark and of YARN have in common: engines that are stepped in virtual time, and a scheduler whose
// calls are timed.

/** Where something that runs to an end in virtual time is. */
interface Running {
  nextUs(): number;
  advance(untilUs: number): void;
}

/** So much virtual time passes between looks at the signal. */
const LOOK_US = HEARTBEAT_US;

/** @returns CPU seconds of the process until all is over or virtual time is up. */
export async function runToEnd(simulation: Running, untilUs: number, signal?: AbortSignal): Promise<number> {
  let cpuUs = 0;
  for (let nextUs = simulation.nextUs(); nextUs <= untilUs && nextUs < Infinity; nextUs = simulation.nextUs()) {
    await turn();
    signal?.throwIfAborted();
    const started = process.cpuUsage();
    simulation.advance(Math.min(nextUs + LOOK_US, untilUs));
    const { user, system } = process.cpuUsage(started);
    cpuUs += user + system;
  }
  return cpuUs / 1e6;
}

/** The call, and the clock around it. */
export function timed<Args extends unknown[], Result>(
  call: (...args: Args) => Result,
  clock: MillisecondClock,
  told: (tookMs: number) => void,
): (...args: Args) => Result {
  return (...args) => {
    const start = clock();
    const result = call(...args);
    told(clock() - start);
    return result;
  };
}

/** Distinct nodes with a block, as many as there are up to three, drawn from a stream of the seed. */
export function blockNodes(blocks: number, block: number, nodes: number): number[] {
  const found = new Set<number>();
  for (let counter = 0; found.size < Math.min(REPLICAS, nodes); counter++) {
    found.add(scaled(counterHash(blocks, block, counter), nodes));
  }
  return [...found];
}

const REPLICAS = 3;
