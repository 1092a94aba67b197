import { beforeEach, describe, expect, it } from "vitest";
import { MasterActor, buildRacks, RackHost } from "../../../dist/actors/index.js";
import { rackModelOf, SUCCEEDED, WAS_KILLED } from "../../../dist/core/platforms/hadoop/index.js";
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

  it("has launched a map on every node of the first round, by one frame for each host", () => {
    const again = new MasterActor({ ...parts(), hostOfRack: Int32Array.of(0, 1), hosts: 2, recordTasks: true });
    again.process(0);
    expect([again.commandsFor(0) !== null, again.commandsFor(1) !== null]).toEqual([true, true]);
    again.process(1);
    expect([again.commandsFor(0) !== null, again.commandsFor(1) !== null]).toEqual([true, true]);
    again.process(2);
    expect([again.commandsFor(0), again.commandsFor(1)]).toEqual([null, null]);
    expect(again.master.slots.taken).toEqual([4, 0]);
  });

  it("takes a report that is right and frees the slot", () => {
    master.receive(report(2, 0, 0, slotOf(0), SECOND, SUCCEEDED), 0, 2);
    master.receive(report(2, 1, SECOND, slotOf(1), SECOND, SUCCEEDED), 1, 2);
    master.process(2);
    expect(master.master.slots.taken).toEqual([2, 0]);
    expect(master.master.recorder.tasksEnded).toEqual([2, 0]);
  });

  it("takes completions predicted for later slices, in its own frame or another's, and frees the slot when it comes", () => {
    master.receive(report(2, 2, 2 * SECOND, slotOf(2), SECOND, SUCCEEDED), 0, 2);
    master.receive(report(3, 3, SECOND, slotOf(3), SECOND, SUCCEEDED), 1, 2);
    master.process(2);
    expect(master.master.slots.taken).toEqual([4, 0]);
    master.process(3);
    expect(master.master.slots.taken).toEqual([2, 0]);
  });

  it("says from which slice on its commands show, and keeps them until they are fetched", () => {
    // The maps of nodes 0 and 2, launched at 0 and 2 s, take 3 s: reported at 4 s, in the third slice, or later.
    expect([master.showsFrom(0, 1), master.showsFrom(1, 1)]).toEqual([3, 3]);
    const frame = master.commandsFor(0)!;
    codec.decode(frame, COMMANDS);
    expect([codec.slice, codec.words[2], codec.words[9]]).toEqual([0, 0, 2 * SECOND]);
    expect([master.showsFrom(0, 1), master.commandsFor(0)]).toEqual([Infinity, null]);
  });

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
    expect(actor.master.slots.taken).toEqual([3, 0]);
    // All four maps are launched, so no node but the first has a reason to be visited again.
    expect([actor.visited, actor.heartbeatsBefore(6 * SECOND)]).toEqual([5, 7]);
  });

  it("takes a report on a regular heartbeat for that heartbeat, where out-of-band ones are on", () => {
    const actor = actorWith({ outOfBandDelayUs: SECOND }, []);
    actor.receive(endOnNode0(0), 0, 2);
    actor.process(2);
    expect([actor.visited, actor.heartbeatsBefore(6 * SECOND)]).toEqual([5, 6]);
  });

  it("launches nothing on a node that is unresponsive, and counts no heartbeat of it", () => {
    // Gone at its heartbeat of 0 s, back before that of 4 s.
    const actor = actorWith({}, [crash(0, 4 * SECOND)]);
    expect([actor.master.slots.taken, actor.visited, actor.heartbeatsBefore(4 * SECOND)]).toEqual([[3, 0], 3, 3]);
    actor.process(2);
    expect([actor.master.slots.taken, actor.visited, actor.heartbeatsBefore(6 * SECOND)]).toEqual([[4, 0], 4, 5]);
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
    expect([actor.master.slots.taken, actor.heartbeatsBefore(8 * SECOND)]).toEqual([[2, 0], 4]);
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

  it("promises, then reports what a command led to, in the slice of the node's next heartbeat", () => {
    expect(host.nextReportSlice()).toBe(Infinity);
    host.receive(commands(0, (writer) => writer.launchMap(1, SECOND, topology.slotStart[1]!, 0, 3 * SECOND, null)));
    expect(host.nextReportSlice()).toBe(2);
    const { words, length } = host.collect(1);
    expect([words.length > 0, length]).toEqual([true, 0]);
    const frame = host.compute(2);
    codec.decode(frame!, REPORTS);
    const end = [1, SECOND, topology.slotStart[1], SECOND, SUCCEEDED];
    expect([codec.slice, ...codec.words.subarray(0, codec.length)]).toEqual([2, ...end]);
    expect([host.compute(3), host.nextReportSlice()]).toEqual([null, Infinity]);
  });

  it("reports a kill one heartbeat after the order, as ended at the order", () => {
    host.receive(commands(0, (writer) => writer.launchMap(1, SECOND, topology.slotStart[1]!, 0, 3000 * SECOND, null)));
    host.receive(commands(2, (writer) => writer.kill(1, 5 * SECOND, topology.slotStart[1]!)));
    expect(host.nextReportSlice()).toBe(4);
    expect([host.collect(2).length, host.collect(3).length]).toEqual([0, 0]);
    codec.decode(host.compute(4)!, REPORTS);
    expect([codec.slice, ...codec.words.subarray(0, codec.length)]).toEqual([
      ...[4, 1, SECOND, topology.slotStart[1], 4 * SECOND, WAS_KILLED],
    ]);
    expect([host.compute(5), host.nextReportSlice()]).toEqual([null, Infinity]);
  });

  it("tells of what is to come, and anew when it is killed before", () => {
    const slot = topology.slotStart[1]!;
    host.receive(commands(0, (writer) => writer.launchMap(1, SECOND, slot, 0, 300 * SECOND, null)));
    codec.decode(host.compute(1)!, REPORTS);
    // It ends at 301 s, on the heartbeat of the node; the second slice began at 2 s.
    const predicted = [1, 299 * SECOND, slot, 0, SUCCEEDED];
    expect([codec.slice, ...codec.words.subarray(0, codec.length)]).toEqual([1, ...predicted]);
    expect(host.nextReportSlice()).toBe(Infinity);
    host.receive(commands(2, (writer) => writer.kill(1, 5 * SECOND, slot)));
    codec.decode(host.compute(4)!, REPORTS);
    const killed = [1, SECOND, slot, 4 * SECOND, WAS_KILLED];
    expect([codec.slice, ...codec.words.subarray(0, codec.length)]).toEqual([4, ...killed]);
    host.receive(commands(4, (writer) => writer.launchMap(1, 9 * SECOND, slot, 0, SECOND, null)));
    expect(host.nextReportSlice()).toBe(6);
  });

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
