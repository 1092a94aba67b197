import {
  allRefusedWords,
  heldSecondsOfUsers,
  heldTotal,
  type Note,
  type RecordWords,
  refusedWords,
  stuckWords,
  type Summary,
} from "../core/record/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import {
  comparedKeys,
  measureNamed,
  type JobTimes,
  jobTimesOf,
  levelShares,
  platformMeasures,
  figuresOfMeasures,
  type MeasuredFigures,
  type Notion,
} from "../experiments/index.js";
import type { AnyScenario } from "../core/scenario/index.js";
import { platformNamed } from "../io/index.js";
import type { Placement, Progress, RunScenario } from "./run.js";
import { RunInputs } from "./run-inputs.js";

/** The part of a run that a comparison keeps. */
export interface RunFigures extends MeasuredFigures {
  readonly words: RecordWords;
  readonly times: JobTimes;
  readonly fingerprint: string;
  /** Shares of launched tasks by locality level. */
  readonly levels: readonly number[];
  readonly notes: readonly Note[];
  /** Slot time of each pool that jobs of the run were in, in seconds. */
  readonly pools: ReadonlyMap<string, number>;
  /** The same of users. */
  readonly users: ReadonlyMap<string, number>;
  /** There are several, and they are not simply the pools. */
  readonly usersDiffer: boolean;
  /** Why the run will never end; empty unless it is stuck. Such a run has no values. */
  readonly stuck: readonly string[];
  /** The number of jobs that the pools refused, of all jobs, and the pools that they named; null: none. */
  readonly refused: string | null;
  /** Why a run in which every job was refused says nothing; null: some job ran. */
  readonly allRefused: string | null;
}

interface MeasureOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: Progress) => void;
  /** Keys of measures of pools and users, beside those that are kept of each. */
  readonly measures?: readonly string[];
}

/** Runs a scenario and returns its measures alone. */
export type MeasureScenario = (
  scenario: AnyScenario,
  directory: string,
  options: MeasureOptions,
) => Promise<RunFigures>;

/** On the calling thread, the racks where `placement` says. What its runs have in common is made once. */
export function measureHere(
  run: RunScenario,
  placement: Placement,
  plugins: readonly SchedulerPlugin[] = [],
): MeasureScenario {
  const inputs = new RunInputs();
  return async (scenario, directory, options) => {
    const {
      summary,
      record,
      decisions = null,
    } = await run(scenario, directory, {
      ...options,
      inputs,
      placement,
      plugins,
      recordTasks: false,
      timeDecisions: true,
    });
    const stuck = stuckWords(summary);
    const { words } = record;
    const pools = new Map(
      summary.groups.map(
        ({ name, resourceSeconds }) =>
          [name, heldTotal(words, (place) => resourceSeconds[words.resources[place].key])] as const,
      ),
    );
    const users = heldSecondsOfUsers(record);
    const ofPools = [...pools.keys()].flatMap((name) => comparedKeys({ kind: "pool", name }, words));
    // Users may be the pools in this run, and not in others.
    const ofUsers =
      users.size < 2 ? [] : [...users.keys()].flatMap((name) => comparedKeys({ kind: "user", name }, words));
    const kept = [...new Set([...ofPools, ...ofUsers, ...(options.measures ?? [])])].flatMap(
      (key) => measureNamed(key, words) ?? [],
    );
    return {
      ...(stuck.length > 0
        ? { values: {}, steps: {} }
        : figuresOfMeasures(
            [
              ...new Map(
                [...platformMeasures(words).ofRuns, ...kept].map((measure) => [measure.key, measure]),
              ).values(),
            ],
            notionsOf(scenario, summary),
            () => ({ summary, record, decisions }),
          )),
      words,
      times: jobTimesOf(record),
      fingerprint: summary.fingerprint,
      levels: levelShares(record),
      pools,
      users,
      usersDiffer: summary.users !== undefined,
      notes: summary.notes,
      stuck,
      refused: refusedWords(summary),
      allRefused: allRefusedWords(summary),
    };
  };
}

/**
 * The notions that apply to a scenario: beside a system that has one, the zeros of the others would read like a
 * finding.
 */
export function notionsOf(scenario: AnyScenario, summary: Summary): ReadonlySet<Notion> {
  const { met, missed, open } = summary.deadlines ?? { met: 0, missed: 0, open: 0 };
  const has: Readonly<Record<Notion, boolean>> = {
    kills: platformNamed(scenario.platform)?.mayKill(scenario) ?? true,
    replication: summary.storage !== undefined,
    cachedFiles: summary.cachedFiles !== undefined,
    deadlines: met + missed + open > 0,
  };
  return new Set((Object.keys(has) as Notion[]).filter((notion) => has[notion]));
}
