import { describe, expect, it } from "vitest";
import { MAP, REDUCE, type SlotType } from "../../../dist/core/platforms/hadoop/index.js";
import type { SchedulerSpec } from "../../../dist/core/scenario/index.js";
import { BEAT_US, histories, WITHOUT_HANDS, withAllocations, type History } from "../../support/random-history.js";
import { HistoryRun } from "../../support/random-history-run.js";
import { searchForProblem, SEARCH_TIMEOUT_MS } from "../../support/search.js";

const FILE = "test/property/scheduler/idle-updates.test.ts";
const TYPES: readonly SlotType[] = [MAP, REDUCE];

const onGrid = (spec: SchedulerSpec, updateIntervalUs: number): SchedulerSpec => ({ ...spec, updateIntervalUs });

/** Longer than any timeout. */
const QUIET_US = 100 * BEAT_US;

interface Signs {
  quietEnds: number;
  shortEnds: number;
  changedIntervals: number;
}

function timeouts(spec: SchedulerSpec): number[] {
  const found: number[] = [];
  withAllocations(spec, (allocations) => {
    for (const one of [allocations, ...allocations.pools]) {
      found.push(one.minShareTimeoutUs ?? Infinity, one.fairShareTimeoutUs ?? Infinity);
    }
    return allocations;
  });
  return found;
}

/**
 * Updates beside those of submissions and reloads lie on grid points after a change, or where a check may find
 * something.
 */
function problemOf(history: History, signs: Signs): string | null {
  const run = new HistoryRun(history, { updates: "due", heartbeats: "all" });
  const { scheduler } = run;
  const { updateIntervalUs, preemption } = history.scheduler;
  const changed = new Set<number>();
  const updated = new Set<number>();
  let called = 0;
  let seen = "";
  run.watcher.beforeUpdate = (nowUs) => {
    called++;
    if (nowUs % updateIntervalUs === 0) updated.add(nowUs / updateIntervalUs);
  };
  run.watcher.afterStep = ({ what }, nowUs) => {
    if (what === "submit" || what === "reload") changed.add(Math.floor(nowUs / updateIntervalUs));
    const now = JSON.stringify([run.jobs.state, run.jobs.pending, run.jobs.running, run.present]);
    if (now !== seen) changed.add(Math.floor(nowUs / updateIntervalUs) + 1);
    seen = now;
  };
  run.play();
  signs.changedIntervals += changed.size;
  const isChecked = preemption.mode !== "off" && timeouts(history.scheduler).some((timeoutUs) => timeoutUs < Infinity);
  const idle = [...updated].filter((grid) => !changed.has(grid));
  if (!isChecked && idle.length > 0) return `an update at grid point ${idle[0]}, before which nothing changed`;
  if (scheduler.counts.updates !== called) return `${scheduler.counts.updates} updates were counted, ${called} called`;
  return restProblem(run, isChecked, signs);
}

/** When all is quiet for longer than any timeout, and every pool has what it demands, there is no update any more. */
function restProblem(run: HistoryRun, isChecked: boolean, signs: Signs): string | null {
  const { scheduler, built } = run;
  run.rest(run.nowUs + QUIET_US);
  const { updates } = scheduler.counts;
  const { length } = run.cluster.decisions;
  const isShort = built.pools.names.some((_, pool) =>
    TYPES.some((type) => scheduler.view.poolDemand(pool, type) > scheduler.view.poolRunning(pool, type)),
  );
  const passAgain = timeouts(run.history.scheduler).some((us) => us < run.history.scheduler.updateIntervalUs);
  if (isChecked && (isShort || passAgain)) {
    signs.shortEnds++;
    return null;
  }
  signs.quietEnds++;
  if (scheduler.nextUpdateUs() !== Infinity) return `at rest the next update is due at ${scheduler.nextUpdateUs()}`;
  for (const node of run.history.nodes.keys()) {
    const [maps, reduces] = TYPES.map((type) => run.cluster.free(node, type));
    const isWanted = (maps > 0 && scheduler.wantsMapSlots()) || (reduces > 0 && scheduler.wantsReduceSlots());
    if (maps + reduces > 0 && !isWanted) scheduler.heartbeat(node, run.nowUs, maps, reduces);
  }
  if (scheduler.counts.updates !== updates) return "a heartbeat made an update";
  return run.cluster.decisions.length === length ? null : "a heartbeat of slots that nobody wants launched something";
}

describe("updates", () => {
  // On a grid. A change asks for an update at the next grid point, a submission or reload makes one at once. With
  // preemption on and a timeout anywhere there are others, while some pool runs less than it demands, or a timeout is
  // shorter than the distance of two updates.
  it(
    "are made only after a change, or while somebody may be starved; at rest there are none",
    async () => {
      const signs: Signs = { quietEnds: 0, shortEnds: 0, changedIntervals: 0 };
      let count = 0;
      await searchForProblem(FILE, histories(WITHOUT_HANDS, onGrid), 250, (history) => {
        count++;
        return problemOf(history, signs);
      });
      if (count < 200) return;
      for (const [sign, sum] of Object.entries(signs)) expect(sum / count, sign).toBeGreaterThan(0.1);
    },
    SEARCH_TIMEOUT_MS,
  );
});
