import { fileURLToPath } from "node:url";
import { SCHEDULER_KINDS } from "../../dist/core/scheduler/kinds.js";
import { loadScenario } from "../../dist/io/scenario/load.js";
import { runScenario } from "../../dist/lab/run-scenario.js";

/** The runs whose fingerprints are kept in test/golden/fingerprints.csv. `scheduler` "-": as the scenario file says. */

export const GOLDEN_FILE = fileURLToPath(new URL("../golden/fingerprints.csv", import.meta.url));
export const GOLDEN_HEADER = "scenario,seed,scheduler,fingerprint";

const kinds = SCHEDULER_KINDS.map((kind) => kind.name);

export const GOLDEN_RUNS = [
  ...kinds.flatMap((scheduler) => ["1", "seven"].map((seed) => ({ scenario: "tiny", seed, scheduler }))),
  ...kinds.map((scheduler) => ({ scenario: "benchmark", seed: "7", scheduler })),
  { scenario: "fifo-with-wait", seed: "1", scheduler: "-" },
  { scenario: "weighted-pools", seed: "1", scheduler: "-" },
];

export function goldenKey({ scenario, seed, scheduler }) {
  return [scenario, seed, scheduler].join(",");
}

/** Runs one of them, inline unless `threads` says otherwise. */
export async function fingerprintOfGolden({ scenario, seed, scheduler }, threads = 0) {
  const folder = fileURLToPath(new URL("../../scenarios", import.meta.url));
  const set = scheduler === "-" ? [] : [`scheduler=${scheduler}`];
  const loaded = loadScenario(`${folder}/${scenario}.yaml`, { set, seed });
  const result = await runScenario(loaded.scenario, folder, { placement: threads, recordTasks: false });
  return result.summary.fingerprint;
}
