import type { Topology } from "../core/cluster/topology.js";
import type { SliceGrid } from "../core/kernel/slices.js";
import { Master } from "../core/master/master.js";
import type { Scenario } from "../core/scenario/scenario.js";
import type { Workload } from "../core/workload/job.js";
import { CommandWriter } from "../messages/command-words.js";
import { COMMANDS, FrameCodec, FrameError, REPORTS } from "../messages/frame.js";
import { checkReports, REPORT_WORDS, WAS_KILLED } from "../messages/report-words.js";

export interface MasterActorParts {
  readonly scenario: Scenario;
  readonly workload: Workload;
  readonly topology: Topology;
  readonly grid: SliceGrid;
  /** Which host runs each rack. */
  readonly hostOfRack: Int32Array;
  readonly hosts: number;
  readonly recordTasks: boolean;
}

/**
 * The master actor: takes the report frames of a slice, walks the slice's heartbeats in time order together with its own
 * events, and leaves a frame of commands for each host. Only nodes whose heartbeat can matter are visited: those with
 * news, with something to be told, or with a free slot while the scheduler wants heartbeats; all others are implied.
 * Synchronous; knows neither clock nor thread.
 */
export class MasterActor {
  readonly master: Master;
  visited = 0;
  frames = 0;
  frameBytes = 0;
  private readonly codec = new FrameCodec();
  private readonly writers: CommandWriter[];
  private readonly untilUs: number;
  /** First node of each part of a round; the last element is the number of nodes. */
  private readonly firstOfPart: Int32Array;
  private readonly reportBits: Int32Array;
  private reports = new Int32Array(1024);
  private reportsLength = 0;
  private readonly reportAt: Int32Array;

  constructor(private readonly parts: MasterActorParts) {
    const { scenario, workload, topology, grid, hosts, recordTasks } = parts;
    this.master = new Master(scenario, workload, topology, (node) => this.writerOf(node), recordTasks);
    this.untilUs = scenario.run.untilUs;
    this.writers = Array.from({ length: hosts }, () => new CommandWriter());
    this.reportBits = new Int32Array((topology.nodes + 31) >> 5);
    this.reportAt = new Int32Array(topology.nodes);
    this.firstOfPart = new Int32Array(grid.perLookahead + 1).fill(topology.nodes);
    for (let part = 0; part < grid.perLookahead; part++) this.firstOfPart[part] = this.nodeFrom(grid.startUs(part));
  }

  /** The run is over: everything has ended, or the scenario's end has been reached. */
  isOver(slice: number): boolean {
    return this.master.allEnded || this.parts.grid.startUs(slice) >= this.untilUs;
  }

  /** Delivers a frame of reports; call for every host before `process`. */
  receive(frame: Uint8Array, host: number, slice: number): void {
    const { codec } = this;
    const { topology, grid } = this.parts;
    codec.decode(frame, REPORTS);
    this.countFrame(frame);
    if (codec.slice !== slice) throw new FrameError(`found slice ${codec.slice}, expected ${slice}`);
    checkReports(codec.words, codec.length, {
      nodes: topology.nodes,
      slots: topology.rackSlotStart[topology.racks],
      sliceUs: grid.startUs(slice + 1) - grid.startUs(slice),
      longestSilenceUs: topology.heartbeatUs,
    });
    this.keep(host, grid.startUs(slice));
  }

  /** Handles every heartbeat and own event of a slice, in the one total order. */
  process(slice: number): void {
    const { grid, topology } = this.parts;
    const part = slice % grid.perLookahead;
    const startUs = grid.startUs(slice);
    const endUs = Math.min(grid.startUs(slice + 1), this.untilUs);
    const baseUs = Math.floor(startUs / topology.heartbeatUs) * topology.heartbeatUs;
    for (const writer of this.writers) writer.open(startUs);
    let node = this.firstOfPart[part];
    const last = endUs === this.untilUs ? this.nodeFrom(endUs - baseUs) : this.firstOfPart[part + 1];
    for (;;) {
      const eventUs = this.master.nextEventUs();
      const limit = eventUs < endUs ? Math.min(last, Math.max(node, this.nodeFrom(eventUs - baseUs))) : last;
      node = this.walk(node, limit, baseUs, eventUs);
      // The last visit may have made an own event that comes before the one known so far.
      if (node < limit || this.master.nextEventUs() < eventUs) continue;
      if (eventUs >= endUs) break;
      this.master.runEvent();
      if (this.master.allEnded) break;
    }
    this.reportsLength = 0;
  }

  /** The frame of commands that the last slice made for a host, or null when there are none. */
  commandsFor(host: number, slice: number): Uint8Array | null {
    const writer = this.writers[host];
    if (writer.length === 0) return null;
    const frame = this.codec.encode(COMMANDS, slice, writer.bytes());
    this.countFrame(frame);
    return frame;
  }

  /** Rule G: the slice before which replies are known to be empty, unless the walk finds news that demand one. */
  idleUntilSlice(): number {
    return this.master.isIdle() ? this.parts.grid.sliceAt(this.master.nextWorkUs()) : 0;
  }

  /** Heartbeats of all nodes before `untilUs`. */
  heartbeatsBefore(untilUs: number): number {
    const { heartbeatUs, nodes } = this.parts.topology;
    const rounds = Math.floor(untilUs / heartbeatUs);
    return rounds * nodes + this.nodeFrom(untilUs - rounds * heartbeatUs);
  }

  private writerOf(node: number): CommandWriter {
    return this.writers[this.parts.hostOfRack[this.parts.topology.rackOf[node]]];
  }

  /** Visits the relevant nodes of [from, to); stops early when the next own event moved to before the rest. */
  private walk(from: number, to: number, baseUs: number, eventUs: number): number {
    const { master, reportBits } = this;
    const { phaseUs } = this.parts.topology;
    let node = from;
    while (node < to) {
      const w = node >> 5;
      const mask = (-1 << (node & 31)) & (to - (w << 5) < 32 ? (1 << (to & 31)) - 1 : -1);
      const news = (reportBits[w] | master.awaitedNodes(w)) & mask;
      let bits = news | (master.wantedNodes(w) & mask);
      if (bits === 0) {
        node = (w + 1) << 5;
        continue;
      }
      const run = this.leadingRun(bits, bits & ~news & master.waitingNodes(w));
      if (run !== 0) {
        const last = (w << 5) + 31 - Math.clz32(run);
        if (master.passOverRun(popCount(run), baseUs + phaseUs[last])) {
          node = last + 1;
          continue;
        }
      }
      bits &= -bits;
      node = (w << 5) + 31 - Math.clz32(bits);
      this.visit(node, baseUs + phaseUs[node]);
      node++;
      if (master.nextEventUs() < eventUs) return node;
    }
    return to;
  }

  /** The waiting nodes that come before the first relevant node that must be visited. */
  private leadingRun(relevant: number, waiting: number): number {
    const others = relevant & ~waiting;
    return others === 0 ? waiting : waiting & ((others & -others) - 1);
  }

  private visit(node: number, atUs: number): void {
    const { master, reports } = this;
    this.visited++;
    master.beginHeartbeat(atUs);
    if (((this.reportBits[node >> 5] >>> (node & 31)) & 1) !== 0) {
      this.reportBits[node >> 5] &= ~(1 << (node & 31));
      for (let i = this.reportAt[node]; i < this.reportsLength && reports[i] === node; i += REPORT_WORDS) {
        const endUs = atUs - reports[i + 3];
        if (reports[i + 4] === WAS_KILLED) master.reports.killed(node, reports[i + 2], endUs);
        else master.reports.finished(node, reports[i + 2], endUs);
      }
    }
    master.endHeartbeat(node);
  }

  /** Keeps the reports just decoded for the walk, checking that each belongs to its host and heartbeat. */
  private keep(host: number, sliceStartUs: number): void {
    const { words, length } = this.codec;
    const { topology, hostOfRack } = this.parts;
    const at = this.reportsLength;
    if (at + length > this.reports.length) {
      const wider = new Int32Array(2 * (at + length));
      wider.set(this.reports);
      this.reports = wider;
    }
    let previous = -1;
    for (let i = 0; i < length; i += REPORT_WORDS) {
      const node = words[i];
      if (hostOfRack[topology.rackOf[node]] !== host)
        throw new FrameError(`found node ${node} in a frame of host ${host}`);
      const offBeatUs = (sliceStartUs + words[i + 1] - topology.phaseUs[node]) % topology.heartbeatUs;
      if (offBeatUs !== 0) throw new FrameError(`found a heartbeat of node ${node} ${offBeatUs} us off its beat`);
      if (!this.master.slots.isHeldOn(node, words[i + 2])) {
        throw new FrameError(`found a report of slot ${words[i + 2]}, which no attempt holds on node ${node}`);
      }
      if ((words[i + 4] === WAS_KILLED) !== this.master.reports.wasKilled(words[i + 2])) {
        throw new FrameError(`found outcome ${words[i + 4]} of slot ${words[i + 2]}, which does not fit its orders`);
      }
      if (node !== previous && ((this.reportBits[node >> 5] >>> (node & 31)) & 1) !== 0) {
        throw new FrameError(`found node ${node} twice in slice ${this.codec.slice}`);
      }
      if (node !== previous) {
        this.reportAt[node] = at + i;
        this.reportBits[node >> 5] |= 1 << (node & 31);
        previous = node;
      }
    }
    this.reports.set(words.subarray(0, length), at);
    this.reportsLength += length;
  }

  /** First node whose phase is at or after `sinceRoundUs`. */
  private nodeFrom(sinceRoundUs: number): number {
    const { nodes, heartbeatUs, phaseUs } = this.parts.topology;
    if (sinceRoundUs <= 0) return 0;
    if (sinceRoundUs >= heartbeatUs) return nodes;
    let node = Math.min(nodes, Math.max(0, Math.floor((sinceRoundUs * nodes) / heartbeatUs) - 1));
    while (node < nodes && phaseUs[node] < sinceRoundUs) node++;
    return node;
  }

  private countFrame(frame: Uint8Array): void {
    this.frames++;
    this.frameBytes += frame.length;
  }
}

function popCount(bits: number): number {
  let v = bits - ((bits >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
