import { counted } from "../../core/kernel/index.js";
import {
  FAIR_QUEUE_ROWS,
  FAIR_ROOT_ROWS,
  FAIR_ROWS,
  parentOf,
  type YarnTypes,
} from "../../core/platforms/yarn/index.js";
import { LIMITS, type RecordOf } from "../../core/scenario/index.js";
import {
  elementsOnly,
  Findings,
  formOf,
  type Keys,
  labelOf,
  onlyAttributes,
  type ReadConfig,
  readKeys,
  readUser,
  timeout,
} from "../allocations/elements.js";
import { type Place, readXml, requireRoot, type XmlElement } from "../allocations/xml.js";
import { readersOf, type Table } from "../scenario/setting.js";
import { quote } from "../scenario/show.js";
import { asLabel, LABEL_ALLOWED } from "../scenario/values.js";
import { type PlacementRule, readPlacement } from "./placement.js";
import type { ResourceText } from "./resource-text.js";
import { YARN_FORMS } from "./setting-forms.js";

// fair-scheduler.xml, the allocation file of YARN's Fair Scheduler: queues in queues, limits, defaults and placement
// rules.

type Written<Table extends Readonly<Record<string, { readonly type: keyof YarnTypes }>>> = Partial<
  RecordOf<Table, Omit<YarnTypes, "resources"> & { readonly resources: ResourceText }>
>;
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The settings of a queue in a file. */
export type FairQueueText = Writable<Written<typeof FAIR_QUEUE_ROWS>>;

/** Defaults of a file for queues and users. */
type FairDefaults = Written<typeof FAIR_ROWS>;

interface FairQueueEntry {
  /** In full, from `root`. */
  readonly name: string;
  /** It holds queues, or may: it takes no applications. */
  readonly isParent: boolean;
  readonly text: Readonly<FairQueueText>;
  readonly place: Place;
}

export interface ReadFairFile extends ReadConfig {
  /** Each after the one it lies in; the root is the first. */
  readonly queues: readonly FairQueueEntry[];
  /** `maxRunningApps` by user. */
  readonly users: ReadonlyMap<string, number>;
  readonly defaults: Readonly<FairDefaults>;
  /** Null: it has none, and those of yarn-site.xml hold. */
  readonly placement: readonly PlacementRule[] | null;
}

const ROOT = "root";

/** Far more than any cluster has. */
export const MOST_QUEUES = 10_000;

/**
 * Reads a fair-scheduler.xml as YARN does.
 * @param path what to open. @param shown how messages name it.
 * @throws InputError when it cannot be read, at broken XML, and with all that is wrong in well-formed XML.
 */
export function readFairFile(path: string, shown: string): ReadFairFile {
  return fairFileOf(readXml(path, shown, "an allocation file", "a fair-scheduler.xml of YARN"), shown);
}

/** The same from a tree. */
export function fairFileOf(root: XmlElement, shown: string): ReadFairFile {
  const isOther = root.name === "configuration";
  const hint = isOther ? "; a capacity-scheduler.xml is scheduler.file of kind yarn-capacity" : "";
  requireRoot(root, "allocations", shown, hint);
  const findings = new Findings(shown);
  elementsOnly(root, findings);
  onlyAttributes([], root, findings);
  if (formOf(root, findings)?.form === "hadoop-1") {
    findings.problem(
      root,
      "pools of Hadoop 1",
      "queues of YARN; a scenario of platform hadoop runs such a file (kind hfs, scheduler.allocations)",
    );
  }
  const file: OpenFile = { users: new Map(), defaults: {}, ofRoot: {}, placement: null };
  readKeys(FILE_KEYS, root, file, findings);
  const queues = new QueueTree(findings, file).read(queuesIn(root));
  const { users, defaults, placement } = file;
  return { queues, users, defaults, placement, ...findings.result(root) };
}

/** A file while its top level is read. */
interface OpenFile {
  readonly users: Map<string, number>;
  readonly defaults: FairDefaults;
  /** Defaults that are the root's, which all below it take over. */
  readonly ofRoot: FairQueueText;
  placement: readonly PlacementRule[] | null;
}

const ACCESS = "who may do what has no part in when and where tasks run";
const RESERVED = "capacity reserved ahead of time is not modelled";
const OLD_LIMIT = ["maxRunningJobs", "YARN reads <maxRunningApps> alone"] as const;
type Apply<Target> = (target: Target, element: XmlElement, findings: Findings) => void;

/** The elements of rows, each read into a part of the target. */
function rowsInto<Target>(
  rows: Table,
  partOf: (target: Target) => object,
): (readonly [name: string, apply: Apply<Target>])[] {
  return [...readersOf(rows, YARN_FORMS, "element")].map(([name, { read }]) => {
    const apply: Apply<Target> = (target, element, findings) => {
      onlyAttributes([], element, findings);
      read(partOf(target), element, findings);
    };
    return [name, apply];
  });
}

/** Queues are read after the values beside them. */
const QUEUES = ["queue", "pool"].map((name) => [name, () => undefined] as const);

function queuesIn(element: XmlElement): XmlElement[] {
  return element.children.filter(({ name }) => name === "queue" || name === "pool");
}

const QUEUE_KEYS: Keys<FairQueueText> = {
  where: "a queue",
  known: new Map([...QUEUES, ...rowsInto(FAIR_QUEUE_ROWS, (text: FairQueueText) => text)]),
  ignored: new Map([
    OLD_LIMIT,
    ["aclSubmitApps", ACCESS],
    ["aclAdministerApps", ACCESS],
    ["aclAdministerReservations", ACCESS],
    ["aclListReservations", ACCESS],
    ["aclSubmitReservations", ACCESS],
    ["reservation", RESERVED],
  ]),
};

const FILE_KEYS: Keys<OpenFile> = {
  where: "<allocations>",
  known: new Map<string, Apply<OpenFile>>([
    ...QUEUES,
    [
      "user",
      ({ users }, element, findings) => {
        readUser("maxRunningApps", new Map([OLD_LIMIT]), users, element, findings);
      },
    ],
    ...rowsInto(FAIR_ROWS, ({ defaults }: OpenFile) => defaults),
    ...rowsInto(FAIR_ROOT_ROWS, ({ ofRoot }: OpenFile) => ofRoot),
    ["fairSharePreemptionTimeout", readOldTimeout],
    [
      "queuePlacementPolicy",
      (file, element, findings) => {
        file.placement = readPlacement(element, findings);
      },
    ],
  ]),
  ignored: new Map([
    ["reservation-agent", RESERVED],
    ["reservation-planner", RESERVED],
    ["reservation-policy", RESERVED],
    ["reservationAgent", RESERVED],
    ["reservationPlanner", RESERVED],
    ["reservationPolicy", RESERVED],
  ]),
};

/** The older name of `defaultFairSharePreemptionTimeout`, which goes before it. */
function readOldTimeout(file: OpenFile, element: XmlElement, findings: Findings): void {
  const older = timeout(element, findings);
  if (older === undefined) return;
  if (file.ofRoot.fairSharePreemptionTimeoutUs !== undefined) {
    findings.unused(element, `<${element.name}> is not used`, "<defaultFairSharePreemptionTimeout> is given");
  }
  file.ofRoot.fairSharePreemptionTimeoutUs ??= older;
}

/** The queues of a file, in order of first mention, each after the one it lies in. */
class QueueTree {
  private readonly entries = new Map<string, Entry>();
  private readonly declared = new Set<string>();

  constructor(
    private readonly findings: Findings,
    private readonly file: OpenFile,
  ) {}

  /** @param elements the queues of the file that lie in no other. */
  read(elements: readonly XmlElement[]): readonly FairQueueEntry[] {
    const { findings, file, entries } = this;
    const root = elements.find(isRoot);
    const entry = this.entry(ROOT, root?.place ?? { line: 1, column: 1 }, root);
    Object.assign(entry.text, file.ofRoot);
    for (const element of elements) {
      if (element === root) continue;
      if (root === undefined) this.readQueue(element, ROOT);
      else {
        findings.problem(
          element,
          `the queue ${quote(element.attributes.get("name") ?? "")} beside the queue "root"`,
          "only inside it",
        );
      }
    }
    if (root !== undefined) {
      elementsOnly(root, findings);
      onlyAttributes(["name", "type"], root, findings);
      this.readContents(root, entry);
    }
    this.inheritLimits(entry.text);
    for (const queueEntry of entries.values()) this.check(queueEntry);
    return [...entries.values()].map(({ name, isParent, text, place }) => ({ name, isParent, text, place }));
  }

  /** In YARN the defaults of queues are the root's as well. */
  private inheritLimits(text: FairQueueText): void {
    const { queueMaxApps, queueMaxResources } = this.file.defaults;
    text.maxRunningApps ??= queueMaxApps ?? Infinity;
    if (queueMaxResources !== undefined) text.maxResources ??= queueMaxResources;
  }

  private readQueue(element: XmlElement, outer: string): void {
    const { findings } = this;
    elementsOnly(element, findings);
    onlyAttributes(["name", "type"], element, findings);
    const name = this.nameOf(element, outer);
    if (name === undefined) {
      // Problems of the elements inside are reported too.
      readKeys(QUEUE_KEYS, element, {}, findings);
      return;
    }
    const entry = this.entry(name, element.place, element);
    if (this.declared.has(name)) {
      findings.note(element, `queue ${quote(name)} is declared again; the last value of each setting counts`);
    }
    this.declared.add(name);
    const type = element.attributes.get("type");
    if (type === "parent") entry.isParent = true;
    else if (type !== undefined) {
      findings.note(element, `the type ${quote(type)} of a queue is ignored; only parent is known`);
    }
    this.readContents(element, entry);
  }

  private readContents(element: XmlElement, entry: Entry): void {
    readKeys(QUEUE_KEYS, element, entry.text, this.findings);
    for (const inner of queuesIn(element)) this.readQueue(inner, entry.name);
  }

  private entry(name: string, place: Place, element: XmlElement | undefined): Entry {
    const known = this.entries.get(name);
    if (known !== undefined) return known;
    const outer = this.entries.get(parentOf(name));
    if (outer !== undefined) outer.isParent = true;
    if (this.entries.size === MOST_QUEUES + 1 && element !== undefined) {
      this.findings.problem(element, "more", `at most ${counted(MOST_QUEUES, "queue")}`);
    }
    const entry = { name, place, isParent: name === ROOT, text: {}, element };
    this.entries.set(name, entry);
    return entry;
  }

  private nameOf(element: XmlElement, outer: string): string | undefined {
    const label = labelOf(element, this.findings);
    if (label === undefined) return undefined;
    const lastPart = label.startsWith(`${outer}.`) ? label.slice(outer.length + 1) : label;
    if (lastPart.includes(".")) {
      return this.findings.problem(
        element,
        `the queue name ${quote(label)}`,
        "names without dots; a queue stands inside its parent",
      );
    }
    const name = `${outer}.${lastPart}`;
    if (asLabel(name) !== undefined && name.split(".").length <= LIMITS.poolLevels) return name;
    const allowed = `${LABEL_ALLOWED}, and at most ${LIMITS.poolLevels} levels`;
    return this.findings.problem(element, `the full name ${quote(name)} of a queue`, allowed);
  }

  private unused(queue: XmlElement, name: string, why: string): void {
    const element = queue.children.filter((child) => child.name === name).at(-1) ?? queue;
    this.findings.unused(element, `<${name}> is not used`, why);
  }

  /** Checks for settings that YARN refuses or that have no effect. */
  private check({ name, isParent, text, element }: Entry): void {
    const { findings, file } = this;
    if (element === undefined) return;
    const usual = file.defaults.policy ?? "fair";
    const policyHere = text.policy ?? usual;
    const outer = this.entries.get(parentOf(name))?.text.policy ?? usual;
    if (policyHere === "fifo" && isParent) {
      findings.problem(element, `fifo for the queue ${quote(name)}`, "fair or drf; it has queues below it");
    } else if (policyHere === "drf" && outer !== "drf" && name !== ROOT) {
      findings.problem(element, `drf for the queue ${quote(name)}`, "fair or fifo; the queue above it is not drf");
    }
    if (isParent && text.maxAmShare !== undefined) {
      this.unused(element, "maxAMShare", `queue ${quote(name)} has no applications of its own`);
    }
    if (name === ROOT && (text.weight ?? 1) !== 1) {
      this.unused(element, "weight", "nothing shares with the root queue");
    }
    const { minResources: min, maxResources: max } = text;
    for (const type of ["memory", "vcores"] as const) {
      const [low, high] = [min?.[type], max?.[type]];
      if (!low || !high || low.isOfCluster !== high.isOfCluster || low.value <= high.value) continue;
      findings.note(
        element,
        `queue ${quote(name)}: the ${type} of maxResources is below that of minResources, which counts`,
      );
    }
  }
}

interface Entry {
  readonly name: string;
  readonly place: Place;
  isParent: boolean;
  readonly text: FairQueueText;
  readonly element: XmlElement | undefined;
}

function isRoot(element: XmlElement): boolean {
  return element.attributes.get("name")?.trim().toLowerCase() === ROOT;
}
