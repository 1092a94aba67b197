import { US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from "../../core/kernel/index.js";

const US_PER_DAY = 24 * US_PER_HOUR;

/**
 * The largest things a scenario may ask for. They keep node, slot and task numbers inside 32 bits, and every sum of
 * times that a run forms for one task below 2^53 us: 30 days x factor 100 / speed 0.1 is 82 years.
 */
export const LIMITS = {
  /** Of the scenario file; long job lists belong into a `tasks` file. */
  fileBytes: 1 << 20,
  /** Of YAML nesting. 32 levels of pools inside a reload use 70. */
  yamlDepth: 80,
  /** Of elements in an allocation file. */
  depth: 64,
  /** Values after aliases are expanded. */
  values: 100_000,
  /** Problems reported one by one. */
  problems: 100,
  racks: 100_000,
  /** Of execution, per heartbeat. */
  slices: 1000,
  /** On which the racks of one run are. More exhaust a process's address space before they start. */
  rackThreads: 512,
  nodes: 1_000_000,
  slotsPerNode: 64,
  /** Of one node or task. */
  vcores: 4096,
  memoryMb: 2 ** 30,
  /** Of one host, executor or task of Spark. */
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
  /** Below it a node would talk more than it works; it also bounds how far racks can compute ahead. */
  minOutOfBandUs: 1_000,
  minSettleUs: 1_000,
  maxSettleUs: US_PER_MINUTE,
  /** Half of it bounds how far racks can compute ahead. */
  minTaskStartUs: 2_000,
  /** Of a disk or link, per second. */
  minBandwidth: 2 ** 10,
  maxBandwidth: 2 ** 40,
  maxOversubscription: 1_000,
  /** Of a node, or of what a task asks of it. */
  maxRoomBytes: 2 ** 60,
  loadLimit: 128,
  maxOutputRatio: 1_000,
  attempts: 1_000,
  /** Of a graph: each knows all that it waits for. */
  stagesPerJob: 1_000,
  /** Of attempts that fail: none may be sure to. */
  maxFailure: 0.999,
  /** By which a fault makes something slower. */
  maxSlowdown: 1_000,
  minFaultGapUs: US_PER_SECOND,
  replication: 512,
  /** A look at all blocks costs as much as hundreds of heartbeats. */
  minLookUs: US_PER_SECOND,
  nodesPerFile: 1000,
  hotFiles: 100_000,
  /** Of a task: what it reads, writes or declares to need. */
  taskBytes: 2 ** 40,
  /** How many times as long as others long tasks may be. */
  longFactor: 1000,
  jobs: 10_000_000,
  tasksPerPhase: 1_000_000,
  totalTasks: 1_000_000_000,
  /** Of Spark and YARN, which hold every task: about 80 bytes each once read, and 2 kB by the end of a run. */
  heldTasks: 20_000_000,
  taskUs: 30 * US_PER_DAY,
  waitUs: 365 * US_PER_DAY,
  /** Of refusals of offers: while all nodes are refused, nothing happens. */
  refuseUs: US_PER_HOUR,
  skips: 1_000_000_000,
  /** Of a gigabyte moved, in seconds. */
  moveCost: 100_000,
  /** Of the number of nodes, as a count of opportunities. */
  maxFraction: 100,
  users: 1_000_000,
  minSampleUs: 100_000,
  samples: 10_000_000,
  /** Of a comparison, each with every value that it varies. */
  systems: 200,
  /** Per system of a comparison. */
  seeds: 1_000,
  /** Runs of each point of a sweep. */
  replications: 10_000,
  /** The window that the reference implementation allows unasked, and the largest that 32 bits can address. */
  zstdWindowBytes: { usual: 2 ** 27, most: 2 ** 30 },
  nameLength: 100,
  pathLength: 1000,
  /** Of pools inside pools. */
  poolLevels: 32,
} as const;
