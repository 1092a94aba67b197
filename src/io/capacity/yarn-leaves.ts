import type { CapacityQueueSpec } from "../../core/scenario/index.js";
import type { Findings } from "../allocations/elements.js";
import { MAX_POOLS } from "../allocations/draft.js";
import type { XmlElement } from "../allocations/xml.js";
import { LIMITS } from "../scenario/limits.js";
import { asLabel, LABEL_ALLOWED } from "../scenario/values.js";
import { quote } from "../scenario/show.js";
import {
  apply,
  checkQueue,
  finished,
  noteForeign,
  noteIgnored,
  setTo,
  type Apply,
  type QueueSettings,
} from "./hadoop-queues.js";
import { addUp, maximum, percent, type Property, userFactor, userPercent } from "./properties.js";

/** YARN's prefix of all properties. */
export const YARN_PREFIX = "yarn.scheduler.capacity.";
const ROOT = "root";

const QUEUE_KEYS: ReadonlyMap<string, Apply> = new Map([
  // Read before, when the tree is laid out.
  ["queues", () => undefined],
  ["capacity", setTo("capacityPercent", percent)],
  ["maximum-capacity", setTo("maximumCapacityPercent", maximum)],
  ["minimum-user-limit-percent", setTo("minimumUserLimitPercent", userPercent)],
  ["user-limit-factor", setTo("userLimitFactor", userFactor)],
]);

const MASTERS = "there are no application masters";
const ACCESS = "who may do what is not modelled";
const ACCEPTED = "jobs are accepted however many there are";
const PREEMPTED = "queues get their capacity back as tasks end: nothing is killed";

const IGNORED_OF_QUEUE: ReadonlyMap<string, string> = new Map([
  ["state", "every queue runs"],
  ["acl_submit_applications", ACCESS],
  ["acl_administer_queue", ACCESS],
  ["maximum-applications", ACCEPTED],
  ["maximum-am-resource-percent", MASTERS],
  ["ordering-policy", "jobs of a queue go by submission"],
  ["disable_preemption", PREEMPTED],
  ["priority", "queues go by what they use of their capacity alone"],
  ["accessible-node-labels", "nodes have no labels"],
  ["maximum-allocation-mb", "a task takes one slot"],
  ["maximum-allocation-vcores", "a task takes one slot"],
]);

const IGNORED: ReadonlyMap<string, string> = new Map([
  ["maximum-applications", ACCEPTED],
  ["maximum-am-resource-percent", MASTERS],
  ["resource-calculator", "a task takes one slot"],
  ["node-locality-delay", "scheduler.wait of the scenario says so: its nodeSkips count the same opportunities"],
  [
    "rack-locality-additional-delay",
    "scheduler.wait of the scenario says so: its rackSkips count the same opportunities",
  ],
  ["queue-mappings", "jobs name their queue"],
  ["queue-mappings-override.enable", "jobs name their queue"],
]);

/** A queue of the tree, with what its properties say. */
interface Branch {
  /** Full, from the root. */
  readonly path: string;
  readonly element: XmlElement;
  readonly settings: QueueSettings;
  readonly inside: readonly Branch[];
}

/**
 * The innermost queues of a YARN file as queues side by side, each with its part of the whole cluster, named by its path below
 * the root. What a queue around them is given together is not kept together: a note says so.
 */
export function yarnLeaves(properties: readonly Property[], findings: Findings): CapacityQueueSpec[] {
  const tree = new QueueTree(properties, findings);
  return tree.leaves();
}

class QueueTree {
  private readonly byName: ReadonlyMap<string, Property>;
  private readonly branches = new Map<string, Branch>();

  constructor(
    properties: readonly Property[],
    private readonly findings: Findings,
  ) {
    this.byName = new Map(properties.map((property) => [property.name, property]));
    const queues = this.byName.get(`${YARN_PREFIX}${ROOT}.queues`);
    if (queues !== undefined) this.lay(ROOT, queues.element, 1);
    for (const property of properties) this.read(property);
  }

  leaves(): CapacityQueueSpec[] {
    const root = this.branches.get(ROOT);
    if (root === undefined) return [];
    const leaves: CapacityQueueSpec[] = [];
    this.collect(root, 100, 100, leaves);
    return leaves;
  }

  /** Enters a queue and, by their lists, all in it. */
  private lay(path: string, element: XmlElement, level: number): Branch {
    const list = this.byName.get(`${YARN_PREFIX}${path}.queues`);
    const inside: Branch[] = [];
    const branch = { path, element, settings: {}, inside };
    this.branches.set(path, branch);
    if (list === undefined) return branch;
    for (const name of list.value.split(",").map((word) => word.trim())) {
      const inner = this.innerPath(path, name, list, level);
      if (inner !== undefined) inside.push(this.lay(inner, list.element, level + 1));
    }
    return branch;
  }

  private innerPath(path: string, name: string, { element }: Property, level: number): string | undefined {
    const { findings, branches } = this;
    const inner = `${path}.${name}`;
    if (asLabel(name) === undefined || name.includes(".") || asLabel(inner) === undefined) {
      findings.problem(element, `found the queue name ${quote(name)}, allowed ${LABEL_ALLOWED}, without dots`);
    } else if (branches.has(inner)) {
      findings.problem(element, `found the queue ${quote(inner)} a second time, allowed each queue once`);
    } else if (level > LIMITS.poolLevels) {
      findings.problem(
        element,
        `found queues on more than ${String(LIMITS.poolLevels)} levels, allowed at most so many`,
      );
    } else if (branches.size > MAX_POOLS) {
      findings.problem(element, `found more than ${String(MAX_POOLS)} queues, allowed at most ${String(MAX_POOLS)}`);
    } else {
      return inner;
    }
    return undefined;
  }

  private read(property: Property): void {
    const { findings } = this;
    if (!property.name.startsWith(YARN_PREFIX)) return noteForeign(property, findings);
    const key = property.name.slice(YARN_PREFIX.length);
    if (!key.startsWith(`${ROOT}.`)) return noteIgnored(IGNORED, [...IGNORED.keys()], key, property, findings);
    const branch = this.branchOf(key);
    if (branch === undefined) return noteIgnored(new Map(), [], key, property, findings);
    const own = key.slice(branch.path.length + 1);
    const ignoredKey = [...IGNORED_OF_QUEUE.keys()].find((known) => own === known || own.startsWith(`${known}.`));
    apply(QUEUE_KEYS, IGNORED_OF_QUEUE, ignoredKey ?? own, branch.settings, property, findings);
  }

  /** The innermost queue whose path the key begins with. */
  private branchOf(key: string): Branch | undefined {
    for (let dot = key.lastIndexOf("."); dot > 0; dot = key.lastIndexOf(".", dot - 1)) {
      const branch = this.branches.get(key.slice(0, dot));
      if (branch !== undefined) return branch;
    }
    return undefined;
  }

  /** @param whole part of the cluster that the queue has, and the most it may have, in per cent. */
  private collect(branch: Branch, whole: number, most: number, leaves: CapacityQueueSpec[]): void {
    const { findings } = this;
    for (const inner of branch.inside) {
      const { capacityPercent = 0, maximumCapacityPercent = Infinity } = inner.settings;
      const capacity = (whole * capacityPercent) / 100;
      const limit = (most * Math.min(100, maximumCapacityPercent)) / 100;
      checkQueue(inner.path, inner.settings, inner.element, findings);
      if (inner.inside.length > 0) {
        const text = `queue ${quote(inner.path)} is taken apart: the queues in it stand side by side with all others`;
        findings.note(inner.element, text);
        this.collect(inner, capacity, limit, leaves);
        continue;
      }
      const ofCluster = { capacityPercent: capacity, maximumCapacityPercent: limit >= 100 ? Infinity : limit };
      const name = inner.path.slice(ROOT.length + 1);
      leaves.push(finished(name, { ...inner.settings, ...ofCluster }));
    }
    const wrong = addUp(branch.inside.map(({ settings }) => settings.capacityPercent ?? 0));
    if (wrong === null) return;
    findings.problem(branch.element, `found ${wrong.found} in ${quote(branch.path)}, allowed ${wrong.allowed}`);
  }
}
