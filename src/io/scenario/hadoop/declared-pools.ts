import { counted, grouped, sumOver, namesOf, tally } from "../../../core/kernel/index.js";
import type { NotedPool, PoolNote } from "../../../core/record/index.js";
import {
  type CapacitySpec,
  type ReloadSpec,
  type Scenario,
  SCHEDULER_KINDS,
  type SchedulerSpec,
} from "../../../core/scenario/index.js";
import { requestedByName, DEFAULT_POOL, poolChoice } from "../../../core/platforms/hadoop/index.js";
import type { Workload } from "../../../core/workload/index.js";
import { InputError, problemOf } from "../../input-error.js";
import { suggestion, nearest, quote } from "../show.js";

/*
 * Declared pools that no job is in, and jobs that ask for undeclared pools. Most often a name is misspelt. Where no
 * pool is declared, none is missed; nor is a pool that is named like its user, or the pool of jobs that name none:
 * those are made on first use by design.
 */

/** Jobs that ask for a pool. */
interface AskingJobs {
  readonly pool: string;
  readonly user: string;
  readonly submitAtUs: number;
  /** Undefined: one. */
  readonly count?: number;
}

/** Pools named in one note. */
const MOST_NAMED = 20;
/** Pools described in the text of one note. */
const MOST_REPORTED = 5;
/** More names are not searched for the one that was meant. */
const MOST_SEARCHED = 1_000;

/** The pools, queues or owners that a scheduler names. */
interface Declared {
  readonly noun: string;
  /** The names that jobs can use. */
  readonly names: readonly string[];
  /** With those of pools that hold pools. */
  readonly allNames: readonly string[];
  readonly isDeclared: (name: string) => boolean;
  /** The effect on jobs that ask for other names. */
  readonly otherwise: string;
  /** The place of a job (null: none) and the name that it asked for ("": nothing to look up). */
  readonly placeOf: (job: AskingJobs) => { readonly place: string | null; readonly requested: string };
  /** A job may have a place, whenever it comes. */
  readonly takes: (job: AskingJobs) => boolean;
}

/** Notes on names that do not match, for jobs that are submitted within the run. */
function poolNotes(scheduler: SchedulerSpec, jobs: Iterable<AskingJobs>): PoolNote[] {
  const declared = declaredBy(scheduler);
  if (declared === null || declared.names.length === 0) return [];
  const { noun, names, isDeclared, otherwise, placeOf } = declared;
  const jobsIn = new Map<string, number>();
  const missed = new Map<string, number>();
  for (const job of jobs) {
    const { place, requested } = placeOf(job);
    if (place === null) continue;
    const { user, count = 1 } = job;
    tally(jobsIn, place, count);
    if (requested === "" || requested === DEFAULT_POOL || requested === user.trim() || isDeclared(requested)) continue;
    tally(missed, requested, count);
  }
  const notes: PoolNote[] = [];
  const empty = names.filter((name) => !jobsIn.has(name));
  if (empty.length > 0) {
    const undeclared = [...new Set([...jobsIn.keys(), ...missed.keys()])].filter((name) => !isDeclared(name));
    const pools = empty.slice(0, MOST_NAMED).map((pool) => ({ pool, jobs: 0, nearest: meant(pool, undeclared) }));
    const jobsOf = (name: string) => counted(missed.get(name) ?? jobsIn.get(name) ?? 0, "job");
    const listing = listed(empty.length, pools, ({ nearest: near }) =>
      near === null ? "" : ` (did you mean ${quote(near)}, which has ${jobsOf(near)}?)`,
    );
    const text = `declared ${noun}s without a job: ${listing}; what is said of them has no effect`;
    notes.push({ code: "pools-without-jobs", text, pools });
  }
  if (missed.size > 0) {
    const byCount = [...missed].sort(([a, jobsA], [b, jobsB]) => jobsB - jobsA || (a < b ? -1 : 1));
    const total = sumOver(byCount, ([, count]) => count);
    const pools = byCount
      .slice(0, MOST_NAMED)
      .map(([pool, count]) => ({ pool, jobs: count, nearest: meant(pool, names) }));
    const listing = listed(byCount.length, pools, ({ jobs: count, nearest: near }) => {
      return ` (${counted(count, "job")}${suggestion(near)})`;
    });
    const text = `${counted(total, "job")} ${total === 1 ? "asks" : "ask"} for ${noun}s that are not declared: ${listing}; ${otherwise}`;
    notes.push({ code: "undeclared-pools", text, pools });
  }
  return notes;
}

/** The same of a workload that is made or read. */
export function poolNotesOf({ scheduler, run }: Pick<Scenario, "scheduler" | "run">, workload: Workload): PoolNote[] {
  const { jobs, followersFrom = Infinity } = workload;
  return poolNotes(
    scheduler,
    // The submission time of a job that waits for another is unknown before the run.
    jobs.filter(({ submitAtUs }, position) => submitAtUs < run.untilUs || position >= followersFrom),
  );
}

/** The same of jobs that the scenario lists, which are known without a run. */
export function poolNotesOfList({ scheduler, run, workload }: Scenario): PoolNote[] {
  if (workload.kind !== "jobs") return [];
  const coming = workload.jobs.filter(({ atUs }) => atUs < run.untilUs);
  return poolNotes(
    scheduler,
    coming.map(({ pool, user, atUs, count }) => ({ pool, user, submitAtUs: atUs, count })),
  );
}

/** @throws InputError for names that do not match. @param file is named in the message. */
export function refuseStrayPools(file: string, notes: readonly PoolNote[]): void {
  if (notes.length === 0) return;
  throw new InputError(strayPools(notes).map(({ message }) => problemOf(file, message)));
}

/** Problems of names under `scheduler.strict`, one each. */
export function strayPools(notes: readonly PoolNote[]): (NotedPool & { readonly message: string })[] {
  return notes.flatMap(({ code, pools }) =>
    pools.map((noted) => {
      const { pool, jobs, nearest: near } = noted;
      const words =
        code === "pools-without-jobs"
          ? `the declared pool ${quote(pool)} has no job`
          : `the pool ${quote(pool)} of ${counted(jobs, "job")} is not declared`;
      return { ...noted, message: `${words} (scheduler.strict)${suggestion(near)}` };
    }),
  );
}

/** Pools that the scheduler declares; null: none. */
export function declaredBy(scheduler: SchedulerSpec): Declared | null {
  const { kind, capacity, partition, offers } = scheduler;
  if (capacity !== undefined) return declaredQueues(scheduler, capacity);
  const owned =
    partition === undefined
      ? offers && { by: offers.by, owners: offers.frameworks }
      : { by: partition.by, owners: partition.weights };
  if (owned !== undefined) {
    const { by } = owned;
    const names = namesOf(owned.owners);
    // Only unusual owners have settings: jobs of other owners are no mistake.
    return {
      noun: by,
      names,
      allNames: names,
      isDeclared: isAmong(names),
      otherwise: "",
      placeOf: (job) => ({ place: job[by], requested: "" }),
      takes: () => true,
    };
  }
  return SCHEDULER_KINDS.find(({ name }) => name === kind)?.hasPools === true ? declaredPools(scheduler) : null;
}

function declaredPools(scheduler: SchedulerSpec): Declared {
  const choose = poolChoice(scheduler);
  const timeline = timelineOf(scheduler).map((reload) => ({
    ...reload,
    isListed: isAmong(namesOf(reload.allocations.pools)),
  }));
  const latestFirst = [...timeline].reverse();
  const pools = timeline.flatMap(({ allocations }) => allocations.pools);
  const outer = new Set(pools.map(({ parent }) => parent));
  const allNames = [...new Set(namesOf(pools))];
  const isDeclared = isAmong(allNames);
  return {
    noun: "pool",
    names: allNames.filter((name) => !outer.has(name)),
    allNames,
    isDeclared,
    otherwise: "such a pool has weight 1 and no min share",
    placeOf: ({ pool, user, submitAtUs }) => {
      const { allocations, isListed } = latestFirst.find(({ atUs }) => atUs <= submitAtUs) ?? timeline[0];
      const place = choose(allocations, pool, user, isListed);
      const requested = scheduler.poolBy === "pool" ? pool.trim() : "";
      return { place, requested: place === requested ? requested : "" };
    },
    takes: ({ pool, user }) => timeline.some(({ allocations }) => choose(allocations, pool, user, isDeclared) !== null),
  };
}

/** The allocations at the start, and those that replace them. */
export function timelineOf({ allocations, reloads }: SchedulerSpec): readonly ReloadSpec[] {
  return [{ atUs: 0, allocations }, ...reloads];
}

function declaredQueues(scheduler: SchedulerSpec, capacity: CapacitySpec): Declared {
  const { queues, undeclaredQueues } = capacity;
  const names = namesOf(queues);
  const isDeclared = isAmong(names);
  const elsewhere = undeclaredQueues === "default" && isDeclared(DEFAULT_POOL) ? DEFAULT_POOL : null;
  const placeOf: Declared["placeOf"] = (job) => {
    const requested = requestedByName(scheduler, job);
    return { place: isDeclared(requested) ? requested : elsewhere, requested };
  };
  return {
    noun: "queue",
    names,
    allNames: names,
    isDeclared,
    otherwise: `they are in the queue ${quote(DEFAULT_POOL)}`,
    placeOf,
    takes: (job) => placeOf(job).place !== null,
  };
}

function isAmong(names: readonly string[]): (name: string) => boolean {
  const known = new Set(names);
  return (name) => known.has(name);
}

function meant(name: string, candidates: readonly string[]): string | null {
  return candidates.length > MOST_SEARCHED ? null : (nearest(name, candidates) ?? null);
}

function listed(count: number, pools: readonly NotedPool[], more: (pool: NotedPool) => string): string {
  const shown = pools.slice(0, MOST_REPORTED).map((noted) => quote(noted.pool) + more(noted));
  return `${shown.join(", ")}${count > MOST_REPORTED ? ` and ${grouped(count - MOST_REPORTED)} more` : ""}`;
}
