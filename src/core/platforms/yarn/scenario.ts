import type { AnyScenario } from "../../scenario/index.js";
import type { YarnApplication, YarnCluster, YarnNodeSpec, YarnSchedulerSpec, YarnTiming } from "./application.js";
import { type Copied, drawnFrom, type FactorRange } from "../../workload/index.js";
import { applicationsAsCopied, applicationsWithDrawnTimes, withoutPreempted } from "./copied.js";
import type { CapacityQueueSpec, CapacitySettings } from "./capacity/settings.js";
import type { FairQueueSpec, FairSettings } from "./fair/settings.js";
import type { ListedJob, TableSizes } from "./workload.js";

/** A scenario of YARN with every default filled in: what a run is a function of. */
export interface YarnScenario extends AnyScenario {
  readonly platform: "yarn";
  readonly cluster: {
    readonly racks: number;
    readonly nodes: readonly NamedNode[];
    /** By rack; undefined: no node names its rack. */
    readonly rackNames?: readonly string[];
  };
  readonly workload: { readonly kind: "jobs"; readonly jobs: readonly ListedJob[] } | (TableSizes & YarnTable);
  readonly scheduler: YarnFairScheduler | YarnCapacityScheduler;
  readonly runtime: YarnRuntime;
}

type YarnFactorName = "rackFactor" | "offSwitchFactor";

interface YarnRuntime extends YarnTiming {
  /** Factors that are not known exactly; not there: all are. */
  readonly ranges?: Readonly<Partial<Record<YarnFactorName, FactorRange>>>;
  /** The seed draws factors from their ranges, and masters' times from theirs; not there: estimates hold. */
  readonly draw?: true;
}

interface NamedNode extends YarnNodeSpec {
  /** Undefined: node-1, node-2 and so on, by its number. */
  readonly name?: string;
}

/** Jobs of a table of tasks, which is read for each run. */
interface YarnTable {
  readonly kind: "tasks";
  readonly file: string;
  readonly lenient: boolean;
  /** The treatment of places on hosts that the cluster does not have. */
  readonly missingHosts: "refuse" | "ignore";
  /** Undefined: as recorded. */
  readonly copied?: Copied;
}

/** Nodes in the order of their numbers, by name. */
export function namedNodes({ cluster }: YarnScenario): { readonly name: string; readonly rack: string }[] {
  const { nodes, rackNames } = cluster;
  return nodes.map(({ name, rack }, i) => ({
    name: name ?? nodeName(i),
    rack: rackNames?.[rack] ?? rackName(rack),
  }));
}

/** The default name of a node or rack. */
export function nodeName(number: number): string {
  return `node-${number + 1}`;
}

export function rackName(number: number): string {
  return `rack-${number + 1}`;
}

interface YarnFairScheduler {
  readonly kind: "yarn-fair";
  readonly settings: FairSettings;
  readonly queues: readonly NamedQueue<FairQueueSpec>[];
  /** `maxRunningApps` of single users. */
  readonly users: readonly { readonly name: string; readonly maxRunningApps: number }[];
}

interface YarnCapacityScheduler {
  readonly kind: "yarn-capacity";
  readonly settings: CapacitySettings;
  readonly queues: readonly NamedQueue<CapacityQueueSpec>[];
}

/** A queue under its full name. Parents come before their queues; the first is the root. */
export interface NamedQueue<Spec> {
  readonly name: string;
  readonly spec: Spec;
}

/** The applications of a table, as the scenario uses what a log recorded of them. */
export function applicationsOfRun(
  { workload, scheduler, runtime, run }: YarnScenario,
  applications: readonly YarnApplication[],
): readonly YarnApplication[] {
  if (workload.kind === "jobs") return applications;
  let copied = applicationsAsCopied(applications, workload.copied ?? "recorded", workload.slowStart, run.seed);
  if (runtime.draw === true) copied = applicationsWithDrawnTimes(copied, run.seed);
  return mayPreempt(scheduler) ? withoutPreempted(copied) : copied;
}

/** Whether its rules kill containers to make room. */
export function mayPreempt(scheduler: YarnScenario["scheduler"]): boolean {
  return scheduler.kind === "yarn-fair" ? scheduler.settings.preempts : scheduler.settings.preemption !== null;
}

/** The cluster of a scenario, with the applications of its workload. */
export function yarnClusterOf(
  { cluster, scheduler, runtime, run }: YarnScenario,
  applications: readonly YarnApplication[],
): YarnCluster {
  const timing =
    runtime.draw === true ? { ...runtime, ...drawnFrom(runtime.ranges ?? {}, run.seed, "yarn/away") } : runtime;
  return { scheduler: schedulerSpecOf(scheduler), timing, nodes: cluster.nodes, applications };
}

function schedulerSpecOf(scheduler: YarnScenario["scheduler"]): YarnSchedulerSpec {
  if (scheduler.kind === "yarn-capacity") {
    return { ...scheduler, queues: new Map(scheduler.queues.map(({ name, spec }) => [name, spec])) };
  }
  const queues = new Map(scheduler.queues.map(({ name, spec }) => [name, spec]));
  const users = new Map(scheduler.users.map(({ name, maxRunningApps }) => [name, maxRunningApps]));
  return { kind: scheduler.kind, settings: scheduler.settings, allocations: { queues, users } };
}

/** The name of the queue above it; of the root `""`. */
export function parentOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(".")));
}

/** Queues that have none below them. */
export function leafQueuesOf({ queues }: YarnScenario["scheduler"]): readonly NamedQueue<object>[] {
  const named: readonly NamedQueue<object>[] = queues;
  const parents = new Set(named.map(({ name }) => parentOf(name)));
  return named.filter(({ name }) => !parents.has(name));
}
