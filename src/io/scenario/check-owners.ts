import type { OwnedBy } from "../../core/scenario/inner-scheduler-spec.js";
import { waitProblems } from "./check-wait.js";
import { badName } from "./declared-pools.js";
import type { Problem } from "./diagnose.js";
import { nearest, quote } from "./show.js";
import type { InnerFile } from "./resolve-inner-scheduler.js";
import { asLabel } from "./values.js";
import type { SchedulerSettings } from "./scheduler-schema.js";

const PARTITION = ["scheduler", "partition"];
const OFFERS = ["scheduler", "offers"];

/** More names than this are not searched for the one that was meant. */
const MOST_NAMES = 1_000;

/** What is wrong with owners of jobs and their schedulers. */
export function ownerProblems({ partition, offers }: SchedulerSettings): Problem[] {
  return [
    ...innerProblems(partition?.inner, [...PARTITION, "inner"]),
    ...innerProblems(offers?.inner, [...OFFERS, "inner"]),
    ...Object.entries(offers?.frameworks ?? {}).flatMap(([name, { inner }]) =>
      innerProblems(inner, [...OFFERS, "frameworks", name, "inner"]),
    ),
    ...nameProblems(Object.keys(partition?.weights ?? {}), [...PARTITION, "weights"]),
    ...nameProblems(Object.keys(offers?.frameworks ?? {}), [...OFFERS, "frameworks"]),
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
export function strangerProblems(jobs: readonly InlineJob[], settings: SchedulerSettings): Problem[] {
  const { kind, partition, offers } = settings;
  if (kind === "partition") return strangers(jobs, partition?.by, partition?.weights, [...PARTITION, "weights"]);
  if (kind === "offers") return strangers(jobs, offers?.by, offers?.frameworks, [...OFFERS, "frameworks"]);
  return [];
}

function strangers(
  jobs: readonly InlineJob[],
  by: OwnedBy | undefined,
  named: Readonly<Record<string, unknown>> | undefined,
  path: readonly PropertyKey[],
): Problem[] {
  if (named === undefined) return [];
  const owners = new Set(jobs.map(({ user, pool = user }) => (by === "user" ? user : pool)));
  return Object.keys(named)
    .filter((name) => !owners.has(name))
    .map((name) => {
      const near = owners.size <= MOST_NAMES ? nearest(name, [...owners]) : undefined;
      const hint = near === undefined ? "" : `; did you mean ${quote(near)}?`;
      const message = `found the owner ${quote(name)}, allowed the ${by ?? "pool"} of one of the jobs${hint}`;
      return { path: [...path, name], atKey: true, message };
    });
}
