import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import {
  cumulativeShares,
  empirical,
  indexByShare,
  logNormal,
  logNormalTable,
  logUniformInteger,
} from "../kernel/sampling.js";
import { ln } from "../kernel/transcendental.js";
import type { FacebookWorkloadSpec, StorageSpec } from "../scenario/scenario.js";
import { submitTimes } from "./arrivals.js";
import {
  COPY_TIME,
  FACEBOOK_BINS,
  GAP_SIGMA,
  HOUR_WEIGHTS,
  LARGEST_BIN_CLASS_RATIO,
  LARGEST_BIN_MAPS,
  MAP_TIME,
  PRIORITY_SHARES,
  REDUCE_TIME,
  type PhaseKnobs,
} from "./facebook-knobs.js";
import { FileAttachment } from "./file-attachment.js";
import type { JobSpec, TaskLengths, Workload } from "./job.js";
import { JobStrata, type JobDraw } from "./job-strata.js";
import { DrawnLengths } from "./task-lengths.js";
import { ZipfUsers } from "./users.js";

const LARGEST_BIN = FACEBOOK_BINS.length - 1;
const BIN_SHARES = cumulativeShares(FACEBOOK_BINS.map((bin) => bin.share));
const PRIORITIES_BY_SHARE = cumulativeShares(PRIORITY_SHARES);

/**
 * A synthetic day (or any other span) of Facebook's cluster of October 2009: see facebook-knobs.ts for every choice and its
 * source. Exactly `spec.jobs` jobs, submitted in [0, spec.spanUs).
 */
export function facebookWorkload(spec: FacebookWorkloadSpec, storage: StorageSpec, rootSeed: string): Workload {
  const at = submitTimes(spec.jobs, spec.spanUs, GAP_SIGMA, HOUR_WEIGHTS, rootSeed);
  const strata = new JobStrata(rootSeed);
  const users = new ZipfUsers(spec.users, rootSeed);
  const attachment = new FileAttachment(storage.rereadProbability, rootSeed);
  const maps = new PhaseLengths("map", MAP_TIME, 1, spec.timeScale, rootSeed);
  const copies = new PhaseLengths("copy", COPY_TIME, 0, spec.timeScale, rootSeed);
  const reduces = new PhaseLengths("reduce", REDUCE_TIME, 1, spec.timeScale, rootSeed);
  const prioritySeed = seedWord(rootSeed, "workload/priority");
  const copySeed = seedWord(rootSeed, "workload/copy-speed");
  const jobs: JobSpec[] = [];
  const digits = String(spec.jobs).length;
  for (let job = 0; job < spec.jobs; job++) {
    const draw = strata.drawOf(job);
    const bin = indexByShare(draw.size, BIN_SHARES);
    const drawnMaps = mapsOf(bin, draw);
    const file = attachment.fileOf(job, sizeClassOf(bin, drawnMaps), drawnMaps);
    const user = users.userOf(job);
    const mapCount = attachment.files[file].blocks;
    const reduceCount = reducesOf(bin, draw);
    jobs.push({
      name: `job${String(job + 1).padStart(digits, "0")}`,
      submitAtUs: at[job],
      user,
      pool: user,
      priority: indexByShare(fractionOf(counterHash(prioritySeed, job, 0)), PRIORITIES_BY_SHARE),
      maps: mapCount,
      reduces: reduceCount,
      mapLengths: maps.ofJob(job, mapCount, draw.mapTime),
      copyLengths: copies.ofJob(job, reduceCount, fractionOf(counterHash(copySeed, job, 0))),
      reduceLengths: reduces.ofJob(job, reduceCount, draw.reduceTime),
      input: { file, firstBlock: 0 },
    });
  }
  return { jobs, files: attachment.files, notes: [] };
}

/** Log-uniform inside the bin; the largest by its published percentiles. */
function mapsOf(bin: number, draw: JobDraw): number {
  const from = bin === 0 ? 0 : BIN_SHARES[bin - 1];
  const inside = (draw.size - from) / (BIN_SHARES[bin] - from);
  const { minMaps, maxMaps } = FACEBOOK_BINS[bin];
  return bin === LARGEST_BIN
    ? Math.floor(empirical(inside, LARGEST_BIN_MAPS))
    : logUniformInteger(inside, minMaps, maxMaps);
}

/** Jobs of one class may read one file: the bin, cut finer where sizes differ by more than a factor of a few. */
function sizeClassOf(bin: number, maps: number): number {
  if (bin !== LARGEST_BIN) return bin;
  return bin + Math.floor(ln(maps / FACEBOOK_BINS[bin].minMaps) / ln(LARGEST_BIN_CLASS_RATIO));
}

function reducesOf(bin: number, draw: JobDraw): number {
  const { mapOnly, minReduces, maxReduces } = FACEBOOK_BINS[bin];
  if (draw.reduceCount < mapOnly) return 0;
  return logUniformInteger((draw.reduceCount - mapOnly) / (1 - mapOnly), minReduces, maxReduces);
}

/** The lengths of one phase over all jobs: the job's own speed, and a table of task factors that all jobs share. */
class PhaseLengths {
  private readonly table: Float32Array;
  private readonly seed: number;

  constructor(
    phase: string,
    private readonly knobs: PhaseKnobs,
    private readonly minUs: number,
    private readonly timeScale: number,
    rootSeed: string,
  ) {
    this.table = logNormalTable(knobs.within);
    this.seed = seedWord(rootSeed, `workload/${phase}-length`);
  }

  ofJob(job: number, tasks: number, fraction: number): TaskLengths {
    const { medianUs, between, maxWorkUs, maxUs } = this.knobs;
    const distribution = {
      table: this.table,
      medianUs: Math.min(maxWorkUs / tasks, logNormal(fraction, medianUs, between)) * this.timeScale,
      minUs: this.minUs,
      maxUs: Math.max(this.minUs, Math.round(maxUs * this.timeScale)),
    };
    return new DrawnLengths(distribution, this.seed, job);
  }
}
