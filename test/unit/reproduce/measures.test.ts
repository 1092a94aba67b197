import { describe, expect, it } from "vitest";
import { runScenario } from "../../../dist/lab/index.js";
import { figuresOfMeasures, measureNamed } from "../../../dist/experiments/index.js";
import { parseScenario } from "../../../dist/io/index.js";

const TEXT = `
cluster: { racks: 1, nodesPerRack: 4, mapSlots: 2, reduceSlots: 0, heartbeat: 1s, outOfBandDelay: 1ms }
workload:
  kind: jobs
  jobs:
    - { name: one, maps: 1, mapTime: 4s, pool: small, count: 5, every: 7s }
    - { name: ten, maps: 10, mapTime: 6s, pool: large, count: 2, every: 20s }
scheduler: hfs
runtime: { jobSetup: 0s, jobCleanup: 0s }
run: { sample: 100ms }
`;

async function values(...keys: readonly string[]): Promise<Readonly<Record<string, number | null>>> {
  const { scenario } = parseScenario(TEXT, "small.yaml");
  const { summary, record } = await runScenario(scenario, ".", { placement: 0, recordTasks: false });
  const measures = keys.map((key) => measureNamed(key)!);
  return figuresOfMeasures(measures, "every", () => ({ summary, record, decisions: null })).values;
}

describe("measures that are asked for by name", () => {
  it("of laws are 1 to a sample", async () => {
    const found = await values("littleJobs", "littleMaps", "utilisationLaw");
    for (const law of Object.values(found)) expect(Math.abs(law! - 1)).toBeLessThan(0.05);
  });

  it("of conservation are 1, and are not where a launch or time of a slot is lost or told twice", async () => {
    const text = TEXT.replace("scheduler: hfs", "scheduler: kill")
      .replace("reduceSlots: 0", "reduceSlots: 1")
      .replace("count: 2, every: 20s", "count: 2, every: 20s, reduces: 2, reduceTime: 5s");
    const { scenario } = parseScenario(text, "small.yaml");
    const { summary, record } = await runScenario(scenario, ".", { placement: 0, recordTasks: false });
    const of = (key: string, jobs = record.jobs, said = summary): number | null =>
      measureNamed(key)!.evaluate({ summary: said, record: { ...record, jobs }, decisions: null });
    expect(of("slotsConserved")!).toBeCloseTo(1, 2);
    expect(of("tasksConserved")).toBe(1);
    const { jobs } = record;
    const [near, ...others] = jobs.launchedAt;
    const launchedAt = [near.map((count, job) => (job === 0 ? count + 1 : count)), ...others];
    const oneKill = jobs.kills!.map((count, job) => (job === 0 ? count + 1 : count));
    expect(of("tasksConserved", { ...jobs, launchedAt })!).toBeCloseTo((jobs.rows - 1) / jobs.rows, 9);
    expect(of("tasksConserved", { ...jobs, kills: oneKill })!).toBeCloseTo((jobs.rows - 1) / jobs.rows, 9);
    expect(of("tasksConserved", { ...jobs, launchedAt, kills: oneKill })).toBe(1);
    const noReduces = { ...jobs, heldUs: [jobs.heldUs[0], jobs.heldUs[1].map(() => 0)] };
    expect(of("slotsConserved", noReduces)!).toBeGreaterThan(1.1);
    expect(of("tasksConserved", jobs, { ...summary, stopped: "until" })).toBeNull();
    expect(of("tasksConserved", jobs, { ...summary, faults: { ...summary.faults!, attemptsLost: 1 } })).toBeNull();
  });

  it("of waits over jobs weigh each job alike, whatever it has of maps, and pass over those without a clock", async () => {
    const { scenario } = parseScenario(TEXT, "small.yaml");
    const { summary, record } = await runScenario(scenario, ".", { placement: 0, recordTasks: false });
    const { jobs } = record;
    const of = (key: string, localityWaitUs: Float64Array) =>
      measureNamed(key)!.evaluate({
        summary,
        record: { ...record, jobs: { ...jobs, localityWaitUs } },
        decisions: null,
      });
    // Two seconds for each map of the large jobs, none for the small ones.
    const waited = jobs.localityWaitUs.map((_, job) => (jobs.tasks[0][job] === 10 ? 20e6 : 0));
    expect(of("jobWaitMean", waited)).toBeCloseTo((2 * 2 + 5 * 0) / 7, 9);
    expect(of("jobWaitMean of 10 maps", waited)).toBe(2);
    expect(of("jobWaitMean of 1 maps", waited.map(() => -1))).toBeNull(); // prettier-ignore
  });

  it("of ten seconds count the jobs that the slots freed under load could start", async () => {
    const { scenario } = parseScenario(TEXT, "small.yaml");
    const { summary, record } = await runScenario(scenario, ".", { placement: 0, recordTasks: false });
    const of = (map: number | null, reduce: number | null) => {
      const { utilisation } = summary;
      const said = {
        mapSlots: { ...utilisation.mapSlots, releasesPerSecondSaturated: map },
        reduceSlots: { ...utilisation.reduceSlots, releasesPerSecondSaturated: reduce },
      };
      return measureNamed("launchableIn10s")!.evaluate({
        summary: { ...summary, utilisation: said },
        record,
        decisions: null,
      });
    };
    expect(of(1.1, 0.1)).toBe(1);
    expect(of(1, 0.1)).toBeCloseTo(5 / 7, 9);
    expect(of(1.1, 0)).toBe(0);
    expect([of(null, 1), of(1, null)]).toEqual([null, null]);
  });

  it("of added replicas compare the last third of the submissions with the third before", async () => {
    const { scenario } = parseScenario(TEXT, "small.yaml");
    const { summary, record } = await runScenario(scenario, ".", { placement: 0, recordTasks: false });
    const of = (samples: typeof record.samples) =>
      measureNamed("extraStorageTrend")!.evaluate({ summary, record: { ...record, samples }, decisions: null });
    const { samples } = record;
    // The last of the small jobs comes at 28 s.
    const extraReplicas = Int32Array.from(samples.atUs, (us) => (us < 28e6 / 3 ? 7 : us < 56e6 / 3 ? 4 : us < 28e6 ? 6 : 99)); // prettier-ignore
    expect(of({ ...samples, extraReplicas })).toBeCloseTo(1.5, 9);
    expect(of({ ...samples, extraReplicas: extraReplicas.map(() => 0) })).toBeNull();
    expect(of(samples)).toBeNull();
  });

  it.each(["responseP81", "makespanSeconds of 1 maps", "nodeLocalAll of 9-3 maps", "secondsToFifth of small"])(
    "%s is none",
    (key) => {
      expect(measureNamed(key)).toBeUndefined();
    },
  );
});
