import { MAP, REDUCE, RUNNING, SLOT_TYPES, type SlotType } from "../../jobs/job-table.js";
import { OFF_RACK } from "../../jobs/nearness.js";
import { US_PER_HOUR } from "../../../../kernel/index.js";
import type { SchedulerSpec } from "../../../../scenario/index.js";
import { onePool } from "../build-pool-scheduler.js";
import { NO_WAIT, PassedUp, type SeenWait } from "../locality-wait.js";
import { Pools, Users } from "../pools.js";
import type { BuiltScheduler, Launcher, PreemptionCounts, Scheduler, SchedulerContext } from "../scheduler.js";
import { HookCalls, HOOKS, type PluginError, shownValue } from "./plugin-error.js";
import { misspeltKey } from "./plugin-keys.js";
import type { PluginScheduler, RunningAttempt, SchedulerPlugin } from "./plugin-face.js";
import {
  type CheckedChoice,
  ClusterView,
  type JobFacts,
  JobView,
  noTaskTimes,
  type OfferedSlot,
  slotName,
  SlotOffer,
} from "./plugin-views.js";

/** Least time between two updates of a plugin. */
const LEAST_UPDATE_US = 1_000;

/** Notified of every free map slot that a plugin was offered. */
export interface OfferWatch {
  /**
   * `jobs` might have had the slot; `passedUp` of them did not take it because they are far from their data; `isTaken`:
   * one of them did.
   */
  mapSlot(jobs: readonly number[], passedUp: readonly number[], isTaken: boolean): void;
}

/** A scheduler of a user's own in a run. */
interface PluginInRun {
  readonly plugin: SchedulerPlugin;
  /** Seed of the run; the plugin's random streams are a function of it. */
  readonly seed: string;
}

/**
 * Creates the scheduler anew for this run.
 * @throws PluginError when the plugin throws, or creates something else than a scheduler.
 */
export function buildPlugin(
  { plugin, seed }: PluginInRun,
  spec: SchedulerSpec,
  around: SchedulerContext,
): BuiltScheduler {
  const calls = new HookCalls(plugin.name);
  const cluster = new ClusterView(around, seed, calls);
  const userScheduler = checkedOwn(
    calls,
    calls.value("create", 0, () => plugin.create(cluster, spec.options ?? {})),
  );
  const kills = new PluginKills(around.launcher, calls, userScheduler);
  const users = new Users();
  // Handles of pools are places in this list; no pool has anything but a name.
  const poolNames: string[] = [];
  const scheduler = new PluginAdapter({
    around,
    calls,
    userScheduler,
    kills,
    tasksPerHeartbeat: spec.tasksPerHeartbeat,
    cluster,
    factsOf: (job) => {
      const spec = around.workload.jobs[around.jobs.id[job]];
      let inputBytes = 0;
      for (let map = 0; map < spec.maps; map++) inputBytes += around.inputBytesOf(job, map);
      return {
        name: spec.name,
        user: users.names[around.jobs.user[job]],
        pool: poolNames[around.jobs.pool[job]],
        deadlineUs: spec.deadlineUs === undefined ? null : around.jobs.startUs[job] + spec.deadlineUs,
        inputBytes,
      };
    },
  });
  return {
    scheduler,
    pools: new Pools(onePool("fair"), around.slots, false),
    users,
    hasPools: false,
    poolOf: (name) => placeOf(poolNames, name),
    preemptions: kills.counts,
    isHeldBack: () => false,
    // A plugin that orders jobs never asks how near they are.
    waitOf: () => (userScheduler.order === undefined ? scheduler.wait : NO_WAIT),
    taskDone: (job, type, ranUs) => scheduler.taskDone(job, type, ranUs),
  };
}

/** Returns the value of `create`, checked to be a scheduler. */
function checkedOwn(calls: HookCalls, created: unknown): PluginScheduler {
  const wrong = (actual: string, allowed: string) => calls.wrong("create", 0, actual, allowed);
  if (typeof created !== "object" || created === null)
    throw wrong(shownValue(created), "an object with choose or order");
  const fields = created as Readonly<Record<string, unknown>>;
  for (const hook of HOOKS) {
    if (fields[hook] !== undefined && typeof fields[hook] !== "function") {
      throw wrong(`${shownValue(fields[hook])} for ${hook}`, "a function");
    }
  }
  // One that chooses may have something called `orders`.
  const otherHook = fields.choose !== undefined ? "order" : fields.order !== undefined ? "choose" : "";
  const misspelt = misspeltKey(created, {
    functions: HOOKS.filter((hook) => hook !== otherHook),
    values: ["updateEveryUs"],
  });
  if (misspelt !== null) throw calls.problem("create", 0, misspelt);
  if ((fields.choose === undefined) === (fields.order === undefined)) {
    throw wrong(fields.choose === undefined ? shownValue(created) : "both choose and order", "one of choose and order");
  }
  const every = fields.updateEveryUs;
  if (every !== undefined && !(Number.isSafeInteger(every) && (every as number) >= LEAST_UPDATE_US)) {
    throw wrong(`${shownValue(every)} for updateEveryUs`, `a whole number of microseconds from ${LEAST_UPDATE_US} on`);
  }
  if (every === undefined && (fields.update ?? fields.kills) !== undefined) {
    throw wrong("update or kills without it", "updateEveryUs, how often to call them");
  }
  return created;
}

function placeOf(names: string[], name: string): number {
  const known = names.indexOf(name);
  return known >= 0 ? known : names.push(name) - 1;
}

interface PluginAdapterParts {
  readonly around: SchedulerContext;
  readonly calls: HookCalls;
  /** The scheduler that the plugin created for this run. */
  readonly userScheduler: PluginScheduler;
  readonly kills: PluginKills;
  readonly tasksPerHeartbeat: number;
  readonly factsOf: (job: number) => JobFacts;
  readonly cluster: ClusterView;
}

/**
 * The scheduler of a user's own, in the face that the master knows: it keeps the jobs, offers one free slot at a time,
 * checks every answer and applies it. All heartbeats of nodes with a free slot are visited while a task waits.
 */
export class PluginAdapter implements Scheduler {
  /** Only with a log of decisions. */
  watch: OfferWatch | null = null;
  /** By handle. */
  private readonly views: JobView[] = [];
  /** Handles of the jobs in the table, by submission. */
  private jobs: number[] = [];
  /** Some job has a task of the type to launch; null: to be found out. */
  private wants: [boolean, boolean] | null = null;
  private readonly times = noTaskTimes();
  private readonly stall: StallWatch;
  private dueUs = Infinity;
  private readonly passedUp = new PassedUp();
  readonly wait: SeenWait = {
    unit: "untold",
    waited: () => 0,
    passedUpUs: (job) => this.passedUp.since(job),
  };

  constructor(private readonly parts: PluginAdapterParts) {
    this.stall = new StallWatch(parts.calls, parts.userScheduler.order === undefined ? "choose" : "order");
  }

  jobAdded(job: number, nowUs: number): void {
    const { around, userScheduler, calls, factsOf } = this.parts;
    const view = new JobView(around.jobs, job, factsOf(job), this.times);
    this.views[job] = view;
    this.jobs.push(job);
    this.passedUp.add(job);
    this.wants = null;
    this.planUpdate(nowUs);
    calls.tell("jobAdded", nowUs, () => userScheduler.jobAdded?.(view, nowUs));
    around.launcher.initialise(job);
  }

  jobReady(job: number, nowUs: number): void {
    const { calls, userScheduler } = this.parts;
    const view = this.views[job];
    this.wants = null;
    this.stall.moved(nowUs);
    view.ready(nowUs);
    calls.tell("jobReady", nowUs, () => userScheduler.jobReady?.(view, nowUs));
  }

  /** A task of the job succeeded that held its slot so long. */
  taskDone(job: number, type: SlotType, ranUs: number): void {
    const view = this.views[job];
    (type === MAP ? view.map : view.reduce).taskDone(ranUs);
  }

  jobRemoved(job: number, nowUs: number): void {
    const view = this.views[job];
    this.jobs = this.jobs.filter((candidate) => candidate !== job);
    this.wants = null;
    view.close();
    this.parts.calls.tell("jobEnded", nowUs, () => this.parts.userScheduler.jobEnded?.(view, nowUs));
  }

  attemptLeft(job: number, type: SlotType, requeued: boolean, nowUs: number): void {
    const { calls, userScheduler } = this.parts;
    this.wants = null;
    this.stall.moved(nowUs);
    calls.tell("attemptEnded", nowUs, () =>
      userScheduler.attemptEnded?.(this.views[job], slotName(type), requeued, nowUs),
    );
  }

  pendingChanged(job: number): void {
    this.wants = null;
    // Nothing waits any more: what comes later waits anew.
    if (this.parts.around.jobs.pending[MAP][job] === 0) this.passedUp.begin(job);
  }

  slotsChanged(maps: number, reduces: number): void {
    this.parts.cluster.slotsChanged(maps, reduces);
  }

  nextUpdateUs(): number {
    return this.dueUs;
  }

  update(nowUs: number): void {
    this.dueUs = Infinity;
    if (this.jobs.length > 0) this.planUpdate(nowUs);
    this.parts.calls.tell("update", nowUs, () => this.parts.userScheduler.update?.(nowUs));
  }

  checkPreemption(nowUs: number): void {
    for (const type of SLOT_TYPES) {
      // No task needs a slot: a kill would only waste work, and racks may have received the promise that nothing will
      // come.
      if (this.wanted()[type]) this.parts.kills.ask(type, nowUs, (job) => this.views[job]);
    }
  }

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
  skipHeartbeats(): boolean {
    return false;
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const { launcher } = this.parts.around;
    const free = [freeMaps, freeReduces];
    let budget = this.parts.tasksPerHeartbeat;
    while (budget > 0 && (free[MAP] > 0 || free[REDUCE] > 0)) {
      const mapFirst = launcher.reportedOn(node, MAP) <= launcher.reportedOn(node, REDUCE);
      const type = free[MAP] > 0 && (mapFirst || free[REDUCE] === 0) ? MAP : REDUCE;
      if (this.serve(node, type, free[type], nowUs)) {
        free[type]--;
        budget--;
      } else {
        free[type] = 0;
      }
    }
  }

  /** Offers one slot; true if a task was launched in it. */
  private serve(node: number, type: SlotType, freeSlots: number, nowUs: number): boolean {
    const { around, calls, userScheduler } = this.parts;
    const handles = this.jobs.filter((job) => this.mayHave(job, type, node));
    const jobs = handles.map((job) => this.views[job]);
    const slot = { node, type, freeSlots, nowUs, jobs };
    const offer = new SlotOffer(around, calls, slot);
    const choice = jobs.length === 0 ? null : this.ask(offer, slot);
    if (type === MAP) this.mapSlotSeen(handles, offer, choice, nowUs);
    if (jobs.length === 0) return false;
    if (choice === null) {
      if (this.stall.isLong(nowUs) && this.nothingRuns()) throw this.stall.error(nowUs);
      return false;
    }
    const { job, view, task, reach } = choice;
    if (type === MAP) {
      around.launcher.launchMap(job, task, node, around.source.level);
      this.passedUp.begin(job);
    } else around.launcher.launchReduce(job, node);
    this.wants = null;
    this.stall.moved(nowUs);
    calls.tell("launched", nowUs, () => userScheduler.launched?.(view, slotName(type), reach, nowUs));
    return true;
  }

  /**
   * Records the jobs that passed up an opportunity: `nearest` found their maps far from their data, and the slot did
   * not go to them.
   */
  private mapSlotSeen(
    jobs: readonly number[],
    { foundFar }: SlotOffer,
    choice: CheckedChoice | null,
    nowUs: number,
  ): void {
    if (choice !== null) foundFar.delete(choice.job);
    const passedUp = Int32Array.from(foundFar);
    this.passedUp.by(passedUp, passedUp.length, nowUs);
    this.watch?.mapSlot(jobs, [...passedUp], choice !== null);
  }

  private ask(offer: SlotOffer, { type, nowUs, jobs }: OfferedSlot): CheckedChoice | null {
    const { calls, userScheduler } = this.parts;
    if (userScheduler.order === undefined)
      return offer.checked(calls.value("choose", nowUs, () => userScheduler.choose?.(offer.view())));
    const ordered = calls.list("order", nowUs, () => userScheduler.order?.([...jobs], slotName(type), nowUs), "jobs");
    const stranger = ordered.find((job) => !(job instanceof JobView && jobs.includes(job)));
    if (stranger !== undefined) {
      throw calls.wrong(
        "order",
        nowUs,
        `${shownValue(stranger)} in the list`,
        "the jobs that were given, in any order",
      );
    }
    return ordered.length === 0 ? null : offer.choiceOf(ordered[0] as JobView, "any");
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
      this.jobs.some((job) => this.isLaunchable(job, MAP)),
      this.jobs.some((job) => this.isLaunchable(job, REDUCE)),
    ];
    return this.wants;
  }

  private nothingRuns(): boolean {
    const { running } = this.parts.around.jobs;
    return this.jobs.every((job) => running[MAP][job] === 0 && running[REDUCE][job] === 0);
  }

  /** The next update is due at the next multiple of the interval. */
  private planUpdate(nowUs: number): void {
    const { updateEveryUs } = this.parts.userScheduler;
    if (updateEveryUs === undefined) return;
    this.dueUs = Math.min(this.dueUs, (Math.floor(nowUs / updateEveryUs) + 1) * updateEveryUs);
  }
}

/** Asks a plugin which of the running attempts shall be killed, and orders it. */
class PluginKills {
  readonly counts: PreemptionCounts = { checks: 0, slotsWanted: 0, kills: 0 };

  constructor(
    private readonly launcher: Launcher,
    private readonly calls: HookCalls,
    private readonly userScheduler: PluginScheduler,
  ) {}

  ask(type: SlotType, nowUs: number, viewOf: (job: number) => JobView): void {
    const { userScheduler, calls, launcher } = this;
    if (userScheduler.kills === undefined) return;
    const slotType = slotName(type);
    const attempts = new Map<unknown, number>();
    launcher.forEachReported(type, (attempt, job, task, launchedUs) => {
      attempts.set(Object.freeze({ job: viewOf(job), slotType, task, launchedUs }), attempt);
    });
    const running = [...attempts.keys()] as RunningAttempt[];
    running.sort((a, b) => a.launchedUs - b.launchedUs || a.job.id - b.job.id || a.task - b.task);
    const requested = calls.list(
      "kills",
      nowUs,
      () => userScheduler.kills?.(running, slotType, nowUs),
      "running attempts",
    );
    const chosen = new Set<number>();
    for (const victim of requested) {
      const attempt = attempts.get(victim);
      if (attempt === undefined) {
        throw calls.wrong("kills", nowUs, `${shownValue(victim)} in the list`, "attempts of the list that was given");
      }
      chosen.add(attempt);
    }
    if (chosen.size > 0) this.counts.checks++;
    this.counts.slotsWanted += chosen.size;
    this.counts.kills += chosen.size;
    for (const attempt of chosen) launcher.kill(attempt);
  }
}

/** Longest time that a plugin may leave a cluster idle on which nothing runs and tasks wait: a week. */
const LONGEST_IDLE_US = 7 * 24 * US_PER_HOUR;

/** Ends runs that would never end, for nothing runs and the plugin launches nothing. */
class StallWatch {
  private movedUs = 0;

  constructor(
    private readonly calls: HookCalls,
    private readonly hook: string,
  ) {}

  /** Something was launched, ended or became ready. */
  moved(nowUs: number): void {
    this.movedUs = nowUs;
  }

  /** Nothing of that has happened for too long. */
  isLong(nowUs: number): boolean {
    return nowUs - this.movedUs > LONGEST_IDLE_US;
  }

  error(nowUs: number): PluginError {
    const actual = "no launch for seven days, although tasks wait and nothing runs";
    return this.calls.wrong(this.hook, nowUs, actual, "to launch a waiting task at some time");
  }
}
