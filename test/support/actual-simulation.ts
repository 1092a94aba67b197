import { driveInline } from "../../dist/actors/inline-driver.js";
import { MasterActor } from "../../dist/actors/master-actor.js";
import { Pacer } from "../../dist/actors/pacer.js";
import { RackHost } from "../../dist/actors/rack-host.js";
import { buildTopology } from "../../dist/core/cluster/topology.js";
import { LAUNCHED } from "../../dist/core/kernel/fingerprint.js";
import { SliceGrid } from "../../dist/core/kernel/slices.js";
import type { Scenario } from "../../dist/core/scenario/scenario.js";
import type { Workload } from "../../dist/core/workload/job.js";
import { TYPES } from "./naive-job.js";
import type { RunRecord, RunRecords } from "./run-records.js";

/** Runs the shipped simulation with all actors on this thread and keeps what its fingerprint is fed with, in order. */
export async function simulateActually(scenario: Scenario, workload: Workload, slices: number): Promise<RunRecords> {
  const topology = buildTopology(scenario.cluster);
  const grid = new SliceGrid(topology.heartbeatUs, slices);
  const hostOfRack = new Int32Array(topology.racks);
  const parts = { scenario, workload, topology, grid, hostOfRack, hosts: 1, recordTasks: false };
  const actor = new MasterActor(parts);
  const { recorder } = actor.master;
  const records: RunRecord[] = [];
  recorder.fingerprint.add = (atUs, kind, job, task, _attempt, node, level) => {
    const what = (kind & 15) === LAUNCHED ? "launch" : "finish";
    records.push({ atUs, what, type: TYPES[kind >> 4], job, task, node, level });
  };
  const racks = Array.from({ length: topology.racks }, (_, rack) => rack);
  const host = new RackHost(topology, racks, scenario.runtime, grid);
  await driveInline(actor, host, grid, new Pacer(() => undefined, undefined));
  return { records, endUs: [...recorder.endUs] };
}
