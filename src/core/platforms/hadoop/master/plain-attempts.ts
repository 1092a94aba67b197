import type { CommandsOf } from "../racks/protocol.js";
import { type JobTable, MAP } from "../jobs/job-table.js";
import type { PendingMaps } from "../jobs/pending-maps.js";
import type { Recorder } from "../record/recorder.js";
import type { BuiltScheduler, Scheduler } from "../scheduler/scheduler.js";
import type { Workload } from "../../../workload/index.js";
import { AttemptReports } from "./attempt-reports.js";
import { type Attempts, type FreeSlots, KILL_NONE } from "./attempts.js";
import { type Features, Launches } from "./launches.js";

/**
 * The launch and the end of a map where nothing but scheduler and recorder wants to know of them: racks are light, and
 * no feature watches slots or tasks. Of a million tasks nearly all go this way, so each is one function over the
 * tables. Everything else goes the general way of the classes that these extend: reduces, and the last map of a job to
 * end.
 */

/** True: nothing watches launches, and they go the plain way. */
export function launchesArePlain({ details, cached, balance, speculation }: Features): boolean {
  return [details, cached, balance, speculation].every((feature) => feature === null);
}

/** True: nothing watches ends, and they go the plain way. */
export function endsArePlain(features: Features, { taskDone }: BuiltScheduler): boolean {
  const { outputs, disk, progress, copying } = features;
  return (
    launchesArePlain(features) &&
    taskDone === undefined &&
    [outputs, disk, progress, copying].every((feature) => feature === null)
  );
}

export class PlainLaunches extends Launches {
  private readonly pending: PendingMaps;
  private readonly slots: FreeSlots;
  private readonly attempts: Attempts;
  private readonly workload: Workload;
  private readonly commandsOf: CommandsOf;

  constructor(parts: ConstructorParameters<typeof Launches>[0]) {
    super(parts);
    this.pending = parts.pending;
    this.slots = parts.slots;
    this.attempts = parts.attempts;
    this.workload = parts.workload;
    this.commandsOf = parts.commandsOf;
  }

  override launchMap(job: number, task: number, node: number, level: number): void {
    const { jobs, recorder, pending, nowUs } = this;
    const id = jobs.id[job];
    this.recordWait(job, task, true);
    pending.take(job, task);
    const number = pending.requeued.timesOf(job, task);
    const slot = this.slots.take(node, MAP);
    this.launched++;
    this.given[MAP]++;
    jobs.pending[MAP][job]--;
    const running = ++jobs.running[MAP][job];
    this.attempts.begin(slot, job, id, task, number, level, nowUs);
    recorder.launched(id, MAP, task, number, node, level, nowUs);
    recorder.checkFairShare(id, running, jobs.size, nowUs);
    const lengthUs = this.workload.jobs[id].mapLengths.lengthUs(task);
    this.commandsOf(node).launchMap(node, nowUs, slot, level, lengthUs, null);
  }
}

export class PlainAttemptReports extends AttemptReports {
  private readonly jobs: JobTable;
  private readonly slots: FreeSlots;
  private readonly attempts: Attempts;
  private readonly recorder: Recorder;
  private readonly scheduler: Scheduler;

  constructor(parts: ConstructorParameters<typeof AttemptReports>[0]) {
    super(parts);
    this.jobs = parts.jobs;
    this.slots = parts.slots;
    this.attempts = parts.attempts;
    this.recorder = parts.recorder;
    this.scheduler = parts.built.scheduler;
  }

  override finished(node: number, slot: number, finishUs: number): void {
    const { attempts, jobs, recorder, nowUs } = this;
    const job = attempts.jobOf(slot);
    const isPlain = job >= 0 && attempts.killStateOf(slot) === KILL_NONE && this.slots.typeOf(node, slot) === MAP;
    if (!isPlain || jobs.done[MAP][job] + 1 === jobs.total[MAP][job]) return super.finished(node, slot, finishUs);
    this.slots.releaseMap(node, slot);
    jobs.running[MAP][job]--;
    jobs.done[MAP][job]++;
    recorder.slotLeft(attempts.rankOf(slot), MAP, nowUs);
    recorder.finished(
      attempts.rankOf(slot),
      MAP,
      attempts.taskOf(slot),
      attempts.numberOf(slot),
      node,
      attempts.levelOf(slot),
      attempts.launchUsOf(slot),
      finishUs,
      nowUs,
    );
    this.scheduler.attemptEnded(job, MAP, nowUs);
  }
}
