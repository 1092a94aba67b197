import { definedFields } from "../../core/kernel/index.js";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type AnyScenario, isHadoop } from "../../core/scenario/index.js";
import type { Shard, SweepPlan } from "../../experiments/index.js";
import {
  bideVersion,
  codeVersion,
  resolvedToJson,
  systemReason,
  type LoadedSweep,
  type StoredPlan,
  exactText,
  workloadName,
  fileProblem,
} from "../../io/index.js";
import type { measureModelError } from "../replay.js";
import type { RunTask } from "./run-task.js";

export interface PlannedSweep {
  readonly stored: StoredPlan;
  /**
   * Points to check before the sweep begins: their schedulers refuse stray names of pools, which are known only when
   * the workload is made or read. One point for each workload, scheduler and end of the run, at most 8.
   */
  readonly strict: readonly number[];
  /** Makes the scenario of a point; cheapest for the point of the last call. */
  readonly taskOf: (point: number, replication: number) => RunTask;
}

/**
 * Plans a sweep file: the keys of all its runs, and their tasks.
 * @param pluginFiles paths as typed, of the plugins with which the file was loaded.
 * @param shard the part that is done; undefined: all.
 * @param onPlanned receives the points planned so far and their total, after each.
 * @throws InputError when a plugin or a workload file cannot be read.
 */
export function planSweep(
  { plan, directory, scenarioAt }: LoadedSweep,
  pluginFiles: readonly string[],
  shard?: Shard,
  onPlanned?: (planned: number, total: number) => void,
): PlannedSweep {
  const plugins = [...new Set(pluginFiles.map((file) => resolve(file)))];
  const keysOf = new RunKeys({ plan, directory, plugins });
  const workloads = new SharedWorkloads();
  const strict = new Map<string, number>();
  const keys = plan.points.map((point, index) => {
    const scenario = scenarioAt(point, plan.seeds[0]);
    workloads.add(scenario);
    onPlanned?.(index + 1, plan.points.length);
    if (!isHadoop(scenario)) return keysOf.keysOf(scenario, plan.seeds);
    if (scenario.scheduler.strict === true && scenario.workload.kind !== "jobs" && strict.size < MOST_STRICT) {
      const { scheduler, run } = scenario;
      const key = exactText([workloadName(scenario), scheduler, run.untilUs]);
      if (!strict.has(key)) strict.set(key, index);
    }
    return keysOf.keysOf(scenario, plan.seeds);
  });
  const stored = { bide: bideVersion(), code: codeVersion(), plugins: keysOf.pluginDigests(), plan, keys, shard };
  let last: { readonly point: number; readonly scenario: AnyScenario } | undefined;
  const taskOf = (point: number, replication: number): RunTask => {
    if (last?.point !== point) last = { point, scenario: scenarioAt(plan.points[point], plan.seeds[0]) };
    const { scenario } = last;
    const { measures, warmUp, series } = plan;
    return {
      key: keys[point][replication],
      scenario: { ...scenario, run: { ...scenario.run, seed: plan.seeds[replication] } },
      directory,
      plugins,
      measures,
      warmUp,
      series,
      hasTwins: workloads.hasTwins(point, plan.seeds.length),
      workloadDigest: keysOf.workloadDigest(scenario),
    };
  };
  return { stored, taskOf, strict: [...strict.values()] };
}

/** Which points of a sweep submit the same jobs. */
class SharedWorkloads {
  private readonly numbers = new Map<string, number>();
  private readonly numberOf: number[] = [];
  private readonly points: number[] = [];
  private readonly isSeeded: boolean[] = [];

  /** The next point. */
  add(scenario: AnyScenario): void {
    const { name, seed } = isHadoop(scenario) ? workloadName(scenario) : ownName(scenario);
    const digest = sha256(name);
    const number = this.numbers.get(digest) ?? this.numbers.size;
    this.numbers.set(digest, number);
    this.numberOf.push(number);
    this.points[number] = (this.points[number] ?? 0) + 1;
    this.isSeeded[number] = seed !== undefined;
  }

  /** Whether another run of the sweep submits the same as a run of this point. */
  hasTwins(point: number, seeds: number): boolean {
    const number = this.numberOf[point];
    return this.points[number] > 1 || (!this.isSeeded[number] && seeds > 1);
  }
}

/** The name and seed of a platform that reads its workload anew for every run. */
function ownName({ workload, run }: AnyScenario): { readonly name: string; readonly seed: string } {
  return { name: exactText(workload), seed: run.seed };
}

/** With more workloads, or pools, the others are refused when their runs begin. */
const MOST_STRICT = 8;

/**
 * Makes the workloads of points under `scheduler.strict`, for the first seed.
 * @throws InputError when names of pools do not match at one of them.
 */
export async function refuseStraySweep({ strict, stored, taskOf }: PlannedSweep, signal?: AbortSignal): Promise<void> {
  if (strict.length === 0) return;
  const { refuseStrayNames } = await import("../run-scenario.js");
  for (const point of strict) {
    const { scenario, directory } = taskOf(point, 0);
    if (isHadoop(scenario))
      await refuseStrayNames(`${stored.plan.name}, ${stored.plan.points[point].label}`, scenario, directory, signal);
  }
}

/** Adds the measured model error to a sweep over an import; returns any other sweep as it is. */
export async function withModelError(
  loaded: LoadedSweep,
  options: Parameters<typeof measureModelError>[1],
): Promise<LoadedSweep> {
  if (loaded.imported === null) return loaded;
  const { measureModelError: measured } = await import("../replay.js");
  const modelError = await measured(loaded.imported, options);
  return { ...loaded, plan: { ...loaded.plan, modelError } };
}

const DIGITS = 32;

/** Inputs that all runs of a sweep share. */
export interface KeyedRuns {
  readonly plan: Pick<SweepPlan, "measures" | "warmUp" | "series">;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
  /** Files of schedulers, absolute. */
  readonly plugins: readonly string[];
}

/**
 * Names of runs: equal keys, equal figures. A key is a hash of the resolved scenario with its seed, of the contents of
 * the workload file that it reads, of the plugins' contents, of what is kept, and of the code. Name, question and
 * spelling of a scenario, paths, and the order of keys and measures in a file change no key.
 */
export class RunKeys {
  private readonly shared: object;
  private readonly digests = new Map<string, string>();

  /** @throws InputError when a plugin cannot be read. */
  constructor(private readonly runs: KeyedRuns) {
    const { warmUp, series } = runs.plan;
    const measures = [...runs.plan.measures].sort((a, b) => (a < b ? -1 : 1));
    this.shared = { code: codeVersion(), plugins: this.pluginDigests(), measures, warmUp, series };
  }

  /** Digests of the plugins' contents, in their order. */
  pluginDigests(): string[] {
    return this.runs.plugins.map((path) => this.digestOf(path));
  }

  /**
   * The keys of a scenario with each of the seeds.
   * @throws InputError when its workload file cannot be read.
   */
  keysOf(scenario: AnyScenario, seeds: readonly string[]): string[] {
    const { name: _name, why: _why, workload, ...settings } = scenario;
    const shown = { ...settings, run: { ...settings.run, seed: null } };
    const digest = sha256(
      canonicalJson({ ...this.shared, scenario: resolvedToJson(shown), workload: this.contentOf(workload) }),
    );
    return seeds.map((seed) => sha256(`${digest} ${seed}`).slice(0, DIGITS));
  }

  /**
   * SHA-256 in hex of the file that the workload is read from, as it was at the first call; undefined: from none.
   * @throws InputError when it cannot be read.
   */
  workloadDigest({ workload }: Pick<AnyScenario, "workload">): string | undefined {
    return workload.file !== undefined ? this.digestOf(resolve(this.runs.directory, workload.file)) : undefined;
  }

  /** The file of a workload by what is in it. */
  private contentOf(workload: AnyScenario["workload"]): object {
    const digest = this.workloadDigest({ workload });
    return { ...resolvedToJson(workload), ...definedFields({ file: digest }) };
  }

  private digestOf(path: string): string {
    const known = this.digests.get(path) ?? sha256(contents(path));
    this.digests.set(path, known);
    return known;
  }
}

/** JSON whose keys are in order, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function contents(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw fileProblem(path, `cannot read: ${systemReason(error)}`);
  }
}

function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}
