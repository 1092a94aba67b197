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

/** Properties of the file for all queues. */
const DEFAULT_KEYS: ReadonlyMap<string, Apply> = new Map(
  [...QUEUE_KEYS].filter(([key]) => !key.endsWith("capacity")).map(([key, does]) => [`default-${key}`, does]),
);

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
    const { name, element } = property;
    const ignoring = `${shownName(name)} is ignored`;
    if (!name.startsWith(HADOOP_PREFIX)) {
      findings.unused(element, ignoring, "it is no property of the capacity scheduler");
      continue;
    }
    let key = name.slice(HADOOP_PREFIX.length);
    let [known, ignored, settings] = [DEFAULT_KEYS, IGNORED, defaults];
    if (key.startsWith(QUEUE_PREFIX)) {
      const dot = key.lastIndexOf(".");
      const queueName = nameOf(key.slice(QUEUE_PREFIX.length, dot), property, findings);
      if (queueName === undefined) continue;
      const queue = queues.get(queueName) ?? { settings: {}, element };
      if (queues.size === MAX_POOLS && !queues.has(queueName)) {
        findings.problem(element, `more than ${MAX_POOLS} queues`, `at most ${MAX_POOLS}`);
      }
      queues.set(queueName, queue);
      key = key.slice(dot + 1);
      [known, ignored, settings] = [QUEUE_KEYS, IGNORED_OF_QUEUE, queue.settings];
    }
    const does = known.get(key);
    if (does !== undefined) does(settings, property, findings);
    else {
      const why = ignored.get(key) ?? `Bide does not know it${findings.hint(key, [...known.keys()])}`;
      findings.unused(element, ignoring, why);
    }
  }
  return [...queues].map(([name, { settings: queueSettings, element }]) => {
    const settings = { ...defaults, ...queueSettings };
    checkQueue(name, settings, element, findings);
    return { ...resolveQueue({ name, capacity: 0 }), ...settings };
  });
}

function nameOf(name: string, property: Property, findings: Findings): string | undefined {
  const label = asLabel(name);
  if (label === undefined) {
    findings.problem(property.element, `the queue name ${quote(name)}`, LABEL_ALLOWED);
  }
  return label;
}

/** Tells that a queue has no capacity, or a maximum below it. */
function checkQueue(name: string, settings: QueueSettings, element: XmlElement, findings: Findings): void {
  const { capacityPercent, maximumCapacityPercent = Infinity } = settings;
  if (capacityPercent === undefined) {
    findings.problem(element, `no capacity of the queue ${quote(name)}`, "one for each queue");
  } else if (maximumCapacityPercent < capacityPercent) {
    findings.problem(
      element,
      `maximum-capacity ${maximumCapacityPercent} of the queue ${quote(name)}`,
      `at least its capacity, ${capacityPercent}, or -1 for no limit`,
    );
  }
}
