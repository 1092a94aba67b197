import {
  DetailedRack,
  AT_GATE,
  bytesThere,
  type CommandSink,
  HAS_COPIED,
  HAS_FAILED,
  HAS_MOVED,
  HAS_NOT_COPIED,
  HAS_PROGRESSED,
  HAS_RETURNED,
  IS_LOADED,
  isLetter,
  type MapDetail,
  PROPOSES_RATE,
  type ReduceDetail,
  type ReportSink,
  SOURCE_LOST,
  SUCCEEDED,
  WANTS_COMMIT,
  WAS_KILLED,
  lookaheadUs,
  nominalNode,
  type Rack,
} from "../../dist/core/platforms/hadoop/index.js";
import { ReadEnds, buildTopology, type Topology } from "../../dist/core/cluster/index.js";
import type { FaultsSpec, RuntimeSpec, NodeGroupSpec } from "../../dist/core/scenario/index.js";
import { DEFAULT_CLUSTER, DEFAULT_NODE, DEFAULT_RUNTIME, NO_FAULTS } from "../../dist/io/index.js";

export const SECOND = 1_000_000;
export const MIB = 2 ** 20;
const AS_USUAL = { commits: false, failsAt: -1, slowdown: 1000, prepareUs: 0 };

/** `asks`: for leave to commit. `dies`: it has been told to. */
export type PlaceState = "free" | "runs" | "waits" | "asks" | "commits" | "dies";

const ALL = 1_000_000;

/** Kind, node, time, place and value. */
type Letter = [number, number, number, number, number];

export interface RacksOf {
  readonly racks?: number;
  readonly nodesPerRack?: number;
  readonly node?: Partial<NodeGroupSpec>;
  readonly uplinkMiB?: number;
  /** Row of each rack; left out: there are no rows. */
  readonly rows?: readonly string[];
  readonly rowUplinkMiB?: number;
  readonly heartbeatUs?: number;
  readonly heartbeatJitter?: number;
  readonly outOfBandDelayUs?: number;
  readonly settleUs?: number;
  readonly runtime?: Partial<RuntimeSpec>;
  readonly faults?: Partial<FaultsSpec>;
  /**
   * The nodes on which the map output lies that a reduce on a node fetches, in equal parts; all others of its rack
   * unless said.
   */
  readonly sourcesOf?: (node: number, racks: DetailedRacks) => readonly number[];
}

/**
 * Detailed racks without a master: commands are given by hand, letters go back and forth as a master would pass them
 * on, map output is sent as it would order, and everything that is reported is kept. Disks of 100 MiB/s, links of 50,
 * two map slots and one reduce slot unless said otherwise.
 */
export class DetailedRacks {
  readonly topology: Topology;
  readonly lookaheadUs: number;
  /** `finished <node> <heartbeat> <place> <end>` and so on, times in seconds. */
  readonly log: string[] = [];
  private readonly ends: ReadEnds;
  private readonly racks: Rack[];
  private readonly sinks: CommandSink[];
  private readonly fetches = new Map<number, { bytes: number; sentBytes: number; fromUs: number }>();
  private readonly states = new Map<number, PlaceState>();
  private readonly unheard: { atUs: number; node: number; hear: () => void }[] = [];
  private doneUs = 0;
  private readonly sourcesOf: (node: number) => readonly number[];

  constructor(of: RacksOf = {}) {
    const node: NodeGroupSpec = {
      ...DEFAULT_NODE,
      count: of.nodesPerRack ?? 2,
      mapSlots: 2,
      reduceSlots: 1,
      speed: 1,
      diskBytesPerSecond: 100 * MIB,
      linkBytesPerSecond: 50 * MIB,
      ...of.node,
    };
    const cluster = {
      racks: Array.from({ length: of.racks ?? 1 }, (_, rack) => ({
        name: `r${String(rack)}`,
        row: of.rows?.[rack] ?? "",
        nodes: [node],
        uplinkBytesPerSecond: (of.uplinkMiB ?? Infinity) * MIB,
      })),
      heartbeat: { rule: "fixed" as const, intervalUs: of.heartbeatUs ?? 4 * SECOND },
      ...DEFAULT_CLUSTER,
      heartbeatJitter: of.heartbeatJitter ?? 0,
      outOfBandDelayUs: of.outOfBandDelayUs ?? 0,
      network: { rowUplinkBytesPerSecond: (of.rowUplinkMiB ?? Infinity) * MIB, settleUs: of.settleUs ?? SECOND / 4 },
    };
    const runtime: RuntimeSpec = {
      ...DEFAULT_RUNTIME,
      model: "detailed",
      jobSetupUs: 0,
      jobCleanupUs: 0,
      slowStart: 0,
      localityFactor: { node: 1, rack: 1, row: 1, any: 1 },
      ...of.runtime,
      io: { ...DEFAULT_RUNTIME.io, taskStartUs: 2 * SECOND, outputReplication: 1, ...of.runtime?.io },
    };
    const faults = { ...NO_FAULTS, ...of.faults };
    this.topology = buildTopology(cluster);
    this.lookaheadUs = lookaheadUs(cluster, runtime, this.topology);
    const { topology } = this;
    this.ends = new ReadEnds(topology, cluster.network);
    const model = {
      cluster,
      nominal: nominalNode(cluster),
      runtime,
      faults,
      seed: "1",
      makesReplicas: false,
      fetchesFiles: false,
    };
    this.racks = cluster.racks.map((_, rack) => new DetailedRack({ ...model, topology, rack }));
    this.sinks = this.racks.map(({ commands }) => this.withSources(commands, runtime));
    this.sourcesOf = (node) => of.sourcesOf?.(node, this) ?? this.matesOf(node);
  }

  /** Node `index` of a rack. */
  node(rack: number, index: number): number {
    return this.topology.rackNodes[this.topology.rackStart[rack]! + index]!;
  }

  slot(node: number, index: number): number {
    return this.topology.slotStart[node]! + index;
  }

  /** A map of `computeUs` beside start-up and transfers at nominal speed, that reads `inputMiB` from `source`. */
  map(
    atUs: number,
    node: number,
    index: number,
    source: number,
    inputMiB: number,
    detail: Partial<MapDetail> & { lengthUs?: number } = {},
  ): void {
    const { lengthUs = 0, ...rest } = detail;
    const inputBytes = inputMiB * MIB;
    const slot = this.slot(node, index);
    const whole = { ...AS_USUAL, sourceNode: source, inputBytes, outputBytes: 0, ...rest };
    this.rackOf(node).launchMap(node, atUs, slot, 0, lengthUs, whole);
    if (source < 0 || this.rackOf(source) === this.rackOf(node)) return;
    for (const end of this.ends.nodesOf(node, source).slice(1)) {
      if (end >= 0) this.rackOf(end).openRead(end, atUs, slot, node, source, inputBytes);
    }
  }

  reduce(
    atUs: number,
    node: number,
    detail: Partial<ReduceDetail> & { index?: number; copyUs?: number; reduceUs?: number; mapsDone?: boolean } = {},
  ): void {
    const { index = 2, copyUs = 0, reduceUs = 0, mapsDone = false, ...rest } = detail;
    const whole = { ...AS_USUAL, fetchBytes: 0, outputBytes: 0, available: 0, rank: 0, ...rest };
    this.rackOf(node).launchReduce(node, atUs, this.slot(node, index), copyUs, reduceUs, 0, mapsDone, whole);
  }

  /** The slots of a node by their numbers on it. */
  slotsOf(node: number): number[] {
    return [...Array(this.topology.mapSlots[node]! + this.topology.reduceSlots[node]!).keys()];
  }

  rackOf(node: number): CommandSink {
    return this.sinks[this.topology.rackOf[node]!]!;
  }

  /** Slots of all racks. */
  get slots(): number {
    return this.topology.rackSlotStart[this.topology.racks]!;
  }

  /** What a slot, or its place aside, is known to do, by the commands given through `tell` and the reports. */
  stateOf(slot: number, aside: boolean): PlaceState {
    return this.states.get(aside ? slot + this.slots : slot) ?? "free";
  }

  /** Heartbeats with news that nobody has listened to, in order of time. */
  beatsWithNews(): { atUs: number; node: number }[] {
    return this.unheard.toSorted((a, b) => a.atUs - b.atUs);
  }

  /** Listens to what nodes have told by then: only now it counts for `stateOf`. */
  hearUntil(atUs: number): void {
    const later = this.unheard.filter((heartbeat) => heartbeat.atUs > atUs);
    for (const { hear } of this.unheard.filter((heartbeat) => heartbeat.atUs <= atUs)) hear();
    this.unheard.splice(0, this.unheard.length, ...later);
  }

  /** Gives a command to the rack of a place, which is in another state from now on. */
  tell(place: number, state: PlaceState, give: (rack: CommandSink) => void): void {
    this.states.set(place, state);
    const slot = place % this.slots;
    const rack = this.topology.rackSlotStart.findLastIndex((start) => start <= slot);
    give(this.sinks[Math.min(rack, this.racks.length - 1)]!);
  }

  /** The earliest that any of the racks may report. */
  nextReportUs(): number {
    return Math.min(...this.racks.map((rack) => rack.nextReportUs()));
  }

  /** Lets everything happen before `untilUs`, slice by slice of a lookahead. */
  run(untilUs: number, sliceUs = this.lookaheadUs): string[] {
    const letters: Letter[] = [];
    while (this.doneUs < untilUs) {
      this.doneUs = Math.min(untilUs, this.doneUs + sliceUs);
      for (const rack of this.racks) rack.reportUntil(this.doneUs, this.sink(letters));
      for (const [kind, ...letter] of letters.splice(0).sort((a, b) => a[2] - b[2] || a[1] - b[1] || a[3] - b[3])) {
        const rack = this.rackOf(letter[0]);
        if (kind === PROPOSES_RATE) rack.rateProposed(...letter);
        else if (kind === HAS_MOVED) rack.bytesMoved(...letter);
        else rack.replicaSent(...letter);
      }
    }
    return this.log;
  }

  private matesOf(node: number): number[] {
    const { rackOf, nodes } = this.topology;
    return [...Array(nodes).keys()].filter((mate) => mate !== node && rackOf[mate] === rackOf[node]);
  }

  /** Commands to a rack, with those to the nodes that send map output. */
  private withSources(rack: CommandSink, { model, io }: RuntimeSpec): CommandSink {
    if (model === "light") return rack;
    const launchReduce: CommandSink["launchReduce"] = (
      node,
      atUs,
      slot,
      copyUs,
      reduceUs,
      tailUs,
      mapsDone,
      detail,
    ) => {
      rack.launchReduce(node, atUs, slot, copyUs, reduceUs, tailUs, mapsDone, detail);
      const fromUs = atUs + detail!.prepareUs + io.taskStartUs;
      this.fetches.set(slot, { bytes: detail!.fetchBytes, sentBytes: 0, fromUs });
      this.send(node, atUs, slot, mapsDone ? ALL : detail!.available);
    };
    const mapsAdvanced: CommandSink["mapsAdvanced"] = (node, atUs, slot, available) => {
      this.send(node, atUs, slot, available);
      rack.mapsAdvanced(node, atUs, slot, available);
    };
    const mapsFinished: CommandSink["mapsFinished"] = (node, atUs, slot) => {
      this.send(node, atUs, slot, ALL);
      rack.mapsFinished(node, atUs, slot);
    };
    const kill: CommandSink["kill"] = (node, atUs, place) => {
      rack.kill(node, atUs, place);
      if (!this.fetches.delete(place)) return;
      for (const source of this.sourcesOf(node)) this.rackOf(source).closeRead(source, atUs, place);
    };
    const own: Partial<CommandSink> = { launchReduce, mapsAdvanced, mapsFinished, kill };
    return new Proxy(rack, {
      get: (to, name: keyof CommandSink) => own[name] ?? (to[name] as (...of: never[]) => void).bind(to),
    });
  }

  private send(node: number, atUs: number, slot: number, available: number): void {
    const fetch = this.fetches.get(slot);
    if (fetch === undefined) return;
    const sources = this.sourcesOf(node);
    const bytes = bytesThere(fetch.bytes, available) - fetch.sentBytes;
    fetch.sentBytes += bytes;
    sources.forEach((source, i) => {
      const upTo = (part: number): number => Math.floor((bytes * part) / sources.length);
      const part = upTo(i + 1) - upTo(i);
      if (part > 0) this.rackOf(source).serveOutput(source, atUs, slot, node, fetch.fromUs, part);
    });
  }

  private sink(letters: Letter[]): ReportSink {
    return {
      report: (kind, node, atUs, place, value) => {
        if (isLetter(kind)) {
          letters.push([kind, node, atUs, place, value]);
          return;
        }
        this.log.push(`${told(kind, value)} ${String(node)} ${inSeconds(atUs)}${operands(kind, atUs, place, value)}`);
        const free = this.freedBy(kind, node, place);
        if (free.length === 0) return;
        const hear = (): void => {
          for (const each of free) this.states.set(each, "free");
          if (kind === WANTS_COMMIT) this.states.set(place + this.slots, "asks");
        };
        this.unheard.push({ atUs, node, hear });
      },
    };
  }

  /** The places that the report says are free. */
  private freedBy(kind: number, node: number, place: number): number[] {
    if (kind !== HAS_RETURNED) return SAYS_AN_END.has(kind) ? [place] : [];
    return this.slotsOf(node).flatMap((index) => [this.slot(node, index), this.slot(node, index) + this.slots]);
  }
}

const NAMES = [
  ...["finished", "killed", "failed", "sourceLost", "commitPending", "progressed"],
  ...["returned", "loaded", "copied", "notCopied"],
];
const SAYS_AN_END = new Set([SUCCEEDED, WAS_KILLED, HAS_FAILED, SOURCE_LOST, WANTS_COMMIT, HAS_COPIED, HAS_NOT_COPIED]);

function told(kind: number, value: number): string {
  if (kind === AT_GATE) return value === 1 ? "passed" : "parked";
  return NAMES[kind]!;
}

function operands(kind: number, atUs: number, place: number, value: number): string {
  if (kind === HAS_RETURNED) return "";
  if (kind === IS_LOADED) return ` ${String(value)}`;
  if (kind === AT_GATE) return ` ${String(place)}`;
  return ` ${String(place)} ${kind === HAS_PROGRESSED ? String(value) : inSeconds(atUs - value)}`;
}

function inSeconds(us: number): string {
  return String(us / SECOND);
}
