import { driveInline, Pacer, MasterActor, OWN_THREAD, buildRacks, RackHost } from "../../dist/actors/index.js";
import { lookaheadUs, needsStages, rackModelOf, type BuildKind } from "../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../dist/core/cluster/index.js";
import { FINISHED, KILLED, LAUNCHED, SliceGrid } from "../../dist/core/kernel/index.js";
import { SETUP_TASKS } from "./naive-setup-tasks.js";
import { TYPES } from "./naive-job.js";
import type { RandomCase } from "./random-scenarios.js";
import type { RunRecord, RunRecords } from "./run-records.js";
import { withinTime } from "./time-limit.js";

/** Far more than any random case takes. */
const LIMIT_MS = 5_000;

/** What the kinds of record mean. */
const WHAT = new Map<number, RunRecord["what"]>([
  [LAUNCHED, "launch"],
  [FINISHED, "finish"],
  [KILLED, "kill"],
]);

/** Never pauses, so that a run ends within one turn of the event loop and can be stopped when it does not end. */
class Unpaced extends Pacer {
  override isDue(): boolean {
    return false;
  }
}

/** Runs the shipped simulation with all actors on this thread and keeps what its fingerprint is fed with, in order. */
export async function simulateActually(
  { scenario, workload, slices, lookahead = 1 }: RandomCase,
  build?: BuildKind,
): Promise<RunRecords> {
  const topology = buildTopology(scenario.cluster);
  const promisedUs = lookaheadUs(scenario.cluster, scenario.runtime, topology);
  const grid = new SliceGrid(Math.max(slices, Math.floor(promisedUs * lookahead)), slices);
  const hostOfRack = new Int32Array(topology.racks).fill(OWN_THREAD);
  const racks = Array.from({ length: topology.racks }, (_, rack) => rack);
  const model = rackModelOf(scenario);
  const host = new RackHost(topology, await buildRacks(needsStages(scenario), { ...model, topology }, racks), grid);
  const { polledRack: asked } = host;
  const commandsOf = asked === null ? host.commandsOf : () => asked.commands;
  const dueEnds = asked?.dueEnds;
  const near = { commandsOf, dueEnds, build };
  const parts = { scenario, workload, topology, grid, hostOfRack, hosts: 0, recordTasks: false, ...near };
  const actor = new MasterActor(parts);
  const { recorder } = actor.master;
  const records: RunRecord[] = [];
  recorder.fingerprint.add = (atUs, kind, job, task, attempt, node, level) => {
    const what = WHAT.get(kind & 15);
    if (what === undefined) throw new Error(`found a record of kind ${kind & 15}`);
    records.push({ atUs, what, type: [...TYPES, ...SETUP_TASKS][kind >> 4], job, task, attempt, node, level });
  };
  const pacer = new Unpaced(() => undefined, undefined);
  await withinTime(LIMIT_MS, () => driveInline(actor, asked === null ? host : null, grid, pacer));
  const { clockOf, localityUs, longestLocalityUs, clock } = recorder.waits;
  const waits = clockOf.map((unit, job) =>
    unit === null
      ? null
      : { localityUs: localityUs[job], longestLocalityUs: longestLocalityUs[job], clock: clock[job] },
  );
  return { records, endUs: [...recorder.endUs], waits };
}
