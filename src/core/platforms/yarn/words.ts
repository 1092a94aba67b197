import { MAP_AND_REDUCE, NODE_WORD, RACK_WORD, type RecordWords } from "../../record/index.js";

/** YARN's own words. */
export const YARN_WORDS: RecordWords = {
  platform: "yarn",
  taskTypes: MAP_AND_REDUCE,
  otherAttempts: ["master"],
  // In the order of YARN_LEVELS.
  levels: [NODE_WORD, RACK_WORD, { key: "offSwitch", title: "off-switch", local: "off-switch", better: "lower" }],
  resources: [
    { key: "memory", one: "MB", many: "MB" },
    { key: "vcores", one: "vcore", many: "vcores" },
  ],
  group: { one: "queue", many: "queues" },
  has: ["preemption"],
};
