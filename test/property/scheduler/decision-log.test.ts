import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FrameworkSpec, InnerSchedulerSpec, SchedulerSpec } from "../../../dist/core/scenario/index.js";
import {
  builderWith,
  buildScheduler,
  DecisionLog,
  DECISIONS,
  loggedBuilder,
  type SchedulerPlugin,
} from "../../../dist/core/platforms/hadoop/index.js";
import type { DecisionColumns } from "../../../dist/core/record/index.js";
import { explainWait, isWhole } from "../../../dist/report/index.js";
import { simulateActually } from "../../support/actual-simulation.js";
import { capacityCases } from "../../support/random-capacity.js";
import {
  type AskedSlot,
  greedyReasons,
  type NaiveReasons,
  offersReasons,
  partitionReasons,
  pluginReasons,
  pluginWaits,
} from "../../support/naive-reasons.js";
import { pluginOf } from "../../support/plugin-runs.js";
import { crowdedCases, dsfsCases, type RandomCase } from "../../support/random-scenarios.js";
import { firstDifference, type RunRecords } from "../../support/run-records.js";
import { span, waits } from "../../support/random-schedulers.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../../support/search.js";
import { Witness } from "../../support/witnessed-run.js";

const FILE = "test/property/scheduler/decision-log.test.ts";

const LEVELS = ["node", "rack", "off-rack", null, "row"];

type Rows = Parameters<typeof explainWait>[2];

/** The rows of each job, as explain reads them back. */
function rowsByJob(log: DecisionColumns, jobs: number): Rows[] {
  const rows: Rows[number][][] = Array.from({ length: jobs }, () => []);
  const value = (number: number): number | null => (number < 0 ? null : number);
  for (let i = 0; i < log.rows; i++) {
    rows[log.job[i]].push({
      job: log.job[i],
      fromUs: log.fromUs[i],
      toUs: log.toUs[i],
      reason: DECISIONS[log.decision[i]],
      opportunities: log.count[i],
      level: log.level[i] < 0 ? null : LEVELS[log.level[i]],
      node: value(log.node[i]),
      takenBy: value(log.takenBy[i]),
    });
  }
  for (const own of rows) own.sort((a, b) => a.fromUs - b.fromUs || a.toUs - b.toUs);
  return rows;
}

/**
 * What explain says against what the records of the run and the bare rows say, counted instant by instant of change.
 */
function problemOf({ workload }: RandomCase, run: RunRecords, log: DecisionColumns): string | null {
  const rows = rowsByJob(log, workload.jobs.length);
  for (const [job, spec] of workload.jobs.entries()) {
    const launches = run.records.filter((one) => one.what === "launch" && one.type === "map" && one.job === job);
    const logged = rows[job].filter(({ reason }) => reason === "launch").map((row) => [row.fromUs, row.node]);
    const told = launches.slice(0, 1).map(({ atUs, node }) => [atUs, node]);
    if (JSON.stringify(logged) !== JSON.stringify(told)) return `first launch of job ${job}`;
    if (launches.length === 0) continue;
    const ready = rows[job].find(({ reason }) => reason === "ready")?.fromUs ?? NaN;
    const asked: [number | null, number, number][] = [[null, spec.submitAtUs, launches[0].atUs]];
    for (const { task, atUs, attempt } of launches) if (attempt === 0) asked.push([task, ready, atUs]);
    for (const [task, fromUs, toUs] of asked) {
      const who = { job, name: spec.name, group: spec.pool, submitUs: spec.submitAtUs };
      const wait = explainWait(
        who,
        task === null ? null : { task, launchUs: toUs },
        rows[job],
        (rank) => workload.jobs[rank].pool,
      );
      const what = `job ${job} map ${String(task)}`;
      if (wait?.fromUs !== fromUs || wait.toUs !== toUs) return `${what}: ${JSON.stringify(wait)}`;
      if (!isWhole(wait.shares, wait.waitUs))
        return `${what}: shares do not sum to ${wait.waitUs}: ${JSON.stringify(wait)}`;
      const problem = recounted(rows[job], fromUs, toUs, wait.shares);
      if (problem !== null) return `${what}: ${problem}`;
    }
  }
  return null;
}

/** Cuts the wait at every instant that some row names, and asks of each piece which rows cover it: one must. */
function recounted(
  rows: Rows,
  fromUs: number,
  toUs: number,
  shares: readonly { reason: string; us: number }[],
): string | null {
  const edges = [...new Set(rows.flatMap((row) => [row.fromUs, row.toUs]).concat(fromUs, toUs))];
  const cuts = edges.filter((atUs) => atUs >= fromUs && atUs <= toUs).sort((a, b) => a - b);
  const sums: Record<string, number> = {};
  for (let i = 1; i < cuts.length; i++) {
    const covering = rows.filter((row) => row.fromUs <= cuts[i - 1] && row.toUs >= cuts[i]);
    if (covering.length !== 1) return `${covering.length} rows from ${cuts[i - 1]}`;
    const { reason } = covering[0];
    sums[reason] = (sums[reason] ?? 0) + cuts[i] - cuts[i - 1];
  }
  const told: Record<string, number> = {};
  for (const { reason, us } of shares) if (us > 0) told[reason] = (told[reason] ?? 0) + us;
  const text = (of: Record<string, number>): string => JSON.stringify(Object.entries(of).sort());
  return text(told) === text(sums) ? null : `explained ${text(told)}, counted ${text(sums)}`;
}

/** Jobs on few nodes that kill instead of waiting for slots. */
const killCases = crowdedCases.map((example) => {
  const { scenario } = example;
  const preemption = { mode: "off" as const, intervalUs: 1 };
  const scheduler = { ...scenario.scheduler, kind: "kill", preemption, reloads: [] };
  return { ...example, scenario: { ...scenario, scheduler } };
});

const ALWAYS = ["setup", "offer", "slot", "busy", "ready", "launch"];

describe("the decision log", () => {
  it.each([
    ["pools, waits, limits, kills and faults", crowdedCases, ["locality", "limit", "max"]],
    ["DSFS", dsfsCases, ["locality"]],
    ["queues, their users and their limits", capacityCases, ["locality", "limit", "max", "user"]],
    ["kills in place of waits", killCases, ["locality"]],
  ])(
    "changes no run, and its shares sum to the waits: %s",
    async (_, cases, reasons) => {
      const seen = new Map<string, number>();
      await searchForProblem(FILE, cases, 300, async (example) => {
        const log = new DecisionLog();
        const run = await simulateActually(example, loggedBuilder(log, [], ""));
        const other = firstDifference(await simulateActually(example, buildScheduler), run);
        if (other !== null) return other;
        const columns = log.columns(Math.max(0, ...run.records.map(({ atUs }) => atUs)));
        for (const code of columns.decision) seen.set(DECISIONS[code], (seen.get(DECISIONS[code]) ?? 0) + 1);
        return problemOf(example, run, columns);
      });
      for (const reason of [...ALWAYS, ...reasons]) expect(seen.get(reason) ?? 0, reason).toBeGreaterThan(0);
    },
    SEARCH_TIMEOUT_MS,
  );
});

/** A run under a kind that asks no list of jobs for a map, with its log and what went by. */
interface WitnessedRun {
  readonly run: RunRecords;
  readonly log: DecisionColumns;
  readonly witness: Witness;
}

/** The run with a log; a problem if it decides otherwise without, or if the log does not sum to the waits. */
async function witnessedRun(
  example: RandomCase,
  plugins: () => readonly SchedulerPlugin[] = () => [],
): Promise<WitnessedRun | string> {
  const { seed } = example.scenario.run;
  const log = new DecisionLog();
  const witness = new Witness();
  const run = await simulateActually(example, witness.of(loggedBuilder(log, plugins(), seed)));
  const other = firstDifference(await simulateActually(example, builderWith(plugins(), seed)), run);
  if (other !== null) return other;
  const columns = log.columns(Math.max(0, ...run.records.map(({ atUs }) => atUs)));
  return problemOf(example, run, columns) ?? { run, log: columns, witness };
}

/** Reasons in a row that are equal are one, as in the log. */
class ReasonsInTurn {
  readonly list: [string, number][] = [];

  add(reason: string, count: number): void {
    const last = this.list.at(-1);
    if (last?.[0] === reason) last[1] += count;
    else this.list.push([reason, count]);
  }
}

/** Before a job may launch its opportunities are counted, and mean nothing. */
const isWait = (reason: string): boolean => reason !== "setup" && reason !== "limit";

/** What the log says of each opportunity of each job against what the rules say. */
function problemOfReasons(
  { workload }: RandomCase,
  { log, witness }: WitnessedRun,
  reasonsOf: NaiveReasons,
  seen: Map<string, number>,
): string | null {
  const expected = workload.jobs.map(() => new ReasonsInTurn());
  const found = workload.jobs.map(() => new ReasonsInTurn());
  for (const beat of witness.beats) for (const [job, reason] of reasonsOf(beat)) expected[job].add(reason, 1);
  for (let i = 0; i < log.rows; i++) {
    const reason = DECISIONS[log.decision[i]];
    if (log.count[i] === 0 || !isWait(reason)) continue;
    seen.set(reason, (seen.get(reason) ?? 0) + 1);
    found[log.job[i]].add(reason, log.count[i]);
    const [fromUs, toUs, taker] = [log.fromUs[i], log.toUs[i], log.takenBy[i]];
    if (reason !== "slot") continue;
    const isTaker = witness.beats.some(
      ({ atUs, launches }) => fromUs <= atUs && atUs <= toUs && launches.some(({ job }) => job === taker),
    );
    if (!isTaker) return `job ${taker} got no slot from ${fromUs} to ${toUs}`;
  }
  for (const [job, { list }] of expected.entries()) {
    const texts = [list, found[job].list].map((of) => JSON.stringify(of));
    if (texts[0] !== texts[1]) return `job ${job}: expected ${texts[0]}, the log has ${texts[1]}`;
  }
  return null;
}

/** Jobs of maps alone on few nodes, which have no reduce slots, under a scheduler of which this is said. */
function mapCases(schedulerOf: (beatUs: number) => fc.Arbitrary<Partial<SchedulerSpec>>): fc.Arbitrary<RandomCase> {
  return crowdedCases.chain((example) => {
    const { scenario, workload } = example;
    const { heartbeat, racks } = scenario.cluster;
    const beatUs = heartbeat.rule === "fixed" ? heartbeat.intervalUs : 1_000_000;
    return schedulerOf(beatUs).map((own) => {
      const off = { mode: "off" as const, intervalUs: 1 };
      const scheduler = { ...scenario.scheduler, preemption: off, reloads: [], tasksPerHeartbeat: Infinity, ...own };
      const runtime = { ...scenario.runtime, setupTasks: false, commit: null };
      const cluster = {
        ...scenario.cluster,
        racks: racks.map((rack) => ({
          ...rack,
          nodes: rack.nodes.map((group) => ({ ...group, reduceSlots: 0 })),
        })),
      };
      const jobs = workload.jobs.map((job) => ({ ...job, reduces: 0 })).filter(({ maps }) => maps > 0);
      return {
        ...example,
        scenario: { ...scenario, cluster, scheduler, runtime },
        workload: { ...workload, jobs },
      };
    });
  });
}

const inners = (beatUs: number): fc.Arbitrary<InnerSchedulerSpec> =>
  fc.record({
    kind: fc.constantFrom("fifo" as const, "fair" as const, "delay" as const),
    wait: waits(beatUs),
    updateIntervalUs: fc.constant(0),
  });

const owned = { by: fc.constantFrom("pool" as const, "user" as const) };

const partitionCases = mapCases((beatUs) =>
  fc
    .record({ ...owned, deal: fc.constantFrom("striped" as const, "contiguous" as const), inner: inners(beatUs) })
    .map((partition) => ({ kind: "partition", partition: { ...partition, weights: [] } })),
);

const frameworks = (beatUs: number): fc.Arbitrary<FrameworkSpec> =>
  fc.record({
    inner: inners(beatUs),
    weight: fc.constantFrom(1, 2, 0.5),
    priority: fc.constantFrom(0, 0, 1),
    refuseForUs: fc.oneof(fc.constant(0), span(beatUs, 6)),
    answerAfterUs: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: span(beatUs, 3) }),
    nodes: fc.constantFrom(
      null,
      null,
      [{ rack: 0, node: null }],
      [
        { rack: 0, node: 0 },
        { rack: 1, node: null },
      ],
    ),
    minFreeMaps: fc.constantFrom(0, 0, 2),
    minFreeReduces: fc.constant(0),
  });

const offersCases = mapCases((beatUs) =>
  fc
    .record({
      ...owned,
      usual: frameworks(beatUs),
      ann: frameworks(beatUs),
      rescindAfterUs: fc.oneof(fc.constant(Infinity), span(beatUs, 4)),
    })
    .map(({ ann, ...offers }) => ({
      kind: "offers",
      offers: { ...offers, frameworks: [{ name: "ann", ...ann }] },
    })),
);

const quincyCases = (policies: readonly ("G" | "GF" | "Q" | "QF")[]): fc.Arbitrary<RandomCase> =>
  mapCases(() =>
    fc
      .record({
        policy: fc.constantFrom(...policies),
        rackCost: fc.constantFrom(1, 30),
        coreCost: fc.constantFrom(2, 500),
        waitCost: fc.constantFrom(0.1, 0.5, 1),
      })
      .map((quincy) => ({
        kind: "quincy",
        poolBy: "default" as const,
        quincy: {
          ...quincy,
          rackCost: quincy.rackCost * 2 ** 30,
          coreCost: quincy.coreCost * 2 ** 30,
          solveEveryUs: 0,
        },
      })),
  );

describe("the decision log of schedulers that ask no list of jobs", () => {
  it.each([
    ["partition", partitionCases, partitionReasons, ["locality", "slot"]],
    ["offers", offersCases, offersReasons, ["locality", "slot", "node", "refused", "answer"]],
    ["quincy, greedy", quincyCases(["G", "GF"]), greedyReasons, ["slot", "share"]],
  ] as const)(
    "gives the reason of every opportunity by the rules: %s",
    async (_, cases, oracleOf, reasons) => {
      const seen = new Map<string, number>();
      await searchForProblem(FILE, cases, 150, async (example) => {
        const found = await witnessedRun(example);
        return typeof found === "string" ? found : problemOfReasons(example, found, oracleOf(example), seen);
      });
      expect([...seen.keys()].sort()).toEqual([...reasons].sort());
    },
    SEARCH_TIMEOUT_MS,
  );

  it(
    "says of Quincy's plan only what a cheapest flow may do",
    async () => {
      const seen = new Map<string, number>();
      await searchForProblem(FILE, quincyCases(["Q", "QF"]), 150, async (example) => {
        const found = await witnessedRun(example);
        return typeof found === "string" ? found : problemOfPlan(example, found, seen);
      });
      expect([...seen.keys()].sort()).toEqual(["plan", "slot", "unplanned"]);
    },
    SEARCH_TIMEOUT_MS,
  );

  it(
    "gives the reason of every opportunity and the locality wait of every launch of a user's own scheduler",
    async () => {
      const seen = new Map<string, number>();
      await searchForProblem(FILE, pluginCases, 150, async (example) => {
        // The run without a log has a plugin of its own, which must not be heard.
        const lists: AskedSlot[][] = [];
        const found = await witnessedRun(example, () => [erratic(lists[lists.push([]) - 1])]);
        if (typeof found === "string") return found;
        const [asked] = lists;
        return (
          problemOfReasons(example, found, pluginReasons(asked), seen) ?? problemOfWaits(found.run, pluginWaits(asked))
        );
      });
      expect([...seen.keys()].sort()).toEqual(["cap", "kept", "locality", "slot"]);
    },
    SEARCH_TIMEOUT_MS,
  );
});

/**
 * A place in the plan is a slot that is free. What has none although the node has a free slot that nothing is planned
 * for, and a replica of its block, would have cost nothing there.
 */
function problemOfPlan(example: RandomCase, { log, witness }: WitnessedRun, seen: Map<string, number>): string | null {
  const { workload, scenario } = example;
  const { store } = witness.context!;
  const rows = rowsByJob(log, workload.jobs.length);
  const { totalMapSlots } = witness.context!.topology;
  const left = workload.jobs.map(({ maps }) => new Set(Array.from({ length: maps }, (_, map) => map)));
  for (const { atUs, node, freeMaps, after, launches } of witness.beats) {
    for (const { job, task } of launches) left[job].delete(task);
    const waiting = after.filter(({ isReady, pending }) => isReady && pending > 0);
    const reasonOf = (rank: number): string | undefined =>
      rows[rank].find((row) => row.fromUs <= atUs && row.toUs > atUs && row.opportunities > 0)?.reason;
    const reasons = waiting.map(({ rank }) => reasonOf(rank));
    for (const reason of reasons) if (reason !== undefined) seen.set(reason, (seen.get(reason) ?? 0) + 1);
    const planned = reasons.filter((reason) => reason === "plan").length;
    const running = after.reduce((sum, job) => sum + job.running, 0);
    if (planned > totalMapSlots - running) return `${planned} jobs in the plan at ${atUs}, no room`;
    for (const [i, { rank }] of waiting.entries()) {
      const { input } = workload.jobs[rank];
      const who = `job ${rank} at ${atUs}`;
      if (reasons[i] === "slot" && launches.length === 0) return `${who}: nobody got the slot`;
      if (reasons[i] !== "unplanned") continue;
      if (launches.length > 0) return `${who}: others got slots`;
      if (planned > 0 || freeMaps === 0 || input === null || scenario.scheduler.quincy!.policy === "QF") continue;
      const block = store.fileStart[input.file] + input.firstBlock;
      const near = [...left[rank]].find((map) => store.holdsOn(block + map, node));
      if (near !== undefined) return `${who}: its map ${near} would cost nothing on node ${node}`;
    }
  }
  return null;
}

const pluginCases = crowdedCases.map((example) => {
  const { scenario } = example;
  const runtime = { ...scenario.runtime, setupTasks: false };
  return { ...example, scenario: { ...scenario, runtime, scheduler: { ...scenario.scheduler, kind: "mine" } } };
});

/** A scheduler that does now this, now that, and kills now and then; it notes what it was asked about map slots. */
function erratic(asked: AskedSlot[]): SchedulerPlugin {
  return pluginOf((cluster) => {
    const chance = (): number => cluster.random("chance");
    return {
      choose({ slotType, nowUs, node, jobs, nearest }) {
        const looked = new Map<number, string>();
        const answer = (): ReturnType<NonNullable<ReturnType<SchedulerPlugin["create"]>["choose"]>> => {
          for (const job of [...jobs].sort((a, b) => ((a.id * 7) % 5) - ((b.id * 7) % 5))) {
            if (chance() < 0.1) return null;
            if (chance() < 0.2) continue;
            if (chance() < 0.1) return { job };
            const reach = nearest(job);
            looked.set(job.id, reach);
            if (reach === "node" || chance() < 0.3) return { job, farthest: reach };
          }
          return null;
        };
        const chosen = answer();
        if (slotType === "map") {
          const ids = jobs.map(({ id }) => id);
          asked.push({ atUs: nowUs, node, jobs: ids, nearest: looked, chosen: chosen?.job.id ?? null });
        }
        return chosen;
      },
      updateEveryUs: 700_000,
      kills: (running) => running.filter(() => chance() < 0.02),
    };
  });
}

function problemOfWaits(
  { records, waits: found }: RunRecords,
  waits: ReadonlyMap<number, readonly number[]>,
): string | null {
  for (const [job, wait] of found.entries()) {
    const own = waits.get(job) ?? [];
    const launched = records.filter((one) => one.what === "launch" && one.type === "map" && one.job === job).length;
    if (launched !== own.length) return `job ${job} launched ${launched} maps, chosen ${own.length} times`;
    if (wait === null) {
      if (launched > 0) return `no waits of job ${job}`;
      continue;
    }
    const told = [wait.localityUs, wait.longestLocalityUs, wait.clock];
    const expected = [own.reduce((sum, us) => sum + us, 0), Math.max(0, ...own), 0];
    if (String(told) !== String(expected)) return `job ${job} waited ${String(expected)}, recorded ${String(told)}`;
  }
  return null;
}
