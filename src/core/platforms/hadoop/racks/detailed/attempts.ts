import { assert, bytes, Columns, type EventSet, floats, ints, Lists, US_PER_SECOND } from "../../../../kernel/index.js";
import type { IoSpec, RuntimeSpec } from "../../../../scenario/index.js";
import type { Heartbeats } from "../heartbeats.js";
import type { FaultState, Topology } from "../../../../cluster/index.js";
import { diskUs, type NominalNode } from "../rack.js";
import {
  bytesThere,
  HAS_FAILED,
  type LaunchDetail,
  type MapDetail,
  type ReduceDetail,
  SOURCE_LOST,
  SUCCEEDED,
  WANTS_COMMIT,
  WAS_KILLED,
} from "../protocol.js";
import { type Agenda, END_REPORT, TIMER } from "./agenda.js";
import type { ComputeGate } from "./compute-gate.js";
import type { FarSides } from "./far-sides.js";
import type { RackIo } from "./rack-io.js";

/**
 * The attempts of a detailed rack: their table, the stages that each goes through, how long a stage takes, the bytes it
 * moves, and on which heartbeat its end is reported. Knows nothing of commands or the master, and of faults only which
 * nodes are down.
 */

const MILLION = 1_000_000;

/** Stages of an attempt, in the order in which a map, or a reduce, goes through them. */
export const FREE = 0;
export const START = 1;
export const READ = 2;
export const FETCH = 3;
/** A reduce has fetched everything and waits until it may compute: see compute-gate.ts. */
const PARKED = 4;
const COMPUTE = 5;
/** A map writes its output to its own disk, a reduce to the file system. */
export const WRITE = 6;
/** Ended; the next heartbeat reports the outcome. */
export const ENDED = 7;
/** The work is done and the master knows; the attempt waits for permission to commit. */
const ASKING = 8;
const COMMITTING = 9;

/**
 * The attempts of one rack by their places: its slots, then once more as many for those that commit while their slot
 * has been given away. Bytes and times are what is left to be done, or was set out to be.
 */
export class AttemptTable extends Columns {
  /** Slots of the rack. */
  readonly slots: number;
  /** The first of them in the cluster, and how many the cluster has. */
  readonly firstSlot: number;
  readonly slotsOfCluster: number;
  /** The node of the place, whatever attempt holds it. */
  readonly nodeOf = ints();
  readonly stage = bytes();
  readonly isMap = bytes();
  readonly commits = bytes();
  /** It has been killed, and will be reported so, but its process is not dead yet. */
  readonly dies = bytes();
  readonly failsAt = ints();
  /** The node it reads from, by its number in the cluster; -1: none. */
  readonly source = ints();
  /** Which of its two flows run: bits 1 and 2. */
  readonly flowing = bytes();
  /** The part of the map output that a reduce may fetch, in millionths, and whether that is all. */
  readonly available = ints();
  readonly mapsDone = bytes();
  /** The outcome for the report: see protocol.ts. */
  readonly outcome = bytes();
  /** A map's input; for a reduce all the map output that it fetches. */
  readonly inputBytes = floats();
  /** The part of the input that a reduce may fetch so far. */
  readonly givenBytes = floats();
  readonly outputBytes = floats();
  /** Start of a stage that takes a fixed time, or of the request for permission to commit. */
  readonly sinceUs = floats();
  /** Compute time on a node of speed 1. */
  readonly computeUs = floats();
  readonly endUs = floats();
  readonly launchUs = floats();
  /** Light model, a reduce: when its copies end, but for the last map's. */
  readonly copiedUs = floats();
  readonly tailUs = floats();

  constructor(
    private readonly topology: Topology,
    rack: number,
  ) {
    super();
    const { rackSlotStart, racks } = topology;
    this.firstSlot = rackSlotStart[rack];
    this.slots = rackSlotStart[rack + 1] - this.firstSlot;
    this.slotsOfCluster = rackSlotStart[racks];
    this.makeRoom(2 * this.slots);
    const nodeOfSlot = topology.nodeOfSlot.subarray(this.firstSlot, this.firstSlot + this.slots);
    for (const first of [0, this.slots]) this.nodeOf.set(nodeOfSlot, first);
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
    assert(slot >= 0 && this.nodeOf[slot] === node, "the slot is not on that node");
    return aside ? slot + this.slots : slot;
  }

  placeInCluster(place: number): number {
    const { slots, firstSlot } = this;
    return place < slots ? place + firstSlot : place - slots + firstSlot + this.slotsOfCluster;
  }

  begin(place: number, atUs: number, isMap: boolean, detail: LaunchDetail): void {
    this.stage[place] = START;
    this.isMap[place] = isMap ? 1 : 0;
    this.commits[place] = detail.commits ? 1 : 0;
    this.failsAt[place] = detail.failsAt;
    this.source[place] = -1;
    this.dies[place] = this.flowing[place] = this.available[place] = this.mapsDone[place] = 0;
    this.inputBytes[place] = this.givenBytes[place] = this.outputBytes[place] = 0;
    this.launchUs[place] = atUs;
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
  readonly nominal: NominalNode;
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
  /** Ends of stages that go by time. */
  readonly timers: EventSet;
  private readonly mapFactor: readonly number[];

  constructor(private readonly parts: AttemptRunsParts) {
    const { node, rack, row, any } = parts.runtime.localityFactor;
    this.mapFactor = [node, rack, any, node, row];
    this.timers = parts.agenda.calendar(TIMER, 2 * parts.table.slots);
  }

  launchMap(node: number, atUs: number, place: number, level: number, lengthUs: number, detail: MapDetail): void {
    const { table, flows, runtime } = this.parts;
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
    const computeUs = mapComputeUs(lengthUs, inputBytes, detail.outputBytes, runtime.io, this.parts.nominal);
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
    const { table, flows, gate, runtime } = this.parts;
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
    const computeUs = reduceComputeUs(reduceUs, detail.outputBytes, runtime.io, this.parts.nominal);
    table.computeUs[place] = slowed(computeUs, detail.slowdown);
    this.timers.add(place, startUs + runtime.io.taskStartUs);
  }

  /** More of the map output is there for the reduce; in the light model only the end of it matters. */
  mapsAdvanced(place: number, atUs: number, available: number, mapsDone: boolean): void {
    const { table, flows, gate } = this.parts;
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
    const { table, runtime } = this.parts;
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
    const { table, reports } = this.parts;
    const stage = table.stage[place];
    assert(stage !== FREE && table.dies[place] === 0, "an attempt was killed that does not run");
    table.dies[place] = 1;
    reports.due.remove(place);
    if (stage !== ENDED && place >= table.slots) this.leave(place, atUs);
    table.endUs[place] = atUs;
    table.outcome[place] = WAS_KILLED;
    reports.add(place, table.nodeOf[place], atUs, reportFromUs);
  }

  /** An attempt is there that has not ended. */
  isAlive(place: number): boolean {
    const stage = this.parts.table.stage[place];
    return stage !== FREE && stage !== ENDED;
  }

  /** The process of a killed attempt is dead. */
  bury(place: number, atUs: number): void {
    if (this.parts.table.stage[place] !== ENDED) this.leave(place, atUs);
    this.parts.flows?.stop(place, atUs);
  }

  /** The attempt is gone with its node, which has crashed. It will not be reported. */
  vanish(place: number, atUs: number): void {
    const { table, reports, flows } = this.parts;
    if (table.stage[place] === FREE) return;
    reports.due.remove(place);
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
    if (this.parts.table.stage[place] !== COMPUTE) return;
    this.timers.remove(place);
    this.timers.add(place, this.computedUs(place));
  }

  /** The next timed stage is over. */
  runTimer(): void {
    const { table, flows } = this.parts;
    const atUs = this.timers.peekAtUs();
    const place = this.timers.pop();
    const node = table.nodeOf[place];
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
        this.parts.onLoad(node, atUs, -1);
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
    const { table } = this.parts;
    switch (table.stage[place]) {
      case START:
        // Its input came from another rack before it was ready for it.
        table.inputBytes[place] = 0;
        return;
      case READ:
        return this.compute(place, table.nodeOf[place], atUs);
      case FETCH:
        return this.fetch(place, atUs);
      case WRITE:
        if (this.parts.flows?.isMoving(place) !== true) this.succeed(place, atUs);
        break;
      default:
      // It was killed meanwhile.
    }
  }

  /** Share of its work that the attempt has done, 0 to 1. A reduce's fetching counts for a third (Hadoop). */
  progress(place: number, atUs: number): number {
    const { table, flows, nominal } = this.parts;
    const stage = table.stage[place];
    if (stage === ENDED || stage === ASKING || stage === COMMITTING) return 1;
    const computed = stage === COMPUTE ? this.computedShare(place, atUs) : stage > COMPUTE ? 1 : 0;
    const written = stage === WRITE && flows !== null ? flows.writtenShare(place, atUs) : 0;
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

  /**
   * Enters the attempt; when it can start: not before one that commits has given the slot up, and with the file it
   * needs.
   */
  private begin(place: number, atUs: number, isMap: boolean, detail: MapDetail | ReduceDetail): number {
    const { table } = this.parts;
    assert(table.stage[place] === FREE, "a slot was given away twice");
    table.begin(place, atUs, isMap, detail);
    this.parts.flows?.begin(place);
    const aside = place + table.slots;
    // The rack may be past the end of that commit already: commands come up to a lookahead late.
    return detail.prepareUs + (table.stage[aside] === FREE ? atUs : Math.max(atUs, table.endUs[aside]));
  }

  private read(place: number, node: number, atUs: number): void {
    const { table, flows, topology, faults } = this.parts;
    table.stage[place] = READ;
    const source = table.source[place];
    if (flows === null || table.inputBytes[place] === 0) return this.compute(place, node, atUs);
    if (topology.rackOf[source] !== topology.rackOf[node]) return;
    if (faults.isDown(source)) return this.sourceLost(place, atUs);
    flows.read(place, node, atUs);
  }

  /** Goes on fetching what is there; computes once all has come. */
  private fetch(place: number, atUs: number): void {
    const { table, flows } = this.parts;
    if (flows === null || flows.fetch(place, table.nodeOf[place], atUs)) return;
    if (table.mapsDone[place] !== 0) this.askToCompute(place, table.nodeOf[place], atUs);
  }

  /** The reduce has copied everything. */
  private askToCompute(place: number, node: number, atUs: number): void {
    const { gate, table } = this.parts;
    if (gate !== null && gate.opensUs(place) > atUs) this.timers.add(place, gate.opensUs(place));
    else if (gate === null || gate.mayPass(place, atUs)) this.compute(place, node, atUs);
    else table.stage[place] = PARKED;
  }

  /** The attempt has what it needs, and begins to compute. */
  compute(place: number, node: number, atUs: number): void {
    const { table } = this.parts;
    table.stage[place] = COMPUTE;
    table.sinceUs[place] = atUs;
    this.parts.onLoad(node, atUs, 1);
    this.timers.add(place, this.computedUs(place));
  }

  /** When its computing ends, or fails. In the light model it takes a microsecond at least. */
  private computedUs(place: number): number {
    const { table, speed, flows } = this.parts;
    const sinceUs = table.sinceUs[place];
    const failsAt = table.failsAt[place];
    const workUs = failsAt < 0 ? table.computeUs[place] : (table.computeUs[place] * failsAt) / MILLION;
    return Math.max(sinceUs + (flows === null ? 1 : 0), speed.endUs(table.nodeOf[place], sinceUs, workUs));
  }

  private succeed(place: number, atUs: number): void {
    this.parts.flows?.endReplicas(place, atUs, false);
    this.end(place, atUs, this.parts.table.commits[place] !== 0 ? WANTS_COMMIT : SUCCEEDED, atUs);
  }

  private end(place: number, atUs: number, outcome: number, reportFromUs: number): void {
    const { table, gate, reports } = this.parts;
    table.stage[place] = ENDED;
    gate?.attemptLeft(place, atUs);
    if (table.dies[place] !== 0) return;
    table.endUs[place] = atUs;
    table.outcome[place] = outcome;
    reports.add(place, table.nodeOf[place], atUs, reportFromUs);
  }

  /** Ends the attempt's current activity; its flows are released elsewhere. */
  private leave(place: number, atUs: number): void {
    const { table, gate, onLoad } = this.parts;
    if (table.stage[place] === COMPUTE) onLoad(table.nodeOf[place], atUs, -1);
    this.timers.remove(place);
    table.stage[place] = ENDED;
    gate?.attemptLeft(place, atUs);
  }

  private computedShare(place: number, atUs: number): number {
    const { table, speed } = this.parts;
    const sinceUs = table.sinceUs[place];
    const wholeUs = speed.endUs(table.nodeOf[place], sinceUs, table.computeUs[place]) - sinceUs;
    return wholeUs <= 0 ? 1 : Math.max(0, Math.min(1, (atUs - sinceUs) / wholeUs));
  }

  /** Light model: by the time of the copies. */
  private copiedShare(place: number, atUs: number): number {
    const { table } = this.parts;
    const launchUs = table.launchUs[place];
    const wholeUs = table.copiedUs[place] - launchUs;
    return wholeUs <= 0 ? 1 : Math.max(0, Math.min(1, (atUs - launchUs) / wholeUs));
  }
}

/** Returns the computing time of a map after its reads and writes, on a node of speed 1. */
function mapComputeUs(
  lengthUs: number,
  inputBytes: number,
  outputBytes: number,
  { taskStartUs }: IoSpec,
  nominal: NominalNode,
): number {
  return Math.max(0, lengthUs - taskStartUs - diskUs(inputBytes, nominal) - diskUs(outputBytes, nominal));
}

/** Returns the computing time of the sorting and reducing phase, on a node of speed 1. */
function reduceComputeUs(reduceUs: number, outputBytes: number, io: IoSpec, nominal: NominalNode): number {
  const { diskBytesPerSecond, linkBytesPerSecond } = nominal;
  const rate = io.outputReplication > 1 ? Math.min(diskBytesPerSecond, linkBytesPerSecond) : diskBytesPerSecond;
  return Math.max(0, reduceUs - io.taskStartUs - (outputBytes / rate) * US_PER_SECOND);
}

const AS_USUAL = 1000;

/** Returns a time at that many thousandths of its usual length. */
function slowed(us: number, thousandths: number): number {
  return thousandths === AS_USUAL ? us : (us * thousandths) / AS_USUAL;
}

interface Slowing {
  readonly atUs: number;
  readonly factor: number;
}

/**
 * The computing speed of the nodes of a rack over time. It remembers every change, so that a command which arrives
 * after the rack has gone on finds the speed that held at its own time.
 */
export class ComputingSpeed {
  private readonly history = new Lists<Slowing>();

  constructor(private readonly topology: Topology) {}

  /** From `atUs` on the node's speed is divided by `factor`. Calls come in order of time. */
  change(node: number, atUs: number, factor: number): void {
    this.history.add(node, { atUs, factor });
  }

  /** Returns the end of `workUs` of computing, on a node of speed 1, that begins at `fromUs`, as far as is known. */
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

/** The flows of a rack's attempts, by place: what they read, fetch and write. */
export class AttemptFlows {
  /** By place: what others send to it or take from it, in all, and how much of that they have moved. */
  private readonly owedBytes: Float64Array;
  private readonly movedBytes: Float64Array;
  /** By place: map output that nodes of this rack, and its own, will send and that it has not begun to fetch. */
  private readonly nearBytes: Float64Array;
  private readonly ownBytes: Float64Array;
  /** By place: what others did up to then was for attempts before. */
  private readonly staleUs: Float64Array;

  constructor(
    private readonly io: RackIo,
    private readonly table: AttemptTable,
    private readonly far: FarSides,
  ) {
    const places = 2 * table.slots;
    this.owedBytes = new Float64Array(places);
    this.movedBytes = new Float64Array(places);
    this.nearBytes = new Float64Array(places);
    this.ownBytes = new Float64Array(places);
    this.staleUs = new Float64Array(places).fill(-1);
  }

  /** An attempt begins there. */
  begin(place: number): void {
    this.owedBytes[place] = 0;
    this.movedBytes[place] = 0;
    this.nearBytes[place] = 0;
    this.ownBytes[place] = 0;
  }

  /** A node of this rack, perhaps its own, will send it so much map output. */
  expect(place: number, bytes: number, isOwn: boolean): void {
    if (isOwn) this.ownBytes[place] += bytes;
    else this.nearBytes[place] += bytes;
  }

  /** By `sinceUs` others had moved so much for the attempt. */
  moved(place: number, sinceUs: number, bytes: number): boolean {
    if (sinceUs <= this.staleUs[place]) return false;
    this.movedBytes[place] += bytes;
    return true;
  }

  /** Discards what others moved for the attempt up to `us`: the next attempt has no use for it. */
  forget(place: number, us: number): void {
    this.staleUs[place] = us;
  }

  /** Something still flows for the attempt, here or elsewhere. */
  isMoving(place: number): boolean {
    return this.flows(place, NEAR | FAR) || this.movedBytes[place] < this.owedBytes[place];
  }

  /** A map's input from a node of this rack. */
  read(place: number, node: number, atUs: number): void {
    this.table.flowing[place] = NEAR;
    this.io.read(2 * place, atUs, node, this.table.source[place], this.table.inputBytes[place]);
  }

  /** Output of a map goes to its own disk, that of a reduce to the file system. */
  write(place: number, node: number, atUs: number): void {
    const { table } = this;
    table.flowing[place] = NEAR;
    const bytes = table.outputBytes[place];
    const isMap = table.isMap[place] !== 0;
    this.movedBytes[place] = 0;
    this.owedBytes[place] = isMap ? 0 : this.far.replicate(node, table.placeInCluster(place), bytes, atUs);
    this.io.write(2 * place, atUs, node, bytes, this.owedBytes[place] > 0);
  }

  /** Lets a reduce fetch what has become available. Returns whether it still fetches. */
  fetch(place: number, node: number, atUs: number): boolean {
    const { table } = this;
    const total = table.inputBytes[place];
    const available = bytesThere(total, table.mapsDone[place] !== 0 ? MILLION : table.available[place]);
    const more = available - table.givenBytes[place];
    if (more > 0) {
      const [near, ownBytes] = [this.nearBytes[place], this.ownBytes[place]];
      assert(near + ownBytes <= more, "more map output is sent to a reduce than it fetches");
      table.givenBytes[place] = available;
      this.owedBytes[place] = available;
      this.nearBytes[place] = this.ownBytes[place] = 0;
      this.fetchMore(place, node, atUs, near, NEAR);
      this.fetchMore(place, node, atUs, more - near - ownBytes, FAR);
    }
    return this.isMoving(place);
  }

  /** A flow is through; the place it belongs to. */
  done(handle: number): number {
    const place = handle >> 1;
    this.setFlowing(place, 1 << (handle & 1), false);
    return place;
  }

  /** A read from another rack has been opened for the attempt, or is over. */
  setCross(place: number, isOpen: boolean): void {
    this.setFlowing(place, CROSS, isOpen);
  }

  /** Gives up all transfers of the attempt but a read from another rack. */
  stop(place: number, atUs: number): void {
    const { io } = this;
    if (this.flows(place, NEAR)) io.flows.stop(2 * place, atUs);
    if (this.flows(place, FAR)) io.flows.stop(2 * place + 1, atUs);
    this.setFlowing(place, NEAR | FAR, false);
  }

  /** The attempt's flows, here and elsewhere, were given up, or its writing is over. */
  endReplicas(place: number, atUs: number, isGivenUp: boolean): void {
    this.far.endReplicas(this.table.placeInCluster(place), atUs, isGivenUp);
  }

  /** Share of `bytes` that has been moved; 0 while its read from another rack has not begun. */
  share(place: number, bytes: number, atUs: number): number {
    if (bytes === 0) return 1;
    const { io } = this;
    const runs = this.flows(place, NEAR | CROSS);
    return runs ? 1 - io.flows.bytesLeft(2 * place, atUs) / bytes : 0;
  }

  writtenShare(place: number, atUs: number): number {
    const { table, io } = this;
    const isWriting = this.flows(place, NEAR);
    return isWriting ? 1 - io.flows.bytesLeft(2 * place, atUs) / table.outputBytes[place] : 1;
  }

  fetchedShare(place: number, atUs: number): number {
    const { table, io } = this;
    const total = table.inputBytes[place];
    if (total === 0) return table.mapsDone[place];
    let fetched = table.givenBytes[place];
    if (this.flows(place, NEAR)) fetched -= io.flows.bytesLeft(2 * place, atUs);
    if (this.flows(place, FAR)) fetched -= io.flows.bytesLeft(2 * place + 1, atUs);
    return fetched / total;
  }

  private flows(place: number, flowBits: number): boolean {
    return (this.table.flowing[place] & flowBits) !== 0;
  }

  private setFlowing(place: number, flowBits: number, does: boolean): void {
    const flowing = this.table.flowing[place];
    this.table.flowing[place] = does ? flowing | flowBits : flowing & ~flowBits;
  }

  private fetchMore(place: number, node: number, atUs: number, bytes: number, flowBit: 1 | 2): void {
    if (bytes <= 0) return;
    const { io } = this;
    const handle = 2 * place + flowBit - 1;
    if (this.flows(place, flowBit)) return io.flows.extend(handle, atUs, bytes);
    this.setFlowing(place, flowBit, true);
    io.fetch(handle, atUs, node, bytes, flowBit === FAR);
  }
}

/**
 * On which heartbeat each ended attempt of a rack will be reported: the first regular one of its node, or the
 * out-of-band one that its own end causes. A heartbeat reports everything that has ended by then.
 */
export class ReportCalendar {
  /** No heartbeat before this can tell anything new. */
  floorUs = 0;
  /** By place. */
  readonly due: EventSet;

  constructor(
    places: number,
    private readonly heartbeats: Heartbeats,
    private readonly outOfBandDelayUs: number,
    agenda: Agenda,
  ) {
    this.due = agenda.calendar(END_REPORT, places);
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
}
