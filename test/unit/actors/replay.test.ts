import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildRacks,
  RackHost,
  CommandLog,
  type LoggedCommands,
  readLog,
  replay,
  ReportTally,
} from "../../../dist/actors/index.js";
import { rackModelOf, SUCCEEDED, WAS_KILLED } from "../../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { SliceGrid } from "../../../dist/core/kernel/index.js";
import { CommandWriter, COMMANDS, FrameCodec } from "../../../dist/messages/index.js";
import { clusterOf, jobOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;

type Entry = readonly [slice: number, bytes: readonly number[]];

function entriesOf(log: LoggedCommands): Entry[] {
  const entries: Entry[] = [];
  readLog(log, (frame, slice) => {
    entries.push([slice, [...frame]]);
    return true;
  });
  return entries;
}

describe("a log of commands", () => {
  it("gives back every frame with its slice, in order, however large it grows", () => {
    // 2^14 bytes are the first chunk: some frames fill it, some are larger.
    const frames = fc.array(fc.tuple(fc.nat(2 ** 31 - 1), fc.uint8Array({ maxLength: 40_000 })), { maxLength: 30 });
    fc.assert(
      fc.property(frames, (added) => {
        const log = new CommandLog();
        for (const [slice, frame] of added) log.add(frame, slice);
        expect(entriesOf(log.logged())).toEqual(added.map(([slice, frame]) => [slice, [...frame]]));
        expect(log.bytes).toBe(added.reduce((sum, [, { length }]) => sum + length, 0));
      }),
      { numRuns: 60, seed: 8 },
    );
  });
});

/** One node with two slots, which heartbeats at 0, 3, 6 s and so on; slices of one second. */
async function host(): Promise<RackHost> {
  const cluster = clusterOf({ racks: 1, nodesPerRack: 1, mapSlots: 2, heartbeatUs: 3 * SECOND });
  const model = rackModelOf(smallRun({ cluster, jobs: [jobOf({})] }).scenario);
  const topology = buildTopology(cluster);
  return new RackHost(topology, await buildRacks(false, { ...model, topology }, [0]), GRID);
}
const GRID = new SliceGrid(3 * SECOND, 3);

/** A map of 4 s at 0, heard at 6; one of 20 s at 3, which the reply at 9 kills, so it is heard at 12. */
function logged(): LoggedCommands {
  const log = new CommandLog();
  const codec = new FrameCodec();
  const writer = new CommandWriter(null);
  const send = (slice: number, write: (atUs: number) => void): void => {
    writer.open(slice * SECOND);
    write(slice * SECOND);
    log.add(codec.encode(COMMANDS, slice, writer.bytes()), slice);
    writer.length = 0;
  };
  send(0, (atUs) => {
    writer.launchMap(0, atUs, 0, 0, 4 * SECOND, null);
  });
  send(3, (atUs) => {
    writer.launchMap(0, atUs, 1, 0, 20 * SECOND, null);
  });
  send(9, (atUs) => {
    writer.kill(0, atUs, 1);
  });
  return log.logged();
}

function tallyOf(...reports: readonly [atS: number, slot: number, sinceEndS: number, kind: number][]): ReportTally {
  const tally = new ReportTally();
  for (const [atS, slot, sinceEndS, kind] of reports) {
    tally.add(Int32Array.of(0, atS * SECOND, slot, sinceEndS * SECOND, kind), 5, 0);
  }
  return tally;
}

const FIRST = [6, 0, 2, SUCCEEDED] as const;
const SECOND_ONE = [12, 1, 3, WAS_KILLED] as const;

describe("a replay", () => {
  const never = (): boolean => false;
  const nothing = (): void => undefined;
  const run = async (untilSlice: number, reported: ReportTally): Promise<boolean> =>
    replay(await host(), GRID, { log: logged(), untilSlice, reported }, never, nothing);

  it("reports what was reported before the slice, and nothing that was to come", async () => {
    expect(await run(12, tallyOf([...FIRST]))).toBe(true);
    expect(await run(13, tallyOf([...FIRST], [...SECOND_ONE]))).toBe(true);
    expect(await run(13, tallyOf([...SECOND_ONE], [...FIRST]))).toBe(true);
  });

  it.each([
    ["one more", tallyOf([...FIRST], [...SECOND_ONE], [...FIRST])],
    ["one less", tallyOf([...FIRST])],
    ["another node's heartbeat", tallyOf([...FIRST], [15, 1, 3, WAS_KILLED])],
    ["another slot", tallyOf([...FIRST], [12, 0, 3, WAS_KILLED])],
    ["another end", tallyOf([...FIRST], [12, 1, 2, WAS_KILLED])],
    ["another outcome", tallyOf([...FIRST], [12, 1, 3, SUCCEEDED])],
  ])("is told from one that reports %s", async (_, reported) => {
    expect(await run(13, reported)).toBe(false);
  });
});
