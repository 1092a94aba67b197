import { MAP, REDUCE, type SlotType } from "../../jobs/job-table.js";
import type { Launcher, VisitAttempt } from "../scheduler.js";

/** Passes decisions on, and counts what was launched: so the master learns how much of an offer was taken. */
export class CountedLauncher implements Launcher {
  readonly isSelective: boolean;
  /** Per slot type, over the whole run. */
  readonly launched: [number, number] = [0, 0];

  constructor(private readonly launcher: Launcher) {
    this.isSelective = launcher.isSelective;
  }

  accepts(job: number, type: SlotType, node: number): boolean {
    return this.launcher.accepts(job, type, node);
  }

  launchMap(job: number, task: number, node: number, level: number): void {
    this.launched[MAP]++;
    this.launcher.launchMap(job, task, node, level);
  }

  launchReduce(job: number, node: number): void {
    this.launched[REDUCE]++;
    this.launcher.launchReduce(job, node);
  }

  reportedOn(node: number, type: SlotType): number {
    return this.launcher.reportedOn(node, type);
  }

  slotsOf(node: number, type: SlotType): number {
    return this.launcher.slotsOf(node, type);
  }

  initialise(job: number): void {
    this.launcher.initialise(job);
  }

  forEachReported(type: SlotType, visit: VisitAttempt): void {
    this.launcher.forEachReported(type, visit);
  }

  kill(attempt: number): void {
    this.launcher.kill(attempt);
  }
}
