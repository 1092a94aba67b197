import { DOUBLE_ZERO } from "../../core/kernel/index.js";
import { CallTimes, type RunDelay } from "./machine.js";

/** Counts of the scheduler's work. Null: schedulers of that platform do not count it. */
interface DecisionCounts extends Readonly<Record<"heartbeats" | "updates", number>> {
  readonly passedOver: number | null;
  readonly searches: number | null;
  /** Jobs with pending maps that searches looked at. */
  readonly jobsVisited: number | null;
}

/** Counts and times of one run of a case. */
export interface DecisionRun {
  readonly times: DecisionTimes;
  /** All calls of the scheduler, those of interrupted heartbeats too, without the clock. Null: only some are timed. */
  readonly allSeconds: number | null;
  readonly tasks: number;
  readonly maps: number;
  /** Maps that ran on a node with their block. */
  readonly nodeLocal: number;
  readonly fingerprint: string;
  readonly counts: DecisionCounts;
  /**
   * CPU time of the process from the making of the scheduler to the end of the run: master, racks and the rest of the
   * engine included.
   */
  readonly cpuSeconds: number;
}

/** A shorter call has not lost its processor: a time slice of another program lasts longer. */
const SHORT_MS = 0.02;

/** Calls between two readings of the delay, so that a reading is of just before. */
const CALLS_PER_LOOK = 8;

/**
 * Times of heartbeats and updates, the cost of the clock included, without those during which other programs had the
 * processor.
 */
export class DecisionTimes {
  /** Heartbeats that offered free slots, one by one. */
  readonly offers = new CallTimes();
  /** All of these together, and the tasks that they gave. */
  offersMs = DOUBLE_ZERO;
  tasks = 0;
  updatesMs = DOUBLE_ZERO;
  updates = 0;
  /** Heartbeats and updates that are not in the above. */
  interrupted = 0;
  /** Returns the number of tasks launched so far. */
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
