import { DEFAULT_NODE, DEFAULT_NETWORK } from "../../core/scenario/defaults.js";
import type { ClusterSpec } from "../../core/scenario/cluster-spec.js";
import { NOTHING_SPECIAL } from "../../core/scenario/no-limits.js";
import type { SchedulerSpec, WaitSpec } from "../../core/scenario/scenario.js";
import { US_PER_SECOND } from "../../core/kernel/time.js";
import type { DecisionKind } from "./decision-kinds.js";

/** One experiment: all jobs are there from the start, and every task ends on the next heartbeat of its node. */
export interface DecisionCase {
  readonly nodes: number;
  /** Of every node. */
  readonly mapSlots: number;
  readonly reduceSlots: number;
  readonly jobs: number;
  /** Jobs are dealt out to them; only `hfs` sees them. */
  readonly pools: number;
  /** Of every job. */
  readonly maps: number;
  readonly reduces: number;
  readonly kind: DecisionKind;
  readonly wait: WaitSpec;
  /** Infinity: all free slots. */
  readonly tasksPerHeartbeat: number;
  /** Demands are taken anew so often; 0: they are always fresh. */
  readonly updateIntervalUs: number;
  /** The experiment is over after so many tasks. */
  readonly assignments: number;
}

/** Section 5.4 of the paper, with waits of half a heartbeat interval for the node and for its rack. */
export const PAPER_CASE: DecisionCase = {
  nodes: 2_500,
  mapSlots: 2,
  reduceSlots: 2,
  jobs: 100,
  pools: 20,
  maps: 1_000,
  reduces: 1_000,
  kind: "hfs",
  wait: { kind: "time", nodeUs: 5 * US_PER_SECOND, rackUs: 5 * US_PER_SECOND },
  tasksPerHeartbeat: Infinity,
  updateIntervalUs: 2_500_000,
  assignments: Infinity,
};

export const HEARTBEAT_US = 10 * US_PER_SECOND;
const NODES_PER_RACK = 40;
export const REPLICATION = 3;

/** Racks of 40 nodes, the last one of what is left. */
export function clusterOf({ nodes, mapSlots, reduceSlots }: DecisionCase): ClusterSpec {
  const racks = Array.from({ length: Math.ceil(nodes / NODES_PER_RACK) }, (_, rack) => ({
    name: `rack${String(rack)}`,
    row: "",
    uplinkBytesPerSecond: Infinity,
    nodes: [
      {
        ...DEFAULT_NODE,
        count: Math.min(NODES_PER_RACK, nodes - rack * NODES_PER_RACK),
        mapSlots,
        reduceSlots,
        speed: 1,
      },
    ],
  }));
  return {
    racks,
    heartbeat: { rule: "fixed", intervalUs: HEARTBEAT_US },
    heartbeatJitter: 0,
    outOfBandDelayUs: 0,
    network: DEFAULT_NETWORK,
  };
}

/** The scheduler of a case: pools of equal weight, nothing promised, no preemption. */
export function schedulerOf({ kind, wait, tasksPerHeartbeat, updateIntervalUs }: DecisionCase): SchedulerSpec {
  return {
    kind,
    wait,
    tasksPerHeartbeat,
    updateIntervalUs,
    ...NOTHING_SPECIAL,
    poolBy: "pool",
    groups: [],
  };
}
