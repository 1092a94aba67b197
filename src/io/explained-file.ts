import { parseXml, tooLarge } from "./allocations/xml.js";
import { allocationsOf, type ReadAllocations } from "./allocations/read.js";
import { capacitiesOf, type ReadCapacities } from "./capacity/read.js";
import { InputError } from "./input-error.js";
import { LIMITS } from "./scenario/limits.js";
import { printable } from "./scenario/show.js";
import { readTextFile, type TextFileKind } from "./text-file.js";

/** What a configuration file of a Hadoop scheduler says: pools of the Fair Scheduler, or queues of the capacity scheduler. */
export type ExplainedFile =
  | { readonly allocations: ReadAllocations; readonly capacities: null }
  | { readonly allocations: null; readonly capacities: ReadCapacities };

const SCHEDULER_FILE: TextFileKind = {
  file: "an allocation file or a capacity-scheduler.xml",
  contents: "an allocation file or a capacity-scheduler.xml",
  mostBytes: LIMITS.fileBytes,
  tooLarge,
};

/**
 * Reads either of the two, told apart by the root element. Errors are those of its reader.
 * @param path what to open, and how messages name it.
 */
export function readExplained(path: string): ExplainedFile {
  const root = parseXml(readTextFile(path, path, SCHEDULER_FILE), path);
  if (root.name === "allocations") return { allocations: allocationsOf(root, path), capacities: null };
  if (root.name === "configuration") return { allocations: null, capacities: capacitiesOf(root, path) };
  const allowed = "<allocations> of a fair-scheduler.xml or <configuration> of a capacity-scheduler.xml";
  const message = `found the root element <${printable(root.name).slice(0, 60)}>, allowed ${allowed}`;
  throw new InputError([{ file: path, ...root.place, message }]);
}
