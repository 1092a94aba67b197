import { EventSet } from "../../kernel/event-set.js";
import type { CommandSink, MapDetail, ReduceDetail } from "../protocol.js";
import type { ReportCalendar } from "./attempts.js";

/** What a command does to anything but its own node's next heartbeat happens one lookahead after it. */
export type DeferredKind = "release" | "advance" | "open" | "close" | "rate" | "copy";

interface Deferred {
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

/**
 * Holds every command back for one lookahead. With out-of-band heartbeats the next heartbeat of a node may come sooner than that after a
 * reply, and must not tell what the reply has caused, for the rack may not have got it yet. What a command does still
 * counts from the reply, but for a kill, which meets whatever runs when it takes effect.
 */
export class LateCommands implements CommandSink {
  private readonly due = new EventSet(64);
  private readonly held: (() => void)[] = [];
  private readonly free: number[] = [];
  private arrivals = 0;

  constructor(
    private readonly inner: CommandSink,
    private readonly calendar: ReportCalendar,
    private readonly lookaheadUs: number,
    /** Slots of the cluster: places from there on belong to attempts that commit. */
    private readonly slots: number,
  ) {}

  nextUs(): number {
    return this.due.peekAtUs();
  }

  /** The command whose time has come takes effect. */
  run(): void {
    this.calendar.floorUs = this.due.peekAtUs();
    const cell = this.due.pop();
    this.free.push(cell);
    this.held[cell]();
  }

  launchMap(node: number, atUs: number, slot: number, level: number, lengthUs: number, detail: MapDetail | null): void {
    const kept = detail === null ? null : { ...detail };
    this.hold(atUs, () => this.inner.launchMap(node, atUs, slot, level, lengthUs, kept));
  }

  launchReduce(
    node: number,
    atUs: number,
    slot: number,
    copyUs: number,
    reduceUs: number,
    tailUs: number,
    mapsDone: boolean,
    detail: ReduceDetail | null,
  ): void {
    const kept = detail === null ? null : { ...detail };
    this.hold(atUs, () => this.inner.launchReduce(node, atUs, slot, copyUs, reduceUs, tailUs, mapsDone, kept));
  }

  mapsAdvanced(node: number, atUs: number, slot: number, available: number): void {
    this.hold(atUs, () => this.inner.mapsAdvanced(node, atUs, slot, available));
  }

  mapsFinished(node: number, atUs: number, slot: number): void {
    this.hold(atUs, () => this.inner.mapsFinished(node, atUs, slot));
  }

  kill(node: number, atUs: number, place: number): void {
    // An attempt that asked in vain to commit ends with the reply: the next one in its slot may ask before long.
    const endUs = place < this.slots ? atUs + this.lookaheadUs : atUs;
    this.hold(atUs, () => this.inner.kill(node, endUs, place));
  }

  commit(node: number, atUs: number, place: number): void {
    this.hold(atUs, () => this.inner.commit(node, atUs, place));
  }

  openRead(node: number, atUs: number, place: number, reader: number, bytes: number): void {
    this.inner.openRead(node, atUs, place, reader, bytes);
  }

  closeRead(node: number, atUs: number, place: number): void {
    this.inner.closeRead(node, atUs + this.lookaheadUs, place);
  }

  rateProposed(node: number, atUs: number, place: number, kibPerSecond: number): void {
    this.inner.rateProposed(node, atUs, place, kibPerSecond);
  }

  copyBlock(node: number, atUs: number, transfer: number, source: number, bytes: number): void {
    this.inner.copyBlock(node, atUs, transfer, source, bytes);
  }

  private hold(atUs: number, effect: () => void): void {
    const cell = this.free.pop() ?? this.held.length;
    this.held[cell] = effect;
    this.due.add(cell, atUs + this.lookaheadUs, this.arrivals++);
  }
}
