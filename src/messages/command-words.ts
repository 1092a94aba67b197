import {
  type CommandSink,
  type LaunchDetail,
  type MapDetail,
  NO_MAP_DETAIL,
  NO_REDUCE_DETAIL,
  type ReduceDetail,
  type SoonestEnds,
  type Writable,
} from "../core/platforms/hadoop/index.js";
import { DOUBLE_ZERO } from "../core/kernel/index.js";
import { longAt, WordWriter } from "./frame.js";

/** Opcodes of commands. A staged launch is one for racks that simulate attempts in stages. */
const LAUNCH_MAP = 1;
const LAUNCH_REDUCE = 2;
const MAPS_FINISHED = 3;
const KILL = 4;
const STAGED_MAP = 5;
const STAGED_REDUCE = 6;
const MAPS_ADVANCED = 7;
const COMMIT = 8;
const OPEN_READ = 9;
const CLOSE_READ = 10;
const RATE_PROPOSED = 11;
const COPY_BLOCK = 12;
const SERVE_OUTPUT = 13;
const REPLICA_SENT = 14;
const BYTES_MOVED = 15;
/** Words of each command: opcode, node, heartbeat time since the slice began, slot or place, then operands. */
const WORDS_OF = [0, 7, 11, 4, 4, 17, 22, 5, 4, 8, 4, 5, 7, 9, 5, 5];
/** The longest command, in bytes. */
export const MAX_COMMAND_BYTES = 88;

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

  openRead(node: number, atUs: number, place: number, reader: number, source: number, bytes: number): void {
    this.beginSoon(OPEN_READ, node, atUs, place);
    this.words[this.length++] = reader;
    this.words[this.length++] = source;
    this.pushLong(bytes);
  }

  closeRead(node: number, atUs: number, place: number): void {
    this.beginSoon(CLOSE_READ, node, atUs, place);
  }

  rateProposed(node: number, atUs: number, place: number, offer: number): void {
    this.beginSoon(RATE_PROPOSED, node, atUs, place);
    this.words[this.length++] = offer;
  }

  copyBlock(node: number, atUs: number, transfer: number, source: number, bytes: number): void {
    this.beginSoon(COPY_BLOCK, node, atUs, transfer);
    this.words[this.length++] = source;
    this.pushLong(bytes);
  }

  serveOutput(node: number, atUs: number, slot: number, reader: number, fromUs: number, bytes: number): void {
    this.beginSoon(SERVE_OUTPUT, node, atUs, slot);
    this.words[this.length++] = reader;
    this.pushLong(fromUs);
    this.pushLong(bytes);
  }

  replicaSent(node: number, atUs: number, slot: number, bytes: number): void {
    this.beginSoon(REPLICA_SENT, node, atUs, slot);
    this.words[this.length++] = bytes;
  }

  bytesMoved(node: number, atUs: number, slot: number, bytes: number): void {
    this.beginSoon(BYTES_MOVED, node, atUs, slot);
    this.words[this.length++] = bytes;
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

/** Filled anew for every launch: sinks keep what they need. */
const MAP_DETAIL: Writable<MapDetail> = { ...NO_MAP_DETAIL };
const REDUCE_DETAIL: Writable<ReduceDetail> = { ...NO_REDUCE_DETAIL };

/** Hands every command in the words to the sink that `sinkOf` names for its node. */
export function readCommands(
  words: Int32Array,
  length: number,
  sliceStartUs: number,
  sinkOf: (node: number) => CommandSink,
): void {
  for (let i = 0; i < length; i += WORDS_OF[words[i]]) {
    perform(words, i, sliceStartUs + words[i + 2], sinkOf(words[i + 1]));
  }
}

function perform(words: Int32Array, i: number, atUs: number, sink: CommandSink): void {
  const node = words[i + 1];
  const place = words[i + 3];
  const value = words[i + 4];
  switch (words[i]) {
    case LAUNCH_MAP:
      return sink.launchMap(node, atUs, place, value, longAt(words, i + 5), null);
    case STAGED_MAP:
      readDetail(words, i + 7, MAP_DETAIL);
      MAP_DETAIL.sourceNode = words[i + 10];
      MAP_DETAIL.inputBytes = longAt(words, i + 11);
      MAP_DETAIL.outputBytes = longAt(words, i + 13);
      MAP_DETAIL.prepareUs = longAt(words, i + 15);
      return sink.launchMap(node, atUs, place, value, longAt(words, i + 5), MAP_DETAIL);
    case LAUNCH_REDUCE:
      return launchReduce(words, i, atUs, sink, null);
    case STAGED_REDUCE:
      readDetail(words, i + 11, REDUCE_DETAIL);
      REDUCE_DETAIL.available = words[i + 14];
      REDUCE_DETAIL.rank = words[i + 15];
      REDUCE_DETAIL.fetchBytes = longAt(words, i + 16);
      REDUCE_DETAIL.outputBytes = longAt(words, i + 18);
      REDUCE_DETAIL.prepareUs = longAt(words, i + 20);
      return launchReduce(words, i, atUs, sink, REDUCE_DETAIL);
    case MAPS_FINISHED:
      return sink.mapsFinished(node, atUs, place);
    case KILL:
      return sink.kill(node, atUs, place);
    case MAPS_ADVANCED:
      return sink.mapsAdvanced(node, atUs, place, value);
    case COMMIT:
      return sink.commit(node, atUs, place);
    case OPEN_READ:
      return sink.openRead(node, atUs, place, value, words[i + 5], longAt(words, i + 6));
    case CLOSE_READ:
      return sink.closeRead(node, atUs, place);
    case RATE_PROPOSED:
      return sink.rateProposed(node, atUs, place, value);
    case COPY_BLOCK:
      return sink.copyBlock(node, atUs, place, value, longAt(words, i + 5));
    case SERVE_OUTPUT:
      return sink.serveOutput(node, atUs, place, value, longAt(words, i + 5), longAt(words, i + 7));
    case REPLICA_SENT:
      return sink.replicaSent(node, atUs, place, value);
    case BYTES_MOVED:
      return sink.bytesMoved(node, atUs, place, value);
  }
}

function launchReduce(
  words: Int32Array,
  i: number,
  atUs: number,
  sink: CommandSink,
  detail: ReduceDetail | null,
): void {
  const [copyUs, reduceUs, tailUs] = [longAt(words, i + 5), longAt(words, i + 7), longAt(words, i + 9)];
  sink.launchReduce(words[i + 1], atUs, words[i + 3], copyUs, reduceUs, tailUs, words[i + 4] === 1, detail);
}

function readDetail(words: Int32Array, start: number, detail: Writable<LaunchDetail>): void {
  detail.commits = words[start] === 1;
  detail.failsAt = words[start + 1];
  detail.slowdown = words[start + 2];
}
