import type { ClusterSpec, RackSpec } from "../../core/scenario/cluster-spec.js";
import { DEFAULT_NETWORK } from "../../core/scenario/defaults.js";
import type { Rules } from "../../core/scheduler/rules.js";
import { plannedNames, totalsOf, type RackPlan } from "./rack-plan.js";
import type { ScenarioFile } from "./scenario-schema.js";

const DEFAULT_HEARTBEAT = { rule: "fixed", intervalUs: 3_000_000 } as const;

type ClusterFile = ScenarioFile["cluster"];

/** The cluster of a valid file; `plans` are its racks. */
export function resolveCluster(file: ClusterFile, plans: readonly RackPlan[], rules: Rules): ClusterSpec {
  return {
    racks: resolveRacks(plans),
    heartbeat: resolveHeartbeat(file.heartbeat, rules),
    heartbeatJitter: file.heartbeatJitter ?? 0,
    outOfBandDelayUs: file.outOfBandDelay ?? 0,
    network: {
      rowUplinkBytesPerSecond: file.network?.rowUplink ?? DEFAULT_NETWORK.rowUplinkBytesPerSecond,
      settleUs: file.network?.settle ?? DEFAULT_NETWORK.settleUs,
    },
  };
}

/** The heartbeat in the words of the scenario. Hadoop's rule sets bring their own rule, whatever the kind. */
export function resolveHeartbeat(file: ClusterFile["heartbeat"], rules: Rules): ClusterSpec["heartbeat"] {
  if (file !== undefined) return typeof file === "number" ? { rule: "fixed", intervalUs: file } : file;
  if (rules.heartbeat === "fixed") return DEFAULT_HEARTBEAT;
  return { rule: rules.heartbeat, perSecond: 100, scalingFactor: 1 };
}

function resolveRacks(plans: readonly RackPlan[]): RackSpec[] {
  const names = rackNames(plans);
  const racks: RackSpec[] = [];
  for (const { count, row = "", uplinkBytesPerSecond, nodes } of plans) {
    for (let i = 0; i < count; i++) racks.push({ name: names[racks.length], row, uplinkBytesPerSecond, nodes });
  }
  return racks;
}

/**
 * The names of all racks, in rack order. Unnamed ones are called `rack00`, `rack01`, ... by position, or the next number
 * that nobody has.
 */
export function rackNames(plans: readonly RackPlan[]): string[] {
  const digits = Math.max(2, String(totalsOf(plans).racks - 1).length);
  const taken = new Set(plans.flatMap(plannedNames));
  const all: string[] = [];
  let number = 0;
  for (const plan of plans) {
    const names = plannedNames(plan);
    for (let i = 0; i < plan.count; i++) {
      let name = names.at(i);
      if (name === undefined) {
        number = Math.max(number, all.length);
        do name = `rack${String(number++).padStart(digits, "0")}`;
        while (taken.has(name));
      }
      all.push(name);
    }
  }
  return all;
}
