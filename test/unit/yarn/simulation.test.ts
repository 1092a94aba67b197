import { expect, it } from "vitest";
import { type YarnCluster, YarnSimulation } from "../../../dist/core/platforms/yarn/index.js";
import { applicationOf, capacityOf, clusterOf, fairOf, nodesFor, tasksOf } from "../../support/yarn-clusters.js";

// What containers are given is decided by the naive twin; here is what it does not know of: when a run is over.

const LEAF = { root: { capacity: 1 }, "root.a": { capacity: 1, maxAmShare: 1 } };

const run = (cluster: YarnCluster) => new YarnSimulation(cluster, "1").run();

it.each([fairOf(), capacityOf(LEAF)])(
  "A run under %j stalls where an application asks for more than any node has",
  (scheduler) => {
    const [stage] = applicationOf("a", "root.a", tasksOf([], 1)).stages;
    const stages = [{ ...stage!, size: { memory: 4096, vcores: 1 } }];
    const cluster = clusterOf(scheduler, nodesFor([2]), [{ ...applicationOf("a", "root.a", []), stages }]);
    expect(run(cluster)).toMatchObject({ stopped: "stalled", jobs: [{ endedUs: -1 }] });
  },
);

it("A run is not stuck while a master starts for longer than anything else takes", () => {
  const cluster = clusterOf(capacityOf(LEAF), nodesFor([4]), [applicationOf("a", "root.a", tasksOf([], 3))]);
  const timing = { ...cluster.timing, launchUs: 20e6, masterStartUs: 30e6, reducePreemptionUs: 1e6 };
  expect(run({ ...cluster, timing }).stopped).toBe("all-jobs-ended");
});
