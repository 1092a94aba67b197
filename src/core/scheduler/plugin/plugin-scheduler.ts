import { MAP, REDUCE, RUNNING, SLOT_TYPES, type SlotType } from "../../jobs/job-table.js";
import { OFF_RACK } from "../../jobs/nearness.js";
import type { SchedulerSurroundings } from "../built-scheduler.js";
import type { Scheduler } from "../scheduler.js";
import type { HookCalls } from "./hook-calls.js";
import { JobView, noTaskTimes, type JobFacts } from "./job-view.js";
import { shownValue } from "./plugin-error.js";
import type { PluginScheduler } from "./plugin-face.js";
import type { PluginKills } from "./plugin-kills.js";
import { SlotOffer, type CheckedChoice, type OfferedSlot } from "./slot-offer.js";
import { slotName } from "./slot-names.js";
import { StallWatch } from "./stall-watch.js";

export interface PluginAdapterParts {
  readonly around: SchedulerSurroundings;
  readonly calls: HookCalls;
  /** What the plugin created for this run. */
  readonly own: PluginScheduler;
  readonly kills: PluginKills;
  readonly tasksPerHeartbeat: number;
  readonly factsOf: (job: number) => JobFacts;
  readonly onSlots: (maps: number, reduces: number) => void;
}

/**
 * The scheduler of a user's own, in the face that the master knows: it keeps the jobs, offers one free slot at a time,
 * checks every answer and applies it. All heartbeats of nodes with a free slot are visited while a task waits.
 */
export class PluginAdapter implements Scheduler {
  /** By handle. */
  private readonly views: JobView[] = [];
  /** Handles of the jobs in the table, by submission. */
  private entered: number[] = [];
  /** Some job has a task of the type to launch; null: to be found out. */
  private wants: [boolean, boolean] | null = null;
  private readonly times = noTaskTimes();
  private readonly stall: StallWatch;
  private dueUs = Infinity;

  constructor(private readonly parts: PluginAdapterParts) {
    this.stall = new StallWatch(parts.calls, parts.own.order === undefined ? "choose" : "order");
  }

  jobAdded(job: number, nowUs: number): void {
    const { around, own, calls, factsOf } = this.parts;
    const view = new JobView(around.jobs, job, factsOf(job), this.times);
    this.views[job] = view;
    this.entered.push(job);
    this.wants = null;
    this.planUpdate(nowUs);
    calls.tell("jobAdded", nowUs, () => own.jobAdded?.(view, nowUs));
    around.launcher.initialise(job);
  }

  jobReady(job: number, nowUs: number): void {
    const { calls, own } = this.parts;
    const view = this.views[job];
    this.wants = null;
    this.stall.moved(nowUs);
    view.ready(nowUs);
    calls.tell("jobReady", nowUs, () => own.jobReady?.(view, nowUs));
  }

  /** A task of the job succeeded that held its slot so long. */
  taskDone(job: number, type: SlotType, ranUs: number): void {
    const view = this.views[job];
    (type === MAP ? view.map : view.reduce).taskDone(ranUs);
  }

  jobRemoved(job: number, nowUs: number): void {
    const view = this.views[job];
    this.entered = this.entered.filter((other) => other !== job);
    this.wants = null;
    view.close();
    this.parts.calls.tell("jobEnded", nowUs, () => this.parts.own.jobEnded?.(view, nowUs));
  }

  attemptEnded(job: number, type: SlotType, nowUs: number): void {
    this.attemptLeft(job, type, false, nowUs);
  }

  attemptReturned(job: number, type: SlotType, nowUs: number): void {
    this.attemptLeft(job, type, true, nowUs);
  }

  pendingChanged(): void {
    this.wants = null;
  }

  slotsChanged(maps: number, reduces: number): void {
    this.parts.onSlots(maps, reduces);
  }

  nextUpdateUs(): number {
    return this.dueUs;
  }

  update(nowUs: number): void {
    this.dueUs = Infinity;
    if (this.entered.length > 0) this.planUpdate(nowUs);
    this.parts.calls.tell("update", nowUs, () => this.parts.own.update?.(nowUs));
  }

  checkPreemption(nowUs: number): void {
    for (const type of SLOT_TYPES) {
      // Nobody needs a slot: a kill would only waste work, and racks may have been told that nothing will come.
      if (this.wanted()[type]) this.parts.kills.ask(type, nowUs, (job) => this.views[job]);
    }
  }

  /** Plugins know no allocations. */
  reload(): void {}

  wantsMapSlots(): boolean {
    return this.wanted()[MAP];
  }

  wantsReduceSlots(): boolean {
    return this.wanted()[REDUCE];
  }

  hasReduces(): boolean {
    return this.wanted()[REDUCE];
  }

  /** A plugin may have something to say on every one of them. */
  passOverRun(): boolean {
    return false;
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const { launcher } = this.parts.around;
    const free = [freeMaps, freeReduces];
    let left = this.parts.tasksPerHeartbeat;
    while (left > 0 && (free[MAP] > 0 || free[REDUCE] > 0)) {
      const mapFirst = launcher.reportedOn(node, MAP) <= launcher.reportedOn(node, REDUCE);
      const type = free[MAP] > 0 && (mapFirst || free[REDUCE] === 0) ? MAP : REDUCE;
      if (this.serve(node, type, free[type], nowUs)) {
        free[type]--;
        left--;
      } else {
        free[type] = 0;
      }
    }
  }

  /** Offers one slot; true if a task was launched in it. */
  private serve(node: number, type: SlotType, freeSlots: number, nowUs: number): boolean {
    const { around, calls, own } = this.parts;
    const jobs = this.entered.filter((job) => this.mayHave(job, type, node)).map((job) => this.views[job]);
    if (jobs.length === 0) return false;
    const slot = { node, type, freeSlots, nowUs, jobs };
    const choice = this.ask(new SlotOffer(around, calls, slot), slot);
    if (choice === null) {
      if (this.stall.isLong(nowUs) && this.nothingRuns()) throw this.stall.error(nowUs);
      return false;
    }
    const { job, view, task, reach } = choice;
    if (type === MAP) around.launcher.launchMap(job, task, node, around.source.level);
    else around.launcher.launchReduce(job, node);
    this.wants = null;
    this.stall.moved(nowUs);
    calls.tell("launched", nowUs, () => own.launched?.(view, slotName(type), reach, nowUs));
    return true;
  }

  private ask(offer: SlotOffer, { type, nowUs, jobs }: OfferedSlot): CheckedChoice | null {
    const { calls, own } = this.parts;
    if (own.order === undefined) return offer.checked(calls.value("choose", nowUs, () => own.choose?.(offer.view())));
    const given = calls.list("order", nowUs, () => own.order?.([...jobs], slotName(type), nowUs), "jobs");
    const stranger = given.find((job) => !(job instanceof JobView && jobs.includes(job)));
    if (stranger !== undefined) {
      throw calls.wrong(
        "order",
        nowUs,
        `${shownValue(stranger)} in the list`,
        "the jobs that were given, in any order",
      );
    }
    return given.length === 0 ? null : offer.choiceOf(given[0] as JobView, "any");
  }

  /** The job has a task of the type that the node may have. */
  private mayHave(job: number, type: SlotType, node: number): boolean {
    const { launcher, source } = this.parts.around;
    if (!this.isLaunchable(job, type)) return false;
    if (launcher.isSelective && !launcher.accepts(job, type, node)) return false;
    return type === REDUCE || source.pick(job, node, OFF_RACK) >= 0;
  }

  private isLaunchable(job: number, type: SlotType): boolean {
    const { jobs } = this.parts.around;
    if (jobs.state[job] !== RUNNING || jobs.pending[type][job] === 0) return false;
    return type === MAP || jobs.reducesMayStart(job);
  }

  private wanted(): readonly [boolean, boolean] {
    this.wants ??= [
      this.entered.some((job) => this.isLaunchable(job, MAP)),
      this.entered.some((job) => this.isLaunchable(job, REDUCE)),
    ];
    return this.wants;
  }

  private nothingRuns(): boolean {
    const { running } = this.parts.around.jobs;
    return this.entered.every((job) => running[MAP][job] === 0 && running[REDUCE][job] === 0);
  }

  private attemptLeft(job: number, type: SlotType, returned: boolean, nowUs: number): void {
    const { calls, own } = this.parts;
    this.wants = null;
    this.stall.moved(nowUs);
    calls.tell("attemptEnded", nowUs, () => own.attemptEnded?.(this.views[job], slotName(type), returned, nowUs));
  }

  /** The next update is due at the next multiple of the interval. */
  private planUpdate(nowUs: number): void {
    const { updateEveryUs } = this.parts.own;
    if (updateEveryUs === undefined) return;
    this.dueUs = Math.min(this.dueUs, (Math.floor(nowUs / updateEveryUs) + 1) * updateEveryUs);
  }
}
