import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { awakeMs, computed, ended, Place, wrote } from "./command.js";

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
/** Ten thousand nodes that say nothing until a job comes. */
const OF_DAYS = `cluster: { racks: 10, nodesPerRack: 1000, heartbeat: 10ms }
workload: { kind: jobs, jobs: [ { maps: 1, at: 3640d } ] }
run: { sample: 365d }
`;
const OF_DAYS_SWEPT = `scenario: good.yaml
axes: [{name: W, path: scheduler.wait.node, values: [0s, 5s]}]
goal: { maximise: nodeLocalAll }
`;
const soon = { timeout: 60_000 };

describe("what no machine can hold is refused with the figure and its setting", () => {
  it.each([
    [
      "samples until a job that comes in ten years",
      "workload: { kind: jobs, jobs: [ { maps: 1, at: 3640d } ] }\nrun: { sample: 100ms }\n",
      /at least 251\.6 GB of memory, most of it for 3,144,960,000 samples in \S+ \(run\.sample 0\.1s\)/,
    ],
    [
      "a thousand million maps at once",
      "workload: { kind: jobs, jobs: [ { maps: 1000000, count: 990 } ] }\n",
      /at least 95\.1 GB of memory, most of it for 989,938,000 maps that wait at once \(workload\.jobs\.\*\.maps\)/,
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
      expect.stringMatching(
        /^good: the run needs at least 6.5 GB of heap for 10,000,000 jobs \(workload\.jobs\); a run may fill/,
      ),
    ]);
    expect(since()).toBeLessThan(5000);
  });

  it("of a sweep, before its folder is made", soon, async () => {
    place.write("good.yaml", facebook(1000));
    place.write("s.yaml", "scenario: good.yaml\naxes: [{name: N, path: workload.jobs, values: [1, 10000000]}]\n");
    const { code, stderr } = await place.shell(`${heapOf(4000)} $BIDE sweep s.yaml --threads 1 --quiet`);
    expect([code, place.left()]).toEqual([2, ["s.yaml"]]);
    expect(stderr).toMatch(
      /: the run needs at least 6.5 GB of heap for 10,000,000 jobs \(workload\.jobs\); a run may fill/,
    );
  });

  it("a run of days, by every command, and a sweep before its folder is made", soon, async () => {
    place.write("good.yaml", OF_DAYS);
    place.write("s.yaml", OF_DAYS_SWEPT);
    const words =
      /about 2\.9 days on one core, most of it for 314,49\d,\d{3},\d{3},\d{3} heartbeats in \S+ \(cluster\.heartbeat 0.01s\)/;
    for (const command of ["run good", "compare good", "sweep s", "sweep --dry-run s", "tune s"]) {
      const { code, stdout, stderr } = await place.bide(...`${command}.yaml --quiet`.split(" "));
      expect({ command, code, stdout, left: place.left() }).toEqual({ command, code: 2, stdout: "", left: ["s.yaml"] });
      expect(stderr).toMatch(words);
      expect(stderr).toContain("; allowed: about a day; --anyway starts it nevertheless\n");
    }
  });

  it.each(["run good.yaml --threads 0", "sweep s.yaml --threads 1"])(
    "--anyway begins it: %s",
    soon,
    async (command) => {
      place.write("good.yaml", OF_DAYS);
      place.write("s.yaml", OF_DAYS_SWEPT);
      const child = place.start(...`${command} --out out --anyway --quiet`.split(" "));
      const end = ended(child);
      await computed(child, 3);
      expect(child.exitCode).toBe(null);
      child.kill("SIGINT");
      expect((await end).code).toBe(130);
    },
  );

  it("--anyway begins it, and a heap that is full ends it in words", soon, async () => {
    place.write("good.yaml", facebook(1_000_000));
    const { code, stdout, stderr } = await place.shell(`${heapOf(200)} $BIDE run good.yaml --anyway --quiet`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^good: the heap is full: \d+ MB of the \d+ MB that Node allows are in use; allowed: /);
  });
});

describe("how long a run takes", () => {
  const words =
    /^(good\.yaml: )?note: a rough estimate of the time: about 3\.8 minutes on one core, most of it for 285,13\d,\d{3},\d{3} heart/m;
  const long = OF_DAYS.replace("3640d", "3.3d");

  it(
    "is told before a long one begins, by its progress, and by validate; of a short one nothing is told",
    soon,
    async () => {
      expect((await place.bide("validate", "good.yaml")).stderr).toBe("");
      expect((await place.bide("run", "good.yaml", "--out", "out")).stderr).toBe("");
      place.write("good.yaml", long);
      expect((await place.bide("validate", "good.yaml")).stderr).toMatch(words);
      const child = place.start("run", "good.yaml", "--threads", "0");
      const end = ended(child);
      await wrote(child, "ETA about 3.8 minutes");
      child.kill("SIGINT");
      const { code, stderr } = await end;
      expect(code).toBe(130);
      expect(stderr.indexOf("a rough estimate of the time")).toBeGreaterThan(-1);
      expect(stderr.indexOf("a rough estimate of the time")).toBeLessThan(stderr.indexOf("ETA about"));
    },
  );
});

describe("Ctrl-C while the workload is made or read ends it within a second", () => {
  const stopped = async (line: string): Promise<void> => {
    const child = place.startShell(line);
    const end = ended(child);
    await computed(child, 2);
    const since = awakeMs();
    child.kill("SIGINT");
    const { code, stdout, stderr } = await end;
    expect(since()).toBeLessThan(10_000);
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
