import { counterHash, exp, fractionOf, ln, scaled, seedWord, sumOver, maxOver } from "../../core/kernel/index.js";
import { median } from "../../core/record/index.js";
import type { StageInput } from "../../core/platforms/spark/index.js";
import { studentT } from "../statistics/student-t.js";

/*
 * What a task costs away from its data, learnt from tasks that ran. Within a stage tasks do the same work, so
 *
 *   ln(run time) = stage + slope x ln(bytes read) + host + first tasks + level + noise
 *
 * with a host's speed and the cost of first tasks common to all stages; the factor of a level is e to the power of its
 * coefficient. Weights of Huber bound what a straggler can do: unlike least absolute deviations they have one solution,
 * and lose 5 % of the information where noise is normal. docs/formats/spark-event-logs.md states the rules for readers.
 */

/** Inputs of stages, by number. */
export const READS: readonly StageInput[] = ["input", "cached", "shuffle"];

/**
 * A level's factor is against tasks beside their data: `NODE_LOCAL` or nearer; of cached partitions `PROCESS_LOCAL`.
 */
type AwayLevel = "NODE_LOCAL" | "RACK_LOCAL" | "ANY";

/**
 * Successful attempts that are no speculative copies, in columns of equal length. Numbers of stages, hosts and
 * executors are any whole numbers.
 */
export interface AwayTasks {
  readonly stage: ArrayLike<number>;
  /** A position in READS, the same for all tasks of a stage. */
  readonly reads: ArrayLike<number>;
  /** Spark's levels: PROCESS_LOCAL 0, NODE_LOCAL 1, NO_PREF 2, RACK_LOCAL 3, ANY 4. */
  readonly level: ArrayLike<number>;
  readonly host: ArrayLike<number>;
  readonly executor: ArrayLike<number>;
  readonly startUs: ArrayLike<number>;
  readonly runUs: ArrayLike<number>;
  /** NaN: not known. */
  readonly cpuUs: ArrayLike<number>;
  /** NaN: not known. */
  readonly bytes: ArrayLike<number>;
}

export interface AwayFactor {
  readonly reads: StageInput;
  readonly level: AwayLevel;
  /**
   * Null: it is identified. Else why it is not, and `factor`, `low` and `high` are the range that is carried and its
   * middle on a log scale.
   */
  readonly unidentified: string | null;
  /** Times a task takes; below 1 where distance is no cost, and not clamped. `low` to `high`: 95 % interval. */
  readonly factor: number;
  readonly low: number;
  readonly high: number;
  /** In stages with tasks at this level and beside their data. */
  readonly awayTasks: number;
  readonly besideTasks: number;
  readonly stages: number;
  /** Further stages by which hosts are told apart. */
  readonly hostStages: number;
  /** The same of CPU times, null where they are not known. No bound: distance costs CPU time too. */
  readonly cpuFactor: number | null;
}

interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * Ranges of factors that a log does not identify. Input: 2 is what Zaharia et al. (EuroSys 2010) give for tasks that
 * read their disks. Cached, a choice: 1 to the largest ratio of medians within stages that was met in public logs (5 to
 * 38 between PROCESS_LOCAL and NODE_LOCAL). Shuffle, a choice: that of input, since a host is preferred for having a
 * fifth of the input or more, so at most all of it becomes remote.
 */
export const CARRIED: Readonly<Record<StageInput, Range>> = {
  input: { low: 1, high: 2 },
  cached: { low: 1, high: 38 },
  shuffle: { low: 1, high: 2 },
};

/** Level columns: what is estimated. */
const AWAY: readonly { readonly reads: StageInput; readonly level: AwayLevel }[] = [
  { reads: "input", level: "RACK_LOCAL" },
  { reads: "input", level: "ANY" },
  { reads: "cached", level: "NODE_LOCAL" },
  { reads: "cached", level: "ANY" },
  { reads: "shuffle", level: "ANY" },
];
const BESIDE = -1;
/** Tasks without preferences are neither beside data nor away: one column per READS entry, after those of AWAY. */
const NO_PREFERENCE = AWAY.length;
/** Of a position in READS, by level. */
const COLUMN_OF: readonly (readonly number[])[] = [
  [BESIDE, BESIDE, NO_PREFERENCE, 0, 1],
  [BESIDE, 2, NO_PREFERENCE + 1, 3, 3],
  [BESIDE, BESIDE, NO_PREFERENCE + 2, 4, 4],
];
const LEVEL_COLUMNS = NO_PREFERENCE + READS.length;

/** Beyond it a share of the tasks is drawn. */
const MOST_TASKS = 100_000;
/** Tasks of a stage that are kept while whole stages can be left out instead. */
const ENOUGH_IN_STAGE = 100;
/** An interval needs this many tasks on both sides. */
const FEWEST_TASKS = 5;
/** Of the variance of a level within stages, the share that hosts, waves and bytes must leave. */
const LEAST_SHARE = 0.1;
/** A stage with fewer tasks has the slope on bytes that is common to those that read the same. */
const OWN_SLOPE_TASKS = 20;
/**
 * Stages that tell by themselves how much factors differ among stages; with fewer, tasks within them are drawn again
 * too.
 */
const ENOUGH_STAGES = 10;
/**
 * The least assumed difference of a factor among stages, as one standard deviation of its logarithm: one stage cannot
 * tell.
 */
const STAGE_SPREAD = 0.05;
/** Fewer tasks a host, beyond one a stage, leave no residuals by which to say how sure a speed is. */
const LEAST_TASKS_PER_HOST = 2;
/** The least assumed difference among hosts, in the same way: few hosts cannot tell. */
const HOST_SPREAD = 0.05;
const HUBER = 1.345;
const NORMAL_PER_MAD = 1.4826;
/** Spread of logarithms below which differences are the clock's. */
const LEAST_SPREAD = 0.001;
const DRAWS = 1000;
/** More stages, and more tasks of a stage, are drawn in groups. */
const MOST_UNITS = 500;

/**
 * Factors for what was read, in the order of READS and of distance.
 * @throws nothing: what cannot be told is said in `unidentified`. Time: a few seconds for any number of tasks.
 */
export function awayFactors(tasks: AwayTasks): AwayFactor[] {
  const design = new Design(tasks);
  const present = new Set<StageInput>();
  for (let row = 0; row < tasks.reads.length; row++) present.add(READS[tasks.reads[row]]);
  const presentColumns = AWAY.flatMap(({ reads }, column) => (present.has(reads) ? [column] : []));
  const sides = presentColumns.map((column) => design.sides(column));
  if (sides.every(({ unidentified }) => unidentified !== null))
    return presentColumns.map((column, index) => carried(column, sides[index]));
  const runTimes = design.fit(design.runLog);
  const cpuTimes = design.cpuLog === null ? null : design.fit(design.cpuLog);
  return presentColumns.map((column, index) => {
    const columnSides = sides[index];
    if (columnSides.unidentified !== null) return carried(column, columnSides);
    const evidence = design.evidenceOf(column, runTimes);
    if (evidence.unidentified !== null) return carried(column, { ...columnSides, unidentified: evidence.unidentified });
    const log = runTimes.coefficients[design.levelAt + column];
    const [below, above] = design.halfWidths(column, runTimes);
    const [low, high] = [exp(log - below), exp(log + above)];
    const range = CARRIED[AWAY[column].reads];
    if (!(low > range.low || high < range.high)) {
      const unidentified = `too few tasks, or times too different: they leave ${low.toFixed(1)} to ${high.toFixed(1)}`;
      return carried(column, { ...columnSides, unidentified });
    }
    return {
      ...AWAY[column],
      unidentified: null,
      factor: exp(log),
      low,
      high,
      awayTasks: columnSides.awayTasks,
      besideTasks: columnSides.besideTasks,
      stages: columnSides.stages,
      hostStages: evidence.hostStages,
      cpuFactor: cpuTimes === null ? null : exp(cpuTimes.coefficients[design.levelAt + column]),
    };
  });
}

/** Results of the fit beside factors of levels. */
export interface TaskTimes {
  /**
   * Of the logarithms of times of tasks, the standard deviation that nothing here explains: neither their stage, level,
   * host and bytes, nor that they came first. It is chance, or work that bytes do not tell; of stages, that of the
   * middle task. 0: nothing tells.
   */
  readonly spread: number;
  /**
   * Times that the first tasks of an executor take as long as later ones, and the second; 1 where waves and the rest
   * cannot be told apart.
   */
  readonly warmUp: readonly [first: number, second: number];
  readonly speeds: readonly HostSpeed[];
}

/**
 * The speed of a host, relative to all, with a 95 % interval from `low` to `high`. Of few tasks it is near 1, as
 * hosts of a cluster are alike.
 */
export interface HostSpeed {
  /** As AwayTasks has it. */
  readonly host: number;
  readonly speed: number;
  readonly low: number;
  readonly high: number;
}

export function taskTimes(tasks: AwayTasks): TaskTimes {
  const design = new Design(tasks);
  const fit = design.fit(design.runLog);
  return {
    spread: design.middleSpread(fit),
    warmUp: [design.warmUp(0, fit), design.warmUp(1, fit)],
    speeds: design.speeds(fit),
  };
}

interface Sides {
  readonly unidentified: string | null;
  readonly awayTasks: number;
  readonly besideTasks: number;
  readonly stages: number;
}

function carried(column: number, sides: Sides): AwayFactor {
  const { low, high } = CARRIED[AWAY[column].reads];
  return { ...AWAY[column], ...sides, factor: Math.sqrt(low * high), low, high, hostStages: 0, cpuFactor: null };
}

interface Fit {
  readonly coefficients: Float64Array;
  readonly residuals: Float64Array;
  readonly weights: Float64Array;
  /** Standard deviation of the noise, by stage. */
  readonly spreads: Float64Array;
}

interface Told {
  readonly unidentified: string | null;
  readonly hostStages: number;
}

/**
 * The model's columns, tasks sorted by stage: indicators of hosts, of first tasks, and of levels, and logarithms of
 * bytes.
 */
class Design {
  private readonly rows: number;
  private readonly stages: number;
  /** First row of each stage, and the end of the last. */
  private readonly from: number[] = [];
  private readonly host: Int32Array;
  /** As AwayTasks has them. */
  private readonly hostNames: readonly number[];
  private readonly hosts: number;
  private readonly wave: Uint8Array;
  private readonly stageWave: Uint8Array;
  private readonly level: Int8Array;
  private readonly bytesLog: Float64Array;
  private readonly hasSlope: Uint8Array;
  private readonly slopeOf: Int8Array;
  private readonly waveAt: number;
  private readonly slopeAt: number;
  private readonly columns: number;
  readonly levelAt: number;
  readonly runLog: Float64Array;
  /** Null: some task's CPU time is not known. */
  readonly cpuLog: Float64Array | null;

  constructor(tasks: AwayTasks) {
    const order = sampled(tasks);
    const rows = order.length;
    this.rows = rows;
    const numberOf = new Map<number, number>();
    this.host = Int32Array.from(order, (row) => {
      const host = tasks.host[row];
      const number = numberOf.get(host) ?? numberOf.size;
      numberOf.set(host, number);
      return number;
    });
    this.hosts = numberOf.size;
    this.hostNames = [...numberOf.keys()];
    this.level = Int8Array.from(order, (row) => COLUMN_OF[tasks.reads[row]][tasks.level[row]]);
    this.slopeOf = Int8Array.from(order, (row) => tasks.reads[row]);
    this.runLog = Float64Array.from(order, (row) => ln(tasks.runUs[row]));
    const isTimed = order.every((row) => tasks.cpuUs[row] > 0);
    this.cpuLog = isTimed ? Float64Array.from(order, (row) => ln(tasks.cpuUs[row])) : null;
    order.forEach((row, index) => {
      if (index === 0 || tasks.stage[row] !== tasks.stage[order[index - 1]]) this.from.push(index);
    });
    this.stages = this.from.length;
    this.from.push(rows);
    const waves = wavesOf(tasks);
    this.wave = Uint8Array.from(order, (row) => waves.ofExecutor[row]);
    this.stageWave = Uint8Array.from(order, (row) => waves.ofStage[row]);
    this.bytesLog = new Float64Array(rows);
    this.hasSlope = new Uint8Array(this.stages);
    for (let stage = 0; stage < this.stages; stage++) this.readBytes(stage, order, tasks.bytes);
    this.waveAt = this.hosts;
    this.levelAt = this.waveAt + 2 * WAVES;
    this.slopeAt = this.levelAt + LEVEL_COLUMNS;
    this.columns = this.slopeAt + READS.length;
  }

  /**
   * ln(1 + bytes / median): the logarithm of a fixed cost and one by byte. Of cached partitions it is compared within a
   * level alone: Spark counts there what they take in memory, and what came packed over the network.
   */
  private readBytes(stage: number, order: Int32Array, bytes: ArrayLike<number>): void {
    const [from, to] = [this.from[stage], this.from[stage + 1]];
    const known: number[] = [];
    for (let row = from; row < to; row++) if (bytes[order[row]] > 0) known.push(bytes[order[row]]);
    const typical = median(known);
    if (typical === 0) return;
    for (let row = from; row < to; row++) {
      const read = bytes[order[row]];
      this.bytesLog[row] = ln(1 + (Number.isNaN(read) ? 1 : Math.max(0, read) / typical));
    }
    if (READS[this.slopeOf[from]] === "cached") this.centreWithinLevels(from, to);
    const first = this.bytesLog[from];
    const differs = this.bytesLog.subarray(from, to).some((value) => Math.abs(value - first) > LEAST_SPREAD);
    if (differs && to - from >= OWN_SLOPE_TASKS) this.hasSlope[stage] = 1;
  }

  private centreWithinLevels(from: number, to: number): void {
    const sums = new Map<number, { sum: number; count: number }>();
    for (let row = from; row < to; row++) {
      const known = sums.get(this.level[row]) ?? { sum: 0, count: 0 };
      known.sum += this.bytesLog[row];
      known.count++;
      sums.set(this.level[row], known);
    }
    for (let row = from; row < to; row++) {
      const { sum, count } = sums.get(this.level[row]) ?? { sum: 0, count: 1 };
      this.bytesLog[row] -= sum / count;
    }
  }

  /** Stages with tasks at a level and beside their data. */
  sides(column: number): Sides {
    let [awayTasks, besideTasks, stages, anywhere] = [0, 0, 0, 0];
    for (let stage = 0; stage < this.stages; stage++) {
      const [away, beside] = this.sidesIn(stage, column);
      anywhere += away;
      if (away === 0 || beside === 0) continue;
      awayTasks += away;
      besideTasks += beside;
      stages++;
    }
    let unidentified: string | null = null;
    if (anywhere === 0) unidentified = "no task ran there";
    else if (stages === 0) unidentified = "no stage has tasks there and beside their data";
    else if (Math.min(awayTasks, besideTasks) < FEWEST_TASKS)
      unidentified = `too few tasks: ${awayTasks} there, ${besideTasks} beside their data`;
    return { unidentified, awayTasks, besideTasks, stages };
  }

  private sidesIn(stage: number, column: number): readonly [away: number, beside: number] {
    let [away, beside] = [0, 0];
    for (let row = this.from[stage]; row < this.from[stage + 1]; row++) {
      if (this.level[row] === column) away++;
      else if (this.level[row] === BESIDE && AWAY[column].reads === READS[this.slopeOf[row]]) beside++;
    }
    return [away, beside];
  }

  /** Huber's estimate of all coefficients, by weighted least squares again and again. */
  fit(values: Float64Array): Fit {
    const weights = new Float64Array(this.rows).fill(1);
    const coefficients = new Float64Array(this.columns);
    const everyColumn = new Uint8Array(this.columns).fill(1);
    let fit: Fit = { coefficients, residuals: values, weights, spreads: new Float64Array(this.stages) };
    for (let round = 0; round < 30; round++) {
      const before = coefficients.slice(this.levelAt, this.slopeAt);
      const residuals = this.solve(values, weights, everyColumn, coefficients);
      const spreads = this.spreads(residuals);
      fit = { coefficients, residuals, weights: weights.slice(), spreads };
      const moved = maxOver(before, (old, column) => Math.abs(old - coefficients[this.levelAt + column]), 0);
      if (round > 0 && moved < 1e-5) break;
      this.eachRow((row, stage) => {
        const spread = spreads[stage];
        weights[row] =
          Math.min(1, (HUBER * spread) / Math.max(Math.abs(residuals[row]), Number.MIN_VALUE)) / square(spread);
      });
    }
    return fit;
  }

  /**
   * The noise of each stage: of few tasks mostly that of all. It is taken about the median of each level, so that a
   * stage whose factor is another does not look like one with more noise.
   */
  private spreads(residuals: Float64Array): Float64Array {
    const noise = new Float64Array(this.rows);
    for (let stage = 0; stage < this.stages; stage++) {
      const [from, to] = [this.from[stage], this.from[stage + 1]];
      const stageResiduals = residuals.subarray(from, to);
      const levels = this.level.subarray(from, to);
      for (const level of new Set(levels)) {
        const middle = median(stageResiduals.filter((_, index) => levels[index] === level));
        levels.forEach((taskLevel, index) => {
          if (taskLevel === level) noise[from + index] = Math.abs(stageResiduals[index] - middle);
        });
      }
    }
    const common = NORMAL_PER_MAD * median(noise);
    return Float64Array.from({ length: this.stages }, (_, stage) => {
      const stageNoise = noise.subarray(this.from[stage], this.from[stage + 1]);
      const spread = NORMAL_PER_MAD * median(stageNoise);
      const variance =
        (stageNoise.length * square(spread) + COMMON_TASKS * square(common)) / (stageNoise.length + COMMON_TASKS);
      return Math.max(LEAST_SPREAD, Math.sqrt(variance));
    });
  }

  warmUp(wave: number, { coefficients, weights }: Fit): number {
    // Waves add up to one: without one of them, the last.
    const dropped = [wave, WAVES - 1].map((index) => this.waveAt + index);
    const information = (isUsed: boolean) =>
      this.information(
        this.restOf(this.wave, wave, weights, (index) => isUsed && !dropped.includes(index)),
        weights,
      );
    if (!(information(true) > LEAST_SHARE * information(false))) return 1;
    return exp(coefficients[this.waveAt + wave] - coefficients[this.waveAt + WAVES - 1]);
  }

  /**
   * Empirical Bayes: a host's own coefficient is drawn towards that of all, the more so the less its tasks tell and the
   * less hosts differ (DerSimonian & Laird's moment estimate). Tasks of a stage on a host may have more in common than
   * the model knows: they tell less by as much. None where tasks are so few that what is left of their times would
   * make the intervals far too narrow: fewer than two a host beyond one a stage.
   */
  speeds({ coefficients, weights, residuals }: Fit): HostSpeed[] {
    if (this.host.length < this.stages + LEAST_TASKS_PER_HOST * this.hosts) return [];
    const perStage = new Float64Array(this.hosts);
    const perStageWeight = new Float64Array(this.hosts);
    let [squares, expected] = [0, 0];
    for (let stage = 0; stage < this.stages; stage++) {
      perStage.fill(0);
      perStageWeight.fill(0);
      for (let row = this.from[stage]; row < this.from[stage + 1]; row++) {
        perStage[this.host[row]] += weights[row] * residuals[row];
        perStageWeight[this.host[row]] += weights[row];
      }
      const whole = sumOver(perStageWeight);
      perStage.forEach((sum, host) => {
        squares += square(sum);
        expected += perStageWeight[host] * (1 - perStageWeight[host] / whole);
      });
    }
    const tooSure = Math.max(1, expected > 0 ? squares / expected : 1);
    const information = Float64Array.from(
      { length: this.hosts },
      (_, host) => this.hostInformation(host, weights) / tooSure,
    );
    const [sum, sumOfSquares] = [dot(information, new Float64Array(this.hosts).fill(1)), dot(information, information)];
    if (!(sum > 0)) return [];
    const middle = dot(information, coefficients.subarray(0, this.hosts)) / sum;
    const deviations = coefficients.subarray(0, this.hosts).map((value) => value - middle);
    const heterogeneity = sumOver(deviations, (value, host) => information[host] * square(value));
    const between = (heterogeneity - (this.hosts - 1)) / (sum - sumOfSquares / sum);
    const variance = Math.max(square(HOST_SPREAD), this.hosts > 1 ? between : 0);
    return this.hostNames.map((host, index) => {
      const posterior = 1 / (information[index] + 1 / variance);
      const log = -deviations[index] * information[index] * posterior;
      const halfWidth = NORMAL_95 * Math.sqrt(posterior);
      return { host, speed: exp(log), low: exp(log - halfWidth), high: exp(log + halfWidth) };
    });
  }

  /** The information on a host against others: what stages, levels, waves and bytes leave of its indicator. */
  private hostInformation(host: number, weights: Float64Array): number {
    return this.information(
      this.restOf(this.host, host, weights, (index) => index >= this.hosts),
      weights,
    );
  }

  middleSpread({ spreads }: Fit): number {
    const ofTasks = new Float64Array(this.rows);
    this.eachRow((row, stage) => (ofTasks[row] = spreads[stage]));
    return median(ofTasks);
  }

  /** Whether a level is told apart from all else, and by what. */
  evidenceOf(column: number, { weights }: Fit): Told {
    const information = (isUsed: (index: number) => boolean) =>
      this.information(this.restOfLevel(column, weights, isUsed), weights);
    const within = information(() => false);
    const unexplained = this.restOfLevel(column, weights);
    const total = this.information(unexplained, weights);
    let unidentified: string | null = null;
    if (total < LEAST_SHARE * within) {
      const isWave = (index: number) => index >= this.waveAt && index < this.levelAt;
      if (information((index) => index < this.waveAt) < LEAST_SHARE * within)
        unidentified = "level and host cannot be told apart";
      else if (information(isWave) < LEAST_SHARE * within)
        unidentified = "level and wave of tasks cannot be told apart";
      else unidentified = "level cannot be told apart from hosts, waves, bytes and other levels together";
    }
    let hostStages = 0;
    for (let stage = 0; stage < this.stages; stage++) {
      const [away, beside] = this.sidesIn(stage, column);
      if (away > 0 && beside > 0) continue;
      if (this.informationOf(stage, unexplained, weights) > total / 1000) hostStages++;
    }
    return { unidentified, hostStages };
  }

  /** The part of a level's indicator that other columns, of those that are used, do not explain. */
  private restOfLevel(
    column: number,
    weights: Float64Array,
    isUsed: (index: number) => boolean = () => true,
  ): Float64Array {
    return this.restOf(this.level, column, weights, (index) => index !== this.levelAt + column && isUsed(index));
  }

  /** The part of the indicator of the rows with the number that the used columns do not explain. */
  private restOf(
    numbers: ArrayLike<number>,
    number: number,
    weights: Float64Array,
    isUsed: (index: number) => boolean,
  ): Float64Array {
    const indicator = Float64Array.from(numbers, (rowNumber) => (rowNumber === number ? 1 : 0));
    const used = Uint8Array.from({ length: this.columns }, (_, column) => (isUsed(column) ? 1 : 0));
    return this.solve(indicator, weights, used, new Float64Array(this.columns));
  }

  private information(unexplained: Float64Array, weights: Float64Array): number {
    let sum = 0;
    for (let stage = 0; stage < this.stages; stage++) sum += this.informationOf(stage, unexplained, weights);
    return sum;
  }

  private informationOf(stage: number, unexplained: Float64Array, weights: Float64Array): number {
    let sum = 0;
    for (let row = this.from[stage]; row < this.from[stage + 1]; row++) sum += weights[row] * square(unexplained[row]);
    return sum;
  }

  /**
   * Of the logarithm of a factor, by drawing whole stages again, to first order: a stage's influence is the sum of its
   * tasks'. With few informative stages tasks within them are drawn too.
   */
  halfWidths(column: number, { residuals, weights, spreads }: Fit): readonly [below: number, above: number] {
    // Second derivatives of Huber's loss: a task beyond its bound moves nothing when others move.
    const curvature = new Float64Array(this.rows);
    this.eachRow((row, stage) => {
      const isBeyond = Math.abs(residuals[row]) > HUBER * spreads[stage];
      curvature[row] = (isBeyond ? 0.001 : 1) / square(spreads[stage]);
    });
    const unexplained = this.restOfLevel(column, curvature);
    const total = this.information(unexplained, curvature);
    const onHost = new Float64Array(this.hosts);
    this.eachRow((row) => (onHost[this.host[row]] += curvature[row]));
    const units: Influences[] = [];
    let [squares, taskSquares] = [0, 0];
    for (let stage = 0; stage < this.stages; stage++) {
      const share = this.informationOf(stage, unexplained, curvature) / total;
      squares += square(share);
      if (share < 1e-9) continue;
      const [from, to] = [this.from[stage], this.from[stage + 1]];
      let inStage = 0;
      for (let row = from; row < to; row++) inStage += curvature[row];
      const tasks = new Float64Array(Math.min(to - from, MOST_UNITS));
      for (let row = from; row < to; row++) {
        const taskShare = (curvature[row] * square(unexplained[row])) / total;
        taskSquares += square(taskShare);
        // Residuals are smaller than the noise by how far a task has moved the fit to itself; so are a stage's.
        const leverage = curvature[row] / inStage + curvature[row] / onHost[this.host[row]] + taskShare;
        const noise = residuals[row] / Math.max(0.5, 1 - leverage);
        tasks[(row - from) % tasks.length] += (weights[row] * unexplained[row] * noise) / total;
      }
      const sum = sumOver(tasks);
      units.push({ stage: sum / Math.max(0.5, 1 - share), mean: sum / tasks.length, tasks });
    }
    const isFew = squares > 1 / ENOUGH_STAGES;
    const freedom = Math.max(1, Math.floor(isFew ? 1 / taskSquares - 2 : 1 / squares - 1));
    const drawn = drawnSums(units, isFew, seedWord("1", `away/${column}`));
    const wider = studentT(0.95, Math.min(freedom, 1000)) / NORMAL_95;
    const spread = NORMAL_95 * STAGE_SPREAD * Math.sqrt(squares);
    const halfWidth = (quantile: number) =>
      Math.sqrt(square(wider * drawn[Math.round(quantile * (DRAWS - 1))]) + square(spread));
    return [halfWidth(0.025), halfWidth(0.975)];
  }

  private eachRow(visit: (row: number, stage: number) => void): void {
    for (let stage = 0; stage < this.stages; stage++)
      for (let row = this.from[stage]; row < this.from[stage + 1]; row++) visit(row, stage);
  }

  /**
   * Weighted least squares by conjugate gradients, from the coefficients given: columns are sparse, and hosts may be
   * thousands. Stages, and their own slopes, are taken out exactly. @returns the residuals.
   */
  private solve(values: Float64Array, weights: Float64Array, used: Uint8Array, x: Float64Array): Float64Array {
    const { columns } = this;
    const scratch = new Float64Array(this.rows);
    const scale = this.diagonal(weights).map((sum, column) => (used[column] === 1 && sum > 0 ? 1 / sum : 0));
    this.spread(x, scratch);
    const residuals = values.map((value, row) => value - scratch[row]);
    this.withoutStages(residuals, weights);
    const gradient = this.gathered(residuals, weights);
    const towards = gradient.map((value, column) => value * scale[column]);
    let size = dot(gradient, towards);
    const centred = values.slice();
    this.withoutStages(centred, weights);
    const enough = 1e-18 * this.information(centred, weights);
    for (let round = 0; round < 500 && size > enough; round++) {
      this.spread(towards, scratch);
      this.withoutStages(scratch, weights);
      const moved = this.gathered(scratch, weights);
      const along = dot(towards, moved);
      if (!(along > 0)) break;
      const step = size / along;
      for (let column = 0; column < columns; column++) {
        x[column] += step * towards[column];
        gradient[column] -= step * moved[column];
      }
      for (let row = 0; row < this.rows; row++) residuals[row] -= step * scratch[row];
      let next = 0;
      for (let column = 0; column < columns; column++) next += square(gradient[column]) * scale[column];
      for (let column = 0; column < columns; column++)
        towards[column] = gradient[column] * scale[column] + (next / size) * towards[column];
      size = next;
    }
    return residuals;
  }

  /** Writes the sum of the columns in each row. */
  private spread(x: Float64Array, into: Float64Array): void {
    for (let row = 0; row < this.rows; row++) {
      let sum = x[this.host[row]] + x[this.waveAt + this.wave[row]] + x[this.waveAt + WAVES + this.stageWave[row]];
      if (this.level[row] !== BESIDE) sum += x[this.levelAt + this.level[row]];
      into[row] = sum + x[this.slopeAt + this.slopeOf[row]] * this.bytesLog[row];
    }
  }

  private gathered(values: Float64Array, weights: Float64Array): Float64Array {
    const sums = new Float64Array(this.columns);
    for (let row = 0; row < this.rows; row++) {
      const value = weights[row] * values[row];
      sums[this.host[row]] += value;
      sums[this.waveAt + this.wave[row]] += value;
      sums[this.waveAt + WAVES + this.stageWave[row]] += value;
      if (this.level[row] !== BESIDE) sums[this.levelAt + this.level[row]] += value;
      sums[this.slopeAt + this.slopeOf[row]] += value * this.bytesLog[row];
    }
    return sums;
  }

  private diagonal(weights: Float64Array): Float64Array {
    const sums = this.gathered(new Float64Array(this.rows).fill(1), weights);
    for (let column = this.slopeAt; column < this.columns; column++) sums[column] = 0;
    this.eachRow((row) => (sums[this.slopeAt + this.slopeOf[row]] += weights[row] * square(this.bytesLog[row])));
    return sums;
  }

  /** Takes from each stage its mean, and its own slope on bytes. */
  private withoutStages(values: Float64Array, weights: Float64Array): void {
    for (let stage = 0; stage < this.stages; stage++) {
      const [from, to] = [this.from[stage], this.from[stage + 1]];
      let [weight, sum, bytes] = [0, 0, 0];
      for (let row = from; row < to; row++) {
        weight += weights[row];
        sum += weights[row] * values[row];
        bytes += weights[row] * this.bytesLog[row];
      }
      const [mean, meanBytes] = [sum / weight, bytes / weight];
      let slope = 0;
      if (this.hasSlope[stage] === 1) {
        let [together, square] = [0, 0];
        for (let row = from; row < to; row++) {
          const beyond = weights[row] * (this.bytesLog[row] - meanBytes);
          together += beyond * (values[row] - mean);
          square += beyond * (this.bytesLog[row] - meanBytes);
        }
        if (square > 0) slope = together / square;
      }
      for (let row = from; row < to; row++) values[row] -= mean + slope * (this.bytesLog[row] - meanBytes);
    }
  }
}

/** 97.5th percentile of the normal distribution. */
const NORMAL_95 = 1.96;
/** The noise of all stages counts for a stage's own as this many tasks do. */
const COMMON_TASKS = 10;
/** First wave, second, later. */
const WAVES = 3;

/**
 * Rows by stage; in an order that does not depend on theirs. Rows without a run time are left out. Beyond MOST_TASKS,
 * tasks of large stages are drawn, and then stages.
 */
function sampled({ stage, level, startUs, runUs, bytes, reads }: AwayTasks): Int32Array {
  const order: number[] = [];
  for (let row = 0; row < stage.length; row++) if (runUs[row] > 0 && runUs[row] < Infinity) order.push(row);
  const sorted = Int32Array.from(order).sort(
    (a, b) =>
      stage[a] - stage[b] ||
      reads[a] - reads[b] ||
      startUs[a] - startUs[b] ||
      runUs[a] - runUs[b] ||
      level[a] - level[b] ||
      (bytes[a] || 0) - (bytes[b] || 0),
  );
  if (sorted.length <= MOST_TASKS) return sorted;
  const from: number[] = [];
  sorted.forEach((row, index) => {
    if (index === 0 || stage[row] !== stage[sorted[index - 1]]) from.push(index);
  });
  const mostPerStage = Math.max(ENOUGH_IN_STAGE, MOST_TASKS / from.length);
  const sizes = from.map((start, index) => (from[index + 1] ?? sorted.length) - start);
  const keptTasks = sumOver(sizes, (size) => Math.min(size, mostPerStage));
  const drawn = seedWord("1", "away/tasks");
  const isDrawn = (entity: number, counter: number, share: number) =>
    fractionOf(counterHash(drawn, entity, counter)) < share;
  let number = 0;
  return sorted.filter((_, index) => {
    if (from[number + 1] === index) number++;
    return isDrawn(number, 0, MOST_TASKS / keptTasks) && isDrawn(number, index + 1, mostPerStage / sizes[number]);
  });
}

/**
 * Waves of tasks, 0 to 2, by row: how many tasks of the executor, in all and of the stage, had ended when this one
 * started, in the number of tasks that it runs at once. In its first wave an executor loads and compiles code.
 */
function wavesOf(tasks: AwayTasks): { readonly ofExecutor: Uint8Array; readonly ofStage: Uint8Array } {
  const { executor, stage, startUs, runUs } = tasks;
  const atOnce = new Map<number, number>();
  const waves = (compare: (a: number, b: number) => number): Uint8Array => {
    const order = Int32Array.from({ length: executor.length }, (_, row) => row).sort(
      (a, b) => compare(a, b) || startUs[a] - startUs[b],
    );
    const wave = new Uint8Array(order.length);
    for (let from = 0, to = 0; from < order.length; from = to) {
      while (to < order.length && compare(order[from], order[to]) === 0) to++;
      const group = order.subarray(from, to);
      const ends = Float64Array.from(group, (row) => startUs[row] + (runUs[row] || 0)).sort(ascending);
      const ended = new Int32Array(group.length);
      let [count, mostConcurrent] = [0, 1];
      group.forEach((row, index) => {
        while (count < ends.length && ends[count] <= startUs[row]) count++;
        ended[index] = Math.min(count, index);
        mostConcurrent = Math.max(mostConcurrent, index + 1 - ended[index]);
      });
      const cores = atOnce.get(executor[order[from]]) ?? mostConcurrent;
      atOnce.set(executor[order[from]], cores);
      group.forEach((row, index) => (wave[row] = Math.min(WAVES - 1, Math.ceil(ended[index] / cores))));
    }
    return wave;
  };
  const ofExecutor = waves((a, b) => executor[a] - executor[b]);
  return { ofExecutor, ofStage: waves((a, b) => executor[a] - executor[b] || stage[a] - stage[b]) };
}

/** The influence of a stage, and of groups of its tasks, on an estimate. */
interface Influences {
  readonly stage: number;
  readonly tasks: Float64Array;
  readonly mean: number;
}

/** Sums of units drawn with replacement, less their sum as it is, ascending. */
function drawnSums(units: readonly Influences[], isWithin: boolean, seed: number): Float64Array {
  const groups: { sum: number; readonly units: Influences[] }[] = [];
  let centre = 0;
  units.forEach((unit, index) => {
    centre += unit.stage;
    if (index < MOST_UNITS) groups.push({ sum: 0, units: [] });
    const group = groups[index % MOST_UNITS];
    group.sum += unit.stage;
    group.units.push(unit);
  });
  const draws = Float64Array.from({ length: DRAWS }, (_, draw) => {
    let sum = -centre;
    let counter = 0;
    for (let drawn = 0; drawn < groups.length; drawn++) {
      const group = groups[scaled(counterHash(seed, draw, counter++), groups.length)];
      sum += group.sum;
      if (!isWithin) continue;
      for (const { tasks, mean } of group.units)
        for (let task = 0; task < tasks.length; task++)
          sum += tasks[scaled(counterHash(seed, draw, counter++), tasks.length)] - mean;
    }
    return sum;
  });
  return draws.sort(ascending);
}

function square(value: number): number {
  return value * value;
}

function ascending(a: number, b: number): number {
  return a - b;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index] * b[index];
  return sum;
}
