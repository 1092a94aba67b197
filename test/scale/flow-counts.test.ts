import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Flows, FlowTable } from "../../dist/core/cluster/index.js";

/** Where a flow gets another rate, and with it another place in the calendar. */
const inside = Flows.prototype as unknown as { setRate(f: number, atUs: number, rate: number): void };
const READERS = 4;
const UPLINK = 0;

/** So many nodes with a disk (odd) and a link (even) each behind one uplink; four readers on every disk. */
function busyRack(nodes: number, uplink: number): Flows {
  const capacity = new Float64Array(1 + 2 * nodes).fill(1e8);
  capacity[UPLINK] = uplink;
  const flows = new Flows(capacity, (READERS + 1) * nodes);
  for (let node = 0; node < nodes; node++)
    for (let i = 0; i < READERS; i++)
      flows.start(node * READERS + i, 0, 1e8 * (1 + i) + node, 1 + 2 * node, -1, -1, -1);
  return flows;
}

describe("an event of one flow", () => {
  let newRates = 0;
  let looks = 0;

  beforeEach(() => {
    newRates = 0;
    looks = 0;
    const setRate = inside.setRate;
    vi.spyOn(inside, "setRate").mockImplementation(function (this: Flows, ...args) {
      newRates++;
      setRate.apply(this, args);
    });
    const finite = FlowTable.prototype.finite;
    vi.spyOn(FlowTable.prototype, "finite").mockImplementation(function (this: FlowTable, place) {
      looks++;
      return finite.call(this, place);
    });
  });

  afterEach(() => vi.restoreAllMocks());

  it.each([10, 1000])("on a disk of %s concerns the readers of that disk alone", (nodes) => {
    const flows = busyRack(nodes, Infinity);
    newRates = looks = 0;
    flows.stop(0, 1);
    expect([newRates, looks <= READERS * READERS + 4]).toEqual([READERS - 1, true]);
    newRates = looks = 0;
    flows.start(0, 2, 5, 1, -1, -1, -1);
    expect([newRates, looks <= READERS * READERS + 4]).toEqual([READERS, true]);
    newRates = looks = 0;
    flows.popDone();
    expect([newRates, looks <= READERS * READERS + 4]).toEqual([READERS - 1, true]);
  });

  it.each([10, 1000])(
    "that reads from another of %s nodes does not go on to other disks by an uplink that is not full",
    (nodes) => {
      const flows = busyRack(nodes, 1e12);
      for (let node = 0; node < nodes; node += 2)
        flows.start(READERS * nodes + node, 0, 1e9, 1 + 2 * node, 2 + 2 * node, UPLINK, 2 + 2 * ((node + 1) % nodes));
      newRates = 0;
      flows.stop(READERS * nodes, 1);
      expect(newRates).toBe(READERS);
    },
  );

  it("on a full uplink concerns all that use it", () => {
    const flows = busyRack(10, 1e7);
    for (let node = 0; node < 10; node++) flows.start(READERS * 10 + node, 0, 1e9, 1 + 2 * node, UPLINK, -1, -1);
    newRates = 0;
    flows.stop(READERS * 10, 1);
    expect(newRates).toBe(READERS + 9 * (READERS + 1));
  });
});
