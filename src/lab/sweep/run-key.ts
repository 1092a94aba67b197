import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Scenario } from "../../core/scenario/scenario.js";
import type { SweepPlan } from "../../experiments/sweep/sweep-plan.js";
import { InputError } from "../../io/input-error.js";
import { resolvedToJson } from "../../io/scenario/resolved.js";
import { codeVersion } from "../code-version.js";

const DIGITS = 32;

/** What all runs of a sweep have in common. */
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
 * spelling of a scenario, paths, and the order of keys in a file change no key.
 */
export class RunKeys {
  private readonly shared: object;
  private readonly digests = new Map<string, string>();

  /** @throws InputError when a plugin cannot be read. */
  constructor(private readonly runs: KeyedRuns) {
    const { measures, warmUp, series } = runs.plan;
    this.shared = { code: codeVersion(), plugins: this.pluginDigests(), measures, warmUp, series };
  }

  /** Of the plugins' contents, in their order. */
  pluginDigests(): string[] {
    return this.runs.plugins.map((path) => this.digestOf(path));
  }

  /**
   * The keys of a scenario with each of the seeds.
   * @throws InputError when its workload file cannot be read.
   */
  keysOf(scenario: Scenario, seeds: readonly string[]): string[] {
    const { name: _name, why: _why, workload, ...rest } = scenario;
    const shown = { ...rest, run: { ...rest.run, seed: null } };
    const same = sha256(
      canonicalJson({ ...this.shared, scenario: resolved(shown), workload: this.contentOf(workload) }),
    );
    return seeds.map((seed) => sha256(`${same} ${seed}`).slice(0, DIGITS));
  }

  /** The file of a workload by what is in it. */
  private contentOf(workload: Scenario["workload"]): object {
    if (!("file" in workload)) return resolved(workload);
    return { ...resolved(workload), file: this.digestOf(resolve(this.runs.directory, workload.file)) };
  }

  private digestOf(path: string): string {
    const known = this.digests.get(path) ?? sha256(contents(path));
    this.digests.set(path, known);
    return known;
  }
}

/** JSON whose keys are in order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function resolved(part: object): object {
  return resolvedToJson(part as Scenario);
}

function contents(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "error";
    throw new InputError([{ file: path, line: 0, column: 0, message: `cannot read: ${code}` }]);
  }
}

function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}
