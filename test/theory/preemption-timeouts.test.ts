import fc from "fast-check";
import { expect, it } from "vitest";
import {
  CAPACITY_PREEMPTION_DEFAULTS,
  type YarnSchedulerSpec,
  YarnSimulation,
} from "../../dist/core/platforms/yarn/index.js";
import { capacityOf, fairOf } from "../support/yarn-clusters.js";
import { NO_LIMITS, YARN_EVERY, yarnCluster } from "./platform-clusters.js";

/** One queue has filled the cluster when another comes that may have half of it. */
interface Given {
  readonly slots: number;
  readonly atUs: number;
  /** For so long it is below its share, then a container is chosen, then it goes. */
  readonly timeoutUs: number;
  readonly waitUs: number;
  readonly seed: string;
}

const given: fc.Arbitrary<Given> = fc.record({
  slots: fc.integer({ min: 6, max: 14 }),
  atUs: fc.integer({ min: 10_000_000, max: 20_000_000 }),
  // One that is over before the master is there finds nothing to take, and is looked at again only much later.
  timeoutUs: fc.integer({ min: 1_000_000, max: 60_000_000 }),
  waitUs: fc.integer({ min: 0, max: 30_000_000 }),
  seed: fc.string(),
});

interface Preemption {
  readonly scheduler: (of: Given) => YarnSchedulerSpec;
  readonly timeoutOf: (of: Given) => number;
  /** So often the lack is looked at, and whether it has lasted. */
  readonly everyUs: number;
  /** So many containers may go of which a part is the giver's own; it may get them back. */
  readonly tooMany: number;
}

const QUEUES = ["root.full", "root.late"];
const MONITORING_US = 3_000_000;

const CASES: Readonly<Record<string, Preemption>> = {
  "fair share of yarn-fair": {
    everyUs: YARN_EVERY.fairUpdateUs,
    tooMany: 0,
    timeoutOf: ({ timeoutUs }) => timeoutUs,
    scheduler: ({ timeoutUs, waitUs }) =>
      fairOf(
        { ...NO_LIMITS.fair, preempts: true, waitBeforeKillUs: waitUs },
        { "root.late": { fairSharePreemptionTimeoutUs: timeoutUs, fairSharePreemptionThreshold: 1 }, "root.full": {} },
      ),
  },
  "min share of yarn-fair": {
    everyUs: YARN_EVERY.fairUpdateUs,
    tooMany: 0,
    timeoutOf: ({ timeoutUs }) => timeoutUs,
    scheduler: ({ slots, timeoutUs, waitUs }) =>
      fairOf(
        { ...NO_LIMITS.fair, preempts: true, waitBeforeKillUs: waitUs },
        {
          "root.late": {
            minResources: { memory: 1024 * Math.floor(slots / 2), vcores: 0 },
            minSharePreemptionTimeoutUs: timeoutUs,
          },
          "root.full": {},
        },
      ),
  },
  "capacity of yarn-capacity": {
    everyUs: MONITORING_US,
    tooMany: 1,
    timeoutOf: () => 0,
    scheduler: ({ waitUs }) => {
      const leaf = { ...NO_LIMITS.leaf, capacity: 0.5 };
      const preemption = {
        ...CAPACITY_PREEMPTION_DEFAULTS,
        monitoringUs: MONITORING_US,
        maxWaitBeforeKillUs: waitUs,
        totalPerRound: 1,
        naturalTerminationFactor: 1,
      };
      return capacityOf({ "root.full": leaf, "root.late": leaf }, { ...NO_LIMITS.capacity, preemption });
    },
  },
};

/** No task ends before the run does; all timeouts do. */
const HOUR_US = 3_600_000_000;
const UNTIL_US = 125_000_000;
const CONTAINER_MB = 1024;
/** Of a container: so much a master takes. */
const MASTER_PART = 1 / CONTAINER_MB;

it.each(Object.keys(CASES))(
  "Preemption for the %s kills when its timeouts are over and not before, gives what it takes to who lacks it, and leaves the other half alone",
  (name) => {
    const { scheduler, timeoutOf, everyUs, tooMany } = CASES[name];
    fc.assert(
      fc.property(given, (of) => {
        const { slots, atUs, waitUs, seed } = of;
        const tasksUs = Array.from({ length: 2 * slots }, () => HOUR_US);
        const jobs = [0, atUs].map((us) => ({ atUs: us, stages: [{ parents: [], tasksUs }] }));
        const cluster = yarnCluster(scheduler(of), [slots], jobs, (job) => QUEUES[job]);
        const record = new YarnSimulation(cluster, seed).run(UNTIL_US);
        const { stages } = record;
        const attempts = record.attempts.rows();
        const killed = attempts.filter(({ outcome }) => outcome === "killed");
        const overUs = timeoutOf(of) + waitUs;
        const askedUs = stages.find(({ job }) => job === 1)!.submittedUs;
        for (const { job, stage, endUs } of killed) {
          expect([job, stage]).toEqual([0, 0]);
          expect(endUs).toBeGreaterThanOrEqual(atUs - everyUs + overUs);
          expect(endUs).toBeLessThanOrEqual(askedUs + overUs + 2 * everyUs);
        }
        const lateHas = attempts.filter(({ job, stage }) => job === 1 && stage === 0).length;
        const half = cluster.nodes[0].memory / 2 / CONTAINER_MB;
        // Whole containers alone can go, and each queue has a master besides.
        expect(lateHas).toBeGreaterThanOrEqual(slots - Math.ceil(half));
        expect(slots - lateHas).toBeGreaterThan(half - tooMany - MASTER_PART);
        expect(killed.length - lateHas).toBeLessThanOrEqual(tooMany);
      }),
      { numRuns: 20 },
    );
  },
);
