import type { Shard } from "../experiments/sweep/sweep-plan.js";
import { InputError } from "../io/input-error.js";
import { quote } from "../io/scenario/show.js";
import { MAX_SHARDS } from "./option-values.js";
import { foundShards } from "./shard-environment.js";

export interface ShardChoice {
  readonly shard: Shard;
  /** What was found, for the user. */
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
  if (text === "auto") return found(shards, env);
  const match = /^(\d{1,7})\/(\d{1,7})$/.exec(text);
  const shard = match === null ? null : { index: Number(match[1]), count: Number(match[2]) };
  if (shard === null || shard.index < 1 || shard.index > shard.count || shard.count > MAX_SHARDS) {
    throw shardError("--shard", `found ${quote(text)}, allowed i/n with i from 1 to n, such as 2/8, or auto`);
  }
  return { shard, words: words(shard) };
}

/** `-part-2-of-8`, for the name of a folder; nothing for a whole sweep. */
export function partName(shard: Shard | undefined): string {
  return shard === undefined ? "" : `-part-${String(shard.index)}-of-${String(shard.count)}`;
}

function found(shards: number | undefined, env: NodeJS.ProcessEnv): ShardChoice {
  const all = foundShards(shards, env);
  const [first] = all;
  if (all.length === 1) return { shard: first.shard, words: `${words(first.shard)}, from ${first.from}` };
  const allowed =
    "allowed one of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX (with --shards or BIDE_SHARDS) and CI_NODE_INDEX; --shard i/n says it without";
  const what = all.length === 0 ? "nothing that says which part this is" : all.map(({ from }) => from).join(" and ");
  throw shardError("--shard auto", `found ${what}, ${allowed}`);
}

function words({ index, count }: Shard): string {
  return `part ${String(index)} of ${String(count)}`;
}

export function shardError(from: string, message: string): InputError {
  return new InputError([{ file: from, line: 0, column: 0, message }]);
}
