import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  doneRun,
  failedRun,
  secondsAxis,
  sweepPlan,
  sweepRecord,
  writeSweepFolder,
} from "../../support/hand-made-sweeps.js";
import { Place } from "./command.js";

const unfinished = sweepRecord(sweepPlan([secondsAxis("W1", 0, 5, 9)]), ({ index }, replication) => {
  if (index === 2) return replication === 0 ? failedRun("no room") : null;
  return doneRun({ nodeLocalSmall: 0.5, responseP95: 10 + index + replication });
});

let place: Place;
beforeAll(async () => {
  place = new Place();
  writeSweepFolder(join(place.path, "waits"), unfinished);
  await place.bide("run", "good.yaml", "--tasks", "--out", "ran", "--quiet");
});
afterAll(() => {
  place.remove();
});

it("an unfinished sweep is read, also one whose last line was being written", async () => {
  const runsOf = async (): Promise<unknown> =>
    (JSON.parse((await place.bide("results", "waits", "--json")).stdout) as { runs: unknown }).runs;
  expect(await runsOf()).toMatchObject({ done: 4, failed: 1, missing: 1 });
  const journal = join(place.path, "waits/journal.jsonl");
  const text = readFileSync(journal, "utf8");
  writeFileSync(journal, text.slice(0, -20));
  expect(await runsOf()).toMatchObject({ done: 4, missing: 2 });
  writeFileSync(journal, text);
});

it("a plot in which points would lie upon each other is refused", async () => {
  const plan = sweepPlan(["a", "b", "c"].map((name) => secondsAxis(name, 0, 5)));
  const record = sweepRecord(plan, () => doneRun({ nodeLocalSmall: 1, responseP95: 1 }));
  writeSweepFolder(join(place.path, "cube"), record);
  const codes = ["a,responseP95", "a,b,responseP95", "a,responseP95,b"].map(
    async (plot) => (await place.bide("results", "cube", "--plot", plot)).code,
  );
  expect(await Promise.all(codes)).toEqual([2, 2, 2]);
  expect(await place.bide("results", "cube", "--plot", "a,b,responseP95", "--where", "c = 5")).toMatchObject({
    code: 0,
  });
});
