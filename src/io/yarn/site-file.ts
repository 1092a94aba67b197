import {
  CAPACITY_PREEMPTION_DEFAULTS,
  type CapacityPreemption,
  PROPERTY_GROUPS,
  SITE_ROWS,
  WITHIN_QUEUES_DEFAULTS,
  type YarnTypes,
} from "../../core/platforms/yarn/index.js";
import type { RecordOf } from "../../core/scenario/index.js";
import { grouped } from "../../core/kernel/index.js";
import { Findings, type ReadConfig } from "../allocations/elements.js";
import { readXml, requireRoot, type XmlElement } from "../allocations/xml.js";
import { type Property, readProperties, shownName } from "../capacity/properties.js";
import { type NamedReader, readersOf } from "../scenario/setting.js";
import { YARN_FORMS } from "./setting-forms.js";

// yarn-site.xml: the properties that bear on the schedulers. Those of the Capacity Scheduler may stand in
// capacity-scheduler.xml as well.

type YarnRecord<Table extends Readonly<Record<string, { readonly type: keyof YarnTypes }>>> = Partial<
  RecordOf<Table, YarnTypes>
>;

/** Settings of properties; YARN's defaults apply to missing ones. */
export type YarnSettings = YarnRecord<typeof SITE_ROWS> & {
  readonly [Group in keyof typeof PROPERTY_GROUPS]: YarnRecord<(typeof PROPERTY_GROUPS)[Group]>;
};

export interface SiteLine {
  readonly line: number;
  readonly name: string;
  readonly value: string;
  /** Its meaning in Bide, or why it has none. */
  readonly meaning: string;
  readonly isUsed: boolean;
}

export interface ReadSite extends ReadConfig {
  readonly settings: Readonly<YarnSettings>;
  /** Properties for scheduling, in the order of the file. */
  readonly lines: readonly SiteLine[];
}

/**
 * Reads a yarn-site.xml.
 * @param path what to open. @param shown how messages name it.
 * @throws InputError when it cannot be read, at broken XML, and with all that is wrong in well-formed XML.
 */
export function readSite(path: string, shown: string): ReadSite {
  return siteOf(readXml(path, shown, "a yarn-site.xml"), shown);
}

/** The same from a tree. */
export function siteOf(root: XmlElement, shown: string): ReadSite {
  requireConfiguration(root, shown, "a yarn-site.xml");
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
  return { settings, lines, ...findings.result(root) };
}

/** @throws InputError where it is no `<configuration>`. */
export function requireConfiguration(root: XmlElement, shown: string, file: string): void {
  const hint = root.name === "allocations" ? "; a fair-scheduler.xml is scheduler.allocations of kind yarn-fair" : "";
  requireRoot(root, "configuration", shown, ` of ${file}${hint}`);
}

export function noSettings(): YarnSettings {
  return { fair: {}, capacity: {}, preemption: {}, within: {}, minimum: {}, increment: {}, largest: {}, node: {} };
}

/** The preemption policy of the settings; null: nothing is preempted. */
export function preemptionOf(settings: YarnSettings): CapacityPreemption | null {
  const { monitors, observesOnly, takesWithin, preemption, within } = settings;
  if (monitors !== true || observesOnly === true) return null;
  const withinQueues = takesWithin === true ? { ...WITHIN_QUEUES_DEFAULTS, ...within } : null;
  return { ...CAPACITY_PREEMPTION_DEFAULTS, ...preemption, within: withinQueues };
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
    const { group, reader } = known;
    reader.read(group === undefined ? settings : settings[group], property, findings);
    return { meaning: reader.means, isUsed: true };
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

const FAIR = "yarn.scheduler.fair.";
const CAPACITY = "yarn.scheduler.capacity.";
const MONITOR = "yarn.resourcemanager.monitor.capacity.preemption.";

interface Known {
  /** Undefined: it is a setting by itself. */
  readonly group?: keyof typeof PROPERTY_GROUPS;
  readonly reader: NamedReader<Property>;
}

const KNOWN = new Map<string, Known>();
for (const [name, reader] of readersOf(SITE_ROWS, YARN_FORMS, "property")) KNOWN.set(name, { reader });
for (const group of Object.keys(noSettings()) as (keyof typeof PROPERTY_GROUPS)[]) {
  for (const [name, reader] of readersOf(PROPERTY_GROUPS[group], YARN_FORMS, "property")) {
    KNOWN.set(name, { group, reader });
  }
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
