import type { CommandSink, LaunchDetail, MapDetail, ReduceDetail } from "../core/cluster/commands.js";
import type { SoonestEnds } from "../core/cluster/lookahead.js";
import { DOUBLE_ZERO } from "../core/kernel/time.js";
import {
  CLOSE_READ,
  COMMIT,
  COPY_BLOCK,
  KILL,
  LAUNCH_MAP,
  LAUNCH_REDUCE,
  MAPS_ADVANCED,
  MAPS_FINISHED,
  OFFERED,
  OPEN_READ,
  STAGED_MAP,
  STAGED_REDUCE,
  WORDS_OF,
} from "./command-codes.js";
import { WordWriter } from "./words.js";

/** Collects commands, of one slice or of several in a row, as packed words. */
export class CommandWriter extends WordWriter implements CommandSink {
  /** Before this nothing that the commands cause is reported; 0: only the lookahead says when. */
  showsUs = Infinity;
  private sliceStartUs = DOUBLE_ZERO;

  /** `soonest`: null where racks do not promise more than the lookahead. */
  constructor(private readonly soonest: SoonestEnds | null = null) {
    super();
  }

  /** Begins anew: times count from the start of a slice. */
  open(sliceStartUs: number): void {
    this.sliceStartUs = sliceStartUs;
    this.length = 0;
    this.showsUs = Infinity;
  }

  launchMap(node: number, atUs: number, slot: number, level: number, lengthUs: number, detail: MapDetail | null): void {
    this.begin(detail === null ? LAUNCH_MAP : STAGED_MAP, node, atUs, slot);
    this.showsAt(this.soonest === null ? 0 : this.soonest.ofMapUs(atUs, lengthUs));
    this.words[this.length++] = level;
    this.pushLong(lengthUs);
    if (detail === null) return;
    this.pushDetail(detail);
    this.words[this.length++] = detail.sourceNode;
    this.pushLong(detail.inputBytes);
    this.pushLong(detail.outputBytes);
    this.pushLong(detail.prepareUs);
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
    this.begin(detail === null ? LAUNCH_REDUCE : STAGED_REDUCE, node, atUs, slot);
    this.showsAt(this.soonest === null ? 0 : this.soonest.ofReduceUs(atUs, slot, copyUs, reduceUs, mapsDone));
    this.words[this.length++] = mapsDone ? 1 : 0;
    this.pushLong(copyUs);
    this.pushLong(reduceUs);
    this.pushLong(tailUs);
    if (detail === null) return;
    this.pushDetail(detail);
    this.words[this.length++] = detail.available;
    this.words[this.length++] = detail.rank;
    this.pushLong(detail.fetchBytes);
    this.pushLong(detail.outputBytes);
    this.pushLong(detail.prepareUs);
  }

  mapsAdvanced(node: number, atUs: number, slot: number, available: number): void {
    this.beginSoon(MAPS_ADVANCED, node, atUs, slot);
    this.words[this.length++] = available;
  }

  mapsFinished(node: number, atUs: number, slot: number): void {
    this.begin(MAPS_FINISHED, node, atUs, slot);
    this.showsAt(this.soonest === null ? 0 : this.soonest.afterMaps(atUs, slot));
  }

  kill(node: number, atUs: number, place: number): void {
    this.beginSoon(KILL, node, atUs, place);
  }

  commit(node: number, atUs: number, place: number): void {
    this.beginSoon(COMMIT, node, atUs, place);
  }

  openRead(node: number, atUs: number, place: number, reader: number, bytes: number): void {
    this.beginSoon(OPEN_READ, node, atUs, place);
    this.words[this.length++] = reader;
    this.pushLong(bytes);
  }

  closeRead(node: number, atUs: number, place: number): void {
    this.beginSoon(CLOSE_READ, node, atUs, place);
  }

  offered(node: number, atUs: number, place: number, kibPerSecond: number): void {
    this.beginSoon(OFFERED, node, atUs, place);
    this.words[this.length++] = kibPerSecond;
  }

  copyBlock(node: number, atUs: number, transfer: number, source: number, bytes: number): void {
    this.beginSoon(COPY_BLOCK, node, atUs, transfer);
    this.words[this.length++] = source;
    this.pushLong(bytes);
  }

  private pushDetail({ commits, failsAt, slowdown }: LaunchDetail): void {
    this.words[this.length++] = commits ? 1 : 0;
    this.words[this.length++] = failsAt;
    this.words[this.length++] = slowdown;
  }

  private showsAt(us: number): void {
    if (us < this.showsUs) this.showsUs = us;
  }

  private beginSoon(opcode: number, node: number, atUs: number, slot: number): void {
    this.showsUs = 0;
    this.begin(opcode, node, atUs, slot);
  }

  private begin(opcode: number, node: number, atUs: number, slot: number): void {
    this.reserve(WORDS_OF[opcode]);
    const { words } = this;
    words[this.length++] = opcode;
    words[this.length++] = node;
    words[this.length++] = atUs - this.sliceStartUs;
    words[this.length++] = slot;
  }
}
