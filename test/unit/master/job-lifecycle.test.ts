import { beforeEach, describe, expect, it } from "vitest";
import { BlockStore, uniformPlacement, buildTopology } from "../../../dist/core/cluster/index.js";
import {
  CLEANUP,
  JobTable,
  MAP,
  PREP,
  REDUCE,
  RUNNING,
  SETUP,
  PendingMaps,
  Attempts,
  FreeSlots,
  JobLifecycle,
  SetupTasks,
  Submissions,
  Recorder,
  NO_WAIT,
  Users,
  type BuiltScheduler,
} from "../../../dist/core/platforms/hadoop/index.js";
import { recordingSink } from "../../support/recording-sink.js";
import { jobOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;

/** Jobs of ann at 1 s, of bob at 1 s and 5 s, the latter of a pool that takes no jobs. */
const JOBS = [
  jobOf({ name: "first", atUs: SECOND, maps: 3, reduces: 2 }),
  jobOf({ name: "second", atUs: SECOND, user: "bob", pool: "bob", maps: 0, reduces: 1 }),
  jobOf({ name: "refused", atUs: 5 * SECOND, user: "bob", pool: "closed", maps: 4 }),
];

describe("the life of a job", () => {
  let told: string[];
  let built: BuiltScheduler;
  let jobs: JobTable;
  let pending: PendingMaps;
  let recorder: Recorder;
  let setupTasks: SetupTasks;
  let submissions: Submissions;

  beforeEach(() => {
    told = [];
    const tell =
      (what: string) =>
      (job: number, nowUs?: number): void =>
        void told.push([what, jobs.id[job], nowUs === undefined ? "" : nowUs / SECOND].join(" ").trim());
    built = {
      users: new Users(),
      poolOf: (name: string) => ["ann", "bob"].indexOf(name),
      waitOf: (job: number) => ({ ...NO_WAIT, unit: jobs.id[job] === 0 ? "opportunities" : null }),
      scheduler: { jobAdded: tell("added"), jobReady: tell("ready"), jobRemoved: tell("removed") },
    } as unknown as BuiltScheduler;
  });

  function lifecycle(runtime: { jobSetupUs: number; jobCleanupUs: number; setupTasks?: boolean }): JobLifecycle {
    const { scenario, workload } = smallRun({ jobs: JOBS, runtime: { ...runtime, slowStart: 0.5 } });
    const topology = buildTopology(scenario.cluster);
    const blocks = workload.files.map((file) => file.blocks);
    const store = new BlockStore(blocks, topology, uniformPlacement(topology, 3, 1), 3);
    jobs = new JobTable();
    pending = new PendingMaps(jobs, store, topology);
    recorder = new Recorder(workload, topology, false);
    const slots = new FreeSlots(topology);
    const attempts = new Attempts(topology);
    const { sink } = recordingSink();
    setupTasks = new SetupTasks({ scenario, commandsOf: () => sink, slots, attempts, recorder });
    const jobEntered = (job: number): void => void told.push(`entered ${String(jobs.id[job])}`);
    const tables = { scenario, workload, jobs, store, pending, recorder };
    submissions = new Submissions(workload);
    return new JobLifecycle({ ...tables, submissions, setupTasks, built, launches: { jobEntered }, outputs: null });
  }

  it("begins at its submission: entered, told to the scheduler, and not initialised", () => {
    const life = lifecycle({ jobSetupUs: 2 * SECOND, jobCleanupUs: 0 });
    expect([submissions.nextUs, life.uninitialised]).toEqual([SECOND, 0]);
    life.submit(SECOND);
    expect(told).toEqual(["entered 0", "added 0 1"]);
    expect([submissions.nextUs, life.uninitialised]).toEqual([SECOND, 1]);
    expect([jobs.state[0], jobs.pool[0], jobs.user[0], jobs.startUs[0]]).toEqual([PREP, 0, 0, SECOND]);
    expect([jobs.pending[MAP][0], jobs.pending[REDUCE][0], jobs.slowStartMaps[0]]).toEqual([3, 2, 2]);
    life.submit(SECOND);
    expect([submissions.nextUs, life.uninitialised, jobs.pool[1], jobs.user[1]]).toEqual([5 * SECOND, 2, 1, 1]);
    expect([jobs.firstBlock[1], jobs.slowStartMaps[1]]).toEqual([-1, 0]);
    expect([recorder.jobsSubmitted, ...recorder.tasksSubmitted]).toEqual([2, 3, 3]);
  });

  it("has a set-up that begins when the scheduler says so, after which its maps wait", () => {
    const life = lifecycle({ jobSetupUs: 2 * SECOND, jobCleanupUs: 0 });
    life.submit(SECOND);
    life.submit(SECOND);
    life.initialise(1, 3 * SECOND);
    expect([life.uninitialised, life.ready.peekAtUs(), jobs.state[1]]).toEqual([1, 5 * SECOND, PREP]);
    life.initialise(0, 4 * SECOND);
    expect(life.uninitialised).toBe(0);
    told = [];
    life.endSetup(5 * SECOND);
    expect([told, jobs.state[1], jobs.state[0]]).toEqual([["ready 1 5"], RUNNING, PREP]);
    expect(recorder.waits.clockOf).toEqual([null, null, null]);
    expect(life.ready.peekAtUs()).toBe(6 * SECOND);
    life.endSetup(6 * SECOND);
    expect([told.at(-1), jobs.state[0], pending.anywhere(0)]).toEqual(["ready 0 6", RUNNING, 0]);
    expect(recorder.waits.clockOf).toEqual(["opportunities", null, null]);
    expect(life.ready.peekAtUs()).toBe(Infinity);
  });

  it("is ready at once where set-up takes no time", () => {
    const life = lifecycle({ jobSetupUs: 0, jobCleanupUs: 0 });
    life.submit(SECOND);
    life.initialise(0, SECOND);
    expect([life.uninitialised, life.ready.peekAtUs(), jobs.state[0]]).toEqual([0, Infinity, RUNNING]);
    expect([told.at(-1), pending.anywhere(0)]).toEqual(["ready 0 1", 0]);
  });

  it("does not begin where no pool takes the job, which is counted and forgotten", () => {
    const life = lifecycle({ jobSetupUs: 0, jobCleanupUs: 0 });
    for (const nowUs of [SECOND, SECOND, 5 * SECOND]) life.submit(nowUs);
    expect([recorder.jobsSubmitted, recorder.jobsRefused, recorder.jobsEnded]).toEqual([3, 1, 0]);
    expect([life.uninitialised, jobs.size, jobs.handles, submissions.nextUs]).toEqual([2, 2, 2, Infinity]);
    expect(told).toEqual(["entered 0", "added 0 1", "entered 1", "added 1 1"]);
    expect(recorder.endUs[2]).toBe(-1);
  });

  it("ends after its clean-up; its handle may be had at once", () => {
    const life = lifecycle({ jobSetupUs: 0, jobCleanupUs: SECOND });
    for (let i = 0; i < 2; i++) life.submit(SECOND);
    for (const job of [0, 1]) life.initialise(job, SECOND);
    told = [];
    life.retire(1, 7 * SECOND);
    expect([told, jobs.size, recorder.jobsEnded, life.ends.peekAtUs()]).toEqual([["removed 1 7"], 1, 0, 8 * SECOND]);
    expect(life.ends.pop()).toBe(1);
    life.retire(0, 9 * SECOND);
    expect([jobs.size, life.ends.peekAtUs()]).toEqual([0, 10 * SECOND]);
  });

  it("ends with its last task where clean-up takes no time", () => {
    const life = lifecycle({ jobSetupUs: 0, jobCleanupUs: 0 });
    life.submit(SECOND);
    life.initialise(0, SECOND);
    life.retire(0, 7 * SECOND);
    expect([recorder.jobsEnded, recorder.endUs[0], life.ends.peekAtUs()]).toEqual([1, 7 * SECOND, Infinity]);
  });

  it("turns ready and ends with the tasks that set it up and clean it up, where there are such", () => {
    const life = lifecycle({ jobSetupUs: 2 * SECOND, jobCleanupUs: SECOND, setupTasks: true });
    life.submit(SECOND);
    life.initialise(0, SECOND);
    expect([setupTasks.waiting, jobs.state[0], life.ready.peekAtUs()]).toEqual([1, PREP, Infinity]);
    expect(setupTasks.giveTo(0, 3 * SECOND)).toBe(true);
    life.setupTaskDone(SETUP, 0, 6 * SECOND);
    expect([told.at(-1), jobs.state[0], pending.anywhere(0)]).toEqual(["ready 0 6", RUNNING, 0]);
    life.retire(0, 9 * SECOND);
    expect([setupTasks.waiting, jobs.size, recorder.jobsEnded, life.ends.peekAtUs()]).toEqual([1, 0, 0, Infinity]);
    life.setupTaskDone(CLEANUP, 0, 12 * SECOND);
    expect([recorder.jobsEnded, recorder.endUs[0]]).toEqual([1, 12 * SECOND]);
  });
});
