import { Buffer } from "node:buffer";
import type { Rack, RackModel } from "../core/platforms/hadoop/index.js";
import type { Topology } from "../core/cluster/index.js";
import { SliceGrid } from "../core/kernel/index.js";
import { buildRacks, RackFailure, RackHost } from "./rack-host.js";
import { replay, type Replay } from "./recovery.js";
import { ControlWords, Ring } from "./thread-link.js";

/** The parameters with which a rack thread is started. */
export interface RackThreadTask {
  readonly host: number;
  readonly racks: readonly number[];
  readonly model: RackModel;
  /** In memory that all threads of the run share: none builds one of its own. */
  readonly topology: Topology;
  /** The model needs racks that simulate attempts in stages. */
  readonly isStaged: boolean;
  readonly lookaheadUs: number;
  readonly slicesPerLookahead: number;
  readonly control: SharedArrayBuffer;
  /** Waits for frames in a loop; only where each thread of the run has a core. */
  readonly spins: boolean;
  readonly reports: SharedArrayBuffer;
  readonly commands: SharedArrayBuffer;
  /** The thread takes the place of one that died; null: it is the first. */
  readonly replay: Replay | null;
  readonly injectedFault: InjectedFault | null;
}

/** A rack actor that failed, in a form that survives the way to the other thread. */
export interface RackDeath {
  readonly rack: string;
  readonly virtualUs: number;
  readonly cause: unknown;
  /** Another thread would do no better. */
  readonly isFinal: boolean;
}

const SLEEP_LIMIT_MS = 1000;
const OTHERWISE = "its replay reported otherwise than the thread that died, which is a fault of Bide's";

/**
 * The loop of one rack thread, a piscina task that lasts as long as the run. It computes every slice that rule R
 * allows, publishes what it has and what it promises, and sleeps until either is not enough.
 */
export default async function runRackThread(task: RackThreadTask): Promise<RackDeath | null> {
  try {
    const { model, topology } = task;
    return serveRacks(task, await buildRacks(task.isStaged, { ...model, topology }, task.racks));
  } catch (cause) {
    if (cause instanceof RackFailure) {
      return { rack: cause.rack, virtualUs: cause.virtualUs, cause: cause.cause, isFinal: false };
    }
    throw cause;
  }
}

function serveRacks(task: RackThreadTask, racks: readonly Rack[]): RackDeath | null {
  const { topology } = task;
  const control = new ControlWords(task.control, task.spins);
  const reports = new Ring(task.reports);
  const commands = new Ring(task.commands);
  const grid = new SliceGrid(task.lookaheadUs, task.slicesPerLookahead);
  const host = new RackHost(topology, racks, grid);
  const isStopped = () => control.stopped;
  const hasFrame = () => commands.hasFrame();
  const inject = (slice: number) => {
    if (task.injectedFault !== null) injectAt(task.injectedFault, grid.startUs(slice));
  };
  if (task.replay !== null && !replay(host, grid, task.replay, isStopped, inject)) {
    const rack = task.racks.map((number) => topology.rackNames[number]).join(", ");
    return { rack, virtualUs: grid.startUs(task.replay.untilSlice), cause: new Error(OTHERWISE), isFinal: true };
  }
  host.predict();
  control.tellReady(task.host);
  while (!control.stopped) {
    let published = control.published;
    while (commands.hasFrame()) {
      // A frame may be here before it is published; not to know of it would be to sleep on a promise it has ended.
      published = Math.max(published, commands.frontSlice() + 1);
      const foretold = host.receive(commands.read());
      commands.release();
      if (foretold !== null && !reports.write(foretold, host.foretoldSlice, isStopped)) return null;
    }
    const allowed = published + task.slicesPerLookahead;
    let next = host.nextReportSlice();
    const horizon = allowed + host.slicesPredicted;
    while (next < horizon && !control.stopped) {
      inject(Math.min(next + 1, allowed));
      const slice = next;
      const frame = host.compute(slice);
      if (frame !== null && !reports.write(frame, slice, isStopped)) return null;
      next = host.nextReportSlice();
      if (next < allowed) control.tell(task.host, slice + 1, next, published);
    }
    control.tell(task.host, allowed, next, published);
    inject(allowed);
    control.sleep(task.host, next - task.slicesPerLookahead + 1, hasFrame, SLEEP_LIMIT_MS);
  }
  return null;
}

/** A way for a rack thread to die, for tests of what happens then. */
interface InjectedFault {
  /** Virtual time from which on it happens. */
  readonly atUs: number;
  readonly how: "throw" | "exit" | "out-of-memory";
}

/** Fault injection: a rack whose thread is killed; a replacement thread takes the next entry for its racks. */
export interface FaultInjection {
  readonly rack: number;
  readonly how: InjectedFault;
}

/** Makes the fault happen if virtual time has come so far. */
function injectAt(fault: InjectedFault, nowUs: number): void {
  if (nowUs < fault.atUs) return;
  if (fault.how === "throw") throw new Error("fault injection: an exception in the rack actor");
  // eslint-disable-next-line no-restricted-properties -- in a worker it ends the thread, which is the point
  if (fault.how === "exit") process.exit(7);
  const hoard: unknown[] = [];
  for (;;) hoard.push(new Array(1 << 16).fill(Buffer.from("fault injection").toString()));
}
