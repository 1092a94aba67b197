import {
  type DecisionLogFile,
  type ExplainedJob,
  nearest,
  printable,
  quote,
  type StageRow,
  fileProblem,
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
  if (jobs.length === 0)
    throw fileProblem(folder, "found a run without jobs, allowed one in which jobs were submitted");
  const chosen = jobs.filter(({ group }) => wanted === undefined || isIn(group, wanted));
  if (typed === undefined || chosen.length > 0) return chosen;
  const groups = [...new Set(known.map(({ group }) => group))].sort((a, b) => (a < b ? -1 : 1));
  if (groups.length === 0)
    throw fileProblem(folder, "found a run whose jobs were all refused, allowed one with jobs that ran");
  throw fileProblem(option, `found ${quote(typed)}, allowed ${listed(groups)}${didYouMean(typed, groups)}`);
}

/** By rank or, where it is no number, by name. */
export function jobNamed(jobs: readonly ExplainedJob[], text: string, option: string): ExplainedJob {
  const byRank = /^[0-9]{1,10}$/.test(text) ? jobs[Number(text)] : undefined;
  const named = byRank === undefined ? jobs.filter(({ name }) => name === text) : [byRank];
  if (named.length === 1) return named[0];
  if (named.length > 1) {
    const ranks = listed(named.map(({ job }) => String(job)));
    throw fileProblem(
      option,
      `found ${quote(text)}, the name of ${String(named.length)} jobs, allowed one number: ${ranks}`,
    );
  }
  if (jobs.length === 0) throw fileProblem(option, `found ${quote(text)}, allowed none: no job was submitted`);
  const range = jobs.length === 1 ? "0" : `0 to ${String(jobs.length - 1)}`;
  const near = didYouMean(
    text,
    jobs.map(({ name }) => name),
  );
  throw fileProblem(option, `found ${quote(text)}, allowed ${range} or the name of a job${near}`);
}

const MOST_LISTED = 20;

/** The first 20 names, and the number of the others. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_LISTED).map((name) => printable(name));
  return names.length > MOST_LISTED
    ? `${shown.join(", ")} and ${String(names.length - MOST_LISTED)} more`
    : shown.join(", ");
}

/** A suggestion for the end of a message: the name most like the text, if any is near. */
function didYouMean(text: string, names: readonly string[]): string {
  const near = nearest(text, names);
  return near === undefined ? "" : `; did you mean ${quote(near)}?`;
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
  const choices = (matches.length > 0 ? matches : stages).map(({ job, number }) => `${String(job)}/${String(number)}`);
  const problem =
    matches.length > 0 ? `found ${quote(text)}, a stage of ${String(matches.length)} jobs` : `found ${quote(text)}`;
  throw fileProblem("--stage", `${problem}, allowed JOB/STAGE: ${listed(choices)}`);
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
  const jobWords = `job ${String(job.job)} (${printable(job.name)})`;
  if (known.length === 0)
    throw fileProblem("--stage", `found ${quote(text)}, allowed none: no stage of ${jobWords} came`);
  const match = known.find(({ number }) => String(number) === text) ?? known.find(({ name }) => name === text);
  if (match !== undefined) return match;
  const stages = known.map(({ number, name }) => `${String(number)} (${name})`);
  const near = didYouMean(
    text,
    known.map(({ name }) => name),
  );
  throw fileProblem("--stage", `found ${quote(text)}, allowed of ${jobWords} ${listed(stages)}${near}`);
}
