import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadScenario, parseScenario, loadWorkload } from "../../../dist/io/index.js";
import { BYTES, foresee, foreseeTime, refuseTooLarge, roughTime, SECONDS } from "../../../dist/lab/index.js";

/** A machine of 2 GB, on which Node allows half of that for its heap. */
const SMALL = { bytes: 2e9, heapBytes: 1e9, addressBytes: Infinity };
const HEAP_OF_JOBS = fileURLToPath(new URL("heap-of-jobs.mjs", import.meta.url));
const NONE = { threads: 0, recordTasks: false };

describe("what is foreseen of a run", () => {
  it.each([
    ["facebook-day", []],
    ["scale-10k", []],
    // The largest of the ladder of bench scale.
    ["scale-10k", ["cluster.racks=100", "cluster.nodesPerRack=620", "workload.jobs=31250"]],
  ])("%s %j fits into 2 GB", async (name, set) => {
    const { scenario, directory } = loadScenario(`scenarios/${name}.yaml`, { set });
    const workload = await loadWorkload(scenario, directory);
    for (const threads of [0, 4]) {
      for (const known of [null, workload]) {
        const foreseen = foresee(scenario, known, { ...NONE, threads });
        expect(() => {
          refuseTooLarge(name, foreseen, SMALL);
        }).not.toThrow();
        expect(foreseen.bytes).toBeGreaterThan(50e6);
      }
    }
  });

  it("refuses jobs for which the heap would be full, at the count of the list alone", () => {
    const listed = (entry: string): ReturnType<typeof foresee> => {
      const { scenario } = parseScenario(`workload: { kind: jobs, jobs: [ { ${entry} } ] }\n`, "x");
      return foresee(scenario, null, NONE);
    };
    // The default heap of Node on a machine of 16 GB or more.
    const room = { bytes: 25e9, heapBytes: 4.295e9, addressBytes: Infinity };
    expect(() => {
      refuseTooLarge("x", listed("maps: 1, count: 9000000, every: 1s"), room);
    }).toThrow(
      "x: the run needs at least 3.6 GB of heap for 9,000,000 jobs (workload.jobs.*.count); a run may fill 3.4 GB of the 4.3 GB " +
        "that Node allows, and more with NODE_OPTIONS=--max-old-space-size=6000",
    );
    for (const entry of ["maps: 1, count: 8000000, every: 1s", "maps: 0, reduces: 1, count: 9000000, every: 1s"]) {
      expect(() => {
        refuseTooLarge("x", listed(entry), room);
      }).not.toThrow();
    }
  });

  it("counts no more of a job than it holds", { timeout: 60_000 }, () => {
    const held = spawnSync(process.execPath, ["--expose-gc", HEAP_OF_JOBS], { encoding: "utf8" });
    const perJob = JSON.parse(held.stdout) as Record<string, number>;
    const { job, maps, reduces } = BYTES.listedHeap;
    expect(perJob.maps).toBeGreaterThan(job + maps);
    expect(perJob.reduces).toBeGreaterThan(job + reduces);
    expect(perJob.both).toBeGreaterThan(job + maps + reduces);
    expect(perJob.facebook).toBeGreaterThan(BYTES.jobHeap.facebook);
    expect(perJob.benchmark).toBeGreaterThan(BYTES.jobHeap.benchmark);
    expect(perJob.tasks).toBeGreaterThan(BYTES.jobHeap.tasks);
  });

  it("is told for so many runs at once", () => {
    const { scenario } = loadScenario("scenarios/facebook-day.yaml", { set: ["workload.jobs=1000000"] });
    const foreseen = foresee(scenario, null, NONE);
    expect(() => {
      refuseTooLarge("day", foreseen, SMALL, 2);
    }).not.toThrow();
    expect(() => {
      refuseTooLarge("day", foreseen, SMALL, 4);
    }).toThrow("day: 4 runs at once need at least 3.3 GB of memory, most of it for 1,000,000 jobs (workload.jobs)");
  });

  it("of the time, the same from the scenario alone as from its workload, within a quarter", async () => {
    const sets = [[], ["workload.timeScale=3"], ["cluster.racks=2"], ["workload.jobs=100000"]];
    for (const [name, set] of [
      ...sets.map((changes) => ["facebook-day", changes] as const),
      ["benchmark", []] as const,
      ["scale-10k", []] as const,
      ["sticky-slots", []] as const,
    ]) {
      const { scenario, directory } = loadScenario(`scenarios/${name}.yaml`, { set });
      const described = foreseeTime(scenario, null);
      const loaded = foreseeTime(scenario, await loadWorkload(scenario, directory));
      assert(described !== null && loaded !== null);
      expect(described.seconds / loaded.seconds, `${name} ${set.join(" ")}`).toBeGreaterThan(0.75);
      expect(described.seconds / loaded.seconds, `${name} ${set.join(" ")}`).toBeLessThan(1.33);
    }
  });

  it("of the time, by hand", () => {
    const text = "cluster: { racks: 1, nodesPerRack: 10, mapSlots: 2, heartbeat: 4s }\n";
    const jobs = "workload: { kind: jobs, jobs: [ { maps: 100, mapTime: 8s } ] }\n";
    const { scenario } = parseScenario(`${text}${jobs}run: { sample: 1s }\n`, "x");
    // 100 tasks of 8 s, each with half an interval until the next heartbeat, in 20 slots: 50 s.
    const { job, task, round, beat, sample } = SECONDS;
    const seconds = job + 100 * task + (50 / 4) * (round + 10 * beat) + 50 * sample;
    expect(foreseeTime(scenario, null)?.seconds).toBeCloseTo(seconds, 12);
    const { scenario: trace } = parseScenario("workload: { kind: swim, file: none.tsv }\n", "x");
    expect(foreseeTime(trace, null)).toBe(null);
  });

  it.each([
    [1, "a second"],
    [0.0123, "a second"],
    [1.5, "1.5 seconds"],
    [119, "120 seconds"],
    [125, "2.1 minutes"],
    [7300, "2 hours"],
    [1e6, "12 days"],
    [4e12, "130,000 years"],
  ])("%d seconds are told as %s", (seconds, words) => {
    expect(roughTime(seconds)).toBe(words);
  });

  it("blames threads where they are what takes memory", () => {
    const text = "cluster: { racks: 400, nodesPerRack: 1 }\nworkload: { kind: jobs, jobs: [ { maps: 1 } ] }\n";
    const { scenario } = parseScenario(text, "x");
    expect(() => {
      refuseTooLarge("x", foresee(scenario, null, { ...NONE, threads: 400 }), SMALL);
    }).toThrow("x: the run needs at least 3.7 GB of memory, most of it for 400 threads (--threads)");
  });
});
