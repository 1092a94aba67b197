import type { AllocationsSpec } from "../../core/scenario/index.js";
import { LIMITS } from "../scenario/limits.js";
import { quote } from "../scenario/show.js";
import { asLabel, LABEL_ALLOWED } from "../scenario/values.js";
import {
  defaultSettings,
  type Draft,
  emptyDraft,
  finished,
  noteRepeated,
  type PoolEntry,
  type PoolSettings,
  type PoolTable,
  readPlacement,
  readUser,
  type UserKeys,
  YARN_RULES,
} from "./draft.js";
import {
  elementsOnly,
  type Findings,
  type Keys,
  labelOf,
  most,
  onlyAttributes,
  policy,
  type Read,
  readKeys,
  refused,
  setting,
  timeout,
  weight,
  wordOf,
} from "./elements.js";
import type { XmlElement } from "./xml.js";

// YARN's allocation file: nested queues, read as pools in pools, and resources, of which only vcores are taken.

const ALLOWED =
  'resources such as "1024 mb, 4 vcores", "4 vcores", "vcores=4, memory-mb=1024", or shares such as "50%" or "50% cpu, 20% memory"';

const MAX_VCORES = LIMITS.nodes * LIMITS.slotsPerNode;

const LONGEST_TEXT = 1000;

const AMOUNT = /^(\d{1,20})(?:\.\d{0,20})?\s*(mb|vcores)$/;

const SHARE = /^\d{1,20}(?:\.\d{0,20})?\s*%(?:\s*(?:cpu|memory|vcores|memory-mb))?$/;

const ASSIGNMENT = /^([a-z][a-z0-9./_-]{0,60})\s*=\s*(\d{1,20})(?:\.\d{0,20})?\s*(%?)$/;

/**
 * The vcores of a resource text of YARN: `1024 mb, 4 vcores` or `vcores=4, memory-mb=1024`, fractions cut off. null: it names none.
 * Other resources and shares of the cluster mean nothing here and become notes.
 * @returns undefined after a problem was told.
 */
function readVcores(element: XmlElement, findings: Findings): number | null | undefined {
  const text = wordOf(element, findings);
  if (text === undefined || text === "" || text.length > LONGEST_TEXT) return refused(element, findings, ALLOWED);
  let vcores: number | null = null;
  for (const part of partsOf(text.toLowerCase())) {
    const amount = amountOf(part);
    if (amount === undefined) return refused(element, findings, ALLOWED);
    const { resource, value } = amount;
    if (value === null) {
      findings.note(
        element,
        `a share of the cluster in <${element.name}> is ignored: only numbers of vcores are taken`,
      );
    } else if (resource !== "vcores") {
      findings.note(element, `${resource} in <${element.name}> is ignored: slots are the only resource here`);
    } else if (value > MAX_VCORES) {
      return refused(element, findings, `at most ${String(MAX_VCORES)} vcores`);
    } else {
      vcores = value;
    }
  }
  return vcores;
}

/** YARN looks for each resource anywhere in the text, so blanks separate amounts as well as commas do. */
function partsOf(text: string): string[] {
  return text
    .replace(/(mb|vcores)\s+(?=\d)/g, "$1,")
    .split(",")
    .map((part) => part.trim());
}

/** `value` null: a share of the cluster. */
function amountOf(part: string): { resource: string; value: number | null } | undefined {
  const amount = AMOUNT.exec(part);
  if (amount !== null) return { resource: amount[2] === "mb" ? "memory" : "vcores", value: Number(amount[1]) };
  if (SHARE.test(part)) return { resource: "", value: null };
  const assignment = ASSIGNMENT.exec(part);
  if (assignment === null) return undefined;
  const [, resource, value, percent] = assignment;
  return { resource: resource === "memory-mb" ? "memory" : resource, value: percent === "%" ? null : Number(value) };
}

/** A queue while its contents are read. */
interface OpenQueue {
  readonly settings: PoolSettings;
  /** Those inside it. */
  readonly queues: XmlElement[];
  /** It has a `maxResources`, whatever that says. */
  hasMax: boolean;
}

const ACCESS = "who may do what is not modelled";

const RESERVATIONS = "there are no reservations";

/** Hadoop 1's name of a limit of jobs. */
const OLD_LIMIT = ["maxRunningJobs", "YARN reads only <maxRunningApps>"] as const;

const QUEUE_KEYS: Keys<OpenQueue> = {
  where: "a queue",
  known: new Map([
    ["queue", openQueue],
    ["pool", openQueue],
    ["weight", inSettings("weight", weight)],
    ["minResources", readMin],
    ["maxResources", readMax],
    ["maxRunningApps", inSettings("maxJobs", most)],
    ["schedulingPolicy", inSettings("mode", policy)],
    ["schedulingMode", inSettings("mode", policy)],
    ["minSharePreemptionTimeout", inSettings("minShareTimeoutUs", timeout)],
    ["fairSharePreemptionTimeout", inSettings("fairShareTimeoutUs", timeout)],
  ]),
  ignored: new Map([
    OLD_LIMIT,
    ["maxChildResources", "pools that no file declares are made without a max"],
    ["maxContainerAllocation", "a task takes one slot"],
    ["maxAMShare", "there are no application masters"],
    ["fairSharePreemptionThreshold", "the rule set says below what part of its fair share a pool is starved"],
    ["allowPreemptionFrom", "tasks of every pool above its share may be killed"],
    ["aclSubmitApps", ACCESS],
    ["aclAdministerApps", ACCESS],
    ["aclAdministerReservations", ACCESS],
    ["aclListReservations", ACCESS],
    ["aclSubmitReservations", ACCESS],
    ["reservation", RESERVATIONS],
  ]),
};

/** Of a queue, or of the top of a file. */
function openQueue(queue: { readonly queues: XmlElement[] }, element: XmlElement): void {
  queue.queues.push(element);
}

function inSettings<Key extends keyof PoolSettings>(key: Key, read: Read<PoolSettings[Key]>) {
  const apply = setting<PoolSettings, Key>(key, read);
  return ({ settings }: OpenQueue, element: XmlElement, findings: Findings): void => {
    apply(settings, element, findings);
  };
}

function readMin({ settings }: OpenQueue, element: XmlElement, findings: Findings): void {
  const vcores = readSlots(element, findings);
  if (vcores !== undefined) settings.minMaps = vcores ?? 0;
}

function readMax(queue: OpenQueue, element: XmlElement, findings: Findings): void {
  const vcores = readSlots(element, findings);
  queue.hasMax = true;
  if (vcores !== undefined) queue.settings.maxMaps = vcores ?? Infinity;
}

/** Vcores as map slots, which a note says. Hadoop 1's two types of slot have no counterpart in YARN. */
function readSlots(element: XmlElement, findings: Findings): number | null | undefined {
  onlyAttributes([], element, findings);
  const vcores = readVcores(element, findings);
  if (typeof vcores === "number") {
    findings.note(element, `vcores of <${element.name}> are taken as map slots; reduces get no such limit or promise`);
  }
  return vcores;
}

/** The queues of a YARN file, read as nested pools: `root.ads.daily` is the pool `ads.daily` in the pool `ads`. */
class QueueTree {
  private readonly declared = new Set<string>();
  private readonly withOwnMax = new Set<PoolSettings>();
  /** Queues of `type="parent"`. */
  private readonly parents = new Map<string, XmlElement>();

  constructor(
    private readonly pools: PoolTable,
    private readonly findings: Findings,
  ) {}

  /**
   * Reads the queues at the top of a file.
   * @returns what is said of the root queue; all its values are those of a new pool if the file has none.
   */
  read(elements: readonly XmlElement[]): PoolSettings {
    const root = elements.find(isRoot);
    if (root === undefined) {
      for (const element of elements) this.readQueue(element, "");
      return defaultSettings();
    }
    for (const element of elements) {
      if (element === root) continue;
      const message = `found the queue ${quote(element.attributes.get("name") ?? "")} beside the queue "root", allowed only inside it`;
      this.findings.problem(element, message);
    }
    elementsOnly(root, this.findings);
    onlyAttributes(["name", "type"], root, this.findings);
    const settings = this.readContents(root, "", defaultSettings());
    this.noteRoot(root, settings);
    return settings;
  }

  /** What can be said only when all queues are known. `maxMaps`: of queues without a max of their own. */
  finish(maxMaps: number): void {
    const entries = this.pools.all();
    const outer = new Set(entries.map(({ parent }) => parent));
    for (const entry of entries) {
      const { name, settings, element } = entry;
      if (!this.withOwnMax.has(settings)) settings.maxMaps = maxMaps;
      if (outer.has(name)) this.finishParent(entry);
      else if (this.parents.has(name)) {
        const text = `queue "${name}" is of type parent without queues inside; here such a pool takes jobs`;
        this.findings.note(this.parents.get(name) ?? element, text);
      }
    }
  }

  private readQueue(element: XmlElement, outer: string): void {
    const { findings } = this;
    elementsOnly(element, findings);
    onlyAttributes(["name", "type"], element, findings);
    const name = fullName(element, outer, findings);
    if (name === undefined) {
      this.readContents(element, outer, defaultSettings());
      return;
    }
    const entry = this.entry(name, element);
    noteRepeated(name, this.declared, element, findings);
    const type = element.attributes.get("type");
    if (type === "parent") this.parents.set(name, element);
    else if (type !== undefined)
      findings.note(element, `the type ${quote(type)} of a queue is ignored; only parent is known`);
    this.readContents(element, name, entry.settings);
  }

  private readContents(element: XmlElement, name: string, settings: PoolSettings): PoolSettings {
    const queue: OpenQueue = { settings, queues: [], hasMax: false };
    readKeys(QUEUE_KEYS, element, queue, this.findings);
    if (queue.hasMax) this.withOwnMax.add(settings);
    for (const inner of queue.queues) this.readQueue(inner, name);
    return settings;
  }

  /** The entry of a queue, after those of all queues it lies in. */
  private entry(name: string, element: XmlElement): PoolEntry {
    const dot = name.lastIndexOf(".");
    const parent = dot < 0 ? null : name.slice(0, dot);
    if (parent !== null && this.pools.get(parent) === undefined) this.entry(parent, element);
    return this.pools.entry(name, parent, element);
  }

  private finishParent({ name, settings, element }: PoolEntry): void {
    if (!this.declared.has(name)) {
      const text = `queue "${name}" is not declared itself; it is made with weight 1 and without limits`;
      this.findings.note(element, text);
    }
    if (settings.mode === "fifo") {
      this.findings.note(element, `queue "${name}": fifo is ignored: it holds queues, and those always share`);
    }
    settings.mode = null;
  }

  private noteRoot(root: XmlElement, { weight, maxJobs, minMaps, maxMaps, mode }: PoolSettings): void {
    const { findings } = this;
    if (weight !== 1) findings.note(root, "the weight of the root queue is ignored: nothing shares with it");
    if (maxJobs !== null)
      findings.note(root, "maxRunningApps of the root queue is ignored: there is no limit over all pools");
    if (minMaps > 0 || maxMaps < Infinity) {
      findings.note(root, "minResources and maxResources of the root queue are ignored: it has the whole cluster");
    }
    if (mode === "fifo")
      findings.note(root, "fifo of the root queue is ignored: it holds queues, and those always share");
  }
}

function isRoot(element: XmlElement): boolean {
  return element.attributes.get("name")?.trim().toLowerCase() === "root";
}

/** The name of a queue's pool: names of the queues it lies in and its own, with dots between, without `root`. */
function fullName(element: XmlElement, outer: string, findings: Findings): string | undefined {
  const label = labelOf(element, findings);
  if (label === undefined) return undefined;
  const inside = outer === "" ? "" : `${outer}.`;
  const isFull = label.startsWith("root.");
  const name = isFull ? label.slice("root.".length) : inside + label;
  if (name.split(".").some((part) => part === "" || part.trim() !== part)) {
    findings.problem(
      element,
      `found the queue name ${quote(label)}, allowed names with a word before and after each dot`,
    );
    return undefined;
  }
  if (!name.startsWith(inside)) {
    findings.problem(element, `found the queue ${quote(label)} inside ${quote(outer)}, allowed names that lie in it`);
    return undefined;
  }
  if (asLabel(name) !== undefined) return name;
  findings.problem(element, `found the full name ${quote(name)} of a queue, allowed ${LABEL_ALLOWED}`);
  return undefined;
}

/** A YARN file while its top level is read. */
interface YarnDraft {
  readonly draft: Draft;
  readonly queues: XmlElement[];
  /** Of queues without a max of their own. */
  maxMaps: number;
  /** `defaultFairSharePreemptionTimeout` goes before its older name. */
  newFairShareTimeoutUs: number | null;
}

const USER_KEYS: UserKeys = {
  where: "a user",
  known: new Map([["maxRunningApps", setting("maxJobs", most)]]),
  ignored: new Map([OLD_LIMIT]),
};

const ROOT_KEYS: Keys<YarnDraft> = {
  where: "<allocations>",
  known: new Map([
    ["queue", openQueue],
    ["pool", openQueue],
    ["user", ({ draft }, element, findings) => readUser(USER_KEYS, draft, element, findings)],
    ["queueMaxAppsDefault", readQueueLimit],
    ["userMaxAppsDefault", inDraft(setting<Draft, "userMaxJobs">("userMaxJobs", most))],
    ["defaultMinSharePreemptionTimeout", inDraft(setting<Draft, "minShareTimeoutUs">("minShareTimeoutUs", timeout))],
    ["fairSharePreemptionTimeout", inDraft(setting<Draft, "fairShareTimeoutUs">("fairShareTimeoutUs", timeout))],
    [
      "defaultFairSharePreemptionTimeout",
      setting<YarnDraft, "newFairShareTimeoutUs">("newFairShareTimeoutUs", timeout),
    ],
    ["defaultQueueSchedulingPolicy", readDefaultPolicy],
    ["defaultQueueSchedulingMode", readDefaultPolicy],
    ["queueMaxResourcesDefault", readMaxDefault],
    [
      "queuePlacementPolicy",
      ({ draft }, element, findings) => {
        draft.placement = readPlacement(YARN_RULES, element, findings);
      },
    ],
  ]),
  ignored: new Map([
    ["defaultFairSharePreemptionThreshold", "the rule set says below what part of its fair share a pool is starved"],
    ["queueMaxAMShareDefault", "there are no application masters"],
    ["reservation-agent", RESERVATIONS],
    ["reservation-planner", RESERVATIONS],
    ["reservation-policy", RESERVATIONS],
  ]),
};

/**
 * YARN's allocation file, as far as it says something of slots (docs/formats/allocations.md). Problems and notes go to
 * `findings`.
 */
export function yarnAllocations(root: XmlElement, findings: Findings): AllocationsSpec {
  const draft = emptyDraft(findings);
  const yarn: YarnDraft = { draft, queues: [], maxMaps: Infinity, newFairShareTimeoutUs: null };
  readKeys(ROOT_KEYS, root, yarn, findings);
  const tree = new QueueTree(draft.pools, findings);
  const ofRoot = tree.read(yarn.queues);
  draft.minShareTimeoutUs = ofRoot.minShareTimeoutUs ?? draft.minShareTimeoutUs;
  draft.fairShareTimeoutUs = ofRoot.fairShareTimeoutUs ?? yarn.newFairShareTimeoutUs ?? draft.fairShareTimeoutUs;
  tree.finish(yarn.maxMaps);
  return { ...finished(draft), underRoot: true };
}

function inDraft(apply: (draft: Draft, element: XmlElement, findings: Findings) => void) {
  return ({ draft }: YarnDraft, element: XmlElement, findings: Findings): void => {
    apply(draft, element, findings);
  };
}

function readQueueLimit({ draft }: YarnDraft, element: XmlElement, findings: Findings): void {
  setting<Draft, "poolMaxJobs">("poolMaxJobs", most)(draft, element, findings);
  if (draft.poolMaxJobs === Infinity) return;
  findings.note(
    element,
    "<queueMaxAppsDefault> limits the root queue as well in YARN, that is all jobs together; here it limits only pools",
  );
}

function readDefaultPolicy({ draft }: YarnDraft, element: XmlElement, findings: Findings): void {
  onlyAttributes([], element, findings);
  const mode = policy(element, findings);
  if (mode === undefined) return;
  if (mode === "fifo") findings.note(element, `<${element.name}> fifo is refused by YARN, and taken here`);
  draft.defaultMode = mode;
}

function readMaxDefault(yarn: YarnDraft, element: XmlElement, findings: Findings): void {
  const vcores = readSlots(element, findings);
  if (vcores === undefined) return;
  yarn.maxMaps = vcores ?? Infinity;
  if (vcores !== null) {
    findings.note(element, `<${element.name}> holds for the pools of this file; others are made without a max`);
  }
}
