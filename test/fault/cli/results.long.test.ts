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
  it("prints answers of any size as they come", async () => {
    const many = await place.bide("results", "waits", "--sql", "SELECT range AS n, 'x' FROM range(125000)");
    const lines = many.stdout.split("\n");
    expect({ code: many.code, count: lines.length, last: lines.at(-2) }).toEqual({
      code: 0,
      count: 125_002,
      last: "124999  x",
    });
    const json = await place.bide(
      "results",
      "waits",
      "--json",
      "--sql",
      "SELECT range AS n, 'a\nb' t FROM range(3000)",
    );
    expect(JSON.parse(json.stdout)).toEqual(Array.from({ length: 3000 }, (_, n) => ({ n, t: "a\nb" })));
    expect(await place.bide("results", "waits", "--json", "--sql", "FROM range(0)")).toMatchObject({ stdout: "[]\n" });
    const long = await place.bide("results", "waits", "--sql", "SELECT repeat('x', 10000) FROM range(3000)");
    expect(long).toMatchObject({ code: 0, stderr: "" });
    expect(long.stdout.split("\n")).toHaveLength(3002);
    // DuckDB makes 2,048 of them at once.
    const gigabytes = await place.bide("results", "waits", "--sql", "SELECT repeat('x', 1000000) FROM range(3000)");
    expect(gigabytes).toMatchObject({ code: 2, stderr: expect.stringContaining("more than 1GB of memory") });
    const md = await place.bide("results", "waits", "--format", "md", "--sql", "SELECT range n, 'b|' t FROM range(2)");
    expect(md.stdout).toBe("| n | t |\n| ---: | --- |\n| 0 | b\\| |\n| 1 | b\\| |\n");
  });

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
