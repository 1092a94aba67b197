import { assert } from "../../kernel/assert.js";
import type { CommandSink, MapDetail, ReduceDetail } from "../commands.js";
import type { RackState } from "./rack-state.js";

const ALL = 1_000_000;
const NOT_STAGED = "a launch says nothing of stages";

/** What commands do to a rack: what concerns their own node at once, everything else one lookahead later. */
export class RackCommands implements CommandSink {
  constructor(private readonly state: RackState) {}

  launchMap(node: number, atUs: number, slot: number, level: number, lengthUs: number, detail: MapDetail | null): void {
    assert(detail !== null, NOT_STAGED);
    const { state } = this;
    const place = state.placeOf(slot, node);
    if (state.faults.hasCrashedSince(node, atUs)) return;
    state.runs.launchMap(node, atUs, place, level, lengthUs, detail);
    state.news.launched(place, node, Math.max(atUs, state.calendar.floorUs));
    const { sourceNode, inputBytes } = detail;
    if (state.io === null || sourceNode < 0 || inputBytes === 0 || state.isHere(sourceNode)) return;
    state.defer("open", node, atUs, slot, sourceNode, inputBytes);
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
    assert(detail !== null, NOT_STAGED);
    const { state } = this;
    const place = state.placeOf(slot, node);
    if (state.faults.hasCrashedSince(node, atUs)) return;
    state.runs.launchReduce(atUs, place, copyUs, reduceUs, tailUs, mapsDone, detail);
    state.news.launched(place, node, Math.max(atUs, state.calendar.floorUs));
  }

  mapsAdvanced(node: number, atUs: number, slot: number, available: number): void {
    this.advance(node, atUs, slot, available);
  }

  mapsFinished(node: number, atUs: number, slot: number): void {
    this.advance(node, atUs, slot, ALL);
  }

  kill(node: number, atUs: number, place: number): void {
    const { state } = this;
    const local = state.placeOf(place, node);
    if (state.faults.hasCrashedSince(node, atUs)) return;
    const holdsSlot = local < state.table.slots;
    // A kill that was held back may have missed: the attempt has ended, or it is another that asks there by now.
    if (state.isLate && !state.runs.isAlive(local)) return;
    if (!holdsSlot && state.table.sinceUs[local] > atUs) return;
    state.runs.kill(local, atUs, holdsSlot ? atUs + state.lookaheadUs : atUs + 1);
    if (holdsSlot) state.defer("release", node, atUs, place, 0, 0);
  }

  commit(node: number, atUs: number, place: number): void {
    if (!this.state.faults.hasCrashedSince(node, atUs)) this.state.runs.commit(this.state.placeOf(place, node), atUs);
  }

  openRead(node: number, atUs: number, place: number, reader: number, bytes: number): void {
    this.state.defer("open", node, atUs, place, reader, bytes);
  }

  closeRead(node: number, atUs: number, place: number): void {
    this.state.defer("close", node, atUs, place, 0, 0);
  }

  offered(node: number, atUs: number, place: number, kibPerSecond: number): void {
    this.state.defer("offer", node, atUs, place, kibPerSecond, 0);
  }

  copyBlock(node: number, atUs: number, transfer: number, source: number, bytes: number): void {
    this.state.defer("copy", node, atUs, transfer, source, bytes);
  }

  /** In the light model a notice is a matter between master and reduce; bytes that flow are everybody's. */
  private advance(node: number, atUs: number, slot: number, available: number): void {
    const { state } = this;
    const place = state.placeOf(slot, node);
    if (state.faults.hasCrashedSince(node, atUs)) return;
    if (state.io === null) state.runs.mapsAdvanced(place, atUs, available, available === ALL);
    else state.defer("advance", node, atUs, slot, available, 0);
  }
}
