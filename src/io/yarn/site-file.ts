import {
  CAPACITY_PREEMPTION_DEFAULTS,
  type CapacityPreemption,
  type CapacitySettings,
  type FairSettings,
  type Resources,
  WITHIN_QUEUES_DEFAULTS,
  type WithinQueues,
} from "../../core/platforms/yarn/index.js";
import { grouped } from "../../core/kernel/index.js";
import { type ConfigElement, Findings, javaDouble, javaInteger } from "../allocations/elements.js";
import { parseXml, xmlTooLarge, type XmlElement } from "../allocations/xml.js";
import { type Property, readProperties, refused, shownName, truth } from "../capacity/properties.js";
import { InputError } from "../input-error.js";
import { LIMITS } from "../scenario/limits.js";
import { printable } from "../scenario/show.js";
import { readTextFile, type TextFileKind } from "../text-file.js";

// yarn-site.xml: the properties that bear on the schedulers. Those of the Capacity Scheduler may stand in
// capacity-scheduler.xml as well.

type Writable<T> = { -readonly [Key in keyof T]?: T[Key] };

/** Settings of properties; YARN's defaults apply to missing ones. */
export interface YarnSettings {
  readonly fair: Writable<FairSettings>;
  readonly capacity: Writable<CapacitySettings>;
  readonly preemption: Writable<Omit<CapacityPreemption, "within">>;
  readonly within: Writable<WithinQueues>;
  /** `scheduler.monitor.enable`, and that it only looks on. */
  monitors?: boolean;
  /** `yarn.cluster.max-application-priority`. */
  mostPriority?: number;
  /** `intra-queue-preemption.enabled`. */
  takesWithin?: boolean;
  observesOnly?: boolean;
  /** `schedule-asynchronously.enable` and its interval. */
  isAsynchronous?: boolean;
  asynchronousUs?: number;
  /** `maximum-am-resource-percent` of queues that do not say. */
  maxAmShare?: number;
  /** `allow-undeclared-pools` and `user-as-default-queue`. */
  createsQueues?: boolean;
  placesByUser?: boolean;
  /** Increments that a container must be large to reserve. */
  reservationIncrements?: number;
  readonly minimum: Partial<Resources>;
  readonly increment: Partial<Resources>;
  readonly largest: Partial<Resources>;
  /** The resources of a node. */
  readonly node: Partial<Resources>;
  heartbeatUs?: number;
  scheduler?: "yarn-fair" | "yarn-capacity";
}

export interface SiteLine {
  readonly line: number;
  readonly name: string;
  readonly value: string;
  /** Its meaning in Bide, or why it has none. */
  readonly meaning: string;
  readonly isUsed: boolean;
}

export interface ReadSite {
  readonly settings: Readonly<YarnSettings>;
  /** Properties for scheduling, in the order of the file. */
  readonly lines: readonly SiteLine[];
  /** Notes for the user, one each, with the file's name and lines. */
  readonly notes: readonly string[];
  /** Every element of the file. */
  readonly elements: readonly ConfigElement[];
}

const FILE: TextFileKind = {
  file: "a yarn-site.xml",
  contents: "a yarn-site.xml",
  mostBytes: LIMITS.fileBytes,
  tooLarge: xmlTooLarge,
};

/**
 * Reads a yarn-site.xml.
 * @param path what to open. @param shown how messages name it.
 * @throws InputError when it cannot be read, at broken XML, and with all that is wrong in well-formed XML.
 */
export function readSite(path: string, shown: string): ReadSite {
  return siteOf(parseXml(readTextFile(path, shown, FILE), shown), shown);
}

/** The same from a tree. */
export function siteOf(root: XmlElement, shown: string): ReadSite {
  refuseOtherRoot(root, shown, "a yarn-site.xml");
  const findings = new Findings(shown);
  const settings = noSettings();
  const lines: SiteLine[] = [];
  let otherCount = 0;
  for (const property of readProperties(root, findings).values()) {
    const meaning = applySetting(settings, property, findings);
    const { name, value, element } = property;
    if (meaning === null) {
      findings.hasNoPart(element);
      otherCount++;
      continue;
    }
    lines.push({ line: element.place.line, name, value, ...meaning });
    if (meaning.isUsed) findings.means(element, meaning.meaning);
    else findings.unused(element, `${shownName(name)} is not used`, meaning.meaning);
  }
  if (otherCount > 0) {
    const subject = otherCount === 1 ? "1 more property has" : `${grouped(otherCount)} more properties have`;
    findings.summary(root.place, `${subject} no part in when and where containers run`);
  }
  findings.refuse(root);
  return { settings, lines, notes: findings.notes(), elements: findings.elements(root) };
}

/** @throws InputError where it is no `<configuration>`. */
export function refuseOtherRoot(root: XmlElement, shown: string, file: string): void {
  if (root.name === "configuration") return;
  const hint = root.name === "allocations" ? "; a fair-scheduler.xml is scheduler.allocations of kind yarn-fair" : "";
  const actual = `found the root element <${printable(root.name).slice(0, 60)}>`;
  throw new InputError([
    { file: shown, ...root.place, message: `${actual}, allowed <configuration> of ${file}${hint}` },
  ]);
}

export function noSettings(): YarnSettings {
  return { fair: {}, capacity: {}, preemption: {}, within: {}, minimum: {}, increment: {}, largest: {}, node: {} };
}

/** The preemption policy of the settings; null: nothing is preempted. */
export function preemptionOf(settings: YarnSettings): CapacityPreemption | null {
  const { monitors, observesOnly, preemption } = settings;
  if (monitors !== true || observesOnly === true) return null;
  return { ...CAPACITY_PREEMPTION_DEFAULTS, ...preemption, within: withinOf(settings) };
}

/** Null: applications of a queue take nothing from others of it. */
function withinOf({ takesWithin, within }: YarnSettings): WithinQueues | null {
  return takesWithin === true ? { ...WITHIN_QUEUES_DEFAULTS, ...within } : null;
}

/** Does what a property says. @returns what it means, or why nothing; null: it has nothing to do with scheduling. */
export function applySetting(
  settings: YarnSettings,
  property: Property,
  findings: Findings,
): { readonly meaning: string; readonly isUsed: boolean } | null {
  const { name } = property;
  const known = KNOWN.get(name);
  if (known !== undefined) {
    known.apply(settings, property, findings);
    return { meaning: known.says, isUsed: true };
  }
  const reason = [...IGNORED].find(([start]) => name === start || name.startsWith(`${start}.`))?.[1];
  if (reason !== undefined) return { meaning: reason, isUsed: false };
  if (!/^yarn\.(scheduler|resourcemanager\.(scheduler|monitor))\./.test(name) || CONNECTION.test(name)) return null;
  const prefix = [FAIR, CAPACITY, MONITOR, "yarn.scheduler."].find((start) => name.startsWith(start)) ?? "yarn.";
  const near = [...KNOWN.keys()]
    .filter((property) => property.startsWith(prefix))
    .map((property) => property.slice(prefix.length));
  return { meaning: `Bide does not know it${findings.hint(name.slice(prefix.length), near)}`, isUsed: false };
}

/**
 * Properties of connections and services of daemons, which do not affect scheduling; an id of a resource manager may
 * follow.
 */
const CONNECTION = /\.(address|bind-host|hostname|port|principal|keytab|thread-count)(\.[\w-]+)?$/;

type ReadValue<T> = (property: Property, findings: Findings) => T | undefined;

interface Known {
  /** Its meaning in Bide. */
  readonly says: string;
  readonly apply: (settings: YarnSettings, property: Property, findings: Findings) => void;
}

function known<T>(says: string, read: ReadValue<T>, set: (settings: YarnSettings, value: T) => void): Known {
  return {
    says,
    apply: (settings, property, findings) => {
      const value = read(property, findings);
      if (value !== undefined) set(settings, value);
    },
  };
}

/** Reads a whole number of at least `min`. Values above `max`, longer than any run lasts, count as `max`. */
function whole(min: number, max: number): ReadValue<number> {
  return (property, findings) => {
    const value = javaInteger(property.value, JAVA_MAX);
    if (value !== undefined && value >= BigInt(min)) return Math.min(Number(value), max);
    return refused(property, findings, `a whole number from ${String(min)} to ${String(JAVA_MAX)}`);
  };
}

/** The same, or any below 0, which is -1. */
function wholeOrNone(min: number, max: number): ReadValue<number> {
  const positive = whole(min, max);
  return (property, findings) => (/^-\d{1,19}$/.test(property.value) ? -1 : positive(property, findings));
}

const JAVA_MAX = 9_223_372_036_854_775_807n;

const MOST_MS = LIMITS.waitUs / 1000;

function fraction(max: number): ReadValue<number> {
  return (property, findings) => {
    const value = javaDouble(property.value);
    if (value !== undefined && value >= 0 && value <= max) return value;
    return refused(property, findings, `a number from 0 to ${String(max)}`);
  };
}

/** Reads a share of the nodes: values above 1 count as 1, values below 0 as -1. */
const part: ReadValue<number> = (property, findings) => {
  if (/^-(\d+\.?\d*|\.\d+)f?$/.test(property.value)) return -1;
  const value = javaDouble(property.value);
  if (value === undefined) return refused(property, findings, "a number from 0 to 1, or -1");
  return Math.min(1, value);
};

/** A class by the last part of its name. */
function className<T>(names: Readonly<Record<string, T>>): ReadValue<T> {
  return (property, findings) => {
    const last = property.value.slice(property.value.lastIndexOf(".") + 1);
    if (Object.hasOwn(names, last)) return names[last];
    return refused(property, findings, `a class named ${Object.keys(names).join(", ")}`);
  };
}

/** In letters of either case. */
function oneOf<T>(words: Readonly<Record<string, T>>): ReadValue<T> {
  return (property, findings) => {
    const word = property.value.toLowerCase();
    return Object.hasOwn(words, word) ? words[word] : refused(property, findings, Object.keys(words).join(" or "));
  };
}

const mb = whole(1, LIMITS.memoryMb);
const vcores = whole(1, LIMITS.vcores);
const ms = whole(0, MOST_MS);
const countOrNone = wholeOrNone(1, 1e6);

const FAIR = "yarn.scheduler.fair.";
const CAPACITY = "yarn.scheduler.capacity.";
const MONITOR = "yarn.resourcemanager.monitor.capacity.preemption.";
const WITHIN = `${MONITOR}intra-queue-preemption.`;

const KNOWN: ReadonlyMap<string, Known> = new Map<string, Known>([
  [
    "yarn.resourcemanager.scheduler.class",
    known(
      "the scheduler, which is the kind of the scenario's",
      className({ FairScheduler: "yarn-fair", CapacityScheduler: "yarn-capacity" } as const),
      (draft, value) => (draft.scheduler = value),
    ),
  ],
  [
    `${FAIR}assignmultiple`,
    known("more than one container in a report", truth, ({ fair }, value) => (fair.assignsMultiple = value)),
  ],
  [
    `${FAIR}dynamic.max.assign`,
    known(
      "where a report gives more than one: until they take half of what the node had free",
      truth,
      ({ fair }, value) => (fair.dynamicMaxAssign = value),
    ),
  ],
  [
    `${FAIR}max.assign`,
    known(
      "where a report gives more than one, and dynamic.max.assign is false: so many at most",
      countOrNone,
      ({ fair }, value) => (fair.maxAssign = value),
    ),
  ],
  [
    `${FAIR}locality.threshold.node`,
    known(
      "part of the nodes whose offers are passed over for the node",
      part,
      ({ fair }, value) => (fair.localityThresholdNode = value),
    ),
  ],
  [
    `${FAIR}locality.threshold.rack`,
    known(
      "part of the nodes whose offers are passed over for the rack",
      part,
      ({ fair }, value) => (fair.localityThresholdRack = value),
    ),
  ],
  [
    `${FAIR}continuous-scheduling-enabled`,
    known("nodes are tried all the time, and delays hold", truth, ({ fair }, value) => (fair.isContinuous = value)),
  ],
  [
    `${FAIR}continuous-scheduling-sleep-ms`,
    known(
      "time between two rounds of continuous scheduling",
      whole(1, MOST_MS),
      ({ fair }, value) => (fair.continuousSleepUs = value * 1000),
    ),
  ],
  [
    `${FAIR}locality-delay-node-ms`,
    known(
      "time waited for the node",
      wholeOrNone(0, MOST_MS),
      ({ fair }, value) => (fair.localityDelayNodeUs = delayUs(value)),
    ),
  ],
  [
    `${FAIR}locality-delay-rack-ms`,
    known(
      "time waited for the rack",
      wholeOrNone(0, MOST_MS),
      ({ fair }, value) => (fair.localityDelayRackUs = delayUs(value)),
    ),
  ],
  [`${FAIR}preemption`, known("starved queues take from others", truth, ({ fair }, value) => (fair.preempts = value))],
  [
    `${FAIR}preemption.cluster-utilization-threshold`,
    known(
      "preemption begins above this use of the cluster",
      fraction(1),
      ({ fair }, value) => (fair.preemptionUtilization = value),
    ),
  ],
  [
    `${FAIR}waitTimeBeforeKill`,
    known(
      "time from the choice of a container to its kill",
      ms,
      ({ fair }, value) => (fair.waitBeforeKillUs = value * 1000),
    ),
  ],
  [
    `${FAIR}waitTimeBeforeNextStarvationCheck`,
    known(
      "time until an application that got containers by preemption is looked at again",
      ms,
      ({ fair }, value) => (fair.waitBeforeNextCheckUs = value * 1000),
    ),
  ],
  [
    `${FAIR}sizebasedweight`,
    known("applications weigh by size", truth, ({ fair }, value) => (fair.weighsBySize = value)),
  ],
  [
    `${FAIR}update-interval-ms`,
    known("time between two looks at shares", whole(1, MOST_MS), ({ fair }, value) => (fair.updateUs = value * 1000)),
  ],
  [
    `${FAIR}reservable-nodes`,
    known(
      "part of the nodes that an application may reserve",
      fraction(1),
      ({ fair }, value) => (fair.reservableNodes = value),
    ),
  ],
  [
    `${FAIR}allow-undeclared-pools`,
    known(
      "jobs make queues, where no placement rules are given",
      truth,
      (draft, value) => (draft.createsQueues = value),
    ),
  ],
  [
    `${FAIR}user-as-default-queue`,
    known(
      "jobs without a queue go to that of their user, where no placement rules are given",
      truth,
      (draft, value) => (draft.placesByUser = value),
    ),
  ],
  [
    "yarn.scheduler.increment-allocation-mb",
    known(
      "memory of a container under yarn-fair is a multiple of it",
      mb,
      ({ increment }, value) => (increment.memory = value),
    ),
  ],
  [
    "yarn.scheduler.increment-allocation-vcores",
    known(
      "vcores of a container under yarn-fair are multiples of it",
      vcores,
      ({ increment }, value) => (increment.vcores = value),
    ),
  ],
  [
    "yarn.resource-types.memory-mb.increment-allocation",
    known(
      "memory of a container under yarn-fair is a multiple of it",
      mb,
      ({ increment }, value) => (increment.memory = value),
    ),
  ],
  [
    "yarn.resource-types.vcores.increment-allocation",
    known(
      "vcores of a container under yarn-fair are multiples of it",
      vcores,
      ({ increment }, value) => (increment.vcores = value),
    ),
  ],
  [
    "yarn.scheduler.reservation-threshold.increment-multiple",
    known(
      "so many increments a container must have at least to reserve a node",
      fraction(1e6),
      (draft, value) => (draft.reservationIncrements = value),
    ),
  ],
  [
    "yarn.scheduler.minimum-allocation-mb",
    known("no container has less memory", mb, ({ minimum }, value) => (minimum.memory = value)),
  ],
  [
    "yarn.scheduler.minimum-allocation-vcores",
    known("no container has fewer vcores", vcores, ({ minimum }, value) => (minimum.vcores = value)),
  ],
  [
    "yarn.scheduler.maximum-allocation-mb",
    known("what asks for more memory is refused", mb, ({ largest }, value) => (largest.memory = value)),
  ],
  [
    "yarn.scheduler.maximum-allocation-vcores",
    known("what asks for more vcores is refused", vcores, ({ largest }, value) => (largest.vcores = value)),
  ],
  [
    "yarn.nodemanager.resource.memory-mb",
    known("memory of a node, where cluster.memory says nothing", wholeOrNone(1, LIMITS.memoryMb), ({ node }, value) => {
      if (value > 0) node.memory = value;
    }),
  ],
  [
    "yarn.nodemanager.resource.cpu-vcores",
    known("vcores of a node, where cluster.vcores says nothing", wholeOrNone(1, LIMITS.vcores), ({ node }, value) => {
      if (value > 0) node.vcores = value;
    }),
  ],
  [
    "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms",
    known(
      "time between two reports of a node, where cluster.heartbeat says nothing",
      whole(LIMITS.minHeartbeatUs / 1000, LIMITS.maxHeartbeatUs / 1000),
      (draft, value) => (draft.heartbeatUs = value * 1000),
    ),
  ],
  [
    `${CAPACITY}node-locality-delay`,
    known(
      "offers passed over for the node",
      wholeOrNone(0, LIMITS.skips),
      ({ capacity }, value) => (capacity.nodeLocalityDelay = value),
    ),
  ],
  [
    `${CAPACITY}rack-locality-additional-delay`,
    known(
      "offers passed over for the rack, after those for the node",
      wholeOrNone(0, LIMITS.skips),
      ({ capacity }, value) => (capacity.rackLocalityAdditionalDelay = value),
    ),
  ],
  [
    `${CAPACITY}rack-locality-full-reset`,
    known(
      "a rack-local launch restarts the count",
      truth,
      ({ capacity }, value) => (capacity.rackLocalityFullReset = value),
    ),
  ],
  [
    `${CAPACITY}per-node-heartbeat.multiple-assignments-enabled`,
    known("more than one container in a report", truth, ({ capacity }, value) => (capacity.assignsMultiple = value)),
  ],
  [
    `${CAPACITY}per-node-heartbeat.maximum-container-assignments`,
    known("at most so many containers in a report", countOrNone, ({ capacity }, value) => (capacity.maxAssign = value)),
  ],
  [
    `${CAPACITY}per-node-heartbeat.maximum-offswitch-assignments`,
    known(
      "at most so many off-switch containers in a report",
      whole(1, 1e6),
      ({ capacity }, value) => (capacity.maxOffSwitch = value),
    ),
  ],
  [
    `${CAPACITY}resource-calculator`,
    known(
      "whether vcores are looked at",
      className({ DefaultResourceCalculator: false, DominantResourceCalculator: true }),
      ({ capacity }, value) => (capacity.countsVcores = value),
    ),
  ],
  [
    `${CAPACITY}schedule-asynchronously.enable`,
    known("nodes are tried all the time", truth, (draft, value) => (draft.isAsynchronous = value)),
  ],
  [
    `${CAPACITY}schedule-asynchronously.scheduling-interval-ms`,
    known(
      "time between two rounds of asynchronous scheduling",
      whole(1, MOST_MS),
      (draft, value) => (draft.asynchronousUs = value * 1000),
    ),
  ],
  [
    `${CAPACITY}maximum-am-resource-percent`,
    known("part for masters, of queues that do not say", fraction(1), (draft, value) => (draft.maxAmShare = value)),
  ],
  [
    "yarn.cluster.max-application-priority",
    known(
      "no application has a higher priority",
      whole(0, 2 ** 31 - 1),
      (draft, value) => (draft.mostPriority = value),
    ),
  ],
  [
    "yarn.resourcemanager.scheduler.monitor.enable",
    known("queues of yarn-capacity take from others", truth, (draft, value) => (draft.monitors = value)),
  ],
  [`${MONITOR}observe_only`, known("true: nothing is taken", truth, (draft, value) => (draft.observesOnly = value))],
  [
    `${MONITOR}monitoring_interval`,
    known(
      "time between two rounds of preemption",
      whole(1, MOST_MS),
      ({ preemption }, value) => (preemption.monitoringUs = value * 1000),
    ),
  ],
  [
    `${MONITOR}max_wait_before_kill`,
    known(
      "time from the choice of a container to its kill",
      ms,
      ({ preemption }, value) => (preemption.maxWaitBeforeKillUs = value * 1000),
    ),
  ],
  [
    `${MONITOR}total_preemption_per_round`,
    known(
      "part of the cluster taken in a round",
      fraction(1),
      ({ preemption }, value) => (preemption.totalPerRound = value),
    ),
  ],
  [
    `${MONITOR}max_ignored_over_capacity`,
    known(
      "so far above its capacity a queue is left alone",
      fraction(1000),
      ({ preemption }, value) => (preemption.maxIgnoredOverCapacity = value),
    ),
  ],
  [
    `${MONITOR}natural_termination_factor`,
    known(
      "of what is to be taken, the part of a round",
      fraction(1),
      ({ preemption }, value) => (preemption.naturalTerminationFactor = value),
    ),
  ],
  [
    `${WITHIN}enabled`,
    known("true: applications of a queue take from others of it", truth, (draft, value) => (draft.takesWithin = value)),
  ],
  [
    `${WITHIN}minimum-threshold`,
    known(
      "a queue that uses less than this part of its capacity is left alone",
      fraction(1),
      ({ within }, value) => (within.minimumThreshold = value),
    ),
  ],
  [
    `${WITHIN}max-allowable-limit`,
    known(
      "the largest part of a queue that may go",
      fraction(1),
      ({ within }, value) => (within.maxAllowableLimit = value),
    ),
  ],
  [
    `${WITHIN}preemption-order-policy`,
    known(
      "userlimit_first: only users above their limit give; priority_first: whoever goes later does",
      oneOf<WithinQueues["order"]>({ userlimit_first: "userLimit", priority_first: "priority" }),
      ({ within }, value) => (within.order = value),
    ),
  ],
]);

function delayUs(value: number): number {
  return value < 0 ? -1 : value * 1000;
}

/** With all that begins with them and a dot. */
const IGNORED: ReadonlyMap<string, string> = new Map([
  [`${FAIR}allocation.file`, "scheduler.allocations names the file"],
  [`${FAIR}am.preemption`, "masters are always taken last"],
  [`${FAIR}max.assign.per.heartbeat`, "YARN has no such property"],
  ["yarn.resourcemanager.scheduler.monitor.policies", "the policy of preemption between queues is the only one"],
  [`${MONITOR}select_based_on_reserved_containers`, "containers are chosen newest first"],
  [`${CAPACITY}maximum-applications`, "applications are accepted however many there are"],
  [`${CAPACITY}max-parallel-apps`, "applications are limited by what masters may take alone"],
  [`${CAPACITY}application.fail-fast`, "queues are there for the whole run"],
  [`${CAPACITY}workflow-priority-mappings`, "applications have the priorities that the scenario says"],
  [`${CAPACITY}mapping-rule-format`, "of mappings only queue-mappings is read"],
  [`${CAPACITY}mapping-rule-json`, "of mappings only queue-mappings is read"],
  [`${CAPACITY}mapping-rule-json-file`, "of mappings only queue-mappings is read"],
  [`${CAPACITY}legacy-queue-mode`, "queues are read in the legacy mode, which is YARN's default"],
  ["yarn.scheduler.include-port-in-node-name", "nodes have one name"],
  ["yarn.nodemanager.resource.detect-hardware-capabilities", "nodes have what the scenario says"],
  ["yarn.nodemanager.resource.percentage-physical-cpu-limit", "nodes have what the scenario says"],
  ["yarn.nodemanager.vmem-pmem-ratio", "containers keep to their size"],
  ["yarn.app.mapreduce.am.resource", "jobs of the scenario say what their masters take"],
  ["yarn.node-labels", "nodes have no labels"],
  ["yarn.resource-types", "nodes have memory and vcores only"],
]);
