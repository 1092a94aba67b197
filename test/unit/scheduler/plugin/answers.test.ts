import { describe, expect, it } from "vitest";
import { US_PER_HOUR } from "../../../../dist/core/kernel/index.js";
import {
  PluginError,
  type PluginJob,
  type PluginScheduler,
  type SchedulerPlugin,
} from "../../../../dist/core/platforms/hadoop/index.js";
import { pluginOf, simulateWith, tinyRun, underPlugin, type SmallRun } from "../../../support/plugin-runs.js";

const JOBS = [{ maps: 3 }, { maps: 1, atUs: 1_000_000, reduces: 1 }] as const;

/** Nodes beat once an hour; the run is stuck after so long. */
function hourlyRun(stuckAfterUs?: number): SmallRun {
  const { scenario, workload } = underPlugin(tinyRun(...JOBS));
  const cluster = { ...scenario.cluster, heartbeat: { rule: "fixed", intervalUs: US_PER_HOUR } as const };
  return { workload, scenario: { ...scenario, cluster, run: { ...scenario.run, stuckAfterUs } } };
}

/** How a run with the scheduler fails. */
async function failure(plugin: SchedulerPlugin, run = underPlugin(tinyRun(...JOBS))): Promise<string> {
  try {
    await simulateWith(run, [plugin]);
  } catch (error) {
    expect(error).toBeInstanceOf(PluginError);
    return (error as PluginError).message;
  }
  throw new Error("the run did not fail");
}

const choosing = (choose: (...args: never[]) => unknown): SchedulerPlugin =>
  pluginOf(() => ({ choose }) as unknown as PluginScheduler);
const created = (given: unknown): SchedulerPlugin => pluginOf(() => given as PluginScheduler);

describe("an answer of choose is refused", () => {
  it.each([
    ["nothing", () => undefined, "found nothing (undefined), allowed null or { job, farthest }"],
    ["a number", () => 3, "found 3, allowed null or { job, farthest }"],
    ["a promise", async () => null, "found a promise, allowed null or { job, farthest }"],
    [
      "a bare job",
      ({ jobs }: { jobs: PluginJob[] }) => jobs[0],
      /^.*: found an object with the keys id, name.* allowed null or/,
    ],
    ["no job", () => ({ job: undefined }), "found nothing (undefined) for job, allowed one of offer.jobs: 0"],
    [
      "a copy",
      ({ jobs }: { jobs: PluginJob[] }) => ({ job: { ...jobs[0] } }),
      /found an object with the keys .* for job, allowed one/,
    ],
    [
      "a key that is misspelt",
      ({ jobs }: { jobs: PluginJob[] }) => ({ job: jobs[0], farhest: "node" }),
      'found the key "farhest", allowed job, farthest; did you mean farthest?',
    ],
    [
      "a level that is none",
      ({ jobs }: { jobs: PluginJob[] }) => ({ job: jobs[0], farthest: "node-local" }),
      'found "node-local" for farthest, allowed node, rack, row, any',
    ],
  ] as const)("that is %s", async (_what, choose, problem) => {
    const message = await failure(choosing(choose as never));
    if (typeof problem === "string") expect(message).toBe(`scheduler mine, choose at 0s of virtual time: ${problem}`);
    else expect(message).toMatch(problem);
  });

  it("that takes a map farther away than it may go", async () => {
    // Three blocks on two nodes, each on one of them: node 0 is asked about farther ones when its own are gone.
    const plugin = choosing(({ jobs }: { jobs: PluginJob[] }) => ({ job: jobs[0], farthest: "node" }));
    expect(await failure(plugin)).toMatch(
      /found farthest node for job \d, whose nearest map here is at rack, allowed rack or farther for this job, or null$/,
    );
  });

  it("that is a job with nothing to launch here, or one that has ended", async () => {
    let first: PluginJob | null = null;
    const keeps = choosing(({ jobs }: { jobs: PluginJob[] }) => ({ job: (first ??= jobs[0]!) }));
    expect(await failure(keeps)).toMatch(
      /found job 0, which has (ended|no (map|reduce) to launch on node \d), allowed one of/,
    );
  });

  it("that never launches anything, after a week of virtual time in which the run is not stuck", async () => {
    const idle = choosing(() => null);
    expect(await failure(idle, hourlyRun(Infinity))).toBe(
      "scheduler mine, choose at 168h30m00s of virtual time: found no launch for seven days, although tasks wait and " +
        "nothing runs, allowed to launch a waiting task at some time",
    );
    const { master } = (await simulateWith(hourlyRun(), [idle])).master;
    expect(master.stuck.found?.afterSeconds).toBe(24 * 3600);
    expect(master.stuck.found?.jobs[0].waitsFor).toMatch(/2 where the scheduler leaves a slot free/);
  });
});

describe("an answer of order is refused", () => {
  it.each([
    [() => null, "found null, allowed a list of jobs"],
    [() => new Set(), "found an object without keys, allowed a list of jobs"],
    [
      (jobs: PluginJob[]) => [{ ...jobs[0] }],
      /found an object with the keys .* in the list, allowed the jobs that were given/,
    ],
    [
      (jobs: PluginJob[]) => jobs.map(({ id }) => id),
      "found 0 in the list, allowed the jobs that were given, in any order",
    ],
  ] as const)("%#", async (order, problem) => {
    const message = await failure(created({ order }));
    if (typeof problem === "string") expect(message).toBe(`scheduler mine, order at 0s of virtual time: ${problem}`);
    else expect(message).toMatch(problem);
  });
});

describe("an answer of kills is refused", () => {
  it.each([
    [() => undefined, "found nothing (undefined), allowed a list of running attempts"],
    [() => [7], "found 7 in the list, allowed attempts of the list that was given"],
    [(running: object[]) => [{ ...running[0] }], /in the list, allowed attempts of the list that was given$/],
  ] as const)("%#", async (kills, problem) => {
    const order = (jobs: PluginJob[]): PluginJob[] => jobs;
    const message = await failure(created({ order, kills, updateEveryUs: 4_000_000 }));
    if (typeof problem === "string") expect(message).toBe(`scheduler mine, kills at 4s of virtual time: ${problem}`);
    else expect(message).toMatch(problem);
  });
});

describe("what create gives is refused", () => {
  const choose = (): null => null;
  it.each([
    [null, "found null, allowed an object with choose or order"],
    [{}, "found an object without keys, allowed one of choose and order"],
    [{ choose, order: () => [] }, "found both choose and order, allowed one of choose and order"],
    [{ choose: "x" }, 'found "x" for choose, allowed a function'],
    [
      { choose, kills: () => [] },
      "found update or kills without updateEveryUs, allowed how often they shall be called",
    ],
    [
      { choose, updateEveryUs: 0.5 },
      "found 0.5 for updateEveryUs, allowed a whole number of microseconds from 1000 on",
    ],
    [
      { choose, queue: [], chosen: 1, choices: () => 1, _launched: () => 1, jobend: () => undefined },
      'found the key "jobend", allowed choose, jobAdded, jobReady, jobEnded, launched, attemptEnded, update, kills; did you mean jobEnded?',
    ],
    [
      new (class {
        readonly queue = [];
        readonly choose = choose;
        launchd(): void {}
      })(),
      'found the key "launchd", allowed choose, jobAdded, jobReady, jobEnded, launched, attemptEnded, update, kills; did you mean launched?',
    ],
    [{ choose, updateEvery: 5 }, 'found the key "updateEvery", allowed updateEveryUs; did you mean updateEveryUs?'],
    [Promise.resolve({ choose }), "found a promise, allowed one of choose and order"],
  ])("%#", async (given, problem) => {
    expect(await failure(created(given))).toBe(`scheduler mine, create at 0s of virtual time: ${problem}`);
  });
});

describe("what a plugin throws", () => {
  it("is told with hook, instant and place", async () => {
    const plugin = pluginOf(() => ({
      order: (jobs) => jobs,
      attemptEnded: () => {
        throw new RangeError("no such thing");
      },
    }));
    expect(await failure(plugin)).toMatch(
      /^scheduler mine, attemptEnded at 1[02](\.5)?s of virtual time: it threw RangeError: no such thing \(.*answers\.test\.ts:\d+:\d+\)$/,
    );
  });

  it("may be anything, and be thrown by any hook", async () => {
    const thrower = (): never => {
      throw "enough";
    };
    for (const hook of ["jobAdded", "launched", "attemptEnded", "jobEnded", "update"]) {
      const plugin = created({ order: (jobs: PluginJob[]) => jobs, updateEveryUs: 1_000_000, [hook]: thrower });
      expect(await failure(plugin)).toMatch(new RegExp(`^scheduler mine, ${hook} at .*: it threw "enough"$`));
    }
  });

  it("is an async hook, which could do nothing in time", async () => {
    const plugin = created({ order: (jobs: PluginJob[]) => jobs, jobAdded: async () => undefined });
    expect(await failure(plugin)).toMatch(/jobAdded at 0s .* found a promise, allowed no async function/);
  });
});
