import type * as z from "zod";
import { assert, namesOf } from "../../../core/kernel/index.js";
import type { CapacitySpec } from "../../../core/scenario/index.js";
import { DEFAULT_POOL } from "../../../core/platforms/hadoop/index.js";
import { addUp } from "../../capacity/properties.js";
import { type QueueFile, queueSchema, resolveQueue } from "../../capacity/queue.js";
import { duplicates, type Problem, valueProblem, wrong } from "../diagnose.js";
import type { Imports } from "./imports.js";
import { optional, recordOf, setting } from "../setting.js";
import { choice, filePath, listOf, mapping } from "../values.js";

// `scheduler.capacity`: the queues of the kind capacity, listed or in a file of Hadoop's.

/** Settings of a file beside its queues. */
const readings = mapping({
  rule: setting(
    choice(["hadoop", "asPrinted"]),
    "What is divided by a queue's capacity: slots it occupies, or (as the DSFS paper prints it) jobs it runs.",
    "hadoop",
  ),
  runningJobs: setting(
    choice(["ready", "launched"]),
    "Jobs that asPrinted counts: those past their set-up, or with a running task of the slot's type.",
    "ready",
  ),
  userLimits: setting(
    choice(["hard", "soft"]),
    "soft: a user may exceed the limit where nobody else in the queue can use the slot (Hadoop 0.20).",
    "hard",
  ),
  countedUsers: setting(
    choice(["active", "submitted"]),
    "Among whom a queue is divided: users with something to launch, or with any job in the queue.",
    "active",
  ),
  initializedJobs: setting(
    choice(["unlaunched", "unfinished"]),
    "Which jobs count as set up: those that have launched nothing yet, or all that have not ended.",
    "unlaunched",
  ),
  undeclaredQueues: setting(
    choice(["default", "refuse"]),
    "Where jobs of other pools go: to the queue default, if it is declared, or nowhere.",
    "default",
  ),
});

export const capacitySchema = mapping({
  ...readings.shape,
  file: optional(filePath, "A capacity-scheduler.xml, in place of queues."),
  queues: optional(
    listOf(queueSchema, "queues {name, capacity, ...}"),
    "The queues.",
    "one, default, with the whole cluster",
  ),
}).describe("Settings of the capacity scheduler.");

/** The section as a file says it. */
type CapacityFile = z.output<typeof capacitySchema>;

/** Fills in the queues: those listed, those of the file, or one with the whole cluster. */
export function resolveCapacity(section: CapacityFile | undefined, imports: Imports): CapacitySpec {
  const { file, queues = [{ name: DEFAULT_POOL, capacity: 100 }] } = section ?? {};
  const how = recordOf(readings, section);
  if (file === undefined) return { ...how, queues: queues.map(resolveQueue) };
  const imported = imports.capacities.get(file);
  assert(imported !== undefined, "a scenario without problems names a capacity file that was not read");
  return { ...how, queues: imported.queues };
}

const PATH = ["scheduler", "capacity"];

/** Problems of queues in the scenario itself. Those of a file are checked when it is read. */
export function capacityProblems(section: CapacityFile | undefined): Problem[] {
  const { file, queues } = section ?? {};
  if (queues === undefined) return [];
  if (file !== undefined) {
    const message = "scheduler.capacity.queues and scheduler.capacity.file exclude each other";
    return [{ path: [...PATH, "queues"], atKey: true, message }];
  }
  return [...queues.flatMap((queue, i) => queueProblems(queue, [...PATH, "queues", i])), ...sumProblems(queues)];
}

function queueProblems({ capacity, maximumCapacity = null }: QueueFile, path: readonly PropertyKey[]): Problem[] {
  if (maximumCapacity === null || maximumCapacity >= capacity) return [];
  const allowed = `at least its capacity, ${capacity}, or unlimited`;
  return [wrong([...path, "maximumCapacity"], String(maximumCapacity), allowed)];
}

function sumProblems(queues: readonly QueueFile[]): Problem[] {
  const inexact = addUp(queues.map(({ capacity }) => capacity));
  return [
    ...duplicates(namesOf(queues), "queue", [...PATH, "queues"]),
    ...(inexact === null ? [] : [valueProblem([...PATH, "queues"], inexact.actual, inexact.allowed)]),
  ];
}
