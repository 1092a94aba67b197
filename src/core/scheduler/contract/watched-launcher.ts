import { MAP, REDUCE, type SlotType } from "../../jobs/job-table.js";
import type { Launcher, VisitAttempt } from "../scheduler.js";
import type { ContractWatch } from "./contract-watch.js";

/** The master's hands, watched: nothing is carried out that breaks the contract. */
export class WatchedLauncher implements Launcher {
  constructor(
    private readonly launcher: Launcher,
    private readonly watch: ContractWatch,
  ) {}

  get isSelective(): boolean {
    return this.launcher.isSelective;
  }

  accepts(job: number, type: SlotType, node: number): boolean {
    return this.launcher.accepts(job, type, node);
  }

  launchMap(job: number, task: number, node: number, level: number): void {
    this.watch.checkLaunch(job, MAP, node);
    this.watch.checkLevel(job, task, node, level);
    this.launcher.launchMap(job, task, node, level);
  }

  launchReduce(job: number, node: number): void {
    this.watch.checkLaunch(job, REDUCE, node);
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
    this.watch.checkKill(attempt);
    this.launcher.kill(attempt);
  }
}
