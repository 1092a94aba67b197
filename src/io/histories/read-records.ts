import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createGunzip, constants } from "node:zlib";
import { grouped, mismatch, sumOver } from "../../core/kernel/index.js";
import { foreignTrace, headOf, ROLLING_LOG } from "../foreign-traces.js";
import { asReadError, fileProblem, InputError, problemOf } from "../input-error.js";
import { quote } from "../scenario/show.js";
import { JobHistory } from "./job-history.js";
import { JsonValues } from "./json-values.js";
import { type HadoopJob, HadoopReading } from "./records.js";
import { listedApplications, listedNodes } from "./application-lists.js";
import { rumenJob, rumenTopology } from "./rumen.js";
import { slsJob, slsNodes } from "./sls.js";
import { drawnJobs, expectedTasks, type SyntheticLoad, syntheticLoad } from "./sls-synthetic.js";
import { type Json, Unusable } from "../logged-json.js";
import { pastByteOrderMark } from "../text-file.js";

// Files of Hadoop's histories and traces, each recognised by its beginning; plain or packed with gzip.

interface ReadRecordsOptions {
  readonly signal?: AbortSignal;
  /** From 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** Formats that are read; times of loads count from their own start, those of histories are of the wall. */
const FORMATS = {
  jhist: "history",
  rumen: "history",
  "sls-jobs": "load",
  "sls-synthetic": "load",
  "rm-apps": "history",
  "sls-nodes": null,
  "rumen-topology": null,
  "rm-nodes": null,
} as const;

const ALLOWED =
  "job histories (.jhist), traces of Rumen, jobs, nodes and synthetic loads of SLS, applications and nodes of the resource manager (JSON)";

const SPARK_READS = "; npx bide import spark reads it";

/** Drawn tasks of all loads: each has a place of its own, and so a row. */
const MOST_DRAWN = 2_000_000;

/**
 * Reads all files, one after the other.
 * @throws InputError for a file that cannot be read or is none of these, for one without a job or node, and for loads
 * beside histories.
 */
export async function readHadoopRecords(
  paths: readonly string[],
  { signal, onProgress }: ReadRecordsOptions = {},
): Promise<HadoopReading> {
  const files = paths.map(fileOf);
  const clocks = files.map(({ key }) => FORMATS[key]);
  const [history, load] = [clocks.indexOf("history"), clocks.indexOf("load")];
  if (history >= 0 && load >= 0) {
    const message = `is a load whose times count from its start, and ${quote(paths[history])} has times of the wall; import them one by one`;
    throw fileProblem(paths[load], message);
  }
  const total = sumOver(files, ({ bytes }) => bytes);
  const reading = new HadoopReading();
  const loads: LoadOfFile[] = [];
  let done = 0;
  // The first record of a job in several files counts: a history has its tasks, a list of applications only their sum.
  const inOrder = [...files.filter(({ key }) => key !== "rm-apps"), ...files.filter(({ key }) => key === "rm-apps")];
  for (const file of inOrder) {
    const before = done;
    await readFile(file, reading, loads, (bytes) => {
      signal?.throwIfAborted();
      done = before + bytes;
      onProgress?.(Math.min(1, done / Math.max(1, total)));
    });
    done = before + file.bytes;
    reading.read.files++;
  }
  await drawLoads(loads, reading, signal);
  if (reading.jobs.length === 0) {
    throw new InputError(paths.map((file) => problemOf(file, "has no job; at least one of the files must have one")));
  }
  return reading;
}

/** Tasks ask for nodes: those of a list, else those that the load itself has. */
async function drawLoads(
  loads: readonly LoadOfFile[],
  reading: HadoopReading,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (loads.length === 0) return;
  if (reading.nodes.length === 0) reading.nodes.push(...loads[0].load.nodes);
  const { tasks: tasksBefore } = reading.read;
  const refuse = (path: string, tasks: number): never => {
    const actual = `its distributions come to about ${grouped(tasks)} tasks with all files beside it`;
    throw fileProblem(path, `${actual}, expected at most ${grouped(MOST_DRAWN)}, as each task is a row`);
  };
  let expected = 0;
  for (const { load, path } of loads) {
    expected += expectedTasks(load);
    if (expected > MOST_DRAWN) refuse(path, expected);
  }
  for (const { load, path } of loads) {
    for (const job of drawnJobs(load, reading.nodes, reading.jobs.length, reading)) {
      addJob(job, path, reading);
      // Draws may come to more than their means say.
      if (reading.read.tasks - tasksBefore > MOST_DRAWN) refuse(path, reading.read.tasks - tasksBefore);
      if (reading.jobs.length % JOBS_PER_PAUSE === 0) {
        await nextTurn();
        signal?.throwIfAborted();
      }
    }
    reading.guessed.push(
      `jobs of ${path} are drawn by the stream of its rand_seed ${load.seed}: of the same distributions as in SLS, not number by number`,
    );
  }
  reading.guessed.push(
    "times of drawn tasks are seconds, as SLS's page and samples have them; SLS 3.4 runs the same numbers as ms",
  );
}

const JOBS_PER_PAUSE = 1000;

/** A load whose jobs are drawn once all nodes are known. */
interface LoadOfFile {
  readonly load: SyntheticLoad;
  readonly path: string;
}

interface RecordFile {
  readonly path: string;
  readonly bytes: number;
  readonly key: keyof typeof FORMATS;
  readonly isPacked: boolean;
}

function fileOf(path: string): RecordFile {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) {
      const isRolling = stats.isDirectory() && ROLLING_LOG.test(basename(path));
      const shown = isRolling ? "a rolling event log of Spark" : stats.isDirectory() ? "a folder" : "no file";
      throw fileProblem(path, mismatch(shown, ALLOWED + (isRolling ? SPARK_READS : "")));
    }
    if (stats.size === 0) throw fileProblem(path, `is empty, expected ${ALLOWED}`);
    const head = headOf(path);
    const trace = foreignTrace(head, path);
    if (trace !== null && Object.hasOwn(FORMATS, trace.key)) {
      return { path, bytes: stats.size, key: trace.key as keyof typeof FORMATS, isPacked: trace.isPacked };
    }
    const text = head.toString("latin1", 0, 4096);
    const use =
      trace?.key === "spark"
        ? SPARK_READS
        : /<(?:apps|nodes)>/.test(text)
          ? "; the resource manager answers with JSON where the request says Accept: application/json"
          : "";
    const shown = trace?.description ?? `text that begins with ${quote(head.toString("latin1", 0, 60).split("\n")[0])}`;
    throw fileProblem(path, mismatch(shown, ALLOWED + use));
  } catch (error) {
    throw unreadable(error, path);
  }
}

/** @param onRead receives the number of bytes read so far. */
async function readFile(
  { path, key, isPacked }: RecordFile,
  reading: HadoopReading,
  loads: LoadOfFile[],
  onRead: (bytes: number) => void,
): Promise<void> {
  const taker = key === "jhist" ? historyTaker(path, reading) : valueTaker(path, key, reading, loads);
  const take = pastByteOrderMark(taker.take);
  try {
    const raw = createReadStream(path, { highWaterMark: 1 << 18 });
    // A truncated file is read up to its end; the readers of lines and objects report the place.
    const pieces = isPacked ? raw.pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })) : raw;
    raw.once("error", (error) => pieces.destroy(error));
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      onRead(raw.bytesRead);
      take(piece);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isPacked && (code === "Z_DATA_ERROR" || code === "Z_BUF_ERROR")) {
      reading.leftOut.push(`${path}: its gzip data is broken; what comes before was read`);
    } else throw unreadable(error, path);
  }
  taker.end();
}

interface Taker {
  readonly take: (piece: Buffer) => void;
  readonly end: () => void;
}

function historyTaker(path: string, reading: HadoopReading): Taker {
  const history = new JobHistory(path, reading);
  return {
    take: (piece) => {
      history.take(piece);
    },
    end: () => {
      const job = history.end();
      if (job !== null) addJob(job, path, reading);
    },
  };
}

function addJob(job: HadoopJob, path: string, reading: HadoopReading): void {
  reading.read.jobs++;
  if (reading.ids.has(job.id)) {
    reading.count("leftOut", "repeated job", ": the first counts");
    reading.example(path, 0, `${job.id} again`);
    return;
  }
  reading.ids.add(job.id);
  reading.jobs.push({ ...job, file: path });
}

/** Handlers of the objects of each format. */
const OBJECTS: Readonly<
  Record<
    Exclude<keyof typeof FORMATS, "jhist">,
    (value: Json, reading: HadoopReading, put: (load: SyntheticLoad) => void) => readonly HadoopJob[] | null
  >
> = {
  rumen: (value, reading) => [rumenJob(value, reading)],
  "rumen-topology": (value, reading) => {
    rumenTopology(value, reading);
    return null;
  },
  "sls-jobs": slsJob,
  "sls-synthetic": (value, reading, put) => {
    put(syntheticLoad(value, reading));
    return null;
  },
  "rm-apps": listedApplications,
  "rm-nodes": (value, reading) => {
    listedNodes(value, reading);
    return null;
  },
  "sls-nodes": (value, reading) => {
    slsNodes(value, reading);
    return null;
  },
};

function valueTaker(
  path: string,
  key: Exclude<keyof typeof FORMATS, "jhist">,
  reading: HadoopReading,
  loads: LoadOfFile[],
): Taker {
  let used = 0;
  const put = (load: SyntheticLoad) => {
    loads.push({ load, path });
  };
  const bad = (line: number, message: string) => {
    reading.count("leftOut", "object", "in which something is missing or impossible");
    reading.example(path, line, message);
  };
  const values = new JsonValues({
    take: (text, line) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (error) {
        bad(line, `is no JSON (${(error as Error).message.slice(0, 100)})`);
        return;
      }
      try {
        for (const job of OBJECTS[key](value as Json, reading, put) ?? []) addJob(job, path, reading);
        used++;
      } catch (error) {
        if (!(error instanceof Unusable)) throw error;
        bad(line, error.message);
      }
    },
    tooLong: (line) => {
      bad(line, "is longer than can be held");
    },
    stray: (text, line) => {
      bad(line, `found ${quote(text)} between objects`);
    },
  });
  return {
    take: (piece) => {
      values.take(piece);
    },
    end: () => {
      if (!values.end()) reading.leftOut.push(`${path}: its last object is cut; what comes before was read`);
      if (used > 0) return;
      const why = reading.examples.length === 0 ? "" : ` (${reading.examples[0].replace("such as ", "")})`;
      throw fileProblem(path, `has no whole object that can be used${why}, expected ${ALLOWED}`);
    },
  };
}

function unreadable(error: unknown, path: string): unknown {
  return asReadError(error, path, (reason) => `cannot be read (${reason}), expected ${ALLOWED}`);
}
