import { clusterOf } from "./small-scenarios.mjs";
import { BlockStore, uniformPlacement, buildTopology, type Topology } from "../../dist/core/cluster/index.js";
import { JobTable, NearestMaps, EXACT_JOBS, PendingMaps } from "../../dist/core/platforms/hadoop/index.js";
import { NaivePendingMaps } from "./naive-pending-maps.js";
import { withinTime } from "./time-limit.js";

/** Something that happens to the index. Numbers are reduced to what there is at the time. */
export type PendingMapsStep =
  | { readonly do: "enter"; readonly file: number; readonly firstBlock: number; readonly maps: number }
  | { readonly do: "end"; readonly job: number }
  | { readonly do: "take"; readonly job: number; readonly node: number; readonly allowed: number }
  | { readonly do: "putBack" | "launch"; readonly job: number; readonly task: number }
  | { readonly do: "addReplica" | "removeReplica"; readonly block: number; readonly node: number }
  | { readonly do: "search"; readonly node: number };

export interface PendingMapsHistory {
  readonly racks: readonly number[];
  /** How many rows the racks stand in; 0: there are none. */
  readonly rows: number;
  /** Blocks of each file. */
  readonly files: readonly number[];
  readonly replication: number;
  readonly requeuedIgnoreLocality: boolean;
  readonly rackByRack: boolean;
  readonly steps: readonly PendingMapsStep[];
}

/** Far more than any history takes: a search in an index that has become a ring never ends. */
const LIMIT_MS = 30_000;

/** The shipped index and its naive twin, taken through one history together. */
export class PendingMapsPair {
  private readonly topology: Topology;
  private readonly table = new JobTable();
  private readonly store: BlockStore;
  private readonly index: PendingMaps;
  private readonly nearest: NearestMaps;
  private readonly holders: Set<number>[] = [];
  private readonly naive: NaivePendingMaps;
  private readonly present: number[] = [];
  /** Jobs that launched while many jobs had maps on the nodes: their bits may be set without need. */
  private readonly loose = new Set<number>();
  private entered = 0;

  constructor(private readonly history: PendingMapsHistory) {
    this.topology = buildTopology(
      clusterOf({
        groups: history.racks.map((count) => [{ count, mapSlots: 1, reduceSlots: 1, speed: 1 }]),
        rows: history.rows,
        heartbeatUs: 1_000_000,
      }),
    );
    const { replication, files, requeuedIgnoreLocality, rackByRack } = history;
    this.store = new BlockStore(files, this.topology, uniformPlacement(this.topology, replication, 7), replication);
    this.index = new PendingMaps(this.table, this.store, this.topology, requeuedIgnoreLocality, null, rackByRack);
    this.nearest = new NearestMaps(this.index, this.topology);
    const blocks = files.reduce((sum, size) => sum + size, 0);
    for (let block = 0; block < blocks; block++) this.holders.push(this.placed(block));
    const { rackOf, rowOfRack } = this.topology;
    this.naive = new NaivePendingMaps(
      this.holders,
      (node) => rackOf[node],
      requeuedIgnoreLocality,
      history.rows === 0 ? null : (node) => rowOfRack[rackOf[node]],
      rackByRack,
    );
  }

  /** The first disagreement in the whole history, or null. */
  firstProblem(): string | null {
    return withinTime(LIMIT_MS, () => this.problemAlongTheWay());
  }

  private problemAlongTheWay(): string | null {
    for (const [i, step] of this.history.steps.entries()) {
      const problem = this.apply(step) ?? this.wrongBit();
      if (problem !== null) return `step ${i} (${JSON.stringify(step)}): ${problem}`;
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
        return this.take(step.job, step.node % this.topology.nodes, step.allowed);
      case "launch":
        return this.launch(step.job, step.task);
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
    const rest = { pool: 0, user: 0, priority: 2, startUs: 0, reduces: 0, slowStartMaps: 0 };
    const job = this.table.enter({ id, maps, firstBlock, ...rest });
    this.present.push(job);
    this.loose.delete(job);
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

  private take(which: number, node: number, allowed: number): string | null {
    if (this.present.length === 0) return null;
    const job = this.present[which % this.present.length];
    const problem = this.picked(job, node, allowed);
    const task = this.naive.pick(job, node, allowed)?.task ?? -1;
    if (problem !== null || task < 0) return problem;
    this.launched(job, task);
    return null;
  }

  /** A map that nobody looked for is launched. */
  private launch(which: number, task: number): null {
    if (this.present.length === 0) return null;
    const job = this.present[which % this.present.length];
    const maps = this.table.total[0][job];
    if (maps > 0 && this.naive.isPending(job, task % maps)) this.launched(job, task % maps);
    return null;
  }

  private launched(job: number, task: number): void {
    if (this.index.bits.size > EXACT_JOBS * this.topology.nodes) this.loose.add(job);
    this.index.take(job, task);
    this.naive.take(job, task);
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
    return done === changes ? null : `the store said ${done}, expected ${changes}`;
  }

  /**
   * The bits say which jobs have a pending map on which nodes, and the summary which nodes have a bit. Where requeued
   * maps ignore locality, such a map on the node is not told of, or is told of without need.
   */
  private wrongBit(): string | null {
    const { bits } = this.index;
    for (let node = 0; node < this.topology.nodes; node++) {
      let some = false;
      for (const job of this.present) {
        const has = bits.has(node, job);
        const where = `of node ${node} and job ${job}`;
        if (has && !this.loose.has(job) && this.naive.onNode(job, node) < 0)
          return `the bit ${where} is set, without a map`;
        if (!has && this.naive.hasToldOf(job, node)) return `the bit ${where} is clear, in spite of a map`;
        some ||= has;
      }
      if (bits.hasAny(node) !== some) return `the summary of node ${node} is ${!some}`;
    }
    return null;
  }

  /** What a heartbeat of the node would look up, for every job; the hint must be right where the answer is yes. */
  private search(node: number): string | null {
    for (const job of this.present) {
      const local = this.naive.pick(job, node, 0);
      if (local !== null && !this.nearest.mayHaveLocal(node)) return `the summary denies map ${local.task}`;
      if (local !== null && !this.nearest.mayHaveLocalOf(job, node)) return `the bits deny map ${local.task}`;
      const problem =
        this.foundNear(job, node) ??
        [0, 1, 4, 2].map((allowed) => this.picked(job, node, allowed)).find((found) => found !== null) ??
        this.tasksOf(job, node);
      if (problem !== null) return problem;
    }
    return null;
  }

  /** The map to launch on the node within a level. */
  private picked(job: number, node: number, allowed: number): string | null {
    const right = this.naive.pick(job, node, allowed);
    const found = this.nearest.pick(job, node, allowed);
    const what = `map of job ${job} within ${allowed} of node ${node}`;
    if (found !== (right?.task ?? -1)) return `${what}: expected ${String(right?.task)}, found ${found}`;
    if (right === null || this.nearest.level === right.level) return null;
    return `${what}: level ${right.level}, found ${this.nearest.level}`;
  }

  /** What the index itself finds; a job whose requeued maps go first is never asked for others. */
  private foundNear(job: number, node: number): string | null {
    if (this.naive.hasFailedMaps(job)) return this.index.hasFailedMaps ? null : "the index forgot a failed map";
    const rack = this.topology.rackOf[node];
    const [right, found] = [this.naive, this.index].map((index) =>
      [index.onNode(job, node), index.inRack(job, rack), index.anywhere(job)].map(String).join(" "),
    );
    if (this.index.bits.has(node, job) !== this.naive.onNode(job, node) >= 0)
      return "a search left a bit that is wrong";
    return right === found ? null : `job ${job} on node, in rack, anywhere: expected ${right}, found ${found}`;
  }

  private tasksOf(job: number, node: number): string | null {
    for (let task = 0; task < this.table.total[0][job]; task++) {
      const { naive, index } = this;
      const right = [naive.levelOn(job, task, node), naive.isPending(job, task), naive.timesOf(job, task)];
      const found = [index.levelOn(job, task, node), index.isPending(job, task), index.requeued.timesOf(job, task)];
      if (right.join() === found.join()) continue;
      return `map ${task} of job ${job}: level, pending, returns ${right.join()}, found ${found.join()}`;
    }
    return null;
  }

  private placed(block: number): Set<number> {
    return new Set(this.store.nodesOf(block));
  }
}
