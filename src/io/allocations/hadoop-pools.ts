import type { AllocationsSpec } from "../../core/scenario/index.js";
import {
  defaultSettings,
  type Draft,
  emptyDraft,
  finished,
  noteRepeated,
  type PoolSettings,
  readPlacement,
} from "./draft.js";
import {
  elementsOnly,
  type Findings,
  type Keys,
  labelOf,
  minShare,
  mode,
  countLimit,
  onlyAttributes,
  readKeys,
  readUser,
  setting,
  timeout,
  weight,
} from "./elements.js";
import type { XmlElement } from "./xml.js";

const POOL_KEYS: Keys<PoolSettings> = {
  where: "a pool",
  known: new Map([
    ["minMaps", setting<PoolSettings, "minMaps">("minMaps", minShare)],
    ["minReduces", setting<PoolSettings, "minReduces">("minReduces", minShare)],
    ["maxMaps", setting<PoolSettings, "maxMaps">("maxMaps", countLimit)],
    ["maxReduces", setting<PoolSettings, "maxReduces">("maxReduces", countLimit)],
    ["maxRunningJobs", setting<PoolSettings, "maxJobs">("maxJobs", countLimit)],
    ["weight", setting<PoolSettings, "weight">("weight", weight)],
    ["minSharePreemptionTimeout", setting<PoolSettings, "minShareTimeoutUs">("minShareTimeoutUs", timeout)],
    ["schedulingMode", setting<PoolSettings, "mode">("mode", mode)],
  ]),
  ignored: new Map([
    ["fairSharePreemptionTimeout", "Hadoop 1 has one for all pools, beside them"],
    ["pool", "pools of Hadoop 1 do not lie in each other"],
  ]),
};

/** The allocation file of Hadoop 0.21 and 1.x (semantics sections 2.1 and 2.4). Problems and notes go to `findings`. */
export function hadoopAllocations(root: XmlElement, findings: Findings): AllocationsSpec {
  const draft = emptyDraft(findings);
  const declared = new Set<string>();
  readKeys(
    {
      where: "<allocations>",
      known: new Map([
        ["pool", (_, element) => readPool(draft, declared, element, findings)],
        ["user", (_, element) => readUser("maxRunningJobs", new Map(), draft.users, element, findings)],
        ["poolMaxJobsDefault", setting<Draft, "poolMaxJobs">("poolMaxJobs", countLimit)],
        ["userMaxJobsDefault", setting<Draft, "userMaxJobs">("userMaxJobs", countLimit)],
        ["defaultMinSharePreemptionTimeout", setting<Draft, "minShareTimeoutUs">("minShareTimeoutUs", timeout)],
        ["fairSharePreemptionTimeout", setting<Draft, "fairShareTimeoutUs">("fairShareTimeoutUs", timeout)],
        ["defaultPoolSchedulingMode", setting<Draft, "defaultMode">("defaultMode", mode)],
        [
          "poolPlacementPolicy",
          (_, element) => {
            draft.placement = readPlacement(element, findings);
          },
        ],
      ]),
      ignored: new Map(),
    },
    root,
    draft,
    findings,
  );
  return finished(draft);
}

function readPool(draft: Draft, declared: Set<string>, element: XmlElement, findings: Findings): void {
  elementsOnly(element, findings);
  onlyAttributes(["name"], element, findings);
  const name = labelOf(element, findings);
  // The settings of a pool without a name are checked all the same.
  if (name === undefined) {
    readKeys(POOL_KEYS, element, defaultSettings(), findings);
    return;
  }
  noteRepeated(name, declared, element, findings);
  readKeys(POOL_KEYS, element, draft.pools.entry(name, element).settings, findings);
}
