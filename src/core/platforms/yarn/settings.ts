import { defaultsOf, type Rows } from "../../scenario/index.js";
import { CAPACITY_ROWS, PREEMPTION_ROWS, WITHIN_ROWS } from "./capacity/settings.js";
import { FAIR_ROWS } from "./fair/settings.js";
import type { YarnTypes } from "./types.js";

/** Properties from which several settings follow, or that bear on nodes and jobs. */
export const SITE_ROWS = {
  scheduler: {
    property: "yarn.resourcemanager.scheduler.class",
    type: "scheduler",
    means: "the scheduler, which is the kind of the scenario's",
  },
  createsQueues: {
    property: "yarn.scheduler.fair.allow-undeclared-pools",
    type: "flag",
    default: true,
    means: "jobs make queues, where no placement rules are given",
  },
  placesByUser: {
    property: "yarn.scheduler.fair.user-as-default-queue",
    type: "flag",
    default: true,
    means: "jobs without a queue go to that of their user, where no placement rules are given",
  },
  reservationIncrements: {
    property: "yarn.scheduler.reservation-threshold.increment-multiple",
    type: "weight",
    default: 2,
    means: "so many increments a container must have at least to reserve a node",
  },
  heartbeatUs: {
    property: "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms",
    type: "heartbeatUs",
    means: "time between two reports of a node, where cluster.heartbeat says nothing",
  },
  isAsynchronous: {
    property: "yarn.scheduler.capacity.schedule-asynchronously.enable",
    type: "flag",
    default: false,
    means: "nodes are tried all the time",
  },
  asynchronousUs: {
    property: "yarn.scheduler.capacity.schedule-asynchronously.scheduling-interval-ms",
    type: "intervalUs",
    default: 5_000,
    means: "time between two rounds of asynchronous scheduling",
  },
  maxAmShare: {
    property: "yarn.scheduler.capacity.maximum-am-resource-percent",
    type: "share",
    means: "part for masters, of queues that do not say",
  },
  mostPriority: {
    property: "yarn.cluster.max-application-priority",
    type: "priorityLimit",
    means: "no application has a higher priority",
  },
  monitors: {
    key: "preemption",
    property: "yarn.resourcemanager.scheduler.monitor.enable",
    type: "flag",
    default: false,
    says: "`scheduler.monitor.enable`.",
    means: "queues of yarn-capacity take from others",
  },
  observesOnly: {
    property: "yarn.resourcemanager.monitor.capacity.preemption.observe_only",
    type: "flag",
    default: false,
    means: "true: nothing is taken",
  },
  takesWithin: {
    property: "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.enabled",
    type: "flag",
    default: false,
    means: "true: applications of a queue take from others of it",
  },
} as const satisfies Rows<YarnTypes>;

export const SITE_DEFAULTS = defaultsOf(SITE_ROWS);

/** The other settings of properties in a yarn-site.xml or a capacity-scheduler.xml, by what they belong to. */
export const PROPERTY_GROUPS = {
  fair: FAIR_ROWS,
  capacity: CAPACITY_ROWS,
  preemption: PREEMPTION_ROWS,
  within: WITHIN_ROWS,
  minimum: {
    memory: {
      property: "yarn.scheduler.minimum-allocation-mb",
      type: "memory",
      default: 1024,
      means: "no container has less memory",
    },
    vcores: {
      property: "yarn.scheduler.minimum-allocation-vcores",
      type: "vcores",
      default: 1,
      means: "no container has fewer vcores",
    },
  },
  increment: {
    memory: {
      property: ["yarn.scheduler.increment-allocation-mb", "yarn.resource-types.memory-mb.increment-allocation"],
      type: "memory",
      default: 1024,
      means: "memory of a container under yarn-fair is a multiple of it",
    },
    vcores: {
      property: ["yarn.scheduler.increment-allocation-vcores", "yarn.resource-types.vcores.increment-allocation"],
      type: "vcores",
      default: 1,
      means: "vcores of a container under yarn-fair are multiples of it",
    },
  },
  largest: {
    memory: {
      property: "yarn.scheduler.maximum-allocation-mb",
      type: "memory",
      default: 8192,
      means: "what asks for more memory is refused",
    },
    vcores: {
      property: "yarn.scheduler.maximum-allocation-vcores",
      type: "vcores",
      default: 4,
      means: "what asks for more vcores is refused",
    },
  },
  node: {
    memory: {
      property: "yarn.nodemanager.resource.memory-mb",
      type: "nodeMemory",
      means: "memory of a node, where cluster.memory says nothing",
    },
    vcores: {
      property: "yarn.nodemanager.resource.cpu-vcores",
      type: "nodeVcores",
      means: "vcores of a node, where cluster.vcores says nothing",
    },
  },
} as const satisfies Readonly<Record<string, Rows<YarnTypes>>>;
