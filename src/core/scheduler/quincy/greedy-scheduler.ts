import type { Topology } from "../../cluster/topology.js";
import { MAP } from "../../jobs/job-table.js";
import type { MapSource } from "../../jobs/map-source.js";
import { NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "../../jobs/nearness.js";
import type { PreemptionCounts } from "../preemption.js";
import { evenShares } from "./task-graph.js";
import { EventDriven, type EventDrivenParts } from "./event-driven.js";

export interface GreedyParts extends EventDrivenParts {
  readonly source: MapSource;
  readonly topology: Topology;
  /** No job launches maps beyond its share; maps beyond it are killed for jobs below theirs. */
  readonly isFair: boolean;
  readonly preempts: boolean;
}

/** The queues of a machine, its rack and the cluster. */
const LISTS = [NODE_LOCAL, RACK_LOCAL, OFF_RACK];

/**
 * Quincy's rival (section 3.3 there): a map waits in the queues of the machines that hold its block, of their racks, and of
 * the cluster; an idle machine takes the first of its own queue, else of its rack's, else of the cluster's. GF passes over
 * jobs that run their share; GFP kills what jobs run beyond it, the latest first, as far as others can use the slots.
 */
export class GreedyScheduler extends EventDriven {
  readonly preemptions: PreemptionCounts = { checks: 0, slotsWanted: 0, kills: 0 };
  /** By job: its share, as of the last change. */
  private readonly shareOf: number[] = [];
  /** Launch times of the attempts that are to be killed, by place. */
  private dying = new Map<number, number>();

  constructor(private readonly parts: GreedyParts) {
    super(parts);
  }

  protected serveMaps(node: number, _nowUs: number, slots: number): number {
    if (this.parts.isFair) this.takeShares();
    let given = 0;
    while (given < slots && this.serveMap(node)) given++;
    return given;
  }

  protected reconsider(nowUs: number): void {
    if (!this.parts.preempts) return;
    this.takeShares();
    this.killBeyondShares();
    // Attempts too young to be killed may remain.
    if (this.slotsMissed() > 0) this.updates.want(nowUs);
  }

  private serveMap(node: number): boolean {
    const { source, launcher } = this.parts;
    for (const reach of LISTS) {
      if (reach === NODE_LOCAL && !source.mayHaveLocal(node)) continue;
      for (const job of this.present.list) {
        if (!this.mayLaunch(job, node)) continue;
        const task = source.pick(job, node, reach);
        if (task < 0) continue;
        launcher.launchMap(job, task, node, source.level);
        return true;
      }
    }
    return false;
  }

  private mayLaunch(job: number, node: number): boolean {
    const { jobs, launcher, isFair } = this.parts;
    if (jobs.pending[MAP][job] === 0) return false;
    if (isFair && jobs.running[MAP][job] >= this.shareOf[job]) return false;
    return !launcher.isSelective || launcher.accepts(job, MAP, node);
  }

  private takeShares(): void {
    if (!this.isStale) return;
    this.isStale = false;
    const { jobs, heldSlots, topology } = this.parts;
    const { list } = this.present;
    const demands = list.map((job) => jobs.pending[MAP][job] + jobs.running[MAP][job]);
    let slots = 0;
    for (let node = 0; node < topology.nodes; node++) slots += heldSlots.freeOn(node, MAP);
    for (const job of list) slots += jobs.running[MAP][job];
    evenShares(demands, slots).forEach((share, i) => (this.shareOf[list[i]] = share));
  }

  /** Slots that jobs below their shares lack, beyond those that are free or about to be. */
  private slotsMissed(): number {
    const { jobs, heldSlots, topology } = this.parts;
    let missed = -this.dying.size;
    for (const job of this.present.list) missed += Math.max(0, this.shareOf[job] - jobs.running[MAP][job]);
    for (let node = 0; node < topology.nodes; node++) missed -= heldSlots.freeOn(node, MAP);
    return missed;
  }

  private killBeyondShares(): void {
    const { jobs, launcher, heldSlots } = this.parts;
    const victims: { attempt: number; job: number; launchUs: number }[] = [];
    const stillDying = new Map<number, number>();
    const beyond: number[] = [];
    for (const job of this.present.list) beyond[job] = jobs.running[MAP][job] - this.shareOf[job];
    heldSlots.forEach(MAP, (attempt, job, _task, _node, launchUs, isReported) => {
      if (this.dying.get(attempt) === launchUs) {
        stillDying.set(attempt, launchUs);
        beyond[job]--;
      } else if (isReported) victims.push({ attempt, job, launchUs });
    });
    this.dying = stillDying;
    let missed = this.slotsMissed();
    this.preemptions.checks++;
    if (missed <= 0) return;
    this.preemptions.slotsWanted += missed;
    victims.sort((a, b) => b.launchUs - a.launchUs || b.attempt - a.attempt);
    for (const { attempt, job, launchUs } of victims) {
      if (missed <= 0) return;
      if (beyond[job] <= 0) continue;
      beyond[job]--;
      missed--;
      this.dying.set(attempt, launchUs);
      this.preemptions.kills++;
      launcher.kill(attempt);
    }
  }
}
