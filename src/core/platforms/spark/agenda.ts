import { assert, EventSet } from "../../kernel/index.js";

/** Ties of events of one kind go by the order in which they were planned. */
const MOST_PLANNED = 2 ** 40;

/** Whom something happens to. */
interface Actor {
  /** @param kind of what happens. @param of what it happens to, in the actor's own numbers. */
  handle(kind: number, of: number): void;
}

/** What happens, in one order for all applications of a run: by time, then by kind, then in the order in which it was planned. */
export class Agenda {
  nowUs = 0;
  private readonly events = new EventSet(64);
  private readonly actors: Actor[] = [];
  private readonly kinds: number[] = [];
  private readonly subjects: number[] = [];
  private readonly freeIds: number[] = [];
  private plannedSoFar = 0;

  plan(actor: Actor, kind: number, of: number, atUs: number): void {
    const id = this.freeIds.pop() ?? this.kinds.length;
    this.actors[id] = actor;
    this.kinds[id] = kind;
    this.subjects[id] = of;
    this.events.add(id, atUs, kind * MOST_PLANNED + this.plannedSoFar++);
  }

  /** Infinity: nothing is planned. */
  nextUs(): number {
    return this.events.peekAtUs();
  }

  /** Has the next thing happen. */
  step(): void {
    assert(this.nextUs() >= this.nowUs, "something is planned in the past");
    this.nowUs = this.nextUs();
    const id = this.events.pop();
    this.freeIds.push(id);
    this.actors[id].handle(this.kinds[id], this.subjects[id]);
  }
}
