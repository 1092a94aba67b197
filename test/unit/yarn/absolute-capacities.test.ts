import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capacityQueues, type CapacityQueueSpec, type Resources } from "../../../dist/core/platforms/yarn/index.js";
import { parseAnyScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";

/** Guarantees and maxima, as MB and vcores, in a cluster of that size. */
function limitsIn(cluster: Resources, specs: Readonly<Record<string, CapacityQueueSpec>>, countsVcores = false) {
  const shareOf = (part: Readonly<Resources>, whole: Readonly<Resources>): number => part.memory / whole.memory;
  const queues = capacityQueues(new Map(Object.entries({ root: { capacity: 1 }, ...specs })), shareOf);
  queues.get("root")!.clusterChanged(cluster, countsVcores);
  const pair = ({ memory, vcores }: Readonly<Resources>): number[] => [memory, vcores];
  return Object.fromEntries(
    [...queues].map(([name, { guarantee, maximum }]) => [name, [pair(guarantee), pair(maximum)]]),
  );
}
const amount = (memory: number, vcores: number, most?: Resources): CapacityQueueSpec => ({
  capacity: 0,
  amount: { memory, vcores },
  ...(most === undefined ? {} : { mostAmount: most }),
});

describe("capacities in amounts", () => {
  it("are guarantees and maxima as they stand, where the cluster has them", () => {
    const specs = {
      "root.a": amount(10240, 12, { memory: 20480, vcores: 20 }),
      "root.b": amount(20480, 20),
      "root.b.c": amount(8192, 4),
    };
    expect(limitsIn({ memory: 40960, vcores: 40 }, specs)).toMatchObject({
      "root.a": [
        [10240, 12],
        [20480, 20],
      ],
      "root.b": [
        [20480, 20],
        [40960, 40],
      ],
      "root.b.c": [
        [8192, 4],
        [40960, 40],
      ],
    });
  });

  it("shrink in one ratio where it has less, and maxima end at the cluster", () => {
    const specs = { "root.a": amount(10240, 12), "root.b": amount(30720, 12, { memory: 99999, vcores: 99 }) };
    expect(limitsIn({ memory: 20480, vcores: 48 }, specs)).toMatchObject({
      // The ratio of each resource, also of one of which there is enough: so is it in YARN.
      "root.a": [
        [5120, 24],
        [20480, 48],
      ],
      "root.b": [
        [15360, 24],
        [20480, 48],
      ],
    });
  });

  it("never guarantee more in all than the queue above has, at any size of the cluster", () => {
    const size = fc.record({ memory: fc.integer({ min: 1, max: 1e6 }), vcores: fc.integer({ min: 1, max: 1000 }) });
    fc.assert(
      fc.property(size, fc.array(size, { minLength: 1, maxLength: 6 }), (cluster, amounts) => {
        const specs = Object.fromEntries(amounts.map((own, i) => [`root.q${i}`, { capacity: 0, amount: own }]));
        const { root: _, ...queues } = limitsIn(cluster, specs);
        const sum = Object.values(queues).reduce((all, [[memory]]) => all + memory!, 0);
        expect(sum).toBeLessThanOrEqual(cluster.memory);
      }),
    );
  });

  const scenario = (a: string, b: string): string => `platform: yarn
cluster: { nodes: 4, memory: 8192, vcores: 8 }
workload:
  kind: jobs
  jobs:
    - { name: j, queue: a, maps: { tasks: 80, time: 20s, spread: 0.5 } }
    - { name: k, queue: b, submit: 10s, maps: { tasks: 80, time: 20s, spread: 0.5 } }
scheduler: { kind: yarn-capacity, preemption: true, queues: [{ name: a, ${a}, userLimitFactor: off }, { name: b, ${b}, userLimitFactor: off }] }
`;
  it("run as the per cents that they come to", async () => {
    const fingerprintOf = async (text: string): Promise<string> =>
      (await runScenario(parseAnyScenario(text, "a.yaml").scenario, ".")).summary.fingerprint;
    const inAmounts = scenario('capacity: "[memory=24576,vcores=24]"', 'capacity: "[memory=8Gi, vcores=8]"');
    expect(await fingerprintOf(inAmounts)).toBe(await fingerprintOf(scenario("capacity: 75", "capacity: 25")));
  });
});
