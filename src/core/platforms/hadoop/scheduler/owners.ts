import type { JobTable, SlotType } from "../jobs/job-table.js";
import { assert } from "../../../kernel/index.js";
import {
  type InnerSchedulerSpec,
  type OwnedBy,
  NO_LIMITS,
  NOTHING_SPECIAL,
  type SchedulerSpec,
} from "../../../scenario/index.js";
import type { Workload } from "../../../workload/index.js";
import { buildFlat, buildHierarchical } from "./build-pool-scheduler.js";
import type { SeenWait } from "./locality-wait.js";
import { Pools, Users } from "./pools.js";
import type { BuiltScheduler, Scheduler, SchedulerContext } from "./scheduler.js";

/**
 * Several schedulers side by side, each of which knows its own jobs only. Which of them sees which
 * free slots is for the subclass to say.
 */
export abstract class SchedulerOfOwners implements Scheduler {
  readonly users = new Users();
  readonly places: JobPlaces;
  /** Inner schedulers with jobs in the table, ascending: only they may want slots. */
  readonly active: number[] = [];
  private readonly jobCounts: Int32Array;
  private readonly innerOfJob: number[] = [];
  /** The least of all their next updates. */
  private dueUs = Infinity;

  constructor(
    protected readonly inners: readonly BuiltScheduler[],
    private readonly jobs: JobTable,
  ) {
    this.places = new JobPlaces(inners);
    this.jobCounts = new Int32Array(inners.length);
  }

  abstract slotsChanged(maps: number, reduces: number, nowUs: number): void;
  abstract heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void;

  /** The one that has the job. */
  innerOf(job: number): number {
    return this.innerOfJob[job];
  }

  /** The job's pool and user are those of its inner scheduler from now on. */
  jobAdded(job: number, nowUs: number): void {
    const { jobs, places } = this;
    const place = jobs.pool[job];
    const inner = places.inners[place];
    jobs.pool[job] = places.pools[place];
    jobs.user[job] = this.inners[inner].users.named(this.users.names[jobs.user[job]]);
    this.innerOfJob[job] = inner;
    if (this.jobCounts[inner]++ === 0) this.activate(inner);
    this.tell(job, (scheduler) => scheduler.jobAdded(job, nowUs));
  }

  jobReady(job: number, nowUs: number): void {
    this.tell(job, (scheduler) => scheduler.jobReady(job, nowUs));
  }

  jobRemoved(job: number, nowUs: number): void {
    this.tell(job, (scheduler) => scheduler.jobRemoved(job, nowUs));
    const inner = this.innerOfJob[job];
    if (--this.jobCounts[inner] === 0) this.active.splice(this.active.indexOf(inner), 1);
  }

  attemptLeft(job: number, type: SlotType, requeued: boolean, nowUs: number): void {
    this.tell(job, (scheduler) => scheduler.attemptLeft(job, type, requeued, nowUs));
  }

  pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void {
    this.tell(job, (scheduler) => scheduler.pendingChanged(job, type, change, nowUs));
  }

  nextUpdateUs(): number {
    return this.dueUs;
  }

  /** Updates the inner schedulers whose update is due. */
  update(nowUs: number): void {
    this.dueUs = Infinity;
    for (const { scheduler } of this.inners) {
      if (scheduler.nextUpdateUs() <= nowUs) scheduler.update(nowUs);
      this.dueUs = Math.min(this.dueUs, scheduler.nextUpdateUs());
    }
  }

  wantsMapSlots(): boolean {
    return this.active.some((inner) => this.inners[inner].scheduler.wantsMapSlots());
  }

  wantsReduceSlots(): boolean {
    return this.active.some((inner) => this.inners[inner].scheduler.wantsReduceSlots());
  }

  hasReduces(): boolean {
    return this.active.some((inner) => this.inners[inner].scheduler.hasReduces());
  }

  /** It would have to know which nodes they are. */
  skipHeartbeats(): boolean {
    return false;
  }

  isHeldBack(job: number): boolean {
    return this.inners[this.innerOfJob[job]].isHeldBack(job);
  }

  waitOf(job: number): SeenWait {
    return this.inners[this.innerOfJob[job]].waitOf(job);
  }

  /** The free slots of a node, all or some, are for that inner scheduler alone. */
  protected show(inner: number, node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    this.inners[inner].scheduler.heartbeat(node, nowUs, freeMaps, freeReduces);
    this.bringUpdateNearer(inner);
  }

  private tell(job: number, call: (scheduler: Scheduler) => void): void {
    const inner = this.innerOfJob[job];
    call(this.inners[inner].scheduler);
    this.bringUpdateNearer(inner);
  }

  /** The last call to an inner scheduler may have brought its next update nearer. */
  private bringUpdateNearer(inner: number): void {
    const dueUs = this.inners[inner].scheduler.nextUpdateUs();
    if (dueUs < this.dueUs) this.dueUs = dueUs;
  }

  private activate(inner: number): void {
    let index = this.active.length;
    while (index > 0 && this.active[index - 1] > inner) index--;
    this.active.splice(index, 0, inner);
  }
}

/**
 * The owners whose jobs will come, in order of name: known before the run, for what they get may not depend on who
 * comes first.
 */
export class Owners {
  readonly names: readonly string[];
  private readonly indexes: ReadonlyMap<string, number>;

  constructor(
    { jobs }: Pick<Workload, "jobs">,
    private readonly by: OwnedBy,
  ) {
    const names = new Set(jobs.map((job) => job[by]));
    // By code units: the same on every machine.
    this.names = [...names].sort((a, b) => (a < b ? -1 : 1));
    this.indexes = new Map(this.names.map((name, owner) => [name, owner]));
  }

  /** The owner of a job of that pool and user, of those that will come; -1: it is none of them. */
  ownerOf(pool: string, user: string): number {
    return this.indexes.get(this.by === "pool" ? pool : user) ?? -1;
  }
}

/**
 * The scheduler of one owner, by the paper's rules, without limits or preemption. Under `hfs` its pools are made on
 * first use: its users where the owner is a pool, its pools where it is a user.
 * @param isOwn a node whose slots it may have.
 */
export function buildInner(
  inner: InnerSchedulerSpec,
  by: OwnedBy,
  outer: SchedulerSpec,
  around: SchedulerContext,
  isOwn = (_node: number) => true,
): BuiltScheduler {
  const spec: SchedulerSpec = {
    ...outer,
    ...inner,
    ...NOTHING_SPECIAL,
    poolBy: by === "pool" ? "user" : "pool",
  };
  const build = (context: SchedulerContext) => (inner.kind === "hfs" ? buildHierarchical : buildFlat)(spec, context);
  return around.buildLogged?.(build, around, isOwn) ?? build(around);
}

/**
 * One number for an inner scheduler and a pool of it. A job carries it in place of a pool from its submission until it
 * is added: only then does the table hold the pool that its inner scheduler knows.
 */
class JobPlaces {
  readonly inners: number[] = [];
  readonly pools: number[] = [];
  private readonly numbers: Map<number, number>[];

  constructor(private readonly schedulers: readonly BuiltScheduler[]) {
    this.numbers = schedulers.map(() => new Map<number, number>());
  }

  /** Returns the handle, in that inner scheduler, of a job's pool and user. */
  placeOf(inner: number, poolName: string, userName: string, nowUs: number): number {
    const pool = this.schedulers[inner].poolOf(poolName, userName, nowUs);
    assert(pool >= 0, "an inner scheduler without limits refuses a job");
    const known = this.numbers[inner].get(pool);
    if (known !== undefined) return known;
    this.numbers[inner].set(pool, this.inners.length);
    this.inners.push(inner);
    this.pools.push(pool);
    return this.inners.length - 1;
  }
}

/**
 * Returns the master's view of inner schedulers.
 * @param innerOf by owner: where its jobs go.
 */
export function seenOfOwners(
  scheduler: SchedulerOfOwners,
  owners: Owners,
  innerOf: (owner: number) => number,
  slots: readonly [number, number],
): BuiltScheduler {
  return {
    scheduler,
    users: scheduler.users,
    // Those of the inner schedulers are their own affair.
    pools: new Pools(NO_LIMITS, slots, false),
    hasPools: false,
    preemptions: { checks: 0, slotsWanted: 0, kills: 0 },
    isHeldBack: (job) => scheduler.isHeldBack(job),
    waitOf: (job) => scheduler.waitOf(job),
    poolOf: (pool, user, nowUs) => {
      const owner = owners.ownerOf(pool, user);
      assert(owner >= 0, "a job of somebody who was not announced");
      return scheduler.places.placeOf(innerOf(owner), pool, user, nowUs);
    },
  };
}
