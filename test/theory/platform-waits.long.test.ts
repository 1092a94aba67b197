import { describe, it } from "vitest";
import { meanWaitSeconds } from "./closed-forms.js";
import { estimate, expectAgreement } from "./monte-carlo.js";
import { FIRST_COME, PLATFORMS, SPARK_HELD_US, YARN_EVERY } from "./platform-clusters.js";
import { poisson, TASK_US } from "./poisson-jobs.js";

const RUNS = 10;

/** The first tenth is left out: it starts with empty slots. */
function meanOfLate(waits: readonly number[]): number {
  const late = waits.slice(waits.length / 10);
  return late.reduce((sum, wait) => sum + wait, 0) / late.length;
}

describe.each(FIRST_COME)("waits for a slot of %s", (name) => {
  it.each([
    [1, 0.6, 1000],
    [4, 0.8, 2500],
    [16, 0.9, 4000],
  ])("are those of M/M/%i at load %d, but for messages", (slots, load, count) => {
    const { isSpark, run } = PLATFORMS[name];
    const { nodeUs, masterUs } = YARN_EVERY;
    // A slot is held until messages are there; those of YARN wait for reports, half an interval each.
    const heldUs = isSpark ? SPARK_HELD_US : (nodeUs + masterUs) / 2;
    const arrivalsPerSecond = (slots * load) / (TASK_US / 1e6);
    const closed = meanWaitSeconds({ servers: slots, arrivalsPerSecond, taskSeconds: (TASK_US + heldUs) / 1e6 });
    const simulated = estimate(82, RUNS, (draws) =>
      meanOfLate(
        run([0, slots], poisson(draws, count, slots, load)).map(({ readyUs, givenUs }) => (givenUs - readyUs) / 1e6),
      ),
    );
    const modelError = isSpark ? 0 : nodeUs / 1e6;
    const label = `M/M/${slots} at load ${load} under ${name}`;
    expectAgreement(label, closed, simulated, { resolution: 0.12 * closed, modelError });
  });
});
