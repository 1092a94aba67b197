import fc from "fast-check";
import {
  DEFAULT_EXCLUSION,
  defaultSpeculation,
  SPARK_RULES,
  type SparkApplication,
  type SparkVersion,
} from "../../dist/core/platforms/spark/index.js";
import { applicationOf } from "./spark-applications.js";

const HOSTS = 4;
const EXECUTORS = 6;
const versions = Object.keys(SPARK_RULES) as SparkVersion[];

const place = fc.oneof(
  { weight: 4, arbitrary: fc.record({ host: fc.nat(HOSTS - 1) }) },
  // Executors are on hosts in turn.
  { weight: 1, arbitrary: fc.nat(EXECUTORS - 1).map((executor) => ({ host: executor % HOSTS, executor })) },
  { weight: 1, arbitrary: fc.nat(HOSTS - 1).map((host) => ({ host, isHdfsCache: true as const })) },
);

/** Whole tenths of a second make things coincide. */
const lengthUs = fc.oneof(
  fc.integer({ min: 1, max: 50 }).map((tenths) => tenths * 100_000),
  fc.integer({ min: 1, max: 5_000_000 }),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** Without the keys that are undefined. */
function said<T extends object>(record: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
}

const task = fc
  .record({
    runUs: lengthUs,
    places: fc.array(place, { maxLength: 3 }),
    level: maybe(fc.constantFrom(0, 1, 2, 3, 4)),
    delayUs: maybe(fc.constantFrom(0, 100_000, 1_234_567)),
    resultUs: maybe(fc.constantFrom(0, 100_000, 2_000_000)),
    failures: maybe(
      fc.array(
        fc.record({
          heldUs: fc.constantFrom(0, 100_000, 700_001),
          reason: fc.constantFrom("ExceptionFailure", "TaskCommitDenied"),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    ),
  })
  .map(said);

/** What a log recorded of a stage. */
const recorded = fc
  .record({
    reads: maybe(fc.constantFrom("input", "cached", "shuffle")),
    beforeUs: maybe(fc.constantFrom(0, 100_000, 54_321)),
    driverUs: maybe(fc.constantFrom(0, 100_000, 3_210_987)),
  })
  .map(said);

const AWAY = { rackFactor: 1.5, anyFactor: 2, cachedNodeFactor: 3, cachedAnyFactor: 5, shuffleAnyFactor: 1.25 };

/** More tasks than all executors ever have room for. */
const TOO_WIDE = 4 * EXECUTORS + 1;

const tasksOfStage = (mayBeTooWide: boolean) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.array(task, { maxLength: 8 }) },
    { weight: mayBeTooWide ? 1 : 0, arbitrary: fc.array(task, { minLength: TOO_WIDE, maxLength: TOO_WIDE }) },
  );

const job = (number: number, mayBeBarrier: boolean) =>
  fc.record({
    name: fc.constant(`job${number}`),
    pool: fc.constantFrom("a", "b", "c", "default"),
    ...(number === 1 ? { endUs: fc.constantFrom(0, 250_000) } : {}),
    submitAtUs: fc.nat(100).map((tenths) => tenths * 100_000),
    ...(number === 0
      ? {}
      : { after: fc.option(fc.record({ job: fc.nat(number - 1), delayUs: fc.nat(2_000_000) }), { nil: undefined }) }),
    stages: fc.array(tasksOfStage(mayBeBarrier), { minLength: 1, maxLength: 4 }).chain((stages) =>
      fc
        .tuple(
          fc.tuple(...stages.map((_, stage) => fc.subarray(Array.from({ length: stage }, (__, parent) => parent)))),
          fc.tuple(...stages.map(() => recorded)),
          fc.tuple(
            ...stages.map(() => maybe(fc.record({ profile: fc.nat(1), taskCores: fc.integer({ min: 1, max: 2 }) }))),
          ),
        )
        .map(([parents, ofLog, own]) =>
          // The executor that stays has room for two; too wide a stage fails its job.
          stages.map((tasks, stage) => {
            const isBarrier = mayBeBarrier && (tasks.length <= 2 || tasks.length === TOO_WIDE);
            return { name: "s", parents: parents[stage]!, isBarrier, tasks, ...ofLog[stage]!, ...own[stage] };
          }),
        ),
    ),
  });

function withoutProfiles(job: SparkApplication["jobs"][number]): SparkApplication["jobs"][number] {
  return { ...job, stages: job.stages.map(({ profile: _, taskCores: __, ...stage }) => stage) };
}

/** Applications that use every rule and end by themselves: at least one executor stays. */
export const randomApplications: fc.Arbitrary<SparkApplication> = fc
  .record({
    version: fc.constantFrom(...versions),
    cores: fc.array(fc.integer({ min: 2, max: 4 }), { minLength: EXECUTORS, maxLength: EXECUTORS }),
    coresPerTask: fc.constantFrom(1, 1, 2),
    racks: fc.array(fc.integer({ min: -1, max: 1 }), { minLength: HOSTS, maxLength: HOSTS }),
    comes: fc.array(fc.nat(60), { minLength: EXECUTORS, maxLength: EXECUTORS }),
    stays: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: EXECUTORS - 1 }),
    areLetGo: fc.boolean(),
    // With profiles the last two executors stay, one of each. Exclusion does not ask for profiles, as in Spark: what it
    // excludes from its own waits for ever.
    hasProfiles: fc.boolean(),
    jobs: fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.boolean())
      .chain(([n, mayBeBarrier]) => fc.tuple(...Array.from({ length: n }, (_, i) => job(i, mayBeBarrier)))),
    waitUs: fc.constantFrom(0, 500_000, 3_000_000),
    waitProcessUs: fc.constantFrom(0, 1_000_000),
    messageUs: fc.constantFrom(0, 0, 12_345),
    stageStartUs: fc.constantFrom(0, 0, 7_890, 300_000),
    isFair: fc.boolean(),
    legacy: fc.boolean(),
    speculates: fc.boolean(),
    excludes: fc.boolean(),
    reduceLocality: fc.boolean(),
    chance: fc.constantFrom(0, 0, 0.1, 0.5),
    badHost: fc.option(fc.nat(HOSTS - 1), { nil: undefined }),
    losses: fc.option(
      fc.record({
        events: fc.array(
          fc.record({ executor: fc.nat(EXECUTORS), atUs: fc.nat(80).map((tenths) => tenths * 100_000) }),
          { maxLength: 3 },
        ),
        meanUs: fc.constantFrom(Infinity, 5_000_000, 60_000_000),
        untilUs: fc.constantFrom(10_000_000, 20_000_000),
        backUs: fc.constantFrom(0, 100_000, 3_000_000),
        counts: fc.boolean(),
      }),
      { nil: undefined },
    ),
    planned: fc.array(
      fc.record({ job: fc.nat(2), stage: fc.nat(1), task: fc.nat(3), number: fc.nat(3), afterUs: fc.nat(1_000_000) }),
    ),
  })
  .map((of) => {
    const { version, cores, racks, comes, stays, jobs, waitUs, waitProcessUs, messageUs, stageStartUs } = of;
    const rules = SPARK_RULES[version];
    const made = applicationOf(version, cores, jobs as SparkApplication["jobs"], {
      waitProcessUs,
      waitNodeUs: waitUs,
      waitRackUs: waitUs,
      mode: of.isFair ? "FAIR" : "FIFO",
      resetsOnLaunch: rules.resetsOnLaunch || of.legacy,
      coresPerTask: of.coresPerTask,
      speculation: of.speculates ? defaultSpeculation(rules) : null,
      exclusion: of.excludes && !of.hasProfiles ? { ...DEFAULT_EXCLUSION, unschedulableUs: 7_500_000 } : null,
    });
    const executors = made.executors.map((one, at) => {
      const fromUs = comes[at]! * 100_000;
      const untilUs = stays[at] === undefined ? Infinity : fromUs + stays[at]! * 100_000;
      const isLetGo = of.areLetGo && untilUs < Infinity;
      return {
        ...one,
        cores: at >= EXECUTORS - 2 ? 4 : one.cores,
        host: at % HOSTS,
        fromUs,
        untilUs: of.hasProfiles && at === EXECUTORS - 2 ? Infinity : untilUs,
        ...(isLetGo ? { isLetGo } : {}),
        ...(of.hasProfiles ? { profile: at % 2 } : {}),
      };
    });
    const ownJobs = of.hasProfiles ? made.jobs : made.jobs.map(withoutProfiles);
    const pools = [
      { name: "a", mode: "FAIR", minShare: 2, weight: 1, pools: [{ name: "c", mode: "FIFO", minShare: 0, weight: 1 }] },
      { name: "b", mode: "FIFO", minShare: 0, weight: 3 },
      { name: "default", mode: "FIFO", minShare: 1, weight: 1 },
    ] as const;
    const chances =
      of.badHost === undefined ? {} : { chances: racks.map((_, at) => (at === of.badHost ? 1 : undefined)) };
    const failures = { chance: of.chance, planned: of.planned, ...chances };
    return {
      ...made,
      jobs: ownJobs,
      pools,
      executors,
      racks,
      failures,
      ...(of.losses === undefined ? {} : { losses: of.losses }),
      reduceLocality: of.reduceLocality,
      timing: { ...made.timing, away: AWAY, stageStartUs, launchUs: messageUs, reportUs: messageUs },
    };
  });
