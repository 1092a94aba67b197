import { assert } from "../../kernel/assert.js";
import { EventSet } from "../../kernel/event-set.js";
import type { RuntimeSpec } from "../../scenario/runtime-spec.js";
import type { MapDetail, ReduceDetail } from "../commands.js";
import { HAS_FAILED, SOURCE_LOST, SUCCEEDED, WANTS_COMMIT, WAS_KILLED } from "../outcomes.js";
import type { Topology } from "../topology.js";
import type { AttemptTable } from "./attempt-table.js";
import { ASKING, COMMITTING, COMPUTE, ENDED, FETCH, FREE, PARKED, READ, START, WRITE } from "./attempt-table.js";
import type { AttemptFlows } from "./attempt-flows.js";
import type { ComputeGate } from "./compute-gate.js";
import type { ComputingSpeed } from "./computing-speed.js";
import type { ReportCalendar } from "./report-calendar.js";
import { mapComputeUs, reduceComputeUs, slowed, type NominalNode } from "./stage-lengths.js";

const MILLION = 1_000_000;

export interface AttemptRunsParts {
  readonly topology: Topology;
  readonly runtime: RuntimeSpec;
  readonly nominal: NominalNode;
  readonly table: AttemptTable;
  readonly nodeOfSlot: Int32Array;
  /** null in the light model, where attempts take their time and move no bytes. */
  readonly flows: AttemptFlows | null;
  readonly speed: ComputingSpeed;
  /** null: whoever has copied everything computes. */
  readonly gate: ComputeGate | null;
  readonly reports: ReportCalendar;
  /** The node has crashed and is not back. */
  readonly isDown: (node: number) => boolean;
  /** One task more, or fewer, computes on the node. */
  readonly onLoad: (node: number, atUs: number, change: number) => void;
}

/** Takes the attempts of a rack through their stages. Places are those of the table. */
export class AttemptRuns {
  /** When stages that go by time end. */
  readonly timers: EventSet;
  private readonly mapFactor: readonly number[];

  constructor(private readonly parts: AttemptRunsParts) {
    const { node, rack, row, any } = parts.runtime.localityFactor;
    this.mapFactor = [node, rack, any, node, row];
    this.timers = new EventSet(2 * parts.table.slots);
  }

  launchMap(node: number, atUs: number, place: number, level: number, lengthUs: number, detail: MapDetail): void {
    const { table, flows, runtime, nominal } = this.parts;
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
    const computeUs = mapComputeUs(lengthUs, inputBytes, detail.outputBytes, runtime.io, nominal);
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
    const { table, flows, gate, runtime, nominal } = this.parts;
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
    const computeUs = reduceComputeUs(reduceUs, detail.outputBytes, runtime.io, nominal);
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
    reports.remove(place);
    if (stage !== ENDED && place >= table.slots) this.leave(place, atUs);
    table.endUs[place] = atUs;
    table.outcome[place] = WAS_KILLED;
    reports.add(place, this.nodeOf(place), atUs, reportFromUs);
  }

  /** An attempt is there that has not ended. */
  isAlive(place: number): boolean {
    const { stage } = this.parts.table;
    return stage[place] !== FREE && stage[place] !== ENDED;
  }

  /** The process of a killed attempt is dead. */
  bury(place: number, atUs: number): void {
    if (this.parts.table.stage[place] !== ENDED) this.leave(place, atUs);
    this.parts.flows?.stop(place, atUs);
  }

  /** The attempt is no more: its node has crashed. Nobody will report it. */
  vanish(place: number, atUs: number): void {
    const { table, reports, flows } = this.parts;
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
    if (this.parts.table.stage[place] !== COMPUTE) return;
    this.timers.remove(place);
    this.timers.add(place, this.computedUs(place));
  }

  /** The next timed stage is over. */
  runTimer(): void {
    const { table, flows } = this.parts;
    const atUs = this.timers.peekAtUs();
    const place = this.timers.pop();
    const node = this.nodeOf(place);
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
        return this.compute(place, this.nodeOf(place), atUs);
      case FETCH:
        return this.fetch(place, atUs);
      case WRITE:
        return this.succeed(place, atUs);
      default:
      // It was killed meanwhile.
    }
  }

  nodeOf(place: number): number {
    const { nodeOfSlot, table } = this.parts;
    return nodeOfSlot[place < table.slots ? place : place - table.slots];
  }

  /** Enters the attempt; when it can start: not before one that commits has given the slot up, and with the file it needs. */
  private begin(place: number, atUs: number, isMap: boolean, detail: MapDetail | ReduceDetail): number {
    const { table } = this.parts;
    assert(table.stage[place] === FREE, "a slot was given away twice");
    table.begin(place, atUs, isMap, detail);
    const aside = place + table.slots;
    // The rack may be past the end of that commit already: commands come up to a lookahead late.
    return detail.prepareUs + (table.stage[aside] === FREE ? atUs : Math.max(atUs, table.endUs[aside]));
  }

  private read(place: number, node: number, atUs: number): void {
    const { table, flows, topology, isDown } = this.parts;
    table.stage[place] = READ;
    const source = table.source[place];
    if (flows === null || table.inputBytes[place] === 0) return this.compute(place, node, atUs);
    if (topology.rackOf[source] !== topology.rackOf[node]) return;
    if (isDown(source)) return this.sourceLost(place, atUs);
    flows.read(place, node, atUs);
  }

  /** Goes on fetching what is there; computes once all has come. */
  private fetch(place: number, atUs: number): void {
    const { table, flows } = this.parts;
    if (flows === null || flows.fetch(place, this.nodeOf(place), atUs)) return;
    if (table.mapsDone[place] !== 0) this.askToCompute(place, this.nodeOf(place), atUs);
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
    return Math.max(sinceUs + (flows === null ? 1 : 0), speed.endUs(this.nodeOf(place), sinceUs, workUs));
  }

  private succeed(place: number, atUs: number): void {
    this.end(place, atUs, this.parts.table.commits[place] !== 0 ? WANTS_COMMIT : SUCCEEDED, atUs);
  }

  private end(place: number, atUs: number, outcome: number, reportFromUs: number): void {
    const { table, gate, reports } = this.parts;
    table.stage[place] = ENDED;
    gate?.left(place, atUs);
    if (table.dies[place] !== 0) return;
    table.endUs[place] = atUs;
    table.outcome[place] = outcome;
    reports.add(place, this.nodeOf(place), atUs, reportFromUs);
  }

  /** Whatever the attempt does, it does no longer; its flows are let go of elsewhere. */
  private leave(place: number, atUs: number): void {
    const { stage } = this.parts.table;
    if (stage[place] === COMPUTE) this.parts.onLoad(this.nodeOf(place), atUs, -1);
    this.timers.remove(place);
    stage[place] = ENDED;
    this.parts.gate?.left(place, atUs);
  }
}
