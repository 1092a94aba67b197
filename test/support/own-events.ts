/** The master's own events at one instant, in the order in which they happen, before any heartbeat of that instant. */
const KINDS = ["reload", "update", "ready", "end", "submit"] as const;

export interface OwnEvent {
  readonly atUs: number;
  readonly kind: (typeof KINDS)[number];
  /** Of the job or of the reload. */
  readonly rank: number;
}

/** In the order in which they happen; the earliest first. */
export function sortEvents(events: OwnEvent[]): OwnEvent[] {
  return events.sort((a, b) => a.atUs - b.atUs || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.rank - b.rank);
}
