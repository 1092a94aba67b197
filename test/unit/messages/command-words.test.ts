import { describe, expect, it } from "vitest";
import { LARGEST_OFFER } from "../../../dist/core/platforms/hadoop/index.js";
import { CommandWriter, MAX_COMMAND_BYTES, readCommands, WORDS_OF, FrameError } from "../../../dist/messages/index.js";
import { MAP_DETAIL, recordingSink, REDUCE_DETAIL } from "../../support/recording-sink.js";

const BOUNDS = { nodes: 10, slots: 50, sliceUs: 1000 };

function written(fill: (writer: CommandWriter) => void, sliceStartUs = 5000): Int32Array {
  const writer = new CommandWriter();
  writer.open(sliceStartUs);
  fill(writer);
  return Int32Array.from(writer.words.subarray(0, writer.length));
}

function read(words: Int32Array, length = words.length): unknown[] {
  const { told, sink } = recordingSink();
  readCommands(words, length, 5000, BOUNDS, (node) => (node === 9 ? undefined : sink));
  return told;
}

/** The words of one command, changed as `changes` says: index, value. */
function changed(fill: (writer: CommandWriter) => void, ...changes: [at: number, value: number][]): number[] {
  const words = [...written(fill)];
  for (const [at, value] of changes) words[at] = value;
  return words;
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
      writer.rateProposed(4, 5005, 99, LARGEST_OFFER);
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
      ["rateProposed", 4, 5005, 99, LARGEST_OFFER],
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
    readCommands(words, words.length, start, BOUNDS, () => sink);
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

  it.each([
    ["opcode 0", changed(launch, [0, 0]), "found command 0"],
    ["opcode 16", changed(launch, [0, 16]), "found command 16, allowed are 1 to 15"],
    ["opcode -1", changed(launch, [0, -1]), "found command -1"],
    ["node -1", changed(launch, [1, -1]), "node -1"],
    ["node 10 of 10", changed(launch, [1, 10]), "node 10"],
    ["a node of another host", changed(launch, [1, 9]), "node 9, which is not here"],
    ["a heartbeat before the slice", changed(launch, [2, -1]), "-1 us into a slice"],
    ["a heartbeat after it", changed(launch, [2, 1000]), "1000 us into a slice"],
    ["slot -1", changed(launch, [3, -1]), "slot -1"],
    ["slot 50 of 50", changed(launch, [3, 50]), "slot 50"],
    ["level 5", changed(launch, [4, 5]), "level 5"],
    ["level -1", changed(launch, [4, -1]), "level -1"],
    ["a word too few", changed(launch).slice(0, -1), "cut short"],
    ["a word too many", [...changed(launch), 1], "cut short"],
    ["an opcode alone", [3], "cut short"],
    ["half a kill", [...changed(launch), 4, 3, 10], "command 4 cut short"],
    ["a kill of place 100 of 2 x 50", [4, 3, 10, 100], "slot 100"],
    ["a kill of slot -1", [4, 3, 10, -1], "slot -1"],
    ["a kill on a node of another host", [4, 9, 10, 17], "node 9, which is not here"],
    ["a kill after the slice", [4, 3, 1000, 17], "1000 us into a slice"],
    ["the end of maps for what commits", [3, 3, 10, 50], "slot 50"],
  ])("with %s are refused", (_, words, message) => {
    expect(() => read(Int32Array.from(words))).toThrow(FrameError);
    expect(() => read(Int32Array.from(words))).toThrow(message);
  });

  it.each([
    ["a map in the place of what commits", changed(stagedMap, [3, 50]), "slot 50"],
    ["a map that commits twice", changed(stagedMap, [7, 2]), "found 2 for a commit"],
    ["a map that commits minus once", changed(stagedMap, [7, -1]), "found -1 for a commit"],
    ["a map that fails before it starts", changed(stagedMap, [8, -2]), "found -2 millionths"],
    ["a map that fails after its end", changed(stagedMap, [8, 1_000_001]), "found 1000001 millionths"],
    ["a map that takes no time", changed(stagedMap, [9, 0]), "slow-down of 0"],
    ["a map that reads from node 10 of 10", changed(stagedMap, [10, 10]), "transfer with node 10"],
    ["a map that reads from node -2", changed(stagedMap, [10, -2]), "transfer with node -2"],
    ["input beyond 2^53 bytes", changed(stagedMap, [12, 2 ** 21 + 1]), "where a time belongs"],
    ["input below 0 bytes", changed(stagedMap, [12, -1]), "where a time belongs"],
    ["output below 0 bytes", changed(stagedMap, [14, -1]), "where a time belongs"],
    ["less than no time for a file", changed(stagedMap, [16, -1]), "where a time belongs"],
    ["half a map in stages", changed(stagedMap).slice(0, 14), "command 5 cut short"],
    ["a level 5 in stages", changed(stagedMap, [4, 5]), "level 5"],
    ["a reduce in the place of what commits", changed(stagedReduce, [3, 99]), "slot 99"],
    ["maps that are done twice", changed(stagedReduce, [4, 2]), "found 2 for maps done"],
    ["a reduce that commits twice", changed(stagedReduce, [11, 2]), "found 2 for a commit"],
    ["a reduce that fails after its end", changed(stagedReduce, [12, 2 ** 30]), "millionths"],
    ["a reduce that takes less than no time", changed(stagedReduce, [13, -1000]), "slow-down of -1000"],
    ["more output available than there is", changed(stagedReduce, [14, 1_000_001]), "found 1000001 millionths"],
    ["less output available than none", changed(stagedReduce, [14, -1]), "found -1 millionths"],
    ["a job before the first", changed(stagedReduce, [15, -1]), "rank -1"],
    ["a fetch below 0 bytes", changed(stagedReduce, [17, -1]), "where a time belongs"],
    ["a wait for a file beyond 2^53", changed(stagedReduce, [21, 2 ** 21 + 1]), "where a time belongs"],
    ["half a reduce in stages", changed(stagedReduce).slice(0, 18), "command 6 cut short"],
    ["news of maps beyond all", [7, 3, 10, 17, 1_000_001], "found 1000001 millionths"],
    ["news of maps for what commits", [7, 3, 10, 50, 0], "slot 50"],
    ["leave to commit at place 100 of 2 x 50", [8, 3, 10, 100], "slot 100"],
    ["leave to commit at place -1", [8, 3, 10, -1], "slot -1"],
    ["a reader 10 of 10", [9, 3, 10, 17, 10, 3, 1, 0], "transfer with node 10"],
    ["a reader that is nobody", [9, 3, 10, 17, -1, 3, 1, 0], "transfer with node -1"],
    ["a source 10 of 10", [9, 3, 10, 17, 1, 10, 1, 0], "transfer with node 10"],
    ["a source that is nobody", [9, 3, 10, 17, 1, -1, 1, 0], "transfer with node -1"],
    ["a read of less than nothing", [9, 3, 10, 17, 1, 3, 1, -1], "where a time belongs"],
    ["the end of a read at place 100", [10, 3, 10, 100], "slot 100"],
    ["an offer below 0", [11, 3, 10, 17, -1], "rate offer -1"],
    ["an offer beyond Infinity", [11, 3, 10, 17, LARGEST_OFFER + 1], `rate offer ${LARGEST_OFFER + 1}`],
    ["an offer at place 100", [11, 3, 10, 100, 1], "slot 100"],
    ["a third copy at once", [12, 3, 10, 2, 1, 1, 0], "slot 2"],
    ["a copy from node 10 of 10", [12, 3, 10, 1, 10, 1, 0], "transfer with node 10"],
    ["a copy from nowhere", [12, 3, 10, 1, -1, 1, 0], "transfer with node -1"],
    ["a copy cut short", [12, 3, 10, 1, 1, 1], "command 12 cut short"],
  ])("of attempts in stages with %s are refused", (_, words, message) => {
    expect(() => read(Int32Array.from(words))).toThrow(FrameError);
    expect(() => read(Int32Array.from(words))).toThrow(message);
  });

  it.each([
    ["a length below 0", [...changed(launch).slice(0, 6), -1]],
    ["a length beyond 2^53", [...changed(launch).slice(0, 6), 2 ** 21 + 1]],
  ])("with %s are refused", (_, words) => {
    expect(() => read(Int32Array.from(words))).toThrow(FrameError);
  });

  it("read only the words that count", () => {
    const words = Int32Array.from([...changed(launch), 77, 77]);
    expect(read(words, 7)).toEqual([["launchMap", 3, 5010, 17, 2, 99, null]]);
  });
});
