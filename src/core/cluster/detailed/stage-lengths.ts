import { US_PER_SECOND } from "../../kernel/time.js";
import type { ClusterSpec } from "../../scenario/cluster-spec.js";
import type { IoSpec } from "../../scenario/runtime-spec.js";

/**
 * The node that given task times are meant for: the first group of the first rack. Alone on it, with its block there, a task of
 * the detailed model takes exactly the time that it was given, unless start-up and transfers alone take longer.
 */
export interface NominalNode {
  readonly diskBytesPerSecond: number;
  readonly linkBytesPerSecond: number;
}

export function nominalNode({ racks }: Pick<ClusterSpec, "racks">): NominalNode {
  return racks[0].nodes[0];
}

/** Time to move bytes over one disk alone; 0 over a disk without limit. */
export function diskUs(bytes: number, { diskBytesPerSecond }: NominalNode): number {
  return (bytes / diskBytesPerSecond) * US_PER_SECOND;
}

/** What is left of a map's time for computing, on a node of speed 1. */
export function mapComputeUs(
  lengthUs: number,
  inputBytes: number,
  outputBytes: number,
  { taskStartUs }: IoSpec,
  nominal: NominalNode,
): number {
  return Math.max(0, lengthUs - taskStartUs - diskUs(inputBytes, nominal) - diskUs(outputBytes, nominal));
}

/** What is left of the sorting and reducing time for computing. */
export function reduceComputeUs(reduceUs: number, outputBytes: number, io: IoSpec, nominal: NominalNode): number {
  const { diskBytesPerSecond, linkBytesPerSecond } = nominal;
  const rate = io.outputReplication > 1 ? Math.min(diskBytesPerSecond, linkBytesPerSecond) : diskBytesPerSecond;
  return Math.max(0, reduceUs - io.taskStartUs - (outputBytes / rate) * US_PER_SECOND);
}

const AS_USUAL = 1000;

/** What takes so many thousandths of its usual time. */
export function slowed(us: number, thousandths: number): number {
  return thousandths === AS_USUAL ? us : (us * thousandths) / AS_USUAL;
}
