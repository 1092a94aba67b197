import { type CommandSink, Master } from "../../dist/core/platforms/hadoop/index.js";
import { buildTopology, type Topology } from "../../dist/core/cluster/index.js";
import { smallRun } from "./small-scenarios.mjs";

const SECOND = 1_000_000;
const NAMES = ["launchMap", "launchReduce", "kill", "mapsFinished", "mapsAdvanced", "openRead", "closeRead", "commit"];
/** Kept apart: who sends map output to reduces. */
const SERVES = "serveOutput";

/** A master whose heartbeats, and what they report, are made by hand. Times in seconds. */
export class DrivenMaster {
  readonly master: Master;
  readonly topology: Topology;
  /** The orders to send map output. */
  readonly serves: unknown[][] = [];
  private readonly told: unknown[][] = [];

  constructor(run: Parameters<typeof smallRun>[0]) {
    const { scenario, workload } = smallRun(run);
    this.topology = buildTopology(scenario.cluster);
    const keep = (name: string) => {
      // Details are filled anew for every launch.
      const copy = (word: unknown): unknown => (typeof word === "object" && word !== null ? { ...word } : word);
      return (...words: unknown[]): void => void this.told.push([name, ...words.map(copy)]);
    };
    const sink = Object.fromEntries(NAMES.map((name) => [name, keep(name)])) as unknown as CommandSink;
    sink[SERVES] = (...words): void => void this.serves.push(words);
    this.master = new Master(scenario, workload, this.topology, () => sink, true);
  }

  /** One heartbeat, with what `reports` tells of it; what nodes are told in the reply. */
  beat(node: number, atS: number, reports: () => void = () => {}): unknown[][] {
    const { master, told } = this;
    this.runUntil(atS);
    told.length = 0;
    master.beginHeartbeat(Math.round(atS * SECOND));
    reports();
    master.endHeartbeat(node);
    return [...told];
  }

  /** The master's own events up to then. */
  runUntil(atS: number): void {
    while (this.master.nextEventUs() <= atS * SECOND) this.master.runEvent();
  }

  slot(node: number, index = 0): number {
    return this.topology.slotStart[node] + index;
  }

  /** Type, index, attempt, node and outcome of the attempts that have ended. */
  rows(): number[][] {
    const { tasks } = this.master.recorder;
    const columns = ["type", "index", "attempt", "node", "outcome"] as const;
    return Array.from({ length: tasks?.rows ?? 0 }, (_, row) => columns.map((name) => tasks?.column(name)[row] ?? -1));
  }
}
