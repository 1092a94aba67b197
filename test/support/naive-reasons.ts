import { dealNodes } from "../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../dist/core/cluster/index.js";
import type { FrameworkSpec, OwnedBy } from "../../dist/core/scenario/index.js";
import type { RandomCase } from "./random-scenarios.js";
import { sum } from "./naive-shares.js";
import type { SeenBeat, SeenJob } from "./witnessed-run.js";

/** By rank: why a job launched nothing on a heartbeat; the others had no opportunity, or launched their last map. */
type Reasons = ReadonlyMap<number, string>;

/** What a job of each heartbeat would find in the decision log, from the rules of its scheduler and what went by. */
export type NaiveReasons = (beat: SeenBeat) => Reasons;

const waits = ({ isReady, pending }: SeenJob): boolean => isReady && pending > 0;

type Order = (a: SeenJob, b: SeenJob) => number;

const bySubmission: Order = (a, b) => a.submittedUs - b.submittedUs || a.rank - b.rank;

const ORDERS: Record<string, Order> = {
  fifo: (a, b) => a.priority - b.priority || bySubmission(a, b),
  fair: (a, b) => a.running - b.running || bySubmission(a, b),
};
ORDERS["delay"] = ORDERS["fair"];

/**
 * Of jobs that one flat scheduler serves slot by slot. Whoever comes before the job that got a slot was asked in vain,
 * and everybody when nobody got it.
 */
function innerReasons(
  kind: string,
  jobs: readonly SeenJob[],
  after: readonly SeenJob[],
  launches: readonly number[],
  slots: number,
): Reasons {
  const left = jobs.map((job) => ({ ...job }));
  const inVain = new Set<number>();
  const asked = (): SeenJob[] => left.filter(waits).sort(ORDERS[kind]);
  for (const rank of launches) {
    const order = asked();
    const taker = order.findIndex((job) => job.rank === rank);
    for (const job of order.slice(0, taker)) inVain.add(job.rank);
    const own = left.find((job) => job.rank === rank)!;
    own.pending--;
    own.running++;
  }
  if (launches.length < slots) for (const { rank } of asked()) inVain.add(rank);
  const reasons = new Map([...inVain].map((rank) => [rank, "locality"]));
  const own = new Set(jobs.map(({ rank }) => rank));
  for (const job of after) if (waits(job) && own.has(job.rank) && !inVain.has(job.rank)) reasons.set(job.rank, "slot");
  return reasons;
}

const ranksOf = ({ launches }: SeenBeat): number[] => launches.map(({ job }) => job);

/** Owners in order of name, as numbers. */
function ownersOf(
  { workload }: RandomCase,
  by: OwnedBy,
): { readonly count: number; readonly of: (rank: number) => number } {
  const names = [...new Set(workload.jobs.map((job) => job[by]))].sort((a, b) => (a < b ? -1 : 1));
  return { count: names.length, of: (rank) => names.indexOf(workload.jobs[rank]![by]) };
}

/** Private clusters: nodes of others are no opportunity. */
export function partitionReasons(example: RandomCase): NaiveReasons {
  const { by, deal, inner } = example.scenario.scheduler.partition!;
  const topology = buildTopology(example.scenario.cluster);
  const owners = ownersOf(example, by);
  const isWhole = (node: number): boolean =>
    (topology.totalMapSlots === 0 || topology.mapSlots[node]! > 0) &&
    (topology.totalReduceSlots === 0 || topology.reduceSlots[node]! > 0);
  const whole = Array.from({ length: topology.nodes }, (_, node) => node).filter(isWhole).length;
  const clusters = Math.max(1, Math.min(owners.count, whole));
  const weights = Array.from({ length: clusters }, (_, c) => Math.floor((owners.count - 1 - c) / clusters) + 1);
  const clusterOf = dealNodes(topology, weights, deal);
  return (beat) => {
    const isOwn = ({ rank }: SeenJob): boolean => owners.of(rank) % clusters === clusterOf[beat.node];
    return innerReasons(inner.kind, beat.before.filter(isOwn), beat.after, ranksOf(beat), beat.freeMaps);
  };
}

interface Offered {
  readonly framework: number;
  readonly slots: number;
  readonly atUs: number;
}

/** Resource offers of map slots alone, from the rules of docs/schedulers/offers.md. */
export function offersReasons(example: RandomCase): NaiveReasons {
  const { by, usual, frameworks: named, rescindAfterUs } = example.scenario.scheduler.offers!;
  const topology = buildTopology(example.scenario.cluster);
  const owners = ownersOf(example, by);
  const names = [...new Set(example.workload.jobs.map((job) => job[by]))].sort((a, b) => (a < b ? -1 : 1));
  const specs: FrameworkSpec[] = names.map((name) => named.find((one) => one.name === name) ?? usual);
  let open: (Offered & { readonly node: number })[] = [];
  const refusals = new Map<string, { readonly slots: number; readonly untilUs: number }>();
  return (beat) => {
    const { node, atUs, freeMaps, before, after } = beat;
    const launches = ranksOf(beat);
    const reasons = new Map<number, string>();
    const jobs = before.map((job) => ({ ...job }));
    const of = (framework: number): SeenJob[] => jobs.filter(({ rank }) => owners.of(rank) === framework);
    const mapsOn = (framework: number): number =>
      sum(of(framework).map(({ running }) => running)) +
      sum(open.filter((offer) => offer.framework === framework).map(({ slots }) => slots));
    const mayBeOffered = (framework: number, slots: number): boolean => {
      const { nodes, minFreeMaps } = specs[framework]!;
      const place = { rack: topology.rackOf[node], index: topology.indexInRack[node] };
      const isListed =
        nodes === null || nodes.some((on) => on.rack === place.rack && (on.node ?? place.index) === place.index);
      return isListed && slots > 0 && slots >= minFreeMaps;
    };
    const hasRefused = (framework: number, slots: number): boolean => {
      const refusal = refusals.get(`${framework} ${node}`);
      return refusal !== undefined && atUs < refusal.untilUs && slots <= refusal.slots;
    };
    const refuse = (framework: number, slots: number): void => {
      refusals.set(`${framework} ${node}`, { slots, untilUs: atUs + specs[framework]!.refuseForUs });
    };
    const shown = new Set<number>();
    let next = 0;
    let free = freeMaps;
    const show = (framework: number, slots: number): void => {
      if (slots > 0) shown.add(framework);
      const own = of(framework).map((job) => ({ ...job }));
      const from = next;
      while (next < launches.length && next - from < slots && owners.of(launches[next]!) === framework) {
        const taker = jobs.find(({ rank }) => rank === launches[next])!;
        Object.assign(taker, { pending: taker.pending - 1, running: taker.running + 1 });
        next++;
      }
      const taken = next - from;
      if (slots > 0) {
        const { inner } = specs[framework]!;
        for (const entry of innerReasons(inner.kind, own, of(framework), launches.slice(from, next), slots)) {
          reasons.set(...entry);
        }
      }
      free -= taken;
      if (taken < slots) refuse(framework, slots - taken);
    };
    const isDue = (offer: Offered): boolean =>
      offer.atUs + Math.min(specs[offer.framework]!.answerAfterUs, rescindAfterUs) <= atUs;
    const due = open.filter((offer) => offer.node === node && isDue(offer));
    open = open.filter((offer) => !due.includes(offer));
    for (const { framework, slots } of due) {
      if (specs[framework]!.answerAfterUs <= rescindAfterUs) show(framework, Math.min(slots, free));
      else refuse(framework, Math.min(slots, free));
    }
    free -= sum(open.filter((offer) => offer.node === node).map(({ slots }) => slots));
    const offered = new Set<number>();
    const wanting = (framework: number): boolean => of(framework).some(waits);
    const shareOf = (framework: number): number =>
      mapsOn(framework) / topology.totalMapSlots / specs[framework]!.weight;
    for (;;) {
      const candidates = specs
        .map((_, framework) => framework)
        .filter((f) => !offered.has(f) && free > 0 && mayBeOffered(f, free) && wanting(f) && !hasRefused(f, free))
        .sort((a, b) => specs[b]!.priority - specs[a]!.priority || shareOf(a) - shareOf(b) || a - b);
      if (candidates.length === 0) break;
      const framework = candidates[0]!;
      offered.add(framework);
      if (specs[framework]!.answerAfterUs > 0) {
        open.push({ framework, node, slots: free, atUs });
        free = 0;
      } else show(framework, free);
    }
    if (next !== launches.length) throw new Error(`somebody launched out of turn at ${atUs}`);
    for (const job of after) {
      const framework = owners.of(job.rank);
      if (!waits(job) || shown.has(framework)) continue;
      const isWaitedFor = open.some((offer) => offer.framework === framework && offer.node === node);
      const alone = !mayBeOffered(framework, freeMaps)
        ? "node"
        : isWaitedFor
          ? "answer"
          : hasRefused(framework, freeMaps)
            ? "refused"
            : null;
      reasons.set(job.rank, alone ?? (launches.length > 0 ? "slot" : "answer"));
    }
    return reasons;
  };
}

/**
 * Quincy's greedy rival, which leaves no slot free that a job may take; a fair one gives no job more than its even
 * share.
 */
export function greedyReasons(example: RandomCase): NaiveReasons {
  const isFair = example.scenario.scheduler.quincy!.policy.includes("F");
  const { totalMapSlots } = buildTopology(example.scenario.cluster);
  return ({ before, after }) => {
    const ready = before.filter(({ isReady }) => isReady).sort((a, b) => a.rank - b.rank);
    const shares = new Map(ready.map(({ rank }) => [rank, 0]));
    // Slots go round one by one, to whoever can use another.
    for (let left = totalMapSlots; left > 0;) {
      const wanting = ready.filter(({ rank, pending, running }) => shares.get(rank)! < pending + running);
      const least = Math.min(...wanting.map(({ rank }) => shares.get(rank)!));
      const next = wanting.find(({ rank }) => shares.get(rank) === least);
      if (next === undefined) break;
      shares.set(next.rank, least + 1);
      left--;
    }
    const isAtShare = ({ rank, running }: SeenJob): boolean => isFair && running >= shares.get(rank)!;
    return new Map(after.filter(waits).map((job) => [job.rank, isAtShare(job) ? "share" : "slot"]));
  };
}

/** One slot as a user's own scheduler was asked about it, and what it did. */
export interface AskedSlot {
  readonly atUs: number;
  readonly node: number;
  readonly jobs: readonly number[];
  /** Of those that it looked at: how near. */
  readonly nearest: ReadonlyMap<number, string>;
  /** null: nobody. */
  readonly chosen: number | null;
}

/** Of a user's own scheduler, from what it was asked about map slots. */
export function pluginReasons(asked: readonly AskedSlot[]): NaiveReasons {
  return ({ atUs, node, after }) => {
    const slots = asked.filter((slot) => slot.atUs === atUs && slot.node === node);
    const reasons = new Map<number, string>();
    for (const job of after.filter(waits)) {
      const offered = slots.some(({ jobs }) => jobs.includes(job.rank));
      const isKept = slots.some(({ chosen }) => chosen === null);
      reasons.set(job.rank, slots.length === 0 ? "cap" : !offered ? "node" : isKept ? "kept" : "slot");
    }
    for (const { nearest, chosen } of slots)
      for (const [job, reach] of nearest) if (reach !== "node" && job !== chosen) reasons.set(job, "locality");
    return reasons;
  };
}

/** Locality waits of the launches of each job, in order, from what a user's own scheduler was asked. */
export function pluginWaits(asked: readonly AskedSlot[]): ReadonlyMap<number, readonly number[]> {
  const waits = new Map<number, number[]>();
  const sinceUs = new Map<number, number>();
  for (const { atUs, nearest, chosen } of asked) {
    for (const [job, reach] of nearest)
      if (reach !== "node" && job !== chosen && !sinceUs.has(job)) sinceUs.set(job, atUs);
    if (chosen === null) continue;
    waits.set(chosen, [...(waits.get(chosen) ?? []), atUs - (sinceUs.get(chosen) ?? atUs)]);
    sinceUs.delete(chosen);
  }
  return waits;
}
