import fc from "fast-check";
import { expect, it } from "vitest";
import { SparkSimulation } from "../../dist/core/platforms/spark/index.js";
import { type YarnCluster, YarnSimulation } from "../../dist/core/platforms/yarn/index.js";
import { randomApplications } from "../support/random-spark.js";
import { randomCapacity, randomClusters, randomFair } from "../support/random-yarn.js";

/** The same with all times changed: they are what ends in `Us`. */
function withTimes<T>(what: T, change: (us: number) => number): T {
  const changed = (key: string, value: unknown): unknown => {
    if (typeof value === "number") return key.endsWith("Us") ? change(value) : value;
    if (value instanceof Map) return new Map([...value].map(([of, one]) => [of, changed("", one)]));
    if (Array.isArray(value)) return value.map((one) => changed(key, one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([of, one]) => [of, changed(of, one)]));
  };
  return changed("", what) as T;
}

const WHOLE_FACTORS = { rackFactor: 2, anyFactor: 3, cachedNodeFactor: 4, cachedAnyFactor: 5, shuffleAnyFactor: 6 };

/** -1: has not happened. */
const tenfold = (us: number): number => (us === -1 ? -1 : 10 * us);

it("Ten times as long for everything makes a run of Spark ten times as long, and changes nothing else", () => {
  // Times that Spark does not let one set are those of barrier stages, and of failures.
  const settable = randomApplications.map((made) => ({
    ...made,
    failures: { chance: 0, planned: [] },
    losses: undefined,
    // Lengths are rounded after any other factor, and where a log's level takes part of them.
    timing: { ...made.timing, away: WHOLE_FACTORS },
    executors: made.executors.map((one) => ({ ...one, untilUs: Infinity })),
    jobs: made.jobs.map((job) => ({
      ...job,
      stages: job.stages.map((stage) => {
        const tasks = stage.tasks.map(({ level: _, ...task }) => task);
        return { ...stage, isBarrier: false, tasks };
      }),
    })),
  }));
  fc.assert(
    fc.property(settable, fc.string(), ({ losses: _, ...given }, seed) => {
      const recordOf = (application: typeof given): object => {
        const { fingerprint: __, attempts, ...rows } = new SparkSimulation(application, seed).run();
        return { ...rows, attempts: attempts.rows() };
      };
      expect(recordOf(withTimes(given, tenfold))).toEqual(withTimes(recordOf(given), tenfold));
    }),
    { numRuns: 40 },
  );
});

/** Phases of heartbeats are drawn to the microsecond, which is exact where an interval is a multiple of this. */
const PHASES = 2 ** 32;
const TENTH_US = 100_000;
/** Some preempt for ever. */
const UNTIL_US = 6_000 * PHASES;

it("Ten times as long for everything makes a run of YARN ten times as long, and changes nothing else", () => {
  const inTenths = (us: number): number => (us > 0 && us < Infinity ? Math.ceil(us / TENTH_US) * PHASES : us);
  const cluster = fc.oneof(randomClusters(randomFair), randomClusters(randomCapacity));
  fc.assert(
    fc.property(cluster, fc.string(), (drawn, seed) => {
      const { timing, ...others } = withTimes(drawn, inTenths);
      const given = { ...others, timing: { ...timing, rackFactor: 2, offSwitchFactor: 3 } };
      const recordOf = (of: YarnCluster): object => {
        const record = new YarnSimulation(of, seed).run(UNTIL_US * (of === given ? 1 : 10));
        const { fingerprint: _, attempts, ...rows } = record;
        return { ...rows, attempts: attempts.rows() };
      };
      expect(recordOf(withTimes(given, tenfold))).toEqual(withTimes(recordOf(given), tenfold));
    }),
    { numRuns: 40 },
  );
});
