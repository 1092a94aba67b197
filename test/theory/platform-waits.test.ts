import { describe, expect, it } from "vitest";
import { YarnSimulation } from "../../dist/core/platforms/yarn/index.js";
import { Draws, estimate, expectAgreement } from "./monte-carlo.js";
import {
  FIRST_COME,
  PLATFORMS,
  type Ran,
  SPARK_HELD_US,
  YARN_EVERY,
  YARN_SCHEDULERS,
  yarnCluster,
} from "./platform-clusters.js";
import { poisson } from "./poisson-jobs.js";

/**
 * The recursion of Kiefer and Wolfowitz: each job takes the slot that is free first, when that is offered, until that
 * is seen to be free again.
 * @returns when slots are given, by job.
 */
function givenByHand(
  jobs: readonly { readonly readyUs: number; readonly runUs: number }[],
  slots: number,
  { offerUs, freeUs, turnUs }: Rules,
): number[] {
  const free = Array.from({ length: slots }, () => 0);
  let beforeUs = 0;
  return jobs.map(({ readyUs, runUs }) => {
    let slot = 0;
    for (let other = 1; other < slots; other++) if (free[other] < free[slot]) slot = other;
    const lookUs = Math.max(offerUs(readyUs), beforeUs);
    const givenUs = Math.max(lookUs, free[slot]);
    free[slot] = freeUs(readyUs, givenUs, runUs);
    beforeUs = givenUs > lookUs ? turnUs(givenUs) : givenUs;
    return givenUs;
  });
}

interface Rules {
  /** When a slot that is free is next given to a job that is ready. */
  readonly offerUs: (readyUs: number) => number;
  readonly freeUs: (readyUs: number, givenUs: number, runUs: number) => number;
  /** When the next job is looked at after one that waited for its slot. */
  readonly turnUs: (givenUs: number) => number;
}

function rulesOf(name: (typeof FIRST_COME)[number], [{ givenUs: reportUs }]: readonly Ran[]): Rules {
  if (PLATFORMS[name].isSpark) {
    return { offerUs: (us) => us, freeUs: (_, us, runUs) => us + runUs + SPARK_HELD_US, turnUs: (us) => us };
  }
  const { nodeUs, masterUs, fairUpdateUs } = YARN_EVERY;
  const phaseUs = reportUs % nodeUs;
  const reportAtUs = (us: number): number => Math.ceil((us - phaseUs) / nodeUs) * nodeUs + phaseUs;
  const nextUs = (us: number, fromUs: number, everyUs: number): number =>
    fromUs + (Math.floor((us - fromUs) / everyUs) + 1) * everyUs;
  return {
    // What is asked for is seen at the next update.
    offerUs: (us) => reportAtUs(name === "yarn-fair" ? nextUs(us, 0, fairUpdateUs) : us),
    freeUs: (readyUs, us, runUs) => reportAtUs(nextUs(us, readyUs, masterUs) + runUs),
    // A node that is reserved serves that, and nobody else in the same report.
    turnUs: (us) => (name === "yarn-capacity" ? us + nodeUs : us),
  };
}

/** Slots of one host; masters of YARN have another beside it. */
const CASES = [
  [1, 0.6],
  [4, 0.8],
  [16, 0.9],
] as const;

describe.each(FIRST_COME)("waits for a slot of %s", (name) => {
  it.each(CASES)("are those of G/G/%i at load %d, job by job", (slots, load) => {
    const jobs = poisson(new Draws(81, slots), 600, slots, load);
    const ran = PLATFORMS[name].run([0, slots], jobs).sort((a, b) => a.job - b.job);
    const asked = ran.map(({ job, readyUs }) => ({ readyUs, runUs: jobs[job].stages[0].tasksUs[0] }));
    expect(ran.map(({ job }) => job)).toEqual(jobs.map((_, job) => job));
    expect(ran.map(({ givenUs }) => givenUs)).toEqual(givenByHand(asked, slots, rulesOf(name, ran)));
  });
});

describe.each(["yarn-fair", "yarn-capacity"] as const)("the phases of heartbeats under %s", (name) => {
  it.each([1, 2, 5])(
    "let a master wait for the first of %i nodes: an interval at most, an (n + 1)th of it on average",
    (nodes) => {
      const { nodeUs, fairUpdateUs } = YARN_EVERY;
      // The Fair Scheduler sees an application at its next update.
      const updateUs = name === "yarn-fair" ? fairUpdateUs : 0;
      const waits: number[] = [];
      for (let sample = 0; sample < 250; sample++) {
        const atUs = new Draws(83, sample).below(100 * nodeUs);
        const job = { atUs, stages: [{ parents: [], tasksUs: [1] }] };
        const cluster = yarnCluster(
          YARN_SCHEDULERS[name],
          Array.from({ length: nodes }, () => 1),
          [job],
        );
        const [{ submittedUs, masterUs }] = new YarnSimulation(cluster, String(sample)).run().jobs;
        waits.push(masterUs - submittedUs);
      }
      expect(Math.max(...waits)).toBeLessThan(nodeUs + updateUs);
      const closed = nodeUs / (nodes + 1) + updateUs / 2;
      const simulated = estimate(0, waits.length, ({ sample }) => waits[sample]);
      expectAgreement(`${name}, ${nodes} nodes`, closed, simulated, { resolution: 0.025 * nodeUs });
    },
  );
});
