import { DOUBLE_ZERO } from "../../core/kernel/index.js";
import { CallTimes, type RunDelay } from "./machine.js";

/** What the scheduler did. Null: schedulers of that platform do not count it. */
interface DecisionCounts extends Readonly<Record<"heartbeats" | "updates", number>> {
  readonly passedOver: number | null;
  readonly searches: number | null;
  /** Jobs with pending maps that searches looked at. */
  readonly jobsVisited: number | null;
}

/** What one run of a case did and took. */
export interface DecisionRun {
  readonly times: DecisionTimes;
  /** All calls of the scheduler, those of interrupted heartbeats too, without the clock. Null: only some are timed. */
  readonly allSeconds: number | null;
  readonly tasks: number;
  readonly maps: number;
  /** Of the maps, how many ran on a node with their block. */
  readonly nodeLocal: number;
  readonly fingerprint: string;
  readonly counts: DecisionCounts;
  /**
   * Of the process, from the making of the scheduler to the end of the run: master and racks too, and what the engine
   * does beside.
   */
  readonly cpuSeconds: number;
}

/** What is shorter has not lost its processor: a time slice of others lasts longer. */
const SHORT_MS = 0.02;

/** So often the delay is asked for in any case, so that what it tells is of just before. */
const CALLS_PER_LOOK = 8;

/**
 * What heartbeats and updates took, the cost of the clock included; without those during which others had the
 * processor.
 */
export class DecisionTimes {
  /** Of those that offered free slots, one by one. */
  readonly offers = new CallTimes();
  /** All of these together, and the tasks that they gave. */
  offersMs = DOUBLE_ZERO;
  tasks = 0;
  updatesMs = DOUBLE_ZERO;
  updates = 0;
  /** Heartbeats and updates that are not in the above. */
  interrupted = 0;
  /** How many tasks have been launched so far. */
  countLaunched: () => number = () => 0;
  private launched = 0;
  private calls = 0;

  constructor(private readonly delay: Pick<RunDelay, "takeMs"> | null) {}

  note(call: "heartbeat" | "update", tookMs: number): void {
    const launched = this.countLaunched();
    const tasks = launched - this.launched;
    this.launched = launched;
    const othersMs = tookMs >= SHORT_MS || this.calls++ % CALLS_PER_LOOK === 0 ? (this.delay?.takeMs() ?? 0) : 0;
    if (tookMs >= SHORT_MS && othersMs > 0) {
      this.interrupted++;
    } else if (call === "update") {
      this.updatesMs += tookMs;
      this.updates++;
    } else {
      this.offersMs += tookMs;
      this.tasks += tasks;
      this.offers.add(tookMs, tasks);
    }
  }
}
