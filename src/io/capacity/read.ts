import type { CapacityQueueSpec } from "../../core/scenario/index.js";
import { Findings, type ReadConfig } from "../allocations/elements.js";
import { readXml, requireRoot, type XmlElement } from "../allocations/xml.js";
import { HADOOP_PREFIX, hadoopQueues } from "./hadoop-queues.js";
import { addUp, readProperties, shownName } from "./properties.js";

/** YARN's prefix of all properties. */
const YARN_PREFIX = "yarn.scheduler.capacity.";

export interface ReadCapacities extends ReadConfig {
  /** In the order of the file. */
  readonly queues: readonly CapacityQueueSpec[];
}

/**
 * Reads the queues of a capacity scheduler, `capacity-scheduler.xml` of Hadoop 0.20 and 1.x. One of YARN's is refused:
 * slots cannot say what it says.
 * @param path what to open. @param shown how messages name it: as the user wrote it.
 * @throws InputError when there is no such file, at broken XML, or with all that is wrong in well-formed XML. Nothing
 * of a refused file is used.
 */
export function readCapacities(path: string, shown: string): ReadCapacities {
  return capacitiesOf(
    readXml(path, shown, "a capacity-scheduler.xml", "the queues of a capacity scheduler in XML"),
    shown,
  );
}

/** The same from a tree. */
export function capacitiesOf(root: XmlElement, shown: string): ReadCapacities {
  requireRoot(root, "configuration", shown);
  const findings = new Findings(shown);
  const properties = [...readProperties(root, findings).values()];
  const yarn = properties.find(({ name }) => name.startsWith(YARN_PREFIX));
  if (yarn !== undefined) {
    const isMixed = properties.some(({ name }) => name.startsWith(HADOOP_PREFIX));
    const beside = isMixed ? ` beside ${HADOOP_PREFIX}*` : "";
    findings.problem(
      yarn.element,
      `${shownName(yarn.name)} of YARN${beside}`,
      `${HADOOP_PREFIX}* of Hadoop 1 alone; \`platform: yarn\` with kind yarn-capacity and scheduler.file runs a file of YARN as YARN means it`,
    );
    findings.refuse(root);
  }
  const queues = hadoopQueues(properties, findings);
  if (queues.length === 0) {
    findings.problem(root, "no queue", `at least one: ${HADOOP_PREFIX}queue.NAME.capacity`);
  } else {
    const wrong = addUp(queues.map(({ capacityPercent }) => capacityPercent));
    if (wrong !== null) findings.problem(root, wrong.actual, wrong.allowed);
  }
  return { queues, ...findings.result(root) };
}
