import { rowOfNodes } from "../../../cluster/index.js";
import { MAP, REDUCE, RUNNING, type SlotType } from "../jobs/job-table.js";
import { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "../jobs/nearness.js";
import { wrapped, mismatch } from "../../../kernel/index.js";
import type { Launcher, Scheduler, SchedulerContext } from "./scheduler.js";

/** A scheduler did what no scheduler may. */
export class ContractBreach extends Error {
  override readonly name = "ContractBreach";
}

/** The watch over one run of a scheduler, with the rules that it must keep to. */
export class ContractWatch {
  /** By slot type: tasks launched, and slots left free while a task waited that the node would have taken. */
  readonly launches = [0, 0];
  readonly leftFree = [0, 0];
  private hook = "";
  private node = -1;
  private readonly free = [0, 0];
  private readonly rowOf: Int32Array | null;

  constructor(private readonly around: SchedulerContext) {
    this.rowOf = rowOfNodes(around.topology);
  }

  /** The master calls the scheduler. */
  during<T>(hook: string, call: () => T): T {
    const outer = this.hook;
    this.hook = hook;
    const result = call();
    this.hook = outer;
    return result;
  }

  heartbeat(node: number, maps: number, reduces: number, call: () => void): void {
    this.node = node;
    this.free[MAP] = maps;
    this.free[REDUCE] = reduces;
    this.during("heartbeat", call);
    for (const type of [MAP, REDUCE] as const) {
      if (this.free[type] > 0 && this.someoneWaits(type, node)) this.leftFree[type] += this.free[type];
    }
    this.node = -1;
  }

  /** Throws unless the launch is one that the master may carry out. */
  checkLaunch(job: number, type: SlotType, node: number): void {
    const { jobs, launcher } = this.around;
    const kind = type === MAP ? "map" : "reduce";
    if (this.hook !== "heartbeat")
      throw this.breach(`launched a ${kind} in ${this.hook}`, "launches in heartbeat only");
    if (node !== this.node) throw this.breach(`launched a ${kind} on node ${node}`, `node ${this.node}, which beats`);
    if (this.free[type] <= 0) throw this.breach(`launched a ${kind} without a free slot`, "as many as were offered");
    if (jobs.state[job] !== RUNNING) throw this.breach(`launched a ${kind} of a job that is not ready`, "ready jobs");
    if (jobs.pending[type][job] <= 0)
      throw this.breach(`launched a ${kind} of a job with none pending`, "pending tasks");
    if (type === REDUCE && !jobs.reducesMayStart(job))
      throw this.breach("launched a reduce too early", "after slow start");
    if (!launcher.accepts(job, type, node))
      throw this.breach(`launched a ${kind} that the node refuses`, "what it accepts");
    this.free[type]--;
    this.launches[type]++;
  }

  checkLevel(job: number, task: number, node: number, level: number): void {
    const total = this.around.jobs.total[MAP][job];
    if (!(task >= 0 && task < total)) throw this.breach(`launched map ${task}`, `maps 0 to ${total - 1} of the job`);
    const actual = this.levelOf(job, task, node);
    if (level !== actual)
      throw this.breach(`launched a map as of level ${level}`, `level ${actual}, where its block is`);
  }

  checkKill(attempt: number): void {
    const { jobs, launcher } = this.around;
    if (this.hook === "") throw this.breach("a kill while nobody asked", "kills inside a call of the master's");
    let isRunning = false;
    for (const type of [MAP, REDUCE] as const) {
      launcher.forEachReported(type, (known) => {
        if (known === attempt) isRunning = true;
      });
    }
    if (!isRunning) throw this.breach("a kill of what does not run", "attempts that forEachReported names");
    for (let job = 0; job < jobs.handles; job++) {
      if (jobs.state[job] === RUNNING && jobs.pending[MAP][job] + jobs.pending[REDUCE][job] > 0) return;
    }
    throw this.breach("a kill while no task waits", "kills that make room for somebody");
  }

  private someoneWaits(type: SlotType, node: number): boolean {
    const { jobs, launcher } = this.around;
    for (let job = 0; job < jobs.handles; job++) {
      if (jobs.state[job] !== RUNNING || jobs.pending[type][job] <= 0) continue;
      if ((type === MAP || jobs.reducesMayStart(job)) && launcher.accepts(job, type, node)) return true;
    }
    return false;
  }

  private levelOf(job: number, task: number, node: number): number {
    const { store, topology, jobs } = this.around;
    if (jobs.firstBlock[job] < 0) return NO_INPUT;
    const block = jobs.firstBlock[job] + task;
    if (store.holdsOn(block, node)) return NODE_LOCAL;
    if (store.holdsInRack(block, topology.rackOf[node])) return RACK_LOCAL;
    return this.rowOf !== null && store.holdsIn(block, this.rowOf, this.rowOf[node]) ? ROW_LOCAL : OFF_RACK;
  }

  private breach(actual: string, allowed: string): ContractBreach {
    return new ContractBreach(mismatch(actual, allowed));
  }
}

/** The master's hands, watched: nothing is carried out that breaks the contract. */
export function watchedLauncher(launcher: Launcher, watch: ContractWatch): Launcher {
  return wrapped(launcher, {
    launchMap: (job, task, node, level) => {
      watch.checkLaunch(job, MAP, node);
      watch.checkLevel(job, task, node, level);
      launcher.launchMap(job, task, node, level);
    },
    launchReduce: (job, node) => {
      watch.checkLaunch(job, REDUCE, node);
      launcher.launchReduce(job, node);
    },
    kill: (attempt, forPool) => {
      watch.checkKill(attempt);
      launcher.kill(attempt, forPool);
    },
  });
}

/**
 * A scheduler, watched: every call of the master's passes through.
 * @param seesAll it is shown every heartbeat with a free slot, whatever it says that it wants.
 */
export function watchedScheduler(inner: Scheduler, watch: ContractWatch, seesAll: boolean): Scheduler {
  return wrapped<Scheduler>(
    inner,
    {
      wantsMapSlots: () => seesAll || inner.wantsMapSlots(),
      wantsReduceSlots: () => seesAll || inner.wantsReduceSlots(),
      skipHeartbeats: (heartbeats, firstUs, lastUs) => !seesAll && inner.skipHeartbeats(heartbeats, firstUs, lastUs),
      heartbeat: (node, nowUs, freeMaps, freeReduces) => {
        watch.heartbeat(node, freeMaps, freeReduces, () => inner.heartbeat(node, nowUs, freeMaps, freeReduces));
      },
    },
    (hook, call, values) => watch.during(hook, () => call(...values)),
  );
}
