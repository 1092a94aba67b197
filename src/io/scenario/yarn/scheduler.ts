import * as z from "zod";
import {
  counted,
  assert,
  formatTime,
  someOf,
  sumOver,
  maxOver,
  definedFields,
  namesOf,
  tally,
} from "../../../core/kernel/index.js";
import {
  addTo,
  CAPACITY_DEFAULTS,
  CAPACITY_QUEUE_ROWS,
  CAPACITY_ROWS,
  type CapacityPreemption,
  WITHIN_QUEUES_DEFAULTS,
  type CapacityQueueSpec,
  type CapacitySettings,
  FAIR_DEFAULTS,
  FAIR_QUEUE_ROWS,
  FAIR_ROWS,
  PROPERTY_GROUPS,
  SITE_DEFAULTS,
  SITE_ROWS,
  type FairQueueSpec,
  type FairSettings,
  amountOf,
  lesser,
  type ListedJob,
  type ListedTasks,
  type NamedQueue,
  parentOf,
  type Resources,
  type YarnScenario,
} from "../../../core/platforms/yarn/index.js";
import { defaultsOf, LIMITS } from "../../../core/scenario/index.js";
import type { Diagnostic } from "../../input-error.js";
import { type FairQueueText, type ReadFairFile, readFairFile } from "../../yarn/allocation-file.js";
import { type KnownQueues, placed, type PlacementRule, underRoot, usualRules } from "../../yarn/placement.js";
import { type ReadCapacityFile, readCapacityFile } from "../../yarn/capacity-file.js";
import { noSettings, preemptionOf, type ReadSite, readSite, type YarnSettings } from "../../yarn/site-file.js";
import { ABSOLUTE_ALLOWED, absoluteResource } from "../../yarn/absolute-resource.js";
import { limitOf, type ResourceText } from "../../yarn/resource-text.js";
import { YARN_FORMS } from "../../yarn/setting-forms.js";
import { duplicate, type Problem, unknownName, wrong } from "../diagnose.js";
import { filePlace, mappingOf, readNamed } from "../named-files.js";
import type { FilePlace } from "../platform.js";
import { fieldsOf, optional, shapeOf } from "../setting.js";
import { suggestion, nearest, printable, quote } from "../show.js";
import { byKind, choice, either, filePath, label, listOf, mapping, scalar } from "../values.js";
import type { Plain } from "../yaml-document.js";

// The scheduler of a scenario of YARN: its queues and settings, as they stand there or in the files that it names.

/** Advice for keys of Hadoop's scenarios that users may look for. */
const NO_POOLS = "under YARN they are scheduler.queues (docs/schedulers/yarn.md)";
export const AT_TOP = {
  allocations: "a fair-scheduler.xml is scheduler.allocations (docs/schedulers/yarn.md)",
  pools: NO_POOLS,
};
const RELOADS = "allocations of YARN hold for the whole run (docs/schedulers/yarn.md)";
const FOR_CAPACITY = "a capacity-scheduler.xml is scheduler.file of kind yarn-capacity (docs/formats/yarn-files.md)";
const FOR_FAIR = "a fair-scheduler.xml is read under kind yarn-fair (docs/schedulers/yarn.md)";
const FAIR_INSTEAD = { file: FOR_CAPACITY, capacity: FOR_CAPACITY, reloads: RELOADS, pools: NO_POOLS };
const CAPACITY_INSTEAD = {
  allocations: FOR_FAIR,
  capacity: FOR_CAPACITY,
  reloads: RELOADS,
  pools: NO_POOLS,
};

const queueName = label().describe(
  "In full, but for `root.`: queues below one that is listed before are research.ml, research.web.",
);

const fairQueueShape = shapeOf(FAIR_QUEUE_ROWS, YARN_FORMS);
const fairQueue = mapping({ name: queueName, ...fairQueueShape });

/** Changes to queues of a file, by name; a queue may hold those below it. */
function changesOf(shape: z.ZodRawShape) {
  const keys = Object.keys(shape).join(", ");
  const queue: z.ZodType = z.lazy(() =>
    z
      .object(shape, { error: () => `a setting of a queue (${keys}), or a mapping of them for a queue of that name` })
      .catchall(queue),
  );
  return z.record(z.string(), queue);
}

function queuesOf<T extends z.ZodType>(item: T, noun: string, shape: z.ZodRawShape) {
  return either(
    [listOf(item, noun), changesOf(shape)],
    () => `a list of ${noun}, or a mapping {NAME: {...}} of what is changed in queues of a file`,
  );
}

/** Per cents, or an amount as capacity-scheduler.xml writes it. */
const part = scalar<number | Readonly<Resources>>({
  allowed: `a number from 0 to 100, in per cent, or ${ABSOLUTE_ALLOWED}`,
  json: {
    anyOf: [
      { type: "number", minimum: 0, maximum: 100 },
      { type: "string", pattern: "^\\[.+\\]$" },
    ],
  },
  read: (value) => {
    if (typeof value === "string") return absoluteResource(value);
    return typeof value === "number" && value >= 0 && value <= 100 ? value : undefined;
  },
});

const capacityQueueShape = {
  capacity: part.describe(
    "Its part of its parent's, in per cent; those of one parent add up to 100. Or amounts, of all of them.",
  ),
  maximum: optional(part, "`maximum-capacity`, in per cent; beside an amount, an amount.", "100"),
  ...shapeOf(CAPACITY_QUEUE_ROWS, YARN_FORMS),
};
const capacityQueue = mapping({ name: queueName, ...capacityQueueShape });
const capacityChange = { ...capacityQueueShape, capacity: capacityQueueShape.capacity.optional() };

const site = optional(
  filePath,
  "A yarn-site.xml; what stands beside it here wins. Relative to this file.",
  "YARN's own defaults",
);

const { policy, assignMultiple, dynamicMaxAssign, maxAssign, preemption, ...waits } = shapeOf(FAIR_ROWS, YARN_FORMS);

const fairShape = {
  kind: z.literal("yarn-fair"),
  site,
  allocations: optional(
    filePath,
    "A fair-scheduler.xml of YARN (docs/formats/yarn-files.md); relative to this file.",
    "scheduler.queues says what it would",
  ),
  queues: optional(
    queuesOf(fairQueue, "queues {name, weight, min, max, policy, ...}", fairQueueShape),
    "As the allocation file has them; beside one, by name, what is changed in it.",
    "one called default",
  ),
  policy,
  ...waits,
  assignMultiple,
  dynamicMaxAssign,
  maxAssign,
  preemption,
};
const fair = mapping(fairShape, FAIR_INSTEAD);

const { nodeLocalityDelay, rackLocalityDelay, calculator, ...assignment } = shapeOf(CAPACITY_ROWS, YARN_FORMS);

const capacityShape = {
  kind: z.literal("yarn-capacity"),
  site,
  file: optional(
    filePath,
    "A capacity-scheduler.xml of YARN (docs/formats/yarn-files.md); relative to this file.",
    "scheduler.queues says what it would",
  ),
  queues: optional(
    queuesOf(capacityQueue, "queues {name, capacity, maximum, ...}", capacityChange),
    "As capacity-scheduler.xml has them; beside one, by name, what is changed in it.",
    "one called default",
  ),
  nodeLocalityDelay,
  rackLocalityDelay,
  calculator,
  ...assignment,
  ...shapeOf(SITE_ROWS, YARN_FORMS),
  preemptionWithin: optional(
    choice(["off", "userLimit", "priority"]),
    "`intra-queue-preemption`, and its `preemption-order-policy`: from users above their limit, or from whoever goes later.",
    "off",
  ),
};
const capacity = mapping(capacityShape, CAPACITY_INSTEAD);

export const schedulerSchema = byKind([fair, capacity]);

export type SchedulerFile = z.output<typeof schedulerSchema>;
type FairFile = Extract<SchedulerFile, { kind: "yarn-fair" }>;
type CapacityFile = Extract<SchedulerFile, { kind: "yarn-capacity" }>;
type FairQueueFile = Omit<z.output<typeof fairQueue>, "name">;

/** The files that a scheduler names. */
export interface SchedulerImports {
  readonly fair: ReadFairFile | null;
  readonly capacity: ReadCapacityFile | null;
  readonly site: ReadSite | null;
  /** Problems of files that cannot be used. */
  readonly problems: readonly Diagnostic[];
}

const FILES = ["allocations", "file", "site"] as const;

/** Places where an unchecked scenario names files for its scheduler. */
export function schedulerPlaces(tree: Plain): FilePlace[] {
  const { scheduler } = mappingOf(tree);
  return FILES.flatMap((key) => filePlace(scheduler, ["scheduler", key]));
}

export function readSchedulerFiles(tree: Plain, scenarioFile: string): SchedulerImports {
  const problems: Diagnostic[] = [];
  const files = mappingOf(mappingOf(tree).scheduler);
  const read = <T>(key: (typeof FILES)[number], parse: (path: string, shown: string) => T): T | null =>
    readNamed(files[key], scenarioFile, problems, parse);
  return {
    fair: read("allocations", readFairFile),
    capacity: read("file", readCapacityFile),
    site: read("site", readSite),
    problems,
  };
}

export function waitWords(scheduler: YarnScenario["scheduler"]): string {
  if (scheduler.kind === "yarn-capacity") return `node locality delay ${scheduler.settings.nodeLocalityDelay}`;
  const { isContinuous, localityDelayNodeUs, localityThresholdNode } = scheduler.settings;
  const wait = isContinuous ? localityDelayNodeUs : localityThresholdNode;
  if (wait < 0) return "no wait";
  return isContinuous ? `waits ${formatTime(wait)}` : `threshold ${wait}`;
}

const ROOT = "root";

/** A queue that is declared, in a file or in the scenario. */
interface Queue {
  /** In full. */
  readonly name: string;
  readonly isParent: boolean;
  readonly isStopped?: boolean;
  /** The settings in its file, by kind of scheduler. Absent: the scenario lists it. */
  readonly text?: Readonly<FairQueueText>;
  readonly spec?: CapacityQueueSpec;
  /** The settings in the scenario, and their place. Absent: none. */
  readonly said?: Readonly<Record<string, unknown>>;
  readonly path?: readonly PropertyKey[];
}

/** Each after the one it lies in; the root is the first. */
function declaredQueues(scheduler: SchedulerFile, { fair: file, capacity: capacities }: SchedulerImports): Queue[] {
  const { queues } = scheduler;
  const declared = scheduler.kind === "yarn-fair" ? file : capacities;
  if (declared !== null) {
    const changes = changesIn(scheduler);
    return declared.queues.map((queue) => ({ ...queue, ...changes.get(queue.name) }));
  }
  const listed = Array.isArray(queues) ? queues : [{ name: "default", capacity: 100 }];
  const names = listed.map(({ name }) => underRoot(name));
  const parents = new Set(names.map(parentOf));
  return [
    { name: ROOT, isParent: true },
    ...listed.map((said, i) => ({
      name: names[i],
      isParent: parents.has(names[i]),
      said: { ...said },
      path: ["scheduler", "queues", i],
    })),
  ];
}

/** The queue of each job. */
export class JobQueues {
  /** Queues that jobs create, each after its parent. */
  readonly made = new Set<string>();
  private readonly leaves: readonly string[];
  private readonly known: KnownQueues;
  /** Null: a job names its queue, or means `default`. */
  private readonly rules: readonly PlacementRule[] | null;
  private readonly parents = new Set<string>();

  constructor(scheduler: SchedulerFile, imports: SchedulerImports) {
    const queues = declaredQueues(scheduler, imports);
    // A stopped queue takes no jobs either.
    const isLeaf = new Map(queues.map(({ name, isParent, isStopped }) => [name, !isParent && isStopped !== true]));
    this.leaves = [...isLeaf].filter(([, takesJobs]) => takesJobs).map(([name]) => name);
    this.declaredNames = new Set(isLeaf.keys());
    const file = scheduler.kind === "yarn-fair" ? imports.fair : null;
    // YARN always makes the queue default.
    if (file !== null && !isLeaf.has(`${ROOT}.default`)) isLeaf.set(`${ROOT}.default`, true);
    this.known = { has: (name) => isLeaf.has(name), isLeaf: (name) => isLeaf.get(name) === true };
    const { createsQueues, placesByUser } = siteOf(imports);
    this.rules = file === null ? null : (file.placement ?? usualRules(createsQueues, placesByUser));
    if (scheduler.kind !== "yarn-capacity" || imports.capacity === null) return;
    this.capacities = imports.capacity;
    for (const name of this.leaves) {
      const short = name.slice(name.lastIndexOf(".") + 1);
      this.byShortName.set(short, this.byShortName.has(short) ? null : name);
    }
  }

  private readonly capacities: ReadCapacityFile | null = null;
  /** Leaves that a capacity-scheduler.xml has; null: of several. */
  private readonly byShortName = new Map<string, string | null>();

  private readonly declaredNames: ReadonlySet<string>;

  /** In full; null: it may go nowhere. */
  queueOf({ queue, user = "user" }: JobFile): string | null {
    const { known, rules } = this;
    const name = rules === null ? this.named(queue, user) : placed(rules, { requested: queue, user }, known);
    if (name === null || (rules === null && !known.has(name))) return null;
    return known.has(name) && !known.isLeaf(name) ? null : name;
  }

  /**
   * By mappings of users to queues and by its own name for it, which may be the last part alone where only one leaf has
   * that.
   */
  private named(queue: string | undefined, user: string): string {
    const { capacities, known, byShortName } = this;
    if (capacities === null) return underRoot(queue ?? "default");
    const { mappings, mappingsOverride } = capacities;
    const isFree = mappingsOverride || queue === undefined || queue === "default";
    const mapping = isFree
      ? mappings.find((candidate) => candidate.user === null || candidate.user === user)
      : undefined;
    const requested = mapping?.queue.replaceAll("%user", user) ?? queue ?? "default";
    const full = underRoot(requested);
    return known.has(full) ? full : (byShortName.get(requested) ?? full);
  }

  /** Returns the queue of a job that has no problems. */
  place(job: JobFile): string {
    const name = this.queueOf(job);
    assert(name !== null, "a job goes to a queue");
    this.make(name);
    return name;
  }

  /** Problems of the queues of jobs. */
  problems(jobs: readonly JobFile[]): Problem[] {
    const { leaves, rules } = this;
    const shown = leaves.slice(0, LIMITS.problems).map((name) => name.slice(ROOT.length + 1));
    const places = jobs.map((job) => this.queueOf(job));
    for (const name of places) if (name !== null) this.make(name);
    return places.flatMap((name, i) => {
      const path = ["workload", "jobs", i, "queue"];
      const { queue } = jobs[i];
      if (name === null && rules === null) return [unknownName(path, queue ?? "default", shown)];
      if (name === null) {
        const actual = queue === undefined ? "a job that names no queue" : quote(queue);
        const allowed = `a name that the placement rules give one of the queues ${shown.join(", ")}`;
        return [wrong(path, actual, allowed)];
      }
      const above = this.leafAbove(name);
      if (above === null && !this.parents.has(name)) return [];
      const why = above === null ? "queues of other jobs are below it" : `${quote(above)} takes jobs itself`;
      return [wrong(path, `the queue ${quote(name)}`, `a queue that takes jobs; ${why}`)];
    });
  }

  private make(name: string): void {
    if (this.declaredNames.has(name)) return;
    const outer = parentOf(name);
    this.make(outer);
    this.parents.add(outer);
    this.made.add(name);
  }

  private leafAbove(name: string): string | null {
    for (let outer = parentOf(name); outer !== ""; outer = parentOf(outer)) {
      if (this.declaredNames.has(outer)) return this.known.isLeaf(outer) ? outer : null;
    }
    return null;
  }
}

/** The fields of a job that decide its queue. */
interface JobFile {
  readonly queue?: string | undefined;
  readonly user?: string | undefined;
}

/** A change of the scenario to a queue of a file. */
interface Change {
  readonly path: readonly string[];
  readonly said: Readonly<Record<string, unknown>>;
}

/** By full name. */
function changesIn({ kind, queues = {} }: SchedulerFile): Map<string, Change> {
  const shape = kind === "yarn-fair" ? fairQueueShape : capacityChange;
  const changes = new Map<string, Change>();
  const walk = (inside: object, outer: string, path: readonly string[]): void => {
    for (const [key, value] of Object.entries(inside)) {
      const name = outer === "" ? underRoot(key) : `${outer}.${key}`;
      const entries = Object.entries(value as object);
      const isOwn = ([word]: [string, unknown]) => Object.hasOwn(shape, word);
      const below = entries.filter((entry) => !isOwn(entry));
      const keyPath = [...path, key];
      if (below.length < entries.length || below.length === 0) {
        const before = changes.get(name)?.said;
        changes.set(name, { path: keyPath, said: { ...before, ...Object.fromEntries(entries.filter(isOwn)) } });
      }
      walk(Object.fromEntries(below), name, keyPath);
    }
  };
  // A list beside a file is refused.
  if (!Array.isArray(queues)) walk(queues, "", ["scheduler", "queues"]);
  return changes;
}

/** Names of a file that a message lists, and that it searches for the one that was meant. */
const MOST_LISTED = 20;
const MOST_SEARCHED = 1_000;

/** Changes of queues that the file does not have. */
function strangers(
  changes: ReadonlyMap<string, Change>,
  file: string,
  queues: readonly { readonly name: string }[],
): Problem[] {
  const names = namesOf(queues);
  const known = new Set(names);
  const listed = names.slice(1).map((name) => name.slice(ROOT.length + 1));
  return [...changes].flatMap(([name, { path }]) => {
    if (known.has(name)) return [];
    const near = names.length > MOST_SEARCHED ? undefined : nearest(name, names);
    const message = `there is no queue ${quote(name)} in ${printable(file)}, which has ${someOf(listed, MOST_LISTED)}${suggestion(near?.slice(ROOT.length + 1))}`;
    return [{ path, atKey: true, message }];
  });
}

/** Problems of the queues of a scheduler. Files are checked when they are read. */
export function queueProblems(scheduler: SchedulerFile, imports: SchedulerImports): Problem[] {
  const path = ["scheduler", "queues"];
  const { queues } = scheduler;
  const named = scheduler.kind === "yarn-fair" ? scheduler.allocations : scheduler.file;
  const otherKind = imports.site?.settings.scheduler ?? scheduler.kind;
  if (otherKind !== scheduler.kind) {
    return [
      wrong(
        ["scheduler", "kind"],
        scheduler.kind,
        `${otherKind}, the scheduler.class of ${printable(scheduler.site ?? "")}`,
      ),
    ];
  }
  if (named === undefined) {
    if (queues === undefined || Array.isArray(queues)) return listProblems(scheduler, imports);
    const allowed = "a list of queues, or a file beside it; a mapping changes queues of a file";
    return [wrong(path, "a mapping of queues without a file", allowed)];
  }
  if (Array.isArray(queues)) {
    const allowed = "a mapping {NAME: {weight: 3, ...}}, which changes queues of the file";
    return [wrong(path, "a list of queues beside a file", allowed)];
  }
  const { fair: file, capacity: capacities } = imports;
  const declared = scheduler.kind === "yarn-fair" ? file : capacities;
  if (declared === null) return [];
  const unknown = strangers(changesIn(scheduler), named, declared.queues);
  if (unknown.length > 0) return unknown;
  return scheduler.kind === "yarn-fair"
    ? policyProblems(scheduler, imports)
    : changedCapacityProblems(scheduler, imports);
}

function listProblems(scheduler: SchedulerFile, imports: SchedulerImports): Problem[] {
  const [root, ...queues] = declaredQueues(scheduler, imports);
  const known = new Set([root.name]);
  const problems = queues.flatMap(({ name }, i) => {
    const path = ["scheduler", "queues", i, "name"];
    if (name === ROOT || name.split(".").some((part) => part.trim() === "")) {
      return [wrong(path, `"${name}"`, "names between dots, and not the root itself")];
    }
    if (name.split(".").length > LIMITS.poolLevels) {
      return [wrong(path, "a queue too far down", `at most ${LIMITS.poolLevels} levels`)];
    }
    if (known.has(name)) return [duplicate(path, "queue", name)];
    const parent = parentOf(name);
    const parentProblems = known.has(parent) ? [] : [unknownName(path, parent, [...known].slice(0, LIMITS.problems))];
    known.add(name);
    return parentProblems;
  });
  if (problems.length > 0) return problems;
  return scheduler.kind === "yarn-capacity" ? capacityProblems(scheduler) : policyProblems(scheduler, imports);
}

/** The stated settings of a queue of the Fair Scheduler. */
function fairTextOf({ text: ofFile = {}, said = {} }: Queue): FairQueueText {
  return { ...ofFile, ...textOf(said, ofFile) };
}

/** @param before what is changed by it: of resources, what it does not say. */
function textOf(queueFile: FairQueueFile, before: Readonly<FairQueueText>): FairQueueText {
  return {
    ...fieldsOf(FAIR_QUEUE_ROWS, queueFile),
    ...definedFields({
      minResources: resourcesOf(queueFile.min, before.minResources),
      maxResources: resourcesOf(queueFile.max, before.maxResources),
    }),
  };
}

function resourcesOf(amounts: FairQueueFile["min"], before: ResourceText | undefined): ResourceText | undefined {
  if (amounts === undefined) return undefined;
  const amount = (value: number | undefined, usual: ResourceText["memory"]): ResourceText["memory"] =>
    value === undefined ? usual : { value, isOfCluster: false };
  return {
    memory: amount(amounts.memory, before?.memory ?? null),
    vcores: amount(amounts.vcores, before?.vcores ?? null),
  };
}

function capacityProblems({ queues: allQueues }: CapacityFile): Problem[] {
  const queues = Array.isArray(allQueues) ? allQueues : [];
  const sums = new Map<string, { sum: number; last: number }>();
  const amounts = amountProblems(queues);
  if (amounts.length > 0) return amounts;
  queues.forEach(({ name, capacity: ownCapacity }, i) => {
    if (typeof ownCapacity !== "number") return;
    const parent = parentOf(underRoot(name));
    sums.set(parent, { sum: (sums.get(parent)?.sum ?? 0) + ownCapacity, last: i });
  });
  const uneven = [...sums].flatMap(([parent, { sum, last }]) =>
    Math.abs(sum - 100) < 0.001
      ? []
      : [
          wrong(
            ["scheduler", "queues", last, "capacity"],
            `${sum} per cent in all below ${parent}`,
            "100 per cent for the queues of one parent",
          ),
        ],
  );
  const low = queues.flatMap(({ capacity: ownCapacity, maximum = 100 }, i) =>
    typeof ownCapacity !== "number" || typeof maximum !== "number" || maximum >= ownCapacity
      ? []
      : [wrong(["scheduler", "queues", i, "maximum"], String(maximum), `at least its capacity ${ownCapacity}`)],
  );
  return [...uneven, ...low];
}

/** Problems of queues with amounts under YARN's rules; they compare memory. */
function amountProblems(queues: readonly z.output<typeof capacityQueue>[]): Problem[] {
  const known = new Map(queues.map((queue) => [underRoot(queue.name), queue]));
  const memoryOf = (amount: CapacityQueueFile["capacity"]): number | null =>
    typeof amount === "object" ? amount.memory : null;
  return queues.flatMap(({ name, capacity: ownCapacity, maximum }, i) => {
    const path = ["scheduler", "queues", i];
    const outer = parentOf(underRoot(name));
    const siblings = queues.filter((candidate) => parentOf(underRoot(candidate.name)) === outer);
    const above = memoryOf(known.get(outer)?.capacity);
    const mb = memoryOf(ownCapacity);
    if (siblings.some((sibling) => (memoryOf(sibling.capacity) === null) !== (mb === null))) {
      return [wrong([...path, "capacity"], "amounts beside per cents", "either for all queues of one parent")];
    }
    if (outer !== ROOT && (above === null) !== (mb === null)) {
      return [wrong([...path, "capacity"], "an amount on one level alone", "amounts for a queue and those below it")];
    }
    const maximumMb = memoryOf(maximum);
    if (mb === null) {
      return maximumMb === null ? [] : [wrong([...path, "maximum"], "an amount", "per cents, as its capacity is")];
    }
    if (maximum !== undefined && maximumMb === null) {
      return [wrong([...path, "maximum"], "per cents", "an amount, as its capacity is")];
    }
    if (maximumMb !== null && maximumMb < mb) {
      return [wrong([...path, "maximum"], `${maximumMb} MB`, `at least its capacity, ${mb} MB`)];
    }
    const sum = sumOver(siblings, (sibling) => memoryOf(sibling.capacity) ?? 0);
    return above !== null && sum > above
      ? [wrong([...path, "capacity"], `${sum} MB in all below ${outer}`, `at most its own ${above} MB`)]
      : [];
  });
}

type CapacityQueueFile = Partial<Omit<z.output<typeof capacityQueue>, "name">>;

/** Capacities of queues of a file, with what is changed. */
function changedCapacityProblems(scheduler: SchedulerFile, imports: SchedulerImports): Problem[] {
  const queues = new Map(declaredQueues(scheduler, imports).map((queue) => [queue.name, queue]));
  const sums = new Map<string, number>();
  for (const queue of queues.values()) {
    const outer = parentOf(queue.name);
    tally(sums, outer, specOfCapacity(queue).capacity * 100);
  }
  const uneven = new Set<string>();
  return [...changesIn(scheduler)].flatMap(([name, { path, said: settings }]) => {
    const queue = queues.get(name);
    assert(queue !== undefined, "changes are of queues of the file");
    const outer = parentOf(name);
    const sum = sums.get(outer) ?? 0;
    const { capacity: ownCapacity, maximumCapacity = 1 } = specOfCapacity(queue);
    const isAmount = queue.spec?.amount !== undefined;
    for (const key of ["capacity", "maximum"] as const) {
      if (settings[key] === undefined || (typeof settings[key] === "object") === isAmount) continue;
      const [actual, allowed] = isAmount ? ["per cents", "an amount"] : ["an amount", "per cents"];
      return [wrong([...path, key], actual, `${allowed}, as the file has for the queue`)];
    }
    if (isAmount) return [];
    if (settings.capacity !== undefined && Math.abs(sum - 100) > 0.05 && !uneven.has(outer)) {
      uneven.add(outer);
      const actual = `${Number(sum.toFixed(3))} per cent in all below ${outer}`;
      return [
        wrong([...path, "capacity"], actual, "100 per cent for the queues of one parent; change its siblings too"),
      ];
    }
    const allowed = `at least its capacity ${ownCapacity * 100}`;
    return maximumCapacity >= ownCapacity - 1e-6 ? [] : [wrong(path, `a maximum of ${maximumCapacity * 100}`, allowed)];
  });
}

/** The stated settings of a queue of the Capacity Scheduler. */
function specOfCapacity({ name, spec = { capacity: name === ROOT ? 1 : 0 }, said = {} }: Queue): CapacityQueueSpec {
  return { ...spec, ...capacitySpecOf(said) };
}

function capacitySpecOf(queueFile: CapacityQueueFile): Partial<CapacityQueueSpec> {
  const { capacity, maximum } = queueFile;
  return {
    ...definedFields({
      capacity: typeof capacity === "number" ? capacity / 100 : capacity === undefined ? undefined : 0,
      maximumCapacity: typeof maximum === "number" ? maximum / 100 : undefined,
      amount: typeof capacity === "object" ? capacity : undefined,
      mostAmount: typeof maximum === "object" ? maximum : undefined,
    }),
    ...fieldsOf(CAPACITY_QUEUE_ROWS, queueFile),
  };
}

/** As YARN allows them: fifo in leaves alone, drf below drf alone. */
function policyProblems(scheduler: FairFile, imports: SchedulerImports): Problem[] {
  const usual = scheduler.policy ?? imports.fair?.defaults.policy ?? "fair";
  const queues = declaredQueues(scheduler, imports);
  const policyOf = new Map(queues.map((queue) => [queue.name, fairTextOf(queue).policy ?? usual]));
  const placeOf = new Map(
    queues.map(({ name, text: ofFile, said, path }) => {
      const isSaid = path !== undefined && (ofFile === undefined || said?.policy !== undefined);
      return [name, isSaid ? [...path, "policy"] : undefined];
    }),
  );
  return queues.flatMap(({ name, isParent }) => {
    const policy = policyOf.get(name);
    const outer = parentOf(name);
    const path = placeOf.get(name) ?? placeOf.get(outer) ?? ["scheduler", "policy"];
    if (policy === "fifo" && name === ROOT)
      return [wrong(path, "fifo", "fair or drf; the root has queues, not applications")];
    if (policy === "fifo" && isParent) return [wrong(path, "fifo", "fair or drf for a queue that has others below it")];
    return policy === "drf" && outer !== "" && policyOf.get(outer) !== "drf"
      ? [wrong(path, "drf", "fair or fifo below a queue that is not drf")]
      : [];
  });
}

/** The same of a queue that may hold nothing, or of which a user may. */
function closedCapacities(jobs: readonly ListedJob[], { queues }: CapacityScheduler): Problem[] {
  const specs = new Map(queues.map(({ name, spec }) => [name, spec]));
  const closed = (queue: string): string | null =>
    queue === "" ? null : specs.get(queue)?.maximumCapacity === 0 ? queue : closed(parentOf(queue));
  return jobs.flatMap(({ queue }, i) => {
    const path = ["workload", "jobs", i, "queue"];
    const closedQueue = closed(queue);
    const reason = closedQueue === null ? null : `the maximum of ${quote(closedQueue)} is 0`;
    const why = reason ?? (specs.get(queue)?.userLimitFactor === 0 ? "its userLimitFactor is 0" : null);
    return why === null
      ? []
      : [wrong(path, `${quote(queue)}, in which it would wait for ever: ${why}`, "a queue that may hold containers")];
  });
}

/** A job that may never run, for its queue, one above it or its user may run none, would wait for ever. */
export function closedProblems({ workload, scheduler }: YarnScenario): Problem[] {
  if (workload.kind !== "jobs") return [];
  if (scheduler.kind === "yarn-capacity") return closedCapacities(workload.jobs, scheduler);
  const { settings, queues, users } = scheduler;
  const specs = new Map(queues.map(({ name, spec }) => [name, spec]));
  const limits = new Map(users.map(({ name, maxRunningApps }) => [name, maxRunningApps]));
  const mostIn = (queue: string) =>
    specs.get(queue)?.maxRunningApps ?? (queue === ROOT ? Infinity : settings.queueMaxApps);
  const closed = (queue: string): string | null =>
    queue === "" ? null : mostIn(queue) === 0 ? queue : closed(parentOf(queue));
  return workload.jobs.flatMap(({ queue, user }, i) => {
    const closedQueue = closed(queue);
    const actual = `${quote(queue)}, in which it would wait for ever: maxApps (maxRunningApps) of ${quote(closedQueue ?? "")} is 0`;
    if (closedQueue !== null)
      return [wrong(["workload", "jobs", i, "queue"], actual, "a queue that may run an application")];
    if ((limits.get(user) ?? settings.userMaxApps) > 0) return [];
    const ofUser = `${quote(user)}, of whom it would wait for ever: maxRunningApps of that user is 0`;
    return [wrong(["workload", "jobs", i, "user"], ofUser, "a user who may run an application")];
  });
}

/**
 * Problems of jobs that ask for more than `maxContainerAllocation` of their queue, or of the next queue above that has
 * one, or the `maximum-allocation` of a yarn-site.xml: YARN refuses them.
 */
export function largestProblems({ workload, cluster, scheduler }: YarnScenario, imports: SchedulerImports): Problem[] {
  const limits = new Map<string, Limit>();
  if (imports.site !== null) {
    const limit = lesser(sizesOf(imports).largest, largestOf(cluster.nodes));
    limits.set("", {
      ...limit,
      says: "the maximum-allocation of yarn-site.xml and what a node has; sizes are rounded up",
    });
  }
  const whole = sumOf(cluster.nodes);
  for (const { name, text: queueText } of (scheduler.kind === "yarn-fair" && imports.fair?.queues) || []) {
    if (queueText.largest === undefined) continue;
    const limit = amountOf(limitOf(queueText.largest, Infinity, whole), whole);
    limits.set(name, { ...limit, says: `the maxContainerAllocation of ${quote(name)}` });
  }
  const limitFor = (queue: string): Limit | undefined =>
    limits.get(queue) ?? (queue === "" ? undefined : limitFor(parentOf(queue)));
  if (limits.size === 0 || workload.kind !== "jobs") return [];
  return workload.jobs.flatMap((job, i) => {
    const limit = limitFor(job.queue);
    if (limit === undefined) return [];
    const sizes: (readonly [part: readonly PropertyKey[], size: Readonly<Resources>])[] = [[["master"], job.master]];
    if ("stages" in job) job.stages.forEach(({ size }, stage) => sizes.push([["stages", stage], size]));
    else {
      sizes.push([["maps"], job.maps.size]);
      if (job.reduces.tasks > 0) sizes.push([["reduces"], job.reduces.size]);
    }
    return sizes.flatMap(([part, size]) =>
      (["memory", "vcores"] as const).flatMap((type) => {
        const path = ["workload", "jobs", i, ...part, type];
        return size[type] <= limit[type]
          ? []
          : [wrong(path, String(size[type]), `at most ${limit[type]}, ${limit.says}`)];
      }),
    );
  });
}

interface Limit extends Readonly<Resources> {
  /** The setting that sets it. */
  readonly says: string;
}

/** The resources of all nodes together. */
export function sumOf(nodes: readonly Readonly<Resources>[]): Resources {
  const sum = { memory: 0, vcores: 0 };
  for (const node of nodes) addTo(sum, node);
  return sum;
}

/** The most of each that a node has. */
export function largestOf(nodes: readonly Readonly<Resources>[]): Resources {
  const max = (type: keyof Resources) => maxOver(nodes, (node) => node[type], 0);
  return { memory: max("memory"), vcores: max("vcores") };
}

/** Notes on its files. */
export function schedulerNotes(
  said: SchedulerFile,
  imports: SchedulerImports,
  scheduler: YarnScenario["scheduler"],
  cluster: Readonly<Resources>,
): readonly string[] {
  const { fair: file, capacity: capacities, site } = imports;
  return [
    ...(file?.notes ?? []),
    ...(capacities?.notes ?? []),
    ...(site?.notes ?? []),
    ...(site === null ? [] : otherKindNotes(site.settings, scheduler.kind)),
    ...(scheduler.kind === "yarn-fair" ? fairNotes(scheduler, cluster) : capacityNotes(scheduler)),
    ...(scheduler.kind === "yarn-capacity" && said.kind === scheduler.kind
      ? withinNotes(said, together(imports), scheduler)
      : []),
  ];
}

/** Notes on a yarn-site.xml: settings of the scheduler that does not run. */
function otherKindNotes(
  { fair: ofFair, capacity: ofCapacity, preemption: monitored }: YarnSettings,
  kind: string,
): string[] {
  const said = kind === "yarn-fair" ? { ...ofCapacity, ...monitored } : ofFair;
  if (Object.keys(said).length === 0) return [];
  const whose = kind === "yarn-fair" ? "yarn.scheduler.capacity and the monitor" : "yarn.scheduler.fair";
  return [`yarn-site.xml: what it says under ${whose} has no effect under ${kind}`];
}

type FairScheduler = Extract<YarnScenario["scheduler"], { kind: "yarn-fair" }>;
type CapacityScheduler = Extract<YarnScenario["scheduler"], { kind: "yarn-capacity" }>;

/** Settings that change nothing beside others, wherever they stand. */
function fairNotes({ settings, queues }: FairScheduler, cluster: Readonly<Resources>): string[] {
  const notes: string[] = [];
  const isTimed = ({ spec }: NamedQueue<FairQueueSpec>) =>
    [spec.minSharePreemptionTimeoutUs, spec.fairSharePreemptionTimeoutUs].some(
      (us) => us !== undefined && us < Infinity,
    );
  const timed = namesOf(queues.filter(isTimed));
  if (settings.preempts && timed.length === 0) {
    notes.push(
      "preemption is on, but no queue has a timeout (minShareTimeout, fairShareTimeout): nothing will ever be killed",
    );
  }
  if (!settings.preempts) {
    const otherQueues = queues.filter(
      ({ spec }) => spec.fairSharePreemptionThreshold !== undefined || spec.allowPreemptionFrom !== undefined,
    );
    const names = [...new Set([...timed, ...namesOf(otherQueues)])];
    if (names.length > 0) {
      notes.push(
        `what ${namesShown(names)} says of timeouts, thresholds and who may be preempted has no effect: preemption is off`,
      );
    }
  }
  const { isContinuous, localityThresholdNode, localityThresholdRack, localityDelayNodeUs, localityDelayRackUs } =
    settings;
  const [byCount, byTime] = [
    [localityThresholdNode, localityThresholdRack],
    [localityDelayNodeUs, localityDelayRackUs],
  ];
  const isSaid = (wait: number) => wait >= 0;
  if (isContinuous && byCount.some(isSaid)) {
    notes.push("locality thresholds have no effect under continuous scheduling: delays in time hold");
  }
  if (!isContinuous && byTime.some(isSaid)) {
    notes.push("delays in time (delayNode, delayRack) have no effect without continuous scheduling: thresholds hold");
  }
  const [near, far] = isContinuous ? byTime : byCount;
  if (isSaid(near) !== isSaid(far)) {
    const [saidLevel, otherLevel] = isSaid(near) ? ["node", "rack"] : ["rack", "node"];
    notes.push(
      `the wait for the ${saidLevel} has no effect while that for the ${otherLevel} is off: as in YARN, nobody waits then`,
    );
  }
  if (!isContinuous && byCount.some((part) => part > 1)) notes.push("locality thresholds above 1 are taken as 1");
  if (!settings.assignsMultiple && (settings.maxAssign !== FAIR_DEFAULTS.maxAssign || !settings.dynamicMaxAssign)) {
    notes.push("maxAssign and dynamicMaxAssign have no effect: assignMultiple is off, a report gives one container");
  } else if (settings.dynamicMaxAssign && settings.maxAssign !== FAIR_DEFAULTS.maxAssign) {
    notes.push("maxAssign has no effect: dynamicMaxAssign is on, and holds in its place");
  }
  for (const { name, spec } of queues) {
    if (spec.minResources === undefined) continue;
    const min = amountOf(spec.minResources, cluster);
    if (min.memory > cluster.memory || min.vcores > cluster.vcores) {
      notes.push(`${name} is promised more than the cluster has`);
    }
  }
  return notes;
}

function capacityNotes({ settings, queues }: CapacityScheduler): string[] {
  const notes: string[] = [];
  const kept = namesOf(queues.filter(({ spec }) => spec.isPreemptable === false));
  if (settings.preemption === null && kept.length > 0) {
    notes.push(`that ${namesShown(kept)} may not be preempted has no effect: preemption is off`);
  }
  const within = settings.preemption?.within ?? null;
  const keptWithin = namesOf(queues.filter(({ spec }) => spec.isPreemptableWithin === false));
  if (within === null && keptWithin.length > 0) {
    notes.push(
      `that ${namesShown(keptWithin)} may not be preempted within has no effect: preemption within queues is off`,
    );
  }
  if (!settings.assignsMultiple) {
    const { maxAssign, maxOffSwitch } = CAPACITY_DEFAULTS;
    if (settings.maxAssign !== maxAssign || settings.maxOffSwitch !== maxOffSwitch) {
      notes.push("maxAssign and maxOffSwitch have no effect: assignMultiple is off, a report gives one container");
    }
  }
  return notes;
}

/** At most three of them. */
function namesShown(names: readonly string[]): string {
  const more = names.length - 3;
  return more > 0 ? `${names.slice(0, 3).join(", ")} (and ${more} more)` : names.join(", ");
}

/**
 * The scheduler of a file that has no problems. @param cluster what all nodes have. @param made queues that jobs make.
 */
export function resolveScheduler(
  file: SchedulerFile,
  imports: SchedulerImports,
  cluster: Readonly<Resources>,
  made: ReadonlySet<string>,
): YarnScenario["scheduler"] {
  return file.kind === "yarn-fair" ? fairOf(file, imports, cluster, made) : capacityOf(file, imports);
}

function fairOf(
  file: FairFile,
  imports: SchedulerImports,
  cluster: Readonly<Resources>,
  made: ReadonlySet<string>,
): YarnScenario["scheduler"] {
  const { fair: imported } = imports;
  const { queueMaxResources, ...defaults } = imported?.defaults ?? {};
  const settings: FairSettings = {
    ...FAIR_DEFAULTS,
    ...(imports.site === null ? {} : fairSettingsOf(imports)),
    ...defaults,
    ...(queueMaxResources === undefined ? {} : { queueMaxResources: limitOf(queueMaxResources, Infinity, cluster) }),
    ...fieldsOf(FAIR_ROWS, file),
  };
  const queues = declaredQueues(file, imports).map((queue) => ({
    name: queue.name,
    spec: specOf(fairTextOf(queue), cluster),
  }));
  const childLimits = new Map(queues.map(({ name, spec }) => [name, spec.maxChildResources]));
  const madeQueues = [...made].map((name): NamedQueue<FairQueueSpec> => {
    const maxResources = childLimits.get(parentOf(name));
    return { name, spec: maxResources === undefined ? {} : { maxResources } };
  });
  const users = [...(imported?.users ?? [])].map(([name, maxRunningApps]) => ({ name, maxRunningApps }));
  return { kind: file.kind, settings, queues: [...queues, ...madeQueues], users };
}

function fairSettingsOf(imports: SchedulerImports): Partial<FairSettings> {
  const { increment } = sizesOf(imports);
  const { reservationIncrements: times, heartbeatUs } = siteOf(imports);
  const reservationThreshold = {
    memory: Math.floor(times * increment.memory),
    vcores: Math.floor(times * increment.vcores),
  };
  return { ...imports.site?.settings.fair, reservationThreshold, ...definedFields({ heartbeatUs }) };
}

function specOf(queueText: Readonly<FairQueueText>, cluster: Readonly<Resources>): FairQueueSpec {
  const {
    minResources: min,
    maxResources: max,
    maxChildResources: ofChildren,
    largest: _,
    ...otherSettings
  } = queueText;
  return {
    ...otherSettings,
    ...definedFields({
      minResources: min && limitOf(min, 0, cluster),
      maxResources: max && limitOf(max, Infinity, cluster),
      maxChildResources: ofChildren && limitOf(ofChildren, Infinity, cluster),
    }),
  };
}

function capacityOf(file: CapacityFile, imports: SchedulerImports): YarnScenario["scheduler"] {
  const read = together(imports);
  const { minimum, largest } = sizesOf(imports);
  const { isAsynchronous, asynchronousUs, maxAmShare } = { ...SITE_DEFAULTS, ...read };
  const isSaid = file.preemption === undefined ? {} : { monitors: file.preemption, observesOnly: false };
  const preemption = preemptionOf({ ...read, ...isSaid });
  const settings: CapacitySettings = {
    ...CAPACITY_DEFAULTS,
    ...read.capacity,
    minimumAllocation: minimum,
    maximumAllocation: largest,
    asynchronousUs: isAsynchronous ? asynchronousUs : Infinity,
    ...fieldsOf(CAPACITY_ROWS, file),
    preemption: preemption === null ? null : { ...preemption, ...withinSaid(file.preemptionWithin, read) },
  };
  const usual = maxAmShare === undefined ? {} : { maxAmShare };
  const namedSpecs = declaredQueues(file, imports).map((queue) => ({
    name: queue.name,
    spec: { ...usual, ...specOfCapacity(queue) },
  }));
  return { kind: file.kind, settings, queues: namedSpecs };
}

function whyOff({ observesOnly }: YarnSettings): string {
  return observesOnly === true
    ? "observe_only is true"
    : "yarn.resourcemanager.scheduler.monitor.enable is not true, so preemption is off";
}

/** Notes on preemption within queues that is on but cannot preempt. */
function withinNotes(
  { preemptionWithin: order, preemption: said }: CapacityFile,
  read: YarnSettings,
  { settings, queues }: CapacityScheduler,
): string[] {
  if (order !== undefined && order !== "off" && settings.preemption === null) {
    return ["preemptionWithin has no effect: preemption is off"];
  }
  if (settings.preemption === null && said === undefined && Object.keys(read.preemption).length > 0) {
    return [`what the files say of preemption has no effect: ${whyOff(read)}`];
  }
  if (order === undefined && settings.preemption === null && read.takesWithin === true) {
    const why = said === false ? "preemption is false in the scenario" : whyOff(read);
    return [`intra-queue-preemption.enabled of the files has no effect: ${why}`];
  }
  if (order === undefined && read.takesWithin !== true && Object.keys(read.within).length > 0) {
    return [
      "what the files say of intra-queue-preemption (threshold, limit, order) has no effect: intra-queue-preemption.enabled is not true",
    ];
  }
  if (settings.preemption?.within?.order !== "userLimit") return [];
  const leaves = queues.filter(({ name }) => !queues.some((candidate) => parentOf(candidate.name) === name));
  if (leaves.some(({ spec: { minimumUserLimitPercent = 100 } }) => minimumUserLimitPercent < 100)) return [];
  return [
    "preemptionWithin: userLimit takes nothing: minimumUserLimit is 100 in all queues, so no user is above a limit",
  ];
}

/** The scenario's settings of preemption within queues, in place of a file. */
function withinSaid(
  order: CapacityFile["preemptionWithin"],
  read: YarnSettings,
): Partial<Pick<CapacityPreemption, "within">> {
  if (order === undefined) return {};
  return { within: order === "off" ? null : { ...WITHIN_QUEUES_DEFAULTS, ...read.within, order } };
}

/** The settings of both files; those of a capacity-scheduler.xml win. */
function together({ site, capacity }: SchedulerImports): YarnSettings {
  const [first, second] = [site?.settings ?? noSettings(), capacity?.settings ?? noSettings()];
  const groups = (Object.keys(PROPERTY_GROUPS) as (keyof typeof PROPERTY_GROUPS)[]).map((group) => [
    group,
    { ...first[group], ...second[group] },
  ]);
  return { ...first, ...second, ...(Object.fromEntries(groups) as Partial<YarnSettings>) };
}

/** The settings of a yarn-site.xml for both schedulers, with YARN's defaults. */
function siteOf({ site }: SchedulerImports) {
  return { ...SITE_DEFAULTS, ...site?.settings };
}

/** Sizes that no yarn-site.xml rounds up: as under a minimum of this, whose multiples they all are. */
const UNROUNDED: Readonly<Resources> = { memory: 1, vcores: 1 };

function sizesOf({ site }: SchedulerImports) {
  const { minimum, increment, largest } = site?.settings ?? noSettings();
  return {
    // The minimum says two things, what sizes are rounded to and what room a node must have to be looked at. Either
    // alone leaves room empty.
    minimum: site === null ? UNROUNDED : { ...defaultsOf(PROPERTY_GROUPS.minimum), ...minimum },
    increment: { ...defaultsOf(PROPERTY_GROUPS.increment), ...increment },
    largest: { ...defaultsOf(PROPERTY_GROUPS.largest), ...largest },
  };
}

/**
 * Jobs as a cluster with that yarn-site.xml runs them: sizes are at least the minimum, and multiples of it
 * (yarn-capacity) or of the increment (yarn-fair). Without such a file they stay as the scenario has them.
 */
export function asAllocated(
  jobs: readonly ListedJob[],
  { kind }: SchedulerFile,
  imports: SchedulerImports,
  nodes: readonly Readonly<Resources>[],
): readonly ListedJob[] {
  if (imports.site === null) return jobs;
  const { minimum, increment, largest } = sizesOf(imports);
  const step = kind === "yarn-fair" ? increment : minimum;
  // The request is compared with the largest amount there is; the allocation is no more than that.
  const limit = lesser(largest, largestOf(nodes));
  const fitOf = (requested: number, type: keyof Resources): number => {
    const wanted = Math.max(requested, minimum[type]);
    const rounded = Math.ceil(wanted / step[type]) * step[type];
    return wanted <= limit[type] ? Math.min(rounded, limit[type]) : rounded;
  };
  const fit = ({ memory, vcores }: Readonly<Resources>): Readonly<Resources> => ({
    memory: fitOf(memory, "memory"),
    vcores: fitOf(vcores, "vcores"),
  });
  const fitted = <Part extends ListedTasks>(part: Part): Part => ({ ...part, size: fit(part.size) });
  return jobs.map((job) =>
    "stages" in job
      ? { ...job, master: fit(job.master), stages: job.stages.map(fitted) }
      : { ...job, master: fit(job.master), maps: fitted(job.maps), reduces: fitted(job.reduces) },
  );
}

/**
 * The priority of a job: as it says, else as its queue does; a yarn-site.xml may cap it. The Fair Scheduler gives all
 * applications one.
 * @returns of what a job says, and its queue.
 */
export function prioritiesIn(
  { kind }: SchedulerFile,
  { site, capacity }: SchedulerImports,
): (said: number | undefined, queue: string) => number {
  if (kind === "yarn-fair") return () => 0;
  const usual = new Map((capacity?.queues ?? []).map(({ name, defaultPriority = 0 }) => [name, defaultPriority]));
  const maxPriority = site?.settings.mostPriority ?? Infinity;
  return (said, queue) => Math.min(said ?? usual.get(queue) ?? 0, maxPriority);
}

/** Notes on priorities of jobs that change nothing, or would not in YARN. */
export function priorityNotes(
  { kind }: SchedulerFile,
  { site }: SchedulerImports,
  jobs: readonly { readonly priority?: number | undefined }[],
): string[] {
  const said = jobs.filter(({ priority }) => priority !== undefined && priority > 0);
  if (said.length === 0) return [];
  if (kind === "yarn-fair") return ["priority of jobs has no effect under yarn-fair: there all applications have one"];
  if (site === null) return [];
  const { mostPriority: maxPriority } = site.settings;
  if (maxPriority === undefined) {
    return [
      "yarn-site.xml does not say yarn.cluster.max-application-priority, which is 0 then: YARN would give all jobs priority 0; here theirs hold",
    ];
  }
  const capped = said.filter(({ priority = 0 }) => priority > maxPriority).length;
  return capped === 0
    ? []
    : [`yarn.cluster.max-application-priority is ${maxPriority}: ${counted(capped, "job")} with more have that`];
}

/** The tasks of a job, without its master. */
export function partsOf(job: ListedJob): readonly ListedTasks[] {
  return "stages" in job ? job.stages : [job.maps, job.reduces];
}

/** The resources and heartbeat interval of a node where the scenario omits them. */
export function nodeOfSite({ site }: SchedulerImports): Partial<Resources & { heartbeat: number }> {
  const { node, heartbeatUs: heartbeat } = site?.settings ?? noSettings();
  return { ...node, ...definedFields({ heartbeat }) };
}
