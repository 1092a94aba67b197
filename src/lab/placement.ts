import { availableParallelism } from "node:os";
import { formatTime } from "../core/kernel/time.js";
import type { Scenario } from "../core/scenario/scenario.js";
import type { BuildKind } from "../core/scheduler/scheduler.js";
import type { Workload } from "../core/workload/job.js";
import { LIMITS } from "../io/scenario/limits.js";
import { threadsFit } from "./foresee.js";
import type { Placement } from "./run.js";
import { simulate } from "./simulate.js";

/** How many rack threads, and why. */
export interface ChosenPlacement {
  readonly threads: number;
  readonly reason: string;
}

/** Wall time that measuring may take, per candidate. */
const PROBE_MS = 500;
/** A run that the probe got through this much of is not worth a second probe. */
const WORTH_PROBING = 0.25;
/** Threads must be this much faster than inline to be chosen: a prefix is a small sample. */
const WORTH_THREADS = 1.15;
const PROBE_OVER = Symbol("the probe has seen enough");

/**
 * Slices per lookahead. Inline, nothing overlaps and one is enough; two let the master schedule one slice while the racks
 * compute the next; with more threads than cores there is nobody to overlap with, and each further slice costs wake-ups.
 */
export function slicesFor(threads: number): number {
  return threads === 0 || threads > availableParallelism() ? 1 : 2;
}

/** Rack threads that a run certainly has; `auto` may do without. */
export function threadsAsked(placement: Placement = "auto", { cluster }: Scenario): number {
  if (placement === "auto") return 0;
  return Math.min(placement === "rack" ? LIMITS.rackThreads : placement, cluster.racks.length);
}

/** Resolves a placement to a number of threads; `auto` measures this machine on a prefix of the run, then discards it. */
export async function choosePlacement(
  placement: Placement,
  scenario: Scenario,
  workload: Workload,
  build: BuildKind,
  signal: AbortSignal | undefined,
): Promise<ChosenPlacement> {
  const racks = scenario.cluster.racks.length;
  if (placement === "rack" && racks <= LIMITS.rackThreads) return { threads: racks, reason: asAsked(racks) };
  if (placement === "rack") {
    return {
      threads: LIMITS.rackThreads,
      reason: `--threads asks for more, but ${racks} racks share the most threads there may be`,
    };
  }
  if (typeof placement === "number") {
    if (placement <= racks) return { threads: placement, reason: asAsked(placement) };
    return { threads: racks, reason: `${placement} were asked for; there are ${racks} racks` };
  }
  const threads = Math.min(availableParallelism(), racks);
  if (threads < 2) return { threads: 0, reason: "auto: one core or one rack" };
  if (!threadsFit(threads)) return { threads: 0, reason: "auto: no address space for threads (ulimit -v)" };
  const inline = await probe(scenario, workload, build, 0, scenario.run.untilUs, signal);
  if (inline.share > WORTH_PROBING) {
    return { threads: 0, reason: "auto: so short a run is fastest inline" };
  }
  const packed = await probe(scenario, workload, build, threads, inline.virtualUs, signal);
  const times = packed.virtualUs / packed.wallMs / (inline.virtualUs / inline.wallMs);
  const span = formatTime(Math.round(inline.virtualUs / 1e6) * 1e6);
  const found = `${threads} threads ran ${times.toFixed(2)} times as fast as inline`;
  const rule = `threads are used from ${WORTH_THREADS} times on`;
  return { threads: times > WORTH_THREADS ? threads : 0, reason: `auto: on the first ${span}, ${found}; ${rule}` };
}

/** Says when more threads were asked for than can run at once: a choice for the actors' sake, not for speed. */
function asAsked(threads: number): string {
  const cores = availableParallelism();
  return threads > cores
    ? `as --threads says, but there are ${cores} cores: --threads auto is faster`
    : "as --threads says";
}

interface Probe {
  readonly virtualUs: number;
  readonly wallMs: number;
  /** Of the run: by time if it has an end, else by jobs. */
  readonly share: number;
}

async function probe(
  scenario: Scenario,
  workload: Workload,
  build: BuildKind,
  threads: number,
  untilUs: number,
  signal: AbortSignal | undefined,
): Promise<Probe> {
  const enough = new AbortController();
  const signals = signal === undefined ? [enough.signal] : [enough.signal, signal];
  let startMs = performance.now();
  let seen: Probe = { virtualUs: 0, wallMs: 1, share: 0 };
  let started = false;
  const limited = { ...scenario, run: { ...scenario.run, untilUs } };
  try {
    const done = await simulate(limited, workload, {
      threads,
      recordTasks: false,
      slices: slicesFor(threads),
      build,
      signal: AbortSignal.any(signals),
      onProgress: ({ virtualUs, jobsEnded, jobsTotal }) => {
        // Threads take a while to start, once; what counts is the pace after that.
        if (!started) startMs = Math.max(startMs, performance.now() - 50);
        started = true;
        const share = scenario.run.untilUs === Infinity ? jobsEnded / jobsTotal : virtualUs / scenario.run.untilUs;
        seen = { virtualUs, wallMs: performance.now() - startMs, share };
        if (seen.wallMs > PROBE_MS) enough.abort(PROBE_OVER);
      },
    });
    return {
      virtualUs: done.stoppedUs,
      wallMs: Math.max(1, performance.now() - startMs),
      share: done.allEnded ? 1 : seen.share,
    };
  } catch (reason) {
    if (reason === PROBE_OVER) return seen;
    throw reason;
  }
}
