import { setImmediate as turn } from "node:timers/promises";
import { counterHash, scaled } from "../../core/kernel/index.js";
import { HEARTBEAT_US } from "./decision-case.js";

// Shared by the cases of Spark and of YARN: engines that are stepped in virtual time.

/** An engine that runs to an end in virtual time. */
interface Running {
  nextUs(): number;
  advance(untilUs: number): void;
}

/** Virtual time between two checks of the signal. */
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

/** Distinct nodes with a block, as many as there are up to three, drawn from a stream of the seed. */
export function blockNodes(blocks: number, block: number, nodes: number): number[] {
  const holders = new Set<number>();
  for (let counter = 0; holders.size < Math.min(REPLICAS, nodes); counter++) {
    holders.add(scaled(counterHash(blocks, block, counter), nodes));
  }
  return [...holders];
}

const REPLICAS = 3;
