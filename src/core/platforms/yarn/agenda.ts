import { assert, EventSet } from "../../kernel/index.js";

/** What happens to one subject comes before the same at the next. */
const MOST_SUBJECTS = 2 ** 40;

/** What happens in virtual time, in one order: by time, then by kind, then by the number of what it happens to. */
export class Agenda {
  nowUs = 0;
  private readonly events = new EventSet(64);
  private readonly kinds: number[] = [];
  private readonly subjects: number[] = [];
  private readonly freeIds: number[] = [];

  plan(kind: number, of: number, atUs: number): void {
    const id = this.freeIds.pop() ?? this.kinds.length;
    this.kinds[id] = kind;
    this.subjects[id] = of;
    this.events.add(id, atUs, kind * MOST_SUBJECTS + of);
  }

  /** Infinity: nothing is planned. */
  nextUs(): number {
    return this.events.peekAtUs();
  }

  /** Has the next thing happen. */
  step(handle: (kind: number, of: number) => void): void {
    assert(this.nextUs() >= this.nowUs, "something is planned in the past");
    this.nowUs = this.nextUs();
    const id = this.events.pop();
    this.freeIds.push(id);
    handle(this.kinds[id], this.subjects[id]);
  }
}
