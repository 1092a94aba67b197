import { describe, expect, it } from "vitest";
import { MAP, RUNNING } from "../../../dist/core/platforms/hadoop/index.js";
import type { SchedulerSpec } from "../../../dist/core/scenario/index.js";
import {
  BEAT_US,
  histories,
  STEP_WEIGHTS,
  WITH_FAILURES,
  WITHOUT_HANDS,
  withoutMaxima,
  withoutTimeouts,
  type History,
} from "../../support/random-history.js";
import { HistoryRun } from "../../support/random-history-run.js";
import { searchForProblem, SEARCH_TIMEOUT_MS } from "../../support/search.js";

const FILE = "test/property/scheduler/spared-heartbeats.test.ts";

/** Mostly heartbeats, so that many follow each other. */
const BUSY = { ...WITHOUT_HANDS, heartbeat: 90 };
const BUSY_FAILING = { ...WITH_FAILURES, heartbeat: 90 };
const BUSY_BY_HAND = { ...STEP_WEIGHTS, heartbeat: 90 };

const PATIENT: SchedulerSpec["wait"] = { kind: "time", nodeUs: 3 * BEAT_US, rackUs: 2 * BEAT_US };

/** For most histories, without what stands against passing over: starvation, maxima and, but for some, the load cap. */
function eased(spec: SchedulerSpec, updateIntervalUs: number): SchedulerSpec {
  if (updateIntervalUs >= BEAT_US) return spec;
  const wait = spec.wait.kind === "none" ? PATIENT : spec.wait;
  return withoutMaxima(
    withoutTimeouts({ ...spec, wait, loadManager: updateIntervalUs === BEAT_US / 2 ? { maxDiff: 0 } : null }),
  );
}

const onGrid = (spec: SchedulerSpec, updateIntervalUs: number): SchedulerSpec => ({
  ...eased(spec, updateIntervalUs),
  updateIntervalUs,
});

/** Without timeouts: starvation is judged at updates, of which there are none. */
const fresh = (spec: SchedulerSpec, updateIntervalUs: number): SchedulerSpec => ({
  ...withoutTimeouts(eased(spec, updateIntervalUs)),
  updateIntervalUs: 0,
  preemption: { ...spec.preemption, mode: "off" },
});

const called = (spec: SchedulerSpec, updateIntervalUs: number): SchedulerSpec => ({
  ...eased(spec, updateIntervalUs),
  updateIntervalUs: Infinity,
});

interface Signs {
  unwanted: number;
  passedOver: number;
  launches: number;
}

/** How near its data every job with pending maps may go, and what it waited. */
function waits({ present, jobs, scheduler }: HistoryRun): string {
  return present
    .filter((job) => jobs.state[job] === RUNNING && jobs.pending[MAP][job] > 0)
    .map((job) => `job ${jobs.id[job]}: ${scheduler.view.lastLevel(job)}, ${scheduler.view.waited(job)}`)
    .join("; ");
}

function difference(history: History, signs: Signs): string | null {
  const all = new HistoryRun(history, { updates: "due", heartbeats: "all" });
  const wanted = new HistoryRun(history, { updates: "due", heartbeats: "wanted" });
  for (const run of [all, wanted]) run.play();
  signs.unwanted += wanted.spared.unwanted;
  signs.passedOver += wanted.spared.passedOver;
  signs.launches += all.cluster.decisions.length;
  const at = all.cluster.decisions.findIndex(
    (decision, i) => JSON.stringify(decision) !== JSON.stringify(wanted.cluster.decisions.at(i)),
  );
  if (at >= 0 || all.cluster.decisions.length !== wanted.cluster.decisions.length) {
    const [first, second] = [all, wanted].map(({ cluster }) => JSON.stringify(cluster.decisions.at(at)));
    return `decision ${at}: with all heartbeats ${first}, with the wanted ones ${second}`;
  }
  return waits(all) === waits(wanted) ? null : `at the end, all: ${waits(all)}; wanted: ${waits(wanted)}`;
}

describe("heartbeats that the scheduler does not want, and runs that it passes over", () => {
  // By the contract of `Scheduler`: a heartbeat counts only if a slot is free whose type is wanted, and heartbeats of
  // nodes with a free map slot, without a pending map near and without a free reduce slot that is wanted may be passed
  // over.
  it.each([
    ["on a grid", histories(BUSY, onGrid)],
    ["always fresh", histories(BUSY, fresh)],
    ["on a grid and nodes that fail", histories(BUSY_FAILING, onGrid)],
    ["always fresh and nodes that fail", histories(BUSY_FAILING, fresh)],
    ["only where called", histories(BUSY_BY_HAND, called)],
  ])(
    "change no decision and no wait, with updates %s",
    async (_, cases) => {
      const signs: Signs = { unwanted: 0, passedOver: 0, launches: 0 };
      let count = 0;
      await searchForProblem(FILE, cases, 300, (history) => {
        count++;
        return difference(history, signs);
      });
      if (count < 200) return;
      for (const [sign, sum] of Object.entries(signs)) expect(sum / count, sign).toBeGreaterThan(0.02);
    },
    SEARCH_TIMEOUT_MS,
  );
});
