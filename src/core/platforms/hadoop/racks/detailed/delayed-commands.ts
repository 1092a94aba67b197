import { type EventSet, widened, wrapped, DOUBLE_ZERO } from "../../../../kernel/index.js";
import type { CommandSink } from "../protocol.js";
import { type Agenda, COMMAND, LATE_COMMAND } from "./agenda.js";
import type { ReportCalendar } from "./attempts.js";

/**
 * Kinds of commands that are deferred: what they do to anything but their own node's next heartbeat happens one
 * lookahead later.
 */
export const RELEASE = 0;
export const ADVANCE = 1;
export const OPEN = 2;
export const CLOSE = 3;
export const RATE = 4;
export const COPY_BLOCK = 5;
export const SERVE_OUTPUT = 6;
export const REPLICA_SENT = 7;
export const BYTES_MOVED = 8;

/** Commands whose effect is still to come, in the order (time, arrival); they arrive in the one order of the run. */
export class DeferredCommands {
  /** The command that `take` took. */
  kind = RELEASE;
  node = 0;
  /** As the command said it: a place in the cluster, or the number of a transfer. */
  place = 0;
  /** Time at which it was sent. */
  orderedUs = DOUBLE_ZERO;
  /** By kind: millionths that are there; the reader, where the node is the source; an offer; the source of a copy. */
  value = 0;
  bytes = DOUBLE_ZERO;
  fromUs = DOUBLE_ZERO;
  private readonly due: EventSet;
  /**
   * Kind, node, place and value of those held, and when they were sent, their bytes, and from when on; cells that are
   * free.
   */
  private words = new Int32Array(WORDS * 16);
  private numbers = new Float64Array(NUMBERS * 16);
  private readonly free: number[] = [];
  private cells = 0;
  private arrivals = 0;

  constructor(agenda: Agenda) {
    this.due = agenda.calendar(COMMAND, 16);
  }

  add(
    kind: number,
    atUs: number,
    node: number,
    orderedUs: number,
    place: number,
    value: number,
    bytes: number,
    fromUs: number,
  ): void {
    const cell = this.free.pop() ?? this.cells++;
    if (WORDS * cell === this.words.length) {
      this.words = widened(this.words);
      this.numbers = widened(this.numbers);
    }
    const { words, numbers } = this;
    words[WORDS * cell] = kind;
    words[WORDS * cell + 1] = node;
    words[WORDS * cell + 2] = place;
    words[WORDS * cell + 3] = value;
    numbers[NUMBERS * cell] = orderedUs;
    numbers[NUMBERS * cell + 1] = bytes;
    numbers[NUMBERS * cell + 2] = fromUs;
    this.due.add(cell, atUs, this.arrivals++);
  }

  /** Takes the next one; its time. */
  take(): number {
    const { words, numbers, due } = this;
    const atUs = due.peekAtUs();
    const cell = due.pop();
    this.free.push(cell);
    this.kind = words[WORDS * cell];
    this.node = words[WORDS * cell + 1];
    this.place = words[WORDS * cell + 2];
    this.value = words[WORDS * cell + 3];
    this.orderedUs = numbers[NUMBERS * cell];
    this.bytes = numbers[NUMBERS * cell + 1];
    this.fromUs = numbers[NUMBERS * cell + 2];
    return atUs;
  }
}

const WORDS = 4;
const NUMBERS = 3;

/** Commands that are not held back: the rack itself defers what they do by a lookahead. */
const AT_ONCE = new Set(["openRead", "rateProposed", "copyBlock", "replicaSent", "bytesMoved"]);

/**
 * Holds every command back for one lookahead. With out-of-band heartbeats the next heartbeat of a node may come sooner
 * than that after a reply, and must not tell what the reply has caused, for the rack may not have got it yet. What a
 * command does still counts from the reply, but for a kill, which meets whatever runs when it takes effect.
 */
export class LateCommands {
  readonly commands: CommandSink;
  private readonly due: EventSet;
  private readonly deferred: (() => void)[] = [];
  private readonly free: number[] = [];
  private arrivals = 0;

  constructor(
    inner: CommandSink,
    private readonly calendar: ReportCalendar,
    private readonly lookaheadUs: number,
    /** Slots of the cluster: places from there on belong to attempts that commit. */
    slots: number,
    agenda: Agenda,
  ) {
    this.due = agenda.calendar(LATE_COMMAND, 64);
    this.commands = wrapped<CommandSink>(
      inner,
      {
        kill: (node, atUs, place) => {
          // An attempt that requested to commit in vain ends with the reply: the next one in its slot may request
          // before long.
          const endUs = place < slots ? atUs + lookaheadUs : atUs;
          this.hold(atUs, () => inner.kill(node, endUs, place));
        },
        closeRead: (node, atUs, place) => inner.closeRead(node, atUs + lookaheadUs, place),
      },
      (name, call, values) => {
        if (AT_ONCE.has(name)) return call(...values);
        // The next launch may fill the same record.
        const kept = values.map((value) => (typeof value === "object" && value !== null ? { ...value } : value));
        this.hold(values[1] as number, () => call(...kept));
      },
    );
  }

  /** The command whose time has come takes effect. */
  run(): void {
    this.calendar.floorUs = this.due.peekAtUs();
    const cell = this.due.pop();
    this.free.push(cell);
    this.deferred[cell]();
  }

  private hold(atUs: number, effect: () => void): void {
    const cell = this.free.pop() ?? this.deferred.length;
    this.deferred[cell] = effect;
    this.due.add(cell, atUs + this.lookaheadUs, this.arrivals++);
  }
}
