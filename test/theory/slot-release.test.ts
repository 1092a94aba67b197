import { describe, expect, it } from "vitest";
import { localityWaitSeconds, localityWaitSecondsOnNodes, reassignSeconds } from "../../dist/core/theory.js";
import { estimate, expectAgreement, type Draws } from "./monte-carlo.js";

const SLOTS = 60;
const TASK_SECONDS = 20;
const CLUSTER = { slots: SLOTS, taskSeconds: TASK_SECONDS };

/** Seconds until `releases` tasks have ended on a full cluster; a freed slot starts its next task at once. */
function secondsUntil(releases: number, firstEnd: () => number, nextLength: () => number): number {
  const ends = Array.from({ length: SLOTS }, firstEnd);
  let now = 0;
  for (let n = 0; n < releases; n++) {
    now = Math.min(...ends);
    ends[ends.indexOf(now)] = now + nextLength();
  }
  return now;
}

const exponential = (releases: number) => (draws: Draws) => {
  const length = () => draws.exponential(TASK_SECONDS);
  return secondsUntil(releases, length, length);
};
const equalLengths = (releases: number) => (draws: Draws) =>
  secondsUntil(
    releases,
    () => draws.fraction() * TASK_SECONDS,
    () => TASK_SECONDS,
  );

describe("waiting for slots, on a cluster of 60 slots and tasks of 20 s", () => {
  it.each([1, 6, 30])("F T/S is the mean time to free a share, exponential tasks, F=%i", (share) => {
    const simulated = estimate(41, 8000, exponential(share));
    expectAgreement(`F T/S exponential F=${share}`, reassignSeconds(CLUSTER, share), simulated, { resolution: 0.03 });
  });

  it.each([1, 6, 30])("tasks of one length at random phases free it sooner by one part in S+1, F=%i", (share) => {
    const closedForm = reassignSeconds(CLUSTER, share);
    const simulated = estimate(42, 8000, equalLengths(share));
    const modelError = closedForm / (SLOTS + 1);
    expectAgreement(`F T/S equal lengths F=${share}`, closedForm, simulated, { resolution: 0.03, modelError });
  });

  it.each([14, 90])("(D/S) T is the mean wait for D offers, D=%i", (skips) => {
    const simulated = estimate(43, 4000, exponential(skips));
    const closedForm = localityWaitSeconds(CLUSTER, skips);
    expectAgreement(`(D/S)T D=${skips}`, closedForm, simulated, { resolution: 0.06 });
    const onNodes = localityWaitSecondsOnNodes({ nodes: 15, slotsPerNode: 4, taskSeconds: TASK_SECONDS }, skips);
    expectAgreement(`D T/(LM) D=${skips}`, onNodes, simulated, { resolution: 0.06 });
  });

  it("(D/S) T is a mean and no maximum: nearly half of all waits are longer", () => {
    const wait = localityWaitSeconds(CLUSTER, 14);
    const longer = estimate(44, 8000, (draws) => (exponential(14)(draws) > wait ? 1 : 0));
    console.info(`waits beyond (D/S)T at D=14: ${longer.mean.toFixed(3)} +- ${longer.standardError.toFixed(3)}`);
    expect(longer.mean).toBeGreaterThan(0.4);
    expect(longer.mean).toBeLessThan(0.5);
  });
});
