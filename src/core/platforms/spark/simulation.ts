import { Agenda, Fingerprint } from "../../kernel/index.js";
import type { StageWaits } from "../../record/index.js";
import type { SparkApplication, SparkRecord } from "./application.js";
import { Driver } from "./driver.js";
import { HostCores } from "./host-cores.js";
import type { TaskScheduler } from "./task-scheduler.js";

/** The progress of a run. */
export interface SparkProgress {
  readonly nowUs: number;
  readonly jobsEnded: number;
  readonly jobs: number;
  /** Attempts that have ended, however. */
  readonly tasksEnded: number;
  /** When an attempt or a job ended last. */
  readonly lastEndUs: number;
}

/** Runs applications in virtual time. Each has a driver and executors of its own. */
export class SparkSimulation {
  private readonly agenda = new Agenda();
  private readonly fingerprint = new Fingerprint();
  private readonly drivers: readonly Driver[];

  /**
   * @param applications of one cluster: they share its hosts and virtual time.
   * @param hostCores by host, what their executors share; undefined: there is always room.
   */
  constructor(
    applications: SparkApplication | readonly SparkApplication[],
    seed: string,
    hostCores?: readonly number[],
  ) {
    const listed = "jobs" in applications ? [applications] : applications;
    const cores = hostCores === undefined ? null : new HostCores(hostCores);
    this.drivers = listed.map(
      (application, number) => new Driver(application, number, seed, this.agenda, this.fingerprint, cores),
    );
  }

  /** By application: each driver decides by itself. */
  get schedulers(): readonly TaskScheduler[] {
    return this.drivers.map(({ scheduler }) => scheduler);
  }

  /** When something happens next; Infinity: all is over. */
  nextUs(): number {
    return this.drivers.every(({ isOver }) => isOver) ? Infinity : this.agenda.nextUs();
  }

  /** Has all happen that happens up to this time. What is over stays at the time of its last event. */
  advance(untilUs: number): void {
    let nextUs = this.nextUs();
    for (; nextUs <= untilUs && nextUs < Infinity; nextUs = this.nextUs()) this.agenda.step();
    if (nextUs < Infinity) this.agenda.nowUs = untilUs;
  }

  progress(): SparkProgress {
    const sum = (valueOf: (driver: Driver) => number): number =>
      this.drivers.reduce((total, driver) => total + valueOf(driver), 0);
    return {
      nowUs: this.agenda.nowUs,
      jobsEnded: sum(({ jobsEnded }) => jobsEnded),
      jobs: sum(({ jobs }) => jobs.length),
      tasksEnded: sum(({ attemptsEnded }) => attemptsEnded),
      lastEndUs: this.drivers.reduce((last, { lastEndUs }) => Math.max(last, lastEndUs), 0),
    };
  }

  /** From now on one application notes what its stages wait for. */
  logWaits(application = 0): StageWaits {
    return this.drivers[application].logWaits();
  }

  /** Returns the record of one application so far. */
  record(application = 0): SparkRecord {
    return this.drivers[application].record();
  }

  /** Runs on until all jobs have ended, nothing can end them, or virtual time is up; the first application's record. */
  run(untilUs = Infinity): SparkRecord {
    this.advance(untilUs);
    return this.record();
  }
}
