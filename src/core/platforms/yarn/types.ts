import type { ResourceLimit, Resources } from "./resources.js";

/** Types of settings whose values are numbers. Where the name ends in `OrOff` or `OrAll`, -1 stands for off or all. */
type NumberType =
  | ("share" | "shareOrOff" | "ratio" | "weight" | "percent" | "factorOrOff")
  | ("count" | "countOrAll" | "skips" | "skipsOrOff" | "apps" | "priority" | "priorityLimit")
  | ("memory" | "vcores" | "nodeMemory" | "nodeVcores")
  | ("timeUs" | "intervalUs" | "delayUs" | "heartbeatUs" | "timeoutUs");

/** The values of YARN's settings by type; `io/yarn/setting-forms.ts` has their bounds and how they are written. */
export type YarnTypes = Readonly<Record<NumberType, number>> & {
  readonly flag: boolean;
  /** Of what a property disables. */
  readonly enabled: boolean;
  /** Whether the dominant calculator holds, which looks at vcores. */
  readonly calculator: boolean;
  readonly amounts: Readonly<Resources>;
  readonly resources: ResourceLimit;
  readonly policy: "fair" | "drf" | "fifo";
  readonly rootPolicy: "fair" | "drf" | "fifo";
  readonly scheduler: "yarn-fair" | "yarn-capacity";
  readonly appOrder: "fifo" | "fair";
  readonly preemptionOrder: "userLimit" | "priority";
};
