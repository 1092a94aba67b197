import {
  printable,
  quote,
  type DecisionLogFile,
  type ExplainedJob,
  readDecisionLog,
  readExplainedRun,
  readMapLaunchUs,
  readPreemptionLog,
  jsonText,
} from "../io/index.js";
import {
  addedShares,
  type ExplainedWait,
  explainPoolReport,
  explainReport,
  explainWait,
  isWhole,
  type LaunchedMap,
  preemptionShares,
  preemptionText,
} from "../report/index.js";
import { HFS_NO_PREEMPTION } from "../core/platforms/hadoop/index.js";
import type { RecordWords } from "../core/record/index.js";
import { didYouMean, type ExplainCommandOptions, jobNamed, listed, refusal } from "./explain-choice.js";
import { print, stdoutPaint } from "./printing.js";

/**
 * `bide explain`: why a job, a map, or the jobs of a pool waited; of platforms whose jobs have stages, where their time
 * went.
 */
export async function explain(folder: string, options: ExplainCommandOptions): Promise<void> {
  const { words, waits } = readExplainedRun(folder);
  if (waits !== null) {
    const { explainStages } = await import("./explain-stages.js");
    return explainStages(folder, { words, waits }, options);
  }
  for (const name of ["stage", "queue"] as const) {
    if (options[name] !== undefined) {
      throw refusal(`--${name}`, `found a run of ${words.platform}, allowed --job, --task or --pool`);
    }
  }
  const { job, task, pool, chain = false } = options;
  if ([job, task, pool].filter((one) => one !== undefined).length !== 1) {
    const given = [job, task, pool].every((one) => one === undefined) ? "none" : "more than one";
    throw refusal("bide explain", `found ${given} of --job, --task and --pool, allowed one of them`);
  }
  if (pool !== undefined && chain) throw refusal("--chain", "found --pool, allowed --job or --task");
  const log = await readDecisionLog(folder);
  const poolOf = (rank: number): string => log.jobs[rank]?.pool ?? "?";
  if (pool !== undefined) return printPool(folder, words, log, pool, options);
  const [name, map] = task === undefined ? [job ?? "", null] : splitTask(task);
  const found = jobNamed(log.jobs, name, task === undefined ? "--job" : "--task");
  if (map !== null && map >= found.maps) {
    throw refusal("--task", `found map ${String(map)}, allowed ${mapsWords(found)}`);
  }
  const launched = map === null ? null : { task: map, launchUs: await readMapLaunchUs(folder, found.job, map) };
  const wait = waitOf(folder, log, found, launched);
  const { chain: rows, ...shares } = wait;
  if (options.json !== true) return print(explainReport(found, wait, chain, poolOf, stdoutPaint()));
  const { name: jobName, pool: jobPool } = found;
  await print(jsonText({ name: jobName, pool: jobPool, ...shares, ...(chain ? { chain: rows } : {}) }));
}

async function printPool(
  folder: string,
  words: RecordWords,
  log: DecisionLogFile,
  pool: string,
  options: ExplainCommandOptions,
): Promise<void> {
  const isIn = (name: string): boolean => name === pool || name.startsWith(`${pool}.`);
  const jobs = log.jobs.filter((job) => isIn(job.pool));
  if (log.jobs.length === 0)
    throw refusal(folder, "found a run without jobs, allowed one in which jobs were submitted");
  if (jobs.length === 0) {
    const waited = log.jobs.filter((job) => log.rowsOf([job.job]).length > 0);
    const pools = [...new Set(waited.map((job) => job.pool))].sort((a, b) => (a < b ? -1 : 1));
    if (pools.length === 0)
      throw refusal(folder, "found a run whose jobs were all refused, allowed one with jobs that ran");
    throw refusal("--pool", `found ${quote(pool)}, allowed ${listed(pools)}${didYouMean(pool, pools)}`);
  }
  const waits = jobs.flatMap((job) => {
    const rows = log.rowsOf([job.job]);
    return rows.length === 0 ? [] : [waitOf(folder, log, job, null)];
  });
  if (waits.length === 0) {
    throw refusal("--pool", `found ${quote(pool)}, whose jobs have no maps or were refused, allowed a pool with maps`);
  }
  const taken = (await readPreemptionLog(folder, words)).filter(({ group }) => isIn(group));
  const preemption = preemptionShares(taken, HFS_NO_PREEMPTION);
  const paint = stdoutPaint();
  const lines = preemptionText(preemption, HFS_NO_PREEMPTION, words.group.one, paint);
  if (options.json !== true) return print(explainPoolReport(pool, waits, paint, lines));
  const waitUs = waits.reduce((sum, wait) => sum + wait.waitUs, 0);
  const each = waits.map(({ job, waitUs: us, launched }) => ({ job, waitUs: us, launched }));
  await print(jsonText({ pool, jobs: each, waitUs, shares: addedShares(waits), preemption }));
}

function waitOf(folder: string, log: DecisionLogFile, job: ExplainedJob, map: LaunchedMap | null): ExplainedWait {
  const rows = log.rowsOf([job.job]);
  const wait = explainWait(job, map, rows, (rank) => log.jobs[rank]?.pool ?? "?");
  const who = `job ${String(job.job)} (${printable(job.name)})`;
  if (wait === null) {
    if (job.maps === 0) throw refusal(folder, `found ${who} without maps, allowed a job with maps`);
    const why = rows.length === 0 ? "which was refused by its pool" : "whose set-up never ended";
    throw refusal(folder, `found ${who}, ${why}, allowed a job that the scheduler took`);
  }
  if (!isWhole(wait)) {
    throw refusal(folder, `found a decision log with a gap at ${who}, allowed decisions.parquet as bide run wrote it`);
  }
  return wait;
}

function splitTask(text: string): [string, number] {
  const match = /^(.+)\/([0-9]{1,9})$/.exec(text);
  if (match === null) throw refusal("--task", `found ${quote(text)}, allowed JOB/MAP, for example 3/12`);
  return [match[1], Number(match[2])];
}

function mapsWords({ maps, job }: ExplainedJob): string {
  if (maps === 0) return `none: job ${String(job)} has no maps`;
  return maps === 1 ? "0" : `0 to ${String(maps - 1)}`;
}
