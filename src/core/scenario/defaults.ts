import type { AllocationsSpec, SchedulerSpec } from "./scenario.js";
import { HFS_SETTINGS } from "./scheduler-spec.js";

/** Hadoop's local.cache.size. */
export const DEFAULT_NODE_CACHE_BYTES = 10 * 2 ** 30;

/** Allocations that declare and limit nothing: what an empty file says. */
export const NO_LIMITS: AllocationsSpec = {
  pools: [],
  users: [],
  poolMaxJobs: Infinity,
  userMaxJobs: Infinity,
  minShareTimeoutUs: Infinity,
  fairShareTimeoutUs: Infinity,
  defaultMode: "fair",
  placement: null,
};

/** Under the paper's rules, without any cap, preemption or weight but those of priorities. */
export const NOTHING_SPECIAL = {
  rules: "paper",
  ...defaultsOf(HFS_SETTINGS),
  countsThisHeartbeat: false,
  loadManager: null,
  preemption: { mode: "off", intervalUs: Infinity },
  weightBooster: null,
  allocations: NO_LIMITS,
  reloads: [],
} as const satisfies Partial<SchedulerSpec>;

/** The defaults of rows, in their order. */
export function defaultsOf<Table extends Readonly<Record<string, object>>>(rows: Table): DefaultsOf<Table> {
  const fields = Object.entries(rows).flatMap(([field, row]) => ("default" in row ? [[field, row.default]] : []));
  return Object.fromEntries(fields) as DefaultsOf<Table>;
}

type DefaultsOf<Table> = {
  readonly [
    Field in keyof Table as Table[Field] extends { readonly default: unknown } ? Field : never
  ]: Table[Field] extends { readonly default: infer Value } ? Value : never;
};
