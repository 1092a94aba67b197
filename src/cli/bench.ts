import { definedFields } from "../core/kernel/index.js";
import type { BenchReport } from "../experiments/index.js";
import { benchText, readBench, checkEnding, checkNewReport, writeWholeFile } from "../io/index.js";
import {
  BENCHES,
  type BenchOptions,
  type DecisionChoices,
  decisionPoint,
  type DecisionCase,
  type DecisionKind,
} from "../lab/index.js";
import { benchReport } from "../report/index.js";

import type { WaitSpec } from "../core/scenario/index.js";
import { interruptible } from "./interrupt.js";
import { print, stdoutPaint } from "./printing.js";
import { tell } from "./terminal.js";

export interface BenchCommandOptions extends DecisionCommandOptions {
  readonly runs?: number;
  /** Microseconds. */
  readonly span?: number;
  readonly only?: string;
  readonly frames?: number;
  readonly json?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  readonly quiet?: boolean;
}

/** `bide bench NAME`: what cannot be written is refused before anything is measured. */
export async function bench(name: string, options: BenchCommandOptions): Promise<void> {
  if (options.out !== undefined) {
    checkEnding("--out", options.out, "json");
    checkNewReport(options.out, options.force === true);
  }
  const decisions = decisionChoices(options);
  const report = await interruptible((signal) => measured(name, { ...benchOptions(options), decisions, signal }));
  const text = benchText(report);
  if (options.out !== undefined) {
    writeWholeFile(options.out, text, options.force === true);
    if (options.quiet !== true) tell(`Figures written to ${options.out}\n`);
  }
  await print(options.json === true ? text : benchReport(report, stdoutPaint()));
}

/** `bide bench show`: tables of stored figures. */
export async function showBench(files: readonly string[]): Promise<void> {
  const reports = files.map(readBench);
  await print(reports.map((report) => benchReport(report, stdoutPaint())).join("\n"));
}

async function measured(name: string, options: BenchOptions): Promise<BenchReport> {
  const entry = BENCHES.find((bench) => bench.name === name);
  if (entry === undefined) throw new Error(`there is no benchmark ${name}`);
  return (await entry.load())(options);
}

function benchOptions({ runs, span, only, frames, quiet }: BenchCommandOptions): BenchOptions {
  return {
    ...definedFields({ runs, spanUs: span, only, frames }),
    onProgress: (line) => {
      if (quiet !== true) tell(`${line}\n`);
    },
  };
}

/** Options of `bide bench decisions` beside those of other benchmarks. */
export interface DecisionCommandOptions {
  readonly grid?: boolean;
  readonly nodes?: number;
  readonly slots?: Pick<DecisionCase, "mapSlots" | "reduceSlots">;
  readonly jobs?: number;
  readonly pools?: number;
  readonly maps?: number;
  readonly reduces?: number;
  readonly kind?: readonly DecisionKind[];
  readonly wait?: WaitSpec;
  readonly tasksPerHeartbeat?: number;
  readonly updateInterval?: number;
  readonly warmups?: number;
  readonly seed?: string;
  readonly hgrm?: string;
  readonly force?: boolean;
}

/** @throws InputError when the options together are no experiment. */
export function decisionChoices(options: DecisionCommandOptions): DecisionChoices {
  const { grid, warmups, seed, hgrm, force, slots: ofNodes = {} } = options;
  const { nodes, jobs, pools, maps, reduces, kind: kinds = [undefined], wait: waitSpec, tasksPerHeartbeat } = options;
  const sizes = { nodes, jobs, pools, maps, reduces, wait: waitSpec, tasksPerHeartbeat };
  const changes = { ...sizes, ...ofNodes, updateIntervalUs: options.updateInterval };
  return {
    ...definedFields({ grid, warmups, seed, hgrm, force }),
    ...(grid === true ? {} : { points: kinds.map((kind) => decisionPoint(definedFields({ ...changes, kind }))) }),
  };
}
