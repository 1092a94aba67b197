import type { CommandSink } from "../../dist/core/platforms/hadoop/index.js";

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
