import fc from "fast-check";
import { expect, it } from "vitest";
import { schedulerOf, VERSIONS } from "../../../src/io/scenario/spark/scheduler.js";
import { parseSparkConf } from "../../../src/io/spark/conf.js";
import { PoolTree, SPARK_RULES } from "../../../dist/core/platforms/spark/index.js";

const LINES = [
  "spark.speculation.multiplier 1000",
  "spark.speculation.quantile 0.25",
  "spark.speculation.minTaskRuntime 7s",
  "spark.excludeOnFailure.task.maxTaskAttemptsPerExecutor 3",
  "spark.excludeOnFailure.stage.maxFailedTasksPerExecutor 5",
  "spark.locality.wait 9s",
  "spark.task.cpus 1",
  "spark.task.maxFailures 6",
];

/** A switch of the scenario, and the line of a conf that sets the same. */
const SWITCHES = [
  [{ speculation: true }, "spark.speculation true"],
  [{ speculation: false }, "spark.speculation false"],
  [{ exclusion: true }, "spark.excludeOnFailure.enabled true"],
  [{ exclusion: false }, "spark.excludeOnFailure.enabled false"],
  [{ mode: "FAIR" }, "spark.scheduler.mode FAIR"],
  [{ reduceLocality: true }, "spark.shuffle.reduceLocality.enabled true"],
] as const;

it("a switch of the scenario never changes what the conf beside it says of anything else", () => {
  fc.assert(
    fc.property(
      fc.subarray(LINES),
      fc.constantFrom(...SWITCHES),
      fc.constantFrom(...VERSIONS),
      (lines, [said, same], version) => {
        const settings = (file: object, ...own: readonly string[]): object => {
          const conf = parseSparkConf([...lines, ...own].join("\n"), "spark.conf", SPARK_RULES[version]);
          return schedulerOf({ kind: "spark", version, ...file }, 1, conf, null);
        };
        expect(settings(said)).toEqual(settings({}, same));
      },
    ),
  );
});

it("jobs of a pool that is declared twice go to the last", () => {
  const pool = { name: "a", mode: "FIFO", minShare: 0 } as const;
  const tree = new PoolTree("FAIR", [
    { ...pool, weight: 1 },
    { ...pool, name: "b", weight: 1 },
    { ...pool, weight: 9 },
  ]);
  expect(tree.poolFor("a").weight).toBe(9);
});
