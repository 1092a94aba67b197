import { type JobTable, MAP, REDUCE, type SlotType } from "../../jobs/job-table.js";
import { NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "../../jobs/nearness.js";
import { counterHash, fractionOf, seedWord, mismatch } from "../../../../kernel/index.js";
import type { SchedulerContext } from "../scheduler.js";
import { type HookCalls, shownValue } from "./plugin-error.js";
import { unknownKey } from "./plugin-keys.js";
import type { Offer, PluginCluster, PluginJob, Reach, SlotName, TaskCounts } from "./plugin-face.js";

/** The cluster as plugins see it, and the chance they may use. */
export class ClusterView implements PluginCluster {
  readonly nodes: number;
  readonly racks: number;
  readonly heartbeatUs: number;
  readonly #around: SchedulerContext;
  readonly #seed: string;
  readonly #calls: HookCalls;
  readonly #drawn = new Map<string, { readonly seed: number; count: number }>();
  #slots: { readonly map: number; readonly reduce: number };

  constructor(around: SchedulerContext, seed: string, calls: HookCalls) {
    this.nodes = around.nodes;
    this.racks = around.topology.racks;
    this.heartbeatUs = around.heartbeatUs;
    this.#around = around;
    this.#seed = seed;
    this.#calls = calls;
    this.#slots = Object.freeze({ map: around.slots[0], reduce: around.slots[1] });
    Object.freeze(this);
  }

  get slots(): { readonly map: number; readonly reduce: number } {
    return this.#slots;
  }

  slotsChanged(map: number, reduce: number): void {
    this.#slots = Object.freeze({ map, reduce });
  }

  rackOf(node: number): number {
    return this.#around.topology.rackOf[this.#checked("rackOf", node)];
  }

  slotsOf(node: number, slotType: SlotName): number {
    const { mapSlots, reduceSlots } = this.#around.topology;
    return (slotType === "map" ? mapSlots : reduceSlots)[this.#checked("slotsOf", node)];
  }

  random(stream: string): number {
    let drawn = this.#drawn.get(stream);
    if (drawn === undefined) {
      drawn = { seed: seedWord(this.#seed, `plugin/${this.#calls.plugin}/${stream}`), count: 0 };
      this.#drawn.set(stream, drawn);
    }
    return fractionOf(counterHash(drawn.seed, 0, drawn.count++));
  }

  #checked(member: string, node: number): number {
    if (Number.isInteger(node) && node >= 0 && node < this.nodes) return node;
    throw new RangeError(`cluster.${member}: ${mismatch(`node ${node}`, `0 to ${this.nodes - 1}`)}`);
  }
}

/** The counts of one type of a job: those of the table, and the last ones once the job has left it. */
class CountsView implements TaskCounts {
  readonly total: number;
  readonly #jobs: JobTable;
  readonly #type: SlotType;
  readonly #times: TaskTimes;
  readonly #jobTime: TaskTime = { count: 0, sumUs: 0 };
  #job: number;
  #lastDone = 0;

  constructor(jobs: JobTable, job: number, type: SlotType, times: TaskTimes) {
    this.#jobs = jobs;
    this.#times = times;
    this.#job = job;
    this.#type = type;
    this.total = jobs.total[type][job];
    Object.freeze(this);
  }

  get pending(): number {
    return this.#job < 0 ? 0 : this.#jobs.pending[this.#type][this.#job];
  }

  get running(): number {
    return this.#job < 0 ? 0 : this.#jobs.running[this.#type][this.#job];
  }

  get done(): number {
    return this.#job < 0 ? this.#lastDone : this.#jobs.done[this.#type][this.#job];
  }

  get estimateUs(): number | null {
    const { count, sumUs } = this.#jobTime.count > 0 ? this.#jobTime : this.#times[this.#type];
    return count === 0 ? null : sumUs / count;
  }

  /** A task of the job held its slot so long, and succeeded. */
  taskDone(ranUs: number): void {
    for (const time of [this.#jobTime, this.#times[this.#type]]) {
      time.count++;
      time.sumUs += ranUs;
    }
  }

  close(): void {
    this.#lastDone = this.done;
    this.#job = -1;
  }
}

/** Run times of tasks that succeeded. */
interface TaskTime {
  count: number;
  sumUs: number;
}

/** Run times of all jobs, by type. */
type TaskTimes = readonly [TaskTime, TaskTime];

export function noTaskTimes(): TaskTimes {
  return [
    { count: 0, sumUs: 0 },
    { count: 0, sumUs: 0 },
  ];
}

/** The facts of a job beside its columns in the table. */
export interface JobFacts {
  readonly name: string;
  readonly user: string;
  readonly pool: string;
  readonly deadlineUs: number | null;
  readonly inputBytes: number;
}

/** A job as plugins see it. Private fields keep the table out of their reach. */
export class JobView implements PluginJob {
  readonly id: number;
  readonly name: string;
  readonly user: string;
  readonly pool: string;
  readonly priority: number;
  readonly submittedUs: number;
  readonly deadlineUs: number | null;
  readonly inputBytes: number;
  readonly hasInput: boolean;
  readonly map: CountsView;
  readonly reduce: CountsView;
  #handle: number;
  #readyUs: number | null = null;

  constructor(jobs: JobTable, job: number, facts: JobFacts, times: TaskTimes) {
    this.id = jobs.id[job];
    this.name = facts.name;
    this.user = facts.user;
    this.pool = facts.pool;
    this.deadlineUs = facts.deadlineUs;
    this.inputBytes = facts.inputBytes;
    this.priority = jobs.priority[job];
    this.submittedUs = jobs.startUs[job];
    this.hasInput = jobs.firstBlock[job] >= 0;
    this.map = new CountsView(jobs, job, MAP, times);
    this.reduce = new CountsView(jobs, job, REDUCE, times);
    this.#handle = job;
    Object.freeze(this);
  }

  get readyUs(): number | null {
    return this.#readyUs;
  }

  ready(nowUs: number): void {
    this.#readyUs = nowUs;
  }

  /** The handle of the job that a plugin gave; -1 if it is no view of a job in the table. */
  static handleOf(candidate: unknown): number {
    return candidate instanceof JobView ? candidate.#handle : -1;
  }

  /** The job leaves the table, and its handle may be used again. */
  close(): void {
    this.map.close();
    this.reduce.close();
    this.#handle = -1;
  }
}

export function slotName(type: SlotType): SlotName {
  return type === MAP ? "map" : "reduce";
}

/** The levels that a job may go to, by the names they have in plugins, nearest first. */
const REACHES: ReadonlyMap<unknown, number> = new Map<Reach, number>([
  ["node", NODE_LOCAL],
  ["rack", RACK_LOCAL],
  ["row", ROW_LOCAL],
  ["any", OFF_RACK],
]);

/** A free slot, and the jobs that may have it. */
export interface OfferedSlot {
  readonly node: number;
  readonly type: SlotType;
  readonly freeSlots: number;
  readonly nowUs: number;
  readonly jobs: readonly JobView[];
}

/** The answer of a plugin, checked. */
export interface CheckedChoice {
  readonly job: number;
  readonly view: JobView;
  /** -1 for a reduce. */
  readonly task: number;
  readonly reach: Reach;
}

/** One free slot as a plugin sees it, and the check of its answer. */
export class SlotOffer {
  /**
   * Handles of the jobs that the plugin found not to be near: each would run a map here, but not on a node with its
   * block.
   */
  readonly foundFar = new Set<number>();

  constructor(
    private readonly around: SchedulerContext,
    private readonly calls: HookCalls,
    private readonly slot: OfferedSlot,
  ) {}

  view(): Offer {
    const { node, type, freeSlots, nowUs, jobs } = this.slot;
    return Object.freeze({
      node,
      rack: this.around.topology.rackOf[node],
      slotType: slotName(type),
      freeSlots,
      nowUs,
      jobs: [...jobs],
      nearest: (job: PluginJob): Reach => {
        const view = this.known(job);
        if (view === null) throw new TypeError(`nearest: ${mismatch(shownValue(job), "a job of the offer")}`);
        const handle = JobView.handleOf(view);
        const nearest = this.nearest(handle);
        if (nearest !== "node") this.foundFar.add(handle);
        return nearest;
      },
    });
  }

  /** The answer of `choose`: null, or a job that may have the slot and a map that lies near enough. */
  checked(answer: unknown): CheckedChoice | null {
    if (answer === null) return null;
    const fields = this.calls.value("choose", this.slot.nowUs, () => answerIn(answer)) as Answer | null;
    if (fields === null) throw this.wrong(shownValue(answer), "null or { job, farthest }");
    if (fields.unknown !== null) throw this.calls.problem("choose", this.slot.nowUs, fields.unknown);
    const view = this.known(fields.job);
    if (view === null) throw this.wrong(this.jobWords(fields.job), `one of offer.jobs (${this.allowedJobs()})`);
    const farthest = fields.farthest === undefined ? "any" : fields.farthest;
    if (!REACHES.has(farthest)) {
      throw this.wrong(`${shownValue(farthest)} for farthest`, [...REACHES.keys()].join(", "));
    }
    return this.choiceOf(view, farthest as Reach);
  }

  /** The choice of that job, whose map may go so far. */
  choiceOf(view: JobView, farthest: Reach): CheckedChoice {
    const job = JobView.handleOf(view);
    const nearest = this.nearest(job);
    if (this.slot.type !== MAP) return { job, view, task: -1, reach: nearest };
    const { source } = this.around;
    const level = this.hasInput(job) ? REACHES.get(farthest) : OFF_RACK;
    const task = source.pick(job, this.slot.node, level ?? OFF_RACK);
    if (task >= 0) return { job, view, task, reach: nearest };
    throw this.wrong(
      `farthest ${farthest} for job ${view.id}, whose nearest map here is at ${nearest}`,
      `${nearest} or farther for this job, or null`,
    );
  }

  /** The view that is meant, if the job may have the slot. */
  private known(candidate: unknown): JobView | null {
    return this.slot.jobs.find((job) => job === candidate) ?? null;
  }

  private nearest(job: number): Reach {
    if (this.slot.type !== MAP || !this.hasInput(job)) return "node";
    for (const [name, level] of REACHES) {
      if (name === "row" && !this.around.hasRows) continue;
      if (this.around.source.pick(job, this.slot.node, level) >= 0) return name as Reach;
    }
    return "any";
  }

  private hasInput(job: number): boolean {
    return this.around.jobs.firstBlock[job] >= 0;
  }

  private jobWords(candidate: unknown): string {
    if (!(candidate instanceof JobView)) return `${shownValue(candidate)} for job`;
    if (JobView.handleOf(candidate) < 0) return `job ${candidate.id}, which has ended`;
    return `job ${candidate.id}, which has no ${slotName(this.slot.type)} to launch on node ${this.slot.node}`;
  }

  private allowedJobs(): string {
    const ids = this.slot.jobs.slice(0, 8).map(({ id }) => String(id));
    return ids.join(", ") + (this.slot.jobs.length > ids.length ? ", ..." : "");
  }

  private wrong(actual: string, allowed: string) {
    return this.calls.wrong("choose", this.slot.nowUs, actual, allowed);
  }
}

interface Answer {
  readonly job: unknown;
  readonly farthest: unknown;
  /** The problem of its keys. */
  readonly unknown: string | null;
}

const ANSWER_KEYS = ["job", "farthest"];

/** Returns the fields of an answer; null: the value is not an answer. Reading the fields may run code of the plugin. */
function answerIn(answer: unknown): Answer | null {
  if (typeof answer !== "object" || answer === null || !("job" in answer)) return null;
  const { job, farthest } = answer as Partial<Answer>;
  return { job, farthest, unknown: unknownKey(answer, ANSWER_KEYS) };
}
