import { beforeAll, describe, expect, it } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";
import type { GroupSampleColumns } from "../../dist/core/record/index.js";

const SECOND = 1_000_000;
const SLOTS = 200;

interface Run {
  readonly samples: GroupSampleColumns;
  readonly responseS: ReadonlyMap<string, number>;
  readonly below: number;
}

async function runWith(seed: string, ...set: string[]): Promise<Run> {
  const { scenario, directory } = loadScenario("scenarios/capacity.yaml", { seed, set });
  const { summary, record } = await runScenario(scenario, directory, { placement: 0 });
  const { jobs } = record;
  const responseS = jobs.name.map((name, i) => [name, (jobs.endAtUs[i] - jobs.submitAtUs[i]) / SECOND] as const);
  return {
    samples: record.groupSamples,
    responseS: new Map(responseS),
    below: summary.fairness.belowFairShare ?? Number.NaN,
  };
}

/** Map slots that a queue held at the sample of a second; and its fair share. */
function held({ samples }: Run, queue: string, second: number): { running: number; share: number } {
  for (let row = 0; row < samples.rows; row++) {
    const isQueue = samples.groupNames[samples.group[row]] === queue;
    if (!isQueue || samples.atUs[row] !== second * SECOND) continue;
    return { running: samples.running[0][row], share: samples.fairShare[0][row] };
  }
  return { running: 0, share: 0 };
}

// Capacities of 50, 30 and 20 % of 200 slots; Ads come at 100 s, Web at 200 s, maps take 20 s. No figures were
// published: directions, and what the rule says outright.
describe.each(["1", "2"])("the capacity scheduler, seed %s", (seed) => {
  let run: Run;
  let printed: Run;
  beforeAll(async () => {
    run = await runWith(seed);
    printed = await runWith(seed, "scheduler.capacity.rule=asPrinted");
  }, 180_000);

  it("lends a queue what the others leave", () => {
    expect(held(run, "research", 95).running).toBeGreaterThan(0.95 * SLOTS);
  });

  it("gives it back within the time of a task, though nothing is killed", () => {
    expect(held(run, "ads", 140).running).toBeGreaterThan(0.9 * 0.5 * SLOTS);
    expect(held(run, "web", 240).running).toBeGreaterThan(0.9 * 0.2 * SLOTS);
  });

  it("keeps each queue near its capacity while all want more", () => {
    for (const second of [250, 275]) {
      for (const [queue, part] of Object.entries({ ads: 0.5, research: 0.3, web: 0.2 })) {
        const { running, share } = held(run, queue, second);
        expect(share, queue).toBeCloseTo(part * SLOTS, 0);
        expect(Math.abs(running - share), `${queue} at ${second} s`).toBeLessThan(0.05 * SLOTS);
      }
    }
    expect(run.below).toBeLessThan(0.05);
  });

  it("never lets a queue beyond its maximum", () => {
    const { samples } = run;
    for (let row = 0; row < samples.rows; row++) {
      if (samples.groupNames[samples.group[row]] === "web")
        expect(samples.running[0][row]).toBeLessThanOrEqual(0.4 * SLOTS);
    }
  });

  it("as printed, keeps from queues with small jobs what their capacity promises", () => {
    // Five small jobs and a large one in Web: the more jobs a queue runs, the later it comes.
    for (const name of ["probe-1", "probe-2", "probe-3"]) {
      expect(printed.responseS.get(name), name).toBeGreaterThan(3 * (run.responseS.get(name) ?? Infinity));
    }
    expect(printed.responseS.get("crawl")).toBeLessThan(0.75 * (run.responseS.get("crawl") ?? 0));
    expect(printed.below).toBeGreaterThan(run.below + 0.1);
  });
});
