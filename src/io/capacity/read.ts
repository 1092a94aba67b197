import type { CapacityQueueSpec } from "../../core/scenario/index.js";
import { Findings } from "../allocations/elements.js";
import { parseXml, tooLarge, type XmlElement } from "../allocations/xml.js";
import { InputError } from "../input-error.js";
import { LIMITS } from "../scenario/limits.js";
import { printable } from "../scenario/show.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { HADOOP_PREFIX, hadoopQueues } from "./hadoop-queues.js";
import { addUp, readProperties } from "./properties.js";
import { YARN_PREFIX, yarnLeaves } from "./yarn-leaves.js";

/** `hadoop-1`: queues side by side. `yarn`: queues in queues, of which only the innermost hold jobs. */
export type CapacityForm = "hadoop-1" | "yarn";

export interface ReadCapacities {
  /** In the order of the file. */
  readonly queues: readonly CapacityQueueSpec[];
  /** What the user should know, one each, with the file's name and lines: what was ignored or taken otherwise. */
  readonly notes: readonly string[];
  readonly form: CapacityForm;
}

const CAPACITY_FILE: TextFileKind = {
  file: "a capacity-scheduler.xml",
  contents: "the queues of a capacity scheduler in XML",
  mostBytes: LIMITS.fileBytes,
  tooLarge,
};

/**
 * Reads the queues of a capacity scheduler, `capacity-scheduler.xml` of Hadoop 0.20 and 1.x or of YARN.
 * @param path what to open. @param shown how messages name it: as the user wrote it.
 * @throws InputError when there is no such file, at broken XML, or with all that is wrong in well-formed XML. Nothing of a refused
 * file is used.
 */
export function readCapacities(path: string, shown: string): ReadCapacities {
  return capacitiesOf(parseXml(readTextFile(path, shown, CAPACITY_FILE), shown), shown);
}

/** The same from a tree. */
export function capacitiesOf(root: XmlElement, shown: string): ReadCapacities {
  if (root.name !== "configuration") {
    const message = `found the root element <${printable(root.name).slice(0, 60)}>, allowed <configuration>`;
    throw new InputError([{ file: shown, ...root.place, message }]);
  }
  const findings = new Findings(shown);
  const properties = [...readProperties(root, findings).values()];
  const [hadoop, yarn] = [HADOOP_PREFIX, YARN_PREFIX].map((prefix) =>
    properties.find(({ name }) => name.startsWith(prefix)),
  );
  if (hadoop !== undefined && yarn !== undefined) {
    const message = `found properties ${YARN_PREFIX}* beside ${HADOOP_PREFIX}*, allowed one of the two forms per file`;
    findings.problem(yarn.element, message);
  }
  const form = yarn === undefined ? "hadoop-1" : "yarn";
  const queues = form === "yarn" ? yarnLeaves(properties, findings) : hadoopQueues(properties, findings);
  if (queues.length === 0) {
    const allowed = `${HADOOP_PREFIX}queue.NAME.capacity, or ${YARN_PREFIX}root.queues and what goes with it`;
    findings.problem(root, `found no queue, allowed at least one: ${allowed}`);
  } else if (form === "hadoop-1") {
    const wrong = addUp(queues.map(({ capacityPercent }) => capacityPercent));
    if (wrong !== null) findings.problem(root, `found ${wrong.found}, allowed ${wrong.allowed}`);
  }
  findings.refuse();
  return { queues, notes: findings.notes(), form };
}
