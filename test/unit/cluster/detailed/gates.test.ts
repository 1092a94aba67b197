import { describe, expect, it } from "vitest";
import type { GateOrder } from "../../../../dist/core/scenario/index.js";
import { DetailedRacks, MIB, SECOND } from "../../../support/detailed-racks.js";

const at = (seconds: number): number => seconds * SECOND;

interface GateOf {
  readonly computing?: number;
  readonly perJob?: number;
  readonly order?: GateOrder;
  readonly loadLimit?: number;
}

/**
 * Light nodes with two map and four reduce slots. Node 0 heartbeats every 4 s from 0 on, which is the lookahead as
 * well.
 */
function gated(of: GateOf = {}, more: object = {}): DetailedRacks {
  const { computing = 1, perJob = 4, order = "waiting", loadLimit = Infinity } = of;
  const runtime = { model: "light" as const, copyCompute: { computing, perJob, order } };
  return new DetailedRacks({ node: { reduceSlots: 4, loadLimit }, runtime, ...more });
}

interface Reduce {
  readonly copy: number;
  readonly reduce: number;
  readonly rank?: number;
  readonly failsAt?: number;
}

/** Reduces launched at 0 s in slots 2, 3, ... of node 0, whose maps are done. */
function launch(racks: DetailedRacks, reduces: readonly Reduce[]): DetailedRacks {
  reduces.forEach(({ copy, reduce, ...rest }, i) => {
    racks.reduce(0, 0, { index: 2 + i, copyUs: at(copy), reduceUs: at(reduce), mapsDone: true, ...rest });
  });
  return racks;
}

describe("the gate of a node", () => {
  it("lets one reduce compute after the other, who asked first first, and tells of all of them", () => {
    const racks = launch(gated(), [
      { copy: 6, reduce: 10 },
      { copy: 5, reduce: 10 },
      { copy: 7, reduce: 10 },
    ]);
    // The second computes from 5 to 15, the first to 25, the third to 35.
    expect(racks.run(at(60))).toEqual([
      ...["parked 0 8 2", "passed 0 8 3", "parked 0 8 4"],
      ...["finished 0 16 3 15", "passed 0 16 2"],
      ...["finished 0 28 2 25", "passed 0 28 4", "finished 0 36 4 35"],
    ]);
  });

  it("lets pass who comes first by priority and submission, where the order is that of submission", () => {
    const racks = launch(gated({ order: "submission" }), [
      { copy: 5, reduce: 10, rank: 9 },
      { copy: 6, reduce: 10, rank: 8 },
      { copy: 7, reduce: 10, rank: 7 },
    ]);
    const ends = racks.run(at(60)).filter((line) => line.startsWith("finished"));
    expect(ends).toEqual(["finished 0 16 2 15", "finished 0 28 4 25", "finished 0 36 3 35"]);
  });

  it("lets pass whose job has fewest that compute there, where the order is fair", () => {
    const racks = launch(gated({ order: "fair", computing: 2 }), [
      { copy: 5, reduce: 10, rank: 1 },
      { copy: 5, reduce: 30, rank: 1 },
      { copy: 6, reduce: 1, rank: 1 },
      { copy: 7, reduce: 10, rank: 2 },
    ]);
    // At 15 one of job 1 still computes, none of job 2.
    const ends = racks.run(at(60)).filter((line) => line.startsWith("finished"));
    expect(ends).toEqual(["finished 0 16 2 15", "finished 0 28 5 25", "finished 0 28 4 26", "finished 0 36 3 35"]);
  });

  it("is asked a lookahead after the reply at the earliest where somebody may have to wait, else at once", () => {
    const reduces = [{ copy: 1, reduce: 2 }];
    expect(launch(gated({ computing: 3 }), reduces).run(at(60))).toEqual(["passed 0 4 2", "finished 0 8 2 6"]);
    expect(launch(gated({ computing: 4 }), reduces).run(at(60))).toEqual(["finished 0 4 2 3"]);
  });

  it("tells who passes where jobs may only copy with so many, though nobody has to wait", () => {
    expect(launch(gated({ computing: 4, perJob: 1 }), [{ copy: 1, reduce: 9 }]).run(at(60))).toEqual([
      "passed 0 4 2",
      "finished 0 12 2 10",
    ]);
  });

  it("is passed by the next when a reduce fails", () => {
    const racks = launch(gated(), [
      { copy: 5, reduce: 20, failsAt: 250_000 },
      { copy: 6, reduce: 10 },
    ]);
    const ends = racks.run(at(60)).filter((line) => !line.startsWith("pa"));
    expect(ends).toEqual(["failed 0 12 2 10", "finished 0 20 3 20"]);
  });

  it("is passed by the next when a killed reduce is dead, a lookahead after the order; a parked one asks no more", () => {
    const racks = launch(gated(), [
      { copy: 5, reduce: 30 },
      { copy: 6, reduce: 10 },
      { copy: 7, reduce: 10 },
    ]);
    racks.run(at(8) + 1);
    racks.rackOf(0).kill(0, at(8), 2);
    racks.rackOf(0).kill(0, at(8), 3);
    // Both are dead at 12: the third computes from then on.
    expect(racks.run(at(60)).slice(3)).toEqual([
      ...["killed 0 12 2 8", "killed 0 12 3 8", "passed 0 12 4", "finished 0 24 4 22"],
    ]);
  });

  it("is open again after a crash", () => {
    const crash = { kind: "crash" as const, rack: 0, node: 0, atUs: at(9), forUs: at(1), factor: 1 };
    const racks = gated({}, { faults: { events: [crash] } });
    launch(racks, [
      { copy: 5, reduce: 30 },
      { copy: 6, reduce: 30 },
    ]);
    racks.run(at(12) + 1);
    racks.reduce(at(12), 0, { index: 2, copyUs: at(5), reduceUs: at(2), mapsDone: true });
    expect(racks.run(at(60)).slice(2)).toEqual(["returned 0 12", "finished 0 20 2 19"]);
  });

  it("keeps parked reduces out of the node's load", () => {
    const racks = launch(gated({ loadLimit: 9 }), [
      { copy: 5, reduce: 10 },
      { copy: 6, reduce: 10 },
    ]);
    const loads = racks.run(at(60)).filter((line) => line.startsWith("loaded"));
    // One computes from 5 to 15, the other to 25.
    expect(loads).toEqual(["loaded 0 8 1", "loaded 0 28 0"]);
  });

  it("counts a reduce as computing until it has written its output", () => {
    const runtime = { copyCompute: { computing: 1, perJob: 3, order: "waiting" as const } };
    const racks = new DetailedRacks({ node: { reduceSlots: 3 }, runtime });
    // Start-up to 2 s; nothing to fetch. The first computes for 3 s less its start-up and a second of writing 100 MiB,
    // which ends at 3.
    racks.reduce(0, 0, { index: 2, reduceUs: at(3), mapsDone: true, outputBytes: 100 * MIB });
    racks.reduce(0, 0, { index: 3, reduceUs: at(3), mapsDone: true });
    const ends = racks.run(at(60)).filter((line) => line.startsWith("finished"));
    expect(ends).toEqual(["finished 0 4 2 3", "finished 0 4 3 4"]);
  });
});
