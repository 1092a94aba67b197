import { ratesOf } from "../../../cluster/index.js";
import { MAP, REDUCE, RUNNING, SLOT_TYPES, type JobTable, type SlotType } from "../jobs/job-table.js";
import { tally, sumOver, US_PER_HOUR, US_PER_SECOND } from "../../../kernel/index.js";
import type { Setbacks } from "../record/recorder.js";
import type { Summary } from "../../../record/index.js";
import type { Workload } from "../../../workload/index.js";
import type { Admission } from "./admission.js";
import { attemptsOn, NO_JOB, type MasterTables } from "./attempts.js";
import type { JobLifecycle, SetupTasks, Submissions } from "./job-lifecycle.js";
import type { NodeLosses } from "./node-losses.js";

/** Patience with a run, as a multiple of its longest known wait or repeated task; but at least a day. */
const PATIENCE = 20;

const LEAST_US = 24 * US_PER_HOUR;

/**
 * Multiple of the patience that applies if an event that may help is still to come: the end of a running attempt, a
 * reload, the end of a fault.
 */
const MOST_PATIENCE = 100;

/** Maximum number of jobs in the diagnosis. */
const MOST_JOBS = 10;

/**
 * Finds out that a run will never end: jobs wait, and it has made no progress for longer than anything in the scenario
 * takes. The decision depends on virtual time and the state of the master only, so it is the same on all placements.
 */
export class StuckWatch {
  /** Time of the next check. */
  nextUs: number;
  /** null: the run is not stuck. */
  diagnosis: NonNullable<Summary["stuck"]> | null = null;
  private lastPatienceUs: number;
  /** Instants at which the scenario changes by itself: the last submission, reloads, faults. */
  private readonly changesUs: readonly number[];

  constructor(
    private readonly parts: MasterTables & {
      readonly admission: Admission;
      readonly submissions: Submissions;
      readonly lifecycle: JobLifecycle;
      readonly setupTasks: SetupTasks;
      /** null: no node can be lost. */
      readonly losses: NodeLosses | null;
    },
  ) {
    const { scenario, workload } = parts;
    const { faults, scheduler } = scenario;
    this.changesUs = [
      workload.jobs.at(-1)?.submitAtUs ?? 0,
      ...scheduler.reloads.map(({ atUs }) => atUs),
      ...faults.events.flatMap(({ atUs, forUs }) => [atUs, atUs + forUs]),
      ...ratesOf(faults.rates)
        .filter(({ everyUs }) => everyUs < Infinity)
        .map(({ untilUs }) => untilUs),
    ].filter((atUs) => atUs < Infinity);
    this.lastPatienceUs = this.patienceUs();
    this.nextUs = this.lastPatienceUs;
  }

  /** Checks at `nextUs` whether the run is stuck, and sets `diagnosis` if so. */
  look(nowUs: number): void {
    const { recorder } = this.parts;
    const patienceUs = this.patienceUs();
    this.lastPatienceUs = patienceUs;
    const lastUs = recorder.headway.lastUs;
    const sinceUs = this.changesUs.reduce((latest, atUs) => (atUs <= nowUs ? Math.max(latest, atUs) : latest), lastUs);
    this.nextUs = (this.isWaiting() ? sinceUs : nowUs) + patienceUs;
    if (this.nextUs > nowUs) return;
    const mayHelp = this.changesUs.some((atUs) => atUs > nowUs) || this.hasRunSince(sinceUs);
    if (mayHelp && nowUs - sinceUs < MOST_PATIENCE * patienceUs) this.nextUs = nowUs + patienceUs;
    else this.diagnosis = { afterSeconds: patienceUs / US_PER_SECOND, ...this.explain(lastUs) };
  }

  /**
   * The rest of the jobs never end unless an unresponsive node sends a heartbeat again: no living node has a map slot,
   * or a reduce slot, and all jobs wait for slots of that type.
   */
  get noNodesLeft(): boolean {
    const { jobs, recorder, submissions, lifecycle, losses } = this.parts;
    if (losses === null) return false;
    const noMaps = losses.hasNone(MAP);
    const noReduces = losses.hasNone(REDUCE);
    if ((!noMaps && !noReduces) || lifecycle.ends.size > 0) return false;
    if (noMaps && noReduces) return true;
    const isCleaningUp = recorder.jobsSubmitted - recorder.jobsRefused - recorder.jobsEnded > jobs.size;
    if (submissions.nextUs < Infinity || isCleaningUp) return false;
    for (let job = 0; job < jobs.handles; job++) {
      const waits = noMaps ? waitsForMapSlots : waitsForReduceSlots;
      if (jobs.state[job] !== 0 && !waits(jobs, job)) return false;
    }
    return true;
  }

  /**
   * Returns the time since the run last made headway, if jobs wait; and the time after which it is stuck, as far as is
   * known.
   */
  standstill(nowUs: number): { stillUs: number; stuckAfterUs: number } {
    const stillUs = this.isWaiting() ? Math.max(0, nowUs - this.parts.recorder.headway.lastUs) : 0;
    return { stillUs, stuckAfterUs: this.lastPatienceUs };
  }

  /** Virtual time without headway after which the run is stuck, as far as the jobs that are present tell. */
  patienceUs(): number {
    const { scenario, topology, workload, jobs, recorder } = this.parts;
    const { run, runtime, faults, scheduler, cluster, storage } = scenario;
    if (run.stuckAfterUs !== undefined) return run.stuckAfterUs;
    const slowest = topology.speed.reduce((least, speed) => Math.min(least, speed), 1);
    const straggling = faults.stragglers > 0 ? faults.stragglerFactor : 1;
    const factor = (Math.max(...Object.values(runtime.localityFactor)) * straggling) / slowest;
    let taskUs = 0;
    for (let job = 0; job < jobs.handles; job++) {
      if (jobs.state[job] !== 0) taskUs = Math.max(taskUs, longestTaskUs(workload, jobs.id[job]));
    }
    const givenUs = longestTimeIn({ runtime, cluster, storage, scheduler: { ...scheduler, reloads: [], options: {} } });
    // Tasks that begin again and again may need many tries; where nothing begins, what runs has its time to end.
    const tries = recorder.headway.launches > 0 ? PATIENCE : 1;
    const waitUs = Math.max(givenUs, topology.heartbeatUs, this.waitUs());
    return Math.max(LEAST_US, tries * taskUs * factor, PATIENCE * waitUs);
  }

  /**
   * Returns the longest time that a job may wait for locality where it counts opportunities: at worst each node has one
   * per heartbeat.
   */
  private waitUs(): number {
    const { scenario, topology } = this.parts;
    const { wait } = scenario.scheduler;
    if (wait.kind !== "skips" && wait.kind !== "fraction") return 0;
    const mostSkips = Math.max(wait.node, wait.rack, wait.row ?? 0) * (wait.kind === "fraction" ? topology.nodes : 1);
    return mostSkips < Infinity ? mostSkips * topology.heartbeatUs : 0;
  }

  /** Some job has been submitted and has not ended. */
  private isWaiting(): boolean {
    const { jobsSubmitted, jobsRefused, jobsEnded } = this.parts.recorder;
    return jobsSubmitted - jobsRefused - jobsEnded > 0;
  }

  /** An attempt runs that was there at the instant, and waits for nothing: it may take long and end well. */
  private hasRunSince(sinceUs: number): boolean {
    const { attempts, jobs } = this.parts;
    for (const [attempt, type] of this.livingAttempts()) {
      const job = attempts.jobOf(attempt);
      if (job === NO_JOB || attempts.launchUsOf(attempt) > sinceUs) continue;
      if (job < 0 || type === MAP || jobs.done[MAP][job] === jobs.total[MAP][job]) return true;
    }
    return false;
  }

  /** The attempts on nodes that have not been given up, with the types of their slots. */
  private *livingAttempts(): Generator<readonly [attempt: number, type: SlotType]> {
    const { topology, slots, losses } = this.parts;
    for (let node = 0; node < topology.nodes; node++) {
      if (losses?.liveness.isLiving(node) === false) continue;
      for (const attempt of attemptsOn(this.parts, node)) yield [attempt, slots.typeOf(node, attempt)];
    }
  }

  private explain(lastUs: number): Omit<NonNullable<Summary["stuck"]>, "afterSeconds"> {
    const { jobs, recorder, workload, setupTasks } = this.parts;
    const waiting: number[] = [];
    for (let job = 0; job < jobs.handles; job++) if (jobs.state[job] !== 0) waiting.push(job);
    waiting.sort((a, b) => jobs.id[a] - jobs.id[b]);
    const cleaning = recorder.jobsSubmitted - recorder.jobsRefused - recorder.jobsEnded - waiting.length;
    const listedJobs = waiting.slice(0, MOST_JOBS).map((job) => ({
      name: workload.jobs[jobs.id[job]].name,
      waitsFor: [...this.whatItWaitsFor(job), ...setbackWords(recorder.headway.setbacks.get(jobs.id[job]))].join("; "),
    }));
    const slots = SLOT_TYPES.flatMap((type) => this.holdersOf(type));
    if (setupTasks.waiting > 0)
      slots.push(`${counted(setupTasks.waiting, "set-up or clean-up", "set-ups or clean-ups")} wait for slots`);
    if (cleaning > 0)
      slots.push(`${counted(cleaning, "job", "jobs")} with all tasks done have not ended their clean-up`);
    return { sinceSeconds: lastUs / US_PER_SECOND, waiting: waiting.length + cleaning, jobs: listedJobs, slots };
  }

  private whatItWaitsFor(job: number): string[] {
    const { jobs } = this.parts;
    if (jobs.state[job] !== RUNNING) {
      return [
        this.parts.scenario.runtime.setupTasks ? "its set-up has not run" : "the scheduler has not let it be set up",
      ];
    }
    const words: string[] = [];
    const maps = jobs.pending[MAP][job];
    const reduces = jobs.pending[REDUCE][job];
    const mapsLeft = jobs.total[MAP][job] - jobs.done[MAP][job];
    if (maps > 0) words.push(`${counted(maps, "map waits", "maps wait")} (${this.survey(job, MAP)})`);
    if (jobs.running[MAP][job] > 0) words.push(counted(jobs.running[MAP][job], "map runs", "maps run"));
    if (reduces > 0) {
      const why = jobs.reducesMayStart(job)
        ? this.survey(job, REDUCE)
        : `for ${counted(mapsLeft, "map", "maps")} to end`;
      words.push(`${counted(reduces, "reduce waits", "reduces wait")} (${why})`);
    }
    const running = jobs.running[REDUCE][job];
    if (running > 0) {
      const forMaps =
        mapsLeft > 0 ? ` and ${running === 1 ? "waits" : "wait"} for ${counted(mapsLeft, "map", "maps")}` : "";
      words.push(`${counted(running, "reduce holds a slot", "reduces hold slots")}${forMaps}`);
    }
    return words;
  }

  /** Counts the nodes that do not take a waiting task of the job, by reason. */
  private survey(job: number, type: SlotType): string {
    const { topology } = this.parts;
    const counts = new Map<string, number>();
    for (let node = 0; node < topology.nodes; node++) {
      const reason = this.reasonOf(node, job, type);
      tally(counts, reason);
    }
    const reasons = [...counts].map(([reason, nodes]) => `${nodes} ${reason}`);
    return `of ${counted(topology.nodes, "node", "nodes")}: ${reasons.join(", ")}`;
  }

  private reasonOf(node: number, job: number, type: SlotType): string {
    const { losses, slots, topology, admission } = this.parts;
    const kind = KINDS[type];
    if (losses !== null && !losses.liveness.isLiving(node)) return "given up because nothing is heard of them";
    if ((type === MAP ? topology.mapSlots : topology.reduceSlots)[node] === 0) return `without ${kind} slots`;
    const refusal = admission.refusal(job, type, node);
    if (refusal !== null) return refusal;
    if (slots.free[type][node] === 0) return `with all ${kind} slots held`;
    return slots.available(node, type) === 0 ? "at its load limit" : "where the scheduler leaves a slot free";
  }

  /** Returns what holds the slots of the type, in words. */
  private holdersOf(type: SlotType): string[] {
    const { attempts, jobs, workload, losses } = this.parts;
    const holders = { "running on": 0, "waiting for maps": 0, "of jobs that have ended": 0, "set-ups or clean-ups": 0 };
    const names = new Set<string>();
    for (const [attempt, heldType] of this.livingAttempts()) {
      if (heldType !== type || attempt >= attempts.slots) continue;
      const job = attempts.jobOf(attempt);
      if (losses?.isZombie(attempt) === true || job === NO_JOB) holders["of jobs that have ended"]++;
      else if (job < 0) holders["set-ups or clean-ups"]++;
      else {
        const waits = type === REDUCE && jobs.done[MAP][job] < jobs.total[MAP][job];
        holders[waits ? "waiting for maps" : "running on"]++;
        names.add(workload.jobs[attempts.rankOf(attempt)].name);
      }
    }
    const parts = Object.entries(holders).filter(([, count]) => count > 0);
    if (parts.length === 0) return [];
    const jobNames = names.size === 0 ? "" : ` (${listed([...names])})`;
    const total = sumOver(parts, ([, count]) => count);
    const inUse = counted(total, `${KINDS[type]} slot is in use`, `${KINDS[type]} slots are in use`);
    return [`${inUse}: ${parts.map(([use, count]) => `${count} ${use}`).join(", ")}${jobNames}`];
  }
}

const KINDS = ["map", "reduce"] as const;

function setbackWords(setbacks: Setbacks | undefined): string[] {
  if (setbacks === undefined) return [];
  const { killed, lost, outputsLost, sourcesLost } = setbacks;
  const parts = [
    killed > 0 ? counted(killed, "attempt was killed", "attempts were killed") : "",
    lost > 0 ? counted(lost, "was lost with its node", "were lost with their nodes") : "",
    outputsLost > 0 ? counted(outputsLost, "finished map was lost", "finished maps were lost") : "",
    sourcesLost > 0 ? counted(sourcesLost, "lost the node it read from", "lost the node they read from") : "",
  ].filter((words) => words !== "");
  return parts.length === 0 ? [] : [`since then ${parts.join(", ")}`];
}

function counted(count: number, singular: string, plural: string): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - 3;
  return more > 0 ? `${names.slice(0, 3).join(", ")} and ${more} more` : names.join(", ");
}

function longestTaskUs({ jobs }: Workload, rank: number): number {
  const { maps, reduces, mapLengths, copyLengths, reduceLengths } = jobs[rank];
  let longest = 0;
  for (let task = 0; task < maps; task++) longest = Math.max(longest, mapLengths.lengthUs(task));
  for (let task = 0; task < reduces; task++) {
    longest = Math.max(longest, copyLengths.lengthUs(task) + reduceLengths.lengthUs(task));
  }
  return longest;
}

/** The longest finite time among the settings: units are in their names. */
function longestTimeIn(settings: unknown): number {
  if (typeof settings !== "object" || settings === null) return 0;
  return Object.entries(settings).reduce((longest, [key, value]: [string, unknown]) => {
    if (typeof value !== "number") return Math.max(longest, longestTimeIn(value));
    return key.endsWith("Us") && value < Infinity ? Math.max(longest, value) : longest;
  }, 0);
}

/** Its reduces, if some run, wait for its maps. */
function waitsForMapSlots({ state, pending, running }: JobTable, job: number): boolean {
  return state[job] === RUNNING && pending[MAP][job] > 0 && running[MAP][job] === 0;
}

function waitsForReduceSlots({ state, pending, running }: JobTable, job: number): boolean {
  if (state[job] !== RUNNING || pending[MAP][job] + running[MAP][job] > 0) return false;
  return pending[REDUCE][job] > 0 && running[REDUCE][job] === 0;
}
