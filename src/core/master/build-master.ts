import { Beats } from "../cluster/heartbeats.js";
import { BlockStore } from "../cluster/block-store.js";
import type { CommandsOf } from "../cluster/protocol.js";
import { maySilence } from "../cluster/faults.js";
import { AllLiving, type LivingNodes, livingPlacement, type PlaceBlock, placementOf } from "../cluster/placement.js";
import { mayGoWrong } from "../cluster/rack.js";
import type { Topology } from "../cluster/topology.js";
import { CachedFiles } from "../jobs/cached-files.js";
import { JobTable, MAP, RUNNING } from "../jobs/job-table.js";
import { CachedFirst, type MapSource, MapsWithCopies, NearestMaps } from "../jobs/map-source.js";
import { PendingMaps } from "../jobs/pending-maps.js";
import { PendingReduces, TaskFailures } from "../jobs/returned-tasks.js";
import { seedWord } from "../kernel/hash.js";
import { Recorder } from "../metrics/recorder.js";
import { namedPools, Sampler } from "../metrics/sampler.js";
import { StorageUse } from "../metrics/storage-use.js";
import { DelayStatistics, Dsbra } from "../replication/dsbra.js";
import { LostReplicas, OrderedReplicas, ReplicaTraffic, Rereplication } from "../replication/replicas.js";
import { DynamicReplication, HotSpotRule } from "../replication/replication-rule.js";
import { DEFAULT_NODE_CACHE_BYTES } from "../scenario/defaults.js";
import { mayNeedFiles } from "../scenario/needs-files.js";
import type { DsbraSpec } from "../scenario/replication-spec.js";
import type { Scenario, SchedulerSpec } from "../scenario/scenario.js";
import type { BuiltScheduler, HeldSlots } from "../scheduler/scheduler.js";
import { nodeWait } from "../scheduler/build-pool-scheduler.js";
import type { SeenWait } from "../scheduler/locality-wait.js";
import { RULES } from "../scheduler/rules.js";
import type { Workload } from "../workload/job.js";
import {
  Admission,
  buildCopyingReduces,
  buildDiskUse,
  type CopyingReduces,
  type DiskUse,
  LongTaskBalance,
} from "./admission.js";
import { Attempts, FreeSlots, GONE, NodeNotes } from "./attempts.js";
import { buildLaunchDetails, type LaunchDetails } from "./launch-details.js";
import { KnownHeldSlots, Launches } from "./launches.js";
import { buildMapProgress, MapOutputs, type MapProgress } from "./map-outputs.js";
import { Absences, ServingNodes } from "./node-losses.js";
import { buildSpeculation, type OnPendingChanged, type Speculation } from "./speculation.js";

interface GroundworkParts {
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
interface Groundwork {
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

interface StorageParts {
  readonly scenario: Scenario;
  readonly workload: Workload;
  readonly topology: Topology;
  readonly jobs: JobTable;
  readonly commandsOf: CommandsOf;
  readonly nowUs: () => number;
  /** The node has room for so many blocks more than it has and gets now. Asked only where replication changes. */
  readonly hasRoom: (node: number, blocks: number) => boolean;
}

/** What is on which node, and what must be known to do without a node. */
interface Storage {
  readonly store: BlockStore;
  /** null: no node can be lost. */
  readonly records: LossRecords | null;
  /** null: no replica is ever made. */
  readonly traffic: ReplicaTraffic | null;
}

interface LossRecords {
  readonly absences: Absences;
  readonly outputs: MapOutputs;
  readonly replicas: LostReplicas;
}

function buildStorage(parts: StorageParts): Storage {
  const { scenario, workload, topology, jobs } = parts;
  const { cluster, faults, run, runtime, storage } = scenario;
  const { replication } = storage;
  const sizes = workload.files.map((file) => file.blocks);
  const placed = placementOf(storage, topology, sizes, run.seed);
  const storeOf = (place: PlaceBlock): BlockStore => new BlockStore(sizes, topology, place, replication);
  if (!maySilence(faults)) {
    const store = storeOf(placed);
    if (storage.dynamicReplication === undefined) return { store, records: null, traffic: null };
    return { store, records: null, traffic: trafficOf(parts, store, new AllLiving(topology)) };
  }
  const beats = new Beats(topology, cluster, run.seed);
  const absences = new Absences(topology, beats, runtime.attempts.trackerExpiryUs);
  const lost = (block: number, node: number): void => {
    replicas.add(block, node);
  };
  const store = storeOf(livingPlacement(placed, topology, seedWord(run.seed, "lost replicas"), absences, lost));
  const traffic = trafficOf(parts, store, absences);
  const { copies, ordered } = traffic;
  const onLost = ordered === null ? undefined : (node: number): void => ordered.nodeLost(node);
  const replicas = new LostReplicas({ store, nodes: absences, copies, onLost });
  return { store, records: { absences, outputs: new MapOutputs(jobs), replicas }, traffic };
}

/** What makes replicas, and what takes them away where replication changes. */
function trafficOf(parts: StorageParts, store: BlockStore, nodes: LivingNodes): ReplicaTraffic {
  const { topology, commandsOf, nowUs } = parts;
  const { replication, blockBytes, dynamicReplication } = parts.scenario.storage;
  const known = { topology, store, nodes, replication, blockBytes, commandsOf };
  if (dynamicReplication === undefined) return new ReplicaTraffic(new Rereplication(known), null);
  const { hasRoom } = parts;
  const copies = new Rereplication({ ...known, hasRoom });
  const use = new StorageUse(store, Math.min(replication, topology.nodes), nowUs);
  return new ReplicaTraffic(copies, new OrderedReplicas({ ...known, copies, use, hasRoom }));
}

/** What samples jobs and pools: the scheduler's own pools, or, where it has none, those that jobs name. */
export function buildSampler(
  spec: SchedulerSpec,
  workload: Workload,
  jobs: JobTable,
  topology: Topology,
  { pools, hasPools, isHeldBack }: BuiltScheduler,
): Sampler {
  const slots: [number, number] = [topology.totalMapSlots, topology.totalReduceSlots];
  if (!hasPools) return new Sampler(jobs, topology, namedPools(spec, workload, jobs, slots));
  const { scalesMinShares } = RULES[spec.rules];
  return new Sampler(jobs, topology, { pools, poolOf: (job) => jobs.pool[job], isHeldBack, scalesMinShares });
}

interface DynamicReplicationParts {
  readonly scenario: Scenario;
  readonly topology: Topology;
  readonly store: BlockStore;
  readonly jobs: JobTable;
  readonly pending: PendingMaps;
  readonly slots: FreeSlots;
  readonly attempts: Attempts;
  /** null: no replica is ever made. */
  readonly traffic: ReplicaTraffic | null;
}

/** null: replication is fixed. */
export function buildDynamicReplication(parts: DynamicReplicationParts): DynamicReplication | null {
  const { scenario, topology, store } = parts;
  const ordered = parts.traffic && parts.traffic.ordered;
  const { dynamicReplication: spec, replication } = scenario.storage;
  if (spec === undefined || ordered === null) return null;
  const { everyUs } = spec;
  const known = { store, nodes: topology.nodes, replication, orders: ordered };
  if (spec.rule === "hotSpots") {
    const forEachReader = (visit: (block: number) => void): void => visitReaders(parts, visit);
    return new DynamicReplication(new HotSpotRule({ ...known, spec, forEachReader }), everyUs, null);
  }
  const threshold = thresholdOf(spec, parts);
  const longest = spec.beyondDelay === "capped" ? threshold : Infinity;
  const statistics = new DelayStatistics(store.blocks, parts.jobs, longest);
  return new DynamicReplication(new Dsbra({ ...known, spec, statistics, threshold }), everyUs, statistics);
}

/** D, in the terms of the scheduler's wait. */
function thresholdOf({ delayUs }: DsbraSpec, { scenario, topology }: DynamicReplicationParts): number {
  const { wait } = scenario.scheduler;
  const countsOpportunities = wait.kind === "skips" || wait.kind === "fraction";
  if (delayUs !== null && !countsOpportunities) return delayUs;
  return nodeWait(wait, topology.heartbeatUs, topology.nodes);
}

/** The blocks of all maps that are pending or run. */
function visitReaders(parts: DynamicReplicationParts, visit: (block: number) => void): void {
  const { jobs, pending, slots, attempts, topology } = parts;
  for (let job = 0; job < jobs.handles; job++) {
    if (jobs.state[job] !== RUNNING || jobs.firstBlock[job] < 0 || jobs.pending[MAP][job] === 0) continue;
    for (let task = 0; task < jobs.total[MAP][job]; task++) {
      if (pending.isPending(job, task)) visit(jobs.firstBlock[job] + task);
    }
  }
  for (let node = 0; node < topology.nodes; node++) {
    const first = topology.slotStart[node];
    for (let slot = first; slot < first + topology.mapSlots[node]; slot++) {
      const job = slots.isHeldOn(node, slot) ? attempts.job[slot] : GONE;
      if (job >= 0 && jobs.firstBlock[job] >= 0) visit(jobs.firstBlock[job] + attempts.task[slot]);
    }
  }
}
