import type { CommandSink, ReportSink } from "../commands.js";
import type { Rack } from "../rack.js";
import type { RackParts } from "../rack-model.js";
import { LateCommands } from "./late-commands.js";
import { RackCommands } from "./rack-commands.js";
import { RackState } from "./rack-state.js";

/** Events of one instant happen in this order. */
const FLOW = 0;
const FAULT = 1;
const COMMAND = 2;
const LATE_COMMAND = 3;
const SETTLE = 4;
const TIMER = 5;
const COPY = 6;
const REPORT = 7;
const NEWS = 8;
const COPY_REPORT = 9;
type EventKind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/**
 * The detailed model of one rack: attempts go through stages, share disks, links and uplink, fail and are killed; nodes crash and
 * come back, switches are lost (docs/cluster-model.md). Within the rack everything happens event by event. With
 * nothing of that switched on it does what LightRacks do, to the bit.
 *
 * The rack's promise: what a command in the reply to a heartbeat causes shows on that node's next heartbeat at the earliest, and
 * elsewhere one lookahead later; so events up to then may have happened when the command comes. With out-of-band heartbeats
 * nothing shows before that.
 */
export class DetailedRack implements Rack {
  readonly racks: readonly number[];
  readonly commands: CommandSink;
  readonly foretells = false;
  private readonly state: RackState;
  private readonly late: LateCommands;
  /** Of the event that `next` found. */
  private kind: EventKind = FLOW;

  constructor(parts: RackParts) {
    this.racks = [parts.rack];
    this.state = new RackState(parts);
    const atOnce = new RackCommands(this.state);
    const { rackSlotStart, racks } = parts.topology;
    this.late = new LateCommands(atOnce, this.state.calendar, this.state.lookaheadUs, rackSlotStart[racks]);
    this.commands = this.state.isLate ? this.late : atOnce;
  }

  nextReportUs(): number {
    return this.next();
  }

  reportUntil(untilUs: number, sink: ReportSink): void {
    this.state.sink = sink;
    while (this.next() < untilUs) this.run(sink);
  }

  /** Finds what happens next: its time, with its kind in `kind`. */
  private next(): number {
    const { io, cross, faults, commands, runs, copies, ends, news } = this.state;
    let atUs = io === null ? Infinity : io.flows.nextDoneUs();
    this.kind = FLOW;
    atUs = this.sooner(faults.nextUs(), atUs, FAULT);
    atUs = this.sooner(commands.nextUs(), atUs, COMMAND);
    atUs = this.sooner(this.late.nextUs(), atUs, LATE_COMMAND);
    if (cross !== null) atUs = this.sooner(cross.nextUs(), atUs, SETTLE);
    atUs = this.sooner(runs.timers.peekAtUs(), atUs, TIMER);
    atUs = this.sooner(copies.nextEndUs(), atUs, COPY);
    atUs = this.sooner(ends.nextUs(), atUs, REPORT);
    atUs = this.sooner(news.nextUs(), atUs, NEWS);
    return this.sooner(copies.nextReportUs(), atUs, COPY_REPORT);
  }

  private sooner(us: number, soonestUs: number, kind: EventKind): number {
    if (us >= soonestUs) return soonestUs;
    this.kind = kind;
    return us;
  }

  private run(sink: ReportSink): void {
    const { state } = this;
    switch (this.kind) {
      case FLOW:
        return state.runFlow();
      case FAULT:
        return state.faults.run();
      case COMMAND:
        return state.runCommand();
      case LATE_COMMAND:
        return this.late.run();
      case SETTLE:
        return state.cross?.settle();
      case TIMER:
        return state.runs.runTimer();
      case COPY:
        return state.copies.runEnd();
      case REPORT:
        return state.ends.tell(sink);
      case NEWS:
        return state.news.tell(sink);
      case COPY_REPORT:
        return state.copies.tell(sink);
    }
  }
}
