import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dealtTo, type RunOutcome, type SweepRow, sweepRows, wantedRuns } from "../../experiments/index.js";
import { fileProblem } from "../input-error.js";
import { readJournal } from "./journal.js";
import { planDifferences, readPlan, type StoredPlan } from "./plan-file.js";
import { SWEEP_FILES } from "./sweep-folder.js";

/** Folders of one sweep, taken together. */
export interface JoinedParts {
  /** The plan of the whole sweep. */
  readonly stored: StoredPlan;
  /** The sweep file as it was given. */
  readonly text: string;
  readonly rows: readonly SweepRow[];
  /** Least number of runs that no part has. A stopping rule may add more, which is known only when these are done. */
  readonly missing: number;
  /** The parts to which the missing runs belong, in words, one line each. */
  readonly whereMissing: readonly string[];
  /** Samples that a part holds, by key. */
  readonly series: ReadonlyMap<string, string>;
}

interface Part {
  readonly path: string;
  readonly stored: StoredPlan;
  readonly outcomes: ReadonlyMap<string, RunOutcome>;
}

/**
 * Reads parts of a sweep, whole folders included; runs that several have are fine as long as they are equal.
 * @param paths at least one.
 * @throws InputError when they are of different sweeps or made by different code, or when one run has two results.
 */
export function joinParts(paths: readonly string[]): JoinedParts {
  const parts = paths.map(partAt);
  const [first] = parts;
  for (const part of parts) refuseOther(first, part);
  const { shard: _, ...stored } = first.stored;
  const { outcomes, series } = union(parts);
  const { plan, keys } = stored;
  const rows = sweepRows(plan, keys, (key) => outcomes.get(key));
  const gaps = missingIn(stored, outcomes);
  const text = readFileSync(join(first.path, SWEEP_FILES.text), "utf8");
  return { stored, text, rows, missing: gaps.length, whereMissing: placesOf(gaps, parts), series };
}

function partAt(path: string): Part {
  const stored = readPlan(join(path, SWEEP_FILES.plan));
  const { rows } = readJournal(join(path, SWEEP_FILES.journal));
  return { path, stored, outcomes: new Map(rows.map(({ key, run }) => [key, run])) };
}

function refuseOther(first: Part, part: Part): void {
  const differences = planDifferences({ ...first.stored, shard: undefined }, { ...part.stored, shard: undefined });
  if (differences.length === 0) return;
  throw fileProblem(
    part.path,
    ...differences.map((difference) => `is of another sweep than ${first.path}: ${difference}`),
  );
}

function union(parts: readonly Part[]): Pick<JoinedParts, "series"> & { outcomes: Map<string, RunOutcome> } {
  const outcomes = new Map<string, RunOutcome>();
  const from = new Map<string, string>();
  const series = new Map<string, string>();
  for (const { path, outcomes: partOutcomes } of parts) {
    for (const [key, run] of partOutcomes) {
      const known = outcomes.get(key);
      // A failed run may have been repeated elsewhere.
      if (known !== undefined && (run.outcome === "failed" || known.outcome === "done")) {
        if (run.outcome === "done") refuseConflict(known, run, key, from.get(key) ?? path, path);
        continue;
      }
      outcomes.set(key, run);
      from.set(key, path);
      const samples = join(path, SWEEP_FILES.series, `${key}.parquet`);
      if (existsSync(samples)) series.set(key, samples);
    }
  }
  return { outcomes, series };
}

/** Equal keys, equal figures: anything else means that something other than the key has decided what came of a run. */
function refuseConflict(known: RunOutcome, repeated: RunOutcome, key: string, pathOfOne: string, path: string): void {
  const figures = ({ cost: _, ...runFields }: RunOutcome) => JSON.stringify(runFields);
  if (figures(known) === figures(repeated)) return;
  throw fileProblem(
    path,
    `has other figures of run ${key} than ${pathOfOne}: a run is a function of its key, so one of the machines or a plugin is to blame`,
  );
}

interface Gap {
  readonly point: number;
  readonly replication: number;
}

function missingIn({ plan, keys }: StoredPlan, outcomes: ReadonlyMap<string, RunOutcome>): Gap[] {
  return plan.points.flatMap(({ index: point }) =>
    wantedRuns(plan, keys[point], (key) => outcomes.get(key)).flatMap(({ run, replication }) =>
      run === undefined ? [{ point, replication }] : [],
    ),
  );
}

function placesOf(gaps: readonly Gap[], parts: readonly Part[]): string[] {
  const count = parts[0].stored.shard?.count;
  if (count === undefined || parts.some(({ stored }) => stored.shard?.count !== count)) return [];
  const { plan } = parts[0].stored;
  return Array.from({ length: count }, (_, i) => i + 1).flatMap((index) => {
    const has = dealtTo({ index, count }, plan);
    const runs = gaps.filter(({ point, replication }) => has(point, replication)).length;
    if (runs === 0) return [];
    const heldPart = parts.find(({ stored }) => stored.shard?.index === index);
    const where = heldPart === undefined ? "which was not given" : `in ${heldPart.path}`;
    return [`part ${index} of ${count}, ${where}: ${runs}`];
  });
}
