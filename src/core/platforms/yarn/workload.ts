import { definedFields, logNormal, streamFor } from "../../kernel/index.js";
import type { JobSpec, RecordedJob, RecordedTask, TaskLengths, Workload } from "../../workload/index.js";
import { graphStages, mapReduceStages, type YarnApplication, type YarnStage, type YarnTask } from "./application.js";
import type { YarnLevel } from "./asks.js";
import type { Resources } from "./resources.js";

/** A job as a scenario lists it, or several of its kind. */
interface Listed {
  readonly name: string;
  /** Full name of a leaf queue. */
  readonly queue: string;
  readonly user: string;
  /** Undefined: 0. */
  readonly priority?: number;
  readonly submitUs: number;
  /** Of its kind, one every so often. */
  readonly count: number;
  readonly everyUs: number;
  readonly master: Readonly<Resources>;
}

interface ListedMapReduce extends Listed {
  readonly slowStart: number;
  readonly maps: ListedTasks;
  readonly reduces: ListedTasks;
}

/** A job whose stages say which they wait for. */
interface ListedGraph extends Listed {
  readonly stages: readonly ListedStage[];
}

export type ListedJob = ListedMapReduce | ListedGraph;

export interface ListedStage extends ListedTasks {
  readonly name: string;
  /** Numbers of earlier stages. */
  readonly parents: readonly number[];
  readonly slowStart: number;
}

export interface ListedTasks {
  readonly tasks: number;
  /** On the node of its data; the median where times are spread. */
  readonly runUs: number;
  /** Standard deviation of the logarithm of times; 0: all are alike. */
  readonly spread: number;
  readonly size: Readonly<Resources>;
  /** Nodes that hold the input of a task; 0: it finds it anywhere as well. */
  readonly replicas: number;
  /** Only the first so many nodes hold any; Infinity: all of them may. */
  readonly on: number;
}

/**
 * Returns the applications of a list, numbered in the order of their submission. Each has a random stream of its own,
 * so that an additional application does not change the draws of the others.
 */
export function listedApplications(list: readonly ListedJob[], nodes: number, seed: string): YarnApplication[] {
  const applications = list.flatMap((job) => {
    const { name, queue, user, priority = 0, submitUs, count, everyUs, master } = job;
    return Array.from({ length: count }, (_, i) => {
      const jobName = count === 1 ? name : `${name}-${i + 1}`;
      const stages = stagesOf(job, nodes, streamFor(seed, `yarn/job/${jobName}`));
      return { name: jobName, queue, user, priority, submitAtUs: submitUs + i * everyUs, master, stages };
    });
  });
  return applications.sort((a, b) => a.submitAtUs - b.submitAtUs);
}

function stagesOf(job: ListedJob, nodes: number, stream: Stream): YarnStage[] {
  const sized = (phase: ListedTasks): { size: Readonly<Resources>; tasks: YarnTask[] } => ({
    size: phase.size,
    tasks: tasksOf(phase, nodes, stream),
  });
  if (!("stages" in job)) return mapReduceStages(sized(job.maps), sized(job.reduces), job.slowStart);
  return graphStages(
    job.stages.map((stage) => ({
      name: stage.name,
      parents: stage.parents,
      slowStart: stage.slowStart,
      ...sized(stage),
    })),
  );
}

type Stream = ReturnType<typeof streamFor>;

function tasksOf({ tasks, runUs, spread, replicas, on }: ListedTasks, nodes: number, stream: Stream): YarnTask[] {
  const nodeCount = Math.min(on, nodes);
  return Array.from({ length: tasks }, () => {
    const factor = spread === 0 ? 1 : logNormal(stream.next(), 1, spread);
    const chosen = new Set<number>();
    // Each set of nodes is as likely as any other.
    while (chosen.size < Math.min(replicas, nodeCount)) chosen.add(stream.below(nodeCount));
    return { runUs: Math.max(1, Math.round(runUs * factor)), nodes: [...chosen] };
  });
}

/** Defaults for the jobs of a table of tasks. */
export interface TableSizes {
  readonly slowStart: number;
  readonly master: Readonly<Resources>;
  readonly maps: Readonly<Resources>;
  readonly reduces: Readonly<Resources>;
}

const MB = 2 ** 20;

/**
 * Returns the applications of a table of tasks, in the order of the table.
 * @param queueOf returns the full name of a job's leaf queue.
 */
export function tableApplications(
  { jobs, files }: Workload,
  { slowStart, master, maps, reduces }: TableSizes,
  queueOf: (job: JobSpec) => string,
): YarnApplication[] {
  return jobs.map((job) => {
    const { name, user, submitAtUs, input, mapLengths, copyLengths, reduceLengths } = job;
    const hosts = input === null ? undefined : files[input.file].hosts;
    const nodesOf = (map: number) => (hosts?.get((input?.firstBlock ?? 0) + map) ?? []).map(({ node }) => node);
    const sized = (
      usual: Readonly<Resources>,
      bytes: number | undefined,
      vcores: number | undefined,
      tasks: YarnTask[],
    ): { size: Readonly<Resources>; tasks: YarnTask[] } => ({
      size: {
        memory: bytes === undefined ? usual.memory : Math.max(1, Math.ceil(bytes / MB)),
        vcores: vcores ?? usual.vcores,
      },
      tasks,
    });
    const { recorded } = job;
    const mapTasks = listOf(job.maps, (i) => {
      return { runUs: mapLengths.lengthUs(i), nodes: nodesOf(i), ...recordedOf(recorded?.maps.get(i)) };
    });
    const reduceTasks = listOf(job.reduces, (i) => {
      return { runUs: sumAt(copyLengths, reduceLengths, i), nodes: [], ...recordedOf(recorded?.reduces.get(i)) };
    });
    const stages = mapReduceStages(
      sized(maps, job.mapMemoryBytes, job.mapVcores, mapTasks),
      sized(reduces, job.reduceMemoryBytes, job.reduceVcores, reduceTasks),
      recorded?.slowStart ?? slowStart,
    );
    return {
      name,
      queue: queueOf(job),
      user,
      submitAtUs,
      master,
      stages,
      ...(job.fails ? { fails: true } : {}),
      ...masterTimesOf(recorded ?? {}),
    };
  });
}

/** Without the keys of which nothing is known. */
function masterTimesOf({ masterStartUs, masterStartMostUs, masterEndUs }: Partial<RecordedJob>): MasterTimes {
  return {
    ...definedFields({ masterStartUs, masterStartMostUs, masterEndUs }),
  };
}

type MasterTimes = Pick<YarnApplication, "masterStartUs" | "masterStartMostUs" | "masterEndUs">;

function recordedOf(task: RecordedTask | undefined): Pick<YarnTask, "level" | "failures"> {
  if (task === undefined) return {};
  const { level, failures } = task;
  return {
    ...(level === undefined ? {} : { level: level as YarnLevel }),
    ...definedFields({ failures }),
  };
}

function listOf(tasks: number, taskAt: (task: number) => YarnTask): YarnTask[] {
  return Array.from({ length: tasks }, (_, i) => taskAt(i));
}

function sumAt(first: TaskLengths, second: TaskLengths, task: number): number {
  return first.lengthUs(task) + second.lengthUs(task);
}
