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
  settersOf,
  timeout,
  weight,
} from "./elements.js";
import type { XmlElement } from "./xml.js";

const ofPool = settersOf<PoolSettings>();
const ofAll = settersOf<Draft>();

const POOL_KEYS: Keys<PoolSettings> = {
  where: "a pool",
  known: new Map([
    ["minMaps", ofPool("minMaps", minShare)],
    ["minReduces", ofPool("minReduces", minShare)],
    ["maxMaps", ofPool("maxMaps", countLimit)],
    ["maxReduces", ofPool("maxReduces", countLimit)],
    ["maxRunningJobs", ofPool("maxJobs", countLimit)],
    ["weight", ofPool("weight", weight)],
    ["minSharePreemptionTimeout", ofPool("minShareTimeoutUs", timeout)],
    ["schedulingMode", ofPool("mode", mode)],
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
      known: new Map<string, ReturnType<typeof ofAll>>([
        ["pool", (_, element) => readPool(draft, declared, element, findings)],
        ["user", (_, element) => readUser("maxRunningJobs", new Map(), draft.users, element, findings)],
        ["poolMaxJobsDefault", ofAll("poolMaxJobs", countLimit)],
        ["userMaxJobsDefault", ofAll("userMaxJobs", countLimit)],
        ["defaultMinSharePreemptionTimeout", ofAll("minShareTimeoutUs", timeout)],
        ["fairSharePreemptionTimeout", ofAll("fairShareTimeoutUs", timeout)],
        ["defaultPoolSchedulingMode", ofAll("defaultMode", mode)],
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
