import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SweepRecord, SweepResults } from "../../experiments/index.js";
import { InputError, type Diagnostic, fileProblem } from "../input-error.js";
import type { TableFile } from "../results/run-folder.js";
import { makeWholeFile } from "../results/whole-file.js";
import { formatDuration, formatSize } from "../scenario/units.js";
import type { AnswerPage, CellForm } from "./sweep-database.js";
import { SWEEP_FILES } from "./sweep-folder.js";

/** Limits of a query; beyond them its process is killed. */
export interface SqlLimits {
  readonly memoryBytes: number;
  /** Time spent on the answer, without the time of its reader. */
  readonly timeoutUs: number;
}

export const SQL_LIMITS: SqlLimits = { memoryBytes: 2 ** 30, timeoutUs: 300e6 };

/** The question that the database process is started for. */
export interface SqlQuestion {
  readonly data:
    | { readonly kind: "sweep"; readonly record: SweepRecord }
    | { readonly kind: "points"; readonly results: SweepResults }
    | { readonly kind: "files"; readonly files: readonly TableFile[] };
  /** Folder of the samples of all runs, which become the table `samples`. */
  readonly series: string | null;
  readonly memoryBytes: number;
  readonly ask:
    | { readonly kind: "query"; readonly sql: string; readonly name: string; readonly form: CellForm }
    | { readonly kind: "copy"; readonly sql: string; readonly name: string; readonly path: string };
}

export type SqlReply =
  | { readonly kind: "ready"; readonly residentBytes: number }
  | { readonly kind: "page"; readonly page: AnswerPage }
  | { readonly kind: "end" }
  | { readonly kind: "failed"; readonly diagnostics: readonly Diagnostic[] | null; readonly message: string };

/** A sweep in its folder. */
export interface AskedSweep {
  readonly folder: string;
  readonly record: SweepRecord;
}

/** A run in its folder. */
interface AskedRun {
  readonly files: readonly TableFile[];
}

const LIST_TABLES =
  'SELECT table_name AS "table", column_name AS "column", data_type AS "type" FROM duckdb_columns() WHERE NOT internal ORDER BY table_oid, column_index';

/**
 * Answers SQL over `runs`, `costs`, `points`, `estimates` and, of a sweep with series, `samples`, or over the tables of
 * a run, page by page; null lists tables and columns. The database runs in a process of its own, which is killed when
 * it exceeds a limit, is aborted, or the reader stops.
 * @throws InputError with the database's own words, or the limit; `signal.reason` when aborted.
 */
export function askSweep(
  sweep: AskedSweep | AskedRun,
  sql: string | null,
  form: CellForm,
  limits: SqlLimits,
  signal?: AbortSignal,
): AsyncGenerator<AnswerPage> {
  const name = sql === null ? "--tables" : "--sql";
  const question = { kind: "query", sql: sql ?? LIST_TABLES, name, form } as const;
  return answer(questionOf(sweep, question, limits), limits, signal);
}

/** Writes the answer as a Parquet file, whole or not at all. @throws InputError, also when the disk refuses. */
export async function exportAnswer(
  sweep: AskedSweep | AskedRun,
  sql: string,
  target: { readonly path: string; readonly force: boolean },
  limits: SqlLimits,
  signal?: AbortSignal,
): Promise<void> {
  await makeWholeFile(target.path, target.force, async (path) => {
    const question = { kind: "copy", sql, name: "--sql", path } as const;
    for await (const _ of answer(questionOf(sweep, question, limits), limits, signal));
  });
}

/** Indices of the points for which a condition over the columns of `numberedPoints` holds. @throws InputError */
export async function pointsWhere(
  results: SweepResults,
  condition: string,
  limits: SqlLimits,
  signal?: AbortSignal,
): Promise<ReadonlySet<number>> {
  if (condition.trim() === "") {
    throw fileProblem("--where", "expected a condition such as W1_seconds > 5");
  }
  // The line end closes what may be a comment.
  const sql = `SELECT point FROM points WHERE (${condition}\n)`;
  const ask = { kind: "query", sql, name: "--where", form: "text" } as const;
  const { memoryBytes } = limits;
  const kept = new Set<number>();
  const question: SqlQuestion = { data: { kind: "points", results }, series: null, memoryBytes, ask };
  for await (const { rows } of answer(question, limits, signal)) for (const [point] of rows) kept.add(Number(point));
  return kept;
}

function questionOf(target: AskedSweep | AskedRun, ask: SqlQuestion["ask"], { memoryBytes }: SqlLimits): SqlQuestion {
  if ("files" in target) {
    // Attempts are many: a table is read only when the query may ask for it.
    const wantsAll = ask.name === "--tables" || /show|duckdb_|pragma_|describe|summar/i.test(ask.sql);
    const files = target.files.filter(({ name }) => wantsAll || ask.sql.toLowerCase().includes(name));
    return { data: { kind: "files", files }, series: null, memoryBytes, ask };
  }
  const { folder, record } = target;
  const series = join(folder, SWEEP_FILES.series);
  // Samples are many: they are read only when the query asks for them.
  const wantsSamples = ask.name === "--tables" || /samples/i.test(ask.sql);
  const hasSamples = wantsSamples && record.plan.series && existsSync(series);
  return { data: { kind: "sweep", record }, series: hasSamples ? series : null, memoryBytes, ask };
}

async function* answer(question: SqlQuestion, limits: SqlLimits, signal?: AbortSignal): AsyncGenerator<AnswerPage> {
  const database = new WatchedDatabase(question.ask.name, limits, signal);
  try {
    let reply = await database.reply(question);
    for (;;) {
      switch (reply.kind) {
        case "ready":
          database.watch(reply.residentBytes);
          break;
        case "page":
          yield reply.page;
          break;
        case "end":
          return;
        case "failed":
          if (reply.diagnostics === null) throw new Error(reply.message);
          throw new InputError(reply.diagnostics.map((diagnostic) => withLimit(diagnostic, limits)));
      }
      reply = await database.reply("next");
    }
  } finally {
    database.end();
  }
}

/** The database's own words for its limit, which the user knows by the option. */
function withLimit(diagnostic: Diagnostic, limits: SqlLimits): Diagnostic {
  if (!/^Out of Memory Error|^Failed to append: could not allocate/.test(diagnostic.message)) return diagnostic;
  return { ...diagnostic, message: tooMuchMemory(limits) };
}

function tooMuchMemory({ memoryBytes }: SqlLimits): string {
  return `needs more than ${formatSize(memoryBytes)} of memory, the limit that --sql-memory sets; let the query give less, or raise the limit`;
}

/** Memory of the process beyond that of the query: for rows in transit, until Node collects them. */
const ROOM_BYTES = 2 ** 28;
const WATCH_EVERY_MS = 50;
const MIB = 2 ** 20;

/** The process of the database, killed as soon as it uses more than it may. */
class WatchedDatabase {
  private readonly child: ChildProcess;
  private readonly stop = new AbortController();
  private readonly kill = () => {
    this.child.kill("SIGKILL");
  };
  private watching: NodeJS.Timeout | undefined;
  private usedMs = 0;

  constructor(
    private readonly name: string,
    private readonly limits: SqlLimits,
    private readonly signal: AbortSignal | undefined,
  ) {
    signal?.throwIfAborted();
    const heapMiB = Math.ceil((limits.memoryBytes + 2 * ROOM_BYTES) / MIB) + 1024;
    this.child = fork(fileURLToPath(new URL("./sql-process.js", import.meta.url)), [], {
      // Only the answer of a query reaches the terminal.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
      execArgv: [`--max-old-space-size=${heapMiB}`],
    });
    this.child.once("exit", (code, ended) => {
      const how = `${name.slice(2)} ended its process (${ended ?? `exit code ${String(code)}`})`;
      const limit = formatSize(limits.memoryBytes);
      this.stop.abort(this.problem(`${how} without an answer; the limit of memory is ${limit}`));
    });
    process.once("exit", this.kill);
  }

  /** Sends a message, and waits for what comes back. @throws InputError at a limit, or when the process has died. */
  async reply(message: SqlQuestion | "next"): Promise<SqlReply> {
    const startMs = performance.now();
    const late = AbortSignal.timeout(Math.max(0, Math.ceil(this.limits.timeoutUs / 1000 - this.usedMs)));
    const signals = [late, this.stop.signal, ...(this.signal === undefined ? [] : [this.signal])];
    try {
      const answered = once(this.child, "message", { signal: AbortSignal.any(signals) });
      this.child.send(message, () => undefined);
      const [reply] = (await answered) as [SqlReply];
      return reply;
    } catch (error) {
      this.signal?.throwIfAborted();
      this.stop.signal.throwIfAborted();
      const limit = formatDuration(this.limits.timeoutUs);
      if (late.aborted) throw this.problem(`took longer than ${limit}, the limit that --sql-timeout sets`);
      throw this.problem(`found no process for the database (${(error as Error).message})`);
    } finally {
      this.usedMs += performance.now() - startMs;
    }
  }

  /** @param residentBytes of the process with the sweep in it, before the query. */
  watch(residentBytes: number): void {
    const maxBytes = residentBytes + this.limits.memoryBytes + ROOM_BYTES;
    this.watching = setInterval(() => {
      if (residentBytesOf(this.child.pid) <= maxBytes) return;
      this.stop.abort(this.problem(tooMuchMemory(this.limits)));
      this.kill();
    }, WATCH_EVERY_MS);
  }

  end(): void {
    clearInterval(this.watching);
    process.off("exit", this.kill);
    this.child.on("error", () => undefined);
    this.kill();
  }

  private problem(message: string): InputError {
    return fileProblem(this.name, message);
  }
}

/** Resident memory of a process; 0 if it is unknown or the process has ended. */
function residentBytesOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    if (process.platform === "linux") {
      const kib = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      return Number(kib ?? 0) * 1024;
    }
    return Number(spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim()) * 1024;
  } catch {
    return 0;
  }
}
