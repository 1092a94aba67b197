import { tally } from "../../../kernel/index.js";
import { type JobTable, MAP, REDUCE, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { PreemptionLog } from "../../../record/index.js";
import type { PreemptionSpec } from "../../../scenario/index.js";
import { codeOf, type WhyNot } from "./no-preemption-reasons.js";
import type { PoolState } from "./pool-state.js";
import { type Pools, TOP } from "./pools.js";

/**
 * The result of the last check: the reasons for claims of pools that were not met, and the number of attempts killed by
 * pool.
 */
interface Check {
  readonly reasons: Map<number, WhyNot>;
  readonly kills: Map<number, number>;
}

interface Parts {
  readonly log: PreemptionLog;
  readonly spec: PreemptionSpec;
  readonly jobs: JobTable;
  readonly pools: Pools;
}

/**
 * Logs the reasons why preemption takes nothing for the pools that hold jobs. It repeats the tests of the check around
 * it, and changes nothing.
 */
export class NoPreemption {
  private readonly isOpen: boolean[] = [];
  /** By pool: attempts killed for it since its row began. */
  private readonly kills: number[] = [];
  private readonly checks: readonly [Check, Check] = [newCheck(), newCheck()];
  /** Per type: pools that may take something in the check that comes, and what ran before it. */
  private claims: readonly [number[], number[]] = [[], []];
  private running: readonly [readonly number[], readonly number[]] = [[], []];
  private launchedIn: number[] = [];

  constructor(
    private readonly parts: Parts,
    private readonly state: PoolState,
  ) {}

  checkComes(nowUs: number): void {
    const { pools, spec } = this.parts;
    const { starvation, candidates } = this.state;
    const claims = (type: SlotType) =>
      spec.mode === "off" || nowUs <= starvation.noneStarvedUntilUs
        ? []
        : [...pools.names.keys()].filter((pool) => starvation.amount(pool, type, nowUs) > 0);
    this.claims = [claims(MAP), claims(REDUCE)];
    const isAny = this.claims.some((claimants) => claimants.length > 0);
    if (isAny) this.running = [candidates.order[MAP].runningOf.slice(), candidates.order[REDUCE].runningOf.slice()];
    if (!this.state.preemption.isDue(nowUs)) return;
    for (const { reasons, kills } of this.checks) {
      reasons.clear();
      kills.clear();
    }
  }

  /** An attempt was chosen for the pool. @param isFirst it is killed for this order, not for one before. */
  killed(pool: number, type: SlotType, isFirst: boolean): void {
    const { kills } = this.checks[type];
    tally(kills, pool);
    if (isFirst) this.kills[pool] = (this.kills[pool] ?? 0) + 1;
  }

  /** The check has come, if it was due. */
  checked(nowUs: number): void {
    if (this.state.preemption.lastCheckUs === nowUs) {
      for (const type of SLOT_TYPES) {
        for (const pool of this.claims[type]) this.checks[type].reasons.set(pool, this.outcomeOf(pool, type));
      }
    }
    this.look(nowUs);
  }

  /** An update has found how things are. */
  look(nowUs: number): void {
    const { pools } = this.parts;
    for (let pool = 0; pool < pools.size; pool++) {
      if (!pools.isInner(pool)) this.note(pool, nowUs);
    }
  }

  launched(job: number): void {
    this.launchedIn.push(this.parts.jobs.pool[job]);
  }

  /** Pools may have got all that they claimed, which no update need see. */
  heartbeatEnded(nowUs: number): void {
    if (this.launchedIn.length === 0) return;
    for (const pool of this.launchedIn) if (this.isOpen[pool] && !this.wants(pool)) this.note(pool, nowUs);
    this.launchedIn = [];
  }

  private note(pool: number, nowUs: number): void {
    const { log, pools } = this.parts;
    const state = this.wants(pool) ? this.stateOf(pool, nowUs) : null;
    if (state === null && !this.isOpen[pool]) return;
    this.isOpen[pool] = state !== null;
    if (state?.reason !== "killed") this.kills[pool] = 0;
    log.is(pools.names[pool], state, nowUs);
  }

  private wants(pool: number): boolean {
    return this.wantsOf(pool, MAP) || this.wantsOf(pool, REDUCE);
  }

  private wantsOf(pool: number, type: SlotType): boolean {
    const { demands, candidates } = this.state;
    return demands.ofPool[type][pool] > candidates.order[type].runningOf[pool];
  }

  /** Returns the state nearest to a kill, of the two types, and of the pool and those around it. */
  private stateOf(pool: number, nowUs: number): WhyNot {
    const { spec, pools } = this.parts;
    if (spec.mode === "off") return { reason: "off" };
    let nearest: WhyNot = { reason: "due" };
    for (const type of SLOT_TYPES) {
      if (!this.wantsOf(pool, type)) continue;
      for (let p = pool; p !== TOP; p = pools.parent[p]) {
        const why = this.whyNot(p, type, pool, nowUs);
        if (codeOf(why) > codeOf(nearest)) nearest = why;
      }
    }
    return nearest;
  }

  /** Why nothing is taken for `pool` on the claim of `claimant`, which is the pool or lies around it. */
  private whyNot(claimant: number, type: SlotType, pool: number, nowUs: number): WhyNot {
    const { reasons, kills } = this.checks[type];
    const { starvation } = this.state;
    if (starvation.amount(claimant, type, nowUs) === 0) {
      reasons.delete(claimant);
      return starvation.whyNot(claimant, type, nowUs);
    }
    const outcome = reasons.get(claimant) ?? { reason: "check" };
    if (outcome.reason !== "killed") return outcome;
    return kills.has(pool) ? { reason: "killed", reached: this.kills[pool] } : { reason: "given" };
  }

  /** The pool might take something in the check that was. */
  private outcomeOf(claimant: number, type: SlotType): WhyNot {
    const { pools, spec } = this.parts;
    const { preemption } = this.state;
    if (spec.mode === "log") return { reason: "counted" };
    for (const pool of this.checks[type].kills.keys()) {
      for (let p = pool; p !== TOP; p = pools.parent[p]) if (p === claimant) return { reason: "killed" };
    }
    const parent = pools.parent[claimant];
    const isAbove = (pool: number) =>
      !pools.isInner(pool) && preemption.isAboveShare(pool, type, parent, this.running[type]);
    return { reason: [...pools.names.keys()].some(isAbove) ? "left" : "share" };
  }
}

function newCheck(): Check {
  return { reasons: new Map(), kills: new Map() };
}
