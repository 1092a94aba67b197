import { sumOver, definedFields } from "../../core/kernel/index.js";
import {
  CAPACITY_QUEUE_ROWS,
  type CapacityQueueSpec,
  type Resources,
  type YarnTypes,
} from "../../core/platforms/yarn/index.js";
import { LIMITS, type RecordOf } from "../../core/scenario/index.js";
import { Findings, javaDouble, type ReadConfig } from "../allocations/elements.js";
import { type Place, readXml, type XmlElement } from "../allocations/xml.js";
import { maximum, percent, type Property, readProperties, refused, shownName, truth } from "../capacity/properties.js";
import { inOrder, readersOf } from "../scenario/setting.js";
import { quote } from "../scenario/show.js";
import { asLabel, LABEL_ALLOWED } from "../scenario/values.js";
import { ABSOLUTE_ALLOWED, absoluteResource } from "./absolute-resource.js";
import { MOST_QUEUES } from "./allocation-file.js";
import { type QueueOrder, YARN_FORMS } from "./setting-forms.js";
import { applySetting, noSettings, requireConfiguration, type SiteLine, type YarnSettings } from "./site-file.js";

// capacity-scheduler.xml of YARN: queues in queues, and settings of the Capacity Scheduler.

interface CapacityQueueEntry {
  /** In full, from `root`. */
  readonly name: string;
  readonly isParent: boolean;
  /** It takes no applications. */
  readonly isStopped: boolean;
  /** The priority of jobs without one. */
  readonly defaultPriority?: number;
  readonly spec: CapacityQueueSpec;
  readonly place: Place;
}

/** `u:USER:QUEUE`; `user` null: of every user. `%user` in a queue is the user's name. */
interface QueueMapping {
  readonly user: string | null;
  readonly queue: string;
}

export interface ReadCapacityFile extends ReadConfig {
  /** Each after the one it lies in; the root is the first. */
  readonly queues: readonly CapacityQueueEntry[];
  readonly settings: Readonly<YarnSettings>;
  readonly mappings: readonly QueueMapping[];
  /** Mappings go before the queue that a job names. */
  readonly mappingsOverride: boolean;
  /** The properties of all queues that are used. */
  readonly lines: readonly SiteLine[];
}

const PREFIX = "yarn.scheduler.capacity.";
const HADOOP_PREFIX = "mapred.capacity-scheduler.";
const ROOT = "root";

/**
 * Reads a capacity-scheduler.xml as YARN does.
 * @param path what to open. @param shown how messages name it.
 * @throws InputError when it cannot be read, at broken XML, and with all that is wrong in well-formed XML.
 */
export function readCapacityFile(path: string, shown: string): ReadCapacityFile {
  return capacityFileOf(readXml(path, shown, "a capacity-scheduler.xml", "a capacity-scheduler.xml of YARN"), shown);
}

/** The same from a tree. */
export function capacityFileOf(root: XmlElement, shown: string): ReadCapacityFile {
  requireConfiguration(root, shown, "a capacity-scheduler.xml");
  const findings = new Findings(shown);
  const properties = readProperties(root, findings);
  const old = [...properties.values()].find(({ name }) => name.startsWith(HADOOP_PREFIX));
  if (old !== undefined) {
    findings.problem(
      old.element,
      `${shownName(old.name)} of Hadoop 1`,
      `queues of YARN, ${PREFIX}*; a scenario of platform hadoop runs such a file (kind capacity)`,
    );
  }
  const file = new OpenFile(properties, root, findings);
  return { ...file.read(), ...findings.result(root) };
}

type QueueTypes = Omit<YarnTypes, "appOrder"> & { readonly appOrder: QueueOrder };

/** The settings of a queue in a file. */
interface QueueText extends Partial<RecordOf<typeof CAPACITY_QUEUE_ROWS, QueueTypes>> {
  capacity?: Capacity;
  maximumCapacity?: number;
  mostAmount?: Readonly<Resources>;
  isStopped?: boolean;
}

/** In per cent of its parent's, as a weight among its siblings, or an amount. */
interface Capacity {
  readonly value: number;
  readonly isWeight: boolean;
  readonly amount?: Readonly<Resources>;
}

interface Branch {
  readonly name: string;
  readonly element: XmlElement;
  readonly text: QueueText;
  readonly inside: Branch[];
}

type Apply = (text: QueueText, property: Property, findings: Findings) => void;

function into<Key extends keyof QueueText>(
  key: Key,
  read: (property: Property, findings: Findings) => QueueText[Key] | undefined,
): Apply {
  return (text, property, findings) => {
    const value = read(property, findings);
    if (value !== undefined) text[key] = value;
  };
}

const MOST_WEIGHT = 1e6;

function capacityOf(property: Property, findings: Findings): Capacity | undefined {
  const { value } = property;
  const weight = value.endsWith("w") ? javaDouble(value.slice(0, -1)) : undefined;
  if (weight !== undefined && weight >= 0 && weight <= MOST_WEIGHT) return { value: weight, isWeight: true };
  const amount = absoluteResource(value);
  if (amount !== undefined) return { value: 0, isWeight: false, amount };
  if (value.endsWith("w") || value.startsWith("[")) {
    return refused(property, findings, `per cents from 0 to 100, a weight such as 2w, or ${ABSOLUTE_ALLOWED}`);
  }
  const share = percent(property, findings);
  return share === undefined ? undefined : { value: share, isWeight: false };
}

function state(property: Property, findings: Findings): boolean | undefined {
  const word = property.value.toUpperCase();
  return word === "RUNNING" || word === "STOPPED" || word === "DRAINING"
    ? word !== "RUNNING"
    : refused(property, findings, "RUNNING or STOPPED");
}

const QUEUE_KEYS: ReadonlyMap<string, Apply> = new Map<string, Apply>([
  // Read before, when the tree is laid out.
  ["queues", () => undefined],
  ["capacity", into("capacity", capacityOf)],
  [
    "maximum-capacity",
    (text, property, findings) => {
      const amount = absoluteResource(property.value);
      if (amount !== undefined) text.mostAmount = amount;
      else into("maximumCapacity", maximum)(text, property, findings);
    },
  ],
  ...[...readersOf(CAPACITY_QUEUE_ROWS, YARN_FORMS, "property")].map(([name, { read }]) => [name, read] as const),
  ["state", into("isStopped", state)],
]);

const ACCESS = "who may do what has no part in when and where tasks run";
const LABELS = "nodes have no labels";
const LARGEST = "yarn.scheduler.maximum-allocation-mb of a yarn-site.xml holds for all queues";

/** With all that begins with them and a dot. */
const IGNORED: ReadonlyMap<string, string> = new Map([
  ["acl_submit_applications", ACCESS],
  ["acl_administer_queue", ACCESS],
  ["acl_application_max_priority", ACCESS],
  ["acl_list_reservations", ACCESS],
  ["acl_administer_reservations", ACCESS],
  ["acl_submit_reservations", ACCESS],
  ["maximum-applications", "applications are accepted however many there are"],
  ["max-parallel-apps", "applications are limited by what masters may take alone"],
  ["accessible-node-labels", LABELS],
  ["default-node-label-expression", LABELS],
  ["maximum-allocation", LARGEST],
  ["maximum-allocation-mb", LARGEST],
  ["maximum-allocation-vcores", LARGEST],
  ["user-settings", "users of a queue weigh the same"],
  ["maximum-application-lifetime", "applications run to their end"],
  ["default-application-lifetime", "applications run to their end"],
  ["reservable", "capacity reserved ahead of time is not modelled"],
  ["allow-zero-capacity-sum", "capacities add up to 100, or are all 0"],
  ["auto-create-child-queue", "jobs make no queues under yarn-capacity"],
  ["auto-queue-creation-v2", "jobs make no queues under yarn-capacity"],
  ["leaf-queue-template", "jobs make no queues under yarn-capacity"],
]);

/** Properties for the applications of a leaf. */
const OF_LEAVES: readonly string[] = [
  "minimum-user-limit-percent",
  "user-limit-factor",
  "maximum-am-resource-percent",
  "default-application-priority",
];

/** With the first word of a key of several, so that it is no queue's name. */
function beginsAsKey(suffix: string): boolean {
  const first = suffix.slice(0, suffix.indexOf(".") + 1);
  return [...QUEUE_KEYS.keys()].some((key) => key.startsWith(first));
}

class OpenFile {
  private readonly branches = new Map<string, Branch>();
  private readonly settings = noSettings();
  private readonly lines: SiteLine[] = [];

  constructor(
    private readonly properties: ReadonlyMap<string, Property>,
    private readonly root: XmlElement,
    private readonly findings: Findings,
  ) {}

  read(): Omit<ReadCapacityFile, keyof ReadConfig> {
    const { findings, properties } = this;
    const list = properties.get(`${PREFIX}${ROOT}.queues`);
    const root = this.lay(ROOT, list?.element ?? this.root, 1);
    if (list === undefined) {
      findings.problem(this.root, `no ${PREFIX}root.queues`, "the queues of a cluster");
    }
    let mappings: readonly QueueMapping[] = [];
    let mappingsOverride = false;
    for (const property of properties.values()) {
      if (property.name === `${PREFIX}queue-mappings`) mappings = this.mappings(property);
      else if (property.name === `${PREFIX}queue-mappings-override.enable`) {
        mappingsOverride = truth(property, findings) ?? false;
      } else this.property(property);
    }
    const queues: CapacityQueueEntry[] = [];
    this.collect(root, { capacity: 1, isStopped: false }, queues);
    const override = properties.get(`${PREFIX}queue-mappings-override.enable`);
    if (override !== undefined && mappings.length === 0) {
      findings.unused(override.element, `${shownName(override.name)} is not used`, "no mapping is used");
    }
    return { queues, settings: this.settings, lines: this.lines, mappings, mappingsOverride };
  }

  /** Enters a queue and, by their lists, all below it. */
  private lay(name: string, element: XmlElement, level: number): Branch {
    const list = this.properties.get(`${PREFIX}${name}.queues`);
    const branch: Branch = { name, element, text: {}, inside: [] };
    this.branches.set(name, branch);
    for (const word of list?.value.split(",") ?? []) {
      const inner = `${name}.${word.trim()}`;
      if (list !== undefined && this.mayBe(inner, word.trim(), list, level)) {
        branch.inside.push(this.lay(inner, list.element, level + 1));
      }
    }
    return branch;
  }

  private mayBe(name: string, word: string, { element }: Property, level: number): boolean {
    const { findings, branches } = this;
    const tell = (actual: string, allowed: string): false => {
      findings.problem(element, actual, allowed);
      return false;
    };
    if (asLabel(word) === undefined || word.includes(".") || asLabel(name) === undefined) {
      return tell(`the queue name ${quote(word)}`, `${LABEL_ALLOWED}, without dots`);
    }
    if (branches.has(name)) return tell(`the queue ${quote(name)} a second time`, "each queue once");
    if (level >= LIMITS.poolLevels) {
      return tell(`queues on more than ${LIMITS.poolLevels} levels`, "at most so many");
    }
    if (branches.size <= MOST_QUEUES) return true;
    return tell(`more than ${MOST_QUEUES} queues`, "at most so many");
  }

  private property(property: Property): void {
    const { findings, settings } = this;
    const { name, element } = property;
    const key = name.slice(PREFIX.length);
    if (!name.startsWith(PREFIX) || !key.startsWith(`${ROOT}.`)) {
      const meaning = applySetting(settings, property, findings);
      if (meaning?.isUsed === true) {
        this.lines.push({ line: element.place.line, name, value: property.value, ...meaning });
        findings.means(element, meaning.meaning);
        return;
      }
      const why = meaning?.meaning ?? "it is no property of the Capacity Scheduler";
      findings.unused(element, `${shownName(name)} is not used`, why);
      return;
    }
    const branch = this.branchOf(key);
    const suffix = branch === undefined ? key : key.slice(branch.name.length + 1);
    const apply = QUEUE_KEYS.get(suffix);
    if (branch !== undefined && apply !== undefined) {
      apply(branch.text, property, findings);
      return;
    }
    const reason = [...IGNORED].find(([start]) => suffix === start || suffix.startsWith(`${start}.`))?.[1];
    const hint = findings.hint(suffix, [...QUEUE_KEYS.keys()]);
    const unknown = branch === undefined ? "no list of queues has its queue" : `Bide does not know it${hint}`;
    findings.unused(element, `${shownName(name)} is not used`, reason ?? unknown);
  }

  /** The innermost queue whose name the key begins with. A key of a queue that no list has is of none. */
  private branchOf(key: string): Branch | undefined {
    for (let dot = key.lastIndexOf("."); dot > 0; dot = key.lastIndexOf(".", dot - 1)) {
      const branch = this.branches.get(key.slice(0, dot));
      if (branch === undefined) continue;
      const suffix = key.slice(dot + 1);
      const isKey =
        QUEUE_KEYS.has(suffix) ||
        [...IGNORED.keys()].some((start) => suffix === start || suffix.startsWith(`${start}.`));
      return isKey || !suffix.includes(".") || beginsAsKey(suffix) ? branch : undefined;
    }
    return undefined;
  }

  private mappings(property: Property): QueueMapping[] {
    const { findings } = this;
    if (property.value === "") return [];
    return property.value.split(",").flatMap((text) => {
      const [kind, subject, queue, ...more] = text
        .trim()
        .split(":")
        .map((word) => word.trim());
      if ((kind !== "u" && kind !== "g") || !subject || !queue || more.length > 0) {
        findings.problem(
          property.element,
          `the mapping ${quote(text.trim())}`,
          "u:USER:QUEUE or g:GROUP:QUEUE, with commas between",
        );
        return [];
      }
      if (kind === "g" || queue.includes("%primary_group") || queue.includes("%secondary_group")) {
        findings.note(property.element, `the mapping ${text.trim()} is not used: users of a scenario have no groups`);
        return [];
      }
      return [{ user: subject === "%user" ? null : subject, queue }];
    });
  }

  /** @param above what the queue around it comes to. */
  private collect(
    branch: Branch,
    above: { readonly capacity: number; readonly isStopped: boolean },
    queues: CapacityQueueEntry[],
  ): void {
    const { name, text: settings, inside, element } = branch;
    const isStopped = above.isStopped || settings.isStopped === true;
    const isParent = name === ROOT || inside.length > 0;
    this.checkOrder(branch, isParent);
    this.noteIdle(branch, isParent);
    queues.push({
      name,
      isParent,
      isStopped,
      ...definedFields({ defaultPriority: settings.defaultPriority }),
      spec: this.specOf(branch, above.capacity, isParent),
      place: element.place,
    });
    const sum = sumOver(inside, ({ text: inner }) => inner.capacity?.value ?? 0);
    const weights = inside.filter(({ text: inner }) => inner.capacity?.isWeight === true).length;
    const amounts = inside.filter(({ text: inner }) => inner.capacity?.amount !== undefined).length;
    const bare = inside.find(({ text: inner }) => inner.capacity === undefined);
    if (bare !== undefined) {
      this.findings.problem(bare.element, `no capacity of the queue ${quote(bare.name)}`, "one for each queue");
    } else if (amounts > 0) {
      this.checkAmounts(branch, amounts);
    } else if (settings.capacity?.amount !== undefined && inside.length > 0) {
      this.findings.problem(
        element,
        `an amount for the queue ${quote(name)} and none for those below it`,
        "amounts for both, as in YARN",
      );
    } else if (weights > 0 && (weights < inside.length || sum === 0)) {
      this.findings.problem(
        element,
        `${weights < inside.length ? "weights beside per cents" : "weights of 0 alone"} in ${quote(name)}`,
        "per cents, or weights of which one is above 0",
      );
    } else if (weights === 0 && inside.length > 0 && Math.abs(sum - 100) > 0.05 && (sum > 0 || above.capacity > 0)) {
      this.findings.problem(
        element,
        `capacities that add up to ${Number(sum.toFixed(3))} in ${quote(name)}`,
        "100 for the queues of one parent",
      );
    }
    for (const inner of inside) {
      const part = inner.text.capacity?.value ?? 0;
      this.collect(inner, { capacity: weights > 0 ? part / (sum || 1) : part / 100, isStopped }, queues);
    }
  }

  private specOf({ name, text: settings, element }: Branch, capacity: number, isParent: boolean): CapacityQueueSpec {
    // A maximum without a limit is that of the queue above.
    const isUnlimited = settings.maximumCapacity === undefined || settings.maximumCapacity === Infinity;
    const maximum =
      isUnlimited || settings.capacity?.amount !== undefined ? 1 : (settings.maximumCapacity ?? 100) / 100;
    if (maximum < capacity - 1e-6 && settings.capacity?.isWeight !== true) {
      this.findings.problem(
        element,
        `maximum-capacity ${String(settings.maximumCapacity)} of the queue ${quote(name)}`,
        `at least its capacity, ${settings.capacity?.value ?? 100}`,
      );
    }
    const { appOrder, defaultPriority: _, ...queueSettings } = settings;
    const amount = name === ROOT ? undefined : settings.capacity?.amount;
    const order = isParent
      ? { ordersByPriority: appOrder === "priority-utilization" || undefined }
      : { appOrder: appOrder === "fair" ? appOrder : undefined };
    return {
      capacity,
      maximumCapacity: Math.max(maximum, name === ROOT ? 1 : 0),
      ...definedFields({ amount }),
      ...(amount === undefined || settings.mostAmount === undefined ? {} : { mostAmount: settings.mostAmount }),
      ...inOrder(CAPACITY_QUEUE_ROWS, { ...queueSettings, ...order }),
    };
  }

  /** Checks queues with amounts under one parent by YARN's rules (`AbstractParentQueue.setChildQueues`). */
  private checkAmounts({ name, text: settings, inside, element }: Branch, amounts: number): void {
    const { findings } = this;
    if (amounts < inside.length) {
      return findings.problem(
        element,
        `amounts beside other capacities in ${quote(name)}`,
        "amounts for all queues of one parent",
      );
    }
    const above = settings.capacity?.amount;
    if (name !== ROOT && above === undefined) {
      return findings.problem(element, `amounts below ${quote(name)}, which has none`, "amounts for both, as in YARN");
    }
    const mb = (listed: readonly (Readonly<Resources> | undefined)[]) =>
      sumOver(listed, (amount) => amount?.memory ?? 0);
    const sum = mb(inside.map(({ text }) => text.capacity?.amount));
    if (name !== ROOT && above !== undefined && sum > above.memory) {
      findings.problem(element, `${sum} MB for the queues below ${quote(name)}`, `at most its own ${above.memory} MB`);
    }
    for (const { name: inner, text, element: child } of inside) {
      const [least, maximum] = [text.capacity?.amount, text.mostAmount];
      if (least === undefined || maximum === undefined) continue;
      if (maximum.memory < least.memory) {
        findings.problem(
          child,
          `a maximum of ${maximum.memory} MB of ${quote(inner)}`,
          `at least its capacity, ${least.memory} MB`,
        );
      }
      if (settings.mostAmount !== undefined && maximum.memory > settings.mostAmount.memory) {
        findings.problem(
          child,
          `a maximum of ${maximum.memory} MB of ${quote(inner)}`,
          `at most that of the queue above, ${settings.mostAmount.memory} MB`,
        );
      }
    }
  }

  /** Properties of a queue that nothing looks at, being what it is and where it is. */
  private noteIdle({ name, text: settings, inside }: Branch, isParent: boolean): void {
    const unused = (key: string, why: string): void => {
      const property = this.properties.get(`${PREFIX}${name}.${key}`);
      if (property === undefined) return;
      this.findings.unused(property.element, `${shownName(property.name)} is not used`, why);
    };
    if (name === ROOT && settings.capacity?.amount !== undefined) unused("capacity", "the root has the whole cluster");
    const isAmount = settings.capacity?.amount !== undefined;
    if (isAmount && settings.maximumCapacity !== undefined) {
      unused(
        "maximum-capacity",
        "the capacity is an amount, beside which only a maximum in amounts counts, as in YARN",
      );
    } else if (!isAmount && settings.mostAmount !== undefined) {
      unused(
        "maximum-capacity",
        "the capacity is no amount, beside which a maximum in amounts counts for nothing, as in YARN",
      );
    }
    if (settings.appOrder !== "fair") {
      unused("ordering-policy.fair.enable-size-based-weight", "the ordering-policy of the queue is not fair");
    }
    if (isParent) for (const key of OF_LEAVES) unused(key, "it has queues below it, and no applications of its own");
    if (settings.appOrder === "priority-utilization") return;
    for (const { name: inner } of inside) {
      const property = this.properties.get(`${PREFIX}${inner}.priority`);
      if (property === undefined) continue;
      const why = `the ordering-policy of ${name} is not priority-utilization, which looks at it`;
      this.findings.unused(property.element, `${shownName(property.name)} is not used`, why);
    }
    if (name === ROOT) unused("priority", "nothing is beside the root");
  }

  private checkOrder({ name, text: settings, element }: Branch, isParent: boolean): void {
    const { appOrder: by } = settings;
    if (by === undefined || isParent === by.endsWith("utilization")) return;
    this.findings.problem(
      element,
      `the ordering-policy ${by} of the queue ${quote(name)}`,
      isParent ? "utilization or priority-utilization; it has queues below it" : "fifo or fair; it has applications",
    );
  }
}
