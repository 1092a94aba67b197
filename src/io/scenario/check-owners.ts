import { DEFAULT_PARTITION } from "../../core/scenario/defaults.js";
import { waitProblems } from "./check-wait.js";
import { badName } from "./declared-pools.js";
import type { Problem } from "./diagnose.js";
import { nearest } from "./near-miss.js";
import type { InnerFile } from "./resolve-inner-scheduler.js";
import { asLabel } from "./scalars.js";
import type { SchedulerSettings } from "./scheduler-schema.js";
import { quote } from "./show.js";

/** More names than this are not searched for the one that was meant. */
const MOST_NAMES = 1_000;

/** What is wrong with owners of jobs and their schedulers. */
export function ownerProblems({ partition }: SchedulerSettings): Problem[] {
  const path = ["scheduler", "partition"];
  return [
    ...innerProblems(partition?.inner, [...path, "inner"]),
    ...nameProblems(Object.keys(partition?.weights ?? {}), [...path, "weights"]),
  ];
}

function innerProblems(inner: InnerFile | undefined, path: readonly PropertyKey[]): Problem[] {
  return typeof inner === "object" ? waitProblems(inner.wait, [...path, "wait"]) : [];
}

function nameProblems(names: readonly string[], path: readonly PropertyKey[]): Problem[] {
  return names.filter((name) => asLabel(name) === undefined).map((name) => badName([...path, name], "owner", name));
}

interface InlineJob {
  readonly user: string;
  /** The user's name unless it is given. */
  readonly pool?: string | undefined;
}

/** Owners that are named and have none of the jobs. Of generated jobs the owners are not known before the run. */
export function strangerProblems(jobs: readonly InlineJob[], { kind, partition }: SchedulerSettings): Problem[] {
  if (kind !== "partition" || partition === undefined) return [];
  const { by = DEFAULT_PARTITION.by } = partition;
  const owners = new Set(jobs.map(({ user, pool = user }) => (by === "pool" ? pool : user)));
  const strangers = Object.keys(partition.weights ?? {}).filter((name) => !owners.has(name));
  return strangers.map((name) => {
    const near = owners.size <= MOST_NAMES ? nearest(name, [...owners]) : undefined;
    const hint = near === undefined ? "" : `; did you mean ${quote(near)}?`;
    const message = `found the owner ${quote(name)}, allowed the ${by} of one of the jobs${hint}`;
    return { path: ["scheduler", "partition", "weights", name], atKey: true, message };
  });
}
