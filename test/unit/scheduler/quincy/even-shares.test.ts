import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evenShares } from "../../../../dist/core/platforms/hadoop/index.js";

describe("even shares of slots", () => {
  it.each([
    [[], 5, []],
    [[3, 3], 10, [3, 3]],
    [[9, 9, 9], 10, [4, 3, 3]],
    // 2 of 12 are enough for the second; 10 are left for two.
    [[20, 2, 20], 12, [5, 2, 5]],
    [[20, 2, 20], 13, [6, 2, 5]],
    [[1, 1, 1], 2, [1, 1, 0]],
    [[0, 4], 0, [0, 0]],
  ])("%j of %i slots: %j", (demands, slots, shares) => {
    expect(evenShares(demands, slots)).toEqual(shares);
  });

  it("are those that dealing slots out one by one in turn gives", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(12), { maxLength: 8 }), fc.nat(60), (demands, slots) => {
        const dealt = demands.map(() => 0);
        let left = slots;
        for (let round = 0; round < 12; round++) {
          demands.forEach((demand, i) => {
            if (left === 0 || dealt[i]! >= demand || dealt[i]! > round) return;
            dealt[i]!++;
            left--;
          });
        }
        expect(evenShares(demands, slots)).toEqual(dealt);
      }),
    );
  });
});
