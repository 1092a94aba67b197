import { mayGoWrong } from "../cluster/rack-model.js";
import type { BlockStore } from "../cluster/block-store.js";
import type { CommandsOf } from "../cluster/commands.js";
import type { Topology } from "../cluster/topology.js";
import { CachedFiles } from "../jobs/cached-files.js";
import { CachedFirst, type MapSource, MapsWithCopies, NearestMaps } from "../jobs/map-source.js";
import { JobTable } from "../jobs/job-table.js";
import { PendingMaps } from "../jobs/pending-maps.js";
import { PendingReduces } from "../jobs/returned-tasks.js";
import { TaskFailures } from "../jobs/task-failures.js";
import { Recorder } from "../metrics/recorder.js";
import { mayNeedFiles } from "../scenario/needs-files.js";
import { DEFAULT_NODE_CACHE_BYTES } from "../scenario/defaults.js";
import type { Scenario } from "../scenario/scenario.js";
import { RULES } from "../scheduler/rules.js";
import type { HeldSlots } from "../scheduler/scheduler.js";
import type { Workload } from "../workload/job.js";
import { Admission } from "./admission.js";
import { Attempts } from "./attempts.js";
import { buildCopyingReduces, type CopyingReduces } from "./copying-reduces.js";
import { buildDiskUse, type DiskUse } from "./disk-use.js";
import { FreeSlots } from "./free-slots.js";
import { buildLaunchDetails, type LaunchDetails } from "./launch-details.js";
import { Launches } from "./launches.js";
import { LongTaskBalance } from "./long-task-balance.js";
import { buildMapProgress, type MapProgress } from "./map-progress.js";
import type { SeenWait } from "../scheduler/locality-wait.js";
import { KnownHeldSlots } from "./held-slots.js";
import { NodeNotes } from "./node-notes.js";
import { ServingNodes } from "./serving-nodes.js";
import type { ReplicaTraffic } from "./replica-traffic.js";
import type { OnPendingChanged } from "./second-attempts.js";
import { buildSpeculation, type Speculation } from "./speculation.js";
import { buildStorage, type LossRecords } from "./storage.js";

export interface GroundworkParts {
  readonly scenario: Scenario;
  readonly workload: Workload;
  readonly topology: Topology;
  readonly commandsOf: CommandsOf;
  readonly recordTasks: boolean;
  /** What the scheduler must hear of, or decides, once there is one. */
  readonly initialise: (job: number) => void;
  readonly waitOf: (job: number) => SeenWait;
  readonly onPendingChanged: OnPendingChanged;
}

/** What the master knows of jobs, blocks, slots and attempts, and its hands: all that a scheduler is built upon. */
export interface Groundwork {
  readonly jobs: JobTable;
  readonly store: BlockStore;
  /** null: no node can be lost. */
  readonly records: LossRecords | null;
  /** null: no replica is ever made. */
  readonly traffic: ReplicaTraffic | null;
  readonly slots: FreeSlots;
  readonly heldSlots: HeldSlots;
  readonly attempts: Attempts;
  readonly recorder: Recorder;
  /** Reduces to be told that their maps are all done, and attempts to be killed. */
  readonly notices: NodeNotes;
  readonly killOrders: NodeNotes;
  readonly failures: TaskFailures;
  /** What the scheduler must tell, once there is one. */
  readonly serving: ServingNodes;
  readonly pending: PendingMaps;
  readonly source: MapSource;
  /** null: racks are light. */
  readonly details: LaunchDetails | null;
  readonly progress: MapProgress | null;
  readonly disk: DiskUse | null;
  readonly speculation: Speculation | null;
  /** null: long maps may crowd. */
  readonly balance: LongTaskBalance | null;
  /** null: reduce slots are for copying and computing alike. */
  readonly copying: CopyingReduces | null;
  /** null: no job needs files on its nodes. */
  readonly cached: CachedFiles | null;
  readonly launches: Launches;
  readonly admission: Admission;
  /** What runs may have to run again. */
  readonly tasksMayReturn: boolean;
}

export function layGroundwork(parts: GroundworkParts): Groundwork {
  const { scenario, workload, topology, commandsOf, recordTasks, onPendingChanged, initialise, waitOf } = parts;
  const { runtime, scheduler, faults } = scenario;
  const jobs = new JobTable();
  const { blockBytes, nodeCacheBytes: bytesPerNode = DEFAULT_NODE_CACHE_BYTES } = scenario.storage;
  const hasRoom = (node: number, blocks: number): boolean =>
    disk === null || disk.hasRoomFor(blocks * blockBytes, node);
  const nowUs = (): number => launches.nowUs;
  const storage = buildStorage({ scenario, workload, topology, jobs, commandsOf, hasRoom, nowUs });
  const { store, records, traffic } = storage;
  const slots = new FreeSlots(topology);
  const attempts = new Attempts(topology);
  const recorder = new Recorder(workload, topology, recordTasks);
  const notices = new NodeNotes(topology.nodes);
  const killOrders = new NodeNotes(topology.nodes);
  const serving = new ServingNodes(topology, records?.absences ?? null);
  const failures = new TaskFailures(runtime.attempts.maxFailuresPerNode, (job) => serving.countFor(job));
  const tasksMayReturn = mayGoWrong(faults);
  const { returnedIgnoreLocality } = RULES[scheduler.rules];
  const pending = new PendingMaps(jobs, store, topology, returnedIgnoreLocality, tasksMayReturn ? failures : null);
  const reduces = new PendingReduces(jobs, failures, returnedIgnoreLocality);
  const details = buildLaunchDetails(scenario, workload, topology, jobs, store, commandsOf);
  const progress = buildMapProgress(runtime, topology, attempts, details);
  const disk = buildDiskUse(topology, jobs, slots, attempts, details, traffic && traffic.ordered);
  const known = { workload, topology, jobs, slots, attempts, failures };
  const speculation = buildSpeculation(runtime.speculation, { ...known, onPendingChanged });
  const seconds = speculation && speculation.seconds;
  const cached = mayNeedFiles(scenario) ? new CachedFiles({ workload, topology, jobs, bytesPerNode }) : null;
  const balance =
    scheduler.longTasks === undefined ? null : new LongTaskBalance(scheduler.longTasks, topology, attempts);
  const copying = buildCopyingReduces(runtime.copyCompute, { topology, slots, attempts });
  const limits = { rules: runtime.attempts, reduces, disk, copying, seconds, balance, mayFail: tasksMayReturn };
  const admission = new Admission({ ...known, ...limits });
  const told = { commandsOf, killOrders, details, progress, initialise, waitOf, balance, cached };
  const launches = new Launches({ ...known, ...told, recorder, pending, reduces, admission, speculation });
  const nearest = new NearestMaps(pending, topology);
  const isByFile = cached !== null && scheduler.preference === "cache";
  const preferred = isByFile ? new CachedFirst(pending, nearest, cached) : nearest;
  const source = seconds === null ? preferred : new MapsWithCopies(pending, preferred, seconds);
  const own = { ...known, ...storage, serving, recorder, notices, killOrders, pending, source, tasksMayReturn };
  const heldSlots = new KnownHeldSlots(topology, slots, attempts, launches);
  return { ...own, details, progress, disk, speculation, balance, copying, cached, launches, admission, heldSlots };
}
