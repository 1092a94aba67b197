import type { BlockStore } from "../cluster/block-store.js";
import type { Topology } from "../cluster/topology.js";
import { MAP, RUNNING, type JobTable } from "../jobs/job-table.js";
import type { PendingMaps } from "../jobs/pending-maps.js";
import { DelayStatistics, Dsbra } from "../replication/dsbra.js";
import { HotSpotRule } from "../replication/hot-spot-rule.js";
import type { MapLaunchWatcher, ReplicationRule } from "../replication/replica-orders.js";
import type { DsbraSpec } from "../scenario/replication-spec.js";
import type { Scenario } from "../scenario/scenario.js";
import { nodeWait } from "../scheduler/built-scheduler.js";
import { GONE, type Attempts } from "./attempts.js";
import type { FreeSlots } from "./free-slots.js";
import type { ReplicaTraffic } from "./replica-traffic.js";

export interface DynamicReplicationParts {
  readonly scenario: Scenario;
  readonly topology: Topology;
  readonly store: BlockStore;
  readonly jobs: JobTable;
  readonly pending: PendingMaps;
  readonly slots: FreeSlots;
  readonly attempts: Attempts;
  /** null: no replica is ever made. */
  readonly traffic: ReplicaTraffic | null;
}

/** The rule that changes replication, and when it looks at the blocks. */
export class DynamicReplication {
  nextLookUs: number;

  /** @param watcher what the rule must be told of launches; null: nothing. */
  constructor(
    private readonly rule: ReplicationRule,
    private readonly everyUs: number,
    readonly watcher: MapLaunchWatcher | null,
  ) {
    this.nextLookUs = everyUs;
  }

  look(nowUs: number): void {
    this.rule.look(nowUs);
    this.nextLookUs += this.everyUs;
  }
}

/** null: replication is fixed. */
export function buildDynamicReplication(parts: DynamicReplicationParts): DynamicReplication | null {
  const { scenario, topology, store } = parts;
  const ordered = parts.traffic && parts.traffic.ordered;
  const { dynamicReplication: spec, replication } = scenario.storage;
  if (spec === undefined || ordered === null) return null;
  const { everyUs } = spec;
  const known = { store, nodes: topology.nodes, replication, orders: ordered };
  if (spec.rule === "hotSpots") {
    const forEachReader = (visit: (block: number) => void): void => visitReaders(parts, visit);
    return new DynamicReplication(new HotSpotRule({ ...known, spec, forEachReader }), everyUs, null);
  }
  const threshold = thresholdOf(spec, parts);
  const longest = spec.beyondDelay === "capped" ? threshold : Infinity;
  const statistics = new DelayStatistics(store.blocks, parts.jobs, longest);
  return new DynamicReplication(new Dsbra({ ...known, spec, statistics, threshold }), everyUs, statistics);
}

/** D, in the terms of the scheduler's wait. */
function thresholdOf({ delayUs }: DsbraSpec, { scenario, topology }: DynamicReplicationParts): number {
  const { wait } = scenario.scheduler;
  const countsOpportunities = wait.kind === "skips" || wait.kind === "fraction";
  if (delayUs !== null && !countsOpportunities) return delayUs;
  return nodeWait(wait, topology.heartbeatUs, topology.nodes);
}

/** The blocks of all maps that are pending or run. */
function visitReaders(parts: DynamicReplicationParts, visit: (block: number) => void): void {
  const { jobs, pending, slots, attempts, topology } = parts;
  for (let job = 0; job < jobs.handles; job++) {
    if (jobs.state[job] !== RUNNING || jobs.firstBlock[job] < 0 || jobs.pending[MAP][job] === 0) continue;
    for (let task = 0; task < jobs.total[MAP][job]; task++) {
      if (pending.isPending(job, task)) visit(jobs.firstBlock[job] + task);
    }
  }
  for (let node = 0; node < topology.nodes; node++) {
    const first = topology.slotStart[node];
    for (let slot = first; slot < first + topology.mapSlots[node]; slot++) {
      const job = slots.isHeldOn(node, slot) ? attempts.job[slot] : GONE;
      if (job >= 0 && jobs.firstBlock[job] >= 0) visit(jobs.firstBlock[job] + attempts.task[slot]);
    }
  }
}
