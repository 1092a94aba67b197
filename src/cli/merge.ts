import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { SweepFolder, joinParts, type JoinedParts, fileProblem } from "../io/index.js";
import { counted, grouped } from "../report/index.js";
import { interruptible } from "./interrupt.js";
import { printEnd } from "./printing.js";
import { tell } from "./terminal.js";

export interface MergeCommandOptions {
  readonly out: string;
  readonly partial?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `bide merge`: parts of a sweep become its folder. */
export async function merge(folders: readonly string[], options: MergeCommandOptions): Promise<void> {
  const { out } = options;
  if (folders.some((folder) => placeOf(folder) === placeOf(out))) {
    throw fileProblem("--out", `${out} is one of the parts; name another folder`);
  }
  const joined = joinParts(folders);
  const { rows, missing, whereMissing } = joined;
  const gaps = [`${counted(missing, "run")} of ${grouped(rows.length + missing)} missing`, ...whereMissing];
  if (missing > 0 && options.partial !== true) {
    throw fileProblem("bide merge", `${gaps.join("\n  ")}\n--partial merges without them`);
  }
  const tables = await interruptible((signal) => write(joined, options, signal));
  if (tables !== null && options.quiet !== true) tell(`note: no Parquet tables were written: ${tables}\n`);
  if (missing > 0 && options.quiet !== true) tell(`note: ${gaps.join("\n  ")}\n`);
  const { name, points } = joined.stored.plan;
  const counts = { points: points.length, folder: out, parts: folders.length, runs: rows.length, missing };
  await printEnd(
    options.json,
    { format: "bide-merge-end", version: 1, sweep: name, ...counts },
    () => `${name}: ${counted(rows.length, "run")} of ${counted(folders.length, "part")} in ${out}\n`,
  );
}

/** The target of a path, links followed, whether it exists or not. */
function placeOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** @returns why there are no tables, or null. */
async function write(
  { stored, text, rows, series }: JoinedParts,
  { out, force }: MergeCommandOptions,
  signal: AbortSignal,
): Promise<string | null> {
  const folder = SweepFolder.open({ path: out, resume: false, force: force === true, text, stored });
  const close = () => {
    folder.close();
  };
  process.once("exit", close);
  try {
    for (const row of rows) {
      signal.throwIfAborted();
      const samples = series.get(row.key);
      if (samples !== undefined) folder.adoptSeries(row.key, samples);
      await folder.record(row);
    }
    return await folder.finish(signal);
  } finally {
    close();
    process.off("exit", close);
  }
}
