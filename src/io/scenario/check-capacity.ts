import { valueProblem, duplicate } from "./check-cluster.js";
import { addUp } from "../capacity/queue-sum.js";
import type { CapacityFile } from "./capacity-schema.js";
import type { Problem } from "./diagnose.js";
import { showPath } from "./show.js";

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

type QueueFile = NonNullable<CapacityFile["queues"]>[number];

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
