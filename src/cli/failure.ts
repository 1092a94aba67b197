import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import type { RackFailure } from "../actors/index.js";
import { PluginError, thrownWords } from "../core/platforms/hadoop/index.js";
import { bideVersion, PACKAGE_ROOT, InputError, printable } from "../io/index.js";
import { EndedBadly, EXIT, SIGNAL_EXIT } from "./exit-codes.js";
import { Interrupted, watchEarly } from "./interrupt.js";
import { tell } from "./terminal.js";

const STOPPED = "bide: the run was stopped; no results were written\n";

export interface Failure {
  readonly exitCode: number;
  /** For stderr, ends with a newline. */
  readonly text: string;
}

/** By name: every command loads this file, and the class comes with the rack actors. */
function isRackFailure(error: unknown): error is RackFailure {
  return error instanceof Error && error.name === "RackFailure";
}

/** The message for the user, and the exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof InputError) return { exitCode: EXIT.badInput, text: `${error.message}\n` };
  if (error instanceof Interrupted) return { exitCode: SIGNAL_EXIT[error.signal], text: `bide: ${error.message}\n` };
  if (error instanceof EndedBadly) return { exitCode: error.exitCode, text: `bide: ${error.message}\n` };
  if (error instanceof PluginError) {
    return { exitCode: EXIT.badInput, text: `${printable(error.message)}\n${STOPPED}` };
  }
  if (isRackFailure(error)) {
    return {
      exitCode: EXIT.rackDied,
      text: `bide: ${error.message}\n${STOPPED}`,
    };
  }
  const blame = pluginBlame(error);
  if (blame !== null) return { exitCode: EXIT.badInput, text: `${printable(blame)}\n${STOPPED}` };
  const limit = limitReached(error);
  if (limit !== null) return { exitCode: EXIT.rackDied, text: `bide: ${limit}; the command was stopped\n` };
  return { exitCode: EXIT.fault, text: faultText(error) };
}

/** Error codes of the operating system for an exhausted resource. */
const SYSTEM_LIMITS = new Set(["EMFILE", "ENFILE", "ENOSPC", "EDQUOT", "ENOMEM", "EAGAIN"]);

/** The exhausted resource of this machine, or limit of this process; null: it is another error. */
function limitReached(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code = "" } = error as NodeJS.ErrnoException;
  // The messages of V8 about memory outside its heap.
  if (error instanceof RangeError && /^Array buffer allocation failed|^Invalid typed array length/.test(error.message))
    return "not enough memory for the tables of the run; a smaller workload or cluster needs less";
  if (code === "ERR_WORKER_INIT_FAILED") return "no more threads or processes (ulimit -u)";
  return SYSTEM_LIMITS.has(code) ? error.message : null;
}

function faultText(error: unknown): string {
  const trace = error instanceof Error ? inSources(error.stack ?? error.message) : String(error);
  const where = `bide ${bideVersion()}, Node ${process.version}, ${process.platform} ${process.arch}`;
  const plugin = hasPlugins ? ", unless a plugin has changed what the language brings" : "";
  return [
    `bide: unexpected fault; this is a bug in Bide, not in what it was given${plugin}`,
    trace,
    `Please report it with the command, the scenario and the lines above (${where}).`,
    "",
  ].join("\n");
}

/** A place in Bide's compiled code, as traces name it: the file below the folder of the package, line and column. */
const COMPILED = /(?:file:\/\/)?\/[^\s():]*\/((?:bundle|dist)\/[^\s():]+\.js):(\d+):(\d+)/g;

/**
 * A trace with the places in the sources instead. Without maps, or where none can be read, those of the compiled code
 * stay.
 */
function inSources(trace: string): string {
  const maps = new Map<string, SourceMap | null>();
  return trace.replace(COMPILED, (place, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, mapOf(file));
    const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !("originalSource" in entry)) return place;
    const source = entry.originalSource.replace(/^(\.\.\/)+/, "");
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function mapOf(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${PACKAGE_ROOT}${file}.map`, "utf8")) as SourceMapPayload);
  } catch {
    return null;
  }
}

/**
 * Reports an unforeseen end of a command: by an uncaught exception, or because a plugin's code ended the process.
 * @returns call it when the command is over.
 */
export function watchOver(): () => void {
  watchEarly();
  process.on("uncaughtException", (error) => {
    const { exitCode, text } = failureOf(error);
    tell(text);
    process.exit(exitCode);
  });
  let isOver = false;
  process.on("exit", (exitCode) => {
    // Without this, one that ended the process with 0 would look like a run that went well.
    if (isOver || exitCode !== EXIT.ok) return;
    process.exitCode = EXIT.badInput;
    tell("bide: a plugin ended the process in the midst of a command; no results were written\n");
  });
  return () => {
    isOver = true;
  };
}

/** Bide's own code; plugins may lie beside it. */
const OWN = ["bin/", "bundle/", "dist/"].map((folder) => `${PACKAGE_ROOT}${folder}`);

let hasPlugins = false;

/** From now on there is code that is not Bide's. Call it before plugins are loaded. */
export function watchPlugins(): void {
  hasPlugins = true;
}

/** The plugin's part in an error that Bide did not expect; null: none, as far as is known. */
function pluginBlame(error: unknown): string | null {
  if (!hasPlugins) return null;
  const paths = framesOf(error);
  const ofPlugin = paths.find(
    (path) => !path.includes("/node_modules/") && !OWN.some((folder) => path.startsWith(folder)),
  );
  // A value thrown without a trace is not Bide's: it throws errors only.
  if (ofPlugin === undefined && paths.length > 0) return null;
  const from = ofPlugin === undefined ? "" : ` from ${ofPlugin}`;
  return `a plugin: something was thrown while no hook was called, or a promise was rejected that nobody waits for (${thrownWords(error)})${from}; hooks decide at once, without timers and promises`;
}

/** Files of the trace, without Node's own. */
function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return [...stack.matchAll(/(?:\(|at |async )(?:file:\/\/)?(\/[^\s()]+:\d+:\d+)/g)].map(([, path]) => path);
}
