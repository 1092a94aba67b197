import type { XmlElement } from "./xml-element.js";

/** `hadoop-1`: pools with slots. `yarn`: nested queues with resources. */
export type AllocationForm = "hadoop-1" | "yarn";

interface FormElements {
  readonly root: readonly string[];
  readonly pool: readonly string[];
  readonly user: readonly string[];
}

/** Elements that only one form has, by where they stand. What both have is not here. */
export const OWN_ELEMENTS: Readonly<Record<AllocationForm, FormElements>> = {
  "hadoop-1": {
    root: ["pool", "poolMaxJobsDefault", "userMaxJobsDefault", "defaultPoolSchedulingMode", "poolPlacementPolicy"],
    pool: ["minMaps", "minReduces", "maxMaps", "maxReduces", "maxRunningJobs"],
    user: ["maxRunningJobs"],
  },
  yarn: {
    root: [
      ...["queue", "queueMaxAppsDefault", "userMaxAppsDefault", "defaultQueueSchedulingPolicy"],
      ...["defaultQueueSchedulingMode", "queuePlacementPolicy", "defaultFairSharePreemptionTimeout"],
      ...["defaultFairSharePreemptionThreshold", "queueMaxResourcesDefault", "queueMaxAMShareDefault"],
    ],
    pool: ["queue", "minResources", "maxResources", "maxRunningApps", "schedulingPolicy", "maxAMShare"],
    user: ["maxRunningApps"],
  },
};

/** The form of the first element that only one form has; Hadoop 1 if there is none. */
export function formOf(root: XmlElement): AllocationForm {
  for (const child of root.children) {
    for (const form of ["hadoop-1", "yarn"] as const) {
      const own = OWN_ELEMENTS[form];
      if (own.root.includes(child.name)) return form;
      if (child.name === "user" && child.children.some(({ name }) => own.user.includes(name))) return form;
    }
  }
  return "hadoop-1";
}
