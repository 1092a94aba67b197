import { describe, expect, it } from "vitest";
import {
  alwaysActiveScenario,
  breakdownNotes,
  breakdownOf,
  measureCases,
  onlyCases,
  ratiosOf,
} from "../../../../dist/lab/index.js";
import { parseScenario } from "../../../../dist/io/index.js";

const TINY = `cluster: {racks: 2, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1}
workload: {kind: jobs, jobs: [{name: a, maps: 30, mapTime: 5s, count: 4, every: 2s}]}
run: {sample: 1s}
`;
const tiny = (name: string, more: object = {}) =>
  ({ name, scenario: "tiny", text: TINY, placement: 0, ...more }) as const;

describe("whole runs, each in a process of its own", () => {
  it("have one fingerprint inline and on threads, and the tasks of the workload", async () => {
    const told: string[] = [];
    const found = await measureCases([tiny("inline"), tiny("two", { placement: 2 })], {
      onProgress: (line) => told.push(line),
    });
    expect(told).toEqual(["run 1 of 1: inline", "run 1 of 1: two"]);
    expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(1);
    expect(found.map(({ tasks, threads }) => [tasks, threads])).toEqual([
      [120, 1],
      [120, 2],
    ]);
    for (const { process: whole, simulation, activeJobs } of found) {
      expect(whole.cpuSeconds).toBeGreaterThan(simulation.cpuSeconds);
      expect(whole.peakMemoryMiB).toBeGreaterThan(20);
      expect(activeJobs).toBeGreaterThan(1);
    }
  });

  it("stop after the span that was asked for", async () => {
    const [whole] = await measureCases([tiny("inline")], { spanUs: 20_000_000 });
    expect(whole.tasks).toBeLessThan(60);
    // Four nodes, a heartbeat every 3 s.
    expect(whole.heartbeats.processed + whole.heartbeats.implied).toBeLessThanOrEqual(4 * 7);
  });

  it("tell what the CPU time of an inline run is made of, in parts that add up", async () => {
    const found = await measureCases([tiny("whole"), tiny("in parts", { inParts: true })], { runs: 2 });
    expect(found[0].parts).toBe(null);
    const { breakdown } = breakdownOf(found);
    expect(breakdown?.rows.map((row) => row["case"])).toEqual(["in parts"]);
    const row = breakdown?.rows[0] as Record<string, number>;
    expect(breakdown?.columns.map(({ key }) => key)).toEqual(Object.keys(row));
    const { case: _, cpuSeconds, warmMicrosecondsPerTask, ...parts } = row;
    const known = Object.values(parts).filter((part) => typeof part === "number");
    // What is done between the last mark and the figures of the process.
    expect(known.reduce((sum, part) => sum + part, 0)).toBeCloseTo(cpuSeconds, 1);
    expect(warmMicrosecondsPerTask).toBeCloseTo((row["warmSeconds"] / 120) * 1e6, 6);
    for (const key of ["nodeSeconds", "modulesSeconds", "scenarioSeconds", "workloadSeconds", "warmSeconds"]) {
      expect(row[key], key).toBeGreaterThan(0);
    }
    // Code that is loaded, compiled and warm: a run of so few tasks takes a fraction of its first.
    expect(row["warmSeconds"]).toBeLessThan(row["modulesSeconds"] + row["firstExtraSeconds"]);
    const notes = breakdownNotes(found);
    if (process.platform === "linux") expect(notes).toEqual([]);
    const unknown = found.map((one) => ({ ...one, parts: one.parts && { ...one.parts, otherThreadsSeconds: null } }));
    expect(breakdownNotes(unknown)).toHaveLength(1);
    expect(breakdownOf(found.slice(0, 1))).toEqual({});
  });

  it("refuse two results of what is called one simulation", async () => {
    const other = tiny("other", { text: TINY.replace("maps: 30", "maps: 31") });
    await expect(measureCases([tiny("inline"), other], {})).rejects.toThrow(/one simulation gave two results/);
  });

  it("a process that fails is told of with what it said", async () => {
    const broken = tiny("broken", { text: TINY.replace("racks: 2", "racks: 0") });
    await expect(measureCases([broken], {})).rejects.toThrow(/ended with 1: [^]*found 0 for cluster\.racks/);
  });

  it("are killed when it is stopped", async () => {
    const reason = new Error("enough");
    const endless = tiny("endless", { text: TINY.replace("count: 4", "count: 10000") });
    const stop = new AbortController();
    const measured = measureCases([endless], { signal: stop.signal });
    setTimeout(() => {
      stop.abort(reason);
    }, 200);
    await expect(measured).rejects.toBe(reason);
  });
});

describe("cases", () => {
  it("are chosen by a part of their name", () => {
    const cases = [tiny("inline"), tiny("two threads")];
    expect(onlyCases(cases, undefined)).toEqual(cases);
    expect(onlyCases(cases, "thread").map(({ name }) => name)).toEqual(["two threads"]);
    expect(() => onlyCases(cases, "rack")).toThrow('--only: found "rack", allowed a part of: inline; two threads');
  });

  it("give the ratios whose two cases were measured", () => {
    const figures = {
      fingerprint: "",
      threadsOfRuns: [],
      heartbeats: { processed: 0, implied: 0 },
      activeJobs: 0,
      pendingMaps: 0,
      threads: 0,
      parts: null,
    };
    const cost = { wallSeconds: 1, cpuSeconds: 1, peakMemoryMiB: 1 };
    const found = [
      { case: tiny("inline"), ...figures, tasks: 8, process: cost, simulation: cost },
      { case: tiny("two"), ...figures, tasks: 2, process: cost, simulation: cost },
    ];
    const tasks = ({ tasks: value }: { tasks: number }) => value;
    const wanted = [
      ["both", "inline", "two", tasks],
      ["one", "inline", "three", tasks],
    ] as const;
    expect(ratiosOf(found, wanted)).toEqual({ both: 4 });
  });

  it("always active: 20 users, who always have jobs, on the slots of the Facebook cluster", () => {
    const { scenario } = parseScenario(alwaysActiveScenario(), "always-active.yaml");
    const { workload, cluster } = scenario;
    if (workload.kind !== "jobs") throw new Error("it lists its jobs");
    expect(new Set(workload.jobs.map(({ user }) => user)).size).toBe(20);
    const atStart = workload.jobs.filter(({ atUs }) => atUs === 0);
    expect(atStart.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(750);
    expect(cluster.racks.flat().length).toBe(31);
  });
});
