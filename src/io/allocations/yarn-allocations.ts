import type { AllocationsSpec } from "../../core/scenario/scenario.js";
import { emptyDraft, finished, readUser, type Draft, type UserKeys } from "./draft.js";
import type { Findings } from "./findings.js";
import { OWN_ELEMENTS } from "./form.js";
import { readKeys, setting, type Keys } from "./keys.js";
import { readPlacement, YARN_RULES } from "./placement-policy.js";
import { most, onlyAttributes, policy, timeout } from "./values.js";
import type { XmlElement } from "./xml-element.js";
import { readSlots, YARN_ONE_FORM } from "./yarn-queue-keys.js";
import { QueueTree } from "./yarn-queues.js";

/** A YARN file while its top level is read. */
interface YarnDraft {
  readonly draft: Draft;
  readonly queues: XmlElement[];
  /** Of queues without a max of their own. */
  maxMaps: number;
  /** `defaultFairSharePreemptionTimeout` goes before its older name. */
  newFairShareTimeoutUs: number | null;
}

const RESERVATIONS = "there are no reservations";

const USER_KEYS: UserKeys = {
  where: "a user",
  known: new Map([["maxRunningApps", setting("maxJobs", most)]]),
  ignored: new Map(),
  foreign: new Set(OWN_ELEMENTS["hadoop-1"].user),
  foreignHint: YARN_ONE_FORM,
};

const ROOT_KEYS: Keys<YarnDraft> = {
  where: "<allocations>",
  known: new Map([
    ["queue", (yarn: YarnDraft, element: XmlElement) => void yarn.queues.push(element)],
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
  foreign: new Set(OWN_ELEMENTS["hadoop-1"].root),
  foreignHint: YARN_ONE_FORM,
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
  return finished(draft);
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
