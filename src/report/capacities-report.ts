import type { CapacityQueueSpec } from "../core/scenario/scheduler-spec.js";
import { entry, type Paint } from "./layout.js";
import { counted, grouped } from "./numbers.js";
import { textTable } from "./text-table.js";

export interface CapacitiesReport {
  /** As the user named it. */
  readonly file: string;
  readonly form: "hadoop-1" | "yarn";
  readonly queues: readonly CapacityQueueSpec[];
  readonly notes: readonly string[];
}

const FORM_WORDS = { "hadoop-1": "queues of Hadoop 1", yarn: "queues of YARN, the innermost side by side" } as const;

/** What a capacity-scheduler.xml says, as one would paste it into a ticket: plain lines of at most 100 characters, long names excepted. */
export function capacitiesReport({ file, form, queues, notes }: CapacitiesReport, paint: Paint): string {
  const blocks = [
    entry("Capacities", `${file}: ${FORM_WORDS[form]}; ${counted(queues.length, "queue")}`, paint),
    queueTable(queues, paint),
    [
      ...meaning(queues).flatMap((text, i) => entry(i === 0 ? "Meaning" : "", text, paint)),
      ...notes.flatMap((note) => entry("Note", note, paint)),
    ],
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function queueTable(queues: readonly CapacityQueueSpec[], paint: Paint): string[] {
  const [head, ...lines] = textTable([
    ["Queue", "capacity %", "maximum %", "jobs by", "user minimum %", "user factor", "set up per user"],
    ...queues.map((queue) => [
      queue.name,
      plain(queue.capacityPercent),
      queue.maximumCapacityPercent === Infinity ? "no limit" : plain(queue.maximumCapacityPercent),
      queue.supportsPriority ? "priority" : "submission",
      String(queue.minimumUserLimitPercent),
      plain(queue.userLimitFactor),
      queue.maximumInitializedJobsPerUser === Infinity ? "no limit" : grouped(queue.maximumInitializedJobsPerUser),
    ]),
  ]);
  return [paint.bold(head), ...lines];
}

function plain(value: number): string {
  return String(Number(value.toFixed(3)));
}

function meaning(queues: readonly CapacityQueueSpec[]): string[] {
  const sentences = [
    "A free slot goes to the queue that occupies least of its capacity, of those that can use it; capacity that a queue does not use is " +
      "lent to the others, up to their maximum, and comes back as their tasks end.",
  ];
  const capped = queues.filter(({ userLimitFactor }) => userLimitFactor <= 1).map(({ name }) => name);
  if (capped.length > 0 && queues.length > 1) {
    const whose = capped.length === queues.length ? "any queue" : named(capped);
    sentences.push(
      `A single user of ${whose} gets no more than its capacity even where the cluster is idle: the user factor is 1 or less.`,
    );
  }
  const shared = queues.filter(({ minimumUserLimitPercent }) => minimumUserLimitPercent < 100);
  if (shared.length > 0) {
    sentences.push(
      "Where the user minimum is below 100 %, users share a queue equally while each gets at least the minimum; further users wait. " +
        "With 100 % the first user may have all of the queue.",
    );
  }
  return sentences;
}

const MOST_NAMES = 5;

function named(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown} and ${String(names.length - MOST_NAMES)} more` : shown;
}
