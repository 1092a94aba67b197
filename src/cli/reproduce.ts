import { sumOver } from "../core/kernel/index.js";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { isHadoop, type Scenario } from "../core/scenario/index.js";
import {
  nullAnswer,
  judge,
  type PointName,
  pointIndex,
  type PublishedRow,
  type SweepPlan,
  type SweepRecord,
} from "../experiments/index.js";
import {
  checkRows,
  chosenRows,
  PUBLISHED,
  readPublished,
  scorecardOf,
  checkEnding,
  checkNewFile,
  writeWholeFile,
  loadSweep,
  SweepFolder,
} from "../io/index.js";
import { FORMULAS, type PlannedSweep, planSweep, type SweepProgress, sweepInto } from "../lab/index.js";
import { allowedWords, publishedWords, scorecardMarkdown, scorecardText, counted, textTable } from "../report/index.js";
import { EndedBadly, EXIT } from "./exit-codes.js";
import { interruptible } from "./interrupt.js";
import { shellWord } from "./option-values.js";
import { printEnd, stdoutPaint } from "./printing.js";
import { startSweepProgress } from "./progress.js";
import { stdoutColumns, tell } from "./terminal.js";

export interface ReproduceCommandOptions {
  readonly list?: boolean;
  readonly quick?: boolean;
  /** A file in place of the package's. */
  readonly published?: string;
  readonly threads?: number;
  readonly out: string;
  readonly markdown?: string;
  /** An HTML page. */
  readonly report?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** A sweep that rows need. */
interface Experiment {
  readonly name: string;
  readonly text: string;
  readonly planned: PlannedSweep;
}

/** `bide reproduce`: what cannot be read or written is refused before the first run; a missed row is a result. */
export async function reproduce(words: readonly string[], options: ReproduceCommandOptions): Promise<void> {
  const { published = PUBLISHED, markdown, report: page } = options;
  checkFiles(options);
  const read = readPublished(published);
  const chosen = chosenRows(read.rows, words, options.quick === true);
  if (options.list === true) {
    await listRows(chosen, options);
    return;
  }
  const experiments = sweepsOf(chosen).map((name) => experimentAt(published, name));
  const plans = new Map<string, SweepPlan>(experiments.map(({ name, planned }) => [name, planned.stored.plan]));
  checkRows({ ...read, rows: read.rows.map((row) => (chosen.includes(row) ? row : without(row))) }, plans);
  const { records, failed } = await runAll(experiments, options);
  const rows = judge(chosen, records, FORMULAS, nullAnswers(chosen, experiments));
  const scorecard = scorecardOf(rows);
  const width = stdoutColumns() ?? 160;
  await printEnd(options.json, scorecard, () => scorecardText(rows, stdoutPaint(), width));
  // Behind the figures: a full disk does not hide them.
  const force = options.force === true;
  if (markdown !== undefined) writeWholeFile(markdown, scorecardMarkdown(rows, commandLine(words, options)), force);
  if (page !== undefined) {
    const { scorecardPage } = await import("../report/html-report.js");
    writeWholeFile(page, scorecardPage(scorecard.rows), force);
    if (options.quiet !== true) tell(`Page written to ${page}\n`);
  }
  if (failed > 0) {
    throw new EndedBadly(
      EXIT.runsFailed,
      `${counted(failed, "run")} failed; bide results ${shellWord(options.out)}/SWEEP says why`,
    );
  }
}

/** Refuses files that cannot be written. */
function checkFiles({ markdown, report: page, force = false }: ReproduceCommandOptions): void {
  if (markdown !== undefined) {
    checkEnding("--markdown", markdown, "md");
    checkNewFile(markdown, force);
  }
  if (page !== undefined) {
    checkEnding("--report", page, "html");
    checkNewFile(page, force);
  }
}

/** A row whose sweep is not read is not checked against it. */
function without(row: PublishedRow): PublishedRow {
  return { ...row, measurement: null };
}

function sweepsOf(rows: readonly PublishedRow[]): string[] {
  const names = rows.flatMap(({ measurement }) =>
    measurement === null || "formula" in measurement ? [] : [measurement.sweep],
  );
  return [...new Set(names)];
}

function experimentAt(published: string, name: string): Experiment {
  const loaded = loadSweep(join(dirname(published), `${name}.yaml`));
  return { name, text: loaded.text, planned: planSweep(loaded, []) };
}

/** The null model's answers to the rows, by their ids. */
function nullAnswers(rows: readonly PublishedRow[], experiments: readonly Experiment[]): Map<string, number> {
  const scenarioAt = (sweep: string, point: PointName): Scenario | null => {
    const planned = experiments.find(({ name }) => name === sweep)?.planned;
    const index = planned === undefined ? null : pointIndex(planned.stored.plan, point);
    const scenario = planned === undefined || index === null ? null : planned.taskOf(index, 0).scenario;
    return scenario !== null && isHadoop(scenario) ? scenario : null;
  };
  return new Map(
    rows.flatMap((row) => {
      const value = nullAnswer(row, scenarioAt);
      return value === null ? [] : [[row.id, value] as const];
    }),
  );
}

/**
 * Every sweep in a folder of its own; runs that are there, and whose code and scenario are still the same, are not
 * repeated.
 */
async function runAll(
  experiments: readonly Experiment[],
  options: ReproduceCommandOptions,
): Promise<{ readonly records: ReadonlyMap<string, SweepRecord>; readonly failed: number }> {
  const records = new Map<string, SweepRecord>();
  if (experiments.length === 0) return { records, failed: 0 };
  const { RunPool } = await import("../lab/sweep/run-executor.js");
  const display = await startSweepProgress(options.quiet === true);
  const pool = new RunPool(options.threads ?? availableParallelism());
  const runsOf = ({ planned: { stored } }: Experiment) => stored.plan.points.length * stored.plan.replications;
  let otherRuns = sumOver(experiments, (experiment) => runsOf(experiment));
  let before = { ended: 0, failed: 0, endedHere: 0 };
  try {
    await interruptible(
      async (signal) => {
        for (const experiment of experiments) {
          const { name, text, planned } = experiment;
          otherRuns -= runsOf(experiment);
          const path = join(options.out, name);
          const folder = SweepFolder.open({ path, resume: true, force: true, text, stored: planned.stored });
          try {
            const onProgress = ({ ended, failed, running, total, endedHere }: SweepProgress): void => {
              display.update({
                ended: before.ended + ended,
                failed: before.failed + failed,
                running,
                total: before.ended + total + otherRuns,
                endedHere: before.endedHere + endedHere,
              });
            };
            const end = await sweepInto(folder, planned, pool, { signal, onProgress });
            const { ended, failed, endedHere } = end.progress;
            before = {
              ended: before.ended + ended,
              failed: before.failed + failed,
              endedHere: before.endedHere + endedHere,
            };
            records.set(name, end.record);
          } finally {
            folder.close();
          }
        }
      },
      () => `finished runs are kept in ${options.out}; the same command goes on`,
    );
  } finally {
    display.stop();
    await pool.close();
  }
  return { records, failed: before.failed };
}

async function listRows(rows: readonly PublishedRow[], { json }: ReproduceCommandOptions): Promise<void> {
  const cells = rows.map((row) => [
    ...[row.id, row.kind, `${row.confidence}/5`, row.isQuick ? "quick" : ""],
    ...[publishedWords(row.published, row.unit), allowedWords(row)],
    ...[row.measurement === null ? "-" : "formula" in row.measurement ? "formula" : row.measurement.sweep, row.what],
  ]);
  const heads = ["row", "kind", "source", "", "published", "we allow", "measured by", "what"];
  const width = stdoutColumns() ?? 160;
  await printEnd(
    json,
    { format: "bide-published", version: 1, rows },
    () => `${textTable([heads, ...cells], () => true, width).join("\n")}\n`,
  );
}

function commandLine(words: readonly string[], { quick, markdown = "" }: ReproduceCommandOptions): string {
  const parts = [...words, ...(quick === true ? ["--quick"] : []), `--markdown ${shellWord(markdown)}`, "--force"];
  return `npx bide reproduce ${parts.join(" ")}`;
}
