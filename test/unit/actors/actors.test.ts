import { beforeEach, describe, expect, it } from "vitest";
import { MasterActor, buildRacks, RackHost } from "../../../dist/actors/index.js";
import { rackModelOf, SUCCEEDED } from "../../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { SliceGrid } from "../../../dist/core/kernel/index.js";
import { CommandWriter, COMMANDS, FrameCodec, REPORTS } from "../../../dist/messages/index.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;

/**
 * Two racks of two nodes that heartbeat every 4 s at 0, 1, 2, 3 s: nodes 0 and 2 in rack 0 (host 0), 1 and 3 in rack 1
 * (host 1); one map slot each. Two slices: heartbeats of nodes 0 and 1 fall into even slices, of 2 and 3 into odd ones.
 */
function parts() {
  const { scenario, workload } = smallRun({
    cluster: clusterOf({ racks: 2, nodesPerRack: 2, mapSlots: 1, reduceSlots: 1, heartbeatUs: 4 * SECOND }),
    scheduler: schedulerOf("fifo"),
    jobs: [jobOf({ maps: 4, mapUs: 3 * SECOND })],
    runtime: { jobSetupUs: 0, localityFactor: { node: 1, rack: 1, row: 1, any: 1 } },
  });
  const topology = buildTopology(scenario.cluster);
  return { scenario, workload, topology, grid: new SliceGrid(4 * SECOND, 2) };
}

describe("the master actor", () => {
  let master: MasterActor;
  const codec = new FrameCodec();
  const { topology } = parts();
  /** Slot of each node's map slot. */
  const slotOf = (node: number): number => topology.slotStart[node]!;

  beforeEach(() => {
    master = new MasterActor({ ...parts(), hostOfRack: Int32Array.of(0, 1), hosts: 2, recordTasks: true });
    master.process(0);
    master.process(1);
  });

  function report(slice: number, ...words: number[]): Uint8Array {
    return Uint8Array.from(codec.encode(REPORTS, slice, new Uint8Array(Int32Array.from(words).buffer)));
  }

  it("takes a second report of a slot for what comes in place of the first", () => {
    master.receive(report(2, 0, 4 * SECOND, slotOf(0), SECOND, SUCCEEDED), 0, 2);
    master.receive(report(2, 0, 0, slotOf(0), SECOND, SUCCEEDED), 0, 2);
    master.process(2);
    expect(master.master.recorder.tasksEnded).toEqual([1, 0]);
    master.process(3);
    master.process(4);
    expect(master.master.recorder.tasksEnded).toEqual([1, 0]);
  });
});

describe("the master actor, of nodes that heartbeat out of band or not at all", () => {
  const codec = new FrameCodec();
  const { topology } = parts();
  const hosts = { hostOfRack: Int32Array.of(0, 1), hosts: 2, recordTasks: false };

  function actorWith(cluster: object, events: readonly object[]): MasterActor {
    const { scenario, ...others } = parts();
    const changed = {
      ...scenario,
      cluster: { ...scenario.cluster, ...cluster },
      faults: { ...scenario.faults, events },
    } as typeof scenario;
    const actor = new MasterActor({ ...others, ...hosts, scenario: changed });
    actor.process(0);
    actor.process(1);
    return actor;
  }

  /** The map of node 0 ended a second before the heartbeat, which comes so long after the third slice began. */
  function endOnNode0(sinceSliceUs: number): Uint8Array {
    const words = Int32Array.of(0, sinceSliceUs, topology.slotStart[0]!, SECOND, SUCCEEDED);
    return Uint8Array.from(codec.encode(REPORTS, 2, new Uint8Array(words.buffer)));
  }

  const crash = (atUs: number, forUs: number): object => ({ kind: "crash", rack: 0, node: 0, atUs, forUs, factor: 1 });

  it("visits an out-of-band heartbeat in addition to the regular ones", () => {
    const actor = actorWith({ outOfBandDelayUs: SECOND }, []);
    actor.receive(endOnNode0(500_000), 0, 2);
    actor.process(2);
    expect(actor.master.slots.takenSlots).toEqual([3, 0]);
    // All four maps are launched, so no node but the first has a reason to be visited again.
    expect([actor.visited, actor.heartbeatsBefore(6 * SECOND)]).toEqual([5, 7]);
  });

  it("refuses a heartbeat of an unresponsive node", () => {
    const actor = actorWith({}, [crash(3 * SECOND, 2 * SECOND)]);
    actor.receive(endOnNode0(0), 0, 2);
    expect(() => {
      actor.process(2);
    }).toThrow();
  });

  it("makes all nodes of a rack unresponsive whose switch is lost, and only those", () => {
    const actor = actorWith({}, [{ kind: "switch", rack: 1, node: 0, atUs: 0, forUs: Infinity, factor: 1 }]);
    expect([actor.master.slots.takenSlots, actor.heartbeatsBefore(8 * SECOND)]).toEqual([[2, 0], 4]);
  });
});

describe("a rack host", () => {
  const { scenario, topology, grid } = parts();
  const codec = new FrameCodec();
  let host: RackHost;
  beforeEach(async () => {
    host = new RackHost(topology, await buildRacks(false, { ...rackModelOf(scenario), topology }, [1]), grid);
  });

  function commands(slice: number, fill: (writer: CommandWriter) => void): Uint8Array {
    const writer = new CommandWriter();
    writer.open(grid.startUs(slice));
    fill(writer);
    return Uint8Array.from(codec.encode(COMMANDS, slice, writer.bytes()));
  }

  it("refuses to kill what does not run", () => {
    const idle = commands(0, (writer) => writer.kill(1, SECOND, topology.slotStart[1]!));
    expect(() => host.receive(idle)).toThrow();
    expect(host.nextReportSlice()).toBe(Infinity);
  });

  it("refuses commands for racks that are not its own, and leaves them alone", () => {
    const foreign = commands(0, (writer) => writer.launchMap(0, 0, topology.slotStart[0]!, 0, 1, null));
    expect(() => host.receive(foreign)).toThrow();
    expect(host.nextReportSlice()).toBe(Infinity);
  });

  it("refuses a slot that is not on the node", () => {
    const wrong = commands(0, (writer) => writer.launchMap(1, SECOND, topology.slotStart[3]!, 0, 1, null));
    expect(() => host.receive(wrong)).toThrow();
    expect(host.nextReportSlice()).toBe(Infinity);
  });
});
