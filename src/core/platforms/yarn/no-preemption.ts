import { secondsIn, TIMEOUT_REASONS, type WaitFound, type WaitReason, type Why } from "../../record/index.js";

const megabytes = ({ reached, bound }: WaitFound, least: string) =>
  reached === null || bound === null ? "" : `: ${reached} MB, ${least} ${bound} MB`;

/** Why nothing is taken from others for a queue that asks for more, in the order of the codes. */
const REASONS = [
  { key: "off", says: () => "preemption is off" },
  {
    key: "utilization",
    says: ({ reached, bound }) =>
      `${reached ?? 0} % of the cluster was used, and preemption begins above ${bound ?? 0} % (cluster-utilization-threshold)`,
  },
  { key: "due", says: () => "it had what it is due" },
  {
    key: "threshold",
    says: (figures) =>
      `it was below its fair share, but not below the part that counts as starved (fairSharePreemptionThreshold)${megabytes(figures, "starved below")}`,
  },
  ...TIMEOUT_REASONS,
  { key: "first", says: () => "an application that goes before it in its queue lacked nothing" },
  { key: "small", says: () => "what it lacked is less than one of its containers" },
  { key: "protected", says: () => "only queues that may not be preempted had more than their shares" },
  { key: "share", says: () => "no other queue had more than its share" },
  {
    key: "ignored",
    says: () => "other queues were above their capacities by too little to count (max_ignored_over_capacity)",
  },
  { key: "ideal", says: () => "by the round's shares the cluster has room for what all queues ask for" },
  { key: "room", says: () => "on no node would the containers that may go make room for one of its own" },
  { key: "withinProtected", says: () => "within the queue preemption is switched off (intra-queue-preemption)" },
  { key: "within", says: () => "no application of the queue had to give anything to another" },
  {
    key: "chosen",
    says: ({ bound }) =>
      `containers of others were chosen: they are killed unless they end within ${secondsIn(bound)}, or were killed and what was freed is being given`,
  },
] as const satisfies readonly WaitReason[];

export type NoPreemption = Why<(typeof REASONS)[number]["key"]>;

export const NO_PREEMPTION: readonly WaitReason[] = REASONS;
