import { alphabetical, namesOf } from "../core/kernel/index.js";
import {
  type DecisionLogFile,
  type ExplainedJob,
  printable,
  quote,
  type StageRow,
  fileProblem,
  mismatch,
  notThere,
  someOf,
  didYouMean,
} from "../io/index.js";

export interface ExplainCommandOptions {
  readonly job?: string;
  readonly task?: string;
  readonly pool?: string;
  /** Of platforms whose jobs have stages, and whose groups are queues. */
  readonly stage?: string;
  readonly queue?: string;
  readonly chain?: boolean;
  readonly json?: boolean;
}

export function isIn(group: string, parent: string): boolean {
  return group === parent || group.startsWith(`${parent}.`);
}

/** Those of a group, or all. @param typed what the user calls it. @param known jobs whose groups may be named. */
export function jobsOf(
  folder: string,
  jobs: readonly ExplainedJob[],
  wanted: string | undefined,
  option: string,
  typed = wanted,
  known = jobs,
): readonly ExplainedJob[] {
  if (jobs.length === 0) throw fileProblem(folder, "no job was submitted in this run");
  const chosen = jobs.filter(({ group }) => wanted === undefined || isIn(group, wanted));
  if (typed === undefined || chosen.length > 0) return chosen;
  const groups = [...new Set(known.map(({ group }) => group))].sort(alphabetical);
  if (groups.length === 0) throw fileProblem(folder, "all jobs of this run were refused");
  throw notThere(option, typed, groups);
}

/** By rank or, where it is no number, by name. */
export function jobNamed(jobs: readonly ExplainedJob[], text: string, option: string): ExplainedJob {
  const byRank = /^[0-9]{1,10}$/.test(text) ? jobs[Number(text)] : undefined;
  const named = byRank === undefined ? jobs.filter(({ name }) => name === text) : [byRank];
  if (named.length === 1) return named[0];
  if (named.length > 1) {
    const ranks = someOf(named.map(({ job }) => String(job)));
    throw fileProblem(option, `${quote(text)} is the name of ${named.length} jobs; give the number of one: ${ranks}`);
  }
  if (jobs.length === 0) throw fileProblem(option, `there is no job ${quote(text)}: no job was submitted`);
  const range = jobs.length === 1 ? "0" : `0 to ${jobs.length - 1}`;
  const near = didYouMean(text, namesOf(jobs));
  throw fileProblem(option, mismatch(quote(text), `${range} or the name of a job${near}`));
}

/** The job and the stage of `3/1` or `etl/join`. A stage alone is enough if only one job has it. */
export function jobAndStage(log: DecisionLogFile<StageRow>, text: string): [string, string] {
  const slash = text.lastIndexOf("/");
  if (slash > 0 && slash < text.length - 1) return [text.slice(0, slash), text.slice(slash + 1)];
  const stages = log.jobs.flatMap(({ job }) => knownStages(log, job).map((stage) => ({ job, ...stage })));
  // A name first: an import names a stage by Spark's own number, which counts over all jobs.
  const byName = stages.filter(({ name }) => name === text);
  const matches = byName.length > 0 ? byName : stages.filter(({ number }) => String(number) === text);
  if (matches.length === 1) return [String(matches[0].job), String(matches[0].number)];
  const choices = (matches.length > 0 ? matches : stages).map(({ job, number }) => `${job}/${number}`);
  const actual = quote(text) + (matches.length > 0 ? `, a stage of ${matches.length} jobs` : "");
  throw fileProblem("--stage", mismatch(actual, `JOB/STAGE, one of ${someOf(choices)}`));
}

/** The stages of the job in the log, by number. */
function knownStages(
  log: DecisionLogFile<StageRow>,
  job: number,
): readonly { readonly number: number; readonly name: string }[] {
  const names = new Map<number, string>();
  for (const { stage, stageName } of log.rowsOf(job)) if (stage !== null) names.set(stage, stageName ?? "");
  return [...names].sort(([a], [b]) => a - b).map(([number, name]) => ({ number, name }));
}

/** The stage of the job with this number or, if there is none, with this name. */
export function stageNamed(
  job: ExplainedJob,
  log: DecisionLogFile<StageRow>,
  text: string,
): { readonly number: number; readonly name: string } {
  const known = knownStages(log, job.job);
  const jobWords = `job ${job.job} (${printable(job.name)})`;
  if (known.length === 0)
    throw fileProblem("--stage", `there is no stage ${quote(text)}: no stage of ${jobWords} was submitted`);
  const match = known.find(({ number }) => String(number) === text) ?? known.find(({ name }) => name === text);
  if (match !== undefined) return match;
  const stages = known.map(({ number, name }) => `${number} (${name})`);
  const near = didYouMean(text, namesOf(known));
  throw fileProblem("--stage", mismatch(quote(text), `a stage of ${jobWords}, one of ${someOf(stages)}${near}`));
}
