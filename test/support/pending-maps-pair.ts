import { BlockStore } from "../../dist/core/cluster/block-store.js";
import { uniformPlacement } from "../../dist/core/cluster/placement.js";
import { buildTopology, type Topology } from "../../dist/core/cluster/topology.js";
import { JobTable } from "../../dist/core/jobs/job-table.js";
import { PendingMaps } from "../../dist/core/jobs/pending-maps.js";
import { NaivePendingMaps } from "./naive-pending-maps.js";
import { withinTime } from "./time-limit.js";

/** Something that happens to the index. Numbers are reduced to what there is at the time. */
export type PendingMapsStep =
  | { readonly do: "enter"; readonly file: number; readonly firstBlock: number; readonly maps: number }
  | { readonly do: "end"; readonly job: number }
  | { readonly do: "take"; readonly job: number; readonly node: number; readonly how: "node" | "rack" | "any" }
  | { readonly do: "putBack"; readonly job: number; readonly task: number }
  | { readonly do: "addReplica" | "removeReplica"; readonly block: number; readonly node: number }
  | { readonly do: "search"; readonly node: number };

export interface PendingMapsHistory {
  readonly racks: readonly number[];
  /** Blocks of each file. */
  readonly files: readonly number[];
  readonly replication: number;
  readonly steps: readonly PendingMapsStep[];
}

/** Far more than any history takes: a search in an index that has become a ring never ends. */
const LIMIT_MS = 3_000;

/** The shipped index and its naive twin, taken through one history together. */
export class PendingMapsPair {
  private readonly topology: Topology;
  private readonly table = new JobTable();
  private readonly store: BlockStore;
  private readonly index: PendingMaps;
  private readonly holders: Set<number>[] = [];
  private readonly naive: NaivePendingMaps;
  private readonly present: number[] = [];
  private entered = 0;

  constructor(private readonly history: PendingMapsHistory) {
    this.topology = buildTopology({
      racks: history.racks.map((count, r) => ({
        name: `rack${String(r)}`,
        nodes: [{ count, mapSlots: 1, reduceSlots: 1, speed: 1 }],
      })),
      heartbeat: { rule: "fixed", intervalUs: 1_000_000 },
    });
    const { replication, files } = history;
    this.store = new BlockStore(files, this.topology, uniformPlacement(this.topology, replication, 7), replication);
    this.index = new PendingMaps(this.table, this.store, this.topology);
    const blocks = files.reduce((sum, size) => sum + size, 0);
    for (let block = 0; block < blocks; block++) this.holders.push(this.placed(block));
    this.naive = new NaivePendingMaps(this.holders, (node) => this.topology.rackOf[node]);
  }

  /** The first disagreement in the whole history, or null. */
  firstProblem(): string | null {
    return withinTime(LIMIT_MS, () => this.problemAlongTheWay());
  }

  private problemAlongTheWay(): string | null {
    for (const [i, step] of this.history.steps.entries()) {
      const problem = this.apply(step);
      if (problem !== null) return `step ${String(i)} (${JSON.stringify(step)}): ${problem}`;
    }
    for (let node = 0; node < this.topology.nodes; node++) {
      const problem = this.search(node);
      if (problem !== null) return `after all steps: ${problem}`;
    }
    return null;
  }

  private apply(step: PendingMapsStep): string | null {
    switch (step.do) {
      case "enter":
        return this.enter(step.file, step.firstBlock, step.maps);
      case "end":
        return this.end(step.job);
      case "take":
        return this.take(step.job, step.node % this.topology.nodes, step.how);
      case "putBack":
        return this.putBack(step.job, step.task);
      case "addReplica":
      case "removeReplica":
        return this.changeReplica(step.do === "addReplica", step.block, step.node % this.topology.nodes);
      case "search":
        return this.search(step.node % this.topology.nodes);
    }
  }

  private enter(file: number, offset: number, wanted: number): null {
    const { files } = this.history;
    const hasInput = file >= 0 && files.length > 0;
    const blocks = hasInput ? files[file % files.length] : Infinity;
    const skip = hasInput ? offset % blocks : 0;
    const maps = Math.min(wanted, blocks - skip);
    const firstBlock = hasInput ? this.store.fileStart[file % files.length] + skip : -1;
    const id = this.entered++;
    const rest = { pool: 0, priority: 2, startUs: 0, reduces: 0, slowStartMaps: 0 };
    const job = this.table.enter({ id, maps, firstBlock, ...rest });
    this.present.push(job);
    this.index.add(job);
    this.naive.add(job, firstBlock, maps);
    return null;
  }

  private end(which: number): null {
    if (this.present.length === 0) return null;
    const [job] = this.present.splice(which % this.present.length, 1);
    this.index.remove(job);
    this.table.leave(job);
    this.naive.remove(job);
    return null;
  }

  private take(which: number, node: number, how: "node" | "rack" | "any"): string | null {
    if (this.present.length === 0) return null;
    const job = this.present[which % this.present.length];
    const task = this.ask(this.naive, job, node, how);
    const found = this.ask(this.index, job, node, how);
    if (found !== task) return `nearest map of job ${String(job)} by ${how} is ${String(task)}, found ${String(found)}`;
    if (task < 0) return null;
    this.index.take(job, task);
    this.naive.take(job, task);
    return null;
  }

  private putBack(which: number, task: number): null {
    if (this.present.length === 0) return null;
    const job = this.present[which % this.present.length];
    const maps = this.table.total[0][job];
    if (maps === 0 || this.naive.isPending(job, task % maps)) return null;
    this.index.putBack(job, task % maps);
    this.naive.putBack(job, task % maps);
    return null;
  }

  private changeReplica(adds: boolean, which: number, node: number): string | null {
    if (this.holders.length === 0) return null;
    const block = which % this.holders.length;
    const changes = this.holders[block].has(node) !== adds;
    const done = adds ? this.store.add(block, node) : this.store.remove(block, node);
    if (adds) this.holders[block].add(node);
    else this.holders[block].delete(node);
    return done === changes ? null : `the store said ${String(done)}, expected ${String(changes)}`;
  }

  /** What a heartbeat of the node would look up, for every job; the hint must be right where the answer is yes. */
  private search(node: number): string | null {
    let nothingLocal = true;
    for (const job of this.present) {
      const expected = this.ask(this.naive, job, node, "node");
      if (expected >= 0 && !this.index.bits.hasAny(node)) return `the summary denies map ${String(expected)}`;
      if (expected >= 0) nothingLocal = false;
      for (const how of ["node", "rack", "any"] as const) {
        const [right, found] = [this.naive, this.index].map((index) => this.ask(index, job, node, how));
        if (right !== found) return `job ${String(job)} by ${how}: expected ${String(right)}, found ${String(found)}`;
      }
      for (let task = 0; task < this.table.total[0][job]; task++) {
        const [right, found] = [this.naive, this.index].map((index) => index.levelOn(job, task, node));
        if (right !== found)
          return `level of map ${String(task)} of job ${String(job)}: ${String(right)}, ${String(found)}`;
        if (this.naive.isPending(job, task) !== this.index.isPending(job, task))
          return `map ${String(task)} is pending?`;
      }
    }
    if (nothingLocal) this.index.bits.summarise(node);
    return nothingLocal && this.index.bits.hasAny(node) ? "the summary is set although nothing is local" : null;
  }

  private ask(index: PendingMaps | NaivePendingMaps, job: number, node: number, how: "node" | "rack" | "any"): number {
    const task = how === "node" ? index.onNode(job, node) : how === "any" ? index.anywhere(job) : null;
    const answer = task ?? index.inRack(job, this.topology.rackOf[node]);
    return answer === Infinity ? -1 : answer;
  }

  private placed(block: number): Set<number> {
    const nodes = new Set<number>();
    for (let c = this.store.first(block); c >= 0; c = this.store.next(c)) nodes.add(this.store.node(c));
    return nodes;
  }
}
