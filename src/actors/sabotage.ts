import { Buffer } from "node:buffer";

/** A way for a rack thread to die, for tests of what happens then. */
export interface Sabotage {
  /** Virtual time from which on it strikes. */
  readonly atUs: number;
  readonly how: "throw" | "exit" | "out-of-memory";
}

/** Whose thread is to die. A thread that takes the place of one that died is struck by the next of those for its racks. */
export interface Strike {
  readonly rack: number;
  readonly how: Sabotage;
}

/** Strikes if virtual time has come so far. */
export function strikeAt(sabotage: Sabotage, nowUs: number): void {
  if (nowUs < sabotage.atUs) return;
  if (sabotage.how === "throw") throw new Error("sabotage: an exception in the rack actor");
  // eslint-disable-next-line no-restricted-properties -- in a worker it ends the thread, which is the point
  if (sabotage.how === "exit") process.exit(7);
  const hoard: unknown[] = [];
  for (;;) hoard.push(new Array(1 << 16).fill(Buffer.from("sabotage").toString()));
}
