import { sweepResults } from "../../experiments/index.js";
import { InputError, type Diagnostic } from "../input-error.js";
import type { RunTable } from "../results/run-tables.js";
import type { SqlQuestion, SqlReply } from "./ask-sweep.js";
import { type AnswerPage, SweepDatabase } from "./sweep-database.js";
import { numberedPoints, pointTables, sweepTables } from "./sweep-tables.js";

/*
 * The process of the database, which `askSweep` starts, watches and kills. It receives one question and sends
 * a page of the answer on each request: pages that are not read are never computed.
 */

let pages: AsyncGenerator<AnswerPage> | null = null;

process.on("message", (message: SqlQuestion | "next") => {
  void (message === "next" ? next() : begin(message)).then(reply, (error: unknown) => {
    reply({ kind: "failed", ...described(error) });
  });
});
// The process that asked is gone.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

async function begin({ data, series, memoryBytes, ask }: SqlQuestion): Promise<SqlReply> {
  const database = await SweepDatabase.open(tablesOf(data), series, memoryBytes);
  if (data.kind === "files") await database.readFiles(data.files);
  await database.lock();
  if (ask.kind === "copy") {
    pages = copied(async () => database.copy(ask.sql, ask.name, ask.path));
  } else {
    pages = database.query(ask.sql, ask.name, ask.form);
  }
  return { kind: "ready", residentBytes: process.memoryUsage.rss() };
}

function tablesOf(data: SqlQuestion["data"]): RunTable[] {
  switch (data.kind) {
    case "points":
      return [numberedPoints(data.results)];
    case "sweep":
      return [...sweepTables(data.record), ...pointTables(sweepResults(data.record))];
    case "files":
      return [];
  }
}

async function next(): Promise<SqlReply> {
  const step = await pages?.next();
  return step === undefined || step.done === true ? { kind: "end" } : { kind: "page", page: step.value };
}

async function* copied(work: () => Promise<void>): AsyncGenerator<AnswerPage> {
  await work();
  yield { rows: [] };
}

function described(error: unknown): { diagnostics: readonly Diagnostic[] | null; message: string } {
  if (error instanceof InputError) return { diagnostics: error.diagnostics, message: "" };
  return { diagnostics: null, message: error instanceof Error ? error.message : String(error) };
}

function reply(message: SqlReply): void {
  process.send?.(message);
}
