import { US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from "../kernel/index.js";

const US_PER_DAY = 24 * US_PER_HOUR;

/**
 * The largest things a scenario may ask for. They keep node, slot and task numbers inside 32 bits, and every sum of
 * times that a run forms for one task below 2^53 us: 30 days x factor 100 / speed 0.1 is 82 years.
 */
export const LIMITS = {
  /** The scenario file; long job lists belong in a `tasks` file. */
  fileBytes: 1 << 20,
  /** Levels of YAML nesting. 32 levels of pools inside a reload use 70. */
  yamlDepth: 80,
  /** Levels of elements in an allocation file. */
  depth: 64,
  /** Values after aliases are expanded. */
  values: 100_000,
  /** Problems reported one by one. */
  problems: 100,
  racks: 100_000,
  /** Slices of execution per heartbeat. */
  slices: 1000,
  /** On which the racks of one run are. More exhaust a process's address space before they start. */
  rackThreads: 512,
  nodes: 1_000_000,
  slotsPerNode: 64,
  /** Limits of one node or task. */
  vcores: 4096,
  memoryMb: 2 ** 30,
  /** Cores of one host, executor or task of Spark. */
  cores: 10_000,
  minSpeed: 0.1,
  maxSpeed: 100,
  /** Of a host of a log. */
  minRecordedSpeed: 0.5,
  maxRecordedSpeed: 2,
  minFactor: 0.01,
  maxFactor: 100,
  minHeartbeatUs: 1_000,
  /** Times inside frames are 32-bit microseconds. */
  maxHeartbeatUs: 30 * US_PER_MINUTE,
  /** A heartbeat comes before the next one is due. */
  maxJitter: 0.9,
  /** Lower bound, below which nodes would mainly send heartbeats. It also limits how far racks can compute ahead. */
  minOutOfBandUs: 1_000,
  minSettleUs: 1_000,
  maxSettleUs: US_PER_MINUTE,
  /** Half of it bounds how far racks can compute ahead. */
  minTaskStartUs: 2_000,
  /** Bandwidth of a disk or link, bytes per second. */
  minBandwidth: 2 ** 10,
  maxBandwidth: 2 ** 40,
  maxOversubscription: 1_000,
  /** Room of a node, or demand of a task. */
  maxRoomBytes: 2 ** 60,
  loadLimit: 128,
  maxOutputRatio: 1_000,
  attempts: 1_000,
  /** Stages of a graph; each lists all its parents. */
  stagesPerJob: 1_000,
  /** Failure probability of attempts: below 1. */
  maxFailure: 0.999,
  /** By which a fault makes something slower. */
  maxSlowdown: 1_000,
  minFaultGapUs: US_PER_SECOND,
  replication: 512,
  /** A look at all blocks costs as much as hundreds of heartbeats. */
  minLookUs: US_PER_SECOND,
  nodesPerFile: 1000,
  hotFiles: 100_000,
  /** Bytes that a task reads, writes or declares to need. */
  taskBytes: 2 ** 40,
  /** Factor of long tasks over others. */
  longFactor: 1000,
  jobs: 10_000_000,
  tasksPerPhase: 1_000_000,
  totalTasks: 1_000_000_000,
  /** Tasks of Spark and YARN, which hold all in memory: about 80 bytes each once read, 2 kB by the end of a run. */
  heldTasks: 20_000_000,
  taskUs: 30 * US_PER_DAY,
  waitUs: 365 * US_PER_DAY,
  /** Refusal time of offers: while all nodes are refused, nothing happens. */
  refuseUs: US_PER_HOUR,
  skips: 1_000_000_000,
  /** Cost of moving a gigabyte, in seconds. */
  moveCost: 100_000,
  /** Opportunities per node. */
  maxFraction: 100,
  users: 1_000_000,
  minSampleUs: 100_000,
  samples: 10_000_000,
  /** Systems of a comparison; each value of a varied setting counts. */
  systems: 200,
  /** Per system of a comparison. */
  seeds: 1_000,
  /** Runs of each point of a sweep. */
  replications: 10_000,
  /** The default limit of the reference implementation, and the largest window that 32 bits can address. */
  zstdWindowBytes: { usual: 2 ** 27, most: 2 ** 30 },
  nameLength: 100,
  pathLength: 1000,
  /** Levels of pools inside pools. */
  poolLevels: 32,
} as const;
