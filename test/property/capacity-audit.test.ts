import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driveInline, Pacer, MasterActor, OWN_THREAD, buildRacks, RackHost } from "../../dist/actors/index.js";
import { lookaheadUs, needsStages, rackModelOf } from "../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../dist/core/cluster/index.js";
import { SliceGrid } from "../../dist/core/kernel/index.js";
import { auditCapacity } from "../support/capacity-audit.js";
import { capacitySettings } from "../support/random-capacity.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const FILE = "test/property/capacity-audit.test.ts";

/** Few nodes, some of which become unresponsive, attempts that fail, second attempts, and queues of all kinds. */
const cases = fc.record({
  capacity: capacitySettings,
  wait: fc.constantFrom(
    { kind: "none" as const },
    { kind: "skips" as const, node: 3, rack: 2 },
    { kind: "time" as const, nodeUs: 5 * SECOND, rackUs: 3 * SECOND },
  ),
  seed: fc.nat(1000).map(String),
  mapFailure: fc.constantFrom(0, 0.1, 0.3),
  reduceFailure: fc.constantFrom(0, 0.2),
  speculates: fc.boolean(),
  crashes: fc.array(
    fc.record({ rack: fc.nat(1), node: fc.nat(2), atS: fc.nat(200), forS: fc.integer({ min: 5, max: 90 }) }),
    { maxLength: 3 },
  ),
  jobs: fc.array(
    fc.record({
      maps: fc.integer({ min: 1, max: 12 }),
      reduces: fc.nat(3),
      mapS: fc.integer({ min: 4, max: 60 }),
      atS: fc.nat(60),
      user: fc.constantFrom("ann", "bob"),
      pool: fc.constantFrom("default", "ads", "web", "zeta"),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function runOf(raw: Case): ReturnType<typeof smallRun> {
  const { capacity, wait, mapFailure, reduceFailure } = raw;
  const rule = { rule: "hadoop" as const, minAgeUs: 10 * SECOND, progressGap: 0.2, slowerBy: 1, maxShareOfSlots: 0.2 };
  return smallRun({
    cluster: clusterOf({ racks: 2, nodesPerRack: 3, mapSlots: 2, reduceSlots: 2 }),
    scheduler: schedulerOf("capacity", { capacity, wait }),
    jobs: raw.jobs.map(({ mapS, atS, ...job }) => jobOf({ ...job, mapUs: mapS * SECOND, atUs: atS * SECOND })),
    seed: raw.seed,
    run: { untilUs: 3_000 * SECOND },
    runtime: {
      model: "detailed",
      speculation: raw.speculates ? { ...rule, checkEveryUs: 5 * SECOND } : null,
      attempts: {
        maxPerTask: 3,
        maxFailuresPerNode: 2,
        trackerExpiryUs: 30 * SECOND,
        mapMemoryBytes: 0,
        reduceMemoryBytes: 0,
      },
    },
    faults: {
      mapFailure,
      reduceFailure,
      stragglers: raw.speculates ? 0.3 : 0,
      stragglerFactor: 6,
      events: raw.crashes.map(({ rack, node, atS, forS }) => {
        return { kind: "crash", rack, node, atUs: atS * SECOND, forUs: forS * SECOND, factor: 1 };
      }),
    },
  });
}

/** Runs it inline and audits the scheduler before and after each heartbeat that it is offered. */
async function audited(raw: Case): Promise<{ problem: string | null; audits: number }> {
  const { scenario, workload } = runOf(raw);
  const topology = buildTopology(scenario.cluster);
  const grid = new SliceGrid(lookaheadUs(scenario.cluster, scenario.runtime, topology), 1);
  const hostOfRack = new Int32Array(topology.racks).fill(OWN_THREAD);
  const model = rackModelOf(scenario);
  const host = new RackHost(topology, await buildRacks(needsStages(scenario), { ...model, topology }, [0, 1]), grid);
  const { commandsOf } = host;
  const parts = { scenario, workload, topology, grid, hostOfRack, hosts: 0, recordTasks: false, commandsOf };
  const actor = new MasterActor(parts);
  const { built, jobs } = actor.master;
  const { scheduler } = built;
  let problem: string | null = null;
  let audits = 0;
  const audit = (): void => {
    audits++;
    problem ??= auditCapacity(scheduler, jobs, raw.capacity.queues.length);
  };
  const heartbeat = scheduler.heartbeat.bind(scheduler);
  scheduler.heartbeat = (...args) => {
    audit();
    heartbeat(...args);
    audit();
  };
  await driveInline(actor, host, grid, new Pacer(() => undefined, undefined));
  audit();
  if (actor.master.allEnded && jobs.size > 0) problem ??= "a job has not left";
  return { problem, audits };
}

describe("the capacity scheduler's counts", () => {
  it(
    "are always those of the jobs, whatever fails, is lost, comes back or is copied",
    async () => {
      let most = 0;
      await searchForProblem(FILE, cases, 60, async (raw) => {
        const { problem, audits } = await audited(raw);
        most = Math.max(most, audits);
        return problem;
      });
      expect(most).toBeGreaterThan(50);
    },
    SEARCH_TIMEOUT_MS,
  );
});
