import { asLabel, LABEL_ALLOWED } from "../scenario/values.js";
import { quote } from "../scenario/show.js";
import { noteRepeated } from "./draft.js";
import type { Findings } from "./findings.js";
import { readKeys } from "./keys.js";
import { defaultSettings, type PoolEntry, type PoolSettings, type PoolTable } from "./pool-table.js";
import { elementsOnly, labelOf, onlyAttributes } from "./values.js";
import type { XmlElement } from "./xml-element.js";
import { QUEUE_KEYS, type OpenQueue } from "./yarn-queue-keys.js";

/** The queues of a YARN file, read as nested pools: `root.ads.daily` is the pool `ads.daily` in the pool `ads`. */
export class QueueTree {
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
      this.inherit(entry);
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

  private inherit({ parent, settings }: PoolEntry): void {
    const outer = parent === null ? undefined : this.pools.get(parent)?.settings;
    settings.minShareTimeoutUs ??= outer?.minShareTimeoutUs ?? null;
    settings.fairShareTimeoutUs ??= outer?.fairShareTimeoutUs ?? null;
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
