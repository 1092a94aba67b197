import type { SparkRules } from "./rules.js";

export type PoolMode = "FIFO" | "FAIR";

/** A pool in the file of pools, `fairscheduler.xml`: the texts of its elements as they stand there. */
export interface PoolTexts {
  readonly name: string;
  readonly schedulingMode?: string | undefined;
  readonly minShare?: string | undefined;
  readonly weight?: string | undefined;
}

export interface PoolSpec {
  readonly name: string;
  /** The order of task sets and pools inside it. */
  readonly mode: PoolMode;
  /** Running tasks up to which it goes first, and its part of what is left. */
  readonly minShare: number;
  readonly weight: number;
  /** Pools inside it. A file has none of these; a program may. */
  readonly pools?: readonly PoolSpec[];
}

/** Jobs of no other pool run in it. */
export const DEFAULT_POOL_NAME = "default";

/**
 * Returns the pool that Spark makes of these elements. Spark trims each value, and uses the default for a value that it
 * cannot read.
 */
export function poolOfTexts({ name, schedulingMode, minShare, weight }: PoolTexts): PoolSpec {
  const mode = schedulingMode?.trim().toUpperCase() === "FAIR" ? "FAIR" : "FIFO";
  return { name, mode, minShare: integerOr(minShare, 0), weight: integerOr(weight, 1) };
}

/** As `Integer.parseInt` reads it: 32 bits, no blanks inside. */
function integerOr(text: string | undefined, otherwise: number): number {
  const trimmed = text?.trim() ?? "";
  if (!/^[+-]?\d+$/.test(trimmed)) return otherwise;
  const value = Number(trimmed);
  return value === (value | 0) ? value : otherwise;
}

/**
 * Returns the pools directly below the root in FAIR mode. @param file null: there is no pools file.
 * @param mode the set value of `spark.scheduler.mode`; not FAIR only where a program asks for pools by itself.
 */
export function poolsInFairMode(
  file: readonly PoolTexts[] | null,
  rules: SparkRules,
  mode: PoolMode = "FAIR",
): PoolSpec[] {
  const pools = (file ?? []).map(poolOfTexts);
  if (pools.some(({ name }) => name === DEFAULT_POOL_NAME)) return pools;
  const ofDefault = file === null && rules.defaultPoolFollowsMode ? mode : "FIFO";
  return [...pools, { name: DEFAULT_POOL_NAME, mode: ofDefault, minShare: 0, weight: 1 }];
}

/** A member of a pool: a task set, or a pool. */
export interface Schedulable {
  /** Pools by name; of a task set `TaskSet_3.0`: Spark compares names as texts. */
  readonly name: string;
  readonly minShare: number;
  readonly weight: number;
  /** Running tasks of all task sets below it, whatever cores they have. */
  running: number;
  /** The job and the stage of a task set. */
  readonly priority: number;
  readonly stage: number;
}

/** A pool, with what is in it. The root of FIFO mode holds task sets alone. */
export class Pool<Set extends Schedulable> implements Schedulable {
  running = 0;
  readonly priority = 0;
  readonly stage = -1;
  readonly minShare: number;
  readonly weight: number;
  readonly mode: PoolMode;
  private readonly members: (Set | Pool<Set>)[] = [];
  /** Members of which the running tasks have changed since the pool was in order, up to MOST_MOVED; or more have. */
  private readonly moved: (Set | Pool<Set>)[] = [];
  private isMixed = false;
  /** A member is of no positive weight: orders that go by it are of no use for a search. */
  private hasOddWeight = false;

  constructor(
    readonly name: string,
    { mode, minShare, weight }: Omit<PoolSpec, "name">,
    private readonly parent: Pool<Set> | null = null,
  ) {
    this.mode = mode;
    this.minShare = minShare;
    this.weight = weight;
  }

  add(member: Set | Pool<Set>): void {
    // The keys of FIFO never change: its members are kept in order.
    let place = this.members.length;
    if (this.mode === "FIFO") while (place > 0 && byPriority(this.members[place - 1], member) > 0) place--;
    this.members.splice(place, 0, member);
    if (member.weight <= 0) this.hasOddWeight = true;
    this.noteMoved(member);
  }

  remove(member: Set): void {
    this.members.splice(this.members.indexOf(member), 1);
    const moved = this.moved.indexOf(member);
    if (moved >= 0) this.moved.splice(moved, 1);
  }

  /** Notes that more tasks run below it, or fewer. @param changed the member in which they do. */
  runningChanged(change: number, changed: Set | Pool<Set>): void {
    this.running += change;
    this.noteMoved(changed);
    this.parent?.runningChanged(change, this);
  }

  /**
   * Shows its task sets in the order in which a round asks them, until `visit` says that it is enough. What is launched
   * from one pool changes no order in others, so that each may be sorted when the round comes to it; a pool is sorted
   * once.
   * @returns whether it would go on.
   */
  visit(visit: (set: Set) => boolean): boolean {
    if (this.mode === "FAIR") this.arrange();
    for (const member of this.members) {
      const goesOn = member instanceof Pool ? member.visit(visit) : visit(member);
      if (!goesOn) return false;
    }
    return true;
  }

  /** Few move between two rounds: only those are put in their places again. */
  private arrange(): void {
    const { members, moved } = this;
    if (moved.length === 0) return;
    if (this.isMixed || this.hasOddWeight) {
      members.sort(fairly);
    } else if (moved.length > 1 || !this.isInPlace(moved[0])) {
      for (const member of moved) members.splice(members.indexOf(member), 1);
      for (const member of moved) members.splice(this.placeFor(member), 0, member);
    }
    moved.length = 0;
    this.isMixed = false;
  }

  private noteMoved(member: Set | Pool<Set>): void {
    if (this.mode === "FIFO" || this.isMixed || this.moved.includes(member)) return;
    if (this.moved.length === MOST_MOVED) this.isMixed = true;
    else this.moved.push(member);
  }

  /** Its neighbours stand where they should, too, as nothing else has moved. */
  private isInPlace(member: Set | Pool<Set>): boolean {
    const place = this.members.indexOf(member);
    const isAfter = place === 0 || fairly(this.members[place - 1], member) < 0;
    return isAfter && (place === this.members.length - 1 || fairly(member, this.members[place + 1]) < 0);
  }

  private placeFor(member: Set | Pool<Set>): number {
    let [low, high] = [0, this.members.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fairly(this.members[middle], member) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** More than so many members of a pool that moved are cheaper to sort with the rest. */
const MOST_MOVED = 8;

/** By job, then by stage. */
function byPriority(a: Schedulable, b: Schedulable): number {
  return a.priority - b.priority || a.stage - b.stage;
}

/** Those below their min share first, by how far; the others by running tasks per weight; then by name. */
function fairly(a: Schedulable, b: Schedulable): number {
  const [aNeeds, bNeeds] = [a.running < a.minShare, b.running < b.minShare];
  if (aNeeds !== bNeeds) return aNeeds ? -1 : 1;
  const difference = aNeeds
    ? a.running / Math.max(a.minShare, 1) - b.running / Math.max(b.minShare, 1)
    : a.running / a.weight - b.running / b.weight;
  if (difference !== 0 && !Number.isNaN(difference)) return difference;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** The pools of an application. */
export class PoolTree<Set extends Schedulable> {
  private readonly root: Pool<Set>;
  readonly byName = new Map<string, Pool<Set>>();

  /** @param pools of FAIR mode; FIFO mode has none. */
  constructor(
    private readonly mode: PoolMode,
    pools: readonly PoolSpec[],
  ) {
    this.root = new Pool("", { mode, minShare: 0, weight: 1 });
    if (mode === "FAIR") for (const pool of pools) this.addPool(pool, this.root);
  }

  /**
   * @param name `spark.scheduler.pool` of the job; one that is not there is made, with defaults. FIFO mode ignores it.
   */
  poolFor(name: string = DEFAULT_POOL_NAME): Pool<Set> {
    if (this.mode === "FIFO") return this.root;
    return this.byName.get(name) ?? this.addPool({ name, mode: "FIFO", minShare: 0, weight: 1 }, this.root);
  }

  /** Shows task sets in the order in which a round asks them, until `visit` says that it is enough. */
  visit(visit: (set: Set) => boolean): void {
    this.root.visit(visit);
  }

  /** All task sets, in that order. */
  sorted(): Set[] {
    const sets: Set[] = [];
    this.visit((set) => sets.push(set) > 0);
    return sets;
  }

  private addPool(spec: PoolSpec, parent: Pool<Set>): Pool<Set> {
    const pool = new Pool(spec.name, spec, parent);
    parent.add(pool);
    // If two share a name the last is used, as Spark puts each into a map; the other stays, and runs nothing.
    this.byName.set(spec.name, pool);
    for (const inner of spec.pools ?? []) this.addPool(inner, pool);
    return pool;
  }
}
