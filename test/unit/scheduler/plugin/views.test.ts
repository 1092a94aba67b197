import { describe, expect, it } from "vitest";
import type { Offer, PluginJob } from "../../../../dist/core/platforms/hadoop/index.js";
import { pluginOf, mixedRun, simulateWith, tinyRun, underPlugin } from "../../../support/plugin-runs.js";

const S = 1_000_000;

describe("what a plugin is shown", () => {
  it("is the cluster, each job, and counts as they are", async () => {
    const lines: string[] = [];
    const seen: PluginJob[] = [];
    const counts = ({ map, reduce }: PluginJob): string =>
      [map, reduce].map((c) => `${c.pending}+${c.running}+${c.done}/${c.total}`).join(" ");
    const plugin = pluginOf((cluster, options) => {
      lines.push(JSON.stringify([cluster.nodes, cluster.racks, cluster.heartbeatUs, cluster.slots, options]));
      return {
        jobAdded: (job, nowUs) => {
          seen.push(job);
          lines.push(`${nowUs / S} added ${job.id} of ${job.user} in ${job.pool}, priority ${job.priority}`);
        },
        choose: ({ node, rack, slotType, freeSlots, nowUs, jobs }: Offer) => {
          lines.push(`${nowUs / S} offer ${node} ${rack} ${slotType} ${freeSlots}: ${jobs.map((j) => j.id).join(" ")}`);
          return { job: jobs[0]! };
        },
        launched: (job, type, reach, nowUs) =>
          lines.push(`${nowUs / S} launched ${type} ${job.id} ${reach}: ${counts(job)}`),
        attemptEnded: (job, type, requeued, nowUs) =>
          lines.push(`${nowUs / S} ended ${type} ${job.id} ${requeued}: ${counts(job)}`),
        jobEnded: (job, nowUs) => lines.push(`${nowUs / S} over ${job.id}: ${counts(job)}`),
      };
    });
    const run = tinyRun({ maps: 2, reduces: 1, user: "ann", pool: "etl", priority: "high", file: "none" });
    const jobs = run.workload.jobs.map((job) => ({ ...job, input: null }));
    await simulateWith(underPlugin({ ...run, workload: { ...run.workload, jobs } }, { a: 1 }), [plugin]);
    // Two nodes beat at 0 s and 1.5 s of every 3 s; maps take 10 s, the reduce copies 5 s and reduces 5 s.
    expect(lines).toEqual([
      '[2,1,3000000,{"map":2,"reduce":2},{"a":1}]',
      "0 added 0 of ann in etl, priority 1",
      "0 offer 0 0 map 1: 0",
      "0 launched map 0 node: 1+1+0/2 1+0+0/1",
      "1.5 offer 1 0 map 1: 0",
      "1.5 launched map 0 node: 0+2+0/2 1+0+0/1",
      "12 ended map 0 false: 0+1+1/2 1+0+0/1",
      "12 offer 0 0 reduce 1: 0",
      "12 launched reduce 0 node: 0+1+1/2 0+1+0/1",
      "13.5 ended map 0 false: 0+0+2/2 0+1+0/1",
      expect.stringMatching(/^\d+ ended reduce 0 false: 0\+0\+2\/2 0\+0\+1\/1$/),
      expect.stringMatching(/^\d+ over 0: 0\+0\+2\/2 0\+0\+1\/1$/),
    ]);
    expect(counts(seen[0]!)).toBe("0+0+2/2 0+0+1/1");
  });

  it("is when a job may launch, what it reads, its deadline, and times of tasks only once some have ended", async () => {
    const lines: string[] = [];
    const seconds = (us: number | null): string => (us === null ? "-" : String(us / S));
    const note = (what: string, job: PluginJob, nowUs: number): number => {
      const instants = [job.submittedUs, job.readyUs, job.deadlineUs].map(seconds).join(" ");
      const times = `${seconds(job.map.estimateUs)} ${seconds(job.reduce.estimateUs)}`;
      return lines.push(`${nowUs / S} ${what} ${job.name}: ${instants}; ${times}`);
    };
    const sizes: number[] = [];
    const plugin = pluginOf(() => ({
      jobAdded: (job, nowUs) => [sizes.push(job.inputBytes), note("added", job, nowUs)],
      jobReady: (job, nowUs) => note("ready", job, nowUs),
      attemptEnded: (job, _type, _requeued, nowUs) => note("ended", job, nowUs),
      jobEnded: (job, nowUs) => note("over", job, nowUs),
      choose: ({ jobs }) => ({ job: jobs[0]! }),
    }));
    const long = { name: "b", maps: 2, atUs: 60 * S, mapUs: 22 * S, inputBytesPerMap: 1000 };
    const run = tinyRun({ name: "a", maps: 2, deadlineUs: 90 * S }, long);
    const { runtime } = run.scenario;
    const scenario = { ...run.scenario, runtime: { ...runtime, jobSetupUs: 7 * S } };
    await simulateWith(underPlugin({ ...run, scenario }), [plugin]);
    expect(sizes).toEqual([2 * scenario.storage.blockBytes, 2000]);
    // Nobody foresees the 22 s of the second job's map: at first it is taken for one like the first job's.
    expect(lines).toEqual([
      "0 added a: 0 - 90; - -",
      "7 ready a: 0 7 90; - -",
      "19.5 ended a: 0 7 90; 10 -",
      "21 ended a: 0 7 90; 10 -",
      "21 over a: 0 7 90; 10 -",
      "60 added b: 60 - -; 10 -",
      "67 ready b: 60 67 -; 10 -",
      "91.5 ended b: 60 67 -; 22 -",
      "93 ended b: 60 67 -; 22 -",
      "93 over b: 60 67 -; 22 -",
    ]);
  });

  it("is how near data lies, and a choice gets no farther than it says", async () => {
    const reaches = new Set<string>();
    const plugin = pluginOf(() => ({
      choose: ({ jobs, nearest, slotType }) => {
        const job = jobs.find((one) => nearest(one) === "node");
        if (slotType === "map") for (const one of jobs) reaches.add(nearest(one));
        return job === undefined ? null : { job, farthest: "node" };
      },
    }));
    const run = await simulateWith(underPlugin(mixedRun()), [plugin]);
    const { mapsAtTotal } = run.master.master.recorder;
    expect(run.allEnded).toBe(true);
    expect([...mapsAtTotal]).toEqual([mapsAtTotal[0], 0, 0, mapsAtTotal[3], 0]);
    expect(reaches).toEqual(new Set(["node", "rack", "any"]));
  });
});
