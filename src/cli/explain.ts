import { sumOver } from "../core/kernel/index.js";
import {
  type DecisionLogFile,
  type DecisionRow,
  type ExplainedJob,
  fileProblem,
  type InputError,
  jsonText,
  printable,
  quote,
  readDecisionLog,
  readExplainedRun,
  readMapLaunchUs,
  readPreemptionLog,
  type StageRow,
  mismatch,
} from "../io/index.js";
import {
  addedShares,
  type ExplainedWait,
  explainJob,
  explainJobs,
  explainPoolReport,
  explainReport,
  explainStage,
  explainStagesReport,
  explainWait,
  isSkewed,
  isWhole,
  type LaunchedMap,
  preemptionShares,
  preemptionText,
} from "../report/index.js";
import { HFS_NO_PREEMPTION } from "../core/platforms/hadoop/index.js";
import type { RecordWords, WaitWords } from "../core/record/index.js";
import { type ExplainCommandOptions, isIn, jobAndStage, jobNamed, jobsOf, stageNamed } from "./explain-choice.js";
import { print, stdoutPaint } from "./printing.js";

interface ExplainedRun {
  readonly folder: string;
  readonly words: RecordWords;
  readonly options: ExplainCommandOptions;
}

/**
 * `bide explain`: why a job, a map, or the jobs of a pool waited; of platforms whose jobs have stages, where the time
 * of a stage, a job, the jobs of a group, or all of them went.
 */
export async function explain(folder: string, options: ExplainCommandOptions): Promise<void> {
  const { words, waits } = readExplainedRun(folder);
  const names = ["job", waits === null ? "task" : "stage", words.group.one].map((name) => `--${name}`);
  const either = `${names[0]}, ${names[1]} or ${names[2]}`;
  const chosenOptions = (["job", "stage", "task", "pool", "queue"] as const).filter(
    (name) => options[name] !== undefined,
  );
  for (const name of chosenOptions) {
    if (!names.includes(`--${name}`))
      throw fileProblem(`--${name}`, `is not for a run of ${words.platform}, which takes ${either}`);
  }
  if (chosenOptions.length > 1 || (waits === null && chosenOptions.length === 0)) {
    const verb = waits === null ? "needs" : "takes at most";
    throw fileProblem("bide explain", `${verb} one of ${either}`);
  }
  const run = { folder, words, options };
  return waits === null ? explainWaits(run) : explainStages(run, waits);
}

async function show({ json }: ExplainCommandOptions, text: string, figures: object): Promise<void> {
  await print(json === true ? jsonText(figures) : text);
}

const jobText = ({ job, name }: Pick<ExplainedJob, "job" | "name">) => `job ${job} (${printable(name)})`;

function gapAt(folder: string, subject: string): InputError {
  return fileProblem(folder, `the decision log has a gap at ${subject}; decisions.parquet is not as bide run wrote it`);
}

async function explainWaits({ folder, words, options }: ExplainedRun): Promise<void> {
  const { job, task, pool, chain = false } = options;
  if (pool !== undefined && chain) throw fileProblem("--chain", "goes with --job or --task, not with --pool");
  const log = await readDecisionLog<DecisionRow>(folder, words, null);
  const poolOf = (rank: number) => log.jobs[rank]?.group ?? "?";
  const waitOf = (known: ExplainedJob, map: LaunchedMap | null): ExplainedWait => {
    const rows = log.rowsOf(known.job);
    const wait = explainWait(known, map, rows, poolOf);
    if (wait === null) {
      if (known.tasks === 0) throw fileProblem(folder, `${jobText(known)} has no maps`);
      const why = rows.length === 0 ? "its pool refused it" : "its set-up never ended";
      throw fileProblem(folder, `${jobText(known)} never reached the scheduler: ${why}`);
    }
    if (!isWhole(wait.shares, wait.waitUs)) throw gapAt(folder, jobText(known));
    return wait;
  };
  const paint = stdoutPaint();
  if (pool === undefined) {
    const [name, map] = task === undefined ? [job ?? "", null] : splitTask(task);
    const known = jobNamed(log.jobs, name, task === undefined ? "--job" : "--task");
    if (map !== null && map >= known.tasks) {
      throw fileProblem("--task", mismatch(`map ${map}`, mapsWords(known)));
    }
    const launched = map === null ? null : { task: map, launchUs: await readMapLaunchUs(folder, known.job, map) };
    const wait = waitOf(known, launched);
    const { chain: rows, ...shares } = wait;
    const figures = { name: known.name, pool: known.group, ...shares, ...(chain ? { chain: rows } : {}) };
    return show(options, explainReport(known, wait, chain, poolOf, paint), figures);
  }
  const scheduledJobs = log.jobs.filter((known) => log.rowsOf(known.job).length > 0);
  const jobs = jobsOf(folder, log.jobs, pool, "--pool", pool, scheduledJobs);
  const waits = jobs.filter((known) => scheduledJobs.includes(known)).map((known) => waitOf(known, null));
  if (waits.length === 0) {
    throw fileProblem("--pool", `all jobs of ${quote(pool)} have no maps or were refused`);
  }
  const preempted = (await readPreemptionLog(folder, words)).filter(({ group }) => isIn(group, pool));
  const preemption = preemptionShares(preempted, HFS_NO_PREEMPTION);
  const lines = preemptionText(preemption, HFS_NO_PREEMPTION, words.group.one, paint);
  const waitUs = sumOver(waits, (wait) => wait.waitUs);
  const waitedJobs = waits.map(({ job: number, waitUs: us, launched }) => ({ job: number, waitUs: us, launched }));
  const poolFigures = { pool, jobs: waitedJobs, waitUs, shares: addedShares(waits), preemption };
  return show(options, explainPoolReport(pool, waits, paint, lines), poolFigures);
}

function splitTask(text: string): [string, number] {
  const match = /^(.+)\/([0-9]{1,9})$/.exec(text);
  if (match === null) throw fileProblem("--task", `expected JOB/MAP, for example 3/12, found ${quote(text)}`);
  return [match[1], Number(match[2])];
}

function mapsWords({ tasks, job }: ExplainedJob): string {
  if (tasks === 0) return `no map; job ${job} has none`;
  return tasks === 1 ? "0" : `0 to ${tasks - 1}`;
}

async function explainStages(run: ExplainedRun, waits: WaitWords): Promise<void> {
  const { folder, words, options } = run;
  const log = await readDecisionLog<StageRow>(folder, words, waits);
  const jobOf = (job: number) => jobText(log.jobs[job] ?? { job, name: "?" });
  const terms = { words, waits, jobOf };
  const paint = stdoutPaint();
  const [wanted, stage] = options.stage === undefined ? [options.job] : jobAndStage(log, options.stage);
  if (wanted === undefined) return explainGroup(run, log, terms);
  const known = jobNamed(log.jobs, wanted, stage === undefined ? "--job" : "--stage");
  const { job, name, group } = known;
  const { one: groupWord } = words.group;
  const whole = `${jobOf(job).slice(0, -1)}, ${groupWord} ${printable(group)})`;
  const chosen = stage === undefined ? undefined : stageNamed(known, log, stage);
  const rows = log.rowsOf(job);
  const explained = chosen === undefined ? explainJob(known, rows, waits) : explainStage(known, chosen.number, rows);
  if (explained === null || !isWhole(explained.shares, explained.us)) throw gapAt(folder, whole);
  const subject = chosen === undefined ? whole : `stage ${chosen.number} (${printable(chosen.name)}) of ${whole}`;
  const stages = chosen === undefined ? explained.parts.map((part) => part.stage) : [chosen.number];
  const skewed = stages.flatMap((number) => {
    const tasks = number === null ? undefined : log.tasksOf(job, number);
    if (tasks === undefined || !isSkewed(tasks)) return [];
    return [{ stage: chosen === undefined ? `stage ${String(number)}` : "the stage", number, tasks }];
  });
  const { chain, ...figures } = explained;
  const withChain = options.chain === true;
  await show(options, explainStagesReport(subject, explained, terms, { withChain, skewed, paint }), {
    job,
    name,
    [groupWord]: group,
    ...(chosen === undefined ? {} : { stage: chosen.number, stageName: chosen.name }),
    ...figures,
    skew: skewed.map(({ number, tasks }) => ({ stage: number, ...tasks })),
    ...(withChain ? { chain } : {}),
  });
}

async function explainGroup(
  { folder, words, options }: ExplainedRun,
  log: DecisionLogFile<StageRow>,
  terms: Parameters<typeof explainStagesReport>[2],
): Promise<void> {
  const { one: groupWord } = words.group;
  const typed = options.queue ?? options.pool;
  const wanted = typed === undefined ? undefined : groupNamed(log.jobs, typed);
  const jobs = jobsOf(folder, log.jobs, wanted, `--${groupWord}`, typed);
  if (options.chain === true) throw fileProblem("--chain", "goes with --job or --stage");
  const longest = jobs.map((known) => {
    const explained = explainJob(known, log.rowsOf(known.job), terms.waits);
    if (!isWhole(explained.shares, explained.us)) throw gapAt(folder, jobText(known));
    return { job: jobText(known), number: known.job, explained };
  });
  const total = explainJobs(longest.map(({ explained }) => explained));
  const countWords = jobs.length === 1 ? "1 job" : `${jobs.length} jobs`;
  const subject = wanted === undefined ? countWords : `${countWords} of ${groupWord} ${printable(wanted)}`;
  const preemptionRows = wanted === undefined ? [] : await readPreemptionLog(folder, words);
  const preemption = preemptionShares(preemptionRows.filter(({ group }) => isIn(group, wanted ?? "")));
  const { shares, launches, us, hasEnded } = total;
  await show(options, explainStagesReport(subject, total, terms, { longest, preemption, paint: stdoutPaint() }), {
    ...(wanted === undefined ? {} : { [groupWord]: wanted }),
    us,
    hasEnded,
    jobs: longest.map(({ number, explained }) => ({ job: number, us: explained.us, hasEnded: explained.hasEnded })),
    shares,
    launches,
    ...(preemption.length === 0 ? {} : { preemption }),
  });
}

/** The full name of a group. The root that all groups share may be left out: `ads.web` is `root.ads.web`. */
function groupNamed(jobs: readonly ExplainedJob[], name: string): string {
  const [root] = (jobs[0]?.group ?? "").split(".");
  const isKnown = jobs.some(({ group }) => isIn(group, name)) || !jobs.every(({ group }) => isIn(group, root));
  return isKnown ? name : `${root}.${name}`;
}
