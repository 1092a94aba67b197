import type { CommandSink, MapDetail, ReduceDetail } from "../../dist/core/platforms/hadoop/index.js";

type Call = readonly [name: string, ...operands: unknown[]];

/** Every command there is, in the order of the opcodes. */
const COMMAND_NAMES = [
  ...["launchMap", "launchReduce", "mapsFinished", "kill", "mapsAdvanced", "commit"],
  ...["openRead", "closeRead", "rateProposed", "copyBlock", "serveOutput", "replicaSent", "bytesMoved"],
] as const satisfies readonly (keyof CommandSink)[];

/** A sink that keeps every call. */
export function recordingSink(): { told: Call[]; sink: CommandSink } {
  const told: Call[] = [];
  // Details are valid during the call only: what is kept is a copy.
  const kept = (operand: unknown): unknown =>
    operand !== null && typeof operand === "object" ? { ...operand } : operand;
  const entries = COMMAND_NAMES.map((name) => [name, (...of: unknown[]) => void told.push([name, ...of.map(kept)])]);
  return { told, sink: Object.fromEntries(entries) as unknown as CommandSink };
}

/** A map in stages that reads from node 5. */
export const MAP_DETAIL: MapDetail = {
  commits: true,
  failsAt: 250_000,
  slowdown: 3000,
  prepareUs: 2 ** 33,
  sourceNode: 5,
  inputBytes: 2 ** 40,
  outputBytes: 2 ** 33 + 1,
};

/** A reduce in stages. */
export const REDUCE_DETAIL: ReduceDetail = {
  commits: false,
  failsAt: -1,
  slowdown: 1000,
  prepareUs: 0,
  fetchBytes: 2 ** 41 + 3,
  outputBytes: 2 ** 34,
  available: 500_000,
  rank: 20_000_007,
};
