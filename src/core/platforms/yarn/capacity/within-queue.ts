import { sumOver } from "../../../kernel/index.js";
import { type Container, inOrder } from "../containers.js";
import { compareApps } from "./orders.js";
import type { CapacityApp, CapacityQueue, QueueUser } from "./queues.js";
import type { WithinQueues } from "./settings.js";

/** An application in a round of preemption, in MB, its master left out. */
interface Part {
  readonly app: CapacityApp;
  /** Without what goes already. */
  readonly usedMb: number;
  idealMb: number;
  /** The difference to its ideal, and the part of it that others will give. */
  lacksMb: number;
  gotMb: number;
  /** Its excess over its ideal, and the part of it that is taken. */
  sparesMb: number;
  goesMb: number;
}

/** A user in a round of preemption, in MB, masters left out. */
interface UserPart {
  limitMb: number;
  usedMb: number;
  idealMb: number;
}

/** The limits of a round of preemption. */
interface WithinRound {
  readonly settings: WithinQueues;
  /** The limit of any user of the leaf, counting applications that request nothing. */
  readonly userLimitMb: number;
  /** The smallest container. */
  readonly leastMb: number;
  /** Containers that go to other queues, and what may go in this round beside them. */
  readonly chosen: ReadonlySet<Container>;
  readonly mostMb: number;
}

/**
 * Containers that go to other applications of the same leaf: `FifoIntraQueuePreemptionPlugin` and
 * `IntraQueueCandidatesSelector`. By memory. By priority and submission each application is to have what it has and
 * asks for, within its user's limit and what is left of what the leaf uses. Who lacks takes from who has more, from the
 * end of the order on.
 */
export function candidatesWithin(leaf: CapacityQueue, round: WithinRound): Container[] {
  const { settings, chosen } = round;
  if (leaf.used.memory < settings.minimumThreshold * leaf.guarantee.memory) return [];
  const chosenMb = memoryOf([...chosen].filter(({ app }) => (app as CapacityApp).queue === leaf));
  const mostMb = settings.maxAllowableLimit * Math.max(leaf.used.memory, leaf.guarantee.memory) - chosenMb;
  if (mostMb <= 0) return [];
  const parts = partsOf(leaf, chosen);
  const users = usersOf(parts, round);
  share(parts, users, leaf.used.memory - chosenMb);
  // Under the limits of users each keeps a container more than its ideal, lest it takes back at once what went.
  spare(parts, mostMb, settings.order === "userLimit" ? round.leastMb : 0);
  match(parts, users, settings);
  return containersOf(parts, users, round);
}

/** By priority and submission. */
function partsOf(leaf: CapacityQueue, chosen: ReadonlySet<Container>): readonly Part[] {
  const apps = [...leaf.active].sort((a, b) => compareApps("fifo", a, b));
  return apps.map((app) => {
    const containers = app.containers.filter((container) => !container.isMaster && !chosen.has(container));
    return { app, usedMb: memoryOf(containers), idealMb: 0, lacksMb: 0, gotMb: 0, sparesMb: 0, goesMb: 0 };
  });
}

function usersOf(parts: readonly Part[], { userLimitMb }: WithinRound): Map<QueueUser, UserPart> {
  const users = new Map<QueueUser, UserPart>();
  for (const { app, usedMb } of parts) {
    const user = users.get(app.owner) ?? { limitMb: userLimitMb, usedMb: 0, idealMb: 0 };
    user.limitMb -= masterMbOf(app);
    user.usedMb += usedMb;
    users.set(app.owner, user);
  }
  return users;
}

/** Sets the ideal of each, first come first served. @param usedMb of the leaf, without what goes already. */
function share(parts: readonly Part[], users: ReadonlyMap<QueueUser, UserPart>, usedMb: number): void {
  let leftMb = usedMb;
  for (const { app } of parts) leftMb -= masterMbOf(app);
  for (const part of parts) {
    const user = partOf(users, part.app);
    const wishMb = part.usedMb + part.app.pending.memory;
    part.idealMb = Math.max(0, Math.min(wishMb, user.limitMb - user.idealMb, leftMb));
    part.lacksMb = Math.max(0, part.idealMb - part.usedMb);
    user.idealMb += part.idealMb;
    leftMb -= part.idealMb;
  }
}

/** From the end of the order on, no more than may go. */
function spare(parts: readonly Part[], mostMb: number, keptMb: number): void {
  let leftMb = mostMb;
  for (const part of fromTheEnd(parts)) {
    part.sparesMb = Math.min(Math.max(0, part.usedMb - part.idealMb - keptMb), leftMb);
    leftMb -= part.sparesMb;
  }
}

/** Applications below their ideal take from those above. Under limits of users, only users above theirs give. */
function match(parts: readonly Part[], users: ReadonlyMap<QueueUser, UserPart>, { order }: WithinQueues): void {
  const givers = fromTheEnd(parts).filter(({ sparesMb }) => sparesMb > 0);
  for (const taker of parts) {
    for (const giver of givers) {
      if (taker.gotMb >= taker.lacksMb) break;
      const isOwn = giver.app.owner === taker.app.owner;
      if (isOwn && giver.app.priority >= taker.app.priority) continue;
      const user = partOf(users, giver.app);
      if (!isOwn && order === "userLimit" && user.usedMb <= user.limitMb) continue;
      const mb = Math.min(taker.lacksMb - taker.gotMb, giver.sparesMb - giver.goesMb);
      taker.gotMb += mb;
      giver.goesMb += mb;
    }
  }
}

/** The newest first, masters never. Under the limits of users none falls to its own. */
function containersOf(
  parts: readonly Part[],
  users: ReadonlyMap<QueueUser, UserPart>,
  { settings, chosen, mostMb }: WithinRound,
): Container[] {
  const victims: Container[] = [];
  let leftMb = mostMb;
  for (const { app, goesMb } of fromTheEnd(parts)) {
    const user = partOf(users, app);
    let backMb = goesMb;
    for (const container of inOrder(app.containers).reverse()) {
      if (backMb <= 0 || leftMb <= 0) break;
      if (container.isMaster || chosen.has(container)) continue;
      const { memory } = container.size;
      if (settings.order === "userLimit" && user.usedMb - memory <= user.limitMb) break;
      victims.push(container);
      backMb -= memory;
      leftMb -= memory;
      user.usedMb -= memory;
    }
  }
  return victims;
}

function fromTheEnd(parts: readonly Part[]): Part[] {
  return [...parts].reverse();
}

function partOf(users: ReadonlyMap<QueueUser, UserPart>, { owner }: CapacityApp): UserPart {
  return users.get(owner) as UserPart;
}

function masterMbOf({ master }: CapacityApp): number {
  return master?.size.memory ?? 0;
}

function memoryOf(containers: readonly Container[]): number {
  return sumOver(containers, ({ size }) => size.memory);
}
