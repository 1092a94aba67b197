import { OWN_ELEMENTS } from "./form.js";
import type { Findings } from "./findings.js";
import { setting, type Keys } from "./keys.js";
import type { PoolSettings } from "./pool-table.js";
import { most, onlyAttributes, policy, timeout, weight, type Read } from "./values.js";
import type { XmlElement } from "./xml-element.js";
import { readVcores } from "./yarn-resources.js";

/** A queue while its contents are read. */
export interface OpenQueue {
  readonly settings: PoolSettings;
  /** Those inside it. */
  readonly queues: XmlElement[];
  /** It has a `maxResources`, whatever that says. */
  hasMax: boolean;
}

export const YARN_ONE_FORM = "the file is one of YARN queues, Hadoop 1's elements go with <pool>";

const ACCESS = "who may do what is not modelled";
const RESERVATIONS = "there are no reservations";

export const QUEUE_KEYS: Keys<OpenQueue> = {
  where: "a queue",
  known: new Map([
    ["queue", (queue: OpenQueue, element: XmlElement) => void queue.queues.push(element)],
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
  foreign: new Set(["pool", ...OWN_ELEMENTS["hadoop-1"].pool]),
  foreignHint: YARN_ONE_FORM,
};

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
export function readSlots(element: XmlElement, findings: Findings): number | null | undefined {
  onlyAttributes([], element, findings);
  const vcores = readVcores(element, findings);
  if (typeof vcores === "number") {
    findings.note(element, `vcores of <${element.name}> are taken as map slots; reduces get no such limit or promise`);
  }
  return vcores;
}
