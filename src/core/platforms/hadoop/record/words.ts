import type { Topology } from "../../../cluster/index.js";
import { NO_LEVEL, type RecordWords, SECTIONS } from "../../../record/index.js";
import { NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "../jobs/nearness.js";

/** What Hadoop calls what its runs are made of. */
export const HADOOP_WORDS: RecordWords = {
  platform: "hadoop",
  taskTypes: [
    { key: "map", one: "map", many: "maps", hasLocality: true },
    { key: "reduce", one: "reduce", many: "reduces", hasLocality: false },
  ],
  otherAttempts: ["set-up", "clean-up"],
  levels: [
    { key: "node", title: "node", local: "node-local", better: "higher" },
    // It lies between the others: more of it may be less of either.
    { key: "rack", title: "rack", local: "rack-local", better: null },
    { key: "row", title: "row", local: "row-local", better: "lower" },
    { key: "offRack", title: "off-rack", local: "off-rack", better: "lower" },
  ],
  resources: [
    { key: "mapSlots", one: "map slot", many: "map slots", ofType: "map" },
    { key: "reduceSlots", one: "reduce slot", many: "reduce slots", ofType: "reduce" },
  ],
  group: { one: "pool", many: "pools" },
  has: SECTIONS,
};

const WITHOUT_ROWS: RecordWords = {
  ...HADOOP_WORDS,
  levels: HADOOP_WORDS.levels.map((level) => (level.key === "row" ? { ...level, isAbsent: true } : level)),
};

/** Those of runs on such a cluster. */
export function wordsOf({ rowNames }: Topology): RecordWords {
  return rowNames.length > 0 ? HADOOP_WORDS : WITHOUT_ROWS;
}

/** In the order of the words: labels of nearness.ts. */
export const LABELS = [NODE_LOCAL, RACK_LOCAL, ROW_LOCAL, OFF_RACK];

/** A label as the index of its word; NO_LEVEL: there is no input, or nothing to tell. */
export function levelOf(label: number): number {
  const level = LABELS.indexOf(label);
  return level < 0 ? NO_LEVEL : level;
}
