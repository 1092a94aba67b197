import { parseXml, tooLarge } from "./allocations/xml.js";
import { allocationsOf, type ReadAllocations } from "./allocations/read.js";
import { capacitiesOf, type ReadCapacities } from "./capacity/read.js";
import { InputError } from "./input-error.js";
import { SPARK_RULES } from "../core/platforms/spark/index.js";
import { basename } from "node:path";
import { LIMITS } from "./scenario/limits.js";
import { printable } from "./scenario/show.js";
import { parseSparkConf, type ReadConf } from "./spark/conf.js";
import { type ReadPools, sparkPoolsOf } from "./spark/pool-file.js";
import { fairFileOf, type ReadFairFile } from "./yarn/allocation-file.js";
import { capacityFileOf, type ReadCapacityFile } from "./yarn/capacity-file.js";
import { type ReadSite, siteOf } from "./yarn/site-file.js";
import { readTextFile, type TextFileKind } from "./text-file.js";

/**
 * What a scheduler's configuration file says: pools of Hadoop's Fair Scheduler, queues of its capacity scheduler, or pools or settings of
 * Spark.
 */
export type ExplainedFile =
  | { readonly allocations: ReadAllocations; readonly capacities: null; readonly spark: null }
  | { readonly allocations: null; readonly capacities: ReadCapacities; readonly spark: null }
  | { readonly allocations: null; readonly capacities: null; readonly spark: ReadPools | ReadConf };

const SCHEDULER_FILE: TextFileKind = {
  file: "an allocation file or a capacity-scheduler.xml",
  contents: "an allocation file or a capacity-scheduler.xml",
  mostBytes: LIMITS.fileBytes,
  tooLarge,
};

/**
 * Reads any of them. A file whose name ends in .conf has settings of Spark; XML is told apart by its root element, and pools of Spark
 * from those of Hadoop, which have the same one, by the name fairscheduler.xml or a `<minShare>`. Errors are those of its reader.
 * @param path what to open, and how messages name it.
 */
export function readExplained(path: string): ExplainedFile {
  const text = readTextFile(path, path, SCHEDULER_FILE);
  if (path.endsWith(".conf")) {
    return { allocations: null, capacities: null, spark: parseSparkConf(text, path, SPARK_RULES["3.5"]) };
  }
  const root = parseXml(text, path);
  if (root.name === "allocations") {
    const hasMinShare = root.children.some(({ children }) => children.some(({ name }) => name === "minShare"));
    if (basename(path) === "fairscheduler.xml" || hasMinShare) {
      return { allocations: null, capacities: null, spark: sparkPoolsOf(root, path) };
    }
    return { allocations: allocationsOf(root, path), capacities: null, spark: null };
  }
  if (root.name === "configuration") return { allocations: null, capacities: capacitiesOf(root, path), spark: null };
  const allowed = "<allocations> of a fair-scheduler.xml or <configuration> of a capacity-scheduler.xml";
  const message = `found the root element <${printable(root.name).slice(0, 60)}>, allowed ${allowed}`;
  throw new InputError([{ file: path, ...root.place, message }]);
}

/** What a file of YARN's says under YARN. */
export type ExplainedYarn =
  | (ReadFairFile & { readonly form: "yarn-fair" })
  | (ReadCapacityFile & { readonly form: "yarn-capacity" })
  | (ReadSite & { readonly form: "yarn-site" });

/**
 * Reads a file as `platform: yarn` does. `<allocations>` is a fair-scheduler.xml; a `<configuration>` with queues of either Capacity
 * Scheduler is a capacity-scheduler.xml, and any other a yarn-site.xml. Errors are those of its reader.
 * @param path what to open, and how messages name it.
 */
export function readExplainedYarn(path: string): ExplainedYarn {
  const root = parseXml(readTextFile(path, path, SCHEDULER_FILE), path);
  if (root.name !== "configuration") return { form: "yarn-fair", ...fairFileOf(root, path) };
  const names = root.children.flatMap(({ children }) =>
    children.filter(({ name }) => name === "name").map(({ text }) => text.trim()),
  );
  return names.some((name) => /^(yarn\.scheduler\.capacity\.root|mapred\.capacity-scheduler)\./.test(name))
    ? { form: "yarn-capacity", ...capacityFileOf(root, path) }
    : { form: "yarn-site", ...siteOf(root, path) };
}
