import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  doneRun,
  failedRun,
  secondsAxis,
  sweepPlan,
  sweepRecord,
  writeSweepFolder,
} from "../../support/hand-made-sweeps.js";
import { awakeMs, ended, Place } from "./command.js";

const unfinished = sweepRecord(sweepPlan([secondsAxis("W1", 0, 5, 9)]), ({ index }, replication) => {
  if (index === 2) return replication === 0 ? failedRun("no room") : null;
  return doneRun({ nodeLocalSmall: 0.5, responseP95: 10 + index + replication });
});

let place: Place;
beforeAll(() => {
  place = new Place();
  writeSweepFolder(join(place.path, "waits"), unfinished);
});
afterAll(() => {
  place.remove();
});

describe("bide results", () => {
  it("is stopped by Ctrl-C in the middle of an endless query", async () => {
    // Of small tables, so that it does not run out of memory first.
    const endless = "SELECT max(a.range + b.range + c.range) FROM range(100000) a, range(100000) b, range(100000) c";
    const child = place.start("results", "waits", "--sql", endless, "--out", "never.txt");
    const end = ended(child);
    await new Promise((resolve) => {
      setTimeout(resolve, 2500);
    });
    const sinceSent = awakeMs();
    child.kill("SIGINT");
    const { code, stdout, stderr } = await end;
    // The query has both cores until it is interrupted, and other tests want them too.
    expect(sinceSent()).toBeLessThan(5000);
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain("bide: stopped by SIGINT");
    expect(place.left()).not.toContain("never.txt");
  });
});
