import {
  BlockStore,
  mayLoseHeartbeats,
  AllLiving,
  listedPlacement,
  type LivingNodes,
  livingPlacement,
  placementOf,
  type Topology,
} from "../../../cluster/index.js";
import { Heartbeats } from "../racks/heartbeats.js";
import type { CommandsOf } from "../racks/protocol.js";
import { mayGoWrong } from "../racks/rack.js";
import { CachedFiles } from "../jobs/cached-files.js";
import { JobTable, MAP, RUNNING } from "../jobs/job-table.js";
import { CachedFirst, type MapSource, MapsWithCopies, NearestMaps } from "../jobs/map-source.js";
import { PendingMaps } from "../jobs/pending-maps.js";
import { PendingReduces, TaskFailures } from "../jobs/requeued-tasks.js";
import { seedWord } from "../../../kernel/index.js";
import { Recorder } from "../record/recorder.js";
import { namedPools, Sampler } from "../record/sampler.js";
import { StorageUse } from "../../../record/index.js";
import { DelayStatistics, Dsbra } from "../replication/dsbra.js";
import { LostReplicas, OrderedReplicas, ReplicaTraffic, Rereplication } from "../replication/replicas.js";
import { DynamicReplication, HotSpotRule } from "../replication/replication-rule.js";
import { DEFAULT_NODE_CACHE_BYTES, type DsbraSpec, mayNeedFiles, type Scenario } from "../../../scenario/index.js";
import { nodeWait } from "../scheduler/build-pool-scheduler.js";
import { isHadoopFifo, RULES } from "../scheduler/rules.js";
import type { BuildKind, BuiltScheduler } from "../scheduler/scheduler.js";
import type { Workload } from "../../../workload/index.js";
import { Admission, CopyingReduces, DiskUse, LongTaskBalance } from "./admission.js";
import { AttemptReports } from "./attempt-reports.js";
import { Attempts, attemptsOn, FreeSlots, type MasterTables, NO_JOB, PendingReplies } from "./attempts.js";
import { JobLifecycle, SetupTasks, Submissions } from "./job-lifecycle.js";
import { buildLaunchDetails, readShare, TaskBytes } from "./launch-details.js";
import { type Features, Launches } from "./launches.js";
import { MapOutputs, MapProgress } from "./map-outputs.js";
import { NodeLiveness, NodeLosses } from "./node-losses.js";
import { type OnPendingChanged, Speculation } from "./speculation.js";
import { StuckWatch } from "./stuck.js";

/**
 * Builds the parts of a master, each upon those before it: what is on which node, the tables, the features that the
 * scenario asks for, launches, the scheduler, and what follows from reports. Parts call later ones only once the run
 * has begun.
 */
export function buildMaster(
  scenario: Scenario,
  sourceWorkload: Workload,
  topology: Topology,
  commandsOf: CommandsOf,
  recordTasks: boolean,
  build: BuildKind,
) {
  const { runtime, scheduler: spec, storage } = scenario;
  const submissions = new Submissions(sourceWorkload);
  const { workload } = submissions;
  const base = { scenario, workload, topology, commandsOf, jobs: new JobTable() };
  const hasRoom = (node: number, blocks: number) =>
    features.disk === null || features.disk.hasRoomFor(blocks * storage.blockBytes, node);
  const { store, liveness, replicas, traffic } = buildStorage(base, hasRoom, () => launches.nowUs);

  /** Nodes that live and that the scheduler may ever use for the job. */
  const nodesServing = (job: number) => {
    if (built.serves === undefined) return liveness?.living ?? topology.nodes;
    let count = 0;
    for (let node = 0; node < topology.nodes; node++) {
      if (built.serves(job, node) && liveness?.isLiving(node) !== false) count++;
    }
    return count;
  };
  const failures = new TaskFailures(runtime.attempts.maxFailuresPerNode, nodesServing);
  const tasksMayReturn = mayGoWrong(scenario.faults);
  const { requeuedIgnoreLocality } = RULES[spec.rules];
  const rackByRack = isHadoopFifo(spec);
  const refusing = tasksMayReturn ? failures : null;
  const tables: MasterTables = {
    ...base,
    store,
    failures,
    pending: new PendingMaps(base.jobs, store, topology, requeuedIgnoreLocality, refusing, rackByRack),
    reduces: new PendingReduces(base.jobs, failures, requeuedIgnoreLocality),
    slots: new FreeSlots(topology),
    attempts: new Attempts(topology),
    recorder: new Recorder(workload, topology, recordTasks),
    notices: new PendingReplies(topology.nodes),
    killOrders: new PendingReplies(topology.nodes),
  };
  const features = buildFeatures(tables, liveness, traffic, (job, type, change, nowUs) => {
    built.scheduler.pendingChanged(job, type, change, nowUs);
  });
  const admission = new Admission({ ...tables, ...features, seconds: features.speculation?.seconds ?? null });
  const launches = new Launches({
    ...tables,
    ...features,
    admission,
    initialise: (job) => lifecycle.initialise(job, launches.nowUs),
    waitOf: (job) => built.waitOf(job),
  });
  const source = buildMapSource(tables, features);
  const taskBytes = features.details?.bytes ?? new TaskBytes(scenario, workload, base.jobs);
  const built = build(spec, {
    ...tables,
    source,
    launcher: launches,
    heldSlots: launches,
    slots: [topology.totalMapSlots, topology.totalReduceSlots],
    heartbeatUs: topology.heartbeatUs,
    nodes: topology.nodes,
    hasRows: topology.rowNames.length > 0,
    inputBytesOf: (job, map) => taskBytes.inputOf(job, map),
    readShareOf: (job) => readShare(scenario, workload.jobs[base.jobs.id[job]]),
    mapsMayReturn: spec.preemption.mode === "kill" || tasksMayReturn,
    mapsMayBeCopied: runtime.speculation !== null,
  });

  const setupTasks = new SetupTasks(tables);
  const known = { ...tables, ...features, admission, launches, setupTasks, built };
  const lifecycle = new JobLifecycle({ ...known, submissions });
  const reports = new AttemptReports({ ...known, lifecycle });
  const { outputs } = features;
  const losses =
    liveness === null || replicas === null || outputs === null
      ? null
      : new NodeLosses({ ...known, liveness, replicas, outputs, reports });
  const replication = buildDynamicReplication(tables, traffic);
  launches.watcher = replication && replication.watcher;
  const stuck = new StuckWatch({ ...known, submissions, lifecycle, losses });
  const sampler = buildSampler(tables, built);
  return {
    ...known,
    source,
    traffic,
    submissions,
    lifecycle,
    reports,
    losses,
    replication,
    stuck,
    sampler,
    tasksMayReturn,
  };
}

/** The block store and its replication, with what is needed when a node is lost. */
interface Storage {
  readonly store: BlockStore;
  /** null: no node can be lost. */
  readonly liveness: NodeLiveness | null;
  readonly replicas: LostReplicas | null;
  /** null: no replica is ever made. */
  readonly traffic: ReplicaTraffic | null;
}

type StorageBase = Pick<MasterTables, "scenario" | "workload" | "topology" | "commandsOf">;

/**
 * @param hasRoom the node has room for that number of blocks beyond those it has and receives now; called only where
 *   replication changes.
 */
function buildStorage(
  base: StorageBase,
  hasRoom: (node: number, blocks: number) => boolean,
  nowUs: () => number,
): Storage {
  const { scenario, workload, topology, commandsOf } = base;
  const { cluster, faults, run, runtime } = scenario;
  const { replication, blockBytes, dynamicReplication } = scenario.storage;
  const sizes = workload.files.map((file) => file.blocks);
  const drawn = placementOf(scenario.storage, topology, sizes, run.seed);
  const listed = listedPlacement(drawn, topology, workload.files);
  const placed = listed?.place ?? drawn;
  const mostReplicas = Math.max(replication, listed?.mostReplicas ?? 0);
  const trafficWith = (store: BlockStore, nodes: LivingNodes) => {
    const known = { topology, store, nodes, replication, blockBytes, commandsOf };
    if (dynamicReplication === undefined) return new ReplicaTraffic(new Rereplication(known), null);
    const copies = new Rereplication({ ...known, hasRoom });
    const use = new StorageUse(store, Math.min(replication, topology.nodes), nowUs);
    return new ReplicaTraffic(copies, new OrderedReplicas({ ...known, copies, use, hasRoom }));
  };
  if (!mayLoseHeartbeats(faults)) {
    const store = new BlockStore(sizes, topology, placed, mostReplicas);
    const traffic = dynamicReplication === undefined ? null : trafficWith(store, new AllLiving(topology));
    return { store, liveness: null, replicas: null, traffic };
  }
  const beats = new Heartbeats(topology, cluster, run.seed);
  const liveness = new NodeLiveness(topology, beats, runtime.attempts.trackerExpiryUs);
  const place = livingPlacement(placed, topology, seedWord(run.seed, "lost replicas"), liveness, (block, node) => {
    replicas.add(block, node);
  });
  const store = new BlockStore(sizes, topology, place, mostReplicas);
  const traffic = trafficWith(store, liveness);
  const { copies, ordered } = traffic;
  const onLost = ordered === null ? undefined : (node: number) => ordered.nodeLost(node);
  const replicas = new LostReplicas({ store, nodes: liveness, copies, onLost });
  return { store, liveness, replicas, traffic };
}

function buildFeatures(
  tables: MasterTables,
  liveness: NodeLiveness | null,
  traffic: ReplicaTraffic | null,
  onPendingChanged: OnPendingChanged,
): Features {
  const { scenario, workload, topology, jobs, attempts, commandsOf } = tables;
  const { runtime, scheduler, storage } = scenario;
  const { nodeCacheBytes: bytesPerNode = DEFAULT_NODE_CACHE_BYTES } = storage;
  const { longTasks } = scheduler;
  const { copyCompute } = runtime;
  const details = buildLaunchDetails(tables);
  const isDetailed = runtime.model === "detailed";
  const outputs = liveness === null && !isDetailed ? null : new MapOutputs(jobs);
  const diskIsFinite = topology.diskBytes.some((bytes) => bytes < Infinity);
  const replicas = traffic && traffic.ordered;
  return {
    details,
    progress:
      isDetailed && details !== null && outputs !== null
        ? new MapProgress(topology, attempts, details, outputs, commandsOf)
        : null,
    outputs,
    cached: mayNeedFiles(scenario) ? new CachedFiles(workload, topology, jobs, bytesPerNode) : null,
    balance: longTasks === undefined ? null : new LongTaskBalance(longTasks, topology, attempts),
    copying: copyCompute === null ? null : new CopyingReduces(copyCompute, tables),
    disk: diskIsFinite && details !== null ? new DiskUse(tables, details.bytes, replicas) : null,
    speculation: runtime.speculation === null ? null : new Speculation(runtime.speculation, tables, onPendingChanged),
  };
}

function buildMapSource({ scenario, pending, topology }: MasterTables, { cached, speculation }: Features): MapSource {
  const nearest = new NearestMaps(pending, topology);
  const isByFile = cached !== null && scenario.scheduler.preference === "cache";
  const preferred = isByFile ? new CachedFirst(pending, nearest, cached) : nearest;
  return speculation === null ? preferred : new MapsWithCopies(pending, preferred, speculation.seconds);
}

/** null: replication is fixed. */
function buildDynamicReplication(tables: MasterTables, traffic: ReplicaTraffic | null): DynamicReplication | null {
  const { scenario, topology, store, jobs } = tables;
  const orders = traffic && traffic.ordered;
  const { dynamicReplication: spec, replication } = scenario.storage;
  if (spec === undefined || orders === null) return null;
  const { everyUs } = spec;
  const known = { store, nodes: topology.nodes, replication, orders };
  if (spec.rule === "hotSpots") {
    const forEachReader = (visit: (block: number) => void) => visitReaders(tables, visit);
    return new DynamicReplication(new HotSpotRule({ ...known, spec, forEachReader }), everyUs, null);
  }
  const threshold = thresholdOf(spec, tables);
  const statistics = new DelayStatistics(store.blocks, jobs);
  return new DynamicReplication(new Dsbra({ ...known, spec, statistics, threshold }), everyUs, statistics);
}

/** D, in the terms of the scheduler's wait. */
function thresholdOf({ delayUs }: DsbraSpec, { scenario, topology }: MasterTables): number {
  const { wait } = scenario.scheduler;
  const countsOpportunities = wait.kind === "skips" || wait.kind === "fraction";
  if (delayUs !== null && !countsOpportunities) return delayUs;
  return nodeWait(wait, topology.heartbeatUs, topology.nodes);
}

/** The blocks of all maps that are pending or run. */
function visitReaders(tables: MasterTables, visit: (block: number) => void): void {
  const { jobs, pending, slots, attempts, topology } = tables;
  for (let job = 0; job < jobs.handles; job++) {
    if (jobs.state[job] !== RUNNING || jobs.firstBlock[job] < 0 || jobs.pending[MAP][job] === 0) continue;
    for (let task = 0; task < jobs.total[MAP][job]; task++) {
      if (pending.isPending(job, task)) visit(jobs.firstBlock[job] + task);
    }
  }
  for (let node = 0; node < topology.nodes; node++) {
    for (const slot of attemptsOn(tables, node)) {
      const job = slots.typeOf(node, slot) === MAP && slot < attempts.slots ? attempts.jobOf(slot) : NO_JOB;
      if (job >= 0 && jobs.firstBlock[job] >= 0) visit(jobs.firstBlock[job] + attempts.taskOf(slot));
    }
  }
}

/** Builds the sampler of jobs and pools: the scheduler's own pools, or, where it has none, those that jobs name. */
function buildSampler({ scenario, workload, jobs, slots, recorder }: MasterTables, built: BuiltScheduler): Sampler {
  const { scheduler: spec } = scenario;
  const { pools, hasPools, isHeldBack } = built;
  if (!hasPools) {
    const named = namedPools(spec, workload, jobs, slots.living);
    recorder.slotTime.poolNamedBy = named.poolOfRank;
    return new Sampler(jobs, slots.living, named);
  }
  const { scalesMinShares } = RULES[spec.rules];
  return new Sampler(jobs, slots.living, { pools, poolOf: (job) => jobs.pool[job], isHeldBack, scalesMinShares });
}
