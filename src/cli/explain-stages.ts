import type { RecordWords, WaitWords } from "../core/record/index.js";
import type { InputError } from "../io/index.js";
import {
  jsonText,
  printable,
  quote,
  readPreemptionLog,
  readStageLog,
  type StagedJob,
  type StageLogFile,
  type StageTaskTimes,
} from "../io/index.js";
import {
  type ExplainedStages,
  explainJob,
  explainJobs,
  explainStage,
  explainStagesReport,
  isSkewed,
  preemptionShares,
  type PreemptionShare,
  isAllExplained,
} from "../report/index.js";
import { didYouMean, type ExplainCommandOptions, jobNamed, listed, refusal } from "./explain-choice.js";
import { print, stdoutPaint } from "./printing.js";

/** `bide explain` of a platform whose stages wait: of a stage, a job, the jobs of a group, or all of them. */
export async function explainStages(
  folder: string,
  run: { readonly words: RecordWords; readonly waits: WaitWords },
  options: ExplainCommandOptions,
): Promise<void> {
  const { words, waits } = run;
  refuseOthersWords(words, options);
  const log = await readStageLog(folder, words, waits);
  const jobOf = (job: number): string => `job ${String(job)} (${printable(log.jobs[job]?.name ?? "?")})`;
  const report = (
    who: string,
    explained: ExplainedStages,
    longest: readonly { readonly job: string; readonly explained: ExplainedStages }[] = [],
    skewed: readonly SkewedStage[] = [],
    preemption: readonly PreemptionShare[] = [],
  ): string => {
    const more = { withChain: options.chain === true, longest, skewed, preemption, paint: stdoutPaint() };
    return explainStagesReport(who, explained, { words, waits, jobOf }, more);
  };
  const [job, stage] = options.stage === undefined ? [options.job] : jobAndStage(log, options.stage);
  if (job === undefined) return printJobs(folder, run, log, options, jobOf, report);
  const found = jobNamed(log.jobs, job, stage === undefined ? "--job" : "--stage");
  const { name, group } = found;
  const own = `${jobOf(found.job).slice(0, -1)}, ${words.group.one} ${printable(group)})`;
  const of = stage === undefined ? { number: null, name: null } : stageNamed(found, log, stage);
  const rows = log.rowsOf(found.job);
  const explained = of.number === null ? explainJob(found, rows, waits) : explainStage(found, of.number, rows);
  if (explained === null || !isAllExplained(explained)) throw gapAt(folder, own);
  const who = of.number === null ? own : `stage ${String(of.number)} (${printable(of.name)}) of ${own}`;
  const stages = of.number === null ? explained.parts.map((part) => part.stage) : [of.number];
  const skewed = stages.flatMap((number) => {
    const tasks = number === null ? undefined : log.tasksOf(found.job, number);
    if (tasks === undefined || !isSkewed(tasks)) return [];
    const title = of.number === null ? `stage ${String(number)}` : "the stage";
    return [{ stage: title, number, tasks }];
  });
  if (options.json !== true) return print(report(who, explained, [], skewed));
  const { chain, ...told } = explained;
  const skew = skewed.map(({ number, tasks }) => ({ stage: number, ...tasks }));
  const stageOf = of.number === null ? {} : { stage: of.number, stageName: of.name };
  const about = { job: found.job, name, [words.group.one]: group, ...stageOf };
  await print(jsonText({ ...about, ...told, skew, ...(options.chain === true ? { chain } : {}) }));
}

type Report = (
  who: string,
  explained: ExplainedStages,
  longest?: readonly { readonly job: string; readonly explained: ExplainedStages }[],
  skewed?: readonly SkewedStage[],
  preemption?: readonly PreemptionShare[],
) => string;

interface SkewedStage {
  readonly stage: string;
  readonly tasks: StageTaskTimes;
}

async function printJobs(
  folder: string,
  { words, waits }: { readonly words: RecordWords; readonly waits: WaitWords },
  log: StageLogFile,
  options: ExplainCommandOptions,
  jobOf: (job: number) => string,
  report: Report,
): Promise<void> {
  if (log.jobs.length === 0) {
    throw refusal(folder, "found a run without jobs, allowed one in which jobs were submitted");
  }
  const { one } = words.group;
  const given = one === "queue" ? options.queue : options.pool;
  const wanted = given === undefined ? undefined : groupNamed(log, given);
  const jobs = log.jobs.filter(({ group }) => wanted === undefined || isIn(group, wanted));
  if (jobs.length === 0) {
    const groups = [...new Set(log.jobs.map(({ group }) => group))].sort((a, b) => (a < b ? -1 : 1));
    throw refusal(
      `--${one}`,
      `found ${quote(given ?? "")}, allowed ${listed(groups)}${didYouMean(given ?? "", groups)}`,
    );
  }
  if (options.chain === true) throw refusal("--chain", "found no --job and no --stage, allowed one of them");
  const each = jobs.map((job) => {
    const explained = explainJob(job, log.rowsOf(job.job), waits);
    if (!isAllExplained(explained)) throw gapAt(folder, jobOf(job.job));
    return { job: jobOf(job.job), number: job.job, explained };
  });
  const all = explainJobs(each.map(({ explained }) => explained));
  const many = jobs.length === 1 ? "1 job" : `${String(jobs.length)} jobs`;
  const who = wanted === undefined ? many : `${many} of ${one} ${printable(wanted)}`;
  const taken = wanted === undefined ? [] : await readPreemptionLog(folder, words);
  const preemption = preemptionShares(taken.filter(({ group }) => isIn(group, wanted ?? "")));
  if (options.json !== true) return print(report(who, all, each, [], preemption));
  const { shares, launches, us, hasEnded } = all;
  const told = each.map(({ number, explained }) => ({ job: number, us: explained.us, hasEnded: explained.hasEnded }));
  await print(
    jsonText({
      ...(wanted === undefined ? {} : { [one]: wanted }),
      us,
      hasEnded,
      jobs: told,
      shares,
      launches,
      ...(preemption.length === 0 ? {} : { preemption }),
    }),
  );
}

function isIn(group: string, parent: string): boolean {
  return group === parent || group.startsWith(`${parent}.`);
}

/** Where all groups are below one, that need not be said: `ads.web` is `root.ads.web`. */
function groupNamed({ jobs }: StageLogFile, name: string): string {
  const [root] = jobs[0].group.split(".");
  const isKnown = jobs.some(({ group }) => isIn(group, name)) || !jobs.every(({ group }) => isIn(group, root));
  return isKnown ? name : `${root}.${name}`;
}

function gapAt(folder: string, who: string): InputError {
  return refusal(folder, `found a decision log with a gap at ${who}, allowed decisions.parquet as bide run wrote it`);
}

/** What means something to runs of other platforms only, and more than one of those that say whose time it is. */
function refuseOthersWords({ platform, group: { one } }: RecordWords, options: ExplainCommandOptions): void {
  const allowed = ["job", "stage", one];
  const given = (["job", "stage", "task", "pool", "queue"] as const).filter((name) => options[name] !== undefined);
  const words = `--job, --stage or --${one}`;
  for (const name of given) {
    if (!allowed.includes(name)) throw refusal(`--${name}`, `found a run of ${platform}, allowed ${words}`);
  }
  if (given.length > 1) throw refusal("bide explain", `found more than one of ${words}, allowed one of them or none`);
}

/** `3/1`, `etl/join`, or a stage alone where one job has it. */
function jobAndStage(log: StageLogFile, text: string): [string, string] {
  const at = text.lastIndexOf("/");
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  const stages = log.jobs.flatMap(({ job }) => knownStages(log, job).map((stage) => ({ job, ...stage })));
  // A name first: an import names a stage by Spark's own number, which counts over all jobs.
  const byName = stages.filter(({ name }) => name === text);
  const found = byName.length > 0 ? byName : stages.filter(({ number }) => String(number) === text);
  if (found.length === 1) return [String(found[0].job), String(found[0].number)];
  const choices = (found.length > 0 ? found : stages).map(({ job, number }) => `${String(job)}/${String(number)}`);
  const which =
    found.length > 0 ? `found ${quote(text)}, a stage of ${String(found.length)} jobs` : `found ${quote(text)}`;
  throw refusal("--stage", `${which}, allowed JOB/STAGE: ${listed(choices)}`);
}

/** Those that came, in order. */
function knownStages(log: StageLogFile, job: number): readonly { readonly number: number; readonly name: string }[] {
  const names = new Map<number, string>();
  for (const { stage, stageName } of log.rowsOf(job)) if (stage !== null) names.set(stage, stageName ?? "");
  return [...names].sort(([a], [b]) => a - b).map(([number, name]) => ({ number, name }));
}

/** By number or, where it is no number of a stage, by name. */
function stageNamed(
  job: StagedJob,
  log: StageLogFile,
  text: string,
): { readonly number: number; readonly name: string } {
  const known = knownStages(log, job.job);
  const who = `job ${String(job.job)} (${printable(job.name)})`;
  if (known.length === 0) throw refusal("--stage", `found ${quote(text)}, allowed none: no stage of ${who} came`);
  const found = known.find(({ number }) => String(number) === text) ?? known.find(({ name }) => name === text);
  if (found !== undefined) return found;
  const stages = known.map(({ number, name }) => `${String(number)} (${name})`);
  const near = didYouMean(
    text,
    known.map(({ name }) => name),
  );
  throw refusal("--stage", `found ${quote(text)}, allowed of ${who} ${listed(stages)}${near}`);
}
