import { EventSet } from "../../kernel/event-set.js";

/** What a command does to anything but its own node's next heartbeat happens one lookahead after it. */
export type DeferredKind = "release" | "advance" | "open" | "close" | "offer" | "copy";

export interface Deferred {
  readonly kind: DeferredKind;
  readonly atUs: number;
  readonly node: number;
  /** As the command said it: a place in the cluster, or the number of a transfer. */
  readonly place: number;
  /** When it was sent. */
  readonly orderedUs: number;
  /** By kind: millionths that are there; the other end of a read; KiB/s; the source of a copy. */
  readonly value: number;
  readonly bytes: number;
}

/** Commands whose effect is still to come, in the order (time, arrival); they arrive in the one order of the run. */
export class DeferredCommands {
  private readonly due = new EventSet(16);
  private readonly held: Deferred[] = [];
  private readonly free: number[] = [];
  private arrivals = 0;

  nextUs(): number {
    return this.due.peekAtUs();
  }

  add(command: Deferred): void {
    const cell = this.free.pop() ?? this.held.length;
    this.held[cell] = command;
    this.due.add(cell, command.atUs, this.arrivals++);
  }

  take(): Deferred {
    const cell = this.due.pop();
    this.free.push(cell);
    return this.held[cell];
  }
}
