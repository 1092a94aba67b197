import { wrapped } from "../../../../kernel/index.js";
import type { CommandSink } from "../protocol.js";
import { type Agenda, DelayedEffects, LATE_COMMAND } from "./agenda.js";
import type { ReportCalendar } from "./attempts.js";

/** Commands that are not held back: the rack itself defers what they do by a lookahead. */
const AT_ONCE = new Set(["openRead", "rateProposed", "copyBlock", "replicaSent", "bytesMoved"]);

/**
 * Holds every command back for one lookahead. With out-of-band heartbeats the next heartbeat of a node may come sooner
 * than that after a reply, and must not tell what the reply has caused, for the rack may not have got it yet. What a
 * command does still counts from the reply, but for a kill, which meets whatever runs when it takes effect.
 */
export class LateCommands extends DelayedEffects {
  readonly commands: CommandSink;

  constructor(
    inner: CommandSink,
    calendar: ReportCalendar,
    lookaheadUs: number,
    /** Slots of the cluster: places from there on belong to attempts that commit. */
    slots: number,
    agenda: Agenda,
  ) {
    super(agenda, LATE_COMMAND);
    const hold = (orderedUs: number, effect: () => void) => {
      this.add(orderedUs + lookaheadUs, (atUs) => {
        calendar.floorUs = atUs;
        effect();
      });
    };
    this.commands = wrapped<CommandSink>(
      inner,
      {
        kill: (node, atUs, place) => {
          // An attempt that requested to commit in vain ends with the reply: the next one in its slot may request
          // before long.
          const endUs = place < slots ? atUs + lookaheadUs : atUs;
          hold(atUs, () => inner.kill(node, endUs, place));
        },
        closeRead: (node, atUs, place) => inner.closeRead(node, atUs + lookaheadUs, place),
      },
      (name, call, values) => {
        if (AT_ONCE.has(name)) return call(...values);
        // The next launch may fill the same record.
        const kept = values.map((value) => (typeof value === "object" && value !== null ? { ...value } : value));
        hold(values[1] as number, () => call(...kept));
      },
    );
  }
}
