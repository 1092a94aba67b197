import { NODE_WORD, RACK_WORD, type RecordWords } from "../../record/index.js";

/** Spark's own words. */
export const SPARK_WORDS: RecordWords = {
  platform: "spark",
  taskTypes: [{ key: "task", one: "task", many: "tasks", hasLocality: true }],
  otherAttempts: [],
  // In the order of SPARK_LEVELS.
  levels: [
    { key: "process", title: "process", local: "process-local", better: "higher" },
    NODE_WORD,
    { key: "noPref", title: "no pref", local: "no-pref", better: null },
    RACK_WORD,
    { key: "any", title: "any", local: "any", better: "lower" },
  ],
  resources: [{ key: "cores", one: "core", many: "cores" }],
  group: { one: "pool", many: "pools" },
  has: ["failures", "faults", "speculation"],
};
