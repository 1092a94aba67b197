import { assert } from "../../kernel/assert.js";
import type { EventSet } from "../../kernel/event-set.js";
import { US_PER_SECOND } from "../../kernel/time.js";
import type { ClusterSpec } from "../../scenario/cluster-spec.js";
import type { IoSpec, RuntimeSpec } from "../../scenario/runtime-spec.js";
import type { Heartbeats } from "../heartbeats.js";
import type { FaultState } from "../faults.js";
import { diskUs, type NominalNode, nominalNode } from "../rack.js";
import {
  HAS_FAILED,
  type LaunchDetail,
  type MapDetail,
  type ReduceDetail,
  SOURCE_LOST,
  SUCCEEDED,
  WANTS_COMMIT,
  WAS_KILLED,
} from "../protocol.js";
import type { Topology } from "../topology.js";
import { type Agenda, END_REPORT, TIMER } from "./agenda.js";
import type { ComputeGate } from "./compute-gate.js";
import type { RackIo } from "./rack-io.js";

/**
 * The attempts of a detailed rack: their table, the stages that each goes through, how long a stage takes, the bytes it moves, and on
 * which heartbeat its end is reported. Knows nothing of commands, of faults but which nodes are down, nor of the master.
 */

const MILLION = 1_000_000;

/** Stages of an attempt, in the order in which a map, or a reduce, goes through them. */
export const FREE = 0;
export const START = 1;
export const READ = 2;
const FETCH = 3;
/** A reduce has fetched everything and waits until it may compute: see compute-gate.ts. */
const PARKED = 4;
const COMPUTE = 5;
/** A map writes its output to its own disk, a reduce to the file system. */
const WRITE = 6;
/** Ended; the next heartbeat says how. */
export const ENDED = 7;
/** Its work is done, the master knows, and it waits for leave to commit. */
const ASKING = 8;
const COMMITTING = 9;

/**
 * The attempts of one rack by their places: its slots, then once more as many for those that commit while their slot has
 * been given away. Bytes and times are what is left to be done, or was set out to be.
 */
export class AttemptTable {
  /** Slots of the rack. */
  readonly slots: number;
  /** The first of them in the cluster, and how many the cluster has. */
  readonly firstSlot: number;
  readonly slotsOfCluster: number;
  readonly nodeOfSlot: Int32Array;
  readonly stage: Uint8Array;
  readonly isMap: Uint8Array;
  readonly commits: Uint8Array;
  /** It has been killed, and will be reported so, but its process is not dead yet. */
  readonly dies: Uint8Array;
  readonly launchUs: Float64Array;
  readonly failsAt: Int32Array;
  /** The node it reads from, by its number in the cluster; -1: none. */
  readonly source: Int32Array;
  /** A map's input; for a reduce all the map output that it fetches. */
  readonly inputBytes: Float64Array;
  /** Of a reduce: how much of that it has been let fetch so far. */
  readonly givenBytes: Float64Array;
  /** Which of its two flows run: bits 1 and 2. */
  readonly flowing: Uint8Array;
  readonly outputBytes: Float64Array;
  /** Millionths of the map output that it may fetch, and whether that is all. */
  readonly available: Int32Array;
  readonly mapsDone: Uint8Array;
  /** When the stage that goes by time began, or it asked for leave. */
  readonly sinceUs: Float64Array;
  /** Time that it computes, on a node of speed 1. */
  readonly computeUs: Float64Array;
  /** Light model, a reduce: when its copies end, but for the last map's. */
  readonly copiedUs: Float64Array;
  readonly tailUs: Float64Array;
  readonly endUs: Float64Array;
  /** What the report will say: see protocol.ts. */
  readonly outcome: Uint8Array;

  constructor(
    private readonly topology: Topology,
    rack: number,
  ) {
    const { rackSlotStart, racks, rackStart, rackNodes } = topology;
    this.firstSlot = rackSlotStart[rack];
    this.slots = rackSlotStart[rack + 1] - this.firstSlot;
    this.slotsOfCluster = rackSlotStart[racks];
    this.nodeOfSlot = new Int32Array(this.slots);
    for (const node of rackNodes.subarray(rackStart[rack], rackStart[rack + 1])) {
      this.nodeOfSlot.fill(node, ...this.slotsOf(node));
    }
    const places = 2 * this.slots;
    this.stage = new Uint8Array(places);
    this.isMap = new Uint8Array(places);
    this.commits = new Uint8Array(places);
    this.dies = new Uint8Array(places);
    this.launchUs = new Float64Array(places);
    this.failsAt = new Int32Array(places);
    this.source = new Int32Array(places);
    this.inputBytes = new Float64Array(places);
    this.givenBytes = new Float64Array(places);
    this.flowing = new Uint8Array(places);
    this.outputBytes = new Float64Array(places);
    this.available = new Int32Array(places);
    this.mapsDone = new Uint8Array(places);
    this.sinceUs = new Float64Array(places);
    this.computeUs = new Float64Array(places);
    this.copiedUs = new Float64Array(places);
    this.tailUs = new Float64Array(places);
    this.endUs = new Float64Array(places);
    this.outcome = new Uint8Array(places);
  }

  nodeOf(place: number): number {
    return this.nodeOfSlot[place < this.slots ? place : place - this.slots];
  }

  /** The first slot of a node of this rack, and the one after its last. */
  slotsOf(node: number): readonly [number, number] {
    const { slotStart, mapSlots, reduceSlots } = this.topology;
    const first = slotStart[node] - this.firstSlot;
    return [first, first + mapSlots[node] + reduceSlots[node]];
  }

  /** The local number of a place in the cluster, which must be on that node. */
  placeOf(place: number, node: number): number {
    const aside = place >= this.slotsOfCluster;
    const slot = (aside ? place - this.slotsOfCluster : place) - this.firstSlot;
    assert(slot >= 0 && this.nodeOfSlot[slot] === node, "the slot is not on that node");
    return aside ? slot + this.slots : slot;
  }

  placeInCluster(place: number): number {
    const { slots, firstSlot } = this;
    return place < slots ? place + firstSlot : place - slots + firstSlot + this.slotsOfCluster;
  }

  begin(place: number, atUs: number, isMap: boolean, detail: LaunchDetail): void {
    this.stage[place] = START;
    this.isMap[place] = isMap ? 1 : 0;
    this.launchUs[place] = atUs;
    this.commits[place] = detail.commits ? 1 : 0;
    this.failsAt[place] = detail.failsAt;
    this.dies[place] = 0;
    this.source[place] = -1;
    this.inputBytes[place] = 0;
    this.givenBytes[place] = 0;
    this.flowing[place] = 0;
    this.outputBytes[place] = 0;
    this.available[place] = 0;
    this.mapsDone[place] = 0;
  }

  /** The attempt leaves its slot and goes on asking for leave to commit; its new place. */
  stepAside(place: number, atUs: number): number {
    const aside = place + this.slots;
    this.stage[aside] = ASKING;
    this.sinceUs[aside] = atUs;
    this.isMap[aside] = this.isMap[place];
    this.launchUs[aside] = this.launchUs[place];
    this.commits[aside] = 0;
    this.dies[aside] = 0;
    this.stage[place] = FREE;
    return aside;
  }
}

interface AttemptRunsParts {
  readonly topology: Topology;
  readonly runtime: RuntimeSpec;
  readonly cluster: Pick<ClusterSpec, "racks">;
  readonly agenda: Agenda;
  readonly table: AttemptTable;
  /** null in the light model, where attempts take their time and move no bytes. */
  readonly flows: AttemptFlows | null;
  readonly speed: ComputingSpeed;
  /** null: a reduce that has copied everything computes. */
  readonly gate: ComputeGate | null;
  readonly reports: ReportCalendar;
  readonly faults: FaultState;
  /** One task more, or fewer, computes on the node. */
  readonly onLoad: (node: number, atUs: number, change: number) => void;
}

/** Takes the attempts of a rack through their stages. Places are those of the table. */
export class AttemptRuns {
  /** When stages that go by time end. */
  readonly timers: EventSet;
  private readonly topology: Topology;
  private readonly runtime: RuntimeSpec;
  private readonly table: AttemptTable;
  private readonly flows: AttemptFlows | null;
  private readonly speed: ComputingSpeed;
  private readonly gate: ComputeGate | null;
  private readonly reports: ReportCalendar;
  private readonly faults: FaultState;
  private readonly onLoad: AttemptRunsParts["onLoad"];
  private readonly mapFactor: readonly number[];
  private readonly nominal: NominalNode;

  constructor(parts: AttemptRunsParts) {
    this.topology = parts.topology;
    this.runtime = parts.runtime;
    this.table = parts.table;
    this.flows = parts.flows;
    this.speed = parts.speed;
    this.gate = parts.gate;
    this.reports = parts.reports;
    this.faults = parts.faults;
    this.onLoad = parts.onLoad;
    this.nominal = nominalNode(parts.cluster);
    const { node, rack, row, any } = parts.runtime.localityFactor;
    this.mapFactor = [node, rack, any, node, row];
    this.timers = parts.agenda.calendar(TIMER, 2 * parts.table.slots);
  }

  launchMap(node: number, atUs: number, place: number, level: number, lengthUs: number, detail: MapDetail): void {
    const { table, flows, runtime } = this;
    const startUs = this.begin(place, atUs, true, detail);
    if (flows === null) {
      table.computeUs[place] = slowed(lengthUs * this.mapFactor[level], detail.slowdown);
      // It computes from its start on and no sooner: what counts it meanwhile must not see when the command came.
      if (startUs === atUs) this.compute(place, node, startUs);
      else this.timers.add(place, startUs);
      return;
    }
    const inputBytes = detail.sourceNode < 0 ? 0 : detail.inputBytes;
    table.source[place] = detail.sourceNode;
    table.inputBytes[place] = inputBytes;
    table.outputBytes[place] = detail.outputBytes;
    const computeUs = mapComputeUs(lengthUs, inputBytes, detail.outputBytes, runtime.io, this.nominal);
    table.computeUs[place] = slowed(computeUs, detail.slowdown);
    this.timers.add(place, startUs + runtime.io.taskStartUs);
  }

  launchReduce(
    atUs: number,
    place: number,
    copyUs: number,
    reduceUs: number,
    tailUs: number,
    mapsDone: boolean,
    detail: ReduceDetail,
  ): void {
    const { table, flows, gate, runtime } = this;
    const startUs = this.begin(place, atUs, false, detail);
    gate?.launched(place, detail.rank, atUs);
    table.mapsDone[place] = mapsDone ? 1 : 0;
    if (flows === null) {
      table.stage[place] = FETCH;
      table.computeUs[place] = slowed(reduceUs, detail.slowdown);
      table.copiedUs[place] = startUs + copyUs;
      table.tailUs[place] = tailUs;
      if (mapsDone) this.timers.add(place, table.copiedUs[place]);
      return;
    }
    table.inputBytes[place] = detail.fetchBytes;
    table.outputBytes[place] = detail.outputBytes;
    table.available[place] = mapsDone ? MILLION : detail.available;
    const computeUs = reduceComputeUs(reduceUs, detail.outputBytes, runtime.io, this.nominal);
    table.computeUs[place] = slowed(computeUs, detail.slowdown);
    this.timers.add(place, startUs + runtime.io.taskStartUs);
  }

  /** More of the map output is there for the reduce; in the light model only the end of it matters. */
  mapsAdvanced(place: number, atUs: number, available: number, mapsDone: boolean): void {
    const { table, flows, gate } = this;
    const stage = table.stage[place];
    if (stage !== START && stage !== FETCH) return;
    assert(table.mapsDone[place] === 0, "a reduce was told twice that its maps have finished");
    gate?.ordered(place, atUs);
    table.mapsDone[place] = mapsDone ? 1 : 0;
    table.available[place] = available;
    if (flows !== null) {
      if (stage === FETCH) this.fetch(place, atUs);
    } else if (mapsDone) {
      this.timers.add(place, Math.max(table.copiedUs[place], atUs + table.tailUs[place]));
    }
  }

  /** The attempt gets leave: it looks for that once in a while, then commits. */
  commit(place: number, atUs: number): void {
    const { table, runtime } = this;
    assert(table.stage[place] === ASKING && runtime.commit !== null, "leave to commit that nobody asked for");
    table.stage[place] = COMMITTING;
    const { pollUs, commitUs } = runtime.commit;
    // The heartbeat at that instant is over: what ends by its reply is said on the next.
    table.endUs[place] = atUs + Math.max(1, pollUs + commitUs);
    this.timers.add(place, table.endUs[place]);
  }

  /**
   * The attempt ends at `atUs`, whatever it has done since; its node says so on a later heartbeat. What it shares with
   * others it holds until `bury`: they may have gone on already when the order comes.
   */
  kill(place: number, atUs: number, reportFromUs: number): void {
    const { table, reports } = this;
    const stage = table.stage[place];
    assert(stage !== FREE && table.dies[place] === 0, "an attempt was killed that does not run");
    table.dies[place] = 1;
    reports.remove(place);
    if (stage !== ENDED && place >= table.slots) this.leave(place, atUs);
    table.endUs[place] = atUs;
    table.outcome[place] = WAS_KILLED;
    reports.add(place, this.table.nodeOf(place), atUs, reportFromUs);
  }

  /** An attempt is there that has not ended. */
  isAlive(place: number): boolean {
    const { stage } = this.table;
    return stage[place] !== FREE && stage[place] !== ENDED;
  }

  /** The process of a killed attempt is dead. */
  bury(place: number, atUs: number): void {
    if (this.table.stage[place] !== ENDED) this.leave(place, atUs);
    this.flows?.stop(place, atUs);
  }

  /** The attempt is no more: its node has crashed. Nobody will report it. */
  vanish(place: number, atUs: number): void {
    const { table, reports, flows } = this;
    if (table.stage[place] === FREE) return;
    reports.remove(place);
    if (table.stage[place] !== ENDED) this.leave(place, atUs);
    if (place < table.slots) flows?.stop(place, atUs);
    table.stage[place] = FREE;
  }

  /** The node that the attempt reads from has gone. */
  sourceLost(place: number, atUs: number): void {
    this.leave(place, atUs);
    this.end(place, atUs, SOURCE_LOST, atUs);
  }

  /** The node computes at another speed from now on: what it computes ends earlier or later. */
  retime(place: number): void {
    if (this.table.stage[place] !== COMPUTE) return;
    this.timers.remove(place);
    this.timers.add(place, this.computedUs(place));
  }

  /** The next timed stage is over. */
  runTimer(): void {
    const { table, flows } = this;
    const atUs = this.timers.peekAtUs();
    const place = this.timers.pop();
    const node = this.table.nodeOf(place);
    switch (table.stage[place]) {
      case START:
        if (table.isMap[place] === 0) {
          table.stage[place] = FETCH;
          return this.fetch(place, atUs);
        }
        return this.read(place, node, atUs);
      case FETCH:
        return this.askToCompute(place, node, atUs);
      case COMPUTE:
        this.onLoad(node, atUs, -1);
        if (table.failsAt[place] >= 0) return this.end(place, atUs, HAS_FAILED, atUs);
        if (flows === null || table.outputBytes[place] === 0) return this.succeed(place, atUs);
        table.stage[place] = WRITE;
        return flows.write(place, node, atUs);
      case COMMITTING:
        return this.end(place, atUs, SUCCEEDED, atUs);
      default:
        assert(false, "a stage ended that does not go by time");
    }
  }

  /** A flow of the attempt is through. */
  flowDone(place: number, atUs: number): void {
    const { table } = this;
    switch (table.stage[place]) {
      case START:
        // Its input came from another rack before it was ready for it.
        table.inputBytes[place] = 0;
        return;
      case READ:
        return this.compute(place, this.table.nodeOf(place), atUs);
      case FETCH:
        return this.fetch(place, atUs);
      case WRITE:
        return this.succeed(place, atUs);
      default:
      // It was killed meanwhile.
    }
  }

  /** Share of its work that the attempt has done, 0 to 1. A reduce's fetching counts for a third (Hadoop). */
  progress(place: number, atUs: number): number {
    const { table, flows, nominal } = this;
    const stage = table.stage[place];
    if (stage === ENDED || stage === ASKING || stage === COMMITTING) return 1;
    const computed = stage === COMPUTE ? this.computedShare(place, atUs) : stage > COMPUTE ? 1 : 0;
    const written = stage === WRITE && flows !== null ? flows.share(place, table.outputBytes[place], atUs) : 0;
    if (table.isMap[place] === 0) {
      const fetched = stage > FETCH ? 1 : (flows?.fetchedShare(place, atUs) ?? this.copiedShare(place, atUs));
      return fetched / 3 + (2 * (computed + written)) / (table.outputBytes[place] > 0 ? 6 : 3);
    }
    const readUs = diskUs(table.inputBytes[place], nominal);
    const writeUs = diskUs(table.outputBytes[place], nominal);
    const computeUs = table.computeUs[place];
    const read =
      stage > READ ? 1 : stage === READ && flows !== null ? flows.share(place, table.inputBytes[place], atUs) : 0;
    const totalUs = readUs + computeUs + writeUs;
    return totalUs === 0 ? 0 : (read * readUs + computed * computeUs + written * writeUs) / totalUs;
  }

  /** Enters the attempt; when it can start: not before one that commits has given the slot up, and with the file it needs. */
  private begin(place: number, atUs: number, isMap: boolean, detail: MapDetail | ReduceDetail): number {
    const { table } = this;
    assert(table.stage[place] === FREE, "a slot was given away twice");
    table.begin(place, atUs, isMap, detail);
    const aside = place + table.slots;
    // The rack may be past the end of that commit already: commands come up to a lookahead late.
    return detail.prepareUs + (table.stage[aside] === FREE ? atUs : Math.max(atUs, table.endUs[aside]));
  }

  private read(place: number, node: number, atUs: number): void {
    const { table, flows, topology, faults } = this;
    table.stage[place] = READ;
    const source = table.source[place];
    if (flows === null || table.inputBytes[place] === 0) return this.compute(place, node, atUs);
    if (topology.rackOf[source] !== topology.rackOf[node]) return;
    if (faults.isDown(source)) return this.sourceLost(place, atUs);
    flows.read(place, node, atUs);
  }

  /** Goes on fetching what is there; computes once all has come. */
  private fetch(place: number, atUs: number): void {
    const { table, flows } = this;
    if (flows === null || flows.fetch(place, this.table.nodeOf(place), atUs)) return;
    if (table.mapsDone[place] !== 0) this.askToCompute(place, this.table.nodeOf(place), atUs);
  }

  /** The reduce has copied everything. */
  private askToCompute(place: number, node: number, atUs: number): void {
    const { gate, table } = this;
    if (gate !== null && gate.opensUs(place) > atUs) this.timers.add(place, gate.opensUs(place));
    else if (gate === null || gate.mayPass(place, atUs)) this.compute(place, node, atUs);
    else table.stage[place] = PARKED;
  }

  /** The attempt has what it needs, and begins to compute. */
  compute(place: number, node: number, atUs: number): void {
    const { table } = this;
    table.stage[place] = COMPUTE;
    table.sinceUs[place] = atUs;
    this.onLoad(node, atUs, 1);
    this.timers.add(place, this.computedUs(place));
  }

  /** When its computing ends, or fails. In the light model it takes a microsecond at least. */
  private computedUs(place: number): number {
    const { table, speed, flows } = this;
    const sinceUs = table.sinceUs[place];
    const failsAt = table.failsAt[place];
    const workUs = failsAt < 0 ? table.computeUs[place] : (table.computeUs[place] * failsAt) / MILLION;
    return Math.max(sinceUs + (flows === null ? 1 : 0), speed.endUs(this.table.nodeOf(place), sinceUs, workUs));
  }

  private succeed(place: number, atUs: number): void {
    this.end(place, atUs, this.table.commits[place] !== 0 ? WANTS_COMMIT : SUCCEEDED, atUs);
  }

  private end(place: number, atUs: number, outcome: number, reportFromUs: number): void {
    const { table, gate, reports } = this;
    table.stage[place] = ENDED;
    gate?.left(place, atUs);
    if (table.dies[place] !== 0) return;
    table.endUs[place] = atUs;
    table.outcome[place] = outcome;
    reports.add(place, this.table.nodeOf(place), atUs, reportFromUs);
  }

  /** Whatever the attempt does, it does no longer; its flows are let go of elsewhere. */
  private leave(place: number, atUs: number): void {
    const { stage } = this.table;
    if (stage[place] === COMPUTE) this.onLoad(this.table.nodeOf(place), atUs, -1);
    this.timers.remove(place);
    stage[place] = ENDED;
    this.gate?.left(place, atUs);
  }

  private computedShare(place: number, atUs: number): number {
    const { table, speed } = this;
    const sinceUs = table.sinceUs[place];
    const wholeUs = speed.endUs(table.nodeOf(place), sinceUs, table.computeUs[place]) - sinceUs;
    return wholeUs <= 0 ? 1 : Math.max(0, Math.min(1, (atUs - sinceUs) / wholeUs));
  }

  /** Light model: by the time of the copies. */
  private copiedShare(place: number, atUs: number): number {
    const { launchUs, copiedUs } = this.table;
    const wholeUs = copiedUs[place] - launchUs[place];
    return wholeUs <= 0 ? 1 : Math.max(0, Math.min(1, (atUs - launchUs[place]) / wholeUs));
  }
}

/** What is left of a map's time for computing, on a node of speed 1. */
function mapComputeUs(
  lengthUs: number,
  inputBytes: number,
  outputBytes: number,
  { taskStartUs }: IoSpec,
  nominal: NominalNode,
): number {
  return Math.max(0, lengthUs - taskStartUs - diskUs(inputBytes, nominal) - diskUs(outputBytes, nominal));
}

/** What is left of the sorting and reducing time for computing. */
function reduceComputeUs(reduceUs: number, outputBytes: number, io: IoSpec, nominal: NominalNode): number {
  const { diskBytesPerSecond, linkBytesPerSecond } = nominal;
  const rate = io.outputReplication > 1 ? Math.min(diskBytesPerSecond, linkBytesPerSecond) : diskBytesPerSecond;
  return Math.max(0, reduceUs - io.taskStartUs - (outputBytes / rate) * US_PER_SECOND);
}

const AS_USUAL = 1000;

/** What takes so many thousandths of its usual time. */
function slowed(us: number, thousandths: number): number {
  return thousandths === AS_USUAL ? us : (us * thousandths) / AS_USUAL;
}

interface Slowing {
  readonly atUs: number;
  readonly factor: number;
}

/**
 * How fast the nodes of a rack compute, over time. It remembers every change, so that a command which arrives after the
 * rack has gone on finds the speed that held at its own time.
 */
export class ComputingSpeed {
  private readonly history = new Map<number, Slowing[]>();

  constructor(private readonly topology: Topology) {}

  /** From `atUs` on the node's speed is divided by `factor`. Calls come in order of time. */
  change(node: number, atUs: number, factor: number): void {
    const changes = this.history.get(node);
    if (changes === undefined) this.history.set(node, [{ atUs, factor }]);
    else changes.push({ atUs, factor });
  }

  /** When `workUs` of computing, on a node of speed 1, that begins at `fromUs` is done, as far as is known. */
  endUs(node: number, fromUs: number, workUs: number): number {
    const speed = this.topology.speed[node];
    const changes = this.history.size > 0 ? this.history.get(node) : undefined;
    if (changes === undefined) return fromUs + Math.round(workUs / speed);
    let nowUs = fromUs;
    let leftUs = workUs;
    let factor = 1;
    for (const change of changes) {
      if (change.atUs > nowUs) {
        const done = ((change.atUs - nowUs) * speed) / factor;
        if (done >= leftUs) break;
        leftUs -= done;
        nowUs = change.atUs;
      }
      factor = change.factor;
    }
    return nowUs + Math.round((leftUs * factor) / speed);
  }
}

const NEAR = 1;
const FAR = 2;
/** The first flow is the near end of a read from another rack, which is not stopped here. */
const CROSS = 4;

/** What the attempts of a rack read, fetch and write: their flows, by place. */
export class AttemptFlows {
  /** Share of map output that lies in this rack: map outputs are spread like map slots. */
  private readonly nearShare: number;

  constructor(
    private readonly io: RackIo,
    private readonly table: AttemptTable,
    topology: Topology,
    private readonly runtime: RuntimeSpec,
  ) {
    let slots = 0;
    for (let i = topology.rackStart[io.rack]; i < topology.rackStart[io.rack + 1]; i++) {
      slots += topology.mapSlots[topology.rackNodes[i]];
    }
    this.nearShare = topology.racks === 1 ? 1 : slots / Math.max(1, topology.totalMapSlots);
  }

  /** A map's input from a node of this rack. */
  read(place: number, node: number, atUs: number): void {
    this.table.flowing[place] = NEAR;
    this.io.read(2 * place, atUs, node, this.table.source[place], this.table.inputBytes[place]);
  }

  /** Output of a map goes to its own disk, that of a reduce to the file system. */
  write(place: number, node: number, atUs: number): void {
    const { table, runtime } = this;
    table.flowing[place] = NEAR;
    const replicas = table.isMap[place] !== 0 ? 1 : runtime.io.outputReplication;
    this.io.write(2 * place, atUs, node, table.outputBytes[place], replicas);
  }

  /** Lets a reduce fetch what has become available. Returns whether it still fetches. */
  fetch(place: number, node: number, atUs: number): boolean {
    const { table } = this;
    const total = table.inputBytes[place];
    const there = table.mapsDone[place] !== 0 ? total : (total * table.available[place]) / MILLION;
    const more = there - table.givenBytes[place];
    if (more > 0) {
      table.givenBytes[place] = there;
      const near = more * this.nearShare;
      this.fetchMore(place, node, atUs, near, NEAR);
      this.fetchMore(place, node, atUs, more - near, FAR);
    }
    return (table.flowing[place] & (NEAR | FAR)) !== 0;
  }

  /** A flow is through; the place it belongs to. */
  done(handle: number): number {
    const place = handle >> 1;
    this.table.flowing[place] &= ~(1 << (handle & 1));
    return place;
  }

  /** A read from another rack has been opened for the attempt, or is over. */
  setCross(place: number, isOpen: boolean): void {
    if (isOpen) this.table.flowing[place] |= CROSS;
    else this.table.flowing[place] &= ~CROSS;
  }

  /** Whatever the attempt moves is given up, but for a read from another rack. */
  stop(place: number, atUs: number): void {
    const { table, io } = this;
    if ((table.flowing[place] & NEAR) !== 0) io.flows.stop(2 * place, atUs);
    if ((table.flowing[place] & FAR) !== 0) io.flows.stop(2 * place + 1, atUs);
    table.flowing[place] &= CROSS;
  }

  /** Share of `bytes` that has been moved; 0 while its read from another rack has not begun. */
  share(place: number, bytes: number, atUs: number): number {
    if (bytes === 0) return 1;
    const { table, io } = this;
    const runs = (table.flowing[place] & (NEAR | CROSS)) !== 0;
    return runs ? 1 - io.flows.left(2 * place, atUs) / bytes : 0;
  }

  fetchedShare(place: number, atUs: number): number {
    const { table, io } = this;
    const total = table.inputBytes[place];
    if (total === 0) return table.mapsDone[place];
    let fetched = table.givenBytes[place];
    if ((table.flowing[place] & NEAR) !== 0) fetched -= io.flows.left(2 * place, atUs);
    if ((table.flowing[place] & FAR) !== 0) fetched -= io.flows.left(2 * place + 1, atUs);
    return fetched / total;
  }

  private fetchMore(place: number, node: number, atUs: number, bytes: number, which: 1 | 2): void {
    if (bytes <= 0) return;
    const { table, io } = this;
    const handle = 2 * place + which - 1;
    if ((table.flowing[place] & which) !== 0) return io.flows.extend(handle, atUs, bytes);
    table.flowing[place] |= which;
    io.fetch(handle, atUs, node, bytes, which === FAR);
  }
}

/**
 * On which heartbeat each ended attempt of a rack will be reported: the first regular one of its node, or the out-of-band
 * one that its own end causes. A heartbeat reports everything that has ended by then.
 */
export class ReportCalendar {
  /** No heartbeat before this can tell anything new. */
  floorUs = 0;
  private readonly due: EventSet;

  constructor(
    places: number,
    private readonly heartbeats: Heartbeats,
    private readonly outOfBandDelayUs: number,
    agenda: Agenda,
  ) {
    this.due = agenda.calendar(END_REPORT, places);
  }

  nextUs(): number {
    return this.due.peekAtUs();
  }

  /** An attempt that ended at `endUs`, to be reported on a heartbeat at `noSoonerUs` or later. */
  add(place: number, node: number, endUs: number, noSoonerUs: number): void {
    const fromUs = Math.max(noSoonerUs, this.floorUs);
    const regularUs = this.heartbeats.firstAtOrAfter(node, fromUs);
    const delayUs = this.outOfBandDelayUs;
    this.due.add(place, delayUs > 0 ? Math.min(regularUs, Math.max(fromUs, endUs + delayUs)) : regularUs, endUs);
  }

  /** Moves a report to another heartbeat. */
  move(place: number, atUs: number, endUs: number): void {
    this.due.remove(place);
    this.due.add(place, atUs, endUs);
  }

  /** The place that is reported next. */
  take(): number {
    return this.due.pop();
  }

  remove(place: number): void {
    this.due.remove(place);
  }
}
