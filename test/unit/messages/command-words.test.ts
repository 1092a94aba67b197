import { describe, expect, it } from "vitest";
import { CommandWriter, MAX_COMMAND_BYTES, readCommands, WORDS_OF } from "../../../dist/messages/index.js";
import { MAP_DETAIL, recordingSink, REDUCE_DETAIL } from "../../support/recording-sink.js";

function written(fill: (writer: CommandWriter) => void, sliceStartUs = 5000): Int32Array {
  const writer = new CommandWriter();
  writer.open(sliceStartUs);
  fill(writer);
  return Int32Array.from(writer.words.subarray(0, writer.length));
}

function read(words: Int32Array, length = words.length): unknown[] {
  const { told, sink } = recordingSink();
  readCommands(words, length, 5000, () => sink);
  return told;
}

const launch = (writer: CommandWriter): void => writer.launchMap(3, 5010, 17, 2, 99, null);
const stagedMap = (writer: CommandWriter): void => writer.launchMap(3, 5010, 17, 2, 99, MAP_DETAIL);
const stagedReduce = (writer: CommandWriter): void => writer.launchReduce(3, 5010, 17, 1, 2, 3, false, REDUCE_DETAIL);

describe("commands", () => {
  it("come back as given, times beyond 32 bits too", () => {
    const big = 2 ** 53 - 1;
    const words = written((writer) => {
      writer.launchMap(3, 5999, 17, 2, big, null);
      writer.launchReduce(0, 5000, 49, big, 2 ** 32, 2 ** 31, true, null);
      writer.launchReduce(1, 5001, 0, 0, 1, 0, false, null);
      writer.mapsFinished(8, 5500, 4);
      writer.kill(2, 5999, 49);
      writer.kill(0, 5000, 0);
    });
    expect(read(words)).toEqual([
      ["launchMap", 3, 5999, 17, 2, big, null],
      ["launchReduce", 0, 5000, 49, big, 2 ** 32, 2 ** 31, true, null],
      ["launchReduce", 1, 5001, 0, 0, 1, 0, false, null],
      ["mapsFinished", 8, 5500, 4],
      ["kill", 2, 5999, 49],
      ["kill", 0, 5000, 0],
    ]);
  });

  it("of attempts in stages come back with every detail, those of the last place of all too", () => {
    const words = written((writer) => {
      stagedMap(writer);
      writer.launchMap(0, 5000, 0, 3, 1, { ...MAP_DETAIL, commits: false, failsAt: -1, sourceNode: -1 });
      writer.launchMap(0, 5000, 0, 0, 1, { ...MAP_DETAIL, failsAt: 1_000_000, slowdown: 2 ** 31 - 1 });
      stagedReduce(writer);
      writer.launchReduce(3, 5010, 17, 1, 2, 3, true, { ...REDUCE_DETAIL, commits: true, available: 1_000_000 });
      writer.mapsAdvanced(1, 5001, 49, 999_999);
      writer.commit(2, 5002, 99);
      writer.kill(2, 5002, 99);
      writer.openRead(4, 5003, 99, 9, 4, 2 ** 40 + 1);
      writer.closeRead(4, 5004, 99);
      writer.rateProposed(4, 5005, 99, 0x7f800003);
      writer.copyBlock(4, 5006, 1, 9, 2 ** 27);
      writer.serveOutput(4, 5007, 49, 9, 2 ** 40, 2 ** 41 + 1);
      writer.replicaSent(4, 5008, 49, 2 ** 31 - 1);
      writer.bytesMoved(4, 5009, 0, 1);
    });
    expect(read(words)).toEqual([
      ["launchMap", 3, 5010, 17, 2, 99, MAP_DETAIL],
      ["launchMap", 0, 5000, 0, 3, 1, { ...MAP_DETAIL, commits: false, failsAt: -1, sourceNode: -1 }],
      ["launchMap", 0, 5000, 0, 0, 1, { ...MAP_DETAIL, failsAt: 1_000_000, slowdown: 2 ** 31 - 1 }],
      ["launchReduce", 3, 5010, 17, 1, 2, 3, false, REDUCE_DETAIL],
      ["launchReduce", 3, 5010, 17, 1, 2, 3, true, { ...REDUCE_DETAIL, commits: true, available: 1_000_000 }],
      ["mapsAdvanced", 1, 5001, 49, 999_999],
      ["commit", 2, 5002, 99],
      ["kill", 2, 5002, 99],
      ["openRead", 4, 5003, 99, 9, 4, 2 ** 40 + 1],
      ["closeRead", 4, 5004, 99],
      ["rateProposed", 4, 5005, 99, 0x7f800003],
      ["copyBlock", 4, 5006, 1, 9, 2 ** 27],
      ["serveOutput", 4, 5007, 49, 9, 2 ** 40, 2 ** 41 + 1],
      ["replicaSent", 4, 5008, 49, 2 ** 31 - 1],
      ["bytesMoved", 4, 5009, 0, 1],
    ]);
  });

  it("come back from a slice that starts decades into a run", () => {
    const start = 2 ** 52;
    const words = written((writer) => writer.launchMap(1, start + 999, 2, 0, 7, null), start);
    const { told, sink } = recordingSink();
    readCommands(words, words.length, start, () => sink);
    expect(told).toEqual([["launchMap", 1, start + 999, 2, 0, 7, null]]);
  });

  it("never take more bytes than the rings allow for", () => {
    expect(written(stagedReduce).length * 4).toBe(MAX_COMMAND_BYTES);
    expect(Math.max(...WORDS_OF) * 4).toBe(MAX_COMMAND_BYTES);
  });

  it("are forgotten when the next slice opens", () => {
    const writer = new CommandWriter();
    writer.open(0);
    for (let i = 0; i < 500; i++) writer.launchMap(1, 1, 1, 1, i, MAP_DETAIL);
    writer.open(1000);
    expect([writer.length, writer.bytes().length]).toEqual([0, 0]);
  });

  it("read only the words that count", () => {
    const words = Int32Array.from([...written(launch), 77, 77]);
    expect(read(words, 7)).toEqual([["launchMap", 3, 5010, 17, 2, 99, null]]);
  });
});
