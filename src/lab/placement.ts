import { availableParallelism } from "node:os";
import { type BuildKind, needsStages } from "../core/platforms/hadoop/index.js";
import { sumOver, formatTime } from "../core/kernel/index.js";
import { LIMITS, type Scenario } from "../core/scenario/index.js";
import type { Workload } from "../core/workload/index.js";
import { type Placement, shareDone } from "./run.js";
import { simulate } from "./simulate.js";

export function describePlacement({ rackThreads, ownRacks }: Placed, racks: number): string {
  if (rackThreads === 0) return "inline";
  const count = `${rackThreads + 1} threads`;
  if (rackThreads === racks) return `${count} (one per rack, and the master's)`;
  return ownRacks === 0 ? count : `${count} (${ownRacks} of ${racks} racks on the master's)`;
}

/**
 * The threads of the racks: a number of them beside the master's, which may keep some racks too. No rack thread: it has
 * all of them.
 */
interface Placed {
  readonly rackThreads: number;
  readonly ownRacks: number;
}

/** A placement, and why it was chosen. */
export interface ChosenPlacement extends Placed {
  readonly reason: string;
}

const INLINE: Placed = { rackThreads: 0, ownRacks: 0 };

/**
 * The master's share of the work, with the frames that it makes and reads, where racks divide disks and links among
 * flows: 0.21 without frames on one hour of scale-10k (`npm run bench:profile`). Two threads are fastest with a share
 * of 0.25 to 0.3.
 */
const MASTER_SHARE_OF_FLOWS = 0.25;
/** The same where racks simulate stages without flows: over one half. Its thread has no time for racks. */
const MASTER_SHARE_OF_STAGES = 0.6;

/**
 * Deals racks to so many threads, the master's among them. Each rack thread has one rack at least. Light racks cost
 * less than the frames that would tell of them, so all others stay with the master. Racks with stages are dealt so that
 * the master with its own racks has as much to do as each other thread.
 */
export function placeOn(threads: number, scenario: Scenario): Placed {
  const racks = scenario.cluster.racks.length;
  const rackThreads = Math.min(threads - 1, racks);
  if (rackThreads <= 0) return INLINE;
  if (!needsStages(scenario)) return { rackThreads, ownRacks: racks - rackThreads };
  const ofMaster = scenario.runtime.model === "detailed" ? MASTER_SHARE_OF_FLOWS : MASTER_SHARE_OF_STAGES;
  const share = Math.max(0, 1 / threads - ofMaster) / (1 - ofMaster);
  return { rackThreads, ownRacks: Math.min(Math.round(share * racks), racks - rackThreads) };
}

/**
 * Wall time that measuring may take, per candidate: a share of what the run seems to take, so that code of a long run
 * is warm.
 */
const PROBE = { leastMs: 500, mostMs: 3000, share: 0.05 };

/** A run that the probe got through this much of is not worth a second probe. */
const WORTH_PROBING = 0.25;

/**
 * Threads must be this much faster than inline to be chosen. Not more: a run begins with little load, and threads gain
 * more later.
 */
const WORTH_THREADS = 1.05;

/** The master alone has a quarter of the work or more: with a fourth thread all wait for it, and cost more CPU time. */
const MOST_USEFUL = 3;

const PROBE_OVER = Symbol("the probe has seen enough");

/**
 * Slices per lookahead. Inline, nothing overlaps and one is enough. So it is for light racks, which report their ends
 * long before. With others, two let the master schedule one slice while the racks compute the next, and four waste less
 * time on large clusters, whose slices are much longer than a wake-up. With more threads than cores nothing overlaps,
 * and each further slice costs wake-ups.
 */
export function slicesFor({ rackThreads }: Placed, scenario: Scenario): number {
  if (rackThreads === 0 || rackThreads >= availableParallelism()) return 1;
  if (!needsStages(scenario)) return 1;
  return nodesOf(scenario) < LARGE_NODES ? 2 : 4;
}

/** Nodes of a cluster whose racks work for a millisecond or more in a lookahead. */
const LARGE_NODES = 4000;

function nodesOf({ cluster }: Scenario): number {
  return sumOver(cluster.racks, ({ nodes }) => nodes.reduce((nodesInRack, { count }) => nodesInRack + count, 0));
}

/** Resolves a placement; `auto` measures this machine on a prefix of the run, then discards that. */
export async function choosePlacement(
  placement: Placement,
  scenario: Scenario,
  workload: Workload,
  build: BuildKind,
  signal: AbortSignal | undefined,
): Promise<ChosenPlacement> {
  const racks = scenario.cluster.racks.length;
  if (placement === "rack") {
    const rackThreads = Math.min(racks, LIMITS.rackThreads);
    if (rackThreads === racks) return { rackThreads, ownRacks: 0, reason: asAsked(rackThreads + 1) };
    const reason = `--threads asks for more, but ${racks} racks share the most threads there may be`;
    return { rackThreads, ownRacks: 0, reason };
  }
  if (typeof placement === "number") {
    const placed = placeOn(placement, scenario);
    if (placement <= racks + 1) return { ...placed, reason: asAsked(placement) };
    return { ...placed, reason: `${placement} were asked for; there are ${racks} racks` };
  }
  if (!needsStages(scenario)) return { ...INLINE, reason: "auto: light racks are fastest inline" };
  const threads = Math.min(availableParallelism(), racks + 1, MOST_USEFUL);
  if (threads < 2) return { ...INLINE, reason: "auto: one core" };
  const inline = await probe(scenario, workload, build, INLINE, scenario.run.untilUs, signal);
  if (inline.share > WORTH_PROBING) {
    return { ...INLINE, reason: "auto: so short a run is fastest inline" };
  }
  const placed = placeOn(threads, scenario);
  const packed = await probe(scenario, workload, build, placed, inline.virtualUs, signal);
  const endUs = Math.min(inline.virtualUs, packed.virtualUs);
  const times = msOfSecondHalf(inline, endUs) / msOfSecondHalf(packed, endUs);
  const span = formatTime(Math.round(endUs / 1e6) * 1e6);
  const speedUp = `${threads} threads ran ${times.toFixed(2)} times as fast as inline`;
  const rule = `threads are used from ${WORTH_THREADS} times on`;
  return {
    ...(times > WORTH_THREADS ? placed : INLINE),
    reason: `auto: on the first ${span}, ${speedUp}; ${rule}`,
  };
}

/** The note on more requested threads than can run at once: a choice for the actors' sake, not for speed. */
function asAsked(threads: number): string {
  const cores = availableParallelism();
  return threads > cores
    ? `as --threads says, but there are ${cores} cores: --threads auto is faster`
    : "as --threads says";
}

interface Probe {
  readonly virtualUs: number;
  /** The share of the run that is done: by time if it has an end, else by jobs. */
  readonly share: number;
  /** Progress samples: virtual time by wall time. */
  readonly marks: readonly Mark[];
}

interface Mark {
  readonly virtualUs: number;
  readonly wallMs: number;
}

/** Wall time from the middle to `endUs`, which the probe reached: by then threads have started and know the code. */
export function msOfSecondHalf({ marks }: Pick<Probe, "marks">, endUs: number): number {
  return Math.max(1, msUntil(marks, endUs) - msUntil(marks, endUs / 2));
}

/** Straight between marks. */
function msUntil(marks: readonly Mark[], virtualUs: number): number {
  let before: Mark = { virtualUs: 0, wallMs: 0 };
  for (const mark of marks) {
    if (mark.virtualUs >= virtualUs && mark.virtualUs > before.virtualUs) {
      const part = (virtualUs - before.virtualUs) / (mark.virtualUs - before.virtualUs);
      return before.wallMs + part * (mark.wallMs - before.wallMs);
    }
    before = mark;
  }
  return before.wallMs;
}

async function probe(
  scenario: Scenario,
  workload: Workload,
  build: BuildKind,
  placed: Placed,
  untilUs: number,
  signal: AbortSignal | undefined,
): Promise<Probe> {
  const enough = new AbortController();
  const signals = signal === undefined ? [enough.signal] : [enough.signal, signal];
  const startMs = performance.now();
  const marks: Mark[] = [];
  let seen: Probe = { virtualUs: 0, share: 0, marks };
  const limited = { ...scenario, run: { ...scenario.run, untilUs } };
  try {
    const done = await simulate(limited, workload, {
      threads: placed.rackThreads,
      ownRacks: placed.ownRacks,
      recordTasks: false,
      slices: slicesFor(placed, scenario),
      build,
      signal: AbortSignal.any(signals),
      onProgress: (progress) => {
        const { virtualUs } = progress;
        const wallMs = performance.now() - startMs;
        marks.push({ virtualUs, wallMs });
        const share = shareDone({ ...progress, untilUs: scenario.run.untilUs });
        seen = { virtualUs, share, marks };
        const enoughMs = Math.min(
          PROBE.mostMs,
          Math.max(PROBE.leastMs, (PROBE.share * wallMs) / Math.max(share, 1e-9)),
        );
        if (wallMs > enoughMs) enough.abort(PROBE_OVER);
      },
    });
    marks.push({ virtualUs: done.stoppedUs, wallMs: performance.now() - startMs });
    return { virtualUs: done.stoppedUs, share: done.allEnded ? 1 : seen.share, marks };
  } catch (reason) {
    if (reason === PROBE_OVER) return seen;
    throw reason;
  }
}
