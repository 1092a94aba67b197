import { describe, expect, it } from "vitest";
import type { SchedulerSpec } from "../../../dist/core/scenario/index.js";
import { NaiveShadow } from "../../support/naive-shadow.js";
import { BEAT_US, histories, withAllocations, withoutTimeouts, type History } from "../../support/random-history.js";
import { HistoryRun } from "../../support/random-history-run.js";
import { searchForProblem, SEARCH_TIMEOUT_MS } from "../../support/search.js";

const FILE = "test/property/scheduler/failing-nodes.test.ts";

/** Jobs go to the pools that they name, and all of those weigh something. */
function asNamed(spec: SchedulerSpec): SchedulerSpec {
  const named = withAllocations(spec, (allocations) => ({
    ...allocations,
    placement: null,
    pools: allocations.pools.map((pool) => ({ ...pool, weight: pool.weight || 1 })),
  }));
  return { ...named, poolBy: "pool", undeclaredPools: true };
}

const onGrid = (spec: SchedulerSpec, updateIntervalUs: number): SchedulerSpec => ({
  ...asNamed(spec),
  updateIntervalUs,
});

const fresh = (spec: SchedulerSpec): SchedulerSpec => ({
  ...withoutTimeouts(asNamed(spec)),
  updateIntervalUs: 0,
  preemption: { ...spec.preemption, mode: "off" },
});

interface Signs {
  launches: number;
  copies: number;
  requeuedMaps: number;
  refusals: number;
}

function problemOf(history: History, signs: Signs): string | null {
  const run = new HistoryRun(history);
  const shadow = new NaiveShadow(run, BEAT_US);
  run.play();
  signs.launches += shadow.launches;
  signs.copies += shadow.copies;
  signs.requeuedMaps += shadow.signs.requeuedMaps;
  signs.refusals += shadow.signs.refusals;
  return shadow.problem;
}

describe("with lost outputs, copies, failed jobs, changing slots and nodes that refuse jobs, the scheduler and its naive twin", () => {
  it.each([
    ["on a grid", histories(onGrid)],
    ["always fresh", histories(fresh)],
  ])(
    "never decide differently, with updates %s",
    async (_, cases) => {
      const signs: Signs = { launches: 0, copies: 0, requeuedMaps: 0, refusals: 0 };
      let count = 0;
      await searchForProblem(FILE, cases, 200, (history) => {
        count++;
        return problemOf(history, signs);
      });
      if (count < 200) return;
      for (const [sign, sum] of Object.entries(signs)) expect(sum / count, sign).toBeGreaterThan(0.2);
    },
    SEARCH_TIMEOUT_MS,
  );
});
