import { tally, formatTime, US_PER_SECOND, definedFields } from "../core/kernel/index.js";
import { type AnyScenario, isHadoop, seedSeries, DEFAULT_KINDS } from "../core/scenario/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import { isDrawnName } from "../core/workload/index.js";
import {
  type ComparedSystem,
  type Comparison,
  type Measured,
  type JobTimes,
  platformMeasures,
  USUAL_WORDS,
  groupKeyParts,
  comparedKeys,
  measureFault,
  measureKey,
  areAlike,
  bandedDifference,
  type HeldToLog,
  CONFIDENCE,
  ENOUGH_DRAWS,
  ENOUGH_RUNS,
  estimate,
  HELD_OUT_SEEDS,
  meanOfDraws,
  missedShare,
  type ModelError,
  relativeErrorOf,
  wordsOfMeasure,
  pairedDifference,
  sampleOf,
} from "../experiments/index.js";
import { type Note, notesOfRuns, noteText, type RecordWords } from "../core/record/index.js";
import {
  drawn,
  holdsEstimates,
  overridesOf,
  type ImportedLog,
  importedLog,
  type LoadOptions,
  loadAnyScenario,
  allowedNames,
  quote,
  recordWordsOf,
  wordsOf,
  type LoadedSystem,
  type LoadedSystems,
  loadSystems,
  unknownGroups,
  fileProblem,
  mismatch,
} from "../io/index.js";
import type { MeasureScenario, RunFigures } from "./measure-run.js";
import type { CompareProgress } from "./run.js";
import { LOW_LOAD, lowLoadNote, MOSTLY_SET_UP, setUpNote } from "./summarise.js";

/** The runs of `bide compare`, system by system, their measures and the differences between systems. */

interface ComparePlan {
  readonly file: string;
  readonly set: readonly string[];
  /** First seed; undefined: the scenario's. */
  readonly seed: string | undefined;
  /** Seeds per system, >= 1; undefined: as the file says, or as many as an interval needs. */
  readonly seeds: number | undefined;
  /** Names from the registry, in place of the file's systems; undefined: those, or the default kinds. */
  readonly kinds: readonly string[] | undefined;
  /** Names of systems of the file; undefined: all. */
  readonly systems: readonly string[] | undefined;
  /** Keys of the measures to show; undefined: the usual tables. */
  readonly measures?: readonly string[];
  /** Keys of the measures of a figure, shown as well. */
  readonly plotted?: readonly string[];
  readonly plugins?: readonly SchedulerPlugin[];
  readonly lenient: boolean;
}

interface PlannedSystem {
  readonly name: string;
  readonly why: string;
  readonly point: string;
  readonly scenario: AnyScenario;
  /** Places among the systems; null: it is the baseline itself, or no job ran alone. */
  readonly baseline: number | null;
  readonly alone: number | null;
}

/** The runs to come. */
export interface PlannedComparison {
  /** Name of the scenario, and its question. */
  readonly scenario: string;
  readonly why: string;
  readonly systems: readonly PlannedSystem[];
  readonly directory: string;
  readonly seeds: readonly string[];
  /** Keys of the requested measures. */
  readonly chosen: readonly string[];
  /**
   * The log that all systems are variants of; each seed is a draw from it. null: there is none, or only one seed.
   */
  readonly imported: ImportedLog | null;
  /** Runs in all. */
  readonly runs: number;
  readonly notes: readonly string[];
}

/**
 * Plans the comparison of a file, or, without a section `compare` or with `kinds`, the scenario once per scheduler. The
 * kind that the file (with `set`) names then keeps its `wait` and `updateInterval`; every other kind gets its own
 * defaults, because a wait in seconds means nothing to a kind that counts skips. All else is equal.
 * @throws InputError
 */
export function planComparison(plan: ComparePlan): PlannedComparison {
  const loaded = load(plan);
  const chosen = loaded.systems.filter(({ name, base }) => plan.systems?.some((x) => x === name || x === base) ?? true);
  checkChoice(plan.systems, loaded);
  const words = recordWordsOf(loaded.scenario);
  checkMeasures(plan.measures ?? [], words);
  checkMeasures(plan.plotted ?? [], words, "--plot");
  const indexOfSystem = (base: string | undefined, point: string) => {
    const index = chosen.findIndex((system) => system.base === base && system.point === point);
    return index < 0 ? null : index;
  };
  const inPrivate =
    loaded.private ?? loaded.systems.find(({ scenario }) => scenario.scheduler.kind === "partition")?.base;
  const log = holdsEstimates(overridesOf({ set: plan.set })) ? null : importedLog(loaded.scenario, loaded.directory);
  const count = plan.seeds ?? loaded.seeds ?? (log === null ? ENOUGH_RUNS : ENOUGH_DRAWS);
  // One seed says nothing of what is not known: estimates hold.
  const imported = count > 1 ? log : null;
  const read = (scenario: AnyScenario) => (plan.lenient ? (lenient(scenario) ?? scenario) : scenario);
  const planned = {
    scenario: loaded.scenario.name,
    why: loaded.scenario.why,
    systems: chosen.map(({ name, base, why, point, scenario }) => ({
      name,
      why,
      point,
      scenario: imported === null ? read(scenario) : drawn(read(scenario)),
      baseline: base === loaded.baseline ? null : indexOfSystem(loaded.baseline, point),
      alone: indexOfSystem(inPrivate, point),
    })),
    directory: loaded.directory,
    seeds: seedSeries(loaded.scenario.run.seed, count),
    chosen: [...new Set([...(plan.measures ?? []), ...(plan.plotted ?? [])].map((key) => measureKey(key, words)))],
    imported,
    runs: chosen.length * count + (imported === null ? 0 : HELD_OUT_SEEDS.length),
    notes: [
      ...loaded.notes,
      ...(log !== null && count === 1 ? [ONE_DRAW] : []),
      ...(chosen.length === 1 && plan.systems === undefined && plan.kinds === undefined
        ? [oneSystem(plan.file, loaded.scenario)]
        : []),
    ],
  };
  refuseMeasures(
    planned.chosen.flatMap((key) => {
      const name = groupKeyParts(key)?.group.name;
      if (name === undefined || !isOtherWithEachSeed(planned, name)) return [];
      return [`${quote(key)} is of another job with each seed (${quote(name)}); it is allowed with --seeds 1`];
    }),
  );
  return planned;
}

const ONE_DRAW = `one seed gives no bands: --seeds ${ENOUGH_DRAWS} draws what the log does not tell`;

/** The hint for a comparison of one system alone. */
function oneSystem(file: string, { platform }: AnyScenario): string {
  const change = platform === "spark" ? "scheduler.wait: 0s" : "cluster.vcores: 16";
  return `one system, and nothing to compare it with. A section compare names others, in the scenario or as an option: npx bide compare ${file} --set "compare={systems: [{name: as is}, {name: other, set: {${change}}}]}"`;
}

/** Such a pool or user is compared with one seed only: over several, its figures would be of several things. */
function isOtherWithEachSeed({ seeds, systems }: Pick<PlannedComparison, "seeds" | "systems">, name: string): boolean {
  return seeds.length > 1 && systems.some(({ scenario }) => isHadoop(scenario) && isDrawnName(scenario.workload, name));
}

function load({ file, set, seed, kinds, plugins = [] }: ComparePlan): LoadedSystems {
  const options = { set, plugins, ...definedFields({ seed }) };
  const systems = kinds === undefined ? loadSystems(file, options) : null;
  return systems ?? loadKinds(file, options, kinds ?? usualKinds(file, options));
}

/** The four of the paper, the file's own, and plugins. */
function usualKinds(file: string, options: LoadOptions): string[] {
  const { platform, scheduler } = loadAnyScenario(file, options).scenario;
  const { kind } = scheduler;
  if (platform !== "hadoop") return [kind];
  return [...new Set([...DEFAULT_KINDS, kind, ...(options.plugins ?? []).map(({ name }) => name)])];
}

function loadKinds(
  file: string,
  options: LoadOptions & { readonly set: readonly string[] },
  kinds: readonly string[],
): LoadedSystems {
  const scenarioFile = loadAnyScenario(file, options);
  const systems = kinds.map((kind): LoadedSystem => {
    // This way of setting it drops the file's wait (src/io/scenario/overrides.ts).
    const scenario =
      kind === scenarioFile.scenario.scheduler.kind
        ? scenarioFile.scenario
        : loadAnyScenario(file, { ...options, set: [...options.set, `scheduler=${kind}`] }).scenario;
    return { name: kind, base: kind, point: "", why: "", scenario };
  });
  const baseline = kinds.includes("fair") ? "fair" : kinds[0];
  return { ...scenarioFile, systems, baseline, private: undefined, seeds: undefined };
}

function checkChoice(wanted: readonly string[] | undefined, { systems }: LoadedSystems): void {
  const names = [...new Set(systems.flatMap(({ name, base }) => [base, name]))];
  const unknown = (wanted ?? []).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  throw fileProblem("--systems", ...unknown.map((name) => mismatch(quote(name), allowedNames(names, name))));
}

/**
 * Checks that the measures exist.
 * @param option the option that names them.
 * @throws InputError for unknown measures.
 */
function checkMeasures(keys: readonly string[], words: RecordWords, option = "--measures"): void {
  const wrong = keys.flatMap((key) => {
    const fault = measureFault(
      key,
      platformMeasures(words).listed.map((measure) => measure.key),
      words,
    );
    if (fault === null) return [];
    const { actual, allowed } = fault;
    return [mismatch(quote(actual), typeof allowed === "string" ? allowed : allowedNames(allowed, actual))];
  });
  refuseMeasures(wrong, option);
}

function refuseMeasures(messages: readonly string[], option = "--measures"): void {
  if (messages.length === 0) return;
  throw fileProblem(option, ...messages);
}

/** The scenario with malformed lines of its trace skipped and counted; null when its workload reads no trace. */
export function lenient(scenario: AnyScenario): AnyScenario | null {
  const { workload } = scenario;
  return "lenient" in workload ? ({ ...scenario, workload: { ...workload, lenient: true } } as AnyScenario) : null;
}

interface CompareOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: CompareProgress) => void;
  /**
   * Called for a run in which every job was refused: its system and seed, and why. Default: it counts like any other.
   */
  readonly onAllRefused?: (system: string, seed: string, why: string) => void;
}

/**
 * Runs every system with every seed. The seeds are common: run i of each system sees the same jobs, blocks and task
 * lengths, so differences between systems are not noise of the workload.
 */
export async function compareSystems(
  planned: PlannedComparison,
  measure: MeasureScenario,
  options: CompareOptions,
): Promise<Comparison> {
  const { systems, seeds, chosen, imported } = planned;
  const replays = imported === null ? null : await import("./replay.js");
  const modelError = imported === null || replays === null ? null : await replays.measureModelError(imported, options);
  const asRecorded =
    imported === null ? -1 : systems.findIndex(({ scenario }) => replays?.isAsRecorded(scenario, imported));
  const before = imported === null ? 0 : HELD_OUT_SEEDS.length;
  const runs: RunFigures[] = [];
  for (const { name, scenario } of systems) {
    for (const seed of seeds) {
      options.signal?.throwIfAborted();
      const run = before + runs.length;
      const figures = await measure({ ...scenario, run: { ...scenario.run, seed } }, planned.directory, {
        measures: chosen,
        onProgress: (progress) => options.onProgress?.({ run, system: name, seed, progress }),
        signal: options.signal,
      });
      if (figures.allRefused !== null) options.onAllRefused?.(name, seed, figures.allRefused);
      runs.push(figures);
    }
  }
  const { words = USUAL_WORDS } = runs.at(0) ?? {};
  const pools = byTime(runs.map((run) => run.pools));
  const users = byTime(runs.map((run) => run.users));
  // Only runs tell which there are.
  refuseMeasures(unknownGroups(chosen, { pool: pools, user: users }));
  const isSame = (name: string) => !isOtherWithEachSeed(planned, name);
  const keptOf = (names: readonly string[]) => names.filter(isSame).slice(0, MOST_GROUPS);
  const keptPools = pools.length < 2 ? [] : keptOf(pools);
  const keptUsers = runs.some(({ usersDiffer }) => usersDiffer) ? keptOf(users) : [];
  const ofGroups = [
    ...keptPools.flatMap((name) => comparedKeys({ kind: "pool", name }, words)),
    ...keptUsers.flatMap((name) => comparedKeys({ kind: "user", name }, words)),
  ];
  const keys = [...new Set([...platformMeasures(words).listed.map(({ key }) => key), ...ofGroups, ...chosen])];
  const runsOf = systems.map((_, index) => runs.slice(index * seeds.length, (index + 1) * seeds.length));
  const runsWith = <T>(whyOf: (run: RunFigures) => T | null) =>
    systems.flatMap(({ name: system }, index) =>
      runsOf[index].flatMap((run, i) => {
        const why = whyOf(run);
        return why === null ? [] : [{ system, seed: seeds[i], why }];
      }),
    );
  const stuck = runsWith((run) => (run.stuck.length > 0 ? run.stuck : null));
  const refused = runsWith((run) => run.refused);
  const recorded = modelError?.recordedSeconds ?? null;
  const heldToLog =
    recorded === null || asRecorded < 0
      ? undefined
      : { recorded, simulated: sampleOf(runsOf[asRecorded], "makespanSeconds", false).values };
  return {
    format: "bide-comparison",
    version: 3,
    words,
    scenario: planned.scenario,
    why: planned.why,
    seeds,
    confidence: CONFIDENCE,
    systems: compared(systems, runsOf, keys, { modelError, heldToLog }),
    ...(keptPools.length > 0 ? { pools: keptPools } : {}),
    ...(keptUsers.length > 0 ? { users: keptUsers } : {}),
    ...(chosen.length > 0 ? { chosen } : {}),
    ...(stuck.length > 0 ? { stuck } : {}),
    ...(refused.length > 0 ? { refused } : {}),
    ...(modelError === null ? {} : { modelError }),
    ...(asRecorded < 0 ? {} : { asRecorded: systems[asRecorded].name }),
    notes: [
      ...(heldToLog === undefined ? [] : missedNotes(heldToLog)),
      ...(imported !== null && new Set(systems.map(({ scenario }) => "allocation" in scenario)).size > 1
        ? [ALLOCATION_IS_MODELLED]
        : []),
      ...notesOf(planned, runs),
      ...(pools.every(isSame) ? [] : [OTHER_WITH_EACH_SEED]),
    ],
  };
}

/** A note on systems of which only some have dynamic allocation. */
const ALLOCATION_IS_MODELLED =
  "with dynamic allocation, the model decides when executors come and go, and bands leave out its error: bide replay with the same --set shows it";

/** The least miss worth a note: a part of the recorded makespan. */
const WORTH_A_NOTE = 0.02;

/** A note where no draw with the settings of the log comes near what it recorded. */
function missedNotes(heldToLog: HeldToLog): Note[] {
  if (missedShare(heldToLog) < WORTH_A_NOTE) return [];
  const drawn = heldToLog.simulated.filter((value) => value !== null);
  const [least, longest, recorded] = [Math.min(...drawn), Math.max(...drawn), heldToLog.recorded].map((seconds) =>
    formatTime(seconds * US_PER_SECOND),
  );
  const words = `with the settings of the log its draws take ${least} to ${longest}, and the log took ${recorded}`;
  return [`the model misses the log: ${words}; all bands of times are wider for that`];
}

const OTHER_WITH_EACH_SEED =
  "each job of this workload is a pool of its own, and the pool of a name is another job with each seed: such pools are compared with --seeds 1 only";

/**
 * In a comparison with more pools, or users, those with most slot time are kept; `--measures` takes the others, too.
 */
const MOST_GROUPS = 20;

/** The pools or users of the jobs of all runs, the one with the most slot time first. */
function byTime(runs: readonly ReadonlyMap<string, number>[]): string[] {
  const seconds = new Map<string, number>();
  for (const run of runs) {
    for (const [name, ownSeconds] of run) tally(seconds, name, ownSeconds);
  }
  return [...seconds].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name);
}

/**
 * Each note once. Those that count jobs only where they are true of every run: one system under load shows what it
 * does.
 */
function notesOf(planned: PlannedComparison, runs: readonly RunFigures[]): Note[] {
  const [{ scenario }] = planned.systems;
  const setUp = isHadoop(scenario) ? [setUpNote("in every run more than half of the jobs", scenario.runtime)] : [];
  const ofAll = [
    { begins: LOW_LOAD, words: lowLoadNote("in every run fewer than 5 % of the jobs") },
    ...setUp.map((words) => ({ begins: MOSTLY_SET_UP, words })),
  ];
  const isShared = (note: Note) => ofAll.some(({ begins }) => noteText(note).startsWith(begins));
  const otherNotes = notesOfRuns(runs.map(({ notes }) => notes.filter((note) => !isShared(note))));
  const shared = ofAll.flatMap(({ begins, words }) =>
    runs.every(({ notes }) => notes.some((note) => noteText(note).startsWith(begins))) ? [words] : [],
  );
  return [...new Set([...planned.notes, ...otherNotes, ...shared])];
}

function compared(
  systems: readonly PlannedSystem[],
  runsOf: readonly (readonly RunFigures[])[],
  keys: readonly string[],
  { modelError, heldToLog }: { readonly modelError: ModelError | null; readonly heldToLog: HeldToLog | undefined },
): ComparedSystem[] {
  const besides = (index: number | null) => (index === null ? null : runsOf[index]);
  // A system that others are compared with gains 1 over itself, so that a mark at theirs says that they gain or lose.
  const baselines = new Set(systems.map(({ baseline }) => baseline));
  const measured = systems.map(({ alone, baseline }, index) => {
    const references = { alone: besides(alone), baseline: besides(baselines.has(index) ? index : baseline) };
    return measuresOf(runsOf[index], references, keys);
  });
  const differencesOf = (index: number, baseline: number): Measured =>
    modelError === null
      ? differences(measured[index], measured[baseline])
      : bands(
          { modelError, heldToLog },
          keys,
          [index, baseline].map((i) => ({ measured: measured[i], runs: runsOf[i] })),
        );
  return systems.map(({ name, why, point, scenario, baseline }, index) => ({
    name,
    why,
    point,
    kind: scenario.scheduler.kind,
    waits: wordsOf(scenario).waits,
    baseline: baseline === null ? null : systems[baseline].name,
    fingerprints: runsOf[index].map(({ fingerprint }) => fingerprint),
    measures: modelError === null ? measured[index] : withoutIntervals(measured[index]),
    differences: baseline === null ? null : differencesOf(index, baseline),
  }));
}

function measuresOf(
  runs: readonly RunFigures[],
  { alone, baseline }: Readonly<Record<"alone" | "baseline", readonly RunFigures[] | null>>,
  keys: readonly string[],
): Measured {
  const besides = (
    reference: readonly RunFigures[] | null,
    valueOf: (run: JobTimes, reference: JobTimes) => number | null,
  ) =>
    runs.map(({ times, stuck }, i) =>
      reference === null || stuck.length + reference[i].stuck.length > 0 ? null : valueOf(times, reference[i].times),
    );
  const { slowdown, gain } = platformMeasures(runs.at(0)?.words ?? USUAL_WORDS);
  const paired = new Map([
    ...slowdown.map(({ key, evaluate }) => [key, besides(alone, evaluate)] as const),
    ...gain.map(({ key, evaluate }) => [key, besides(baseline, evaluate)] as const),
  ]);
  // Their values are not equal by the chance of a grid.
  const isFixed = areAlike(runs, runs.at(0)?.words);
  return Object.fromEntries(
    keys.map((key) => {
      const { values, step } = sampleOf(runs, key, isFixed);
      return [key, estimate(paired.get(key) ?? values, step)];
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

function withoutIntervals(measured: Measured): Measured {
  return Object.fromEntries(Object.entries(measured).map(([key, { values }]) => [key, meanOfDraws(values)]));
}

/** The difference of the first of two variants of an import from the second. */
function bands(
  { modelError, heldToLog }: { readonly modelError: ModelError; readonly heldToLog: HeldToLog | undefined },
  keys: readonly string[],
  variants: readonly { readonly measured: Measured; readonly runs: readonly RunFigures[] }[],
): Measured {
  const words = variants[0].runs.at(0)?.words;
  return Object.fromEntries(
    keys.map((key) => {
      const [variant, baseline] = variants.map(({ measured, runs }) => ({
        values: measured[key].values,
        levels: runs.map(({ levels }) => levels),
      }));
      const unit = wordsOfMeasure(key, words)?.unit;
      return [key, bandedDifference(variant, baseline, relativeErrorOf(unit, modelError), heldToLog)];
    }),
  );
}
