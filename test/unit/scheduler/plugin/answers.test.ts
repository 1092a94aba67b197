import { expect, it } from "vitest";
import { US_PER_HOUR } from "../../../../dist/core/kernel/index.js";
import { PluginError, type PluginJob, type PluginScheduler } from "../../../../dist/core/platforms/hadoop/index.js";
import { pluginOf, simulateWith, tinyRun, underPlugin, type SmallRun } from "../../../support/plugin-runs.js";

const JOBS = [{ maps: 3 }, { maps: 1, atUs: 1_000_000, reduces: 1 }] as const;

/** Nodes beat once an hour; the run is stuck after so long. */
function hourlyRun(stuckAfterUs?: number): SmallRun {
  const { scenario, workload } = underPlugin(tinyRun(...JOBS));
  const cluster = { ...scenario.cluster, heartbeat: { rule: "fixed", intervalUs: US_PER_HOUR } as const };
  return { workload, scenario: { ...scenario, cluster, run: { ...scenario.run, stuckAfterUs } } };
}

/** How a run fails under what `create` of the plugin gives. */
async function failure(given: unknown, run = underPlugin(tinyRun(...JOBS))): Promise<string> {
  try {
    await simulateWith(run, [pluginOf(() => given as PluginScheduler)]);
  } catch (error) {
    expect(error).toBeInstanceOf(PluginError);
    return (error as PluginError).message.replace(/\(.*answers\.test\.ts:\d+:\d+\)/, "(PLACE)");
  }
  throw new Error("the run did not fail");
}

interface Offered {
  readonly jobs: PluginJob[];
}
const idle = (): null => null;
const asGiven = (jobs: PluginJob[]): PluginJob[] => jobs;
const kills = (answer: (running: object[]) => unknown): object => ({
  order: asGiven,
  kills: answer,
  updateEveryUs: 4_000_000,
});
const thrower = (): never => {
  throw "enough";
};
let first: PluginJob | null = null;

const WRONG: Readonly<Record<string, unknown>> = {
  "choose: nothing": { choose: () => undefined },
  "choose: a number": { choose: () => 3 },
  "choose: a promise": { choose: async () => null },
  "choose: a bare job": { choose: ({ jobs }: Offered) => jobs[0] },
  "choose: no job": { choose: () => ({ job: undefined }) },
  "choose: a copy": { choose: ({ jobs }: Offered) => ({ job: { ...jobs[0] } }) },
  "choose: a misspelt key": { choose: ({ jobs }: Offered) => ({ job: jobs[0], farhest: "node" }) },
  "choose: no level": { choose: ({ jobs }: Offered) => ({ job: jobs[0], farthest: "node-local" }) },
  // Three blocks on two nodes, each on one of them: node 0 is asked about farther ones when its own are gone.
  "choose: a map farther away than it may go": {
    choose: ({ jobs }: Offered) => ({ job: jobs[0], farthest: "node" }),
  },
  "choose: a job with nothing to launch": { choose: ({ jobs }: Offered) => ({ job: (first ??= jobs[0]!) }) },
  "order: null": { order: () => null },
  "order: a set": { order: () => new Set() },
  "order: a copy": { order: (jobs: PluginJob[]) => [{ ...jobs[0] }] },
  "order: numbers": { order: (jobs: PluginJob[]) => jobs.map(({ id }) => id) },
  "kills: nothing": kills(() => undefined),
  "kills: a number": kills(() => [7]),
  "kills: a copy": kills((running) => [{ ...running[0] }]),
  "create: null": null,
  "create: nothing in it": {},
  "create: both": { choose: idle, order: () => [] },
  "create: no function": { choose: "x" },
  "create: kills never called": { choose: idle, kills: () => [] },
  "create: half a microsecond": { choose: idle, updateEveryUs: 0.5 },
  "create: a key near a hook's, beside its own": {
    choose: idle,
    queue: [],
    chosen: 1,
    choices: () => 1,
    _launched: () => 1,
    jobend: () => undefined,
  },
  "create: a method near a hook's": new (class {
    readonly choose = idle;
    launchd(): void {}
  })(),
  "create: a setting near another": { choose: idle, updateEvery: 5 },
  "create: a promise": Promise.resolve({ choose: idle }),
  "an async hook": { order: asGiven, jobAdded: async () => undefined },
  "an error": {
    order: asGiven,
    attemptEnded: () => {
      throw new RangeError("no such thing");
    },
  },
  ...Object.fromEntries(
    ["jobAdded", "launched", "attemptEnded", "jobEnded", "update"].map((hook) => [
      `thrown by ${hook}`,
      { order: asGiven, updateEveryUs: 1_000_000, [hook]: thrower },
    ]),
  ),
};

it("each wrong answer of a plugin ends its run, which names hook, instant and what is allowed", async () => {
  const said: Record<string, string> = {};
  for (const [what, given] of Object.entries(WRONG)) said[what] = await failure(given);
  expect(said).toMatchSnapshot();
});

it("a plugin that never launches anything is told after a week of virtual time in which the run is not stuck", async () => {
  expect(await failure({ choose: idle }, hourlyRun(Infinity))).toMatch(/^scheduler mine, choose at 168h30m00s /);
  const { master } = (await simulateWith(hourlyRun(), [pluginOf(() => ({ choose: idle }))])).master;
  expect([master.parts.stuck.diagnosis?.afterSeconds, master.parts.stuck.diagnosis?.jobs.length]).toEqual([
    24 * 3600,
    2,
  ]);
});
