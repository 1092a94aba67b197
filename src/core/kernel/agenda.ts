import { assert } from "./assert.js";
import { EventSet } from "./event-set.js";

/** Room for ties within one kind. */
const MOST_TIES = 2 ** 40;

/** The receiver of events. */
interface Actor {
  /** @param kind of what happens. @param entity what it happens to, in the actor's own numbers. */
  handle(kind: number, entity: number): void;
}

/**
 * The agenda of events in virtual time, in one order: by time, then by kind, then by the given tie, or in the order of
 * planning.
 */
export class Agenda {
  nowUs = 0;
  private readonly events = new EventSet(64);
  private readonly actors: Actor[] = [];
  private readonly kinds: number[] = [];
  private readonly subjects: number[] = [];
  private readonly freeIds: number[] = [];
  private plannedSoFar = 0;

  /**
   * @param tie from 0 to 2^40, for all of that kind or for none: of two at one instant the one with the smaller number
   *   comes first.
   */
  plan(actor: Actor, kind: number, entity: number, atUs: number, tie = this.plannedSoFar++): void {
    const id = this.freeIds.pop() ?? this.kinds.length;
    this.actors[id] = actor;
    this.kinds[id] = kind;
    this.subjects[id] = entity;
    this.events.add(id, atUs, kind * MOST_TIES + tie);
  }

  /** Infinity: nothing is planned. */
  nextUs(): number {
    return this.events.peekAtUs();
  }

  /** Performs the next event. */
  step(): void {
    assert(this.nextUs() >= this.nowUs, "something is planned in the past");
    this.nowUs = this.nextUs();
    const id = this.events.pop();
    this.freeIds.push(id);
    this.actors[id].handle(this.kinds[id], this.subjects[id]);
  }
}
