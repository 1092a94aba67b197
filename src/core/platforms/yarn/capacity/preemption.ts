import { sumOver } from "../../../kernel/index.js";
import { type Container, inOrder } from "../containers.js";
import type { NoPreemption } from "../no-preemption.js";
import { compareApps } from "./orders.js";
import type { CapacityApp, CapacityQueue } from "./queues.js";
import type { CapacityPreemption } from "./settings.js";
import { candidatesWithin } from "./within-queue.js";

/** A queue in a round of preemption, in MB. */
interface Claim {
  readonly queue: CapacityQueue;
  readonly wishMb: number;
  idealMb: number;
}

/** Limits that preemption within queues keeps to. */
interface RoundLimits {
  /** The limit of any user of a leaf, in MB. */
  readonly userLimitOf: (leaf: CapacityQueue) => number;
  /** The smallest container. */
  readonly leastMb: number;
}

/**
 * Preemption between queues, by memory, as outlined in the documentation of `ProportionalCapacityPreemptionPolicy`.
 * Queues above their guarantees give back what other queues lack. Then, if preemption within queues is on, applications
 * of a leaf give what other applications of the leaf lack.
 */
export class QueuePreemption {
  /** Since when a container has been chosen, and when it was chosen last. */
  private readonly chosen = new Map<Container, { sinceUs: number; lastUs: number }>();

  /** Containers that the last round ordered killed. */
  private killedLast: readonly Container[] = [];

  constructor(
    private readonly root: CapacityQueue,
    private readonly settings: CapacityPreemption,
  ) {}

  /** Why the last round took nothing for a leaf. Null: it asks for nothing more. */
  whyNot(leaf: CapacityQueue): NoPreemption | null {
    if (leaf.wanted === 0) return null;
    const { within, maxIgnoredOverCapacity, maxWaitBeforeKillUs } = this.settings;
    const isShort = leaf.used.memory < leaf.guarantee.memory;
    for (const { app } of [...this.chosen.keys(), ...this.killedLast]) {
      // Between queues others give; within one its own applications do.
      const isOwn = (app as CapacityApp).queue === leaf;
      if (isShort || isOwn) return { reason: "chosen", bound: maxWaitBeforeKillUs };
    }
    if (!isShort) {
      if (within === null) return { reason: "due" };
      return { reason: leaf.isPreemptableWithin ? "within" : "withinProtected" };
    }
    const above = this.root
      .leaves()
      .filter((otherLeaf) => otherLeaf !== leaf && otherLeaf.used.memory > otherLeaf.guarantee.memory);
    if (above.length === 0) return { reason: "share" };
    const open = above.filter(({ isPreemptable }) => isPreemptable);
    if (open.length === 0) return { reason: "protected" };
    const isIgnored = open.every(
      ({ used, guarantee }) => used.memory <= guarantee.memory * (1 + maxIgnoredOverCapacity),
    );
    return { reason: isIgnored ? "ignored" : "ideal" };
  }

  /**
   * One round.
   * @returns containers that have been chosen for long enough: they are to be killed
   */
  round(clusterMb: number, nowUs: number, limits: RoundLimits): Container[] {
    const { maxWaitBeforeKillUs } = this.settings;
    const killed: Container[] = [];
    for (const container of this.candidatesOfAll(clusterMb, limits)) {
      const entry = this.chosen.get(container) ?? { sinceUs: nowUs, lastUs: nowUs };
      entry.lastUs = nowUs;
      this.chosen.set(container, entry);
      if (nowUs - entry.sinceUs >= maxWaitBeforeKillUs) killed.push(container);
    }
    this.killedLast = killed;
    for (const container of killed) this.chosen.delete(container);
    for (const [container, { lastUs }] of this.chosen) {
      if (container.isReleased || nowUs - lastUs > 2 * maxWaitBeforeKillUs) this.chosen.delete(container);
    }
    return killed;
  }

  private candidatesOfAll(clusterMb: number, { userLimitOf, leastMb }: RoundLimits): Set<Container> {
    const { totalPerRound, within } = this.settings;
    const candidates = new Set(this.toGiveBack(clusterMb).flatMap(([leaf, backMb]) => this.candidates(leaf, backMb)));
    if (within === null) return candidates;
    let mostMb = clusterMb * totalPerRound;
    for (const { size } of candidates) mostMb -= size.memory;
    for (const leaf of this.root.leaves()) {
      if (!leaf.isPreemptableWithin) continue;
      const round = { settings: within, userLimitMb: userLimitOf(leaf), leastMb, chosen: candidates, mostMb };
      for (const container of candidatesWithin(leaf, round)) {
        candidates.add(container);
        mostMb -= container.size.memory;
      }
    }
    return candidates;
  }

  /** By leaf: how much of it is to go in this round. */
  private toGiveBack(clusterMb: number): [CapacityQueue, number][] {
    const { maxIgnoredOverCapacity, naturalTerminationFactor, totalPerRound } = this.settings;
    const back: [CapacityQueue, number][] = [];
    for (const { queue, wishMb, idealMb } of this.ideals(clusterMb)) {
      const { memory: guaranteedMb } = queue.guarantee;
      if (!queue.isPreemptable || queue.used.memory <= guaranteedMb * (1 + maxIgnoredOverCapacity)) continue;
      const backMb = queue.used.memory - Math.max(idealMb, Math.min(wishMb, guaranteedMb));
      if (backMb > 0) back.push([queue, backMb]);
    }
    const totalMb = sumOver(back, ([, mb]) => mb);
    const scale = Math.min(1, (clusterMb * totalPerRound) / totalMb) * naturalTerminationFactor;
    return back.map(([queue, mb]) => [queue, mb * scale]);
  }

  private ideals(clusterMb: number): Claim[] {
    const leaves: Claim[] = [];
    const divide = (queue: CapacityQueue, mb: number) => {
      for (const claim of idealsBelow(queue, mb)) {
        if (claim.queue.isLeaf) leaves.push(claim);
        else divide(claim.queue, claim.idealMb);
      }
    };
    divide(this.root, clusterMb);
    return leaves;
  }

  /** Applications in reverse order, their containers newest first; masters last of all. */
  private candidates(leaf: CapacityQueue, backMb: number): Container[] {
    const apps = [...leaf.active].sort((a, b) => compareApps(leaf.appOrder, b, a));
    const containers = apps.flatMap((app: CapacityApp) => inOrder(app.containers).reverse());
    const candidates: Container[] = [];
    let leftMb = backMb;
    for (const isMaster of [false, true]) {
      for (const container of containers) {
        if (leftMb <= 0) return candidates;
        if (container.isMaster !== isMaster) continue;
        candidates.push(container);
        leftMb -= container.size.memory;
      }
    }
    return candidates;
  }
}

/**
 * The ideal share of each queue of a parent: its guarantee or its demand, whichever is less; the remainder is divided
 * by guarantees among queues that demand more.
 */
function idealsBelow(parent: CapacityQueue, mb: number): Claim[] {
  const claims = parent.children.map((queue): Claim => {
    const wishMb = Math.min(queue.used.memory + pendingMbOf(queue), queue.maximum.memory);
    return { queue, wishMb, idealMb: Math.min(wishMb, queue.guarantee.memory) };
  });
  let leftMb = mb - sumOver(claims, ({ idealMb }) => idealMb);
  for (const hasGuarantee of [true, false]) {
    while (leftMb >= 1) {
      const open = claims.filter(
        ({ queue, wishMb, idealMb }) => queue.guarantee.memory > 0 === hasGuarantee && wishMb > idealMb,
      );
      if (open.length === 0) break;
      leftMb -= deal(open, leftMb);
    }
  }
  return claims;
}

/** In proportion to guarantees, or evenly where there are none. @returns what was taken */
function deal(claims: readonly Claim[], mb: number): number {
  const total = sumOver(claims, ({ queue }) => queue.guarantee.memory);
  let takenMb = 0;
  for (const claim of claims) {
    const part = total > 0 ? claim.queue.guarantee.memory / total : 1 / claims.length;
    const more = Math.min(mb * part, claim.wishMb - claim.idealMb);
    claim.idealMb += more;
    takenMb += more;
  }
  return takenMb;
}

function pendingMbOf(queue: CapacityQueue): number {
  if (!queue.isLeaf) return sumOver(queue.children, (child) => pendingMbOf(child));
  return sumOver(queue.active, ({ pending }) => pending.memory);
}
