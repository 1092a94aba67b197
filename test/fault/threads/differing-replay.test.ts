import { expect, it } from "vitest";
import { MasterActor, Pacer, ReportTally, type FaultInjection, driveThreads } from "../../../dist/actors/index.js";
import { lookaheadUs } from "../../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { SliceGrid } from "../../../dist/core/kernel/index.js";
import { dealRacks } from "../../../dist/lab/index.js";
import { clusterOf, mixedJobs, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";

const HOSTS = 2;

it.each(["light", "detailed"] as const)(
  "%s racks whose replay reports otherwise end the run, at once",
  async (model) => {
    const cluster = clusterOf({ racks: 2, nodesPerRack: 3 });
    const run = { cluster, scheduler: schedulerOf("hfs"), jobs: mixedJobs(), runtime: { model } };
    const { scenario, workload } = smallRun(run);
    const topology = buildTopology(scenario.cluster);
    const grid = new SliceGrid(lookaheadUs(scenario.cluster, scenario.runtime, topology), 2);
    const hostOfRack = dealRacks(topology.racks, HOSTS);
    const tallies = Array.from({ length: HOSTS }, () => new ReportTally());
    const placed = { scenario, workload, topology, grid, hostOfRack, hosts: HOSTS };
    const master = new MasterActor({ ...placed, recordTasks: false, tallies });
    const faultInjections: FaultInjection[] = [{ rack: 1, how: { atUs: 60_000_000, how: "throw" } }];
    const recoveries: unknown[] = [];
    const recover = { tallies, onRecovery: (recovery: unknown) => recoveries.push(recovery) };
    // As if one of the reports that the master has had been another one.
    tallies[1]!.sum = 1;
    const pacer = new Pacer(() => undefined, undefined);
    const driven = driveThreads({ ...placed, ownHost: null, master, pacer, faultInjections, recover });
    await expect(driven).rejects.toThrow(
      /^rack01 died at virtual time .*: its replay reported otherwise than the thread that died, .*; replaced once before$/,
    );
    expect(recoveries).toEqual([]);
  },
);
