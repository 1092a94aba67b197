import { logNormal, streamFor } from "../../kernel/index.js";
import { mapReduceStages, type YarnApplication, type YarnTask } from "./application.js";
import type { Resources } from "./resources.js";

/** A MapReduce job as a scenario lists it, or several of its kind. */
export interface ListedMapReduce {
  readonly name: string;
  /** Full name of a leaf queue. */
  readonly queue: string;
  readonly user: string;
  readonly submitUs: number;
  /** Of its kind, one every so often. */
  readonly count: number;
  readonly everyUs: number;
  readonly master: Readonly<Resources>;
  readonly slowStart: number;
  readonly maps: ListedTasks;
  readonly reduces: ListedTasks;
}

export interface ListedTasks {
  readonly tasks: number;
  /** Where its data is: the median where times are spread. */
  readonly runUs: number;
  /** Standard deviation of the logarithm of times; 0: all are alike. */
  readonly spread: number;
  readonly size: Readonly<Resources>;
  /** Nodes that hold the input of a task; 0: it finds it anywhere as well. */
  readonly replicas: number;
  /** Only the first so many nodes hold any; Infinity: all of them may. */
  readonly on: number;
}

/** The applications of a list, numbered by when they come. Each has a stream of its own: one more shifts no other's draws. */
export function listedApplications(list: readonly ListedMapReduce[], nodes: number, seed: string): YarnApplication[] {
  const applications = list.flatMap(
    ({ name, queue, user, submitUs, count, everyUs, master, slowStart, maps, reduces }) =>
      Array.from({ length: count }, (_, i) => {
        const own = count === 1 ? name : `${name}-${String(i + 1)}`;
        const stream = streamFor(seed, `yarn/job/${own}`);
        const sized = (phase: ListedTasks): { size: Readonly<Resources>; tasks: YarnTask[] } => ({
          size: phase.size,
          tasks: tasksOf(phase, nodes, stream),
        });
        const stages = mapReduceStages(sized(maps), sized(reduces), slowStart);
        return { name: own, queue, user, submitAtUs: submitUs + i * everyUs, master, stages };
      }),
  );
  return applications.sort((a, b) => a.submitAtUs - b.submitAtUs);
}

type Stream = ReturnType<typeof streamFor>;

function tasksOf({ tasks, runUs, spread, replicas, on }: ListedTasks, nodes: number, stream: Stream): YarnTask[] {
  const some = Math.min(on, nodes);
  return Array.from({ length: tasks }, () => {
    const factor = spread === 0 ? 1 : logNormal(stream.next(), 1, spread);
    const chosen = new Set<number>();
    // Each set of nodes is as likely as any other.
    while (chosen.size < Math.min(replicas, some)) chosen.add(stream.below(some));
    return { runUs: Math.max(1, Math.round(runUs * factor)), nodes: [...chosen] };
  });
}
