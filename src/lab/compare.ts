import { waitInEffect } from "../core/scenario/scenario.js";
import type { ComparedSystem, Comparison, Measured } from "../experiments/comparison.js";
import { CONFIDENCE, estimate, pairedDifference } from "../experiments/statistics/estimates.js";
import { MEASURES, SLOWDOWN_MEASURES } from "../experiments/measures/all-measures.js";
import type { PlannedComparison, PlannedSystem } from "./compare-plan.js";
import type { RunFigures, MeasureScenario } from "./measure-run.js";
import type { Progress } from "./run.js";
import { LOW_LOAD, lowLoadNote } from "./summarise.js";

export interface CompareOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CompareProgress) => void;
  /** What is done about a run in which every job was refused: its system and seed, and why. Default: it counts like any other. */
  readonly onAllRefused?: (system: string, seed: string, why: string) => void;
}

export interface CompareProgress {
  /** From 0. */
  readonly run: number;
  readonly system: string;
  readonly seed: string;
  readonly progress: Progress;
}

/**
 * Runs every system with every seed. The seeds are common: run i of each system sees the same jobs, blocks and task lengths, so
 * differences between systems are not noise of the workload.
 */
export async function compareSystems(
  planned: PlannedComparison,
  measure: MeasureScenario,
  options: CompareOptions,
): Promise<Comparison> {
  const { systems, seeds } = planned;
  const runs: RunFigures[] = [];
  for (const { name, scenario } of systems) {
    for (const seed of seeds) {
      options.signal?.throwIfAborted();
      const run = runs.length;
      const found = await measure({ ...scenario, run: { ...scenario.run, seed } }, planned.directory, {
        onProgress: (progress) => options.onProgress?.({ run, system: name, seed, progress }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      if (found.allRefused !== null) options.onAllRefused?.(name, seed, found.allRefused);
      runs.push(found);
    }
  }
  const runsOf = systems.map((_, at) => runs.slice(at * seeds.length, (at + 1) * seeds.length));
  const stuck = systems.flatMap(({ name: system }, at) =>
    runsOf[at].flatMap(({ stuck: why }, i) => (why.length > 0 ? [{ system, seed: seeds[i], why }] : [])),
  );
  const refused = systems.flatMap(({ name: system }, at) =>
    runsOf[at].flatMap(({ refused: why }, i) => (why === null ? [] : [{ system, seed: seeds[i], why }])),
  );
  return {
    format: "bide-comparison",
    version: 2,
    scenario: planned.scenario,
    why: planned.why,
    seeds,
    confidence: CONFIDENCE,
    systems: compared(systems, runsOf),
    ...(stuck.length > 0 ? { stuck } : {}),
    ...(refused.length > 0 ? { refused } : {}),
    notes: notesOf(planned, runs),
  };
}

/** Each note once. That on low load only where it is true of every run: one system under load shows what it does. */
function notesOf(planned: PlannedComparison, runs: readonly RunFigures[]): string[] {
  const isLow = (note: string): boolean => note.startsWith(LOW_LOAD);
  const others = runs.flatMap(({ notes }) => notes.filter((note) => !isLow(note)));
  const low = runs.every(({ notes }) => notes.some(isLow))
    ? [lowLoadNote("in every run fewer than 5 % of the jobs")]
    : [];
  return [...new Set([...planned.notes, ...others, ...low])];
}

function compared(systems: readonly PlannedSystem[], runsOf: readonly (readonly RunFigures[])[]): ComparedSystem[] {
  const measured = systems.map(({ alone }, at) => measuresOf(runsOf[at], alone === null ? null : runsOf[alone]));
  return systems.map(({ name, why, point, scenario: { scheduler }, baseline }, at) => ({
    ...{ name, why, point, kind: scheduler.kind, wait: waitInEffect(scheduler) },
    ...(scheduler.options === undefined ? {} : { isPlugin: true as const }),
    baseline: baseline === null ? null : systems[baseline].name,
    fingerprints: runsOf[at].map(({ fingerprint }) => fingerprint),
    measures: measured[at],
    differences: baseline === null ? null : differences(measured[at], measured[baseline]),
  }));
}

function measuresOf(runs: readonly RunFigures[], alone: readonly RunFigures[] | null): Measured {
  const slowdowns = new Map(
    SLOWDOWN_MEASURES.map(({ key, of }) => [
      key,
      runs.map(({ times, stuck }, i) =>
        alone === null || stuck.length + alone[i].stuck.length > 0 ? null : of(times, alone[i].times),
      ),
    ]),
  );
  return Object.fromEntries(
    MEASURES.map(({ key }) => {
      const step = runs.reduce((most, { steps }) => Math.max(most, steps[key] ?? 0), 0);
      return [key, estimate(slowdowns.get(key) ?? runs.map(({ values }) => values[key] ?? null), step)];
    }),
  );
}

function differences(measured: Measured, baseline: Measured): Measured {
  return Object.fromEntries(
    Object.entries(measured).map(([key, { values, step }]) => [
      key,
      pairedDifference(values, baseline[key].values, Math.max(step, baseline[key].step)),
    ]),
  );
}
