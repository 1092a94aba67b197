import { describe, expect, it } from "vitest";
import { partOf, QueueSlots, userLimit } from "../../../../dist/core/platforms/hadoop/index.js";
import { USUAL_QUEUE } from "../../../support/usual-settings.js";

describe("parts of a cluster", () => {
  it.each([
    [10, 50, 5],
    [10, 33, 3],
    [7, 50, 3],
    [3, 33, 0],
    [1000, 33.3, 333],
    [200, 0, 0],
    [200, 100, 200],
  ])("of %i slots %f %% are %i", (slots, percent, expected) => {
    expect(partOf(slots, percent)).toBe(expected);
  });

  it("are whole slots per type, and change with the cluster", () => {
    const queue = { ...USUAL_QUEUE, name: "a", capacityPercent: 40, maximumCapacityPercent: 60 };
    const slots = new QueueSlots([queue], [10, 4]);
    expect([slots.capacity, slots.most]).toEqual([
      [[4], [1]],
      [[6], [2]],
    ]);
    slots.take([20, 0]);
    // A maximum of less than a slot is none.
    expect([slots.capacity, slots.most]).toEqual([
      [[8], [0]],
      [[12], [Infinity]],
    ]);
  });
});

// Capacity 10: below it 10 slots are divided, beyond it what is occupied and one more.
describe("the limit of a user", () => {
  it.each([
    ["alone, no minimum below 100", 10, 0, 1, 100, 1, 10],
    ["two with a minimum of 25 %: half each", 10, 5, 2, 25, 1, 5],
    ["three: a third each, rounded up", 10, 5, 3, 25, 1, 4],
    ["four, and five: 25 %, rounded up", 10, 5, 4, 25, 1, 3],
    ["five", 10, 5, 5, 25, 1, 3],
    ["a minimum of 100 %: the first in line may have all", 10, 5, 5, 100, 1, 10],
    ["beyond the capacity a part of what is occupied and one more", 10, 15, 2, 25, 2, 8],
    ["but never more than the factor allows", 10, 15, 1, 100, 1, 10],
    ["nor less for a factor of 1.5", 10, 40, 1, 100, 1.5, 15],
    ["a factor below 1", 10, 0, 1, 100, 0.35, 3],
    ["a queue of less than a slot has one", 0, 0, 1, 100, 1, 1],
    ["and so has a user, whatever the factor", 1, 0, 1, 100, 0.3, 1],
    ["nobody is counted", 10, 0, 0, 25, 1, 10],
  ])("%s", (_, capacity, occupied, users, minimum, factor, expected) => {
    expect(userLimit(capacity, occupied, users, minimum, factor)).toBe(expected);
  });
});
