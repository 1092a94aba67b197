import type { Topology } from "../cluster/topology.js";
import type { SlotType } from "../jobs/job-table.js";
import type { SpeculationSpec } from "../scenario/runtime-spec.js";
import { SPARED } from "./attempts.js";
import { ProgressRates } from "./progress-rates.js";
import { SecondAttempts, type SecondAttemptsParts } from "./second-attempts.js";

const MILLION = 1_000_000;

export interface SpeculationParts extends SecondAttemptsParts {
  readonly topology: Topology;
}

/** `spec`: null where there is none. */
export function buildSpeculation(spec: SpeculationSpec | null, parts: SpeculationParts): Speculation | null {
  return spec === null ? null : new Speculation(spec, parts);
}

/** The tasks of one type of one job that run now. */
interface RunningTasks {
  readonly job: number;
  readonly type: SlotType;
  /** Slots of their attempts, ascending; of two for one task both are there. */
  readonly slots: number[];
}

/**
 * Chooses which tasks get a second attempt (semantics section 10, "Speculation"), by what nodes have reported of their
 * progress. `hadoop`: the mean progress of the job's tasks of the type, those that wait and those that are done included,
 * is so far above that of the task. `late`: its rate of progress is so far below the mean rate of the job's tasks, done ones
 * included, longest time left first, and only so many copies at once. Tasks that commit, or are being killed, get none.
 */
export class Speculation {
  nextCheckUs: number;
  readonly seconds: SecondAttempts;
  private readonly rates = new ProgressRates();
  /** By slot: millionths done, as reported last. */
  private readonly progress: Int32Array;

  constructor(
    private readonly spec: SpeculationSpec,
    private readonly parts: SpeculationParts,
  ) {
    this.nextCheckUs = spec.checkEveryUs;
    this.seconds = new SecondAttempts(parts);
    this.progress = new Int32Array(parts.attempts.slots);
  }

  /** An attempt begins in the slot. */
  launched(slot: number): void {
    this.progress[slot] = 0;
    this.seconds.launched(slot);
  }

  progressed(slot: number, progress: number): void {
    if (slot < this.progress.length) this.progress[slot] = progress;
  }

  /** A task of the job is done: the attempt that succeeded has run so long. */
  taskDone(job: number, type: SlotType, ranUs: number): void {
    this.rates.add(job, type, MILLION / Math.max(1, ranUs));
  }

  /** The job leaves the table. */
  jobLeft(job: number): void {
    this.rates.forget(job);
    this.seconds.jobLeft(job);
  }

  /** Looks at all running tasks. */
  check(nowUs: number): void {
    const { spec } = this;
    this.nextCheckUs += spec.checkEveryUs;
    const running = this.runningTasks();
    if (spec.rule === "hadoop") for (const tasks of running) this.wantLaggards(tasks, nowUs);
    else this.wantLatest(running, nowUs);
  }

  private runningTasks(): RunningTasks[] {
    const { topology, slots, attempts } = this.parts;
    const found = new Map<number, RunningTasks>();
    for (let node = 0; node < topology.nodes; node++) {
      const end = topology.slotStart[node] + topology.mapSlots[node] + topology.reduceSlots[node];
      for (let slot = topology.slotStart[node]; slot < end; slot++) {
        const job = attempts.job[slot];
        if (!slots.isHeldOn(node, slot) || job < 0) continue;
        const type = slots.typeOf(node, slot);
        const tasks = found.get(2 * job + type);
        if (tasks === undefined) found.set(2 * job + type, { job, type, slots: [slot] });
        else tasks.slots.push(slot);
      }
    }
    const all = [...found.values()].sort((a, b) => 2 * a.job + a.type - (2 * b.job + b.type));
    for (const { slots: ofTasks } of all) ofTasks.sort((a, b) => a - b);
    return all;
  }

  /** It may have a second attempt: it runs alone, is old enough, and nobody wants to kill it. */
  private isCandidate(slot: number, nowUs: number): boolean {
    const { spec, seconds } = this;
    const { attempts } = this.parts;
    const isOld = nowUs - attempts.launchUs[slot] >= spec.minAgeUs;
    return isOld && attempts.fate[slot] === SPARED && seconds.isAlone(slot);
  }

  private wantLaggards({ job, type, slots }: RunningTasks, nowUs: number): void {
    const { spec, seconds } = this;
    const mean = this.progressOf(job, type, slots) / this.parts.jobs.total[type][job];
    for (const slot of slots) {
      const isBehind = mean - this.progress[slot] >= spec.progressGap * MILLION;
      if (isBehind && this.isCandidate(slot, nowUs)) seconds.want(slot, type, nowUs);
    }
  }

  /** Sum over the job's tasks: of two attempts of one task the one that is ahead counts. */
  private progressOf(job: number, type: SlotType, slots: readonly number[]): number {
    const { jobs, attempts } = this.parts;
    const best = new Map<number, number>();
    for (const slot of slots) {
      const task = attempts.task[slot];
      best.set(task, Math.max(best.get(task) ?? 0, this.progress[slot]));
    }
    let sum = jobs.done[type][job] * MILLION;
    for (const progress of best.values()) sum += progress;
    return sum;
  }

  private wantLatest(running: readonly RunningTasks[], nowUs: number): void {
    const { spec, seconds } = this;
    const { topology } = this.parts;
    const late: { readonly slot: number; readonly type: SlotType; readonly leftUs: number }[] = [];
    let copies = seconds.wanted;
    for (const { job, type, slots } of running) {
      const rates = slots.map((slot) => this.rateOf(slot, nowUs));
      const slowest = this.rates.slowest(job, type, rates, spec.slowerBy);
      slots.forEach((slot, i) => {
        if (seconds.isRunningCopy(slot)) copies++;
        if (rates[i] >= slowest || !this.isCandidate(slot, nowUs)) return;
        late.push({ slot, type, leftUs: rates[i] > 0 ? (MILLION - this.progress[slot]) / rates[i] : Infinity });
      });
    }
    const share = spec.maxShareOfSlots * (topology.totalMapSlots + topology.totalReduceSlots);
    const most = share > 0 ? Math.max(1, Math.floor(share)) : 0;
    late.sort((a, b) => (a.leftUs === b.leftUs ? a.slot - b.slot : b.leftUs - a.leftUs));
    for (const { slot, type } of late.slice(0, Math.max(0, most - copies))) seconds.want(slot, type, nowUs);
  }

  /** Millionths per microsecond since the launch. */
  private rateOf(slot: number, nowUs: number): number {
    return this.progress[slot] / Math.max(1, nowUs - this.parts.attempts.launchUs[slot]);
  }
}
