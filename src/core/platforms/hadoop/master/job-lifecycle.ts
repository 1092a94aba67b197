import { NO_MAP_DETAIL } from "../racks/protocol.js";
import { type SetupTask, CLEANUP, MAP, REDUCE, RUNNING, SETUP } from "../jobs/job-table.js";
import { NO_INPUT } from "../jobs/nearness.js";
import { EventSet } from "../../../kernel/index.js";
import { type BuiltScheduler, REFUSED } from "../scheduler/scheduler.js";
import type { JobSpec, Workload } from "../../../workload/index.js";
import type { MasterTables } from "./attempts.js";
import type { Launches } from "./launches.js";
import type { MapOutputs } from "./map-outputs.js";

/**
 * Jobs from submission to end: entered, set up, ready, cleaned up, ended. Set-up and clean-up hold slots where
 * `setupTasks` says so; they just take their times otherwise. Those of no time are left out.
 */
export class JobLifecycle {
  /** Ends of set-ups and clean-ups, by the job's rank. */
  readonly ready = new EventSet(64);
  readonly ends = new EventSet(64);
  /** Jobs that wait for the scheduler to let them be initialised. */
  uninitialised = 0;
  private readonly handleOf: Int32Array;

  constructor(
    private readonly parts: Pick<MasterTables, "scenario" | "workload" | "jobs" | "store" | "pending" | "recorder"> & {
      /** Set-ups and clean-ups that hold slots, where they do. */
      readonly setupTasks: SetupTasks;
      readonly submissions: Submissions;
      readonly built: BuiltScheduler;
      /** Called for each job that gets a handle. */
      readonly launches: Pick<Launches, "jobEntered">;
      /** null: nodes cannot be lost. */
      readonly outputs: MapOutputs | null;
    },
  ) {
    this.handleOf = new Int32Array(parts.workload.jobs.length);
  }

  /** The next job of the workload is submitted. */
  submit(nowUs: number): void {
    const { scenario, workload, jobs, store, recorder, built, submissions } = this.parts;
    const id = submissions.take();
    const spec = workload.jobs[id];
    recorder.submitted(id, nowUs);
    recorder.headway.made(nowUs);
    const pool = built.poolOf(spec.pool, spec.user, nowUs);
    if (pool === REFUSED) {
      recorder.refused(id, nowUs);
      submissions.ended(id, nowUs);
      return;
    }
    if (built.hasPools) {
      recorder.placedIn[id] = built.pools.names[pool];
      recorder.slotTime.placed(id, pool);
    }
    const job = jobs.enter({
      id,
      pool,
      user: built.users.named(spec.user),
      priority: spec.priority,
      startUs: nowUs,
      maps: spec.maps,
      reduces: spec.reduces,
      slowStartMaps: slowStartMaps(scenario.runtime.slowStart, spec.maps),
      firstBlock: spec.input === null ? -1 : store.fileStart[spec.input.file] + spec.input.firstBlock,
    });
    this.handleOf[id] = job;
    this.parts.launches.jobEntered(job);
    this.parts.outputs?.jobEntered(job);
    this.uninitialised++;
    built.scheduler.jobAdded(job, nowUs);
  }

  /** The set-up of a job begins. */
  initialise(job: number, nowUs: number): void {
    this.uninitialised--;
    const { runtime } = this.parts.scenario;
    const id = this.parts.jobs.id[job];
    if (runtime.jobSetupUs === 0) this.makeReady(job, nowUs);
    else if (runtime.setupTasks) this.parts.setupTasks.add(SETUP, id);
    else this.ready.add(id, nowUs + runtime.jobSetupUs);
  }

  /** The next set-up ends. */
  endSetup(nowUs: number): void {
    this.makeReady(this.handleOf[this.ready.pop()], nowUs);
  }

  /** The next clean-up ends. */
  endCleanup(nowUs: number): void {
    this.ended(this.ends.pop(), nowUs);
  }

  /** One of the job's tasks has failed too often: so has the job, which ends after its clean-up. */
  fail(job: number, nowUs: number): void {
    this.parts.recorder.jobFailed(this.parts.jobs.id[job], nowUs);
    this.retire(job, nowUs);
  }

  /**
   * The last task of a job is done, or the job has failed: the scheduler forgets it, pending tasks and all; it ends
   * after its clean-up.
   */
  retire(job: number, nowUs: number): void {
    const { scenario, jobs, pending, setupTasks, built, outputs } = this.parts;
    const { runtime } = scenario;
    const id = jobs.id[job];
    built.scheduler.jobRemoved(job, nowUs);
    pending.remove(job);
    outputs?.jobLeft(job);
    jobs.leave(job);
    if (runtime.jobCleanupUs === 0) this.ended(id, nowUs);
    else if (runtime.setupTasks) setupTasks.add(CLEANUP, id);
    else this.ends.add(id, nowUs + runtime.jobCleanupUs);
  }

  /** The set-up or clean-up task of the job of that rank succeeded. */
  setupTaskDone(kind: SetupTask, rank: number, nowUs: number): void {
    if (kind === SETUP) this.makeReady(this.handleOf[rank], nowUs);
    else this.ended(rank, nowUs);
  }

  private makeReady(job: number, nowUs: number): void {
    const { jobs, pending, recorder, built } = this.parts;
    jobs.state[job] = RUNNING;
    pending.add(job);
    recorder.headway.made(nowUs);
    recorder.waits.clockOf[jobs.id[job]] = built.waitOf(job).unit;
    recorder.waits.began(jobs.id[job], jobs.pending[MAP][job], nowUs);
    built.scheduler.jobReady(job, nowUs);
  }

  private ended(id: number, nowUs: number): void {
    this.parts.recorder.jobEnded(id, nowUs);
    this.parts.submissions.ended(id, nowUs);
  }
}

/**
 * The submissions of a workload: the next job, and its time. Jobs that come by the clock come in their order; the next
 * job of a user who waits comes when the one before has ended and the user has thought. At one instant, those by the
 * clock come first.
 */
export class Submissions {
  /** As given; what follows the end of another job is put in its place, with its time, when it is submitted. */
  readonly workload: Workload;
  /** Virtual time of the next submission that is known, Infinity for none. */
  nextUs = Infinity;
  /** Some job follows the end of another. */
  readonly hasFollowers: boolean;
  private readonly jobs: JobSpec[];
  private readonly openJobs: number;
  private nextOpen = 0;
  /** Followers whose time is known, by index in the list as given. */
  private readonly known = new EventSet(4);
  /** By index in the list as given: the place now; and the reverse. Empty where no job follows another. */
  private readonly placeOf: Int32Array;
  private readonly jobAt: Int32Array;
  private submitted = 0;

  constructor(private readonly sourceWorkload: Workload) {
    const { jobs, followersFrom = jobs.length } = sourceWorkload;
    this.openJobs = followersFrom;
    this.hasFollowers = followersFrom < jobs.length;
    // Runs share what is given.
    this.jobs = this.hasFollowers ? [...jobs] : (jobs as JobSpec[]);
    this.workload = this.hasFollowers ? { ...sourceWorkload, jobs: this.jobs } : sourceWorkload;
    this.placeOf = Int32Array.from({ length: this.hasFollowers ? jobs.length : 0 }, (_, job) => job);
    this.jobAt = this.placeOf.slice();
    this.lookAhead();
  }

  /** Some job may yet follow one that has not ended, or whose time is known. */
  get awaitsEnds(): boolean {
    return this.hasFollowers && this.submitted < this.jobs.length;
  }

  /** The next job is submitted: its rank. */
  take(): number {
    const rank = this.submitted++;
    const openUs = this.openUs();
    if (openUs <= this.known.peekAtUs()) this.place(this.nextOpen++, rank, openUs);
    else {
      const atUs = this.known.peekAtUs();
      this.place(this.known.pop(), rank, atUs);
    }
    this.lookAhead();
    return rank;
  }

  /** The job of that rank has ended, or was refused. */
  ended(rank: number, nowUs: number): void {
    const { next } = this.jobs[rank];
    if (next === undefined) return;
    // Later than now: what happens at this instant is being gone through.
    this.known.add(next.job, nowUs + next.thinkUs);
    this.lookAhead();
  }

  /** Puts the job at the place of its rank; the job there takes the place that becomes free. */
  private place(job: number, rank: number, submitAtUs: number): void {
    if (!this.hasFollowers) return;
    const { jobs, placeOf, jobAt } = this;
    const from = placeOf[job];
    const displaced = jobAt[rank];
    jobs[from] = jobs[rank];
    jobAt[from] = displaced;
    placeOf[displaced] = from;
    jobs[rank] = { ...this.sourceWorkload.jobs[job], submitAtUs };
    jobAt[rank] = job;
    placeOf[job] = rank;
  }

  private openUs(): number {
    return this.nextOpen < this.openJobs ? this.sourceWorkload.jobs[this.nextOpen].submitAtUs : Infinity;
  }

  private lookAhead(): void {
    this.nextUs = Math.min(this.openUs(), this.known.peekAtUs());
  }
}

/** ceil(slow start * maps) in single precision, as Hadoop computes it (semantics section 11). */
function slowStartMaps(slowStart: number, maps: number): number {
  return Math.ceil(Math.fround(Math.fround(slowStart) * maps));
}

/**
 * Set-ups and clean-ups of jobs as tasks that hold slots (semantics sections 4 and 13). They are handed out before the
 * scheduler assigns slots: clean-ups before set-ups, in each group the oldest job's first. Jobs are known by their
 * ranks, for a job that is cleaned up has left the table.
 */
export class SetupTasks {
  /** Number of tasks that wait for a slot. */
  waiting = 0;
  private readonly setups = new EventSet(64);
  private readonly cleanups = new EventSet(64);

  constructor(
    private readonly tables: Pick<MasterTables, "scenario" | "commandsOf" | "slots" | "attempts" | "recorder">,
  ) {}

  /** The set-up task of the job waits for a slot from now on. */
  add(kind: SetupTask, rank: number): void {
    (kind === SETUP ? this.setups : this.cleanups).add(rank, 0);
    this.waiting++;
  }

  /**
   * Hands the node the first of those that wait, if it has a free slot: of maps, else of reduces. False: it has none.
   */
  giveTo(node: number, nowUs: number): boolean {
    const { scenario, slots, attempts, recorder, commandsOf } = this.tables;
    const type = slots.free[MAP][node] > 0 ? MAP : REDUCE;
    if (slots.free[type][node] === 0) return false;
    const kind = this.cleanups.size > 0 ? CLEANUP : SETUP;
    const rank = (kind === CLEANUP ? this.cleanups : this.setups).pop();
    this.waiting--;
    const slot = slots.take(node, type);
    attempts.beginSetupTask(slot, kind, rank, nowUs);
    recorder.setupTaskLaunched(rank, kind, type, node, nowUs);
    const lengthUs = kind === SETUP ? scenario.runtime.jobSetupUs : scenario.runtime.jobCleanupUs;
    commandsOf(node).launchMap(node, nowUs, slot, NO_INPUT, lengthUs, NO_MAP_DETAIL);
    return true;
  }

  /** The set-up task in the slot succeeded at `endUs`, or was lost with its node: it waits again; the slot remains. */
  ended(how: "finished" | "lost", node: number, slot: number, endUs: number, nowUs: number): void {
    const { slots, attempts, recorder } = this.tables;
    const kind = attempts.setupTaskIn(slot);
    const rank = attempts.taskOf(slot);
    const type = how === "lost" ? slots.typeOf(node, slot) : slots.release(node, slot);
    recorder.setupTaskEnded(how, rank, kind, type, node, attempts.launchUsOf(slot), endUs, nowUs);
    if (how === "lost") this.add(kind, rank);
  }
}
