import type { Heartbeats } from "../racks/heartbeats.js";
import type { LivingNodes, Topology } from "../../../cluster/index.js";
import { MAP, type REDUCE, RUNNING } from "../jobs/job-table.js";
import { assert, bitsFor, clearBit, EventSet, hasBit, setBit } from "../../../kernel/index.js";
import type { LostReplicas } from "../replication/replicas.js";
import type { BuiltScheduler } from "../scheduler/scheduler.js";
import type { AttemptReports } from "./attempt-reports.js";
import { attemptsOn, KILL_SENT, type MasterTables } from "./attempts.js";
import type { Features } from "./launches.js";
import type { MapOutputs } from "./map-outputs.js";

/**
 * The master's handling of nodes that become unresponsive, and of nodes that come back.
 *
 * The master gives up a node without a heartbeat for the expiry time. The attempts of the node are lost, its slots
 * leave the cluster, its replicas are copied elsewhere, and finished maps whose output lay there run again for jobs
 * that have reduces. A node that restarts after a crash has lost its attempts and outputs even if it was not given up.
 * A node that was given up may have run on and send heartbeats again. Its attempts are zombies: the node is ordered to
 * kill them, and its reports on them are ignored.
 */
export class NodeLosses {
  /** The liveness of nodes, notified when they become unresponsive and responsive. */
  readonly liveness: NodeLiveness;
  /** By attempt id: 1 for a zombie, an attempt that was lost with its node and may still run there. */
  private readonly zombies: Uint8Array;
  /** Nodes that must be ordered to kill their zombies. */
  private readonly nodesWithZombies = new Set<number>();

  constructor(
    private readonly parts: MasterTables &
      Features & {
        readonly liveness: NodeLiveness;
        readonly outputs: MapOutputs;
        readonly replicas: LostReplicas;
        readonly reports: AttemptReports;
        readonly built: BuiltScheduler;
      },
  ) {
    this.liveness = parts.liveness;
    this.zombies = new Uint8Array(2 * parts.attempts.slots);
  }

  /** Time at which the next node is given up; Infinity for never. */
  nextUs(): number {
    return this.liveness.nextUs();
  }

  /** Gives up the node whose time has come, see `nextUs`. */
  giveUp(nowUs: number): void {
    const { liveness, attempts, replicas, reports, slots, recorder, cached } = this.parts;
    const node = liveness.giveUp();
    recorder.nodesGivenUp++;
    replicas.nodeLost(node);
    slots.close(node);
    cached?.forget(node);
    for (const attempt of attemptsOn(this.parts, node)) {
      if (this.isZombie(attempt)) continue;
      this.zombies[attempt] = 1;
      reports.lost(node, attempt);
      attempts.orphan(attempt);
    }
    this.loseOutputs(node, nowUs);
    this.slotsChanged(nowUs);
  }

  /** The node reports that it has restarted after a crash: nothing runs there any more, and map output is gone. */
  restarted(node: number, nowUs: number): void {
    const { reports } = this.parts;
    const isLiving = this.liveness.isLiving(node);
    for (const attempt of attemptsOn(this.parts, node)) {
      if (!this.isZombie(attempt)) reports.lost(node, attempt);
      this.zombies[attempt] = 0;
      this.leave(node, attempt);
    }
    this.parts.cached?.forget(node);
    // Nothing computes there.
    this.parts.slots.loaded(node, 0);
    if (isLiving) this.loseOutputs(node, nowUs);
    this.parts.replicas.copies.restart(node);
  }

  /**
   * The attempt is reported to have ended, or to want to commit. True if it is a zombie: then the report means
   * only that its slot is free.
   */
  zombieEnded(node: number, attempt: number, wantsCommit: boolean): boolean {
    if (!this.isZombie(attempt)) return false;
    this.zombies[attempt] = 0;
    this.leave(node, attempt);
    if (wantsCommit) {
      this.zombies[this.parts.attempts.awaitCommit(attempt)] = 1;
      this.nodesWithZombies.add(node);
    }
    return true;
  }

  /** The attempt was lost with its node, and may still run there. */
  isZombie(attempt: number): boolean {
    return this.zombies[attempt] !== 0;
  }

  /** The node has sent a heartbeat, whose reports are in. */
  heartbeatReceived(node: number, nowUs: number): void {
    const { liveness } = this;
    liveness.heartbeatReceived(node, nowUs);
    if (!liveness.isLiving(node)) this.readmit(node, nowUs);
    if (this.nodesWithZombies.delete(node)) this.killZombies(node, nowUs);
  }

  /** Returns the nodes of word `w` with something pending for their next heartbeat. */
  awaitedNodes(w: number): number {
    return this.liveness.givenUpBits[w];
  }

  /** True: no slot of the type is left, and none will come unless an unresponsive node sends a heartbeat again. */
  hasNone(type: typeof MAP | typeof REDUCE): boolean {
    const { liveness } = this;
    const { topology, slots } = this.parts;
    return slots.living[type] === 0 && liveness.unresponsive === topology.nodes - liveness.living;
  }

  private readmit(node: number, nowUs: number): void {
    const { slots, replicas } = this.parts;
    this.liveness.readmit(node);
    slots.open(node);
    replicas.nodeBack(node);
    this.nodesWithZombies.add(node);
    this.slotsChanged(nowUs);
  }

  private killZombies(node: number, nowUs: number): void {
    const { attempts, commandsOf, progress } = this.parts;
    for (const attempt of attemptsOn(this.parts, node)) {
      if (!this.isZombie(attempt) || attempts.killStateOf(attempt) === KILL_SENT) continue;
      commandsOf(node).kill(node, nowUs, attempt);
      progress?.killed(attempt, nowUs);
      attempts.setKillState(attempt, KILL_SENT);
    }
  }

  /** The attempt is there no more. */
  private leave(node: number, attempt: number): void {
    const { attempts, slots } = this.parts;
    if (attempt >= attempts.slots) attempts.endCommit(attempt);
    else if (this.liveness.isLiving(node)) slots.release(node, attempt);
    else slots.vacate(node, attempt);
  }

  private loseOutputs(node: number, nowUs: number): void {
    const { jobs, outputs, pending, recorder, reports, built, failures, disk } = this.parts;
    for (let job = 0; job < jobs.handles; job++) {
      if (jobs.state[job] !== RUNNING) continue;
      for (const task of outputs.takeFrom(job, node)) {
        reports.mapsUndone(job);
        jobs.done[MAP][job]--;
        jobs.pending[MAP][job]++;
        pending.putBack(job, task, failures.failureCount(job, MAP, task));
        disk?.outputLost(job, node);
        recorder.outputLost(jobs.id[job], task, node, nowUs);
        built.scheduler.pendingChanged(job, MAP, 1, nowUs);
      }
    }
  }

  private slotsChanged(nowUs: number): void {
    const { slots, built, balance, recorder } = this.parts;
    const [maps, reduces] = slots.living;
    recorder.slotsChanged(maps, reduces, nowUs);
    balance?.slotsChanged(maps);
    built.scheduler.slotsChanged(maps, reduces, nowUs);
  }
}

/**
 * Node liveness: which nodes the master has given up, and which it will give up next. It gives up a node without a
 * heartbeat for `expiryUs`. This class is notified of visited heartbeats, and of nodes that become unresponsive and
 * responsive; all other heartbeats follow from the schedule. Before its first heartbeat, a node counts as one that sent
 * a heartbeat at 0.
 */
export class NodeLiveness implements LivingNodes {
  /** Nodes that have not been given up. */
  living: number;
  /** Number of unresponsive nodes: no heartbeat comes from them. */
  unresponsive = 0;
  /** A bit for every node that was given up. */
  readonly givenUpBits: Int32Array;
  private readonly livingIn: Int32Array;
  private readonly expiries: EventSet;
  private readonly lastHeartbeatUs: Float64Array;
  /** By node: time since which it has been responsive. */
  private readonly responsiveSinceUs: Float64Array;

  constructor(
    private readonly topology: Topology,
    private readonly beats: Pick<Heartbeats, "firstAtOrAfter" | "sinceHeartbeatUs">,
    private readonly expiryUs: number,
  ) {
    const { nodes, racks, rackStart } = topology;
    this.living = nodes;
    this.livingIn = Int32Array.from({ length: racks }, (_, rack) => rackStart[rack + 1] - rackStart[rack]);
    this.givenUpBits = bitsFor(nodes);
    this.expiries = new EventSet(nodes);
    this.lastHeartbeatUs = new Float64Array(nodes);
    this.responsiveSinceUs = new Float64Array(nodes);
  }

  isLiving(node: number): boolean {
    return !hasBit(this.givenUpBits, node);
  }

  livesOutside(rack: number): boolean {
    return this.living > this.livingIn[rack];
  }

  /** Time at which the next node is given up unless it sends a heartbeat before; Infinity for never. */
  nextUs(): number {
    return this.expiries.peekAtUs();
  }

  /** The node that is given up now. */
  giveUp(): number {
    const node = this.expiries.pop();
    setBit(this.givenUpBits, node);
    this.living--;
    this.livingIn[this.topology.rackOf[node]]--;
    return node;
  }

  /** From now on no heartbeat comes from the node, one at this instant included. */
  becameUnresponsive(node: number, atUs: number): void {
    this.unresponsive++;
    if (!this.isLiving(node)) return;
    const lastUs = atUs - 1 - this.beats.sinceHeartbeatUs(node, atUs - 1);
    if (lastUs >= this.responsiveSinceUs[node] && lastUs > this.lastHeartbeatUs[node])
      this.lastHeartbeatUs[node] = lastUs;
    this.expiries.remove(node);
    this.expiries.add(node, Math.max(atUs, this.lastHeartbeatUs[node] + this.expiryUs));
  }

  /** Heartbeats come from the node again, one at this instant included. */
  becameResponsive(node: number, atUs: number): void {
    this.unresponsive--;
    this.responsiveSinceUs[node] = atUs;
    const expiryUs = this.lastHeartbeatUs[node] + this.expiryUs;
    if (this.beats.firstAtOrAfter(node, atUs) < expiryUs) this.expiries.remove(node);
  }

  /** A heartbeat of the node is visited. */
  heartbeatReceived(node: number, atUs: number): void {
    this.lastHeartbeatUs[node] = atUs;
    this.expiries.remove(node);
  }

  /** A node that was given up is among the living again. */
  readmit(node: number): void {
    assert(!this.isLiving(node), "a node was readmitted that had not been given up");
    clearBit(this.givenUpBits, node);
    this.living++;
    this.livingIn[this.topology.rackOf[node]]++;
  }
}
