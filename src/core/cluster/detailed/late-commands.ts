import type { CommandSink, MapDetail, ReduceDetail } from "../commands.js";
import { EventSet } from "../../kernel/event-set.js";
import type { ReportCalendar } from "./report-calendar.js";

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

  offered(node: number, atUs: number, place: number, kibPerSecond: number): void {
    this.inner.offered(node, atUs, place, kibPerSecond);
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
