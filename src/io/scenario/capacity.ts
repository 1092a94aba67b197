import type * as z from "zod";
import { assert } from "../../core/kernel/index.js";
import { type CapacityQueueSpec, type CapacitySpec, DEFAULT_QUEUE } from "../../core/scenario/index.js";
import { DEFAULT_POOL } from "../../core/platforms/hadoop/index.js";
import { addUp } from "../capacity/properties.js";
import { duplicate, type Problem, valueProblem } from "./diagnose.js";
import type { Imports } from "./imports.js";
import { LIMITS } from "./limits.js";
import { showPath } from "./show.js";
import { choice, count, countOr, flag, label, listOf, mapping, quantity, quantityOr, text } from "./values.js";

// `scheduler.capacity`: the queues of the kind capacity, listed or in a file of Hadoop's.

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
type CapacityFile = z.output<typeof capacitySchema>;
type QueueFile = z.output<typeof queue>;

/** Fills in the queues: those listed, those of the file, or one with the whole cluster. */
export function resolveCapacity(given: CapacityFile | undefined, imports: Imports): CapacitySpec {
  const { file, queues, ...switches } = given ?? capacitySchema.parse({});
  if (file !== undefined) {
    const imported = imports.capacities.get(file);
    assert(imported !== undefined, "a scenario without problems names a capacity file that was not read");
    return { ...switches, queues: imported.queues };
  }
  if (queues === undefined) {
    return { ...switches, queues: [{ name: DEFAULT_POOL, capacityPercent: 100, ...DEFAULT_QUEUE }] };
  }
  return { ...switches, queues: queues.map(resolveQueue) };
}

function resolveQueue({ capacity, maximumCapacity, ...rest }: QueueFile): CapacityQueueSpec {
  return { ...rest, capacityPercent: capacity, maximumCapacityPercent: maximumCapacity ?? Infinity };
}

const PATH = ["scheduler", "capacity"];

/** What is wrong with the queues that the scenario itself spells out. Those of a file are checked when it is read. */
export function capacityProblems(given: CapacityFile | undefined): Problem[] {
  const { file, queues } = given ?? {};
  if (queues === undefined) return [];
  if (file !== undefined) {
    const message = "found scheduler.capacity.queues beside scheduler.capacity.file, allowed one of the two";
    return [{ path: [...PATH, "queues"], atKey: true, message }];
  }
  return [...queues.flatMap((queue, i) => queueProblems(queue, [...PATH, "queues", i])), ...sumProblems(queues)];
}

function queueProblems({ capacity, maximumCapacity }: QueueFile, path: readonly PropertyKey[]): Problem[] {
  if (maximumCapacity === null || maximumCapacity >= capacity) return [];
  const at = [...path, "maximumCapacity"];
  const found = `${String(maximumCapacity)} for ${showPath(at)}`;
  return [valueProblem(at, found, `at least its capacity, ${String(capacity)}, or unlimited`)];
}

function sumProblems(queues: readonly QueueFile[]): Problem[] {
  const problems: Problem[] = [];
  const names = new Set<string>();
  for (const [i, { name }] of queues.entries()) {
    if (names.has(name)) problems.push(duplicate([...PATH, "queues", i, "name"], "queue", name));
    names.add(name);
  }
  const wrong = addUp(queues.map(({ capacity }) => capacity));
  if (wrong !== null) problems.push(valueProblem([...PATH, "queues"], wrong.found, wrong.allowed));
  return problems;
}
