import { decidingElement } from "./allocations/elements.js";
import { parseXml, xmlTooLarge, type XmlElement } from "./allocations/xml.js";
import { allocationsOf, type ReadAllocations } from "./allocations/read.js";
import { capacitiesOf, type ReadCapacities } from "./capacity/read.js";
import { fileProblem, InputError } from "./input-error.js";
import { SPARK_RULES } from "../core/platforms/spark/index.js";
import { basename } from "node:path";
import { printable } from "./scenario/show.js";
import { parseSparkConf, type ReadConf } from "./spark/conf.js";
import { type ReadPools, sparkPoolsOf } from "./spark/pool-file.js";
import { fairFileOf, type ReadFairFile } from "./yarn/allocation-file.js";
import { capacityFileOf, type ReadCapacityFile } from "./yarn/capacity-file.js";
import { type ReadSite, siteOf } from "./yarn/site-file.js";
import { readTextFile, type TextFileKind } from "./text-file.js";
import { mismatch } from "../core/kernel/index.js";

/**
 * The contents of a scheduler's configuration file: pools of Hadoop 1's Fair Scheduler, queues of its capacity
 * scheduler, pools or settings of Spark, or what YARN has.
 */
type ExplainedFile =
  | ({ readonly form: "hadoop-pools" } & ReadAllocations)
  | ({ readonly form: "hadoop-queues" } & ReadCapacities)
  | ({ readonly form: "spark-pools" } & ReadPools)
  | ({ readonly form: "spark-conf" } & ReadConf)
  | ExplainedYarn;

const SCHEDULER_FILE: TextFileKind = {
  file: "an allocation file or a capacity-scheduler.xml",
  tooLarge: xmlTooLarge,
};

/**
 * Reads a file of any of these forms, and detects its form:
 * - A file whose name ends in .conf has settings of Spark. Other files are XML, with one of two root elements.
 * - `<allocations>` has pools of Spark if the file is named fairscheduler.xml or has a `<minShare>`. It is YARN's if an
 *   element that only YARN has comes before all elements that only Hadoop 1 has. Otherwise it is Hadoop 1's.
 * - `<configuration>` is YARN's if it has a property `yarn.scheduler.capacity.*`, or another property `yarn.*` and none
 *   of Hadoop 1's capacity scheduler. Otherwise it is Hadoop 1's.
 *
 * Errors are those of the reader of the form.
 * @param path what to open, and how messages name it.
 */
export function readExplained(path: string): ExplainedFile {
  const text = readTextFile(path, path, SCHEDULER_FILE);
  if (path.endsWith(".conf")) {
    return { form: "spark-conf", ...parseSparkConf(text, path, SPARK_RULES["3.5"]) };
  }
  const root = parseXml(text, path);
  if (root.name === "allocations") {
    const hasMinShare = root.children.some(({ children }) => children.some(({ name }) => name === "minShare"));
    if (basename(path) === "fairscheduler.xml" || hasMinShare) {
      return { form: "spark-pools", ...sparkPoolsOf(root, path) };
    }
    return decidingElement(root)?.form === "yarn"
      ? yarnOf(root, path)
      : { form: "hadoop-pools", ...allocationsOf(root, path) };
  }
  if (root.name === "configuration") {
    return isOfYarn(propertyNames(root)) ? yarnOf(root, path) : { form: "hadoop-queues", ...capacitiesOf(root, path) };
  }
  const allowed = "<allocations> of a fair-scheduler.xml or <configuration> of a capacity-scheduler.xml";
  const message = mismatch(`the root element <${printable(root.name).slice(0, 60)}>`, allowed);
  throw new InputError([{ file: path, ...root.place, message }]);
}

/** The contents of a file of YARN's. */
type ExplainedYarn =
  | (ReadFairFile & { readonly form: "yarn-fair" })
  | (ReadCapacityFile & { readonly form: "yarn-capacity" })
  | (ReadSite & { readonly form: "yarn-site" });

/**
 * Reads a file as `platform: yarn` does. `<allocations>` is a fair-scheduler.xml; a `<configuration>` with queues of
 * either Capacity Scheduler is a capacity-scheduler.xml, and any other a yarn-site.xml. Errors are those of its reader.
 * @param path what to open, and how messages name it.
 */
export function readExplainedYarn(path: string): ExplainedYarn {
  const text = readTextFile(path, path, SCHEDULER_FILE);
  if (path.endsWith(".conf")) {
    const allowed =
      "a fair-scheduler.xml, capacity-scheduler.xml or yarn-site.xml for --platform yarn; without --platform they are explained as Spark means them";
    throw fileProblem(path, mismatch("settings of Spark", allowed));
  }
  return yarnOf(parseXml(text, path), path);
}

function yarnOf(root: XmlElement, path: string): ExplainedYarn {
  if (root.name !== "configuration") return { form: "yarn-fair", ...fairFileOf(root, path) };
  return propertyNames(root).some((name) =>
    /^(yarn\.scheduler\.capacity\.root|mapred\.capacity-scheduler)\./.test(name),
  )
    ? { form: "yarn-capacity", ...capacityFileOf(root, path) }
    : { form: "yarn-site", ...siteOf(root, path) };
}

function isOfYarn(names: readonly string[]): boolean {
  const has = (prefix: string) => names.some((name) => name.startsWith(prefix));
  return has("yarn.scheduler.capacity.") || (has("yarn.") && !has("mapred.capacity-scheduler."));
}

function propertyNames(root: XmlElement): string[] {
  return root.children.flatMap(({ children }) =>
    children.filter(({ name }) => name === "name").map(({ text }) => text.trim()),
  );
}
