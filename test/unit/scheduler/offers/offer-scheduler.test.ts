import { describe, expect, it } from "vitest";
import { FakeFrameworks, SECOND } from "../../../support/fake-frameworks.js";

describe("who is offered free slots", () => {
  it("is whoever holds least, the first by name among equals, and then the next for what is left", () => {
    const master = new FakeFrameworks([{}, {}]);
    master.fakes[0]!.takes = [1, 0];
    expect(master.beat(0, 0, 2)).toEqual(["0: 2+0 on 0", "1: 1+0 on 0"]);
    master.fakes[0]!.takes = [1, 0];
    expect(master.beat(1, 1, 1)).toEqual(["0: 1+0 on 1"]);
    // Two of sixteen against one.
    expect(master.beat(2, 2, 1)).toEqual(["1: 1+0 on 2"]);
    expect([master.holds(0), master.holds(1)]).toEqual([
      [2, 0],
      [2, 0],
    ]);
  });

  it("goes by the larger of both shares", () => {
    const master = new FakeFrameworks([{}, {}]);
    const [first, second] = master.fakes;
    first!.takes = [2, 0];
    second!.takes = [0, 2];
    // 2 of 16 maps are 1/8 for the first, 2 of 8 reduces 1/4 for the second.
    expect(master.beat(0, 0, 2, 2)).toEqual(["0: 2+2 on 0", "1: 0+2 on 0"]);
    expect(master.scheduler.shares.dominantShare(0)).toBe(1 / 8);
    expect(master.scheduler.shares.dominantShare(1)).toBe(1 / 4);
    expect(master.beat(1, 1, 1, 1)[0]).toBe("0: 1+1 on 1");
    expect(master.beat(3, 2, 1, 1)[0]).toBe("0: 1+1 on 3");
  });
});

describe("a node whose slots a framework left free", () => {
  it("is not offered to it again for a while", () => {
    const master = new FakeFrameworks([{ refuseForUs: 5 * SECOND }]);
    master.fakes[0]!.takes = [0, 0];
    expect(master.beat(0, 0, 2)).toEqual(["0: 2+0 on 0"]);
    expect(master.beat(0, 3, 2)).toEqual([]);
    expect(master.beat(0, 4.999999, 1)).toEqual([]);
    expect(master.beat(1, 4, 2)).toEqual(["0: 2+0 on 1"]);
    expect(master.beat(0, 5, 2)).toEqual(["0: 2+0 on 0"]);
    expect(master.scheduler.counts).toEqual({ offers: 3, refused: 3, rescinded: 0 });
  });

  it("is offered at once where more slots are free than were left", () => {
    const master = new FakeFrameworks([{}]);
    master.fakes[0]!.takes = [1, 0];
    expect(master.beat(0, 0, 3)).toEqual(["0: 3+0 on 0"]);
    // Two were left.
    expect(master.beat(0, 1, 2)).toEqual([]);
    expect(master.beat(0, 2, 3)).toEqual(["0: 3+0 on 0"]);
    expect(master.beat(0, 3, 2, 1)).toEqual(["0: 2+1 on 0"]);
  });
});

describe("filters", () => {
  it("keep offers from nodes that are not listed", () => {
    const nodes = [
      { rack: 0, node: null },
      { rack: 1, node: 1 },
    ];
    const master = new FakeFrameworks([{ nodes }]);
    const offered = [0, 1, 2, 3].filter((node) => master.beat(node, node, 1).length > 0);
    // Rack 1 has the nodes 1 and 3 at its positions 0 and 1.
    expect(offered).toEqual([0, 2, 3]);
  });

  it("keep offers with too few slots of a type", () => {
    const master = new FakeFrameworks([{ minFreeMaps: 3, minFreeReduces: 2 }]);
    expect(master.beat(0, 0, 2, 1)).toEqual([]);
    expect(master.beat(0, 1, 3, 1)).toEqual(["0: 3+0 on 0"]);
    expect(master.beat(1, 2, 2, 2)).toEqual(["0: 0+2 on 1"]);
  });
});

describe("an offer that takes its time to be answered", () => {
  const slow = { answerAfterUs: 4 * SECOND };

  it("is held and counts as used, and what it takes is launched on the first heartbeat after the answer", () => {
    const master = new FakeFrameworks([slow, {}]);
    master.fakes[0]!.takes = [1, 0];
    expect(master.beat(0, 0, 3)).toEqual([]);
    expect(master.holds(0)).toEqual([3, 0]);
    // The second has less, and gets what came free since; not what is held.
    expect(master.beat(0, 3, 4)).toEqual(["1: 1+0 on 0"]);
    // The answer: one is taken, two go to the other.
    expect(master.beat(0, 6, 3)).toEqual(["0: 3+0 on 0", "1: 2+0 on 0"]);
    expect([master.holds(0), master.holds(1)]).toEqual([
      [1, 0],
      [3, 0],
    ]);
  });

  it("keeps heartbeats wanted although nobody wants slots any more", () => {
    const master = new FakeFrameworks([slow]);
    master.beat(0, 0, 1);
    master.fakes[0]!.wantsMaps = false;
    master.fakes[0]!.wantsReduces = false;
    master.fakes[0]!.takes = [0, 0];
    expect([master.scheduler.wantsMapSlots(), master.scheduler.wantsReduceSlots()]).toEqual([true, true]);
    master.beat(0, 4, 1);
    expect([master.scheduler.wantsMapSlots(), master.scheduler.wantsReduceSlots()]).toEqual([false, false]);
    expect(master.holds(0)).toEqual([0, 0]);
  });

  it("is taken back where it takes too long, and the node is not offered again for a while", () => {
    const master = new FakeFrameworks([slow, {}], 2 * SECOND);
    expect(master.beat(0, 0, 2)).toEqual([]);
    expect(master.beat(0, 1, 2)).toEqual([]);
    expect(master.beat(0, 3, 2)).toEqual(["1: 2+0 on 0"]);
    expect(master.holds(0)).toEqual([0, 0]);
    expect(master.scheduler.counts.rescinded).toBe(1);
  });

  it("is about no more slots than are left when it is answered", () => {
    const master = new FakeFrameworks([slow]);
    master.beat(0, 0, 3, 1);
    expect(master.beat(0, 6, 1)).toEqual(["0: 1+0 on 0"]);
    expect(master.holds(0)).toEqual([1, 0]);
  });

  it("is given up where its node is", () => {
    const master = new FakeFrameworks([slow]);
    master.beat(0, 0, 3);
    master.beat(1, 8, 2);
    master.scheduler.slotsChanged(12, 6, 10 * SECOND);
    // Due at 4 s, and two heartbeats later still unheard; it is not at 10 s exactly.
    expect(master.holds(0)).toEqual([5, 0]);
    master.scheduler.slotsChanged(12, 6, 10 * SECOND + 1);
    expect(master.holds(0)).toEqual([2, 0]);
    expect(master.fakes[0]!.slotsSeen).toEqual([12, 6, 10 * SECOND + 1]);
    expect(master.scheduler.shares.dominantShare(0)).toBe(2 / 12);
  });
});
