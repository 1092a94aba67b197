import { fileURLToPath } from "node:url";
import { SCHEDULER_KINDS } from "../../dist/core/scheduler/kinds.js";
import { loadScenario } from "../../dist/io/scenario/load.js";
import { runScenario } from "../../dist/lab/run-scenario.js";
import { simulate } from "../../dist/lab/simulate.js";
import { PREEMPTING_RULES, preemptingRun } from "../support/preempting-run.mjs";

/**
 * The runs whose fingerprints are kept in test/golden/fingerprints.csv. `scheduler` "-": as the scenario file says. The
 * scenario `preempting-run` is no file: it is made by test/support/preempting-run.mjs, for hfs by the rules of that name.
 */

export const GOLDEN_FILE = fileURLToPath(new URL("../golden/fingerprints.csv", import.meta.url));
export const GOLDEN_HEADER = "scenario,seed,scheduler,fingerprint";

const PREEMPTING = "preempting-run";

/**
 * Where these say nothing of themselves, short runs are those of another: one queue with everything is FIFO, and DSFS, as long
 * as nobody has waited enough, is delay scheduling. Their golden runs are of scenarios of their own.
 */
const LIKE_ANOTHER = ["capacity", "dsfs"];
const kinds = SCHEDULER_KINDS.map((kind) => kind.name).filter((name) => !LIKE_ANOTHER.includes(name));

export const GOLDEN_RUNS = [
  ...kinds.flatMap((scheduler) => ["1", "seven"].map((seed) => ({ scenario: "tiny", seed, scheduler }))),
  // Quincy has a smaller scenario of its own: thousands of maps that wait are dear to plan for.
  ...kinds
    .filter((scheduler) => scheduler !== "quincy")
    .map((scheduler) => ({ scenario: "benchmark", seed: "7", scheduler })),
  { scenario: "quincy", seed: "1", scheduler: "-" },
  { scenario: "fifo-with-wait", seed: "1", scheduler: "-" },
  { scenario: "long-task-balance", seed: "1", scheduler: "-" },
  { scenario: "dsfs", seed: "1", scheduler: "-" },
  { scenario: "kill-or-wait", seed: "1", scheduler: "-" },
  { scenario: "weighted-pools", seed: "1", scheduler: "-" },
  { scenario: "dsbra", seed: "1", scheduler: "-" },
  { scenario: "capacity", seed: "1", scheduler: "-" },
  { scenario: "copy-compute", seed: "1", scheduler: "-" },
  { scenario: "cached-files", seed: "1", scheduler: "-" },
  ...PREEMPTING_RULES.map((rules) => ({ scenario: PREEMPTING, seed: "1", scheduler: `hfs:${rules}` })),
];

export function goldenKey({ scenario, seed, scheduler }) {
  return [scenario, seed, scheduler].join(",");
}

/** Runs one of them, inline unless `threads` says otherwise. */
export async function fingerprintOfGolden({ scenario, seed, scheduler }, threads = 0) {
  if (scenario === PREEMPTING) {
    const { scenario: built, workload } = preemptingRun({ rules: scheduler.slice("hfs:".length), seed });
    const run = await simulate(built, workload, { threads, slices: 1, recordTasks: false });
    return run.master.master.recorder.fingerprint.hex();
  }
  const folder = fileURLToPath(new URL("../../scenarios", import.meta.url));
  const set = scheduler === "-" ? [] : [`scheduler=${scheduler}`];
  const loaded = loadScenario(`${folder}/${scenario}.yaml`, { set, seed });
  const result = await runScenario(loaded.scenario, folder, { placement: threads, recordTasks: false });
  return result.summary.fingerprint;
}
