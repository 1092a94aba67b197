import { setImmediate as turn } from "node:timers/promises";
import { simulate } from "../../../dist/lab/index.js";
import { clusterOf, jobOf, mixedJobs, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";

/**
 * One simulation in a process of its own: `node one-run.mjs '{"threads":2,...}'`. Prints how it ended, in one line of
 * JSON, and must then exit by itself: whatever it leaves behind keeps it alive, and the test waits for that.
 */
const {
  threads,
  slices = 2,
  endless = false,
  faultInjections,
  abortAfterMs,
  recover = false,
} = JSON.parse(process.argv[2]);
const { scenario, workload } = smallRun({
  cluster: clusterOf({ racks: 4, nodesPerRack: 2, heartbeatUs: endless ? 1_000 : 3_000_000 }),
  scheduler: schedulerOf("hfs"),
  // A map of 30 days on nodes that beat every millisecond: no machine gets to its end while a test runs. Every rack has
  // a short one before, for its thread starts with its first command, which may wait until it matters.
  jobs: endless
    ? [
        jobOf({ maps: 32, mapUs: 1_000_000 }),
        jobOf({ mapUs: 30 * 24 * 3600 * 1_000_000 }),
        jobOf({ maps: 9, reduces: 1, atUs: 2e9, everyUs: 1e9, count: 99 }),
      ]
    : mixedJobs(),
});

const signal =
  abortAfterMs === undefined ? undefined : abortAfterMs === 0 ? AbortSignal.abort() : AbortSignal.timeout(abortAfterMs);
let recoveries = 0;
const onRecovery = recover ? () => recoveries++ : undefined;
const startMs = performance.now();
let outcome;
try {
  const run = await simulate(scenario, workload, {
    threads,
    slices,
    recordTasks: false,
    signal,
    faultInjections,
    onRecovery,
  });
  outcome = { ended: run.allEnded, fingerprint: run.master.master.recorder.fingerprint.hex() };
} catch (error) {
  outcome = { name: error.name, message: error.message, rack: error.rack, virtualUs: error.virtualUs };
}
const settledMs = performance.now();
await turn();
await turn();
const left = process.getActiveResourcesInfo().filter((what) => /Timeout|MessagePort|Worker|Immediate/.test(what));
console.log(JSON.stringify({ ...outcome, recoveries, runMs: settledMs - startMs, left }));
process.on("exit", () => console.log(JSON.stringify({ lingeredMs: performance.now() - settledMs })));
