import { beforeEach, describe, expect, it } from "vitest";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import {
  JobTable,
  MAP,
  Attempts,
  KILL_ORDERED,
  FreeSlots,
  PendingReplies,
  Commits,
  Recorder,
} from "../../../dist/core/platforms/hadoop/index.js";
import { recordingSink } from "../../support/recording-sink.js";
import { clusterOf, jobOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const COMMIT = { pollUs: SECOND, commitUs: SECOND };

describe("the answer to who asks leave to commit", () => {
  const topology = buildTopology(clusterOf({ racks: 1, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1 }));
  const SLOTS = 6;
  let jobs: JobTable;
  let slots: FreeSlots;
  let attempts: Attempts;
  let killOrders: PendingReplies;
  let commits: Commits;
  let told: readonly (readonly unknown[])[];

  beforeEach(() => {
    const { scenario, workload } = smallRun({
      jobs: [jobOf({ maps: 4, reduces: 1 }), jobOf({ maps: 4 })],
      runtime: { commit: COMMIT },
    });
    jobs = new JobTable();
    for (const [id, reduces] of [1, 0].entries()) {
      const counts = { maps: 4, reduces, slowStartMaps: 0, firstBlock: -1 };
      jobs.enter({ id, pool: 0, user: 0, priority: 2, startUs: 0, ...counts });
    }
    slots = new FreeSlots(topology);
    attempts = new Attempts(topology);
    attempts.jobAdded(0);
    attempts.jobAdded(1);
    killOrders = new PendingReplies(topology.nodes);
    const sink = recordingSink();
    told = sink.told;
    const recorder = new Recorder(workload, topology, false);
    commits = new Commits({ scenario, commandsOf: () => sink.sink, jobs, slots, attempts, recorder, killOrders });
  });

  function launched(node: number, job: number, task: number): number {
    const slot = slots.take(node, MAP);
    attempts.begin(slot, job, jobs.id[job]!, task, 0, 0, SECOND);
    return slot;
  }

  it("is leave, with the id that the attempt has from now on; the slot is free", () => {
    const slot = launched(1, 1, 3);
    commits.commitRequested(1, slot, 9 * SECOND);
    expect(told).toEqual([["commit", 1, 9 * SECOND, slot + SLOTS]]);
    expect([slots.isHeldOn(1, slot), attempts.isAwaitingCommit(slot + SLOTS), attempts.awaitingCommit]).toEqual([
      false,
      true,
      1,
    ]);
    const attempt = slot + SLOTS;
    expect([
      attempts.jobOf(attempt),
      attempts.taskOf(attempt),
      attempts.launchUsOf(attempt),
      attempts.node[attempt],
    ]).toEqual([...[1, 3, SECOND, 1]]);
    expect([commits.ended(1, attempt), attempts.awaitingCommit]).toEqual([MAP, 0]);
  });

  it("is death for the second attempt of a task, until the first has ended", () => {
    const [first, second] = [launched(0, 1, 3), launched(1, 1, 3)];
    commits.commitRequested(0, first, 9 * SECOND);
    commits.commitRequested(1, second, 10 * SECOND);
    expect(told.length).toBe(1);
    expect([attempts.killStateOf(second + SLOTS), killOrders.take(1)]).toEqual([KILL_ORDERED, [second + SLOTS]]);
    commits.ended(1, second + SLOTS);
    commits.commitRequested(1, launched(1, 1, 3), 11 * SECOND);
    expect(told.length).toBe(1);
    commits.ended(0, first + SLOTS);
    commits.commitRequested(0, launched(0, 1, 3), 12 * SECOND);
    expect(told.length).toBe(2);
  });

  it("is death for who was to be killed anyway, by its new id", () => {
    const slot = launched(0, 1, 0);
    attempts.setKillState(slot, KILL_ORDERED);
    killOrders.add(0, slot);
    commits.commitRequested(0, slot, 9 * SECOND);
    expect([told, killOrders.take(0)]).toEqual([[], [slot + SLOTS]]);
  });
});
