import { LIMITS } from "./limits.js";
import { choice, count, countOr, flag, label, listOf, mapping, quantity, quantityOr, text } from "./values.js";
import type { z } from "zod";

const queue = mapping({
  name: label().describe("What jobs name as their pool to go there."),
  capacity: quantity(0, 100).describe("Its part of the slots of each type, in per cent; those of all queues make 100."),
  maximumCapacity: quantityOr("unlimited", 0.001, 100)
    .prefault("unlimited")
    .describe("It never takes more than that, in per cent."),
  supportsPriority: flag().prefault(false).describe("Its jobs go by priority before submission."),
  minimumUserLimitPercent: count(1, 100)
    .prefault(100)
    .describe("So much of what the queue may use a user may have however many others there are; 100: no such limit."),
  userLimitFactor: quantity(0.001, 1_000_000)
    .prefault(1)
    .describe("A user never has more than so many times the capacity."),
  maximumInitializedJobsPerUser: countOr("unlimited", 1, LIMITS.jobs)
    .prefault("unlimited")
    .describe("So many jobs of a user are set up at once; see initializedJobs."),
});

/** `scheduler.capacity`. */
export const capacitySchema = mapping({
  rule: choice(["hadoop", "asPrinted"])
    .prefault("hadoop")
    .describe(
      "What is divided by a queue's capacity: slots it occupies, or (as the DSFS paper prints it) jobs it runs.",
    ),
  runningJobs: choice(["ready", "launched"])
    .prefault("ready")
    .describe("Jobs that asPrinted counts: those past their set-up, or with a running task of the slot's type."),
  userLimits: choice(["hard", "soft"])
    .prefault("hard")
    .describe("soft: a user may exceed the limit where nobody else in the queue can use the slot (Hadoop 0.20)."),
  countedUsers: choice(["active", "submitted"])
    .prefault("active")
    .describe("Among whom a queue is divided: users with something to launch, or with any job in the queue."),
  initializedJobs: choice(["unlaunched", "unfinished"])
    .prefault("unlaunched")
    .describe("Which jobs count as set up: those that have launched nothing yet, or all that have not ended."),
  undeclaredQueues: choice(["default", "refuse"])
    .prefault("default")
    .describe("Where jobs of other pools go: to the queue default, if it is declared, or nowhere."),
  file: text(1, LIMITS.pathLength).optional().describe("A capacity-scheduler.xml, in place of queues."),
  queues: listOf(queue, "queues {name, capacity, ...}")
    .optional()
    .describe("The queues. Default: one, default, with the whole cluster."),
}).describe("Settings of the capacity scheduler.");

/** The section as a file says it. */
export type CapacityFile = z.output<typeof capacitySchema>;
