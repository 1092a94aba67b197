import { expect, it } from "vitest";
import fc from "fast-check";
import { type YarnCluster, YarnSimulation } from "../../../dist/core/platforms/yarn/index.js";
import { NaiveYarn } from "../../support/naive-yarn.js";
import { randomCapacity, randomClusters, randomFair } from "../../support/random-yarn.js";
import { casesToTry, SEARCH_TIMEOUT_MS, searchForProblem } from "../../support/search.js";

const FILE = "test/property/yarn/naive-twin.property.test.ts";
const UNTIL = 300e6;
const CASES = 200;

/** In how many cases that happened: of those in which nothing does all schedulers agree. */
const seen = new Map<string, number>();

function note(what: string, happened: boolean): void {
  seen.set(what, (seen.get(what) ?? 0) + Number(happened));
}

function compareWithTwin([given, seed]: [YarnCluster, string]): null {
  const record = new YarnSimulation(given, seed).run(UNTIL);
  const twin = new NaiveYarn(given, seed).run(record.endedUs);
  const rows = record.attempts.rows();
  expect(rows).toEqual(twin.attempts.map(({ container: _, ...row }) => row));
  expect(record.jobs).toEqual(twin.jobs);
  expect(record.stages).toEqual(twin.stages);
  expect(record.fingerprint).toBe(twin.fingerprint.hex());
  const some = (counts: (row: (typeof rows)[number]) => boolean): boolean => rows.some(counts);
  note("all applications end", record.stopped === "all-jobs-ended");
  note(
    "a task runs far from its data",
    some(({ level, stage }) => stage >= 0 && level > 0),
  );
  note(
    "a container is killed",
    some(({ outcome }) => outcome === "killed"),
  );
  note(
    "a container is lost",
    some(({ outcome }) => outcome === "lost"),
  );
  note(
    "a master comes again",
    record.jobs.some(({ masters }) => masters > 1),
  );
  note(
    "an attempt fails",
    some(({ outcome }) => outcome === "failed"),
  );
  note("a node is reserved", twin.scheduler.world.reservationsSoFar > 0);
  return null;
}

it.each([
  ["Fair", randomFair],
  ["Capacity", randomCapacity],
])(
  "No container of the %s Scheduler comes otherwise than where everything is looked for anew, as the rules say it",
  async (_, scheduler) => {
    seen.clear();
    const cases = fc.tuple(randomClusters(scheduler), fc.string({ maxLength: 2 }));
    await searchForProblem(FILE, cases, CASES, compareWithTwin);
    const tried = casesToTry(CASES);
    for (const [what, times] of seen) expect([what, times > tried / 10]).toEqual([what, true]);
    expect(seen.get("all applications end")).toBeGreaterThan(tried * 0.8);
  },
  SEARCH_TIMEOUT_MS,
);
