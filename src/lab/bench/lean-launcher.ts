import { REDUCE, MAP, SLOT_TYPES, type JobTable, type SlotType } from "../../core/jobs/job-table.js";
import { LEVELS } from "../../core/jobs/nearness.js";
import type { PendingMaps } from "../../core/jobs/pending-maps.js";
import { assert } from "../../core/kernel/assert.js";
import { DOUBLE_ZERO } from "../../core/kernel/time.js";
import type { Launcher, VisitAttempt } from "../../core/scheduler/scheduler.js";
import type { NodeSlots } from "./node-slots.js";

/** The least that a launch is: the job's counts, the index of pending maps and a slot change. */
export class LeanLauncher implements Launcher {
  readonly isSelective = false;
  /** Tasks launched so far. */
  launched = 0;
  /** Maps launched so far, by how near their blocks they run. */
  readonly mapsAt = new Int32Array(LEVELS);
  /** The task ends with its node's heartbeat on that round. */
  endRound = 0;
  nowUs = DOUBLE_ZERO;
  /** A hash over all launches in order. */
  fingerprint = 0;
  private readonly given = [0, 0];

  constructor(
    private readonly jobs: JobTable,
    private readonly pending: PendingMaps,
    private readonly slots: NodeSlots,
  ) {}

  /** A heartbeat begins; what it launches ends on that round. */
  begin(endRound: number, nowUs: number): void {
    this.endRound = endRound;
    this.nowUs = nowUs;
    this.given[MAP] = 0;
    this.given[REDUCE] = 0;
  }

  accepts(): boolean {
    return true;
  }

  launchMap(job: number, task: number, node: number, level: number): void {
    this.pending.take(job, task);
    this.mapsAt[level]++;
    this.launch(job, MAP, task, node);
  }

  launchReduce(job: number, node: number): void {
    this.launch(job, REDUCE, this.jobs.total[REDUCE][job] - this.jobs.pending[REDUCE][job], node);
  }

  reportedOn(node: number, type: SlotType): number {
    return this.slots.slotsOf(node, type) - this.slots.free[type][node] - this.given[type];
  }

  slotsOf(node: number, type: SlotType): number {
    return this.slots.slotsOf(node, type);
  }

  /** Jobs need no set-up: they are ready right after they are entered. */
  initialise(): void {}

  forEachReported(type: SlotType, visit: VisitAttempt): void {
    this.slots.forEach(type, (place, job, task, _node, launchUs) => {
      visit(place, job, task, launchUs);
    });
  }

  kill(): void {
    assert(false, "a scheduler without preemption kills");
  }

  /** Makes it so without the index: for a scheduler that has none. */
  launch(job: number, type: SlotType, task: number, node: number): void {
    const { jobs } = this;
    jobs.pending[type][job]--;
    jobs.running[type][job]++;
    this.slots.begin(job, type, task, node, this.endRound, this.nowUs);
    this.given[type]++;
    this.launched++;
    this.fingerprint = Math.imul(this.fingerprint ^ (jobs.id[job] + Math.imul(task, 0x9e3779b1)), 0x01000193);
    this.fingerprint = Math.imul(this.fingerprint ^ (2 * node + type), 0x85ebca6b);
  }

  /** Tasks of any job that have not been launched. */
  get waiting(): number {
    const { jobs } = this;
    let tasks = 0;
    for (const type of SLOT_TYPES) for (let job = 0; job < jobs.handles; job++) tasks += jobs.pending[type][job];
    return tasks;
  }
}
