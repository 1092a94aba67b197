import { closeSync, openSync, readSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";
import { withoutByteOrderMark } from "./text-file.js";

// Records of other systems, known by how they begin, and the kind of bide import that reads them.

/** Returns the kind by which `bide import` reads a format. */
export function importKind(key: ForeignKey): "spark" | "hadoop" {
  return key === "spark" ? "spark" : "hadoop";
}

export type ForeignKey =
  "spark" | "jhist" | "sls-jobs" | "sls-synthetic" | "rumen" | "rumen-topology" | "sls-nodes" | "rm-apps" | "rm-nodes";

interface ForeignFormat {
  readonly key: ForeignKey;
  readonly description: string;
  readonly looksSo: (head: string) => boolean;
}

const SLS_KEYS = /"(?:am\.type|job\.start\.ms|job\.tasks|container\.start\.ms)"\s*:/;
const RUMEN_KEYS = /"(?:jobID|mapTasks|reduceTasks|otherTasks)"\s*:/;

/** In this order: keys of Rumen stand in SLS files too. */
const FORMATS: readonly ForeignFormat[] = [
  {
    key: "spark",
    description: "an event log of Spark",
    looksSo: (head) => /^\s*\{\s*"Event"\s*:\s*"(?:SparkListener|org\.apache\.spark\.)/m.test(head),
  },
  {
    key: "jhist",
    description: "a job history of Hadoop (.jhist)",
    looksSo: (head) => /^Avro-(?:Json|Binary)\r?\n/.test(head),
  },
  {
    key: "sls-jobs",
    description: "a list of jobs for YARN's load simulator (SLS)",
    looksSo: (head) => isJson(head) && SLS_KEYS.test(head),
  },
  {
    key: "sls-synthetic",
    description: "a synthetic load for YARN's load simulator (SLS)",
    looksSo: (head) => isJson(head) && /"(?:workload_name|job_classes)"\s*:/.test(head),
  },
  { key: "rumen", description: "a job trace of Rumen", looksSo: (head) => isJson(head) && RUMEN_KEYS.test(head) },
  {
    key: "rumen-topology",
    description: "a cluster topology of Rumen",
    looksSo: (head) => isJson(head) && /"name"\s*:\s*"<root>"/.test(head),
  },
  {
    key: "sls-nodes",
    description: "a list of nodes for YARN's load simulator (SLS)",
    looksSo: (head) => isJson(head) && /"rack"\s*:/.test(head) && /"nodes"\s*:\s*\[\s*\{\s*"node"\s*:/.test(head),
  },
  {
    key: "rm-apps",
    description: "a list of applications of YARN's resource manager",
    looksSo: (head) => /^\s*\{\s*"(?:apps"\s*:\s*(?:\{|null)|app"\s*:\s*\{)/.test(head),
  },
  {
    key: "rm-nodes",
    description: "a list of nodes of YARN's resource manager",
    looksSo: (head) => /^\s*\{\s*"nodes"\s*:\s*\{\s*"node"\s*:/.test(head),
  },
];

/** The first bytes of a file, as many as `foreignTrace` needs. @throws the errors of the system. */
export function headOf(path: string): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const head = Buffer.alloc(1 << 16);
    return head.subarray(0, readSync(descriptor, head));
  } finally {
    closeSync(descriptor);
  }
}

/** A record of another system. */
export interface ForeignTrace {
  readonly key: ForeignKey;
  /** `a job trace of Rumen, packed with gzip` */
  readonly description: string;
  /** With gzip. */
  readonly isPacked: boolean;
}

/**
 * Returns the format of a file, if it is a record of another system that is known by sight; null: it is not.
 * @param head its first bytes. @param name of the file: what is packed with zstd is known by its name alone.
 */
export function foreignTrace(head: Buffer, name: string): ForeignTrace | null {
  const plain = formatOf(head);
  if (plain !== undefined) return { key: plain.key, description: plain.description, isPacked: false };
  if (head.subarray(0, 2).equals(GZIP)) {
    const packed = formatOf(unzipped(head));
    return packed === undefined
      ? null
      : { key: packed.key, description: `${packed.description}, packed with gzip`, isPacked: true };
  }
  // Spark calls its codec so; others end such names in .zst.
  if (head.subarray(0, 4).equals(ZSTD) && /\.zstd(?:\.inprogress|\.compact)?$/.test(name)) {
    const description = "a file packed with zstd, named as Spark names its event logs";
    return { key: "spark", description, isPacked: false };
  }
  return null;
}

/** Folders and files of the logs that Spark rolls. */
export const ROLLING_LOG = /^eventlog_v2_/;

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function formatOf(head: Buffer): ForeignFormat | undefined {
  const text = withoutByteOrderMark(head).toString("latin1");
  return FORMATS.find(({ looksSo }) => looksSo(text));
}

function isJson(head: string): boolean {
  return /^\s*[[{]/.test(head);
}

/**
 * Unpacks the first 4 KiB of a gzip archive, to 4 MiB at most. A truncated archive gives what its bytes hold, a broken
 * one nothing.
 */
function unzipped(head: Buffer): Buffer {
  try {
    return gunzipSync(head.subarray(0, 4096), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}
