import { Beats, longestGapUs } from "../core/cluster/beats.js";
import type { CommandsOf } from "../core/cluster/commands.js";
import { lookaheadUs, SoonestEnds } from "../core/cluster/lookahead.js";
import { needsStages, rackModelOf } from "../core/cluster/rack-model.js";
import { FaultTimeline, maySilence, SILENCES } from "../core/cluster/faults/fault-timeline.js";
import { SilentNodes } from "../core/cluster/silent-nodes.js";
import type { Topology } from "../core/cluster/topology.js";
import { MAP } from "../core/jobs/job-table.js";
import type { SliceGrid } from "../core/kernel/slices.js";
import { Master } from "../core/master/master.js";
import type { Scenario } from "../core/scenario/scenario.js";
import type { BuildKind } from "../core/scheduler/built-scheduler.js";
import type { Workload } from "../core/workload/job.js";
import { CommandWriter } from "../messages/command-words.js";
import { COMMANDS, FrameCodec, FrameError, REPORTS } from "../messages/frame.js";
import {
  AT_GATE,
  checkReports,
  HAS_COPIED,
  HAS_NOT_COPIED,
  HAS_PROGRESSED,
  HAS_RETURNED,
  IS_LOADED,
  OFFERS,
  REPORT_WORDS,
  WANTS_COMMIT,
  WAS_KILLED,
} from "../messages/report-words.js";
import type { WordWriter } from "../messages/words.js";
import type { BeatWalk } from "./beat-walk.js";
import { deliverReport } from "./deliver-report.js";
import { JitterWalk } from "./jitter-walk.js";
import { KeptOffers } from "./kept-offers.js";
import { KeptReports } from "./kept-reports.js";
import { PhaseWalk } from "./phase-walk.js";

export interface MasterActorParts {
  readonly scenario: Scenario;
  readonly workload: Workload;
  readonly topology: Topology;
  readonly grid: SliceGrid;
  /** Which host runs each rack. */
  readonly hostOfRack: Int32Array;
  readonly hosts: number;
  readonly recordTasks: boolean;
  /** Where commands go if not into frames: to racks on this thread. */
  readonly commandsOf?: CommandsOf | undefined;
  /** How the scheduler is composed; undefined: it is one of the built-in kinds. */
  readonly build?: BuildKind | undefined;
}

/**
 * The master actor: takes the report frames of a slice, goes through the slice's heartbeats in time order together with its
 * own events, and leaves a frame of commands for each host. Heartbeats with news come here, out-of-band ones among them;
 * the other regular ones are the walk's. Synchronous; knows neither clock nor thread.
 */
export class MasterActor {
  readonly master: Master;
  frames = 0;
  frameBytes = 0;
  /** When it became clear that nothing can happen any more, for no node is left that could do it; Infinity for never. */
  strandedUs = Infinity;
  private outOfBand = 0;
  private heard = 0;
  private readonly beats: Beats;
  private readonly silent: SilentNodes;
  private readonly walk: BeatWalk;
  private readonly reports = new KeptReports();
  private readonly offers = new KeptOffers();
  private readonly codec = new FrameCodec();
  private readonly writers: CommandWriter[];
  private readonly commandsOf: CommandsOf;
  private readonly untilUs: number;
  private readonly hearsOutOfBand: boolean;
  private readonly isStaged: boolean;
  /**
   * Most time between an end and its report: two heartbeats are no further apart, unless one was cut off; and where orders are held
   * back for a lookahead, what they end may miss a heartbeat.
   */
  private readonly longestSilenceUs: number;

  constructor(private readonly parts: MasterActorParts) {
    const { scenario, workload, topology, hosts, recordTasks, build } = parts;
    const { cluster, faults, run } = scenario;
    this.commandsOf = parts.commandsOf ?? ((node) => this.writerOf(node));
    this.master = new Master(scenario, workload, topology, this.commandsOf, recordTasks, build);
    this.beats = new Beats(topology, cluster, run.seed);
    const timeline = new FaultTimeline(faults, run.seed, topology, SILENCES);
    this.silent = new SilentNodes(topology, this.beats, timeline, this.master.losses?.absences);
    const { master, beats, silent } = this;
    const walkParts = { master, topology, beats, silent };
    this.walk = cluster.heartbeatJitter > 0 ? new JitterWalk(walkParts) : new PhaseWalk(walkParts);
    this.untilUs = run.untilUs;
    this.hearsOutOfBand = cluster.outOfBandDelayUs > 0;
    this.isStaged = needsStages(rackModelOf(scenario));
    const heldUs = this.hearsOutOfBand ? lookaheadUs(cluster, scenario.runtime, topology) : 0;
    this.longestSilenceUs = maySilence(faults) ? Infinity : longestGapUs(topology, cluster) + heldUs;
    const soonest = this.isStaged ? null : new SoonestEnds(scenario.runtime, topology);
    this.writers = Array.from({ length: hosts }, () => new CommandWriter(soonest));
  }

  /** Heartbeats that were gone through one by one, of both kinds. */
  get visited(): number {
    return this.walk.visited + this.heard;
  }

  /** The run is over: everything has ended, or the scenario's end has been reached. */
  isOver(slice: number): boolean {
    return this.master.allEnded || this.strandedUs < Infinity || this.parts.grid.startUs(slice) >= this.untilUs;
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
      longestSilenceUs: this.longestSilenceUs,
    });
    this.check(host, grid.startUs(slice));
    this.take(codec, slice);
  }

  /** Takes the reports of a slice as they are, from racks on this thread; call before `process`. */
  take({ words, length }: Pick<WordWriter, "words" | "length">, slice: number): void {
    const startUs = this.parts.grid.startUs(slice);
    this.reports.keep(words, length, startUs);
    this.offers.keep(words, length, startUs);
  }

  /** Handles every heartbeat and own event of a slice, in the one total order. Slices must come in order. */
  process(slice: number): void {
    const { master, reports, walk, silent } = this;
    const { grid } = this.parts;
    const endUs = Math.min(grid.startUs(slice + 1), this.untilUs);
    for (const writer of this.writers) writer.open(grid.startUs(slice));
    reports.arrange();
    this.offers.passOn(this.commandsOf);
    for (;;) {
      const eventUs = Math.min(master.nextEventUs(), silent.nextChangeUs());
      const newsUs = reports.nextUs();
      if (newsUs < eventUs && newsUs < endUs) {
        const node = reports.nextNode();
        if (walk.goUntil(newsUs, node, eventUs)) this.hear(newsUs, node);
        if (master.allEnded) break;
      } else if (walk.goUntil(Math.min(eventUs, endUs), 0, eventUs)) {
        if (eventUs >= endUs) break;
        // What happens to nodes at an instant, then what the master does, then heartbeats.
        if (silent.nextChangeUs() === eventUs) silent.change();
        else master.runEvent();
        if (master.isStranded && silent.nextChangeUs() === Infinity) this.strandedUs = eventUs;
        if (master.allEnded || this.strandedUs < Infinity) break;
      }
    }
    reports.clear();
  }

  /** The frame of commands that the last slice made for a host, or null when there are none. */
  commandsFor(host: number, slice: number): Uint8Array | null {
    const writer = this.writers[host];
    if (writer.length === 0) return null;
    const frame = this.codec.encode(COMMANDS, slice, writer.bytes());
    this.countFrame(frame);
    return frame;
  }

  /** The slice before which the commands that the last slice made for a host cannot show in its reports. */
  showsFrom(host: number, slice: number): number {
    const { grid } = this.parts;
    return Math.max(slice + grid.perLookahead, grid.sliceAt(this.writers[host].showsUs));
  }

  /**
   * Rule G: the slice before which replies are known to be empty, whatever the racks report. Of attempts in stages nobody
   * knows: they ask for leave to commit, fail, and pass on rates.
   */
  idleUntilSlice(): number {
    return !this.isStaged && this.master.isIdle() ? this.parts.grid.sliceAt(this.master.nextWorkUs()) : 0;
  }

  /** Heartbeats before `untilUs`, where the run has stopped: the regular ones that happened, and out-of-band ones. */
  heartbeatsBefore(untilUs: number): number {
    return this.beats.allBefore(untilUs) - this.silent.missedBefore(untilUs) + this.outOfBand;
  }

  private writerOf(node: number): CommandWriter {
    return this.writers[this.parts.hostOfRack[this.parts.topology.rackOf[node]]];
  }

  /** A heartbeat with news: its reports, then the reply. */
  private hear(atUs: number, node: number): void {
    const { master, reports } = this;
    if (this.silent.has(node)) throw new FrameError(`found a heartbeat of node ${node}, which is silent`);
    this.heard++;
    if (!this.walk.take(atUs, node)) this.outOfBand++;
    master.beginHeartbeat(atUs);
    do {
      const i = reports.take();
      deliverReport(master, node, atUs, reports.words, i);
    } while (reports.nextUs() === atUs && reports.nextNode() === node);
    master.endHeartbeat(node);
  }

  /** Throws FrameError unless each of the reports just decoded belongs to its host, heartbeat and attempt. */
  private check(host: number, sliceStartUs: number): void {
    const { words, length } = this.codec;
    const { topology, hostOfRack } = this.parts;
    for (let i = 0; i < length; i += REPORT_WORDS) {
      const node = words[i];
      if (words[i + 4] === OFFERS) continue;
      if (hostOfRack[topology.rackOf[node]] !== host)
        throw new FrameError(`found node ${node} in a frame of host ${host}`);
      const offBeatUs = this.hearsOutOfBand ? 0 : this.beats.sinceBeatUs(node, sliceStartUs + words[i + 1]);
      if (offBeatUs !== 0) throw new FrameError(`found a heartbeat of node ${node} ${offBeatUs} us off its beat`);
      if (words[i + 4] === IS_LOADED) continue;
      if (this.isNewsOfNode(node, words[i + 2], words[i + 4])) continue;
      if (!this.master.reports.isAt(node, words[i + 2])) {
        throw new FrameError(`found a report of slot ${words[i + 2]}, which no attempt holds on node ${node}`);
      }
      if (words[i + 4] === HAS_PROGRESSED || this.isAtGate(node, words[i + 2], words[i + 4])) continue;
      const wasKilled = this.master.reports.wasKilled(words[i + 2]);
      // With out-of-band heartbeats an attempt may have ended by the time the order takes effect.
      if ((words[i + 4] === WAS_KILLED) !== wasKilled && !(wasKilled && this.hearsOutOfBand)) {
        throw new FrameError(`found outcome ${words[i + 4]} of slot ${words[i + 2]}, which does not fit its orders`);
      }
      const isForsaken = this.master.losses?.isForsaken(words[i + 2]) === true;
      if (words[i + 4] === WANTS_COMMIT && !isForsaken && !this.master.reports.mayAskToCommit(node, words[i + 2])) {
        throw new FrameError(`found outcome ${words[i + 4]} of slot ${words[i + 2]}, which has nothing to commit`);
      }
    }
  }

  /** The report is about no attempt, but a return or a copy: one that may be. */
  private isNewsOfNode(node: number, place: number, kind: number): boolean {
    const { losses, traffic } = this.master;
    if (kind !== HAS_RETURNED && kind !== HAS_COPIED && kind !== HAS_NOT_COPIED) return false;
    if (kind === HAS_RETURNED) {
      if (losses === null) throw new FrameError("found a report of a return where no node can be lost");
      return true;
    }
    if (traffic === null) throw new FrameError(`found a report of kind ${kind} where no block is copied`);
    if (!traffic.copies.isReceiving(node, place)) {
      throw new FrameError(`found an end of copy ${place} on node ${node}, which was not told to make it`);
    }
    return true;
  }

  /** The report is of a reduce at a gate, where there are gates. */
  private isAtGate(node: number, slot: number, kind: number): boolean {
    if (kind !== AT_GATE) return false;
    const { copying, slots } = this.master;
    if (copying === null || slots.typeOf(node, slot) === MAP) {
      throw new FrameError(`found a report of slot ${slot} at a gate, of which there is none`);
    }
    return true;
  }

  private countFrame(frame: Uint8Array): void {
    this.frames++;
    this.frameBytes += frame.length;
  }
}
