import { counterHash, seedWord } from "../kernel/hash.js";
import { cumulativeShares, indexByShare, logNormalTable, quantileOfWord } from "../kernel/sampling.js";
import { US_PER_HOUR } from "../kernel/time.js";

const HOURS_PER_DAY = 24;
const DAY_US = HOURS_PER_DAY * US_PER_HOUR;

/**
 * Submission times of exactly `count` jobs in [0, spanUs), rising. Gaps are log-normal with spread `gapSigma`, scaled so that
 * all jobs fit, then stretched by the hour of the day: an hour of weight 2 receives twice the jobs of an hour of weight 1.
 * The run starts at hour 0 and the profile repeats daily. Another job at the end shifts nobody's gap, only the common scale.
 */
export function submitTimes(
  count: number,
  spanUs: number,
  gapSigma: number,
  hourWeights: readonly number[],
  rootSeed: string,
): Float64Array {
  const seed = seedWord(rootSeed, "workload/gap");
  const table = logNormalTable(gapSigma);
  const at = new Float64Array(count);
  let sum = 0;
  for (let job = 0; job <= count; job++) {
    sum += quantileOfWord(counterHash(seed, job, 0), table);
    if (job < count) at[job] = sum;
  }
  const day = new DayProfile(hourWeights);
  const activity = day.activityUntil(spanUs);
  for (let job = 0; job < count; job++) {
    at[job] = Math.min(spanUs - 1, Math.round(day.timeOfActivity((at[job] / sum) * activity)));
  }
  return at;
}

/** A clock that runs faster in busy hours. Activity 1 = one day. */
class DayProfile {
  private readonly shares: Float64Array;

  constructor(hourWeights: readonly number[]) {
    this.shares = cumulativeShares(hourWeights);
  }

  activityUntil(atUs: number): number {
    const days = Math.floor(atUs / DAY_US);
    const hours = (atUs - days * DAY_US) / US_PER_HOUR;
    const hour = Math.min(HOURS_PER_DAY - 1, Math.floor(hours));
    return days + this.before(hour) + (hours - hour) * this.weight(hour);
  }

  /** The inverse of `activityUntil`. */
  timeOfActivity(activity: number): number {
    const days = Math.floor(activity);
    const rest = activity - days;
    const hour = indexByShare(rest, this.shares);
    return days * DAY_US + (hour + (rest - this.before(hour)) / this.weight(hour)) * US_PER_HOUR;
  }

  private before(hour: number): number {
    return hour === 0 ? 0 : this.shares[hour - 1];
  }

  private weight(hour: number): number {
    return this.shares[hour] - this.before(hour);
  }
}
