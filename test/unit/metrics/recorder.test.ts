import { describe, expect, it } from "vitest";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { MAP, REDUCE, Recorder } from "../../../dist/core/platforms/hadoop/index.js";
import { FINISHED, Fingerprint, KILLED, LAUNCHED } from "../../../dist/core/kernel/index.js";
import { clusterOf, jobOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;

/** Two map slots and two reduce slots; one job of two maps and a reduce. */
function setUp(): Recorder {
  const cluster = clusterOf({ racks: 1, nodesPerRack: 2, mapSlots: 1, reduceSlots: 1 });
  const { workload } = smallRun({ cluster, jobs: [jobOf({ maps: 2, reduces: 1 })] });
  return new Recorder(workload, buildTopology(cluster), true);
}

function rowsOf(recorder: Recorder): number[][] {
  const columns = recorder.tasks!.names.map((name) => recorder.tasks!.column(name));
  return Array.from({ length: recorder.tasks!.rows }, (_, row) => columns.map((column) => column[row]!));
}

describe("the record of a run", () => {
  it("counts a kill and the time it cost, frees the slot, and ends no task", () => {
    const recorder = setUp();
    recorder.submitted(0, 0);
    recorder.launched(0, MAP, 1, 0, 1, 2, 3 * SECOND);
    recorder.slotLeft(0, MAP, 12 * SECOND);
    recorder.cutShort("killed", 0, MAP, 1, 0, 1, 2, 3 * SECOND, 9 * SECOND, 12 * SECOND);
    recorder.launched(0, REDUCE, 0, 0, 0, 3, 12 * SECOND);
    recorder.slotLeft(0, REDUCE, 20 * SECOND);
    recorder.cutShort("killed", 0, REDUCE, 0, 0, 0, 3, 12 * SECOND, 16 * SECOND, 20 * SECOND);
    recorder.close(24 * SECOND);
    expect([recorder.kills, recorder.killedUs, ...recorder.tasksEnded]).toEqual([2, 10 * SECOND, 0, 0]);
    // Held until the report: 9 s of 2 * 24 s, and 8 s.
    expect(recorder.use.map((use) => use.result().busy)).toEqual([9 / 48, 8 / 48]);
    expect(recorder.attemptMs.map((counts) => counts.entries().length)).toEqual([0, 0]);
    expect(rowsOf(recorder)).toEqual([
      [0, MAP, 1, 0, 1, 2, 3 * SECOND, 9 * SECOND, 1],
      [0, REDUCE, 0, 0, 0, 3, 12 * SECOND, 16 * SECOND, 1],
    ]);
  });

  it("counts the attempt after a kill as a launch of its own, and its success once", () => {
    const recorder = setUp();
    recorder.launched(0, MAP, 1, 0, 1, 2, 3 * SECOND);
    recorder.slotLeft(0, MAP, 12 * SECOND);
    recorder.cutShort("killed", 0, MAP, 1, 0, 1, 2, 3 * SECOND, 9 * SECOND, 12 * SECOND);
    recorder.launched(0, MAP, 1, 1, 0, 0, 13 * SECOND);
    recorder.finished(0, MAP, 1, 1, 0, 0, 13 * SECOND, 17 * SECOND, 18 * SECOND);
    expect([recorder.kills, recorder.killedUs, ...recorder.tasksEnded]).toEqual([1, 6 * SECOND, 1, 0]);
    expect(recorder.mapsAtTotal).toEqual([1, 0, 1, 0, 0]);
    expect(recorder.firstLaunchUs[0]).toBe(3 * SECOND);
    expect(recorder.attemptMs[MAP].entries().map(({ count }) => count)).toEqual([1]);
    expect(rowsOf(recorder).map((row) => [row[3], row[8]])).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it("puts launches, successes and kills of maps and reduces into the fingerprint, at the time they became known", () => {
    const recorder = setUp();
    recorder.launched(0, MAP, 1, 0, 1, 2, 3 * SECOND);
    recorder.slotLeft(0, MAP, 12 * SECOND);
    recorder.cutShort("killed", 0, MAP, 1, 0, 1, 2, 3 * SECOND, 9 * SECOND, 12 * SECOND);
    recorder.launched(0, REDUCE, 0, 0, 0, 3, 13 * SECOND);
    recorder.finished(0, REDUCE, 0, 0, 0, 3, 13 * SECOND, 17 * SECOND, 18 * SECOND);
    const expected = new Fingerprint();
    expected.add(3 * SECOND, LAUNCHED, 0, 1, 0, 1, 2);
    expected.add(12 * SECOND, KILLED, 0, 1, 0, 1, 2);
    expected.add(13 * SECOND, LAUNCHED + 16, 0, 0, 0, 0, 3);
    expected.add(18 * SECOND, FINISHED + 16, 0, 0, 0, 0, 3);
    expect(recorder.fingerprint.hex()).toBe(expected.hex());
  });
});
