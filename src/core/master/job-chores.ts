import type { CommandsOf, MapDetail } from "../cluster/commands.js";
import { CLEANUP, MAP, REDUCE, SETUP, type Chore } from "../jobs/job-table.js";
import { NO_INPUT } from "../jobs/pending-maps.js";
import { EventSet } from "../kernel/event-set.js";
import type { Recorder } from "../metrics/recorder.js";
import type { RuntimeSpec } from "../scenario/runtime-spec.js";
import type { Attempts } from "./attempts.js";
import type { FreeSlots } from "./free-slots.js";

/** A chore reads nothing and writes nothing. */
const DETAIL: MapDetail = {
  ...{ commits: false, failsAt: -1, slowdown: 1000, prepareUs: 0 },
  ...{ sourceNode: -1, inputBytes: 0, outputBytes: 0 },
};

export interface JobChoresParts {
  readonly runtime: RuntimeSpec;
  readonly commandsOf: CommandsOf;
  readonly slots: FreeSlots;
  readonly attempts: Attempts;
  readonly recorder: Recorder;
}

/**
 * Set-ups and clean-ups of jobs as tasks that hold slots (semantics sections 4 and 13). They are handed out before the
 * scheduler is asked: clean-ups before set-ups, of each the oldest job's first. Jobs are known by their ranks, for a job
 * that is cleaned up has left the table.
 */
export class JobChores {
  /** How many wait for a slot. */
  waiting = 0;
  private readonly setups = new EventSet(64);
  private readonly cleanups = new EventSet(64);

  constructor(private readonly parts: JobChoresParts) {}

  /** The chore of the job waits for a slot from now on. */
  add(chore: Chore, rank: number): void {
    (chore === SETUP ? this.setups : this.cleanups).add(rank, 0);
    this.waiting++;
  }

  /** Hands the node the first of those that wait, if it has a free slot: of maps, else of reduces. False: it has none. */
  giveTo(node: number, nowUs: number): boolean {
    const { slots, attempts, recorder, commandsOf, runtime } = this.parts;
    const type = slots.free[MAP][node] > 0 ? MAP : REDUCE;
    if (slots.free[type][node] === 0) return false;
    const chore = this.cleanups.size > 0 ? CLEANUP : SETUP;
    const rank = (chore === CLEANUP ? this.cleanups : this.setups).pop();
    this.waiting--;
    const slot = slots.take(node, type);
    attempts.beginChore(slot, chore, rank, nowUs);
    recorder.choreLaunched(rank, chore, type, node, nowUs);
    const lengthUs = chore === SETUP ? runtime.jobSetupUs : runtime.jobCleanupUs;
    commandsOf(node).launchMap(node, nowUs, slot, NO_INPUT, lengthUs, DETAIL);
    return true;
  }

  /** The chore in the slot was lost with its node: it waits again. The slot remains as it is. */
  lost(node: number, slot: number, nowUs: number): void {
    const { slots, attempts, recorder } = this.parts;
    const chore = attempts.choreIn(slot);
    const rank = attempts.task[slot];
    recorder.choreLost(rank, chore, slots.typeOf(node, slot), node, attempts.launchUs[slot], nowUs);
    this.add(chore, rank);
  }

  /** The chore in the slot succeeded at `finishUs`. */
  finished(node: number, slot: number, finishUs: number, nowUs: number): void {
    const { slots, attempts, recorder } = this.parts;
    const type = slots.release(node, slot);
    const { task: rankOf, launchUs } = attempts;
    recorder.choreFinished(rankOf[slot], attempts.choreIn(slot), type, node, launchUs[slot], finishUs, nowUs);
  }
}
