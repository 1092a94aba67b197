import { namesOf } from "../../core/kernel/index.js";
import type { Note } from "../../core/record/index.js";
import {
  codedNotes,
  isIn,
  type SizeGroup,
  estimate,
  finished,
  sampleOf,
  type Goal,
  KnownRuns,
  measuresOf,
  type RunValues,
  type TuneProblem,
  tuneProblemOf,
  type FailedPoint,
  type GridReport,
  type JudgedMeasure,
  type NeighbourReport,
  type PointReport,
  type RoundReport,
  type TheoryInputs,
  type TheoryReport,
  type TuneReport,
  type Bound,
  decide,
  isWithin,
  nearbyPoints,
  nearestPoint,
  type RunRequest,
  searchRounds,
  type TuneOutcome,
  measureNamed,
} from "../../experiments/index.js";
import type { SchedulerPlugin } from "../../core/platforms/hadoop/index.js";
import { localType, type RunRecord } from "../../core/record/index.js";
import { isHadoop, type Scenario, waitInEffect } from "../../core/scenario/index.js";
import { expectedJobLocality, localityWaitSecondsOnNodes, skipCountForLocality } from "../../core/theory.js";
import { type LoadedSweep, unknownInAll, fileProblem } from "../../io/index.js";
import type { RunResult, RunScenario } from "../run.js";
import type { RunExecutor } from "../sweep/run-executor.js";
import { runSweep, type SweepRuns } from "../sweep/run-sweep.js";

/** @throws InputError when the file has none. */
export function goalOf({ goal, file }: LoadedSweep): Goal {
  if (goal !== undefined) return goal;
  throw fileProblem(file, "has no section goal, which says what is looked for");
}

interface TuneSweepOptions extends TuneOptions {
  /** Also every other run of the grid, to see whether it has the same answer. */
  readonly grid: boolean;
  readonly plugins: readonly SchedulerPlugin[];
  /** For the one run from which the paper's formulas get what they need. */
  readonly run: () => Promise<RunScenario>;
}

/**
 * Searches a sweep for the answer to its goal, and says all that there is to say of it. Does not close the executor.
 */
export async function tuneSweep(
  loaded: LoadedSweep,
  runs: SweepRuns,
  executor: RunExecutor,
  options: TuneSweepOptions,
): Promise<TuneReport> {
  const search = await runTune(runs, goalOf(loaded), executor, options);
  if (options.grid) await runGrid(runs, executor, options);
  const grid = options.grid ? gridReport(runs, search) : null;
  const theory = await theoryOf(loaded, search, options);
  const { refuted } = search;
  const until = "the section until is not used: every point has as many replications as any other";
  const outcomes = runs.keys.flat().flatMap((key) => runs.outcomeOf(key) ?? []);
  const notes = [
    ...unknownInAll(outcomes),
    ...codedNotes(outcomes),
    ...loaded.notes,
    ...(loaded.plan.until === null ? [] : [until]),
    ...(refuted === null ? [] : [`${refuted} is not monotone along the axis: all points are searched`]),
  ];
  return describeTune(runs, search, { theory, grid, notes });
}

/** Evaluates the paper's formulas at the answer, from one run more. */
async function theoryOf(
  { plan, directory, scenarioAt }: LoadedSweep,
  { decision, problem }: FinishedSearch,
  { plugins, run, signal }: TuneSweepOptions,
): Promise<TheoryReport> {
  if (localityAskedFor(problem.goal) === null) {
    return { applies: false, reason: "the goal asks for no share of node-local maps" };
  }
  if (decision.answer < 0) return { applies: false, reason: "there is no answer to take its inputs from" };
  const scenario = scenarioAt(plan.points[decision.answer], plan.seeds[0]);
  if (!isHadoop(scenario)) return { applies: false, reason: "the formulas are those of Hadoop" };
  const simulate = await run();
  const result = await simulate(scenario, directory, { placement: 0, plugins, signal });
  return theoryAnswer(scenario, problem.goal, result);
}

interface TuneOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TuneProgress) => void) | undefined;
}

export interface TuneProgress {
  /** From 1; 0: the full grid. */
  readonly round: number;
  /** Runs of this round. */
  readonly ended: number;
  readonly wanted: number;
  /** Runs of earlier rounds. */
  readonly before: number;
  /** Points among which the answer is looked for. */
  readonly alive: number;
}

/** A search that has come to its end. */
interface FinishedSearch extends TuneOutcome {
  readonly problem: TuneProblem;
  readonly known: KnownRuns;
  readonly rounds: readonly RoundReport[];
}

/**
 * Searches the points of a plan for the answer to a goal. Which runs are done follows from the plan, the goal and what
 * runs give.
 * @throws as `doRuns`.
 */
export async function runTune(
  runs: SweepRuns,
  goal: Goal,
  executor: RunExecutor,
  { signal, onProgress }: TuneOptions = {},
): Promise<FinishedSearch> {
  const problem = tuneProblemOf(runs.plan, goal);
  const known = new KnownRuns(problem);
  const rounds: RoundReport[] = [];
  const search = searchRounds(problem, known);
  let step = search.next();
  for (; step.done !== true; step = search.next()) {
    const { kind, requests, alive } = step.value;
    const progress = { round: rounds.length + 1, wanted: requests.length, before: known.total, alive };
    await doRuns(runs, executor, requests, (ended) => onProgress?.({ ...progress, ended }), signal);
    for (const request of requests) known.add(request, valuesOf(runs, request));
    const { answer } = decide(problem, known.means());
    const label = answer < 0 ? null : runs.plan.points[answer].label;
    rounds.push({ kind, runs: requests.length, runsSoFar: known.total, alive, answer: label });
  }
  return { ...step.value, problem, known, rounds };
}

/** Every run of the grid that is not done. @throws as `doRuns`. */
export async function runGrid(
  runs: SweepRuns,
  executor: RunExecutor,
  { signal, onProgress }: TuneOptions = {},
): Promise<void> {
  const gridRuns = gridOf(runs);
  const progress = { round: 0, wanted: gridRuns.length, before: 0, alive: runs.plan.points.length };
  await doRuns(runs, executor, gridRuns, (ended) => onProgress?.({ ...progress, ended }), signal);
}

function gridOf({ plan }: SweepRuns): RunRequest[] {
  return plan.points.flatMap((_, point) =>
    Array.from({ length: plan.replications }, (__, replication) => ({ point, replication })),
  );
}

/**
 * Values of a run that is kept. A goal such as at most 3 kills is met where nothing is ever killed: a notion that the
 * run does not have counts as none.
 */
function valuesOf(runs: SweepRuns, { point, replication }: RunRequest): RunValues {
  const run = finished(runs.outcomeOf(runs.keys[point][replication]));
  if (run === undefined) return null;
  const known = Object.entries(run.values).map(([key, value]) => {
    return [key, value ?? (measureNamed(key)?.notion === undefined ? null : 0)] as const;
  });
  return Object.fromEntries(known);
}

/**
 * Does those of the runs that are not kept.
 * @throws as `runSweep`.
 */
async function doRuns(
  runs: SweepRuns,
  executor: RunExecutor,
  wanted: readonly RunRequest[],
  onEnded: (ended: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const placeOf = (point: number, replication: number) => point * runs.plan.seeds.length + replication;
  const places = new Set(wanted.map(({ point, replication }) => placeOf(point, replication)));
  await runSweep({ ...runs, plan: { ...runs.plan, until: null } }, executor, {
    signal,
    isOurs: (point, replication) => places.has(placeOf(point, replication)),
    onProgress: ({ ended }) => {
      onEnded(ended);
    },
  });
}

interface TuneExtras {
  readonly theory: TheoryReport;
  readonly grid: GridReport | null;
  readonly notes: readonly Note[];
}

/** The report of a search. */
function describeTune(runs: SweepRuns, search: FinishedSearch, extras: TuneExtras): TuneReport {
  const { plan } = runs;
  const { problem, known, decision, rounds } = search;
  const { goal } = problem;
  const judge = new PointJudge(runs, goal, decision.bounds, known);
  const nearest = decision.answer < 0 ? nearestPoint(decision) : -1;
  return {
    format: "bide-tune",
    version: 1,
    sweep: plan.name,
    why: plan.why,
    axes: namesOf(plan.axes),
    goal,
    points: plan.points.length,
    replications: plan.replications,
    gridRuns: plan.points.length * plan.replications,
    runs: known.total,
    rounds,
    answer: decision.answer < 0 ? null : judge.report(decision.answer),
    best: decision.best.flatMap((point) => (point < 0 ? [] : [judge.report(point)])),
    neighbours: decision.answer < 0 ? [] : neighbours(runs, search, judge),
    nearest: nearest < 0 ? null : judge.report(nearest),
    neverLookedAt: plan.points.flatMap(({ label }, point) => (known.countOf(point) === 0 ? [label] : [])),
    failed: failedPoints(runs),
    ...extras,
  };
}

/** The result of all replications of all points. All runs of the grid must be there. */
export function gridReport(runs: SweepRuns, { problem, decision }: FinishedSearch): GridReport {
  const known = new KnownRuns(problem);
  for (const request of gridOf(runs)) known.add(request, valuesOf(runs, request));
  const { answer, bounds } = decide(problem, known.means());
  const judge = new PointJudge(runs, problem.goal, bounds, known);
  return { answer: answer < 0 ? null : judge.report(answer), isSame: answer === decision.answer };
}

function neighbours({ plan }: SweepRuns, { problem, decision }: FinishedSearch, judge: PointJudge): NeighbourReport[] {
  return ([-1, 1] as const).flatMap((direction) =>
    nearbyPoints(problem.points, decision.answer, direction).map((point) => {
      const axis = problem.points[point].findIndex((step, i) => step !== problem.points[decision.answer][i]);
      const side = direction < 0 ? ("below" as const) : ("above" as const);
      return { ...judge.report(point), axis: plan.axes[axis].name, direction: side };
    }),
  );
}

function failedPoints({ plan, keys, outcomeOf }: SweepRuns): FailedPoint[] {
  return plan.points.flatMap(({ label }, point) => {
    const failed = keys[point].map(outcomeOf).find((run) => run?.outcome === "failed");
    return failed === undefined ? [] : [{ label, error: failed.error }];
  });
}

/** Computes the measures of a point, and whether they meet the goal. */
class PointJudge {
  /** @param bounds what each clause of the goal asks for. */
  constructor(
    private readonly runs: SweepRuns,
    private readonly goal: Goal,
    private readonly bounds: readonly Bound[],
    private readonly known: KnownRuns,
  ) {}

  report(point: number): PointReport {
    const { known } = this;
    const { keys, outcomeOf, plan } = this.runs;
    const runs = keys[point].map((key) => finished(outcomeOf(key)));
    const measures = measuresOf(this.goal).map((key): JudgedMeasure => {
      const { step } = sampleOf(runs, key);
      const { mean, halfWidth, values } = estimate(known.valuesOf(point, key), step);
      const bounds = this.bounds.filter((_, i) => this.goal.where[i].measure === key);
      const isMet = bounds.every((bound) => isWithin(bound, mean ?? NaN));
      return { key, mean, halfWidth, values, bounds, isMet };
    });
    const meetsGoal = !known.hasFailed(point) && measures.every(({ isMet }) => isMet);
    const { label } = plan.points[point];
    return { point, label, replications: known.countOf(point), measures, meetsGoal };
  }
}

/** Measures of locality that the formulas are about, and whose jobs they count. */
const LOCALITY: Readonly<Record<string, SizeGroup | null>> = { nodeLocalSmall: "Small", nodeLocalAll: null };

/** They take every slot to be busy: below this share of the time they are not about this cluster. */
const SATURATED_ENOUGH = 0.1;

/** The locality that the goal requires; null: none. */
function localityAskedFor({ where }: Goal): { readonly measure: string; readonly share: number } | null {
  const clauses = where.flatMap(({ measure, ...clause }) =>
    clause.kind === "atLeast" && Object.hasOwn(LOCALITY, measure) ? [{ measure, share: clause.bound }] : [],
  );
  return clauses.length === 0 ? null : clauses[0];
}

/**
 * The skip count D and the wait W1 that section 3.5 of the delay scheduling paper gives for the locality that a goal
 * asks for. What it needs is the scenario's own, or measured in one run of it.
 */
export function theoryAnswer(scenario: Scenario, goal: Goal, run: RunResult): TheoryReport {
  const wanted = localityAskedFor(goal);
  const reason =
    wanted === null ? "the goal asks for no share of node-local maps" : reasonAgainst(scenario, wanted.share);
  if (wanted === null || reason !== null) return { applies: false, reason: reason ?? "" };
  const inputs = inputsOf(scenario, run, LOCALITY[wanted.measure]);
  if (typeof inputs === "string") return { applies: false, reason: inputs };
  const { nodes, slotsPerNode, replication, mapsPerJob, taskSeconds } = inputs;
  const job = { tasks: Math.max(1, Math.round(mapsPerJob)), nodes, replication };
  const skips = Math.ceil(skipCountForLocality(job, wanted.share));
  return {
    applies: true,
    locality: wanted.share,
    inputs,
    skips,
    waitSeconds: localityWaitSecondsOnNodes({ nodes, slotsPerNode, taskSeconds }, skips),
    expectedLocality: expectedJobLocality(job, skips),
  };
}

/** The reason in the scenario against the formula. */
function reasonAgainst({ scheduler, storage, cluster }: Scenario, locality: number): string | null {
  const { kind } = waitInEffect(scheduler);
  if (scheduler.options !== undefined) return `Bide does not know how jobs wait under ${scheduler.kind}, a plugin`;
  if (kind === "none") return `no job waits for locality under ${scheduler.kind} as it is set`;
  if (locality >= 1) return "no wait reaches 100 %";
  if (storage.dynamicReplication !== undefined) return "the number of replicas changes";
  if (storage.placement === "correlated") return "blocks are not placed at random";
  if (storage.hotSpots !== undefined || storage.dataSet !== undefined) return "jobs share input";
  const slots = new Set(cluster.racks.flatMap(({ nodes }) => nodes.map(({ mapSlots }) => mapSlots)));
  return slots.size > 1 ? "nodes differ in map slots" : null;
}

/** The inputs of the formulas, or why they cannot be had. */
function inputsOf(scenario: Scenario, { summary, record }: RunResult, group: SizeGroup | null): TheoryInputs | string {
  const { saturated = 0, busy } = summary.utilisation["mapSlots"];
  if (saturated < SATURATED_ENOUGH) {
    const percent = (saturated * 100).toFixed(0);
    return `map slots were nearly all busy in ${percent} % of the time only; the formula is about a full cluster`;
  }
  const mapsPerJob = meanMaps(record, group);
  const taskSeconds = summary.attemptSeconds["map"].mean;
  if (mapsPerJob === null || taskSeconds === null) return "the run launched no maps of such jobs";
  const { nodes, resources } = summary.cluster;
  const replication = Math.min(scenario.storage.replication, nodes);
  return { nodes, slotsPerNode: resources["mapSlots"] / nodes, replication, mapsPerJob, taskSeconds, saturated, busy };
}

/**
 * Mean maps of the jobs that launched maps, each weighted by its maps, as the share of local maps weighs them; null:
 * there are none.
 */
function meanMaps({ words, jobs }: RunRecord, group: SizeGroup | null): number | null {
  const maps = jobs.tasks[localType(words)];
  let sum = 0;
  let weight = 0;
  for (let job = 0; job < jobs.rows; job++) {
    if (jobs.firstLaunchAtUs[job] < 0 || maps[job] === 0 || !isIn(group, maps[job])) continue;
    sum += maps[job] * maps[job];
    weight += maps[job];
  }
  return weight > 0 ? sum / weight : null;
}
