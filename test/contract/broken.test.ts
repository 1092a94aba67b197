import { describe, expect, it } from "vitest";
import {
  buildScheduler,
  type PluginJob,
  type SchedulerPlugin,
  type BuildKind,
  type Launcher,
  type Scheduler,
  type SchedulerContext,
} from "../../dist/core/platforms/hadoop/index.js";
import { type CheckOptions, checkScheduler, contractCaseNames } from "../../dist/lab/index.js";
import shortestJob from "../../scenarios/plugins/shortest-job-first.mjs";
import { pluginOf } from "../support/plugin-runs.js";

/** Of the tests that run many scenarios, on a busy machine. */
const TIMEOUT_MS = 120_000;

/** The checks that failed on these scenarios, each with what it found first. */
async function failed(
  name: string,
  plugins: readonly SchedulerPlugin[],
  only: readonly string[],
  rest: Pick<CheckOptions, "build" | "set"> = {},
) {
  const report = await checkScheduler(name, { plugins, only, ...rest });
  const broken = report.checks.filter(({ passed }) => !passed);
  expect(report.passed).toBe(broken.length === 0);
  return broken.map(({ key, findings }) => [key, findings[0]!.message]);
}

const inOrder = (
  compare: (a: PluginJob, b: PluginJob) => number,
  rest: Partial<SchedulerPlugin> = {},
): SchedulerPlugin => pluginOf(() => ({ order: (jobs) => jobs.sort(compare) }), rest);
const bySubmission = (a: PluginJob, b: PluginJob): number => a.id - b.id;
const fewestFirst = (a: PluginJob, b: PluginJob): number => a.map.running - b.map.running || a.id - b.id;

describe("a plugin", () => {
  it(
    "of forty lines keeps the contract",
    async () => {
      expect(await failed("shortest-job", [shortestJob as unknown as SchedulerPlugin], contractCaseNames())).toEqual(
        [],
      );
    },
    TIMEOUT_MS,
  );

  it("that names a job twice too often breaks it", async () => {
    let last: PluginJob | null = null;
    const plugin = pluginOf(() => ({ choose: ({ jobs }) => ({ job: (last ??= jobs[0]!) }) }));
    expect(await failed("mine", [plugin], ["bursts"])).toEqual([
      ["plans", expect.stringMatching(/^scheduler mine, choose at .*found job/)],
    ]);
  });

  it("that remembers other runs has no fingerprint of its own", async () => {
    let calls = 0;
    const plugin = pluginOf(() => ({ order: (jobs) => (calls++ % 97 < 50 ? jobs : jobs.reverse()) }));
    expect(await failed("mine", [plugin], ["bursts"])).toEqual([
      ["again", expect.stringMatching(/^found fingerprints/)],
    ]);
  });

  it("that forgets a job lets it never end", async () => {
    const plugin = pluginOf(() => ({ order: (jobs) => jobs.filter(({ id }) => id !== 3) }));
    expect(await failed("mine", [plugin], ["bursts"])).toEqual([
      ["ends", expect.stringMatching(/^found 1 job unfinished, ann-0s-4 with 7 maps and 0 reduces pending/)],
    ]);
  });

  /** Waits five seconds for a node with the job's data, by a clock that the hook starts. */
  const waitingFrom = (hook: "jobAdded" | "jobReady", rest: Partial<SchedulerPlugin> = {}): SchedulerPlugin =>
    pluginOf(() => {
      const since = new Map<PluginJob, number>();
      const waits = (job: PluginJob, nowUs: number): boolean => nowUs - (since.get(job) ?? nowUs) < 5_000_000;
      return {
        [hook]: (job: PluginJob, nowUs: number) => since.set(job, nowUs),
        choose: ({ jobs, nearest, nowUs }) => {
          const job = jobs.find((one) => nearest(one) === "node" || !waits(one, nowUs));
          return job === undefined ? null : { job };
        },
      };
    }, rest);

  it("whose wait is over before the job may launch never waits; from jobReady on it does", async () => {
    const shares = (near: string, without: string, needed: string) =>
      `found ${near} of maps beside their data, ${without} where jobs need no set-up, allowed 80 % or more${needed}`;
    const stated = { waitsForData: true };
    expect(await failed("mine", [waitingFrom("jobAdded")], ["waits"])).toEqual([
      ["waits", shares("12 %", "100 %", " in both")],
    ]);
    expect(await failed("mine", [waitingFrom("jobReady", stated)], ["waits"])).toEqual([]);
    expect(await failed("mine", [inOrder(bySubmission)], ["waits"])).toEqual([]);
    expect(await failed("mine", [inOrder(bySubmission, stated)], ["waits"])).toEqual([
      ["waits", shares("12 %", "13 %", " of a scheduler that states waitsForData")],
    ]);
  });

  it("that kills whatever runs lets nothing end", async () => {
    const plugin = pluginOf(() => ({ order: (jobs) => jobs, updateEveryUs: 3_000_000, kills: (running) => running }));
    expect(await failed("mine", [plugin], ["huge"], { set: ["run.until=20m"] })).toEqual([
      ["ends", expect.stringMatching(/jobs unfinished/)],
    ]);
  });

  it("that serves whoever came first lets a small job starve, unless it says so", async () => {
    expect(await failed("mine", [inOrder(bySubmission)], ["stream"])).toEqual([
      [
        "small-job",
        "found the first task of small 328 s after its submission, allowed 120 s; a plugin that means it states mayStarve: true",
      ],
    ]);
    expect(await failed("mine", [inOrder(bySubmission, { mayStarve: true })], ["stream"])).toEqual([]);
    expect(await failed("mine", [inOrder(fewestFirst)], ["stream"])).toEqual([]);
  });

  it("that serves whoever came last keeps it: starvation is looked for in small jobs behind large ones", async () => {
    expect(await failed("mine", [inOrder((a, b) => b.id - a.id)], ["bursts", "stream"])).toEqual([]);
  });

  it(
    "that kills for those who have less keeps it, on threads too",
    async () => {
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
    TIMEOUT_MS,
  );
});

/** The fair scheduler with something changed. */
function spoiled(change: (fair: Scheduler, around: SchedulerContext) => Partial<Scheduler>): BuildKind {
  return (spec, around) => {
    const built = buildScheduler(spec, around);
    const { scheduler } = built;
    const changes = change(scheduler, around) as Record<string, unknown>;
    const proxy = new Proxy(scheduler, {
      get: (target, key) => {
        const value: unknown = changes[key as string] ?? Reflect.get(target, key);
        return typeof value === "function" ? (value as () => unknown).bind(target) : value;
      },
    });
    return { ...built, scheduler: proxy };
  };
}

/** The fair scheduler with other hands. */
function clumsy(change: (launcher: Launcher) => Partial<Launcher>): BuildKind {
  return (spec, around) => {
    const changes = change(around.launcher) as Record<string, unknown>;
    const launcher = new Proxy(around.launcher, {
      get: (target, key) => {
        const value: unknown = changes[key as string] ?? Reflect.get(target, key);
        return typeof value === "function" ? (value as () => unknown).bind(target) : value;
      },
    });
    return buildScheduler(spec, { ...around, launcher });
  };
}

describe("a scheduler that", () => {
  const builds: readonly (readonly [what: string, check: string, message: RegExp, build: BuildKind])[] = [
    [
      "launches while a job is added",
      "plans",
      /^found launched a reduce in jobReady, allowed launches in heartbeat only$/,
      spoiled((fair, { launcher }) => ({
        jobReady: (job, nowUs) => {
          fair.jobReady(job, nowUs);
          launcher.launchReduce(job, 0);
        },
      })),
    ],
    [
      "launches on another node",
      "plans",
      /^found launched a map on node 0, allowed node \d, which beats$/,
      clumsy((launcher) => ({ launchMap: (job, task, _node, level) => launcher.launchMap(job, task, 0, level) })),
    ],
    [
      "says that every map is local",
      "plans",
      /^found launched a map as of level 0, allowed level [12], where its block is$/,
      clumsy((launcher) => ({ launchMap: (job, task, node) => launcher.launchMap(job, task, node, 0) })),
    ],
    [
      "launches a map that runs",
      "plans",
      /^internal fault: |allowed/,
      clumsy((launcher) => ({ launchMap: (job, _task, node, level) => launcher.launchMap(job, 0, node, level) })),
    ],
    [
      "launches more than there are slots",
      "plans",
      /^found launched a map without a free slot, allowed as many as were offered$/,
      spoiled((fair) => ({
        heartbeat: (node, nowUs, maps, reduces) => fair.heartbeat(node, nowUs, maps + 1, reduces),
      })),
    ],
    [
      "kills what does not run",
      "plans",
      /^found a kill of what does not run, allowed attempts that forEachReported names$/,
      spoiled((fair, { launcher }) => ({
        jobReady: (job, nowUs) => {
          fair.jobReady(job, nowUs);
          launcher.kill(0);
        },
      })),
    ],
    [
      "does not want what it would use",
      "heartbeats",
      /^found fingerprints .* when it sees every heartbeat, allowed no difference$/,
      spoiled((fair, { jobs }) => ({ wantsMapSlots: () => fair.wantsMapSlots() && jobs.size % 4 !== 3 })),
    ],
  ];

  it.each(builds)("%s fails the check of %s", async (_what, check, message, build) => {
    expect(await failed("fair", [], ["bursts"], { build })).toEqual([[check, expect.stringMatching(message)]]);
  });

  it("decides otherwise from its fourth run on fails the check of placement", async () => {
    let builds = 0;
    const build: BuildKind = (spec, around) =>
      buildScheduler({ ...spec, kind: ++builds > 3 ? "fifo" : "fair" }, around);
    expect(await failed("fair", [], ["bursts"], { build })).toEqual([
      ["placement", expect.stringMatching(/^found fingerprints .* on 0 threads in 3 slices, allowed no difference$/)],
    ]);
  });

  it("uses few nodes for a job and does not say so lets tasks that failed on them wait for others", async () => {
    const build: BuildKind = (spec, around) => {
      const { serves: _, ...built } = buildScheduler(spec, around);
      return built;
    };
    expect(await failed("partition", [], ["failures"], { build })).toEqual([
      ["ends", expect.stringMatching(/^found \d+ jobs unfinished, .*, allowed none$/)],
    ]);
    expect(await failed("partition", [], ["failures"])).toEqual([]);
  });
});
