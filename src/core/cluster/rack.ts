import type { CommandSink, ReportSink } from "./commands.js";

/** The model of the nodes of one rack actor, or of several that share a calendar: commands in, reports out, in virtual time. */
export interface Rack {
  readonly racks: readonly number[];
  /** Asked for heartbeats to come, it tells what holds unless an attempt is killed before; else only calls for the past may be made. */
  readonly foretells: boolean;
  readonly commands: CommandSink;
  /** The rack's promise: it reports nothing before this, unless a command comes. Infinity for nothing at all. */
  nextReportUs(): number;
  /** Reports everything before `untilUs`: in order of heartbeat, then end, then place. Calls come in order of time. */
  reportUntil(untilUs: number, sink: ReportSink): void;
}
