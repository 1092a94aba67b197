import { describe, expect, it } from "vitest";
import { MAP, REDUCE, type SlotType } from "../../../dist/core/platforms/hadoop/index.js";
import type { SchedulerSpec } from "../../../dist/core/scenario/index.js";
import { NaiveClocks } from "../../support/naive-clocks.js";
import {
  BEAT_US,
  histories,
  WITH_FAILURES,
  WITHOUT_HANDS,
  type History,
  type Step,
  type StepKind,
} from "../../support/random-history.js";
import { HistoryRun } from "../../support/random-history-run.js";
import { NO_ALLOCATIONS, PLAIN_SCHEDULER, poolOf } from "../../support/plain-scheduler.js";
import { searchForProblem, SEARCH_TIMEOUT_MS } from "../../support/search.js";

const FILE = "test/property/scheduler/lazy-updates.test.ts";

/** Updates lie on a grid. */
const onGrid = (spec: SchedulerSpec, updateIntervalUs: number): SchedulerSpec => ({ ...spec, updateIntervalUs });

interface Signs {
  kills: number;
  wanted: number;
  launches: number;
  /** Updates that the one run made and the other did not. */
  spared: number;
}

/** What two runs of one history differ in, seen after every step and at every check. */
function difference(history: History, signs: Signs): string | null {
  const lazy = new HistoryRun(history, { updates: "due", heartbeats: "all" });
  const eager = new HistoryRun(history, { updates: "at every grid point", heartbeats: "all" });
  const clocks = new NaiveClocks(eager);
  let problem: string | null = null;
  eager.watcher.afterUpdate = (nowUs) => clocks.afterUpdate(nowUs);
  const [inLazy, inEager] = [lazy, eager].map((run) => {
    const seen: string[] = [];
    run.watcher.afterStep = ({ what }, nowUs) => {
      const wanted = wantedBy(run, (pool, type) => run.scheduler.view.tasksToPreempt(pool, type, nowUs));
      if (run === eager) {
        const byClocks = wantedBy(run, (pool, type) => clocks.amount(pool, type, nowUs));
        if (wanted !== byClocks) problem ??= `after ${what} at ${nowUs} us pools want ${wanted}, by clocks ${byClocks}`;
      }
      if (run === lazy && /[1-9]/.test(wanted)) signs.wanted++;
      seen.push(`after ${what} at ${nowUs} us pools want ${wanted}`);
    };
    run.play();
    return seen;
  });
  signs.kills += lazy.cluster.killCalls.length;
  signs.launches += lazy.cluster.decisions.length;
  signs.spared += eager.scheduler.counts.updates - lazy.scheduler.counts.updates;
  if (problem !== null) return problem;
  const at = inLazy.findIndex((amounts, i) => amounts !== inEager[i]);
  if (at >= 0) return `lazy: ${inLazy[at]}; eager: ${inEager[at]}; at step ${at}`;
  const [done, expected] = [lazy, eager].map(({ cluster }) => JSON.stringify(cluster.decisions));
  if (done !== expected) return `lazy: ${done}; eager: ${expected}`;
  const [counts, counted] = [lazy, eager].map(({ scheduler }) => JSON.stringify(scheduler.preemptions));
  return counts === counted ? null : `lazy: ${counts}; eager: ${counted}`;
}

function wantedBy({ built: { pools } }: HistoryRun, amount: (pool: number, type: SlotType) => number): string {
  return pools.names.map((name, pool) => `${name} ${amount(pool, MAP)}/${amount(pool, REDUCE)}`).join(", ");
}

describe("updates that nobody called", () => {
  // The twin is updated at every grid point, and a plain model of the clocks with it. True of what a run does to a
  // scheduler, in the order in which the master does it: nobody changes priorities, pools or users of jobs by hand,
  // which ask for no update.
  it.each([
    ["", WITHOUT_HANDS, 400],
    [", where nodes fail", WITH_FAILURES, 201],
  ])(
    "change neither what starved pools may take, nor kills, nor exemptions and launches%s",
    async (_, weights, runs) => {
      const signs: Signs = { kills: 0, wanted: 0, launches: 0, spared: 0 };
      let cases = 0;
      await searchForProblem(FILE, histories(weights, onGrid), runs, (history) => {
        cases++;
        return difference(history, signs);
      });
      if (cases < 200) return;
      for (const [sign, count] of Object.entries(signs)) expect(count / cases, sign).toBeGreaterThan(0.3);
    },
    SEARCH_TIMEOUT_MS,
  );

  // Updates at multiples of 500 ms, before the set-ups that end at their instant, and those before submissions, which
  // make an update too. At 1 s `p` gets something to do that it cannot run: it had enough at the update of the grid
  // just before.
  it("come before what happens at their instant, also where a submission of that instant makes another", () => {
    const step = (what: StepKind, gapUs: number, pool = 0): Step => ({ what, gapUs, draws: [pool, 0, 2, 0] });
    const history: History = {
      nodes: [{ rack: 0, mapSlots: 2, reduceSlots: 0 }],
      jobPools: ["p", "q"],
      steps: [
        ...[step("submit", 250_000), step("ready", 750_000), step("submit", 0, 1)],
        ...[step("update", 600_000), step("update", 300_000), step("update", 200_000)],
      ],
      scheduler: {
        ...PLAIN_SCHEDULER,
        updateIntervalUs: 500_000,
        preemption: { mode: "kill", intervalUs: 500_000 },
        allocations: { ...NO_ALLOCATIONS, pools: [poolOf({ name: "p", minMaps: 1 })], minShareTimeoutUs: BEAT_US },
      },
    };
    expect(difference(history, { kills: 0, wanted: 0, launches: 0, spared: 0 })).toBe(null);
  });
});
