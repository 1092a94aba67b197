import type { Shard } from "../experiments/index.js";
import { fileProblem, type InputError, quote, mismatch } from "../io/index.js";
import { MAX_SHARDS } from "./option-values.js";

interface ShardChoice {
  readonly shard: Shard;
  /** The choice in words, for the user. */
  readonly words: string;
}

interface ShardOptions {
  readonly shard?: string;
  readonly shards?: number;
}

/**
 * The part of a sweep that `--shard` asks for; null: all of it.
 * @throws InputError naming the option or the variable that makes no sense.
 */
export function shardChoice({ shard: text, shards }: ShardOptions, env: NodeJS.ProcessEnv): ShardChoice | null {
  if (text === undefined) return null;
  if (text === "auto") return automaticShard(shards, env);
  const match = /^(\d{1,7})\/(\d{1,7})$/.exec(text);
  const shard = match === null ? null : { index: Number(match[1]), count: Number(match[2]) };
  if (shard === null || shard.index < 1 || shard.index > shard.count || shard.count > MAX_SHARDS) {
    throw fileProblem("--shard", mismatch(quote(text), "i/n with i from 1 to n, such as 2/8, or auto"));
  }
  return { shard, words: words(shard) };
}

/** `-part-2-of-8`, for the name of a folder; nothing for a whole sweep. */
export function partName(shard: Shard | undefined): string {
  return shard === undefined ? "" : `-part-${shard.index}-of-${shard.count}`;
}

function automaticShard(shards: number | undefined, env: NodeJS.ProcessEnv): ShardChoice {
  const foundHere = foundShards(shards, env);
  const [first] = foundHere;
  if (foundHere.length === 1) return { shard: first.shard, words: `${words(first.shard)}, from ${first.from}` };
  const allowed =
    "one of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX (with --shards or BIDE_SHARDS) and CI_NODE_INDEX; --shard i/n says it without";
  const actual =
    foundHere.length === 0 ? "nothing that says which part this is" : foundHere.map(({ from }) => from).join(" and ");
  throw fileProblem("--shard auto", mismatch(actual, allowed));
}

function words({ index, count }: Shard): string {
  return `part ${index} of ${count}`;
}

interface FoundShard {
  readonly shard: Shard;
  /** The variables that said so. */
  readonly from: string;
}

type Environment = NodeJS.ProcessEnv;

/**
 * Reads the variables that schedulers of clusters set for the processes of an array.
 * @param shards the number of parts, where it is known otherwise.
 * @throws InputError for values that make no sense, naming the variable.
 */
function foundShards(shards: number | undefined, env: Environment): FoundShard[] {
  return [slurm(shards, env), kubernetes(shards, env), continuousIntegration(env)].filter((shard) => shard !== null);
}

/** https://slurm.schedmd.com/job_array.html: any range with a step; the parts are counted from its beginning. */
function slurm(shards: number | undefined, env: Environment): FoundShard | null {
  if (env.SLURM_ARRAY_TASK_ID === undefined) return null;
  const id = whole(env, "SLURM_ARRAY_TASK_ID");
  // Some tasks of an array that are submitted again are still the same parts, of as many.
  if (shards !== undefined) {
    return {
      shard: part("SLURM_ARRAY_TASK_ID", id, shards),
      from: "SLURM_ARRAY_TASK_ID and the number of parts given",
    };
  }
  const first = env.SLURM_ARRAY_TASK_MIN === undefined ? 0 : whole(env, "SLURM_ARRAY_TASK_MIN");
  const step = env.SLURM_ARRAY_TASK_STEP === undefined ? 1 : whole(env, "SLURM_ARRAY_TASK_STEP", 1);
  const count = slurmCount(env, first, step);
  return {
    shard: part("SLURM_ARRAY_TASK_ID", (id - first) / step, count),
    from: "SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT",
  };
}

function slurmCount(env: Environment, first: number, step: number): number {
  const count = whole(env, "SLURM_ARRAY_TASK_COUNT", 1);
  if (env.SLURM_ARRAY_TASK_MAX === undefined) return count;
  const last = whole(env, "SLURM_ARRAY_TASK_MAX");
  if ((last - first) / step + 1 === count) return count;
  throw wrong(
    "SLURM_ARRAY_TASK_COUNT",
    env.SLURM_ARRAY_TASK_COUNT,
    "an array without gaps, such as --array=1-8; of others, --shards says how many parts there are in all and ids count from 0",
  );
}

/** An indexed Job: from 0. It does not say how many there are. */
function kubernetes(shards: number | undefined, env: Environment): FoundShard | null {
  if (env.JOB_COMPLETION_INDEX === undefined) return null;
  const index = whole(env, "JOB_COMPLETION_INDEX");
  if (shards === undefined) {
    throw wrong(
      "JOB_COMPLETION_INDEX",
      env.JOB_COMPLETION_INDEX,
      "together with --shards or BIDE_SHARDS, the completions of the Job",
    );
  }
  return {
    shard: part("JOB_COMPLETION_INDEX", index, shards),
    from: "JOB_COMPLETION_INDEX and the number of parts given",
  };
}

/** GitLab's `parallel`, and what a matrix elsewhere can set: from 1. */
function continuousIntegration(env: Environment): FoundShard | null {
  if (env.CI_NODE_INDEX === undefined) return null;
  const index = whole(env, "CI_NODE_INDEX", 1);
  const total = whole(env, "CI_NODE_TOTAL", 1);
  return { shard: part("CI_NODE_INDEX", index - 1, total), from: "CI_NODE_INDEX and CI_NODE_TOTAL" };
}

/** @param place from 0. */
function part(name: string, place: number, count: number): Shard {
  if (Number.isInteger(place) && place >= 0 && place < count) return { index: place + 1, count };
  throw wrong(name, `part ${place + 1} of ${count}`, "a part that there is");
}

function whole(env: Environment, name: string, least = 0): number {
  const text = env[name];
  const value = /^\d{1,9}$/.test(text ?? "") ? Number(text) : NaN;
  if (value >= least) return value;
  throw wrong(name, text, `a whole number from ${least}`);
}

function wrong(name: string, value: string | undefined, allowed: string): InputError {
  const actual = value === undefined ? "nothing" : quote(value);
  return fileProblem(name, mismatch(actual, allowed));
}
