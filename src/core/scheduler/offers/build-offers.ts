import { DEFAULT_OFFERS } from "../../scenario/defaults.js";
import type { SchedulerSpec } from "../../scenario/scenario.js";
import type { BuiltScheduler, SchedulerSurroundings } from "../built-scheduler.js";
import { buildInner } from "../owners/inner-scheduler.js";
import { Owners } from "../owners/owners.js";
import { seenOfOwners } from "../owners/seen-of-owners.js";
import { CountedLauncher } from "./counted-launcher.js";
import { NodeFilters } from "./node-filters.js";
import { OfferScheduler } from "./offer-scheduler.js";

/** A framework for every owner of jobs, and a master that makes them offers. */
export function buildOffers(spec: SchedulerSpec, around: SchedulerSurroundings): BuiltScheduler {
  const { by, usual, frameworks: named, rescindAfterUs } = spec.offers ?? DEFAULT_OFFERS;
  const { topology, workload, jobs, slots, nodes, heartbeatUs } = around;
  const owners = new Owners(workload, by);
  const ofName = new Map(named.map((framework) => [framework.name, framework]));
  const frameworks = owners.names.map((name) => ofName.get(name) ?? usual);
  const launcher = new CountedLauncher(around.launcher);
  const inners = frameworks.map(({ inner }) => buildInner(inner, by, spec, { ...around, launcher }));
  const filters = new NodeFilters(frameworks, topology);
  const parts = { inners, jobs, frameworks, filters, launcher, rescindAfterUs, slots, nodes, heartbeatUs };
  return seenOfOwners(new OfferScheduler(parts), owners, (owner) => owner, slots);
}
