import { type Executors, NOWHERE } from "./executors.js";
import { Stacks } from "./stacks.js";

/**
 * A place where a task would find its input: a host; an executor there that has it cached; or whatever executors are on
 * a host whose HDFS has it cached.
 */
export interface PreferredPlace {
  readonly host: number;
  readonly executor?: number;
  readonly isHdfsCache?: true;
}

/**
 * Tasks that wait, by where they would like to run. Each list is a stack, read from its end. Entries are left in the
 * others when a task is taken from one, and go when they are met.
 */
export class PendingTasks {
  readonly ofExecutor = new Stacks();
  readonly ofHost = new Stacks();
  readonly ofRack = new Stacks();
  /** One stack, of key 0, each. */
  readonly withoutPreference = new Stacks();
  readonly anywhere = new Stacks();

  constructor(
    private readonly executors: Executors,
    private readonly placesOf: (task: number) => readonly PreferredPlace[],
    /** Called with each host, and its rack, on which a task waits. */
    private readonly waits: (host: number, rack: number) => void,
  ) {}

  add(task: number): void {
    const places = this.placesOf(task);
    for (const place of places) {
      for (const executor of this.executorsOf(place)) this.ofExecutor.push(executor, task);
      this.ofHost.push(place.host, task);
      const rack = this.executors.rackOfHost(place.host);
      if (rack !== NOWHERE) this.ofRack.push(rack, task);
      this.waits(place.host, rack);
    }
    if (places.length === 0) this.withoutPreference.push(0, task);
    this.anywhere.push(0, task);
  }

  /**
   * Adds all tasks of a new task set, so that the lowest number comes first. The list of a rack goes host by host: in
   * Spark in the order of a hash map, here in the order of the hosts.
   */
  addAll(tasks: number): void {
    const [ofExecutor, ofHost, ofRack, withoutPreference, anywhere] = [pairs(), pairs(), pairs(), pairs(), pairs()];
    for (let task = tasks - 1; task >= 0; task--) {
      const places = this.placesOf(task);
      for (const place of places) {
        for (const executor of this.executorsOf(place)) add(ofExecutor, executor, task);
        add(ofHost, place.host, task);
      }
      if (places.length === 0) add(withoutPreference, 0, task);
      add(anywhere, 0, task);
    }
    this.ofExecutor.fill(ofExecutor.keys, ofExecutor.values);
    this.ofHost.fill(ofHost.keys, ofHost.values);
    this.withoutPreference.fill(withoutPreference.keys, withoutPreference.values);
    this.anywhere.fill(anywhere.keys, anywhere.values);
    for (const host of this.ofHost.allKeys().sort((a, b) => b - a)) {
      const rack = this.executors.rackOfHost(host);
      this.waits(host, rack);
      if (rack === NOWHERE) continue;
      const slot = this.ofHost.slotOf(host);
      for (let place = 0; place < this.ofHost.lengthOf(slot); place++)
        add(ofRack, rack, this.ofHost.valueAt(slot, place));
    }
    this.ofRack.fill(ofRack.keys, ofRack.values);
  }

  /** Executors that have its input cached. */
  private executorsOf({ host, executor, isHdfsCache }: PreferredPlace): readonly number[] {
    if (executor === undefined && isHdfsCache !== true) return NONE;
    const listed = executor === undefined ? [] : [executor];
    return isHdfsCache === true ? [...listed, ...this.executors.aliveOn(host)] : listed;
  }
}

const NONE: readonly number[] = [];

/** Keys and values that stacks are to be filled with. */
interface Pairs {
  readonly keys: number[];
  readonly values: number[];
}

function pairs(): Pairs {
  return { keys: [], values: [] };
}

function add({ keys, values }: Pairs, key: number, value: number): void {
  keys.push(key);
  values.push(value);
}

/** Returns the number of entries of a stack that is alone. */
export function lengthOf(alone: Stacks): number {
  return alone.slotOf(0) === NOWHERE ? 0 : alone.lengthOf(0);
}
