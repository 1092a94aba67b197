import { describe, expect, it } from "vitest";
import { headOfLineLocality } from "./closed-forms.js";
import {
  expectedJobLocality,
  jobLocalityBound,
  jobLocalityLooseBound,
  skipCountForLocality,
  skipCountForWait,
} from "../../dist/core/theory.js";
import { placeStriped, preferredNodes } from "./block-placement.js";
import { localityOfDelayedJob } from "./delayed-job.js";
import { estimate, expectAgreement, printComparison } from "./monte-carlo.js";

const CLUSTER = { nodes: 100, replication: 3 };

describe("l(D), by offering nodes to a job with N, N-1, .. 1 tasks left", () => {
  it.each([
    [1, 20],
    [10, 5],
    [20, 23],
  ])("the exact mean, N=%i D=%i", (tasks, skips) => {
    const job = { tasks, ...CLUSTER };
    const simulated = estimate(31, 4000, (draws) => {
      const tasksLeft = 1 + draws.below(tasks);
      for (let offer = 0; offer < skips; offer++) {
        const preferred = preferredNodes(placeStriped(draws, tasksLeft, job.nodes, job.replication));
        if (preferred.has(draws.below(job.nodes))) return 1;
      }
      return 0;
    });
    expectAgreement(`l(D) N=${tasks} D=${skips}`, expectedJobLocality(job, skips), simulated, { resolution: 0.01 });
  });

  it("the first bound is the sum it stands for", () => {
    const job = { tasks: 20, ...CLUSTER };
    let sum = 0;
    for (let k = 1; k <= 20; k++) sum += 1 - Math.exp((-3 * 23 * k) / 100);
    expect(jobLocalityBound(job, 23)).toBeCloseTo(sum / 20, 12);
  });
});

describe("a whole job that waits afresh for every task, as the analysis assumes", () => {
  it.each([
    [1, 23],
    [5, 23],
    [20, 23],
    [20, 5],
    [100, 5],
  ])("reaches l(D) within 0.035 and its lower bounds, N=%i D=%i", (tasks, maxSkips) => {
    const job = { tasks, ...CLUSTER };
    const simulated = estimate(32, 4000, (draws) =>
      localityOfDelayedJob(draws, { ...job, maxSkips, waits: "everyTask" }),
    );
    const tolerance = { resolution: 0.01, modelError: 0.035 };
    expectAgreement(`waits afresh N=${tasks} D=${maxSkips}`, expectedJobLocality(job, maxSkips), simulated, tolerance);
    const bound = jobLocalityBound(job, maxSkips);
    printComparison("  first bound", bound, simulated);
    expect(simulated.mean + 4 * simulated.standardError).toBeGreaterThan(bound);
    expect(jobLocalityLooseBound(job, maxSkips)).toBeLessThanOrEqual(bound);
  });

  it.each([
    [20, 0.95],
    [10, 0.9],
    [50, 0.99],
  ])("reaches the locality its D was computed for, N=%i locality %d", (tasks, locality) => {
    const job = { tasks, ...CLUSTER };
    const maxSkips = Math.ceil(skipCountForLocality(job, locality));
    let fewest = 0;
    while (expectedJobLocality(job, fewest) < locality) fewest += 1;
    const simulated = estimate(33, 4000, (draws) =>
      localityOfDelayedJob(draws, { ...job, maxSkips, waits: "everyTask" }),
    );
    printComparison(`D=${maxSkips} for ${locality} N=${tasks}; l(D) needs D=${fewest}`, locality, simulated);
    expect(fewest).toBeLessThanOrEqual(maxSkips);
    expect(simulated.mean - locality).toBeGreaterThan(-4 * simulated.standardError);
  });
});

describe("a whole job under Algorithm 2 as printed, which waits once per streak of non-local launches", () => {
  it.each([
    [1, 23, 0, 0.012],
    [5, 23, 0.05, 0.08],
    [20, 23, 0.015, 0.03],
    [20, 5, 0.09, 0.12],
    [100, 5, 0.025, 0.04],
  ])("falls short of l(D) by the stated range, N=%i D=%i", (tasks, maxSkips, least, most) => {
    const job = { tasks, ...CLUSTER };
    const simulated = estimate(34, 4000, (draws) =>
      localityOfDelayedJob(draws, { ...job, maxSkips, waits: "oncePerStreak" }),
    );
    const closedForm = expectedJobLocality(job, maxSkips);
    const tolerance = { resolution: 0.01, modelError: most };
    expectAgreement(`Algorithm 2 N=${tasks} D=${maxSkips}`, closedForm, simulated, tolerance);
    if (least > 0) expect(closedForm - simulated.mean).toBeGreaterThan(least);
  });

  it.each([
    [20, 0.95, 0.02],
    [10, 0.9, 0.035],
    [50, 0.99, 0.005],
  ])("falls short of the locality its D was computed for, N=%i locality %d, by at most %d", (tasks, locality, most) => {
    const job = { tasks, ...CLUSTER };
    const maxSkips = Math.ceil(skipCountForLocality(job, locality));
    const simulated = estimate(35, 4000, (draws) =>
      localityOfDelayedJob(draws, { ...job, maxSkips, waits: "oncePerStreak" }),
    );
    const tolerance = { resolution: 0.003, modelError: most };
    expectAgreement(`Algorithm 2 at D=${maxSkips} for ${locality} N=${tasks}`, locality, simulated, tolerance);
    expect(simulated.mean).toBeLessThan(locality);
  });

  it("section 4.1: 10 s at 27 slots/s give ten tasks on 620 nodes at least 90 %", () => {
    const job = { tasks: 10, nodes: 620, replication: 3 };
    const maxSkips = skipCountForWait(10, 27);
    const simulated = estimate(36, 2000, (draws) =>
      localityOfDelayedJob(draws, { ...job, maxSkips, waits: "oncePerStreak" }),
    );
    const tolerance = { resolution: 0.003, modelError: 0.02 };
    expectAgreement("Facebook, ten tasks", expectedJobLocality(job, maxSkips), simulated, tolerance);
    expect(simulated.mean).toBeGreaterThan(0.9);
  });
});

describe("head-of-line locality: Algorithm 1 takes every offer", () => {
  it.each([
    [1, 0.001],
    [10, 0.006],
    [50, 0.06],
    [100, 0.12],
  ])("is overstated by no more than the stated error, N=%i", (tasks, modelError) => {
    const job = { tasks, ...CLUSTER };
    const simulated = estimate(37, 5000, (draws) =>
      localityOfDelayedJob(draws, { ...job, maxSkips: 0, waits: "oncePerStreak" }),
    );
    expectAgreement(`head of line N=${tasks}`, headOfLineLocality(job), simulated, { resolution: 0.003, modelError });
  });
});
