import { describe, expect, it } from "vitest";
import { UseMeter } from "../../../dist/core/record/index.js";

const SECOND = 1_000_000;

/** As a summary shows it: a sum that nothing was added to may be -0, which JSON does not know. */
const shown = (meter: UseMeter): unknown => JSON.parse(JSON.stringify(meter.result()));

describe("the slot-use meter", () => {
  it("integrates busy slots over time", () => {
    const meter = new UseMeter(4);
    meter.change(2 * SECOND, 1);
    meter.change(4 * SECOND, 1);
    meter.change(6 * SECOND, -1);
    meter.advance(10 * SECOND);
    // 2 s x 0 + 2 s x 1 + 2 s x 2 + 4 s x 1 = 10 slot-seconds of 40.
    expect(shown(meter)).toEqual({ busy: 0.25, saturated: 0, releasesPerSecondSaturated: null });
  });

  it("is saturated above 95 % of the slots, not at it", () => {
    const meter = new UseMeter(20);
    for (let i = 0; i < 19; i++) meter.change(0, 1);
    meter.change(10 * SECOND, 1);
    // Two releases: one while 20 of 20 are busy, one while 19 are.
    meter.change(15 * SECOND, -1);
    meter.change(15 * SECOND, -1);
    meter.advance(20 * SECOND);
    const { busy, saturated, releasesPerSecondSaturated } = meter.result();
    expect(saturated).toBe(0.25);
    expect(releasesPerSecondSaturated).toBe(1 / 5);
    expect(busy).toBe((19 * 10 + 20 * 5 + 18 * 5) / (20 * 20));
  });

  it("counts every release under saturation, refilled at the same instant or not", () => {
    const meter = new UseMeter(2);
    meter.change(0, 1);
    meter.change(0, 1);
    for (let second = 1; second <= 10; second++) {
      meter.change(second * SECOND, -1);
      meter.change(second * SECOND, 1);
    }
    expect(shown(meter)).toEqual({ busy: 1, saturated: 1, releasesPerSecondSaturated: 1 });
  });

  it("gives finite shares for a run of no length and for no slots", () => {
    expect(shown(new UseMeter(5))).toEqual({ busy: 0, saturated: 0, releasesPerSecondSaturated: null });
    const none = new UseMeter(0);
    none.advance(SECOND);
    expect(shown(none)).toEqual({ busy: 0, saturated: 0, releasesPerSecondSaturated: null });
  });
});

describe("the slot-use meter, where nodes are given up and return", () => {
  it("counts the slots that there are, busy or not, each for as long as it is there", () => {
    const meter = new UseMeter(20);
    for (let i = 0; i < 10; i++) meter.change(0, 1);
    meter.setSlots(10, 10 * SECOND);
    meter.setSlots(15, 14 * SECOND);
    meter.advance(20 * SECOND);
    // 20 slots for 10 s, 10 for 4 s, all of them busy, 15 for 6 s.
    const slotSeconds = 20 * 10 + 10 * 4 + 15 * 6;
    expect(shown(meter)).toEqual({
      busy: 200 / slotSeconds,
      saturated: 0.2,
      releasesPerSecondSaturated: 0,
      mean: slotSeconds / 20,
    });
  });

  it("has no share of no slots", () => {
    const meter = new UseMeter(2);
    meter.setSlots(0, 0);
    meter.advance(SECOND);
    expect(meter.result()).toMatchObject({ busy: 0, saturated: 0 });
  });
});
