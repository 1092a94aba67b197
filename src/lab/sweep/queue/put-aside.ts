import { printable } from "../../../core/kernel/words.js";
import type { Tell } from "./connect.js";

const MOST_KNOWN = 10_000;
const MOST_REASONS = 50;

/** What was found in Redis and is not used, by kind and reason: said once for each, and counted. */
export class PutAside {
  private readonly known = new Set<string>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly tell: Tell) {}

  /** @param id of what was found; the same one counts once. */
  put(what: string, why: string, id?: string): void {
    if (id !== undefined) {
      const one = `${what} ${id} ${why}`;
      if (this.known.has(one)) return;
      if (this.known.size >= MOST_KNOWN) this.known.clear();
      this.known.add(one);
    }
    const full = `${what}: ${why}`;
    const kind = this.counts.has(full) || this.counts.size < MOST_REASONS ? full : "something else";
    const before = this.counts.get(kind) ?? 0;
    this.counts.set(kind, before + 1);
    if (before > 0) return;
    const which = id === undefined ? "" : ` (${printable(id.slice(0, 40))})`;
    this.tell(`put aside, from Redis: a ${what}${which}: ${why}`);
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Says how many there were, if there were more than have been named. */
  sumUp(): void {
    if (this.total <= this.counts.size) return;
    const each = [...this.counts].map(([what, count]) => `${String(count)} x ${what}`);
    this.tell(`put aside in all, from Redis: ${each.join("; ")}`);
  }
}
