import { describe, expect, it } from "vitest";
import { blockedByLongTasksProbability, slotsHeldByLongTasks } from "./closed-forms.js";
import { estimate, expectAgreement, type Draws } from "./monte-carlo.js";

const NODES = 100;
const BLOCK = { replication: 3, slotsPerNode: 6 };
const BLOCKS = 50;

/** The fraction of blocks all of whose holders have only long tasks, given which slots run one. */
function blockedFraction(draws: Draws, runsLongTask: (slot: number) => boolean): number {
  const full = Array.from({ length: NODES }, (_, node) => {
    for (let slot = 0; slot < BLOCK.slotsPerNode; slot++) {
      if (!runsLongTask(node * BLOCK.slotsPerNode + slot)) return false;
    }
    return true;
  });
  let blocked = 0;
  for (let block = 0; block < BLOCKS; block++) {
    if (draws.distinct(BLOCK.replication, NODES).every((node) => full[node])) blocked += 1;
  }
  return blocked / BLOCKS;
}

describe("phi^(RL), by filling slots with long tasks", () => {
  it.each([0.8, 0.9])("is exact when each slot runs one with probability phi=%d", (longTasks) => {
    const simulated = estimate(61, 2500, (draws) => blockedFraction(draws, () => draws.fraction() < longTasks));
    const closedForm = blockedByLongTasksProbability(longTasks, BLOCK);
    expectAgreement(`phi^(RL) phi=${longTasks}`, closedForm, simulated, { resolution: 0.002 });
  });

  it.each([
    [0.8, 0.0015],
    [0.9, 0.005],
  ])("overstates a little when exactly the fraction phi=%d of 600 slots runs one", (longTasks, modelError) => {
    const slots = NODES * BLOCK.slotsPerNode;
    const simulated = estimate(62, 2500, (draws) => {
      const long = new Set(draws.shuffled(slots).slice(0, Math.round(longTasks * slots)));
      return blockedFraction(draws, (slot) => long.has(slot));
    });
    const closedForm = blockedByLongTasksProbability(longTasks, BLOCK);
    expectAgreement(`phi^(RL) phi S slots, phi=${longTasks}`, closedForm, simulated, { resolution: 0.002, modelError });
  });
});

it("phi of a mix: a tenth of the tasks, each 36 times as long, holds four fifths of the slots", () => {
  // 0.1 x 36 = 3.6 against 0.9.
  expect(slotsHeldByLongTasks(0.1, 36)).toBeCloseTo(0.8, 12);
  expect([slotsHeldByLongTasks(0, 9), slotsHeldByLongTasks(1, 9), slotsHeldByLongTasks(0.3, 1)]).toEqual([0, 1, 0.3]);
});
