import { LatencyHistogram } from "../../io/results/latency-histogram.js";
import type { MillisecondClock } from "./call-times.js";
import { RunDelay } from "./run-delay.js";

const CALLS = 50_000;
/** Calls of that length are about as long as a heartbeat is. */
const LENGTH_MS = 0.005;
const TRIALS = 50;
const TRIAL_ROUNDS = 20_000;
const SHORT_MS = 0.02;
const CALLS_PER_LOOK = 8;
const NS_PER_MS = 1_000_000;

/**
 * How long calls of constant work take on this machine, in nanoseconds, timed and left out as heartbeats are: whatever of
 * their spread is like that of heartbeats is not the scheduler's.
 */
export function constantWork(clock: MillisecondClock, calls = CALLS): LatencyHistogram {
  const delay = RunDelay.open();
  const histogram = LatencyHistogram.empty();
  const rounds = roundsFor(clock);
  let state = 1;
  for (let call = 0; call < calls; call++) {
    if (call % CALLS_PER_LOOK === 0) delay?.takeMs();
    const start = clock();
    state = work(state, rounds);
    const tookMs = clock() - start;
    if (tookMs > SHORT_MS && delay !== null && delay.takeMs() > 0) continue;
    histogram.add(Math.round(tookMs * NS_PER_MS));
  }
  delay?.close();
  // An answer that nobody needs is not computed.
  if (state === 0) throw new RangeError("constant work came to nothing");
  return histogram;
}

/** Rounds of work that take `LENGTH_MS` when nobody disturbs them: by the fastest of some trials. */
function roundsFor(clock: MillisecondClock): number {
  let fastestMs = Infinity;
  for (let trial = 0; trial < TRIALS; trial++) {
    const start = clock();
    work(1, TRIAL_ROUNDS);
    fastestMs = Math.min(fastestMs, clock() - start);
  }
  return Math.max(1, Math.round((TRIAL_ROUNDS * LENGTH_MS) / fastestMs));
}

/** A chain of 32-bit xorshifts, never 0: each needs the one before. */
function work(from: number, rounds: number): number {
  let x = from;
  for (let i = 0; i < rounds; i++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
  }
  return x;
}
