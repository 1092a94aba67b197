import fc from "fast-check";
import type { JobSpec, TaskLengths, Workload } from "../../dist/core/workload/index.js";

/** Who submits jobs. */
export const USERS = ["ann", "bob", "cy"];

/** Lengths that differ from task to task in a simple pattern. */
interface Pattern {
  readonly baseUs: number;
  readonly stepUs: number;
  readonly period: number;
}

interface RandomJob {
  /** Since the submission before. */
  readonly gapUs: number;
  readonly maps: number;
  readonly reduces: number;
  /** -1: no input. 0: a file of its own. Otherwise the number of a shared file. */
  readonly file: number;
  readonly firstBlock: number;
  readonly priority: number;
  readonly pool: number;
  readonly user: number;
  readonly mapTimes: Pattern;
  readonly copyTimes: Pattern;
  readonly reduceTimes: Pattern;
}

function times(beatUs: number, minUs: number, beats: number): fc.Arbitrary<Pattern> {
  return fc.record({
    baseUs: fc.oneof(
      fc.integer({ min: 1, max: 4 * beats }).map((quarters) => Math.max(minUs, Math.floor((quarters * beatUs) / 4))),
      fc.integer({ min: minUs, max: beats * beatUs }),
    ),
    stepUs: fc.oneof(fc.constant(0), fc.constant(beatUs), fc.integer({ min: 0, max: beatUs })),
    period: fc.integer({ min: 1, max: 5 }),
  });
}

/** Up to ten jobs, some of them with tasks so long that others want their slots meanwhile. */
export function floodingJobs(beatUs: number): fc.Arbitrary<RandomJob[]> {
  const short = randomJob(beatUs, 6);
  const long = randomJob(beatUs, 40).map((raw) => ({ ...raw, maps: raw.maps * 2, reduces: raw.reduces * 2 }));
  return fc.array(fc.oneof(short, long), { minLength: 1, maxLength: 10, size: "max" });
}

/** Mostly up to 40 jobs, sometimes more than tables first have room for. */
export function randomJobs(beatUs: number): fc.Arbitrary<RandomJob[]> {
  const job = randomJob(beatUs, 6);
  const burstJob = job.map((raw) => ({ ...raw, gapUs: raw.gapUs % 1000 }));
  return fc.oneof(
    { weight: 12, arbitrary: fc.array(job, { maxLength: 40, size: "max" }) },
    { weight: 1, arbitrary: fc.array(burstJob, { minLength: 65, maxLength: 90, size: "max" }) },
  );
}

/** At least one task, of up to that many heartbeat intervals. */
function randomJob(beatUs: number, beats: number): fc.Arbitrary<RandomJob> {
  const gapUs = fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 8 }).map((quarters) => Math.floor((quarters * beatUs) / 4)),
    fc.integer({ min: 0, max: 4 * beatUs }),
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 * beatUs }) },
  );
  const maps = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 6 }) }, fc.integer({ min: 0, max: 30 }));
  return fc
    .record({
      gapUs,
      maps,
      reduces: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5 })),
      file: fc.oneof(fc.constant(0), fc.integer({ min: -1, max: 3 })),
      firstBlock: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4 })),
      priority: fc.oneof(fc.constant(2), fc.integer({ min: 0, max: 4 })),
      pool: fc.nat(1000),
      user: fc.nat(USERS.length - 1),
      mapTimes: times(beatUs, 1, beats),
      copyTimes: times(beatUs, 0, beats),
      reduceTimes: times(beatUs, 1, beats),
    })
    .map((raw) => (raw.maps + raw.reduces > 0 ? raw : { ...raw, maps: 1 }));
}

class PatternLengths implements TaskLengths {
  constructor(private readonly pattern: Pattern) {}

  lengthUs(index: number): number {
    const { baseUs, stepUs, period } = this.pattern;
    return baseUs + stepUs * (index % period);
  }
}

/** The workload that the drawn jobs describe; `pools` are what their pool numbers stand for. */
export function buildRandomWorkload(jobs: readonly RandomJob[], pools: readonly string[]): Workload {
  const blocksOf = new Map<string, number>();
  const fileOf = (job: RandomJob, rank: number): string => (job.file === 0 ? `own${rank}` : String(job.file));
  jobs.forEach((job, rank) => {
    if (job.file < 0 || job.maps === 0) return;
    const file = fileOf(job, rank);
    blocksOf.set(file, Math.max(blocksOf.get(file) ?? 0, job.firstBlock + job.maps));
  });
  const names = [...blocksOf.keys()];
  let submitAtUs = 0;
  const specs = jobs.map((job, rank): JobSpec => {
    submitAtUs += job.gapUs;
    const { maps, reduces, priority, firstBlock } = job;
    return {
      name: `job${rank}`,
      submitAtUs,
      user: USERS[job.user],
      pool: pools[job.pool % pools.length],
      priority,
      maps,
      reduces,
      mapLengths: new PatternLengths(job.mapTimes),
      copyLengths: new PatternLengths(job.copyTimes),
      reduceLengths: new PatternLengths(job.reduceTimes),
      input: maps === 0 || job.file < 0 ? null : { file: names.indexOf(fileOf(job, rank)), firstBlock },
    };
  });
  return { jobs: specs, files: names.map((name) => ({ name, blocks: blocksOf.get(name) ?? 0 })), notes: [] };
}
