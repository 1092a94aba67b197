import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { awakeMs, ended, Place } from "./command.js";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => {
  place.remove();
});

/** Enough for the jobs below, and little enough for others to be refused. */
const heapOf = (megabytes: number): string => `NODE_OPTIONS=--max-old-space-size=${String(megabytes)}`;
const facebook = (jobs: number): string => `workload: { kind: facebook, jobs: ${String(jobs)} }\n`;
const soon = { timeout: 60_000 };

describe("what no machine can hold is refused with the figure and its setting", () => {
  it.each([
    [
      "samples until a job that comes in a hundred years",
      "workload: { kind: jobs, jobs: [ { maps: 1, at: 36500d } ] }\nrun: { sample: 100ms }\n",
      /at least 2,522\.9 GB of memory, most of it for 31,536,000,000 samples in \S+ \(run\.sample 0\.1s\)/,
    ],
    [
      "a thousand million maps at once",
      "workload: { kind: jobs, jobs: [ { maps: 1000000, count: 990 } ] }\n",
      /at least 114\.9 GB of memory, most of it for 989,938,000 maps that wait at once \(workload\.jobs\.\*\.maps\)/,
    ],
  ])("%s", soon, async (_, text, words) => {
    place.write("good.yaml", text);
    for (const command of ["run", "compare"]) {
      const { code, stdout, stderr } = await place.bide(command, "good.yaml", "--quiet", "--threads", "0");
      expect({ code, stdout, left: place.left() }).toMatchObject({ code: 2, stdout: "" });
      expect(stderr).toMatch(words);
      expect(stderr).toContain("--anyway starts it nevertheless");
    }
  });

  it("ten million jobs, before one is made", soon, async () => {
    place.write("good.yaml", facebook(10_000_000));
    const since = awakeMs();
    const { code, stderr } = await place.shell(`${heapOf(4000)} $BIDE run good.yaml --quiet`);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^good: the run needs at least 6 GB of heap for 10,000,000 jobs \(workload\.jobs\); Node/),
    ]);
    expect(since()).toBeLessThan(5000);
  });

  it("of a sweep, before its folder is made", soon, async () => {
    place.write("good.yaml", facebook(1000));
    place.write("s.yaml", "scenario: good.yaml\naxes: [{name: N, path: workload.jobs, values: [1, 10000000]}]\n");
    const { code, stderr } = await place.shell(`${heapOf(4000)} $BIDE sweep s.yaml --threads 1 --quiet`);
    expect([code, place.left()]).toEqual([2, ["s.yaml"]]);
    expect(stderr).toMatch(/: the run needs at least 6 GB of heap for 10,000,000 jobs \(workload\.jobs\); Node allows/);
  });

  it("--anyway begins it, and a heap that is full ends it in words", soon, async () => {
    place.write("good.yaml", facebook(1_000_000));
    const { code, stdout, stderr } = await place.shell(`${heapOf(200)} $BIDE run good.yaml --anyway --quiet`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^good: the heap is full: \d+ MB of the \d+ MB that Node allows are in use; allowed: /);
  });
});

describe("Ctrl-C while the workload is made or read ends it within a second", () => {
  const stopped = async (line: string): Promise<void> => {
    const child = place.startShell(line);
    const end = ended(child);
    await new Promise((resolve) => {
      setTimeout(resolve, 2500);
    });
    const since = awakeMs();
    child.kill("SIGINT");
    const { code, stdout, stderr } = await end;
    expect(since()).toBeLessThan(2000);
    expect({ code, stdout, stderr }).toEqual({
      code: 130,
      stdout: "",
      stderr: "bide: stopped by SIGINT; no results were written\n",
    });
  };

  it.each([
    ["facebook", facebook(7_000_000)],
    [
      "facebook, with long tasks",
      "workload: { kind: facebook, jobs: 7000000, longTasks: { share: 0.1, factor: 5 } }\n",
    ],
    ["jobs", "workload: { kind: jobs, jobs: [ { maps: 1, spread: 0.5, count: 7000000, every: 1s } ] }\n"],
  ])("%s", soon, async (_, text) => {
    place.write("good.yaml", text);
    await stopped(`${heapOf(7000)} exec $BIDE run good.yaml --anyway --quiet --out out`);
    expect(place.left()).toEqual([]);
  });

  it("a trace", soon, async () => {
    const line = (job: number): string => `job${String(job)}\t${String(job)}\t1\t1000\t0\t0\n`;
    place.write("trace.tsv", Array.from({ length: 3_000_000 }, (_, job) => line(job)).join(""));
    place.write("good.yaml", "workload: { kind: swim, file: trace.tsv }\n");
    await stopped(`${heapOf(7000)} exec $BIDE run good.yaml --anyway --quiet --out out`);
    expect(place.left()).toEqual(["trace.tsv"]);
  });
});
