/** Engines that fail, hang or flood in a way a healthy one does not. */
import { sampleRecord, sampleSummary } from "../../unit/results/sample-run.mjs";

const result = async () => ({ summary: sampleSummary(), record: sampleRecord() });

const engines = {
  good: result,
  /** Reports that it is running, then stops as soon as it is told to. */
  patient: (scenario, directory, { signal }) =>
    new Promise((resolve, reject) => {
      const alive = setInterval(() => undefined, 1000);
      signal.addEventListener("abort", () => {
        clearInterval(alive);
        reject(signal.reason);
      });
      process.stderr.write("RUNNING\n");
    }),
  /** Never stops by itself. */
  deaf: () =>
    new Promise(() => {
      setInterval(() => undefined, 1000);
      process.stderr.write("RUNNING\n");
    }),
  dyingRack: async () => {
    const { RackFailure } = await import("../../../dist/actors/index.js");
    throw new RackFailure("rack07", 3_723_500_000, new Error("out of memory"));
  },
  broken: async () => {
    throw new TypeError("x is undefined");
  },
  /** A summary that must never be written. */
  notANumber: async () => ({ summary: sampleSummary({ virtualSeconds: NaN }), record: sampleRecord() }),
  /** Somebody takes the results folder during the run. */
  overtaken: async () => {
    const { mkdirSync } = await import("node:fs");
    mkdirSync("out/theirs", { recursive: true });
    return result();
  },
};

/** The real engine, with a rack that dies ten seconds into the run: `dying:throw`, `dying:exit`. */
async function dying(how) {
  const { runScenario } = await import("../../../dist/lab/index.js");
  const faultInjections = [{ rack: 1, how: { atUs: 10_000_000, how } }];
  return (scenario, directory, options) => runScenario(scenario, directory, { ...options, faultInjections });
}

/** By name, as the command line loads an engine. */
export async function engineOf(name) {
  if (name.startsWith("dying:")) return dying(name.slice("dying:".length));
  return engines[name];
}
