import type { CapacityQueueSpec } from "../../core/scenario/index.js";
import type { Findings } from "../allocations/elements.js";
import { MAX_POOLS } from "../allocations/draft.js";
import type { XmlElement } from "../allocations/xml.js";
import { asLabel, LABEL_ALLOWED } from "../scenario/values.js";
import { quote } from "../scenario/show.js";
import { maximum, mostJobs, percent, type Property, shownName, truth, userFactor, userPercent } from "./properties.js";
import { resolveQueue } from "./queue.js";

/** A queue while its properties are read. */
type QueueSettings = { -readonly [Key in Exclude<keyof CapacityQueueSpec, "name">]?: CapacityQueueSpec[Key] };

/** The effect of a property on a queue. */
type Apply = (queue: QueueSettings, property: Property, findings: Findings) => void;

/** Hadoop 1's prefix of all properties, and of those of one queue. */
export const HADOOP_PREFIX = "mapred.capacity-scheduler.";
const QUEUE_PREFIX = "queue.";
const DEFAULT_PREFIX = "default-";

const setTo =
  <Key extends keyof QueueSettings>(
    key: Key,
    read: (property: Property, findings: Findings) => QueueSettings[Key] | undefined,
  ): Apply =>
  (queue, property, findings) => {
    const value = read(property, findings);
    if (value !== undefined) queue[key] = value;
  };

const QUEUE_KEYS: ReadonlyMap<string, Apply> = new Map([
  ["capacity", setTo("capacityPercent", percent)],
  ["maximum-capacity", setTo("maximumCapacityPercent", maximum)],
  ["supports-priority", setTo("supportsPriority", truth)],
  ["minimum-user-limit-percent", setTo("minimumUserLimitPercent", userPercent)],
  ["user-limit-factor", setTo("userLimitFactor", userFactor)],
  ["maximum-initialized-jobs-per-user", setTo("maximumInitializedJobsPerUser", mostJobs)],
]);

/** Keys that the file may also set for all queues. */
const DEFAULT_KEYS = new Map([...QUEUE_KEYS].filter(([key]) => !key.endsWith("capacity")));

const ACTIVE_TASKS = "no limit counts the tasks of set-up jobs here";
const ACCEPTED = "jobs are accepted however many there are";
const RECLAIMED = "Hadoop 0.19's; since 0.20 a queue gets its capacity back as tasks end";

const IGNORED: ReadonlyMap<string, string> = new Map([
  ["maximum-system-jobs", "only maximum-initialized-jobs-per-user limits how many jobs are set up"],
  ["default-maximum-active-tasks-per-queue", ACTIVE_TASKS],
  ["default-maximum-active-tasks-per-user", ACTIVE_TASKS],
  ["default-init-accept-jobs-factor", ACCEPTED],
  ["init-poll-interval", "jobs that may be set up are so at once"],
  ["init-worker-threads", "jobs that may be set up are so at once"],
  ["maximum-tasks-per-heartbeat", "scheduler.tasksPerHeartbeat of the scenario says so"],
  ["maximum-tasks-after-offswitch", "a node that was given an off-rack map is given others too"],
]);

const IGNORED_OF_QUEUE: ReadonlyMap<string, string> = new Map([
  ["maximum-initialized-active-tasks", ACTIVE_TASKS],
  ["maximum-initialized-active-tasks-per-user", ACTIVE_TASKS],
  ["init-accept-jobs-factor", ACCEPTED],
  ["guaranteed-capacity", `${RECLAIMED}; its name is capacity now`],
  ["reclaim-time-limit", RECLAIMED],
]);

/**
 * The queues of a Hadoop 0.20 or 1.x file, in the order of their first mention. Problems and notes go to `findings`.
 */
export function hadoopQueues(properties: Iterable<Property>, findings: Findings): CapacityQueueSpec[] {
  const queues = new Map<string, { readonly settings: QueueSettings; readonly element: XmlElement }>();
  const defaults: QueueSettings = {};
  for (const property of properties) {
    const key = property.name.slice(HADOOP_PREFIX.length);
    if (!property.name.startsWith(HADOOP_PREFIX)) noteForeign(property, findings);
    else if (key.startsWith(QUEUE_PREFIX)) {
      const dot = key.lastIndexOf(".");
      const name = nameOf(key.slice(QUEUE_PREFIX.length, dot), property, findings);
      if (name === undefined) continue;
      const queue = queues.get(name) ?? { settings: {}, element: property.element };
      if (queues.size === MAX_POOLS && !queues.has(name)) tooMany(property, findings);
      queues.set(name, queue);
      apply(QUEUE_KEYS, IGNORED_OF_QUEUE, key.slice(dot + 1), queue.settings, property, findings);
    } else {
      const known = key.startsWith(DEFAULT_PREFIX) && DEFAULT_KEYS.get(key.slice(DEFAULT_PREFIX.length));
      if (known) known(defaults, property, findings);
      else
        noteIgnored(
          IGNORED,
          [...DEFAULT_KEYS.keys()].map((known) => DEFAULT_PREFIX + known),
          key,
          property,
          findings,
        );
    }
  }
  return [...queues].map(([name, { settings: queueSettings, element }]) => {
    const settings = { ...defaults, ...queueSettings };
    checkQueue(name, settings, element, findings);
    return finished(name, settings);
  });
}

/** Does what a key of a queue says, or notes that nothing does. */
function apply(
  known: ReadonlyMap<string, Apply>,
  ignored: ReadonlyMap<string, string>,
  key: string,
  queue: QueueSettings,
  property: Property,
  findings: Findings,
): void {
  const does = known.get(key);
  if (does !== undefined) does(queue, property, findings);
  else noteIgnored(ignored, [...known.keys()], key, property, findings);
}

function noteIgnored(
  ignored: ReadonlyMap<string, string>,
  known: readonly string[],
  key: string,
  { name, element }: Property,
  findings: Findings,
): void {
  const reason = ignored.get(key);
  const why = reason ?? `Bide does not know it${findings.hint(key, known)}`;
  findings.unused(element, `${shownName(name)} is ignored`, why);
}

/** Notes a property that is not the capacity scheduler's. */
function noteForeign({ name, element }: Property, findings: Findings): void {
  findings.unused(element, `${shownName(name)} is ignored`, "it is no property of the capacity scheduler");
}

function nameOf(name: string, property: Property, findings: Findings): string | undefined {
  const label = asLabel(name);
  if (label === undefined) {
    findings.problem(property.element, `the queue name ${quote(name)}`, LABEL_ALLOWED);
  }
  return label;
}

function tooMany({ element }: Property, findings: Findings): void {
  findings.problem(element, `more than ${String(MAX_POOLS)} queues`, `at most ${String(MAX_POOLS)}`);
}

/** Tells that a queue has no capacity, or a maximum below it. */
function checkQueue(name: string, settings: QueueSettings, element: XmlElement, findings: Findings): void {
  const { capacityPercent, maximumCapacityPercent = Infinity } = settings;
  if (capacityPercent === undefined) {
    findings.problem(element, `no capacity of the queue ${quote(name)}`, "one for each queue");
  } else if (maximumCapacityPercent < capacityPercent) {
    findings.problem(
      element,
      `maximum-capacity ${String(maximumCapacityPercent)} of the queue ${quote(name)}`,
      `at least its capacity, ${String(capacityPercent)}, or -1 for no limit`,
    );
  }
}

/** The queue as it was read, with Hadoop's defaults. */
function finished(name: string, settings: QueueSettings): CapacityQueueSpec {
  return { ...resolveQueue({ name, capacity: 0 }), ...settings };
}
