import type { RecordWords } from "../../record/index.js";

/** YARN's own words. */
export const YARN_WORDS: RecordWords = {
  platform: "yarn",
  // In the order of the stages of a MapReduce job.
  taskTypes: [
    { key: "map", one: "map", many: "maps", hasLocality: true },
    { key: "reduce", one: "reduce", many: "reduces", hasLocality: false },
  ],
  otherAttempts: ["master"],
  // In the order of YARN_LEVELS.
  levels: [
    { key: "node", title: "node", local: "node-local", better: "higher" },
    { key: "rack", title: "rack", local: "rack-local", better: null },
    { key: "offSwitch", title: "off-switch", local: "off-switch", better: "lower" },
  ],
  resources: [
    { key: "memory", one: "MB", many: "MB" },
    { key: "vcores", one: "vcore", many: "vcores" },
  ],
  group: { one: "queue", many: "queues" },
  has: ["preemption"],
};
