import { counted, US_PER_SECOND } from "../../kernel/index.js";
import {
  type StageState,
  StageWaits,
  type WaitFound,
  type WaitReason,
  waitWords,
  type WaitWords,
} from "../../record/index.js";
import { type Ask, OFF_SWITCH, RACK_LOCAL, YARN_LEVELS, type YarnLevel } from "./asks.js";
import type { SchedulerApp, YarnNode } from "./containers.js";
import type { MasterWork } from "./master.js";
import { NO_PREEMPTION } from "./no-preemption.js";
import type { Resources } from "./resources.js";

const megabytes = ({ reached, bound }: WaitFound) =>
  reached === null || bound === null ? "" : `: ${reached} of ${bound} MB`;

/** `; job 3 (etl) held most memory` */
const heldBy = ({ by }: WaitFound) =>
  by === undefined ? "" : `; ${by === null ? "the job itself" : by} held most memory`;

const notNear = (level: string | null, free: string) =>
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
  { key: "max", says: (figures) => `because its queue, or one above it, was at its maximum${megabytes(figures)}` },
  { key: "user", says: (figures) => `because its user was at the user limit of the queue${megabytes(figures)}` },
  { key: "update", says: () => "until the next update: by the last one it wanted no more than it had" },
  { key: "nodes", says: () => "because no node was there" },
  { key: "large", says: () => "because no node is large enough for one of its containers" },
  {
    key: "share",
    says: (figures) => `below its share${megabytes(figures)}, because no node had room for it${heldBy(figures)}`,
  },
  {
    key: "overasked",
    says: (figures) =>
      `while its queue was below its min share${megabytes(figures)}, because no node had room for it${heldBy(figures)}; it asks for more than the queue lacks, ` +
      "and YARN's preemption then takes only the difference, not what is lacking",
  },
  { key: "busy", says: (figures) => `because no node had room for it${heldBy(figures)}` },
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
        : `${none}; ${reached} of more than ${bound} offers passed until it might go farther`;
    },
  },
  {
    key: "delay",
    says: ({ level, free, reached, bound }) => {
      const none = notNear(level, free);
      if (reached === null || bound === null) return none;
      return `${none}; its delay had ${(bound - reached) / US_PER_SECOND} s to run`;
    },
  },
  { key: "before", says: ({ free }) => `${free} free, for which another stage of the job goes before it` },
  { key: "offer", says: ({ free }) => `${free} free, until a node with room reported and nobody went before it` },
  { key: "running", says: () => "no task waited: all that had not ended were running", isWork: true },
] as const satisfies readonly WaitReason[];

type ReasonKey = (typeof REASONS)[number]["key"];

/** YARN's words for waits. Times are in microseconds, amounts in MB. */
export const YARN_WAITS: WaitWords = {
  reasons: REASONS,
  preemption: NO_PREEMPTION,
  offer: { one: "offer of a node", many: "offers of nodes" },
};

/** The present obstacle of an ask. */
export interface Hold extends Omit<StageState<ReasonKey>, "takenBy"> {
  readonly level?: YarnLevel;
}

/** Nodes with free memory, at this moment. */
export class FreeNodes {
  readonly nodes: readonly YarnNode[];
  readonly memory: number;
  /**
   * The largest free memory and the most free vcores of a node, perhaps of different nodes. A container that does not
   * fit into these fits on no node.
   */
  readonly largestNode: Readonly<Resources>;

  constructor(clusterNodes: readonly YarnNode[]) {
    const nodes: YarnNode[] = [];
    let [sum, memory, vcores] = [0, 0, 0];
    for (const node of clusterNodes) {
      const { free } = node;
      if (free.memory <= 0) continue;
      nodes.push(node);
      sum += free.memory;
      memory = Math.max(memory, free.memory);
      vcores = Math.max(vcores, free.vcores);
    }
    this.nodes = nodes;
    this.memory = sum;
    this.largestNode = { memory, vcores };
  }
}

/** The same in words. */
export function holdWords({ reason, level, reached, bound }: Hold, free: FreeNodes): string {
  return waitWords(REASONS, reason, {
    level: level === undefined ? null : YARN_LEVELS[level],
    free: `${free.memory} MB`,
    reached: reached ?? null,
    bound: bound ?? null,
  });
}

/** The locality level that a request may be served at, and the condition of the next. */
export interface LevelHold extends Omit<Hold, "level"> {
  readonly reason: "locality" | "delay";
  readonly level: YarnLevel;
  /** Off-switch containers are allowed, though rack-local ones may not be. */
  readonly maySwitch: boolean;
}

/** A request that no limit stops, as its scheduler sees it. */
interface Seeker {
  readonly app: SchedulerApp;
  readonly ask: Ask;
  /** Its usage and its share, in MB if it lacks memory; null: it has its share. */
  readonly below: { readonly reached?: number; readonly bound?: number } | null;
  readonly level: LevelHold;
  readonly fits: (size: Readonly<Resources>, room: Readonly<Resources>) => boolean;
}

/** Why an ask that no limit stops gets nothing. @param nodes that are there. */
export function lackOfRoom(
  { app, ask, below, level, fits }: Seeker,
  nodes: readonly YarnNode[],
  free: FreeNodes,
): Hold {
  if (nodes.length === 0) return { reason: "nodes" };
  let hasRoom = false;
  let [open, near] = [0, 0];
  const candidates = fits(ask.size, free.largestNode) ? free.nodes : [];
  for (const node of candidates) {
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

/** An application that has come and not ended, as far as its waits are looked at. */
export interface Waiting {
  /** Of its job. */
  readonly number: number;
  readonly app: SchedulerApp;
  readonly work: MasterWork;
  /** Its master has reported. */
  readonly hasReported: boolean;
  /** Null: the stage has not come. */
  readonly stageRows: readonly (object | null)[];
}

/** The cluster that a look is at. */
interface Scene {
  readonly scheduler: {
    readonly nodes: readonly YarnNode[];
    whyWaits(app: SchedulerApp, ask: Ask, free: FreeNodes, nowUs: number): Hold;
  };
  readonly masterPriority: number;
  /** Applications that have come and not ended. */
  readonly waiting: Iterable<Waiting>;
  /** The job that holds most memory. */
  readonly holder: () => number;
}

/** A stage that waits for its places: offers that give it nothing may let it go farther all the same. */
class NearWait {
  constructor(
    readonly waiting: Waiting,
    readonly stage: number,
    private readonly ask: Ask,
    private readonly hold: Hold,
  ) {}

  /** It may go as far as when it was looked at. */
  isAsBefore(nowUs: number): boolean {
    const { reason, reached = 0, bound = Infinity, dueUs = Infinity } = this.hold;
    if (reason === "delay") return nowUs <= dueUs;
    return this.ask.opportunities >= reached && this.ask.opportunities < bound;
  }

  /** In the unit of its reason. */
  reached(nowUs: number): number {
    return this.hold.reason === "delay" ? nowUs - this.ask.levelSinceUs : this.ask.opportunities;
  }
}

/**
 * The recorder of waits of stages, and of applications before their stages come. A simulation without one records
 * nothing. Most events change no wait, and cost next to nothing here: all waits are examined only after events that
 * give or free containers, or change limits.
 */
export class YarnWaits {
  readonly log = new StageWaits<ReasonKey>(REASONS, "offer");
  private readonly ended: boolean[][] = [];
  /** By job, by stage + 1. */
  private readonly near = new Map<string, NearWait>();
  private free = new FreeNodes([]);

  constructor(private readonly scene: Scene) {}

  /** Something has changed for all. @param offers of nodes with room, in the same event. */
  lookAtAll(offers: number, nowUs: number): void {
    this.free = new FreeNodes(this.scene.scheduler.nodes);
    this.log.freeIs(this.free.memory, nowUs);
    for (const app of this.scene.waiting) this.lookAt(app, offers, nowUs);
    this.log.offered(offers);
  }

  /** Nothing was given or freed by these offers. */
  offeredInVain(offers: number, nowUs: number): void {
    for (const wait of this.near.values()) {
      if (!wait.isAsBefore(nowUs)) this.lookAt(wait.waiting, offers, nowUs);
      else this.log.reaches(wait.waiting.number, wait.stage, wait.reached(nowUs));
    }
    this.log.offered(offers);
  }

  jobEnded({ number, work }: Waiting, nowUs: number): void {
    for (let stage = -1; stage < work.stages.length; stage++) this.forget(number, stage);
    this.log.jobEnded(number, nowUs);
  }

  /** Something has changed for one application alone. */
  lookAt(waiting: Waiting, offers: number, nowUs: number): void {
    const { log } = this;
    const { number: job, app, work, hasReported, stageRows } = waiting;
    // Its master, before there are stages; then a new one in its place.
    const { awaitsMaster } = app;
    const isMasterless = awaitsMaster || !hasReported;
    const { masterPriority } = this.scene;
    if (stageRows.every((row) => row === null)) {
      if (awaitsMaster) this.noteAsk(waiting, -1, masterPriority, offers, nowUs);
      else this.note(waiting, -1, MASTER, offers, nowUs);
      return;
    }
    log.ended(job, -1, nowUs);
    const ended = (this.ended[job] ??= []);
    const isAllOver = work.stages.every((stage) => work.isOver(stage));
    for (let stage = 0; stage < work.stages.length; stage++) {
      const state = work.stages[stage];
      if (ended[stage] || state.tasks.length === 0) continue;
      const haveParentsEnded = work.haveParentsEnded(state);
      if (stageRows[stage] === null && !haveParentsEnded) continue;
      const isOver = work.isOver(state);
      if (isOver && !isAllOver) {
        ended[stage] = true;
        this.forget(job, stage);
        log.ended(job, stage, nowUs);
        // The last one stays until the master knows of it: that is when the job ends.
      } else if (isOver) this.note(waiting, stage, REPORT, offers, nowUs);
      else if (!haveParentsEnded) this.note(waiting, stage, PARENTS, offers, nowUs);
      else if (awaitsMaster) this.noteAsk(waiting, stage, masterPriority, offers, nowUs);
      else if (isMasterless) this.note(waiting, stage, MASTER, offers, nowUs);
      else if (state.waiting > 0) this.noteAsk(waiting, stage, state.spec.priority, offers, nowUs);
      else {
        const isRunning = state.containerCount + state.done === state.tasks.length;
        this.note(waiting, stage, isRunning ? RUNNING : REPORT, offers, nowUs);
      }
    }
  }

  private noteAsk(waiting: Waiting, stage: number, priority: number, offers: number, nowUs: number): void {
    const { app, number } = waiting;
    const ask = app.asks.find((candidate) => candidate.priority === priority);
    if (ask === undefined || ask.wanted <= 0) return this.note(waiting, stage, REPORT, offers, nowUs);
    const hold = this.scene.scheduler.whyWaits(app, ask, this.free, nowUs);
    this.note(waiting, stage, hold, offers, nowUs);
    if (hold.reason !== "locality" && hold.reason !== "delay") return;
    this.near.set(keyOf(number, stage), new NearWait(waiting, stage, ask, hold));
  }

  private note(waiting: Waiting, stage: number, hold: Hold, offers: number, nowUs: number): void {
    const { reason } = hold;
    if (reason !== "locality" && reason !== "delay") this.forget(waiting.number, stage);
    const state = TAKEN.has(reason) ? { ...hold, takenBy: this.scene.holder } : hold;
    this.log.is(waiting.number, stage, state, offers, nowUs);
  }

  private forget(job: number, stage: number): void {
    if (this.near.size > 0) this.near.delete(keyOf(job, stage));
  }
}

const keyOf = (job: number, stage: number) => `${job}/${stage}`;

/** Reasons for which other jobs are named. */
const TAKEN: ReadonlySet<Hold["reason"]> = new Set(["busy", "share", "overasked"] as const);

const REPORT: Hold = { reason: "report" };
const MASTER: Hold = { reason: "master" };
const PARENTS: Hold = { reason: "parents" };
const RUNNING: Hold = { reason: "running" };
