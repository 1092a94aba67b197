import type { CommandSink } from "../core/cluster/commands.js";
import { DOUBLE_ZERO } from "../core/kernel/time.js";
import { FrameError } from "./frame.js";
import { longAt, WordWriter } from "./words.js";

const LAUNCH_MAP = 1;
const LAUNCH_REDUCE = 2;
const MAPS_FINISHED = 3;
const KILL = 4;
/** Words of each command: opcode, node, heartbeat time since the slice began, slot, then operands. */
const WORDS_OF = [0, 7, 11, 4, 4];
const FARTHEST_LEVEL = 3;

/** The longest command, in bytes. */
export const MAX_COMMAND_BYTES = 44;

/** Collects the commands of one slice as packed words. */
export class CommandWriter extends WordWriter implements CommandSink {
  private sliceStartUs = DOUBLE_ZERO;

  open(sliceStartUs: number): void {
    this.sliceStartUs = sliceStartUs;
    this.length = 0;
  }

  launchMap(node: number, atUs: number, slot: number, level: number, lengthUs: number): void {
    this.begin(LAUNCH_MAP, node, atUs, slot);
    this.words[this.length++] = level;
    this.pushLong(lengthUs);
  }

  launchReduce(
    node: number,
    atUs: number,
    slot: number,
    copyUs: number,
    reduceUs: number,
    tailUs: number,
    mapsDone: boolean,
  ): void {
    this.begin(LAUNCH_REDUCE, node, atUs, slot);
    this.words[this.length++] = mapsDone ? 1 : 0;
    this.pushLong(copyUs);
    this.pushLong(reduceUs);
    this.pushLong(tailUs);
  }

  mapsFinished(node: number, atUs: number, slot: number): void {
    this.begin(MAPS_FINISHED, node, atUs, slot);
  }

  kill(node: number, atUs: number, slot: number): void {
    this.begin(KILL, node, atUs, slot);
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

/** Bounds that every command must keep. */
export interface CommandBounds {
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
    if (opcode < LAUNCH_MAP || opcode > KILL) throw new FrameError(`found command ${opcode}, allowed are 1 to 4`);
    if (i + WORDS_OF[opcode] > length) throw new FrameError(`found command ${opcode} cut short`);
    const node = words[i + 1];
    const slot = words[i + 3];
    const sink = node >= 0 && node < bounds.nodes ? sinkOf(node) : undefined;
    if (sink === undefined) throw new FrameError(`found a command for node ${node}, which is not here`);
    if (!(slot >= 0 && slot < bounds.slots)) throw new FrameError(`found a command for slot ${slot}`);
    if (!(words[i + 2] >= 0 && words[i + 2] < bounds.sliceUs)) {
      throw new FrameError(`found a heartbeat ${words[i + 2]} us into a slice`);
    }
    perform(words, i, sliceStartUs + words[i + 2], sink);
  }
}

function perform(words: Int32Array, i: number, atUs: number, sink: CommandSink): void {
  const node = words[i + 1];
  const slot = words[i + 3];
  if (words[i] === LAUNCH_MAP) {
    const level = words[i + 4];
    if (!(level >= 0 && level <= FARTHEST_LEVEL)) throw new FrameError(`found locality level ${level}`);
    sink.launchMap(node, atUs, slot, level, longAt(words, i + 5));
  } else if (words[i] === LAUNCH_REDUCE) {
    if (words[i + 4] !== 0 && words[i + 4] !== 1) throw new FrameError(`found ${words[i + 4]} for maps done`);
    const mapsDone = words[i + 4] === 1;
    sink.launchReduce(node, atUs, slot, longAt(words, i + 5), longAt(words, i + 7), longAt(words, i + 9), mapsDone);
  } else if (words[i] === MAPS_FINISHED) {
    sink.mapsFinished(node, atUs, slot);
  } else {
    sink.kill(node, atUs, slot);
  }
}
