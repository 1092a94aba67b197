import { FaultTimeline, LOSES_HEARTBEATS, type Topology } from "../core/cluster/index.js";
import { assert, type SliceGrid } from "../core/kernel/index.js";
import {
  type BuildKind,
  type CommandsOf,
  type DueEnds,
  Heartbeats,
  Master,
  needsStages,
  SoonestEnds,
  UnresponsiveNodes,
} from "../core/platforms/hadoop/index.js";
import type { Scenario } from "../core/scenario/index.js";
import type { Workload } from "../core/workload/index.js";
import {
  COMMANDS,
  CommandWriter,
  FrameCodec,
  PREDICTED_US,
  REPORT_KIND,
  REPORT_NODE,
  REPORT_PLACE,
  REPORT_VALUE,
  REPORT_WORDS,
  REPORTS,
  WordWriter,
} from "../messages/index.js";
import { type HeartbeatCursor, JitterCursor, PhaseCursor } from "./heartbeat-cursor.js";
import type { ReportTally } from "./recovery.js";
import { Letters, PredictedCompletions, SliceReports } from "./slice-reports.js";

/** In place of the number of a host: the rack is on the master's own thread. */
export const OWN_THREAD = -1;

interface MasterActorParts {
  readonly scenario: Scenario;
  readonly workload: Workload;
  readonly topology: Topology;
  readonly grid: SliceGrid;
  /** Host of each rack; OWN_THREAD: none, it is on the master's thread. */
  readonly hostOfRack: Int32Array;
  readonly hosts: number;
  readonly recordTasks: boolean;
  /** Sinks of commands for racks on the master's thread; undefined: there are none. */
  readonly commandsOf?: CommandsOf | undefined;
  /** Ends of racks on this thread, polled as they fall due; undefined: reports are taken slice by slice. */
  readonly dueEnds?: DueEnds | undefined;
  /** By host: counts what it reports in slices that were processed, or are next; undefined: no tallies are kept. */
  readonly tallies?: readonly ReportTally[] | undefined;
  /** Builder of the scheduler; undefined: it is one of the built-in kinds. */
  readonly build?: BuildKind | undefined;
}

/**
 * The master actor: takes the report frames of a slice, goes through the slice's heartbeats in time order together with
 * its own events, and leaves a frame of commands for each host. Heartbeats with news come here, out-of-band ones among
 * them; the other regular ones are the cursor's. Synchronous; knows neither clock nor thread.
 */
export class MasterActor {
  readonly master: Master;
  frames = 0;
  frameBytes = 0;
  /**
   * Time at which it became clear that the run will never end: it is stuck, or no node is left that could do the rest;
   * Infinity for never.
   */
  haltedUs = Infinity;
  /** `process` has stopped before the end of the slice. */
  private isMidSlice = false;
  private outOfBand = 0;
  private heartbeatsProcessed = 0;
  private readonly heartbeats: Heartbeats;
  private readonly unresponsive: UnresponsiveNodes;
  private readonly cursor: HeartbeatCursor;
  private readonly reports = new SliceReports();
  /** The racks on this thread, if the next heartbeat with news is one with ends of theirs; null: reports tell it. */
  private dueNext: DueEnds | null = null;
  /** Predictions of light racks on other threads; null: each frame reports one slice. */
  private readonly predicted: PredictedCompletions | null;
  private readonly due = new WordWriter();
  private readonly letters = new Letters();
  private readonly codec = new FrameCodec();
  private readonly writers: CommandWriter[];
  /** By host: the slice that times in its writer count from. */
  private readonly openedIn: Float64Array;
  private readonly commandsOf: CommandsOf;
  private readonly untilUs: number;
  private readonly isStaged: boolean;

  constructor(private readonly parts: MasterActorParts) {
    const { scenario, workload, topology, hosts, recordTasks, build } = parts;
    const { cluster, faults, run } = scenario;
    this.commandsOf = this.commandsTo(parts.commandsOf);
    this.master = new Master(scenario, workload, topology, this.commandsOf, recordTasks, build);
    this.heartbeats = new Heartbeats(topology, cluster, run.seed);
    const timeline = new FaultTimeline(faults, run.seed, topology, LOSES_HEARTBEATS);
    this.unresponsive = new UnresponsiveNodes(topology, this.heartbeats, timeline, this.master.losses?.liveness);
    const { master, heartbeats, unresponsive } = this;
    const cursorParts = { master, topology, heartbeats, unresponsive };
    this.cursor = cluster.heartbeatJitter > 0 ? new JitterCursor(cursorParts) : new PhaseCursor(cursorParts);
    this.untilUs = run.untilUs;
    this.isStaged = needsStages(scenario);
    this.predicted = this.isStaged || hosts === 0 ? null : new PredictedCompletions(topology);
    this.openedIn = new Float64Array(hosts);
    const soonest = this.isStaged ? null : new SoonestEnds(scenario.runtime, topology);
    this.writers = Array.from({ length: hosts }, () => new CommandWriter(soonest));
  }

  /** Heartbeats that were gone through one by one, of both kinds. */
  get visited(): number {
    return this.cursor.visited + this.heartbeatsProcessed;
  }

  /** The run is over: everything has ended, or the scenario's end has been reached. */
  isOver(slice: number): boolean {
    return this.master.allEnded || this.haltedUs < Infinity || this.parts.grid.startUs(slice) >= this.untilUs;
  }

  /** Light racks tell ahead of time: their frames may be of later slices too. */
  get hasPredictions(): boolean {
    return this.predicted !== null;
  }

  /** Delivers a frame of reports; call for every host before `process`. */
  receive(frame: Uint8Array, host: number, slice: number): void {
    const { codec } = this;
    const { grid } = this.parts;
    codec.decode(frame, REPORTS);
    this.countFrame(frame);
    const isInTime = this.predicted === null ? codec.slice === slice : codec.slice >= slice;
    assert(isInTime, "reports of another slice");
    const startUs = grid.startUs(codec.slice);
    if (this.predicted === null) {
      this.parts.tallies?.[host].add(codec.words, codec.length, startUs);
      this.take(codec, slice);
    } else this.predicted.add(codec.words, codec.length, startUs);
  }

  /** Takes the reports of a slice as they are, from racks on this thread; call before `process`. */
  take({ words, length }: Pick<WordWriter, "words" | "length">, slice: number): void {
    const startUs = this.parts.grid.startUs(slice);
    this.reports.keep(words, length, startUs);
    this.letters.keep(words, length, startUs);
  }

  /**
   * Handles heartbeats with news and own events of a slice, in the one total order. Slices must come in order.
   * @param budget number of steps after which it pauses: millions of jobs may be submitted at one instant, and
   *   meanwhile no signal is handled.
   * @returns false: there is more; call it again with the same slice before all else.
   */
  process(slice: number, budget = Infinity): boolean {
    const { master, cursor, unresponsive } = this;
    const endUs = Math.min(this.parts.grid.startUs(slice + 1), this.untilUs);
    if (!this.isMidSlice) this.beginSlice(slice);
    this.isMidSlice = false;
    let remaining = budget;
    let changeUs = unresponsive.nextChangeUs();
    for (;;) {
      if (remaining-- <= 0) {
        this.isMidSlice = true;
        return false;
      }
      const ownUs = master.nextEventUs();
      const eventUs = changeUs < ownUs ? changeUs : ownUs;
      const newsUs = this.nextNewsUs(endUs);
      if (newsUs < eventUs && newsUs < endUs) {
        const node = (this.dueNext ?? this.reports).nextNode();
        if (cursor.goUntil(newsUs, node, eventUs)) this.hear(newsUs, node);
        if (master.allEnded) break;
      } else if (cursor.goUntil(Math.min(eventUs, endUs), 0, eventUs)) {
        if (eventUs >= endUs) break;
        // At one instant, changes of nodes come first, then the master's own events, then heartbeats.
        if (changeUs === eventUs) {
          unresponsive.change();
          changeUs = unresponsive.nextChangeUs();
        } else master.runEvent();
        const noNodesLeft = master.parts.stuck.noNodesLeft && changeUs === Infinity;
        if (noNodesLeft || master.parts.stuck.diagnosis !== null) this.haltedUs = eventUs;
        if (master.allEnded || this.haltedUs < Infinity) break;
      }
    }
    this.reports.clear();
    return true;
  }

  /** Time of the next heartbeat with news before `endUs`, Infinity for none. */
  private nextNewsUs(endUs: number): number {
    const { reports } = this;
    const { dueEnds } = this.parts;
    const reportedUs = reports.nextUs();
    if (dueEnds === undefined) return reportedUs;
    const dueUs = dueEnds.nextUs(endUs);
    const isTie = dueUs === reportedUs && dueUs < Infinity;
    const isDue = isTie ? dueEnds.nextNode() < reports.nextNode() : dueUs < reportedUs;
    this.dueNext = isDue ? dueEnds : null;
    return isDue ? dueUs : reportedUs;
  }

  private beginSlice(slice: number): void {
    const startUs = this.parts.grid.startUs(slice);
    this.writers.forEach((writer, host) => {
      if (writer.length > 0) return;
      writer.open(startUs);
      this.openedIn[host] = slice;
    });
    this.arrange(slice);
    this.letters.passOn(this.commandsOf);
  }

  /** A frame of the commands made for a host since the last such frame, or null when there are none. */
  commandsFor(host: number): Uint8Array | null {
    const writer = this.writers[host];
    if (writer.length === 0) return null;
    const frame = this.codec.encode(COMMANDS, this.openedIn[host], writer.bytes());
    writer.length = 0;
    this.countFrame(frame);
    return frame;
  }

  /**
   * The slice before which nothing shows of what `commandsFor` has for a host; the last slice was the one processed.
   * Frames that wait too long would not hold the times of their heartbeats.
   */
  showsFrom(host: number, slice: number): number {
    const { grid } = this.parts;
    const writer = this.writers[host];
    if (writer.length === 0) return Infinity;
    const isOld = grid.startUs(slice + 2) - grid.startUs(this.openedIn[host]) > PREDICTED_US;
    return isOld ? 0 : Math.max(slice + grid.perLookahead, grid.sliceAt(writer.showsUs));
  }

  /**
   * Rule G: the slice before which replies are known to be empty, whatever the racks report. With attempts in stages it
   * is unknown: they request leave to commit, fail, and pass on rates.
   */
  idleUntilSlice(): number {
    return !this.isStaged && this.master.isIdle() ? this.parts.grid.sliceAt(this.master.nextWorkUs()) : 0;
  }

  /** Heartbeats before `untilUs`, where the run has stopped: the regular ones that happened, and out-of-band ones. */
  heartbeatsBefore(untilUs: number): number {
    return this.heartbeats.allBefore(untilUs) - this.unresponsive.missedBefore(untilUs) + this.outOfBand;
  }

  /** Brings the reports of the slice into order. */
  private arrange(slice: number): void {
    const { predicted, due, reports } = this;
    const { grid } = this.parts;
    if (predicted !== null) {
      predicted.take(grid.startUs(slice), grid.startUs(slice + 1), due);
      this.tallyDue(slice);
      this.take(due, slice);
    }
    reports.arrange();
  }

  /** Counts what is due by whose it is: only now is it certain that nothing takes its place. */
  private tallyDue(slice: number): void {
    const { tallies, topology, hostOfRack, grid } = this.parts;
    if (tallies === undefined) return;
    const { words, length } = this.due;
    for (let i = 0; i < length; i += REPORT_WORDS) {
      tallies[hostOfRack[topology.rackOf[words[i + REPORT_NODE]]]].addOne(words, i, grid.startUs(slice));
    }
  }

  private commandsTo(ownCommandsOf: CommandsOf | undefined): CommandsOf {
    const { topology, hostOfRack, hosts } = this.parts;
    if (ownCommandsOf !== undefined && hosts === 0) return ownCommandsOf;
    const hostOf = Int32Array.from(topology.rackOf, (rack) => hostOfRack[rack]);
    if (ownCommandsOf === undefined) return (node) => this.writers[hostOf[node]];
    return (node) => (hostOf[node] === OWN_THREAD ? ownCommandsOf(node) : this.writers[hostOf[node]]);
  }

  /** A heartbeat with news: its reports, then the reply. */
  private hear(atUs: number, node: number): void {
    const { master, reports } = this;
    assert(!this.unresponsive.has(node), "a heartbeat of a node that is unresponsive");
    this.heartbeatsProcessed++;
    if (!this.cursor.take(atUs, node)) this.outOfBand++;
    master.beginHeartbeat(atUs);
    if (this.dueNext !== null) this.dueNext.deliver(node, master.reports);
    else {
      do {
        const i = reports.take();
        const { words } = reports;
        master.report(words[i + REPORT_KIND], node, words[i + REPORT_PLACE], words[i + REPORT_VALUE]);
      } while (reports.nextUs() === atUs && reports.nextNode() === node);
    }
    master.endHeartbeat(node);
  }

  private countFrame(frame: Uint8Array): void {
    this.frames++;
    this.frameBytes += frame.length;
  }
}
