import { describe, expect, it } from "vitest";
import { Flows } from "../../../dist/core/cluster/index.js";

const S = 1_000_000;
const NONE = -1;

function flowsOver(...capacity: number[]): Flows {
  return new Flows(Float64Array.from(capacity), 16);
}

/** Takes all that is done until nothing runs or `untilUs` has come: [flow, time] each. */
function drain(flows: Flows, untilUs = Infinity): [number, number][] {
  const done: [number, number][] = [];
  while (flows.nextDoneUs() < untilUs) {
    const atUs = flows.nextDoneUs();
    done.push([flows.popDone(), atUs]);
  }
  return done;
}

describe("flows on one disk", () => {
  it("gives a reader alone the whole disk", () => {
    const flows = flowsOver(100);
    flows.start(3, 5 * S, 200, 0);
    expect([flows.rate(3), flows.left(3, 6 * S), drain(flows)]).toEqual([100, 100, [[3, 7 * S]]]);
    expect(flows.nextDoneUs()).toBe(Infinity);
  });

  it("halves it for two: 100 bytes each at 100 bytes a second take 2 s, and end together, the lower handle first", () => {
    const flows = flowsOver(100);
    flows.start(1, 0, 100, 0);
    flows.start(0, 0, 100, 0);
    expect(flows.rate(0)).toBe(50);
    expect(drain(flows)).toEqual([
      [0, 2 * S],
      [1, 2 * S],
    ]);
  });

  it("lets a reader join half-way: 50 left when the second comes, so the first ends at 1.5 s, the second at 2 s", () => {
    const flows = flowsOver(100);
    flows.start(0, 0, 100, 0);
    flows.start(1, S / 2, 100, 0);
    expect(flows.nextDoneUs()).toBe(1.5 * S);
    expect(drain(flows)).toEqual([
      [0, 1.5 * S],
      [1, 2 * S],
    ]);
  });

  it("gives the rest its share when a reader is stopped, and says what that one had left", () => {
    const flows = flowsOver(100);
    flows.start(0, 0, 100, 0);
    flows.start(1, 0, 100, 0);
    expect(flows.stop(0, S)).toBe(50);
    expect([flows.rate(1), drain(flows)]).toEqual([100, [[1, 1.5 * S]]]);
  });

  it("takes more bytes into a flow that runs, or is through but not yet taken, at the rate it has", () => {
    const flows = flowsOver(100);
    flows.start(0, 0, 100, 0);
    flows.start(1, 0, 300, 0);
    flows.extend(0, S, 50);
    expect([flows.left(0, S), flows.nextDoneUs()]).toEqual([100, 3 * S]);
    flows.extend(0, 3 * S, 25);
    expect(drain(flows)).toEqual([
      [0, 3.5 * S],
      [1, 4.75 * S],
    ]);
    expect(() => flows.extend(0, 5 * S, 1)).toThrow("was extended that does not run");
  });

  it("rounds the end up to a whole microsecond, and never takes one more for the rounding of a division", () => {
    const flows = flowsOver(3, 0.1);
    flows.start(0, 0, 1, 0);
    flows.start(1, 0, 0.3, 1);
    expect(0.3 / 0.1).toBeLessThan(3);
    expect((0.3 / 0.1) * 1e6).not.toBe(3e6);
    expect(drain(flows)).toEqual([
      [0, 333_334],
      [1, 3_000_000],
    ]);
  });

  it("stands still at capacity 0, for as long as it lasts", () => {
    const flows = flowsOver(100);
    flows.start(0, 0, 100, 0);
    flows.setCapacity(0, S / 4, 0);
    expect([flows.rate(0), flows.nextDoneUs(), flows.left(0, 9 * S)]).toEqual([0, Infinity, 75]);
    flows.start(1, 5 * S, 25, 0);
    expect(flows.nextDoneUs()).toBe(Infinity);
    flows.setCapacity(0, 10 * S, 50);
    expect(drain(flows)).toEqual([
      [1, 11 * S],
      [0, 12 * S],
    ]);
  });

  it("ends a flow of no bytes at once, even where nothing moves", () => {
    const flows = flowsOver(0);
    flows.start(0, 7, 0, 0);
    flows.start(1, 7, 1, 0);
    expect(drain(flows)).toEqual([[0, 7]]);
  });
});

describe("flows without a finite resource", () => {
  it("are through the instant they start, whatever they carry", () => {
    const flows = flowsOver(Infinity, Infinity);
    flows.start(0, 42, 1e15, 0, 1);
    flows.start(1, 42, 5, NONE);
    expect([flows.rate(0), flows.left(0, 42)]).toEqual([Infinity, 0]);
    expect(drain(flows)).toEqual([
      [0, 42],
      [1, 42],
    ]);
  });

  it("are limited from the moment a resource becomes finite, and free once it is not", () => {
    const flows = flowsOver(Infinity, 100);
    flows.start(0, 0, 300, 1, 0);
    flows.setCapacity(0, S, 50);
    expect(flows.rate(0)).toBe(50);
    flows.setCapacity(0, 2 * S, Infinity);
    expect(flows.rate(0)).toBe(100);
    flows.setCapacity(1, 2.5 * S, Infinity);
    expect(drain(flows)).toEqual([[0, 2.5 * S]]);
  });
});

describe("flows over several resources", () => {
  it("share max-min fairly on a line: one over both links, two over the first, one over the second: 1/3, 1/3, 1/3, 2/3", () => {
    const flows = flowsOver(1, 1);
    flows.start(0, 0, 10, 0, 1);
    flows.start(1, 0, 10, 0);
    flows.start(2, 0, 10, 0);
    flows.start(3, 0, 10, 1);
    const rates = [0, 1, 2, 3].map((f) => flows.rate(f));
    [1 / 3, 1 / 3, 1 / 3, 2 / 3].forEach((rate, f) => expect(rates[f]).toBeCloseTo(rate, 12));
  });

  it("give back along a chain: when the flow that limits one link ends, those on the next links feel it", () => {
    // Links of 1, 2 and 6; flow 0 on link 0, flow 1 on links 0 and 1, flow 2 on links 1 and 2, flow 3 on link 2.
    const flows = flowsOver(1, 2, 6);
    flows.start(0, 0, 1, 0);
    flows.start(1, 0, 100, 0, 1);
    flows.start(2, 0, 100, 1, 2);
    flows.start(3, 0, 100, 2);
    expect([0, 1, 2, 3].map((f) => flows.rate(f))).toEqual([0.5, 0.5, 1.5, 4.5]);
    expect(flows.popDone()).toBe(0);
    expect([1, 2, 3].map((f) => flows.rate(f))).toEqual([1, 1, 5]);
    expect([1, 2, 3].map((f) => flows.left(f, 2 * S))).toEqual([99, 97, 91]);
  });

  it("feel only the slowest of four resources", () => {
    const flows = flowsOver(400, 100, 50, 200);
    flows.start(0, 0, 100, 0, 1, 2, 3);
    flows.start(1, 0, 700, 0);
    expect([flows.rate(0), flows.rate(1)]).toEqual([50, 350]);
    expect(drain(flows)).toEqual([
      [0, 2 * S],
      [1, 2 * S],
    ]);
  });

  it("refuses a resource named twice, a flow that runs already, one that does not run, and changes past a flow's end", () => {
    const flows = flowsOver(1, 1);
    expect(() => flows.start(0, 0, 1, 0, 1, NONE, 0)).toThrow("internal fault: a flow takes a resource once");
    const others = flowsOver(1, 1);
    others.start(0, 0, 1, 0);
    expect(() => others.start(0, 0, 1, 0)).toThrow("was started that runs");
    expect(() => others.stop(1, 0)).toThrow("was stopped that does not run");
    expect(() => others.setCapacity(1, S + 1, 5)).toThrow("must be taken before");
  });
});

describe("a reserved rate", () => {
  it("comes first: the others share what it leaves", () => {
    const flows = flowsOver(100);
    for (const f of [0, 1, 2]) flows.start(f, 0, 100, 0);
    flows.reserve(0, 0, 80);
    expect([0, 1, 2].map((f) => flows.rate(f))).toEqual([80, 10, 10]);
    flows.reserve(0, S, 10);
    expect([0, 1, 2].map((f) => flows.left(f, 2 * S))).toEqual([10, 45, 45]);
    flows.reserve(0, 2 * S, -1);
    expect([0, 1, 2].map((f) => flows.rate(f))).toEqual([100 / 3, 100 / 3, 100 / 3]);
  });

  it("is kept even where the resource does not have it, and then leaves the others nothing", () => {
    const flows = flowsOver(100);
    flows.start(0, 0, 100, 0);
    flows.start(1, 0, 100, 0);
    flows.reserve(0, 0, 80);
    flows.setCapacity(0, S / 2, 40);
    expect([flows.rate(0), flows.rate(1)]).toEqual([80, 0]);
    expect(drain(flows)).toEqual([
      [0, 1.25 * S],
      [1, 1.25 * S + 2.25 * S],
    ]);
  });

  it("may be made before the start, may be 0, and ends with its flow", () => {
    const flows = flowsOver(100);
    flows.reserve(0, 0, 0);
    flows.start(0, 0, 100, 0);
    flows.start(1, 0, 100, 0);
    expect([flows.rate(0), flows.rate(1)]).toEqual([0, 100]);
    flows.stop(0, S / 2);
    flows.start(0, S / 2, 100, 0);
    expect([flows.rate(0), flows.rate(1)]).toEqual([50, 50]);
  });

  it("can be changed for many at once", () => {
    const flows = flowsOver(100, 100);
    for (const f of [0, 1, 2]) flows.start(f, 0, 100, f === 2 ? 1 : 0, f === 1 ? 1 : NONE);
    expect([0, 1, 2].map((f) => flows.rate(f))).toEqual([50, 50, 50]);
    flows.reserveAll(Int32Array.of(0, 1), 2, 0, Float64Array.of(70, 20));
    expect([0, 1, 2].map((f) => flows.rate(f))).toEqual([70, 20, 80]);
    flows.reserveAll(Int32Array.of(1, 0), 2, 0, Float64Array.of(-1, 90));
    expect([0, 1, 2].map((f) => flows.rate(f))).toEqual([90, 10, 90]);
  });
});

describe("a proposal of rates", () => {
  it("is the fair rate with the flow's reservation lifted and all others in place; nothing changes by it", () => {
    const flows = flowsOver(100);
    for (const f of [0, 1, 2]) flows.start(f, 0, 100, 0);
    flows.reserve(0, 0, 10);
    flows.reserve(1, 0, 40);
    const proposed = new Float64Array(1);
    flows.propose(Int32Array.of(0), 1, Float64Array.of(Infinity), proposed);
    expect([...proposed, flows.rate(0), flows.rate(1), flows.rate(2)]).toEqual([30, 10, 40, 50]);
  });

  it("takes back what others got only because of the reservation: 40 by halves, though 25 are reserved and 15 left", () => {
    const flows = flowsOver(40);
    flows.start(1, 0, 1000, 0);
    flows.reserve(1, 0, 25);
    flows.start(0, 0, 1000, 0);
    expect(flows.rate(0)).toBe(15);
    const proposed = new Float64Array(1);
    flows.propose(Int32Array.of(1), 1, Float64Array.of(Infinity), proposed);
    expect(proposed[0]).toBe(20);
  });

  it("counts what is proposed together, and leaves to others what a flow would not take", () => {
    const flows = flowsOver(100);
    for (const f of [0, 1, 2]) flows.start(f, 0, 100, 0);
    flows.reserve(0, 0, 0);
    flows.reserve(1, 0, 100);
    const proposed = new Float64Array(2);
    flows.propose(Int32Array.of(0, 1), 2, Float64Array.of(Infinity, Infinity), proposed);
    expect([...proposed]).toEqual([100 / 3, 100 / 3]);
    flows.propose(Int32Array.of(0, 1), 2, Float64Array.of(10, Infinity), proposed);
    // Nothing here limits the first one: what it does not take is the other's.
    expect([...proposed]).toEqual([Infinity, 45]);
    flows.propose(Int32Array.of(0, 1), 2, Float64Array.of(70, 20), proposed);
    expect([...proposed]).toEqual([40, Infinity]);
    expect([0, 1, 2].map((f) => flows.rate(f))).toEqual([0, 100, 0]);
  });
});
