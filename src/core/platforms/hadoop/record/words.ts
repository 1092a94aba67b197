import type { Topology } from "../../../cluster/index.js";
import { MAP_AND_REDUCE, NODE_WORD, RACK_WORD, type RecordWords, SECTIONS } from "../../../record/index.js";

/** Hadoop's words for the things that its runs are made of. */
export const HADOOP_WORDS: RecordWords = {
  platform: "hadoop",
  taskTypes: MAP_AND_REDUCE,
  otherAttempts: ["set-up", "clean-up"],
  levels: [
    NODE_WORD,
    RACK_WORD,
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

/** Returns the words of runs on a cluster, with or without rows. */
export function wordsOf({ rowNames }: Topology): RecordWords {
  return rowNames.length > 0 ? HADOOP_WORDS : WITHOUT_ROWS;
}
