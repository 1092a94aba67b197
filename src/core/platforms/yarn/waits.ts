import { counted, US_PER_SECOND } from "../../kernel/index.js";
import {
  NO_LEVEL,
  type StageState,
  StageWaits,
  type WaitFound,
  type WaitReason,
  type WaitWords,
} from "../../record/index.js";
import { type Ask, OFF_SWITCH, RACK_LOCAL, YARN_LEVELS, type YarnLevel } from "./asks.js";
import type { SchedulerApp, YarnNode } from "./containers.js";
import type { StageWork } from "./master.js";
import type { Resources } from "./resources.js";

const megabytes = ({ reached, bound }: WaitFound): string =>
  reached === null || bound === null ? "" : `: ${String(reached)} of ${String(bound)} MB`;

/** `; job 3 (etl) held most memory` */
const heldBy = ({ by }: WaitFound): string =>
  by === undefined ? "" : `; ${by === null ? "the job itself" : by} held most memory`;

const notNear = (level: string | null, free: string): string =>
  `${free} free, for the most part where it might not go at ${level ?? "its"} level`;

/** Why a stage, or the master of a job, waits, in the order of the codes. */
const REASONS = [
  {
    key: "apps",
    says: ({ bound }) => `because ${counted(bound ?? 0, "application")} ran, as many as its queue or its user may run`,
  },
  { key: "masters", says: () => "because masters took what they may of its queue, or of its user's part" },
  { key: "master", says: () => "while its master started" },
  { key: "report", says: () => "until its master reported next" },
  { key: "parents", says: () => "until the stages before it ended", isForOthers: true },
  { key: "max", says: (found) => `because its queue, or one above it, was at its maximum${megabytes(found)}` },
  { key: "user", says: (found) => `because its user was at the user limit of the queue${megabytes(found)}` },
  { key: "update", says: () => "until the next update: by the last one it wanted no more than it had" },
  { key: "nodes", says: () => "because no node was there" },
  { key: "large", says: () => "because no node is large enough for one of its containers" },
  {
    key: "share",
    says: (found) => `below its share${megabytes(found)}, because no node had room for it${heldBy(found)}`,
  },
  { key: "busy", says: (found) => `because no node had room for it${heldBy(found)}` },
  {
    key: "kept",
    says: ({ bound }) =>
      `because no node had room for it; ${counted(bound ?? 0, "node")} ${bound === 1 ? "was" : "were"} reserved for it`,
  },
  { key: "reserved", says: ({ free }) => `${free} free, with room for it only on nodes that were reserved for others` },
  {
    key: "locality",
    says: ({ level, free, reached, bound }) => {
      const none = notNear(level, free);
      return reached === null || bound === null
        ? none
        : `${none}; ${String(reached)} of more than ${String(bound)} offers passed until it might go farther`;
    },
  },
  {
    key: "delay",
    says: ({ level, free, reached, bound }) => {
      const none = notNear(level, free);
      if (reached === null || bound === null) return none;
      return `${none}; its delay had ${String((bound - reached) / US_PER_SECOND)} s to run`;
    },
  },
  { key: "before", says: ({ free }) => `${free} free, for which another stage of the job goes before it` },
  { key: "offer", says: ({ free }) => `${free} free, until a node with room reported and nobody went before it` },
  { key: "running", says: () => "all its tasks ran", isWork: true },
] as const satisfies readonly WaitReason[];

type ReasonKey = (typeof REASONS)[number]["key"];

const CODE = Object.fromEntries(REASONS.map(({ key }, code) => [key, code])) as Readonly<Record<ReasonKey, number>>;

/** How YARN explains waits. Times are in microseconds, amounts in MB. */
export const YARN_WAITS: WaitWords = {
  reasons: REASONS,
  offer: { one: "offer of a node", many: "offers of nodes" },
};

/** What stands in the way of an ask, as things are. */
export interface Hold {
  readonly reason: ReasonKey;
  readonly level?: YarnLevel;
  readonly reached?: number;
  readonly bound?: number;
  readonly dueUs?: number;
}

/** The same in words. @param free nodes with any room. */
export function holdWords({ reason, level, reached, bound }: Hold, free: readonly YarnNode[]): string {
  const mb = free.reduce((sum, node) => sum + node.free.memory, 0);
  return REASONS[CODE[reason]].says({
    level: level === undefined ? null : YARN_LEVELS[level],
    free: `${String(mb)} MB`,
    ...{ reached: reached ?? null, bound: bound ?? null },
  });
}

/** How far an ask may go for its places, and what it takes until it may go farther. */
export interface LevelHold extends Omit<Hold, "level"> {
  readonly reason: "locality" | "delay";
  readonly level: YarnLevel;
  /** Off-switch containers are allowed, though rack-local ones may not be. */
  readonly maySwitch: boolean;
}

/** What a scheduler knows of an ask that no limit stops. */
export interface Seeker {
  readonly app: SchedulerApp;
  readonly ask: Ask;
  /** What it has and what it may count on, in MB if it lacks memory; null: it has that. */
  readonly below: { readonly reached?: number; readonly bound?: number } | null;
  readonly level: LevelHold;
  readonly fits: (size: Readonly<Resources>, room: Readonly<Resources>) => boolean;
}

/** Why an ask that no limit stops gets nothing. @param nodes that are there. @param free those with any room. */
export function lackOfRoom(
  { app, ask, below, level, fits }: Seeker,
  nodes: readonly YarnNode[],
  free: readonly YarnNode[],
): Hold {
  if (nodes.length === 0) return { reason: "nodes" };
  let hasRoom = false;
  let [open, near] = [0, 0];
  for (const node of free) {
    if (!fits(ask.size, node.free)) continue;
    hasRoom = true;
    if (node.reservation !== null && node.reservation.app !== app) continue;
    open++;
    if (mayGo(ask, node, level)) near++;
  }
  if (open > 2 * near) {
    // The next offer will pass it by, more likely than not.
    const { maySwitch: _, ...hold } = level;
    return hold;
  }
  if (near > 0) return { reason: asksBefore(app, ask) ? "before" : "offer" };
  if (hasRoom) return { reason: "reserved" };
  if (app.reservedNodes.length > 0) return { reason: "kept", reached: 0, bound: app.reservedNodes.length };
  if (!nodes.some(({ total }) => fits(ask.size, total))) return { reason: "large" };
  return below === null ? { reason: "busy" } : { reason: "share", ...below };
}

function mayGo(ask: Ask, node: YarnNode, { level, maySwitch }: LevelHold): boolean {
  const onRack = ask.asksOnRack(node.rack);
  if (onRack && ask.asksOnNode(node.index)) return true;
  if (onRack && !ask.relaxesRack(node.rack)) return false;
  if (onRack && level >= RACK_LOCAL) return true;
  return ask.relaxesAny && (maySwitch || level === OFF_SWITCH);
}

/** Asks of lower numbers go first, and one that finds no room ends the turn. */
function asksBefore(app: SchedulerApp, ask: Ask): boolean {
  return app.asks.some(({ priority, wanted }) => priority < ask.priority && wanted > 0);
}

/** An application, as far as its waits are looked at. */
export interface Waiting {
  readonly job: number;
  readonly app: SchedulerApp;
  /** Its master has reported; its stages have come. */
  readonly hasReported: boolean;
  readonly haveStagesCome: boolean;
  readonly stages: readonly {
    readonly work: StageWork;
    readonly hasCome: boolean;
    readonly haveParentsEnded: boolean;
    readonly isOver: boolean;
  }[];
}

/** Whom a look asks. */
export interface Scene {
  readonly nodes: readonly YarnNode[];
  readonly masterPriority: number;
  readonly whyWaits: (app: SchedulerApp, ask: Ask, free: readonly YarnNode[], nowUs: number) => Hold;
  /** The job that holds most memory. */
  readonly holder: () => number;
}

/** What the stages of applications wait for, and before they come the applications. A simulation that has none notes nothing. */
export class YarnWaits {
  readonly log = new StageWaits(REASONS, CODE.offer);
  /** Offers of nodes with room, since the last look. */
  private offers = 0;
  private readonly ended: boolean[][] = [];

  /** Nodes with room were offered. */
  offered(nodes: number): void {
    this.offers += nodes;
  }

  /** Something has happened. */
  look(applications: Iterable<Waiting>, scene: Scene, nowUs: number): void {
    const { log, offers } = this;
    this.offers = 0;
    const free = scene.nodes.filter((node) => node.free.memory > 0);
    log.freeIs(
      free.reduce((sum, node) => sum + node.free.memory, 0),
      nowUs,
    );
    const note = (job: number, stage: number, hold: Hold): void => {
      const { reason, level = NO_LEVEL, ...found } = hold;
      const isTaken = reason === "busy" || reason === "share";
      const state: StageState = {
        ...{ ...found, reason: CODE[reason], level },
        ...(isTaken ? { takenBy: scene.holder } : {}),
      };
      const gaveNothing = reason !== "running" && !log.hasLaunched(job, stage);
      log.is(job, stage, state, gaveNothing ? offers : 0, nowUs);
    };
    for (const application of applications) {
      const { job, app, haveStagesCome, stages } = application;
      const whyAt = (priority: number): Hold => {
        const ask = app.asks.find((one) => one.priority === priority);
        return ask === undefined || ask.wanted <= 0 ? REPORT : scene.whyWaits(app, ask, free, nowUs);
      };
      // Its master, before there are stages; then a new one in its place.
      const isMasterless = app.awaitsMaster || !application.hasReported;
      const master = (): Hold => (app.awaitsMaster ? whyAt(scene.masterPriority) : MASTER);
      if (!haveStagesCome) {
        note(job, -1, master());
        continue;
      }
      log.ended(job, -1, nowUs);
      const isAllOver = stages.every(({ isOver }) => isOver);
      const ended = (this.ended[job] ??= []);
      for (const [stage, { work, hasCome, haveParentsEnded, isOver }] of stages.entries()) {
        if (ended[stage] || work.tasks.length === 0 || (!hasCome && !haveParentsEnded)) continue;
        if (isOver && !isAllOver) {
          ended[stage] = true;
          log.ended(job, stage, nowUs);
          // The last one stays until the master knows of it: that is when the job ends.
        } else if (isOver) note(job, stage, REPORT);
        else if (!haveParentsEnded) note(job, stage, PARENTS);
        else if (isMasterless) note(job, stage, master());
        else if (work.waiting > 0) note(job, stage, whyAt(work.spec.priority));
        else note(job, stage, work.held + work.done < work.tasks.length ? REPORT : RUNNING);
      }
    }
  }
}

const REPORT: Hold = { reason: "report" };
const MASTER: Hold = { reason: "master" };
const PARENTS: Hold = { reason: "parents" };
const RUNNING: Hold = { reason: "running" };
