import { sumOver } from "../../kernel/index.js";
import { AgendaSimulation, type SimulationProgress, type StageWaits } from "../../record/index.js";
import type { SparkApplication, SparkRecord } from "./application.js";
import { Driver } from "./driver.js";
import { HostCores } from "./host-cores.js";
import type { TaskScheduler } from "./task-scheduler.js";

/** Runs applications in virtual time. Each has a driver and executors of its own. */
export class SparkSimulation extends AgendaSimulation<SparkRecord> {
  private readonly drivers: readonly Driver[];
  private readonly lastSubmitUs: number;

  /**
   * @param applications of one cluster: they share its hosts and virtual time.
   * @param hostCores by host, what their executors share; undefined: there is always room.
   */
  constructor(
    applications: SparkApplication | readonly SparkApplication[],
    seed: string,
    hostCores?: readonly number[],
  ) {
    super();
    const listed = "jobs" in applications ? [applications] : applications;
    const cores = hostCores === undefined ? null : new HostCores(hostCores);
    this.drivers = listed.map(
      (application, number) => new Driver(application, number, seed, this.agenda, this.fingerprint, cores),
    );
    const submits = listed.flatMap(({ jobs }) => jobs.map(({ submitAtUs }) => submitAtUs));
    this.lastSubmitUs = submits.reduce((latest, us) => Math.max(latest, us), 0);
  }

  /** By application: each driver decides by itself. */
  get schedulers(): readonly TaskScheduler[] {
    return this.drivers.map(({ scheduler }) => scheduler);
  }

  protected get isOver(): boolean {
    return this.drivers.every(({ isOver }) => isOver);
  }

  progress(): SimulationProgress {
    const sum = (countOf: (driver: Driver) => number) => sumOver(this.drivers, (driver) => countOf(driver));
    return {
      jobsEnded: sum(({ jobsEnded }) => jobsEnded),
      jobsTotal: sum(({ jobs }) => jobs.length),
      lastSubmitUs: this.lastSubmitUs,
      tasksEnded: sum(({ attemptsEnded }) => attemptsEnded),
      lastEndUs: this.drivers.reduce((last, { lastEndUs }) => Math.max(last, lastEndUs), 0),
    };
  }

  /** From now on applications note what their stages wait for. @returns the log of each. */
  logWaits(): StageWaits[] {
    let firstJob = 0;
    return this.drivers.map((driver) => {
      const log = driver.logWaits(firstJob);
      firstJob += driver.jobs.length;
      return log;
    });
  }

  /** Returns the record of one application so far. */
  record(application = 0): SparkRecord {
    return this.drivers[application].record();
  }
}
