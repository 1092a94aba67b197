import { constants, gunzipSync } from "node:zlib";

// Records of other systems, known by how they begin. Event logs of Spark are imported; no command reads the others.

interface ForeignFormat {
  readonly what: string;
  readonly looksSo: (head: string) => boolean;
}

const SLS_KEYS = /"(?:am\.type|job\.start\.ms|job\.tasks|container\.start\.ms)"\s*:/;
const RUMEN_KEYS = /"(?:jobID|mapTasks|reduceTasks|otherTasks)"\s*:/;

/** In this order: keys of Rumen stand in SLS files too. */
const FORMATS: readonly ForeignFormat[] = [
  {
    what: "an event log of Spark",
    looksSo: (head) => /^\s*\{\s*"Event"\s*:\s*"(?:SparkListener|org\.apache\.spark\.)/m.test(head),
  },
  { what: "a job history of Hadoop (.jhist)", looksSo: (head) => /^Avro-(?:Json|Binary)\r?\n/.test(head) },
  { what: "a list of jobs for YARN's load simulator (SLS)", looksSo: (head) => isJson(head) && SLS_KEYS.test(head) },
  {
    what: "a synthetic load for YARN's load simulator (SLS)",
    looksSo: (head) => isJson(head) && /"(?:workload_name|job_classes)"\s*:/.test(head),
  },
  { what: "a job trace of Rumen", looksSo: (head) => isJson(head) && RUMEN_KEYS.test(head) },
  {
    what: "a cluster topology of Rumen",
    looksSo: (head) => isJson(head) && /"name"\s*:\s*"<root>"/.test(head),
  },
  {
    what: "a list of nodes for YARN's load simulator (SLS)",
    looksSo: (head) => isJson(head) && /"rack"\s*:/.test(head) && /"nodes"\s*:\s*\[\s*\{\s*"node"\s*:/.test(head),
  },
];

/** How much of a file `foreignTrace` wants to see. */
export const FOREIGN_HEAD_BYTES = 1 << 16;

/**
 * What the file is, if it is a record of another system that is known by sight; null: it is not.
 * @param head its first bytes. @param name of the file: what is packed with zstd is known by its name alone.
 */
export function foreignTrace(head: Buffer, name: string): string | null {
  const plain = formatOf(head);
  if (plain !== null) return plain;
  if (head.subarray(0, 2).equals(GZIP)) {
    const packed = formatOf(unzipped(head));
    return packed === null ? null : `${packed}, packed with gzip`;
  }
  // Spark calls its codec so; others end such names in .zst.
  if (head.subarray(0, 4).equals(ZSTD) && /\.zstd(?:\.inprogress|\.compact)?$/.test(name)) {
    return "a file packed with zstd, named as Spark names its event logs";
  }
  return null;
}

/** Folders and files of the logs that Spark rolls. */
export const ROLLING_LOG = /^eventlog_v2_/;

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function formatOf(head: Buffer): string | null {
  const text = head.toString("latin1");
  return FORMATS.find(({ looksSo }) => looksSo(text))?.what ?? null;
}

function isJson(head: string): boolean {
  return /^\s*[[{]/.test(head);
}

/** As much as the first bytes hold, of an archive that is cut or broken too. They unpack to 4 MiB at most. */
function unzipped(head: Buffer): Buffer {
  try {
    return gunzipSync(head.subarray(0, 4096), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}
