import { join, resolve } from "node:path";
import { heldUnit } from "../core/record/index.js";
import { formatTime } from "../core/kernel/index.js";
import {
  readRunTrace,
  type RunTrace,
  type TraceChoice,
  checkEnding,
  checkNewFile,
  checkNewReport,
  writeWholePieces,
  fileProblem,
} from "../io/index.js";
import { counted, grouped, traceJson } from "../report/index.js";
import { interruptible } from "./interrupt.js";
import { print, printPieces } from "./printing.js";
import { STDOUT, tell } from "./terminal.js";

export interface TraceCommandOptions extends Omit<TraceChoice, "most"> {
  readonly out?: string;
  readonly force?: boolean;
  readonly all?: boolean;
  readonly quiet?: boolean;
}

/** Attempts that a trace has without --all: a file of about 50 MB. */
const MOST_ATTEMPTS = 200_000;

/** `bide trace`: the attempts of a run for Perfetto. */
export async function trace(folder: string, options: TraceCommandOptions): Promise<void> {
  const usual = join(folder, "trace.json");
  const { out = usual, force = false, all: isWhole, from = 0, to = Infinity } = options;
  if (to <= from) {
    throw fileProblem("--to", `${formatTime(to)} is not after --from, ${formatTime(from)}`);
  }
  checkEnding("--out", out, "json");
  // Elsewhere in a folder of Bide, it would be in the place of results.
  if (resolve(out) === resolve(usual)) checkNewFile(out, force);
  else if (out !== STDOUT) checkNewReport(out, force);
  const maxAttempts = isWhole === true ? Infinity : MOST_ATTEMPTS;
  await interruptible(async (signal) => {
    const trace = await readRunTrace(folder, { ...options, maxAttempts }, signal);
    if (options.quiet !== true) for (const note of leftOut(trace)) tell(`note: ${note}\n`);
    const pieces = abortable(traceJson(trace), signal);
    await (out === STDOUT ? printPieces(pieces) : writeWholePieces(out, pieces, force));
  });
  if (out !== STDOUT) await print(`${out}\n`);
}

/** The omissions of the trace, in words. */
function leftOut({ summary, attempts, total, groups, moreGroups }: RunTrace): string[] {
  const notes: string[] = [];
  const { group } = summary.words;
  if (total === 0) notes.push("no attempt is drawn: none ran that was asked for");
  const rows = attempts.length;
  if (rows < total) {
    const last = formatTime(attempts.at(-1)?.launchUs ?? 0);
    const rule = `the first ${grouped(rows)} of ${grouped(total)} attempts are drawn, up to the launch at ${last}`;
    notes.push(`${rule}; --all draws all, --job, --pool, --rack, --from and --to choose`);
  }
  if (moreGroups > 0) {
    const shown = `counters show the ${groups.length} ${group.many} that held most ${heldUnit(summary.words).many}`;
    notes.push(`${shown}; ${counted(moreGroups, `other ${group.one}`)} not, unless --pool names one`);
  }
  return notes;
}

async function* abortable(pieces: Iterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    // A signal arrives between two turns of the event loop.
    await new Promise(setImmediate);
    signal.throwIfAborted();
  }
}
