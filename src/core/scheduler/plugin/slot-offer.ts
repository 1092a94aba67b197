import { MAP, type SlotType } from "../../jobs/job-table.js";
import { OFF_RACK } from "../../jobs/nearness.js";
import type { SchedulerSurroundings } from "../built-scheduler.js";
import type { HookCalls } from "./hook-calls.js";
import { JobView } from "./job-view.js";
import { shownValue } from "./plugin-error.js";
import type { Offer, PluginJob, Reach } from "./plugin-face.js";
import { REACHES, slotName } from "./slot-names.js";

/** A free slot, and the jobs that may have it. */
export interface OfferedSlot {
  readonly node: number;
  readonly type: SlotType;
  readonly freeSlots: number;
  readonly nowUs: number;
  readonly jobs: readonly JobView[];
}

/** What a plugin answered, checked. */
export interface CheckedChoice {
  readonly job: number;
  readonly view: JobView;
  /** -1 for a reduce. */
  readonly task: number;
  readonly reach: Reach;
}

/** One free slot as a plugin sees it, and the check of its answer. */
export class SlotOffer {
  constructor(
    private readonly around: SchedulerSurroundings,
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
        if (view === null) throw new TypeError(`nearest: found ${shownValue(job)}, allowed a job of the offer`);
        return this.nearest(JobView.handleOf(view));
      },
    });
  }

  /** The answer of `choose`: null, or a job that may have the slot and a map that lies near enough. */
  checked(given: unknown): CheckedChoice | null {
    if (given === null) return null;
    const fields = this.calls.value("choose", this.slot.nowUs, () => answerIn(given)) as Answer | null;
    if (fields === null) throw this.wrong(shownValue(given), "null or { job, farthest }");
    const view = this.known(fields.job);
    if (view === null) throw this.wrong(this.jobWords(fields.job), `one of offer.jobs: ${this.allowedJobs()}`);
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
      `farthest ${farthest} for job ${String(view.id)}, whose nearest map here is at ${nearest}`,
      `${nearest} or farther for this job, or null`,
    );
  }

  /** The view that is meant, if the job may have the slot. */
  private known(given: unknown): JobView | null {
    return this.slot.jobs.find((job) => job === given) ?? null;
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

  private jobWords(given: unknown): string {
    if (!(given instanceof JobView)) return `${shownValue(given)} for job`;
    if (JobView.handleOf(given) < 0) return `job ${String(given.id)}, which has ended`;
    return `job ${String(given.id)}, which has no ${slotName(this.slot.type)} to launch on node ${String(this.slot.node)}`;
  }

  private allowedJobs(): string {
    const ids = this.slot.jobs.slice(0, 8).map(({ id }) => String(id));
    return ids.join(", ") + (this.slot.jobs.length > ids.length ? ", ..." : "");
  }

  private wrong(found: string, allowed: string) {
    return this.calls.wrong("choose", this.slot.nowUs, found, allowed);
  }
}

interface Answer {
  readonly job: unknown;
  readonly farthest: unknown;
}

/** What an answer says, null if it is none. To look at it may run the plugin's code. */
function answerIn(given: unknown): Answer | null {
  if (typeof given !== "object" || given === null || !("job" in given)) return null;
  const { job, farthest } = given as Partial<Answer>;
  return { job, farthest };
}
