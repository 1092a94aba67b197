import { describe, expect, it } from "vitest";
import { meanWaitSeconds, waitProbability } from "./closed-forms.js";
import { oneMap, runJobs } from "./listed-run.js";
import { Draws, estimate, expectAgreement } from "./monte-carlo.js";

describe("Erlang's C formula", () => {
  it("is the load for one server, and M/M/1's wait is rho / (1 - rho) tasks", () => {
    const system = { servers: 1, arrivalsPerSecond: 0.08, taskSeconds: 10 };
    expect(waitProbability(system)).toBeCloseTo(0.8, 14);
    expect(meanWaitSeconds(system)).toBeCloseTo(40, 12);
  });

  it("is 1/3 for two servers at half load, by its own sum: (1/2) / (1/2 + 1 (1 + 1) (1/2)) ", () => {
    // a = 1, k = 2: a^k/k! / ((1 - a/k) (1 + a) + a^k/k!) = 0.5 / (0.5 * 2 + 0.5).
    const system = { servers: 2, arrivalsPerSecond: 1, taskSeconds: 1 };
    expect(waitProbability(system)).toBeCloseTo(1 / 3, 14);
    expect(meanWaitSeconds(system)).toBeCloseTo(1 / 3, 14);
  });

  it("is Erlang's sum for other numbers of servers", () => {
    for (const [servers, busy] of [
      [3, 2.5],
      [10, 8],
      [40, 36],
    ]) {
      let term = 1;
      let sum = 1;
      for (let n = 1; n < servers; n++) sum += term *= busy / n;
      term *= busy / servers / (1 - busy / servers);
      expect(waitProbability({ servers, arrivalsPerSecond: busy, taskSeconds: 1 })).toBeCloseTo(
        term / (sum + term),
        12,
      );
    }
  });

  it("is 0 when nothing comes, and stays a probability for thousands of servers", () => {
    expect(waitProbability({ servers: 5, arrivalsPerSecond: 0, taskSeconds: 3 })).toBe(0);
    const many = waitProbability({ servers: 4000, arrivalsPerSecond: 3990, taskSeconds: 1 });
    expect(many).toBeGreaterThan(0.5);
    expect(many).toBeLessThan(1);
  });
});

const TASK_US = 10_000_000;
const HEARTBEAT_US = 200_000;

interface Arrivals {
  readonly atUs: readonly number[];
  readonly taskUs: readonly number[];
}

function poisson(draws: Draws, jobs: number, slots: number, load: number): Arrivals {
  const atUs: number[] = [];
  const taskUs: number[] = [];
  let nowUs = 0;
  for (let i = 0; i < jobs; i++) {
    nowUs += Math.round(draws.exponential(TASK_US / (slots * load)));
    atUs.push(nowUs);
    taskUs.push(Math.max(1, Math.round(draws.exponential(TASK_US))));
  }
  return { atUs, taskUs };
}

/** Each job takes the slot that is free first, at a multiple of `beatUs`: what first come first served means. */
function waitsByHand({ atUs, taskUs }: Arrivals, slots: number, beatUs: number): number[] {
  const freeUs = Array.from({ length: slots }, () => 0);
  return atUs.map((submittedUs, i) => {
    // In plain steps: this is done millions of times.
    let slot = 0;
    for (let other = 1; other < slots; other++) if (freeUs[other] < freeUs[slot]) slot = other;
    const startUs = Math.ceil(Math.max(submittedUs, freeUs[slot]) / beatUs) * beatUs;
    freeUs[slot] = startUs + taskUs[i];
    return startUs - submittedUs;
  });
}

async function waitsInCluster({ atUs, taskUs }: Arrivals, slots: number): Promise<number[]> {
  const jobs = atUs.map((submittedUs, i) => oneMap({ atUs: submittedUs, mapUs: taskUs[i] }));
  const text = `
cluster: { racks: 1, nodesPerRack: 1, mapSlots: ${slots}, reduceSlots: 0, heartbeat: ${HEARTBEAT_US / 1000}ms }
scheduler: fifo
runtime: { jobSetup: 0s, jobCleanup: 0s }
run: { sample: 1h }
`;
  const { record } = await runJobs(text, jobs);
  return Array.from(record.jobs.firstLaunchAtUs, (launchedUs, i) => launchedUs - record.jobs.submitAtUs[i]);
}

/** The first tenth is left out: it starts with empty slots. */
function meanSeconds(waitsUs: readonly number[]): number {
  const late = waitsUs.slice(waitsUs.length / 10);
  return late.reduce((sum, us) => sum + us, 0) / late.length / 1e6;
}

const CASES = [
  [1, 0.6, 2000],
  [4, 0.8, 5000],
  [16, 0.9, 8000],
];

describe("waits for a slot, first come first served", () => {
  it.each(CASES)("are those of M/M/%i at load %d, reckoned job by job", (slots, load) => {
    const closed = meanWaitSeconds({ servers: slots, arrivalsPerSecond: (slots * load) / 10, taskSeconds: 10 });
    const simulated = estimate(72, 40, (draws) =>
      meanSeconds(waitsByHand(poisson(draws, 50_000, slots, load), slots, 1)),
    );
    expectAgreement(`M/M/${slots} at load ${load}`, closed, simulated, { resolution: 0.03 * closed });
  });

  it.each(CASES)(
    "are those of M/M/%i at load %d in a simulated cluster, but for the heartbeat",
    async (slots, load, jobs) => {
      const means: number[] = [];
      for (let run = 0; run < 10; run++) {
        const arrivals = poisson(new Draws(73, run), jobs, slots, load);
        const waits = await waitsInCluster(arrivals, slots);
        expect(waits).toEqual(waitsByHand(arrivals, slots, HEARTBEAT_US));
        means.push(meanSeconds(waits));
      }
      // A slot whose task has ended is empty for half an interval on average; a job that finds one waits for a
      // heartbeat.
      const arrivalsPerSecond = (slots * load) / 10;
      const closed = meanWaitSeconds({ servers: slots, arrivalsPerSecond, taskSeconds: 10 + HEARTBEAT_US / 2e6 });
      const simulated = estimate(0, means.length, ({ sample }) => means[sample]);
      const tolerance = { resolution: 0.1 * closed, modelError: HEARTBEAT_US / 1e6 };
      expectAgreement(`  M/M/${slots} at load ${load} in a cluster`, closed, simulated, tolerance);
    },
    120_000,
  );
});
