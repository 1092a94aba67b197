import { expect, it } from "vitest";
import {
  buildScheduler,
  type BuildKind,
  type PluginJob,
  type SchedulerPlugin,
} from "../../dist/core/platforms/hadoop/index.js";
import { type CheckOptions, checkScheduler, contractCaseNames } from "../../dist/lab/index.js";
import shortestJob from "../../scenarios/plugins/shortest-job-first.mjs";
import { pluginOf } from "../support/plugin-runs.js";

/** Of the tests that run many scenarios, on a busy machine. */
const TIMEOUT_MS = 120_000;

type Rest = Pick<CheckOptions, "build" | "set">;

/** The checks that failed on these scenarios. */
async function failed(name: string, plugins: readonly SchedulerPlugin[], only: readonly string[], rest: Rest = {}) {
  const report = await checkScheduler(name, { plugins, only, ...rest });
  const broken = report.checks.filter(({ passed }) => !passed);
  expect(report.passed).toBe(broken.length === 0);
  return broken.map(({ key }) => key);
}

const inOrder = (compare: (a: PluginJob, b: PluginJob) => number, rest: Partial<SchedulerPlugin> = {}) =>
  pluginOf(() => ({ order: (jobs) => jobs.sort(compare) }), rest);
const bySubmission = (a: PluginJob, b: PluginJob): number => a.id - b.id;
const fewestFirst = (a: PluginJob, b: PluginJob): number => a.map.running - b.map.running || a.id - b.id;

/** Waits five seconds for a node with the job's data, by a clock that the hook starts. */
const waitingFrom = (hook: "jobAdded" | "jobReady", rest: Partial<SchedulerPlugin> = {}): SchedulerPlugin =>
  pluginOf(() => {
    const since = new Map<PluginJob, number>();
    return {
      [hook]: (job: PluginJob, nowUs: number) => since.set(job, nowUs),
      choose: ({ jobs, nearest, nowUs }) => {
        const job = jobs.find((one) => nearest(one) === "node" || nowUs - (since.get(one) ?? nowUs) >= 5_000_000);
        return job === undefined ? null : { job };
      },
    };
  }, rest);

let calls = 0;
let last: PluginJob | null = null;
const STATED = { waitsForData: true };

it.each<[what: string, plugin: SchedulerPlugin, only: string[], checks: string[], rest?: Rest]>([
  [
    "names a job twice too often",
    pluginOf(() => ({ choose: ({ jobs }) => ({ job: (last ??= jobs[0]!) }) })),
    ["bursts"],
    ["plans"],
  ],
  [
    "remembers other runs",
    pluginOf(() => ({ order: (jobs) => (calls++ % 97 < 50 ? jobs : jobs.reverse()) })),
    ["bursts"],
    ["again"],
  ],
  ["forgets a job", pluginOf(() => ({ order: (jobs) => jobs.filter(({ id }) => id !== 3) })), ["bursts"], ["ends"]],
  [
    "kills whatever runs",
    pluginOf(() => ({ order: (jobs) => jobs, updateEveryUs: 3_000_000, kills: (running) => running })),
    ["huge"],
    ["ends"],
    { set: ["run.until=20m"] },
  ],
  ["waits from before the job may launch", waitingFrom("jobAdded"), ["waits"], ["waits"]],
  ["waits from when the job may launch", waitingFrom("jobReady", STATED), ["waits"], []],
  ["waits for nothing", inOrder(bySubmission), ["waits"], []],
  ["waits for nothing but states it", inOrder(bySubmission, STATED), ["waits"], ["waits"]],
  ["serves whoever came first", inOrder(bySubmission), ["stream"], ["small-job"]],
  ["does so and says so", inOrder(bySubmission, { mayStarve: true }), ["stream"], []],
  ["serves who has least", inOrder(fewestFirst), ["stream"], []],
  ["serves whoever came last", inOrder((a, b) => b.id - a.id), ["bursts", "stream"], []],
])("a plugin that %s", async (_, plugin, only, checks, rest) => {
  expect(await failed("mine", [plugin], only, rest)).toEqual(checks);
});

it(
  "a plugin of forty lines keeps the contract, and one that kills for those who have less, on threads too",
  async () => {
    expect(await failed("shortest-job", [shortestJob as unknown as SchedulerPlugin], contractCaseNames())).toEqual([]);
    const plugin = pluginOf(() => ({
      order: (jobs) => jobs.sort(fewestFirst),
      updateEveryUs: 5_000_000,
      kills: (running) => {
        const most = running.reduce((a, b) => (b.job.map.running > a.job.map.running ? b : a), running[0]!);
        return most !== undefined && most.job.map.running > 6 ? [most] : [];
      },
    }));
    expect(await failed("mine", [plugin], ["huge", "faults", "life"])).toEqual([]);
  },
  2 * TIMEOUT_MS,
);

/** Something with some of its methods changed. */
function changed<T extends object>(whole: T, changes: Partial<T>): T {
  return new Proxy(whole, {
    get: (target, key) => {
      const value: unknown = (changes as Record<string | symbol, unknown>)[key] ?? Reflect.get(target, key);
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
}

type Spoils = (built: ReturnType<typeof buildScheduler>["scheduler"], around: Parameters<BuildKind>[1]) => object;

/** The fair scheduler with something changed. */
const spoiled =
  (change: Spoils): BuildKind =>
  (spec, around) => {
    const built = buildScheduler(spec, around);
    return { ...built, scheduler: changed(built.scheduler, change(built.scheduler, around)) };
  };

type Launcher = Parameters<BuildKind>[1]["launcher"];

/** The fair scheduler with another launcher. */
const clumsy =
  (change: (launcher: Launcher) => Partial<Launcher>): BuildKind =>
  (spec, around) =>
    buildScheduler(spec, { ...around, launcher: changed(around.launcher, change(around.launcher)) });

let builds = 0;

it.each<[what: string, check: string, build: BuildKind]>([
  [
    "launches while a job is added",
    "plans",
    spoiled((fair, { launcher }) => ({
      jobReady: (job: number, nowUs: number) => {
        fair.jobReady(job, nowUs);
        launcher.launchReduce(job, 0);
      },
    })),
  ],
  [
    "launches on another node",
    "plans",
    clumsy((launcher) => ({ launchMap: (job, task, _, level) => launcher.launchMap(job, task, 0, level) })),
  ],
  [
    "says that every map is local",
    "plans",
    clumsy((launcher) => ({ launchMap: (job, task, node) => launcher.launchMap(job, task, node, 0) })),
  ],
  [
    "launches a map that runs",
    "plans",
    clumsy((launcher) => ({ launchMap: (job, _, node, level) => launcher.launchMap(job, 0, node, level) })),
  ],
  [
    "launches more than there are slots",
    "plans",
    spoiled((fair) => ({
      heartbeat: (...[node, nowUs, maps, reduces]: Parameters<typeof fair.heartbeat>) =>
        fair.heartbeat(node, nowUs, maps + 1, reduces),
    })),
  ],
  [
    "kills what does not run",
    "plans",
    spoiled((fair, { launcher }) => ({
      jobReady: (job: number, nowUs: number) => {
        fair.jobReady(job, nowUs);
        launcher.kill(0);
      },
    })),
  ],
  [
    "does not want what it would use",
    "heartbeats",
    spoiled((fair, { jobs }) => ({ wantsMapSlots: () => fair.wantsMapSlots() && jobs.size % 4 !== 3 })),
  ],
  [
    "decides otherwise from its fourth run on",
    "placement",
    (spec, around) => buildScheduler({ ...spec, kind: ++builds > 3 ? "fifo" : "fair" }, around),
  ],
])("a scheduler that %s fails the check of %s", async (_, check, build) => {
  expect(await failed("fair", [], ["bursts"], { build })).toEqual([check]);
});

it("a scheduler that uses few nodes for a job and does not say so lets failed tasks wait for others", async () => {
  const build: BuildKind = (spec, around) => {
    const { serves: _, ...built } = buildScheduler(spec, around);
    return built;
  };
  expect(await failed("partition", [], ["failures"], { build })).toEqual(["ends"]);
  expect(await failed("partition", [], ["failures"])).toEqual([]);
});
