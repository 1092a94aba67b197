import type { Topology } from "../cluster/topology.js";
import { widened } from "../kernel/widened.js";
import { DOUBLE_ZERO } from "../kernel/time.js";
import type { LongTaskBalanceSpec } from "../scenario/long-task-balance-spec.js";
import type { Attempts } from "./attempts.js";

/** What a slot holds. */
const NOTHING = 0;
const SHORT = 1;
const LONG = 2;

/**
 * Which nodes run how many long maps, and so which of them take another (Delay Scheduling, EuroSys 2010, section 3.5.1).
 * Tasks of a job have similar lengths, so it is jobs that are long or short: new ones by decree, later by the mean of their
 * finished maps, judged anew whenever one finishes; what they run then is counted anew.
 *
 * Nodes are compared by the share of their map slots, which is the number of long maps where nodes are alike, and the
 * average is that of the living nodes. So wherever long maps wait, the node with the least share takes one, unless it is full:
 * with short maps, which end, or with long ones, and then all slots hold long maps.
 */
export class LongTaskBalance {
  /** Map slots of the nodes that have not been given up. */
  private slots: number;
  private total = 0;
  private readonly onNode: Int32Array;
  /** By slot. */
  private readonly holds: Uint8Array;
  /** By handle. */
  private isLong = new Uint8Array(64);
  private finished = new Float64Array(64);
  private sumUs = new Float64Array(64);
  private finishedOfAll = 0;
  private sumOfAllUs = DOUBLE_ZERO;

  constructor(
    private readonly spec: LongTaskBalanceSpec,
    private readonly topology: Topology,
    private readonly attempts: Attempts,
  ) {
    this.slots = topology.totalMapSlots;
    this.onNode = new Int32Array(topology.nodes);
    this.holds = new Uint8Array(attempts.slots);
  }

  /** A job got a handle that another may have had. */
  jobEntered(job: number): void {
    while (job >= this.isLong.length) {
      this.isLong = widened(this.isLong);
      this.finished = widened(this.finished);
      this.sumUs = widened(this.sumUs);
    }
    this.isLong[job] = this.spec.newJobs === "long" ? 1 : 0;
    this.finished[job] = 0;
    this.sumUs[job] = 0;
  }

  /** The map slots of the living nodes are so many now. */
  slotsChanged(maps: number): void {
    this.slots = maps;
  }

  /** The node may take a map of the job. */
  accepts(job: number, node: number): boolean {
    if (this.isLong[job] === 0) return true;
    const beyond = this.onNode[node] - this.spec.slack;
    return beyond * this.slots <= this.total * this.topology.mapSlots[node];
  }

  /** A map of the job was launched in that slot of the node. */
  launched(job: number, slot: number, node: number): void {
    this.holds[slot] = SHORT;
    if (this.isLong[job] === 1) this.count(slot, node, LONG);
  }

  /** What the slot of the node held, if a map, has left it. */
  left(slot: number, node: number): void {
    if (this.holds[slot] === LONG) this.count(slot, node, SHORT);
    this.holds[slot] = NOTHING;
  }

  /** A map of the job has finished that ran so long. */
  mapFinished(job: number, ranUs: number): void {
    this.finished[job]++;
    this.sumUs[job] += ranUs;
    this.finishedOfAll++;
    this.sumOfAllUs += ranUs;
    const isLong = this.isOver(job) ? 1 : 0;
    if (isLong === this.isLong[job]) return;
    this.isLong[job] = isLong;
    this.countAnew(job, isLong === 1 ? LONG : SHORT);
  }

  /** In whole microseconds, so that a job that is all there is never differs from the mean by rounding. */
  private isOver(job: number): boolean {
    const { overUs, overMean } = this.spec;
    const ranUs = this.sumUs[job];
    if (overUs !== null) return ranUs > overUs * this.finished[job];
    return ranUs * this.finishedOfAll > overMean * (this.sumOfAllUs * this.finished[job]);
  }

  private countAnew(job: number, held: typeof SHORT | typeof LONG): void {
    const { holds, attempts } = this;
    for (let slot = 0; slot < holds.length; slot++) {
      if (holds[slot] === NOTHING || holds[slot] === held || attempts.job[slot] !== job) continue;
      this.count(slot, attempts.node[slot], held);
    }
  }

  private count(slot: number, node: number, held: typeof SHORT | typeof LONG): void {
    const change = held === LONG ? 1 : -1;
    this.holds[slot] = held;
    this.onNode[node] += change;
    this.total += change;
  }
}
