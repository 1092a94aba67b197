import { describe, expect, it } from "vitest";
import { compare, type FairPolicy, type Schedulable } from "../../../dist/core/platforms/yarn/index.js";

const CLUSTER = { memory: 100, vcores: 100 };
const NONE = { memory: 0, vcores: 0 };

function queue(name: string, weight: number, memory: number, vcores = memory, minShare = NONE): Schedulable {
  const demand = { memory: 50, vcores: 50 };
  return { name, startUs: 0, priority: 1, weight, used: { memory, vcores }, demand, minShare };
}

/** Names in the order that all pairs agree on. */
function ordered(policy: FairPolicy, queues: readonly Schedulable[]): string {
  const before = (a: Schedulable, b: Schedulable): number => compare(policy, a, b, CLUSTER);
  const first = (one: Schedulable): number => queues.filter((other) => other !== one && before(other, one) < 0).length;
  const places = queues.map(first);
  expect(new Set(places).size, `an order: ${places.join(" ")}`).toBe(queues.length);
  return [...queues]
    .sort(before)
    .map(({ name }) => name)
    .join("");
}

describe("a fair queue of weight 0", () => {
  it.each(["fair", "drf"] as const)("goes after all others under %s, even while it uses nothing", (policy) => {
    // Without a rule of its own, 0 / 0 ties with all: then m is after a and before z, which is before a.
    expect(ordered(policy, [queue("a", 1, 20), queue("m", 0, 0), queue("z", 1, 10)])).toBe("zam");
    expect(ordered(policy, [queue("a", 1, 20), queue("m", 0, 5), queue("z", 1, 10)])).toBe("zam");
  });

  it("goes before another of weight 0 that uses more under fair, and by name under drf", () => {
    const queues = [queue("a", 0, 20), queue("b", 0, 0), queue("c", 0, 10), queue("z", 2, 80)];
    expect(ordered("fair", queues)).toBe("zbca");
    expect(ordered("drf", queues)).toBe("zabc");
  });

  it.each(["fair", "drf"] as const)("goes first below its min share under %s", (policy) => {
    const min = { memory: 30, vcores: 30 };
    expect(ordered(policy, [queue("a", 1, 0), queue("m", 0, 20, 20, min)])).toBe("ma");
    expect(ordered(policy, [queue("a", 1, 0), queue("m", 0, 30, 30, min)])).toBe("am");
  });

  it("is held to the min share of what it uses most, under drf", () => {
    // Of vcores, of which it has its min share, and not of memory.
    expect(ordered("drf", [queue("a", 1, 0), queue("m", 0, 10, 40, { memory: 30, vcores: 30 })])).toBe("am");
  });
});
