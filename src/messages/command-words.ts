import {
  type CommandSink,
  LARGEST_OFFER,
  type LaunchDetail,
  type MapDetail,
  type ReduceDetail,
  type SoonestEnds,
  LEVELS,
} from "../core/platforms/hadoop/index.js";
import { DOUBLE_ZERO } from "../core/kernel/index.js";
import { FrameError, longAt, WordWriter } from "./frame.js";

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
export const WORDS_OF = [0, 7, 11, 4, 4, 17, 22, 5, 4, 8, 4, 5, 7, 9, 5, 5];
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

const NO_NODE = -1;
const TRANSFERS = 2;
const MILLION = 1_000_000;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Filled anew for every launch: sinks keep what they need. */
const MAP_DETAIL: Writable<MapDetail> = {
  commits: false,
  failsAt: -1,
  slowdown: 1000,
  prepareUs: 0,
  sourceNode: NO_NODE,
  inputBytes: 0,
  outputBytes: 0,
};

const REDUCE_DETAIL: Writable<ReduceDetail> = {
  commits: false,
  failsAt: -1,
  slowdown: 1000,
  prepareUs: 0,
  fetchBytes: 0,
  outputBytes: 0,
  available: 0,
  rank: 0,
};

/** Bounds that every command must keep. */
interface CommandBounds {
  readonly nodes: number;
  readonly slots: number;
  readonly sliceUs: number;
}

/**
 * Hands every command in the words to the sink that `sinkOf` names for its node. Throws FrameError at the first that is
 * not a command within the bounds.
 */
export function readCommands(
  words: Int32Array,
  length: number,
  sliceStartUs: number,
  bounds: CommandBounds,
  sinkOf: (node: number) => CommandSink | undefined,
): void {
  for (let i = 0; i < length; i += WORDS_OF[words[i]]) {
    const opcode = words[i];
    if (opcode < LAUNCH_MAP || opcode > BYTES_MOVED)
      throw new FrameError(`found command ${opcode}, allowed are 1 to 15`);
    if (i + WORDS_OF[opcode] > length) throw new FrameError(`found command ${opcode} cut short`);
    const node = words[i + 1];
    const sink = node >= 0 && node < bounds.nodes ? sinkOf(node) : undefined;
    if (sink === undefined) throw new FrameError(`found a command for node ${node}, which is not here`);
    if (!within(words[i + 3], placesOf(opcode, bounds.slots))) {
      throw new FrameError(`found a command for slot ${words[i + 3]}`);
    }
    if (!within(words[i + 2], bounds.sliceUs))
      throw new FrameError(`found a heartbeat ${words[i + 2]} us into a slice`);
    perform(words, i, sliceStartUs + words[i + 2], bounds, sink);
  }
}

/** Launches name slots, copies one of a node's transfers, all others places. */
function placesOf(opcode: number, slots: number): number {
  if (opcode === COPY_BLOCK) return TRANSFERS;
  return opcode === KILL || (opcode >= COMMIT && opcode <= RATE_PROPOSED) ? 2 * slots : slots;
}

function perform(words: Int32Array, i: number, atUs: number, bounds: CommandBounds, sink: CommandSink): void {
  const node = words[i + 1];
  const place = words[i + 3];
  switch (words[i]) {
    case LAUNCH_MAP:
    case STAGED_MAP:
      return launchMap(words, i, atUs, bounds, sink);
    case LAUNCH_REDUCE:
    case STAGED_REDUCE:
      return launchReduce(words, i, atUs, sink);
    case MAPS_FINISHED:
      return sink.mapsFinished(node, atUs, place);
    case KILL:
      return sink.kill(node, atUs, place);
    case MAPS_ADVANCED:
      return sink.mapsAdvanced(node, atUs, place, millionths(words[i + 4]));
    case COMMIT:
      return sink.commit(node, atUs, place);
    case OPEN_READ:
      return openRead(words, i, atUs, bounds, sink);
    case CLOSE_READ:
      return sink.closeRead(node, atUs, place);
    case RATE_PROPOSED:
      if (!within(words[i + 4], LARGEST_OFFER + 1)) throw new FrameError(`found the rate offer ${words[i + 4]}`);
      return sink.rateProposed(node, atUs, place, words[i + 4]);
    case COPY_BLOCK:
      return sink.copyBlock(node, atUs, place, someNode(words[i + 4], bounds, 0), longAt(words, i + 5));
    case SERVE_OUTPUT:
      return serveOutput(words, i, atUs, bounds, sink);
    case REPLICA_SENT:
      return sink.replicaSent(node, atUs, place, someBytes(words[i + 4]));
    case BYTES_MOVED:
      return sink.bytesMoved(node, atUs, place, someBytes(words[i + 4]));
  }
}

function launchMap(words: Int32Array, i: number, atUs: number, bounds: CommandBounds, sink: CommandSink): void {
  const level = words[i + 4];
  if (!within(level, LEVELS)) throw new FrameError(`found locality level ${level}`);
  const lengthUs = longAt(words, i + 5);
  if (words[i] === LAUNCH_MAP) return sink.launchMap(words[i + 1], atUs, words[i + 3], level, lengthUs, null);
  readDetail(words, i + 7, MAP_DETAIL);
  MAP_DETAIL.sourceNode = someNode(words[i + 10], bounds, NO_NODE);
  MAP_DETAIL.inputBytes = longAt(words, i + 11);
  MAP_DETAIL.outputBytes = longAt(words, i + 13);
  MAP_DETAIL.prepareUs = longAt(words, i + 15);
  sink.launchMap(words[i + 1], atUs, words[i + 3], level, lengthUs, MAP_DETAIL);
}

function launchReduce(words: Int32Array, i: number, atUs: number, sink: CommandSink): void {
  if (!within(words[i + 4], 2)) throw new FrameError(`found ${words[i + 4]} for maps done`);
  const mapsDone = words[i + 4] === 1;
  const copyUs = longAt(words, i + 5);
  const reduceUs = longAt(words, i + 7);
  const tailUs = longAt(words, i + 9);
  const [node, slot] = [words[i + 1], words[i + 3]];
  if (words[i] === LAUNCH_REDUCE) {
    return sink.launchReduce(node, atUs, slot, copyUs, reduceUs, tailUs, mapsDone, null);
  }
  readDetail(words, i + 11, REDUCE_DETAIL);
  REDUCE_DETAIL.available = millionths(words[i + 14]);
  if (words[i + 15] < 0) throw new FrameError(`found a job of rank ${words[i + 15]}`);
  REDUCE_DETAIL.rank = words[i + 15];
  REDUCE_DETAIL.fetchBytes = longAt(words, i + 16);
  REDUCE_DETAIL.outputBytes = longAt(words, i + 18);
  REDUCE_DETAIL.prepareUs = longAt(words, i + 20);
  sink.launchReduce(node, atUs, slot, copyUs, reduceUs, tailUs, mapsDone, REDUCE_DETAIL);
}

function openRead(words: Int32Array, i: number, atUs: number, bounds: CommandBounds, sink: CommandSink): void {
  const reader = someNode(words[i + 4], bounds, 0);
  const source = someNode(words[i + 5], bounds, 0);
  sink.openRead(words[i + 1], atUs, words[i + 3], reader, source, longAt(words, i + 6));
}

function serveOutput(words: Int32Array, i: number, atUs: number, bounds: CommandBounds, sink: CommandSink): void {
  const reader = someNode(words[i + 4], bounds, 0);
  sink.serveOutput(words[i + 1], atUs, words[i + 3], reader, longAt(words, i + 5), longAt(words, i + 7));
}

function readDetail(words: Int32Array, at: number, detail: Writable<LaunchDetail>): void {
  if (!within(words[at], 2)) throw new FrameError(`found ${words[at]} for a commit`);
  if (words[at + 1] !== -1) millionths(words[at + 1]);
  if (words[at + 2] < 1) throw new FrameError(`found a slow-down of ${words[at + 2]} thousandths`);
  detail.commits = words[at] === 1;
  detail.failsAt = words[at + 1];
  detail.slowdown = words[at + 2];
}

function millionths(value: number): number {
  if (!within(value, MILLION + 1)) throw new FrameError(`found ${value} millionths`);
  return value;
}

function someBytes(bytes: number): number {
  if (bytes < 0) throw new FrameError(`found ${bytes} bytes`);
  return bytes;
}

function someNode(node: number, bounds: CommandBounds, least: number): number {
  if (node < least || node >= bounds.nodes) throw new FrameError(`found a transfer with node ${node}`);
  return node;
}

function within(value: number, bound: number): boolean {
  return value >= 0 && value < bound;
}
